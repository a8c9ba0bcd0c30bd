// Counts of steps and lanes: at rest every step is one pass, so the lanes of a full one are all useful, and of a robot
// alone one in each pass.
#include "support/must.h"
#include "support/robots.h"

#include <footfall/batch.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { MOST = 64, SETTLE = 400, STEPS = 10 };

// Solo stands on its feet and sinks until it is at rest: motors are torques towards its posture.
static ff_batch *batch_of(ff_world *world, const double *standing, int count)
{
  ff_batch *batch;
  ff_error error;
  ff_batch_def def = ff_batch_def_default();
  double q[MOST * 19];
  def.robots = count;
  def.threads = 1;
  ffi_must(ff_batch_create(world, &def, &batch, &error), &error);
  for (int i = 0; i < count; ++i)
    memcpy(q + 19 * i, standing, 19 * sizeof *q);
  ffi_must(ff_batch_reset(batch, NULL, q, NULL, &error), &error);
  return batch;
}

static void step(ff_batch *batch, const double *standing)
{
  double tau[MOST * 18];
  ff_error error;
  memset(tau, 0, sizeof tau);
  for (int i = 0; i < ff_batch_count(batch); ++i)
    for (int k = 6; k < 18; ++k)
      tau[18 * i + k] =
          5 * (standing[k + 1] - ff_batch_q(batch)[19 * i + k + 1]) - 0.1 * ff_batch_v(batch)[18 * i + k];
  ffi_must(ff_batch_step(batch, tau, &error), &error);
}

// What ten steps at rest add to the counts.
static ff_batch_counts count(ff_world *world, const double *standing, int robots)
{
  ff_batch *batch = batch_of(world, standing, robots);
  for (int k = 0; k < SETTLE; ++k)
    step(batch, standing);
  const ff_batch_counts before = ff_batch_get_counts(batch);
  for (int k = 0; k < STEPS; ++k)
    step(batch, standing);
  ff_batch_counts after = ff_batch_get_counts(batch);
  ff_batch_destroy(batch);
  after.steps -= before.steps;
  after.in_lanes -= before.in_lanes;
  after.lanes -= before.lanes;
  after.useful -= before.useful;
  return after;
}

static void test_lanes_are_counted(void **state)
{
  (void)state;
  ff_model *model = ffi_robot("solo12.urdf");
  const double *standing = ffi_robot_posture(model, "standing");
  ff_world *world;
  ff_error error;
  ff_sim_def def = ff_sim_def_default();
  def.dt = 2e-3;
  def.model_elements = 0;
  assert_int_equal(ff_model_get_size(model).nv, 18);
  ffi_must(ff_world_create(model, &def, &world, &error), &error);
  const ff_batch_counts full = count(world, standing, MOST), one = count(world, standing, 1);
  assert_null(full.why);
  assert_int_equal(full.steps, MOST * STEPS);
  assert_int_equal(full.in_lanes, MOST * STEPS);
  assert_int_equal(full.useful, MOST * STEPS);
  assert_int_equal(full.lanes, MOST * STEPS);
  assert_int_equal(one.in_lanes, STEPS);
  assert_int_equal(one.useful, STEPS);
  assert_true(one.lanes == 2 * STEPS || one.lanes == 4 * STEPS || one.lanes == 8 * STEPS);
  ff_world_destroy(world);
  ff_model_destroy(model);
}

// A stepper without lanes has none.
static void test_others_have_no_lanes(void **state)
{
  (void)state;
  ff_model *model = ffi_robot("solo12.urdf");
  const double *standing = ffi_robot_posture(model, "standing");
  ff_world *world;
  ff_error error;
  ff_sim_def def = ff_sim_def_default();
  def.stepper = FF_STEPPER_IMPLICIT;
  def.dt = 2e-3;
  ffi_must(ff_world_create(model, &def, &world, &error), &error);
  const ff_batch_counts counts = count(world, standing, 2);
  assert_non_null(counts.why);
  assert_int_equal(counts.steps, 2 * STEPS);
  assert_int_equal(counts.in_lanes + counts.lanes + counts.useful, 0);
  ff_world_destroy(world);
  ff_model_destroy(model);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_lanes_are_counted),
      cmocka_unit_test(test_others_have_no_lanes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
