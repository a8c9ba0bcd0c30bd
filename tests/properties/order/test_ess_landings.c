// slow: some seconds, and fine reference solutions. The stepper ess in landings of solo12, against a truth that is
// rk4's with bisected touch-downs (landing_reference.h): its error falls with tolerances and epsilon, whatever the
// steps of the
// sim; and expo, whose steps become shorter, comes to where ess is.
#include "properties/order/landing_reference.h"
#include "properties/order/landings.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { LANDINGS = 3, TRUTH = 8192 };

static const ffi_order_method ess = {"ess", FF_STEPPER_ESS, 2, 1};

static ff_ess_step_def options(double tolerance)
{
  // Lines of epsilon at some 0.3 m/s have errors of (epsilon / 0.3)^2 K / m, which is that of the tolerance.
  return (ff_ess_step_def){
      .epsilon = 1e-3 * sqrt(tolerance), .absolute_tolerance = tolerance, .max_steps = 100000};
}

static double run(ffi_order_scene *scene, double tolerance, int steps, const double *truth, double *end)
{
  ff_sim_totals totals;
  scene->def.ess = options(tolerance);
  ffi_order_run_counted(scene, &ess, steps, end, &totals);
  const double off = ffi_order_distance(scene, end, truth);
  print_message(
      "  tolerance %.0e, %3d steps: off by %.1e; %lld steps of the integrator, %lld projections, %lld roots\n",
      tolerance, steps, off, totals.integrator_steps, totals.projections, totals.located);
  assert_true(totals.touchdowns >= 3);
  return off;
}

// Errors of some hundred steps add up, and damping takes most of each away again.
static void check(const ffi_landings *l)
{
  static ffi_landings_robot robot;
  ffi_landings_begin(l, &robot);
  for (int k = 0; k < LANDINGS; ++k) {
    double truth[2 * FFI_ORDER_MOST], coarse[2 * FFI_ORDER_MOST], end[2 * FFI_ORDER_MOST], error[16];
    ffi_order_scene *s = &robot.scene;
    ffi_landings_draw(l, &robot);
    ffi_landing_reference_run(s, TRUTH, truth);
    ffi_landing_reference_run(s, TRUTH / 2, coarse);
    const double doubt = ffi_order_distance(s, truth, coarse);
    print_message("friction %g, landing %d: truth to %.1e\n", l->friction, k, doubt);
    for (double tolerance = 1e-5; tolerance > 1e-11; tolerance *= 0.1)
      assert_true(run(s, tolerance, 16, truth, end) < tolerance + 2 * doubt);
    assert_true(run(s, 1e-10, 1, truth, end) < 1e-8 + 2 * doubt);
    assert_true(run(s, 1e-10, 64, truth, end) < 1e-8 + 2 * doubt);
    assert_true(ffi_order_measure(s, &ffi_order_expo, end, 64, 6, error) > 1.6);
    assert_true(error[5] < 1e-4);
  }
  ffi_landings_end(&robot);
}

static void landings_that_stick(void **state)
{
  (void)state;
  check(&(ffi_landings){.robot = "solo12", .count = LANDINGS, .friction = 10});
}

static void landings_that_slide_and_stick(void **state)
{
  (void)state;
  check(&(ffi_landings){.robot = "solo12", .count = LANDINGS, .friction = 1});
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(landings_that_stick),
      cmocka_unit_test(landings_that_slide_and_stick),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
