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

static long long sum_alone(const ff_batch_counts *counts)
{
  long long sum = 0;
  for (int k = 0; k < FF_BATCH_ALONE_COUNT; ++k)
    sum += counts->alone[k];
  return sum;
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
  for (int k = 0; k < FF_BATCH_ALONE_COUNT; ++k)
    after.alone[k] -= before.alone[k];
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
  assert_int_equal(sum_alone(&full), 0);
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
  assert_int_equal(counts.alone[FF_BATCH_ALONE_WORLD], 2 * STEPS);
  ff_world_destroy(world);
  ff_model_destroy(model);
}

// ---- Reasons --------------------------------------------------------------------------------------------------

// Solo12 in steps that have one reason to be taken alone.
typedef struct odd {
  ff_batch_alone reason;
  double height;    // above standing [m]
  double speed;     // forwards [m/s]
  double turn;      // of every joint [rad/s]
  double effort;    // of motors towards the posture; 0: none
  double tolerance; // of forces; 0: the default
  int steps, least; // of the steps after the first, so many have this reason
} odd;

static const odd odds[] = {
    {FF_BATCH_ALONE_TOUCH, .height = 0.005, .steps = 40, .least = 1},
    {FF_BATCH_ALONE_SLIP, .speed = 2, .steps = 20, .least = 10},
    {FF_BATCH_ALONE_JOINT, .height = 0.5, .effort = 0.01, .turn = 1, .steps = 10, .least = 10},
    {FF_BATCH_ALONE_ERROR, .tolerance = 1e-12, .steps = 20, .least = 10},
    {FF_BATCH_ALONE_FAST, .height = 0.5, .turn = 30, .steps = 5, .least = 5},
};

static ff_world *world_of(const odd *o, ff_model *model, const double *standing)
{
  ff_world *world;
  ff_error error;
  ff_sim_def def = ff_sim_def_default();
  ff_element_def motors[12];
  def.dt = 2e-3;
  def.model_elements = 0;
  def.elements = motors;
  if (o->tolerance > 0)
    def.expo.force_tolerance = o->tolerance;
  for (int j = 0, count = ff_model_get_size(model).joints; j < count && o->effort > 0; ++j) {
    ff_joint_info joint;
    assert_int_equal(ff_model_joint(model, j, &joint), FF_OK);
    if (joint.nv != 1)
      continue;
    ff_element_def *e = &motors[def.element_count++];
    *e = ff_element_def_default();
    e->name = joint.name;
    e->joint = j;
    e->stiffness = 20;
    e->damping = 0.3;
    e->effort = o->effort;
    e->reference = standing[joint.q];
  }
  ffi_must(ff_world_create(model, &def, &world, &error), &error);
  return world;
}

static void check_odd(const odd *o)
{
  enum { ROBOTS = 3 };
  ff_model *model = ffi_robot("solo12.urdf");
  const double *standing = ffi_robot_posture(model, "standing");
  ff_world *world = world_of(o, model, standing);
  ff_batch *batch;
  ff_error error;
  ff_batch_def def = ff_batch_def_default();
  double q[ROBOTS * 19], v[ROBOTS * 18] = {0};
  def.robots = ROBOTS;
  ffi_must(ff_batch_create(world, &def, &batch, &error), &error);
  for (int i = 0; i < ROBOTS; ++i) {
    memcpy(q + 19 * i, standing, 19 * sizeof *q);
    q[19 * i + 2] += o->height;
    v[18 * i] = o->speed;
    for (int k = 6; k < 18; ++k)
      v[18 * i + k] = o->turn;
  }
  ffi_must(ff_batch_reset(batch, NULL, q, v, &error), &error);
  for (int k = 0; k <= o->steps; ++k)
    ffi_must(ff_batch_step(batch, NULL, &error), &error);
  const ff_batch_counts counts = ff_batch_get_counts(batch);
  print_message("%s: %lld of %lld steps\n", ff_batch_alone_name(o->reason), counts.alone[o->reason],
                counts.steps);
  assert_int_equal(ff_batch_failed(batch), 0);
  assert_int_equal(counts.steps, ROBOTS * (o->steps + 1));
  assert_int_equal(sum_alone(&counts) + counts.in_lanes, counts.steps);
  assert_true(counts.alone[FF_BATCH_ALONE_STATE] >= ROBOTS); // the first step after a reset
  assert_true(counts.alone[o->reason] >= ROBOTS * o->least);
  assert_int_equal(counts.alone[FF_BATCH_ALONE_WORLD], 0);
  ff_batch_destroy(batch);
  ff_world_destroy(world);
  ff_model_destroy(model);
}

static void test_reasons_are_counted(void **state)
{
  (void)state;
  for (size_t i = 0; i < sizeof odds / sizeof *odds; ++i)
    check_odd(&odds[i]);
}

static void test_reasons_have_names(void **state)
{
  (void)state;
  assert_string_equal(ff_batch_alone_name(FF_BATCH_ALONE_WORLD), "world");
  assert_string_equal(ff_batch_alone_name(FF_BATCH_ALONE_FAST), "fast");
  assert_null(ff_batch_alone_name((ff_batch_alone)FF_BATCH_ALONE_COUNT));
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_reasons_are_counted),
      cmocka_unit_test(test_reasons_have_names),
      cmocka_unit_test(test_lanes_are_counted),
      cmocka_unit_test(test_others_have_no_lanes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
