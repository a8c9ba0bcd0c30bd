// Symplectic Euler: the energy of springs, its order, closed forms of contact.

#include "step/loose.h"
#include "step/physics.h"
#include "support/near.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static const ff_stepper stepper = FF_STEPPER_SYMPLECTIC;

// A ball on a spring without damping, for 10,000 steps of a tenth of its period: the energy comes back; explicit Euler's would have grown without bounds.
static void keeps_the_energy_of_springs(void **state)
{
  (void)state;
  const ffi_loose mass = {.joint = FF_JOINT_PRISMATIC, .shape = FF_SHAPE_POINT, .mass = 1};
  ff_model *model = ffi_loose_create(1, &mass, 400, 0, 1);
  ffi_rig *r =
      ffi_rig_create(model, &(ffi_rig_def){.stepper = FF_STEPPER_SYMPLECTIC, .K = 400, .B = 0, .mu = 1});
  const double sag = 9.81 / 400, dt = 0.0314, start = 0.5 * 400 * 0.0225 * 0.0225;
  const double q[1] = {-sag - 0.0225};
  double least = 1, most = 0;
  ffi_rig_reset(r, q, NULL);
  for (int k = 0; k < 10000; ++k) {
    ffi_rig_step(r, dt);
    const double x = r->now->q[0] + sag, v = r->now->v[0], energy = 0.5 * v * v + 0.5 * 400 * x * x;
    least = fmin(least, energy / start);
    most = fmax(most, energy / start);
  }
  print_message("  energy between %.3f and %.3f of what it was\n", least, most);
  // It oscillates by dt omega / 2 = 0.31, about a value that is constant: v^2/2 + omega^2 x^2/2 - dt omega^2 x v/2.
  assert_true(least > 1 - 0.4 && most < 1 + 0.5);
  ffi_rig_destroy(r);
  ff_model_destroy(model);
}

static void has_order_1(void **state)
{
  (void)state;
  assert_true(fabs(ffi_physics_flight(stepper) - 1) < 0.1);
  assert_true(fabs(ffi_physics_stance(stepper) - 1) < 0.1);
  assert_true(fabs(ffi_physics_slip(stepper) - 1) < 0.1);
  assert_true(fabs(ffi_physics_roll(stepper) - 1) < 0.1);
}

// Amplitude 0.025 m and 20 rad/s: an error of the first order is about dt omega / 2 of it.
static void follows_a_mass_on_the_floor(void **state)
{
  (void)state;
  const double error = ffi_physics_mass_on_floor(stepper, 5e-3);
  print_message("  error %.2e m\n", error);
  assert_true(error < 1.3e-3);
}

// Sticking is exact: the anchors do not move at all, and the block has come to rest.
static void does_not_creep(void **state)
{
  (void)state;
  const double way = ffi_physics_creep(stepper, 1e-3, 60);
  print_message("  %.1e m in a second\n", way);
  assert_true(way < 1e-15);
}

// Steady sliding is what the method sees exactly; the rest is what is left of the start after a second.
static void slides(void **state)
{
  (void)state;
  const double error = ffi_physics_sliding(stepper, 1e-3, 60);
  print_message("  acceleration wrong by %.1e of it\n", error);
  assert_true(error < 1e-6);
}

static void keeps_nothing_from_step_to_step(void **state)
{
  (void)state;
  ffi_physics_nothing_lingers(stepper);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(keeps_the_energy_of_springs),
      cmocka_unit_test(has_order_1),
      cmocka_unit_test(follows_a_mass_on_the_floor),
      cmocka_unit_test(does_not_creep),
      cmocka_unit_test(slides),
      cmocka_unit_test(keeps_nothing_from_step_to_step),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
