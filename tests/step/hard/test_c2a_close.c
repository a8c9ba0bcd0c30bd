// Whatever a step begins with: things set down so near, and so fast, that they would meet within h_min do not pass through each other.
#include "support/hard_scene.h"
#include "support/must.h"
#include "support/near.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

static const ff_stepper both[2] = {FF_STEPPER_CA, FF_STEPPER_C2A};
static const double speed = 300, half = 1e-4; // of what flies; of a wall's thickness

static ff_model *make_coin(void)
{
  const ffi_loose coin = {.shape = FF_SHAPE_DISK,
                          .size = {0.01},
                          .mass = 1e-3,
                          .moment = {1e-7, 1e-7, 1e-7},
                          .material = ffi_hard_material(0, 0, 0)};
  return ffi_loose_model(1, &coin, 0);
}

static ff_ground_def make_wall(void)
{
  ff_ground_def wall = ff_ground_def_default();
  wall.shape.type = FF_SHAPE_BOX;
  wall.shape.size[0] = wall.shape.size[1] = 5, wall.shape.size[2] = 2 * half;
  return wall;
}

// A coin, which has no thickness, at 300 m/s towards a wall of 0.2 mm from 0.04 to 2.8 mm away, 3 mm being the way of h_min; or the wall, set in motion by hand, towards the coin.
static void what_starts_near_is_stopped(void **state)
{
  (void)state;
  ff_model *model = make_coin();
  const ff_ground_def wall = make_wall();
  for (int k = 0; k < 2; ++k)
    for (int is_wall = 0; is_wall < 2; ++is_wall) {
      double nearest = 1;
      for (int i = 0; i < 20; ++i) {
        const double gap = 4e-5 * pow(1.25, i);
        ff_sim_def def = ff_sim_def_default();
        def.stepper = both[k];
        def.dt = 2e-4;
        def.ground = &wall, def.ground_count = 1;
        ff_sim *sim = ffi_must_sim(model, &def);
        ffi_loose_state at = {.position = {0, 0, half + gap}, .velocity = {0, 0, is_wall ? 0 : -speed}};
        ffi_loose_reset(sim, 1, &at);
        const double moving[6] = {0, 0, speed};
        if (is_wall) {
          ffi_must_step(sim, NULL); // nothing moves
          assert_int_equal(ff_sim_move_ground(sim, 0, NULL, moving), FF_OK);
        }
        ffi_must_step(sim, NULL);
        ffi_loose_read(sim, 1, &at);
        const double height = at.position[2] - half - (is_wall ? speed * def.dt : 0);
        nearest = fmin(nearest, height);
        ffi_check_near("speed", at.velocity[2], is_wall ? speed : 0, 1e-6 * speed);
        ff_sim_destroy(sim);
      }
      print_message("             %s, the %s moves: at least %.1e m before the wall\n",
                    ff_stepper_name(both[k]), is_wall ? "wall" : "coin", nearest);
      assert_true(
          nearest >
          0); // what is nearer than the way of a hundredth of h_min, 3e-5 m, may be met; nothing here is
    }
  ff_model_destroy(model);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(what_starts_near_is_stopped)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
