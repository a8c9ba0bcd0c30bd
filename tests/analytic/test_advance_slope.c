// A block that starts to slide down a slope, placed exactly on it, by `ca` and `c2a`: the closed form
//
//     v = g (sin a - mu cos a) t
//
// holds from the start. Lifting the block to the skin, which the steppers keep, costs no motion.
#include "support/hard_scene.h"
#include "support/must.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static const double pi = 3.14159265358979323846, gravity = 9.81, mu = 0.2, duration = 0.1;

// The speed down the slope over that of the closed form, less 1; *lift: how far the block is off the slope.
static double error_of(ff_stepper stepper, double dt, double angle, double gap, double *lift)
{
  const ffi_loose block = {
      .shape = FF_SHAPE_BOX, .size = {0.2, 0.2, 0.1}, .mass = 1, .material = ffi_hard_material(mu, 0, 0)};
  ff_model *model = ffi_loose_model(1, &block, gravity);
  const double c = cos(angle), s = sin(angle), height = 0.05 + gap;
  ff_ground_def ground = ff_ground_def_default();
  ground.shape.pose.quaternion[1] = sin(angle / 2);
  ground.shape.pose.quaternion[3] = cos(angle / 2);
  ff_sim_def def = ff_sim_def_default();
  def.stepper = stepper;
  def.dt = dt;
  def.ground = &ground;
  def.ground_count = 1;
  ff_sim *sim = ffi_must_sim(model, &def);
  ffi_loose_state at = {.position = {height * s, 0, height * c},
                        .quaternion = {0, sin(angle / 2), 0, cos(angle / 2)}};
  ffi_loose_reset(sim, 1, &at);
  ffi_must_run(sim, (int)lround(duration / dt), NULL);
  ffi_loose_read(sim, 1, &at);
  const double speed = at.velocity[0] * c - at.velocity[2] * s;
  *lift = at.position[0] * s + at.position[2] * c - 0.05;
  ff_sim_destroy(sim);
  ff_model_destroy(model);
  return speed / (gravity * (s - mu * c) * duration) - 1;
}

static void a_block_starts_to_slide(void **state)
{
  (void)state;
  static const ff_stepper steppers[] = {FF_STEPPER_CA, FF_STEPPER_C2A};
  static const double steps[] = {1e-2, 2e-3, 1e-3, 2e-4}, gaps[] = {0, 2e-5, -5e-5};
  const double skin = 1e-4;
  for (int i = 0; i < 2; ++i)
    for (int k = 0; k < 4; ++k)
      for (int g = 0; g < 3; ++g) {
        double lift;
        const double error = error_of(steppers[i], steps[k], 20 * pi / 180, gaps[g], &lift);
        // Impulses are exact to 1e-6 of their size or 1e-6 N s, whichever is larger, and the rounding of lengths of
        // 1e-4 m is less than that: 1e-6 of the speed.
        if (!(fabs(error) <= 1e-6))
          fail_msg("%s, dt %g, gap %g: the speed is off by %g", ff_stepper_name(steppers[i]), steps[k],
                   gaps[g], error);
        if (!(fabs(lift - skin) <= 1e-3 * skin))
          fail_msg("%s, dt %g, gap %g: %g m off the slope", ff_stepper_name(steppers[i]), steps[k], gaps[g],
                   lift);
      }
}

// What starts above half the skin stays there: nothing is moved.
static void a_block_above_stays(void **state)
{
  (void)state;
  double lift;
  const double error = error_of(FF_STEPPER_CA, 1e-3, 20 * pi / 180, 1.5e-4, &lift);
  if (!(fabs(error) <= 1e-2 && lift < 1.01e-4)) // it falls half a skin
    fail_msg("off by %g, %g m off the slope", error, lift);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_block_starts_to_slide),
      cmocka_unit_test(a_block_above_stays),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
