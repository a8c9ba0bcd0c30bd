// Rollouts: what is recorded of a robot that fails on the way.
#include "support/must.h"
#include "support/robots.h"

#include <footfall/batch.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

// A box that rests on the ground; in the third of six frames one of three gets a force that is not a number.
static void test_failed_robot_repeats_its_frame(void **state)
{
  (void)state;
  enum { ROBOTS = 3, BAD = 1, FRAMES = 6, GOOD = 2, NV = 6 };
  ff_model *model = ffi_robot("box.xml");
  ff_world *world;
  ff_batch *batch;
  ff_error error;
  ff_batch_def def = ff_batch_def_default();
  def.robots = ROBOTS;
  ffi_must(ff_world_create(model, NULL, &world, &error), &error);
  ffi_must(ff_batch_create(world, &def, &batch, &error), &error);
  double q[ROBOTS][7] = {{0}}, tau[ROBOTS][FRAMES][NV] = {{{0}}};
  for (int i = 0; i < ROBOTS; ++i) {
    q[i][2] = 0.1 - 1e-4;
    q[i][6] = 1;
  }
  tau[BAD][GOOD][1] = (double)NAN;
  ffi_must(ff_batch_reset(batch, NULL, q[0], NULL, &error), &error);
  double penetration[ROBOTS][FRAMES], contacts[ROBOTS][FRAMES], status[ROBOTS][FRAMES], time[ROBOTS][FRAMES];
  const ff_batch_recording recordings[] = {{FF_BATCH_PENETRATION, penetration[0]},
                                           {FF_BATCH_CONTACTS, contacts[0]},
                                           {FF_BATCH_STATUS, status[0]},
                                           {FF_BATCH_TIME, time[0]}};
  ff_batch_rollout_def roll = ff_batch_rollout_def_default();
  roll.frames = FRAMES;
  roll.tau = tau[0][0];
  roll.recordings = recordings;
  roll.recording_count = sizeof recordings / sizeof *recordings;
  ffi_must(ff_batch_rollout(batch, &roll, &error), &error);
  for (int i = 0; i < ROBOTS; ++i)
    for (int k = 0; k < FRAMES; ++k) {
      const int frame = i == BAD && k >= GOOD ? GOOD - 1 : k;
      assert_int_equal((int)contacts[i][k], 4);
      assert_true(penetration[i][k] > 0);
      assert_true(fabs(time[i][k] - 1e-3 * (frame + 1)) < 1e-12);
      assert_true(penetration[i][k] == penetration[i][frame]);
      assert_int_equal((int)status[i][k], frame == k ? FF_OK : FF_ERROR_ARGUMENT);
    }
  ff_batch_destroy(batch);
  ff_world_destroy(world);
  ff_model_destroy(model);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_failed_robot_repeats_its_frame)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
