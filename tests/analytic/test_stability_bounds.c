// The longest stable steps of euler, symplectic and rk4 on a damped spring, docs/theory/steppers.md, sections 2 and 3:
// a mass on a motor's spring calms down with 2 % less than the bound, and runs away with 2 % more. And what the message
// of a step that failed advises: half of the bound, rounded down.
#include "support/must.h"

#include <footfall/builder.h>

#include <complex.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const double mass = 2, slow = 50; // [kg], [rad/s]

static ff_model *make_slider(void)
{
  ff_builder *b = ffi_must_begin("slider");
  ff_link_def link = ff_link_def_default();
  link.name = "mass";
  link.joint.name = "rail";
  link.joint.type = FF_JOINT_PRISMATIC;
  link.joint.axis[0] = 1;
  link.inertia = ff_inertia_zero();
  link.inertia.mass = mass;
  for (int k = 0; k < 6; ++k)
    link.inertia.matrix[k] = k == 0 || k == 3 || k == 5 ? 1 : 0;
  ffi_must_add_link(b, &link);
  return ffi_must_finish(b);
}

// The size of the state after many steps over that at the start; infinite if a step fails.
static double growth(const ff_model *model, ff_stepper stepper, double frequency, double zeta, double dt)
{
  ff_element_def motor =
      ff_model_motor(model, 0, 0, mass * frequency * frequency, 2 * zeta * mass * frequency);
  ff_sim_def def = ff_sim_def_default();
  const double start = 1e-3;
  double size = 0;
  def.stepper = stepper;
  def.dt = dt;
  def.ground_count = 0;
  def.elements = &motor;
  def.element_count = 1;
  def.max_speed = INFINITY;
  ff_sim *sim = ffi_must_sim(model, &def);
  ffi_must_reset(sim, &start, NULL);
  ff_error ignored;
  for (int k = 0; k < 20000 && size < 1e3; ++k) {
    if (ff_sim_step(sim, NULL, &ignored) != FF_OK)
      size = INFINITY;
    else
      size = fmax(fabs(ff_sim_q(sim)[0]), fabs(ff_sim_v(sim)[0]) / frequency) / start;
  }
  ff_sim_destroy(sim);
  return size;
}

static void check(ff_stepper stepper, double zeta, double bound)
{
  ff_model *model = make_slider();
  const double below = growth(model, stepper, slow, zeta, 0.98 * bound),
               above = growth(model, stepper, slow, zeta, 1.02 * bound);
  if (!(below < 1) || !(above > 10))
    fail_msg("%s, zeta %g: grows %g times with 2 %% less than %g s, %g times with 2 %% more",
             ff_stepper_name(stepper), zeta, below, bound, above);
  ff_model_destroy(model);
}

static const double ratios[] = {0.1, 0.3, 0.5, 0.7, 1, 2, 5};
enum { RATIOS = sizeof ratios / sizeof *ratios };

// Eq. 34 moves positions by the mean velocity: dt w < min(4 zeta, 1 / zeta).
static void explicit_euler(void **state)
{
  (void)state;
  for (int i = 0; i < RATIOS; ++i)
    check(FF_STEPPER_EULER, ratios[i], fmin(4 * ratios[i], 1 / ratios[i]) / slow);
}

static void symplectic_euler(void **state)
{
  (void)state;
  for (int i = 0; i < RATIOS; ++i)
    check(FF_STEPPER_SYMPLECTIC, ratios[i], 2 / slow * (sqrt(ratios[i] * ratios[i] + 1) - ratios[i]));
}

// The root of |R(lambda dt)| = 1 by walking along the ray of the eigenvalue, in complex numbers.
static double rk4_bound(double zeta)
{
  const double complex lambda =
      zeta < 1 ? -zeta + I * sqrt(1 - zeta * zeta) : -(zeta + sqrt(zeta * zeta - 1));
  double dt = 0;
  for (;; dt += 1e-5) {
    const double complex y = lambda * (dt + 1e-5);
    if (cabs(1 + y + y * y / 2 + y * y * y / 6 + y * y * y * y / 24) > 1)
      return dt;
  }
}

static void runge_kutta(void **state)
{
  (void)state;
  double least = INFINITY;
  for (int i = 0; i < RATIOS; ++i)
    check(FF_STEPPER_RK4, ratios[i], rk4_bound(ratios[i]) / slow);
  for (double zeta = 0.01; zeta <= 1; zeta += 0.01)
    least = fmin(least, rk4_bound(zeta));
  if (!(fabs(least - 2.615) < 1e-3)) // 2.61 is said to be enough, and 2.62 is not
    fail_msg("the least bound of all dampings is %g", least);
  if (!(fabs(rk4_bound(1) - 2.7853) < 1e-4)) // the root of the real axis, in any textbook
    fail_msg("on the real axis it is %g", rk4_bound(1));
}

// What the message says after a step that failed, in steps of 0.1 s.
static double advice(const ff_model *model, ff_stepper stepper, double frequency, double zeta)
{
  ff_element_def motor =
      ff_model_motor(model, 0, 0, mass * frequency * frequency, 2 * zeta * mass * frequency);
  ff_sim_def def = ff_sim_def_default();
  const double start = 1;
  ff_error error = {0};
  def.stepper = stepper;
  def.dt = 0.1;
  def.ground_count = 0;
  def.elements = &motor;
  def.element_count = 1;
  ff_sim *sim = ffi_must_sim(model, &def);
  ffi_must_reset(sim, &start, NULL);
  ff_status status = FF_OK;
  for (int k = 0; k < 1000 && status == FF_OK; ++k)
    status = ff_sim_step(sim, NULL, &error);
  assert_int_equal(status, FF_ERROR_NUMERIC);
  const char *at = strstr(error.message, "Try dt = ");
  assert_non_null(at);
  const double advised = 1e-3 * strtod(at + 9, NULL);
  ff_sim_destroy(sim);
  return advised;
}

// Springs whose bound is 2.1 ms, as their motion shows. Half of it, rounded down to 1, 2 or 5, is 1 ms. Half of a bound
// twice as long would be 2 ms, of one 6 % shorter 0.5 ms.
static void half_of_it_is_advised(void **state)
{
  (void)state;
  static const double zetas[] = {0.15, 0.4, 0.8, 3};
  static const ff_stepper steppers[] = {FF_STEPPER_EULER, FF_STEPPER_SYMPLECTIC, FF_STEPPER_RK4};
  const double bound = 2.1e-3;
  ff_model *model = make_slider();
  for (int i = 0; i < 12; ++i) {
    const ff_stepper stepper = steppers[i / 4];
    const double zeta = zetas[i % 4];
    double low = 10, high = 1e4; // [rad/s]
    for (int k = 0; k < 12; ++k) {
      const double middle = sqrt(low * high);
      *(growth(model, stepper, middle, zeta, bound) < 1 ? &low : &high) = middle;
    }
    const double advised = advice(model, stepper, low, zeta);
    print_message("%s, zeta %g: %.6g rad/s, advised %g s\n", ff_stepper_name(stepper), zeta, low, advised);
    if (!(fabs(advised - 1e-3) <= 1e-7))
      fail_msg("%s, zeta %g: %g s is advised where %g s is the bound", ff_stepper_name(stepper), zeta,
               advised, bound);
  }
  ff_model_destroy(model);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(explicit_euler),
      cmocka_unit_test(symplectic_euler),
      cmocka_unit_test(runge_kutta),
      cmocka_unit_test(half_of_it_is_advised),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
