// The stepper ess on rigs: closed forms that all steppers must follow, guards of a moment, and nothing that lingers.
#include "step/ess/ess.h"
#include "step/physics.h"
#include "support/near.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static const ff_stepper stepper = FF_STEPPER_ESS;

// A step's error may be 1e-6, and the motion's damper forgets it within some steps.
static void follows_a_mass_on_the_floor(void **state)
{
  (void)state;
  for (double dt = 0.05; dt > 1e-3; dt /= 5) {
    const double off = ffi_physics_mass_on_floor(stepper, dt);
    print_message("  dt %g: %.1e m\n", dt, off);
    assert_true(off < 1e-6);
  }
}

static void holds_and_slides_on_a_slope(void **state)
{
  (void)state;
  static const double damping[] = {60, 5, 0.1, 0};
  for (int i = 0; i < 4; ++i) {
    const double off = ffi_physics_sliding(stepper, 2e-3, damping[i]);
    print_message("  B %g: acceleration off by %.1e\n", damping[i], off);
    assert_true(off < (damping[i] > 1 ? 1e-6 : 1e-5)); // with little damping it still bounces on its springs
  }
  const double creep = ffi_physics_creep(stepper, 2e-3, 60);
  print_message("  creeps by %.1e m\n", creep);
  assert_true(creep < 1e-12);
}

static void nothing_lingers(void **state)
{
  (void)state;
  ffi_physics_nothing_lingers(stepper);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(follows_a_mass_on_the_floor),
      cmocka_unit_test(holds_and_slides_on_a_slope),
      cmocka_unit_test(nothing_lingers),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
