// A batch of robots: each goes on as a sim of its own does, bit for bit, whatever the number of threads, its index and
// its neighbours; what fails stops alone.
#include "sim/toys.h"
#include "support/alloc_counter.h"
#include "support/robots.h"

#include <footfall/batch.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const double STEP = 5e-4;

static ff_world *world_of(const ff_model *model, ff_stepper stepper, double dt)
{
  ff_world *world;
  ff_error error;
  ff_sim_def def = ff_sim_def_default();
  def.stepper = stepper;
  def.dt = dt;
  ffi_must(ff_world_create(model, &def, &world, &error), &error);
  return world;
}

static ff_batch *batch_of(ff_world *world, int robots, int threads)
{
  ff_batch *batch;
  ff_error error;
  ff_batch_def def = ff_batch_def_default();
  def.robots = robots;
  def.threads = threads;
  ffi_must(ff_batch_create(world, &def, &batch, &error), &error);
  return batch;
}

static size_t nq_of(const ff_world *world)
{
  return (size_t)ff_model_get_size(ff_world_model(world)).nq;
}

static size_t nv_of(const ff_world *world)
{
  return (size_t)ff_model_get_size(ff_world_model(world)).nv;
}

static void *room(size_t count, size_t size)
{
  void *memory = calloc(count + 1, size);
  assert_non_null(memory);
  return memory;
}

// Where robot `name` begins: just above the ground, with velocities of its own.
static void place(const ff_world *world, int name, double *q, double *v)
{
  const ff_model *model = ff_world_model(world);
  memcpy(q, ffi_robot_posture(model, "standing"), nq_of(world) * sizeof *q);
  q[2] += 5e-4;
  for (size_t k = 0; k < nv_of(world); ++k)
    v[k] = 0.02 * sin(1.0 + 7.0 * (double)k + 1.3 * name);
}

static double torque(int name, int step, size_t k)
{
  return 0.01 * sin(0.3 * step + name + 2.0 * (double)k);
}

// States of robots `name` after some steps, each as a sim of its own.
static double *run_as_sims(ff_world *world, const int *names, int count, int steps)
{
  const size_t nv = nv_of(world);
  double *q = room(nq_of(world), sizeof *q), *v = room(nv, sizeof *v), *tau = room(nv, sizeof *tau),
         *out = NULL;
  ff_error error;
  for (int i = 0; i < count; ++i) {
    ff_sim *sim;
    ffi_must(ff_sim_create_in(world, &sim, &error), &error);
    const size_t size = (size_t)ff_sim_state_size(sim);
    if (!out)
      out = room((size_t)count * size, sizeof *out);
    place(world, names[i], q, v);
    ffi_must_reset(sim, q, v);
    for (int k = 0; k < steps; ++k) {
      for (size_t d = 0; d < nv; ++d)
        tau[d] = torque(names[i], k, d);
      ffi_must_step(sim, tau);
    }
    ff_sim_get_state(sim, out + (size_t)i * size);
    ff_sim_destroy(sim);
  }
  free(q);
  free(v);
  free(tau);
  return out;
}

// The same in a batch, in this order.
static double *run_as_batch(ff_world *world, const int *names, int count, int steps, int threads)
{
  const size_t nq = nq_of(world), nv = nv_of(world), n = (size_t)count;
  ff_batch *batch = batch_of(world, count, threads);
  double *q = room(n * nq, sizeof *q), *v = room(n * nv, sizeof *v), *tau = room(n * nv, sizeof *tau);
  double *out = room(n * (size_t)ff_batch_state_size(batch), sizeof *out);
  ff_error error;
  for (int i = 0; i < count; ++i)
    place(world, names[i], q + (size_t)i * nq, v + (size_t)i * nv);
  ffi_must(ff_batch_reset(batch, NULL, q, v, &error), &error);
  for (int k = 0; k < steps; ++k) {
    for (int i = 0; i < count; ++i)
      for (size_t d = 0; d < nv; ++d)
        tau[(size_t)i * nv + d] = torque(names[i], k, d);
    const long before = ffi_test_alloc_count();
    ffi_must(ff_batch_step(batch, tau, &error), &error);
    assert_int_equal(ffi_test_alloc_count(), before);
  }
  assert_int_equal(ff_batch_failed(batch), 0);
  for (int i = 0; i < count; ++i) {
    assert_memory_equal(ff_batch_q(batch) + (size_t)i * nq, ff_sim_q(ff_batch_sim(batch, i)), nq * sizeof *q);
    assert_memory_equal(ff_batch_v(batch) + (size_t)i * nv, ff_sim_v(ff_batch_sim(batch, i)), nv * sizeof *v);
    assert_true(ff_batch_time(batch)[i] == ff_sim_time(ff_batch_sim(batch, i)));
    assert_int_equal(ff_batch_get_totals(batch, i).steps, steps);
  }
  ffi_must(ff_batch_get_states(batch, out, &error), &error);
  ff_batch_destroy(batch);
  free(q);
  free(v);
  free(tau);
  return out;
}

static void test_same_bits_as_sims(void **state)
{
  (void)state;
  enum { COUNT = 37, STEPS = 30 };
  static const int threads[] = {1, 2, 3, 8, 16};
  ff_model *model = ffi_robot("solo12.urdf");
  int names[COUNT], turned[COUNT];
  for (int i = 0; i < COUNT; ++i) {
    names[i] = i;
    turned[i] = (i * 11 + 5) % COUNT;
  }
  for (int stepper = 0; stepper < FF_STEPPER_COUNT; ++stepper) {
    ff_world *world = world_of(model, (ff_stepper)stepper, STEP);
    ff_batch *one = batch_of(world, 1, 1);
    const size_t size = (size_t)ff_batch_state_size(one);
    const int has_lanes = !ff_batch_get_counts(one).why; // test_lanes.c compares those with sims
    ff_batch_destroy(one);
    double *alone =
        has_lanes ? run_as_batch(world, names, COUNT, STEPS, 1) : run_as_sims(world, names, COUNT, STEPS);
    for (size_t t = 0; t < sizeof threads / sizeof *threads; ++t) {
      double *together = run_as_batch(world, names, COUNT, STEPS, threads[t]);
      assert_memory_equal(together, alone, COUNT * size * sizeof *alone);
      free(together);
    }
    double *permuted = run_as_batch(world, turned, COUNT, STEPS, 2);
    for (int i = 0; i < COUNT; ++i)
      assert_memory_equal(permuted + (size_t)i * size, alone + (size_t)turned[i] * size,
                          size * sizeof *alone);
    free(permuted);
    free(alone);
    ff_world_destroy(world);
  }
  ff_model_destroy(model);
}

// ---- Failure ------------------------------------------------------------------------------------------------

static void test_failed_robot_stops_alone(void **state)
{
  (void)state;
  enum { COUNT = 20, BAD = 7 };
  ff_model *model = ffi_robot("solo12.urdf");
  ff_world *world = world_of(model, FF_STEPPER_EXPO, STEP);
  ff_batch *batch = batch_of(world, COUNT, 2);
  const size_t nv = nv_of(world);
  double *tau = room(COUNT * nv, sizeof *tau);
  ff_error error;
  tau[BAD * nv + 2] = (double)NAN;
  ffi_must(ff_batch_step(batch, tau, &error), &error);
  assert_int_equal(ff_batch_failed(batch), 1);
  assert_int_equal(ff_batch_status(batch)[BAD], FF_ERROR_ARGUMENT);
  assert_int_equal(ff_batch_error(batch, BAD, &error), FF_ERROR_ARGUMENT);
  assert_non_null(strstr(error.message, "robot 7: "));
  assert_non_null(strstr(error.message, "tau[2]"));
  assert_int_equal(ff_batch_error(batch, BAD - 1, &error), FF_OK);
  tau[BAD * nv + 2] = 0;
  ffi_must(ff_batch_step(batch, tau, &error), &error);
  for (int i = 0; i < COUNT; ++i)
    assert_int_equal(ff_batch_get_totals(batch, i).steps, i == BAD ? 0 : 2);
  unsigned char mask[COUNT] = {0};
  mask[BAD] = 1;
  ffi_must(ff_batch_reset(batch, mask, NULL, NULL, &error), &error);
  assert_int_equal(ff_batch_failed(batch), 0);
  ffi_must(ff_batch_step(batch, NULL, &error), &error);
  assert_int_equal(ff_batch_get_totals(batch, BAD).steps, 1);
  free(tau);
  ff_batch_destroy(batch);
  ff_world_destroy(world);
  ff_model_destroy(model);
}

// Speeds beyond max_speed fail a step; the state stays, and the message says what to try.
static void test_runaway_keeps_its_state(void **state)
{
  (void)state;
  ff_model *model = ffi_robot("solo12.urdf");
  ff_world *world = world_of(model, FF_STEPPER_EULER, STEP);
  ff_batch *batch = batch_of(world, 3, 1);
  const size_t nv = nv_of(world);
  double *tau = room(3 * nv, sizeof *tau), *before = room(3 * nq_of(world), sizeof *before);
  ff_error error;
  tau[nv] = 1e12;
  memcpy(before, ff_batch_q(batch), 3 * nq_of(world) * sizeof *before);
  ffi_must(ff_batch_step(batch, tau, &error), &error);
  assert_int_equal(ff_batch_error(batch, 1, &error), FF_ERROR_NUMERIC);
  assert_memory_equal(ff_batch_q(batch) + nq_of(world), before + nq_of(world), nq_of(world) * sizeof *before);
  assert_true(ff_batch_time(batch)[1] == 0 && ff_batch_time(batch)[2] > 0);
  free(tau);
  free(before);
  ff_batch_destroy(batch);
  ff_world_destroy(world);
  ff_model_destroy(model);
}

// ---- Controllers, rollouts, asynchronous steps ------------------------------------------------------------------

static ff_batch_written write_torques(const ff_batch_group *group, void *user)
{
  const size_t nv = *(const size_t *)user;
  for (int i = 0; i < group->count; ++i)
    for (size_t d = 0; d < nv; ++d)
      group->tau[(size_t)i * nv + d] = torque(group->first + i, (int)lround(group->time[i] / STEP), d);
  return FF_BATCH_TAU;
}

static void test_all_ways_to_step_agree(void **state)
{
  (void)state;
  enum { COUNT = 21, STEPS = 24 };
  ff_model *model = ffi_robot("solo12.urdf");
  ff_world *world = world_of(model, FF_STEPPER_IMPLICIT, STEP);
  size_t nv = nv_of(world), nq = nq_of(world);
  int names[COUNT];
  for (int i = 0; i < COUNT; ++i)
    names[i] = i;
  double *alone = run_as_sims(world, names, COUNT, STEPS);
  double *q = room(COUNT * nq, sizeof *q), *v = room(COUNT * nv, sizeof *v);
  double *tau = room(COUNT * STEPS * nv, sizeof *tau), *recorded = room(COUNT * STEPS * nq, sizeof *recorded);
  for (int i = 0; i < COUNT; ++i) {
    place(world, i, q + (size_t)i * nq, v + (size_t)i * nv);
    for (int k = 0; k < STEPS; ++k)
      for (size_t d = 0; d < nv; ++d)
        tau[((size_t)i * STEPS + (size_t)k) * nv + d] = torque(i, k, d);
  }
  const ff_batch_recording recording = {FF_BATCH_Q, recorded};
  for (int way = 0; way < 3; ++way) {
    ff_batch *batch = batch_of(world, COUNT, 2);
    ff_error error;
    ffi_must(ff_batch_reset(batch, NULL, q, v, &error), &error);
    const ff_batch_inputs inputs = {.control = write_torques, .user = &nv};
    ff_batch_rollout_def def = ff_batch_rollout_def_default();
    def.frames = STEPS;
    def.tau = tau;
    def.recordings = &recording;
    def.recording_count = 1;
    if (way == 0)
      ffi_must(ff_batch_step_many(batch, STEPS, &inputs, &error), &error);
    else if (way == 1)
      ffi_must(ff_batch_begin(batch, STEPS, &inputs, &error), &error);
    else
      ffi_must(ff_batch_rollout(batch, &def, &error), &error);
    ff_batch_wait(batch);
    const size_t size = (size_t)ff_batch_state_size(batch);
    double *out = room(COUNT * size, sizeof *out);
    ffi_must(ff_batch_get_states(batch, out, &error), &error);
    assert_memory_equal(out, alone, COUNT * size * sizeof *out);
    for (size_t i = 0; way == 2 && i < COUNT; ++i)
      assert_memory_equal(recorded + (i * STEPS + STEPS - 1) * nq, ff_batch_q(batch) + i * nq,
                          nq * sizeof *q);
    free(out);
    ff_batch_destroy(batch);
  }
  free(q);
  free(v);
  free(tau);
  free(recorded);
  free(alone);
  ff_world_destroy(world);
  ff_model_destroy(model);
}

// A full state goes from a batch to a sim and back.
static void test_states_are_those_of_sims(void **state)
{
  (void)state;
  ff_model *model = ffi_robot("solo12.urdf");
  ff_world *world = world_of(model, FF_STEPPER_RK4, 1e-4);
  ff_batch *batch = batch_of(world, 18, 2);
  ff_sim *sim;
  ff_error error;
  double *x = room((size_t)ff_batch_state_size(batch), sizeof *x),
         *y = room((size_t)ff_batch_state_size(batch), sizeof *y);
  for (int i = 0; i < 18; ++i)
    ffi_must(ff_sim_set_posture(ff_batch_sim(batch, i), "standing", &error), &error);
  ffi_must(ff_batch_step_many(batch, 20, NULL, &error), &error);
  ffi_must(ff_sim_create_in(world, &sim, &error), &error);
  ff_sim_get_state(ff_batch_sim(batch, 17), x);
  ffi_must(ff_sim_set_state(sim, x, &error), &error);
  ffi_must(ff_batch_step_many(batch, 20, NULL, &error), &error);
  ffi_must_run(sim, 20, NULL);
  ff_sim_get_state(sim, x);
  ff_sim_get_state(ff_batch_sim(batch, 17), y);
  assert_memory_equal(x, y, (size_t)ff_batch_state_size(batch) * sizeof *x);
  free(x);
  free(y);
  ff_sim_destroy(sim);
  ff_batch_destroy(batch);
  ff_world_destroy(world);
  ff_model_destroy(model);
}

// Parameters of one robot change no other, and not the world's.
static void test_parameters_belong_to_a_robot(void **state)
{
  (void)state;
  ff_model *model = ffi_robot("ball.urdf");
  ff_world *world = world_of(model, FF_STEPPER_EXPO, 1e-3);
  ff_batch *batch = batch_of(world, 3, 1);
  ff_parameters *p;
  ff_error error;
  double q[3 * 7] = {0};
  for (int i = 0; i < 3; ++i) {
    q[7 * i + 2] = 10;
    q[7 * i + 6] = 1;
  }
  ffi_must(ff_batch_reset(batch, NULL, q, NULL, &error), &error);
  ffi_must(ff_parameters_create(world, &p, &error), &error);
  ffi_must(ff_parameters_set_gravity(p, (const double[3]){0, 0, -1.62}, &error), &error);
  ffi_must(ff_batch_set_parameters(batch, 1, p, &error), &error);
  ffi_must(ff_batch_step_many(batch, 1000, NULL, &error), &error);
  const double fall[3] = {9.81 / 2, 1.62 / 2, 9.81 / 2};
  for (int i = 0; i < 3; ++i)
    assert_true(fabs(10 - ff_batch_q(batch)[7 * i + 2] - fall[i]) < 1e-9);
  ff_parameters_gravity(p, q);
  ff_parameters_destroy(p);
  ffi_must(ff_parameters_create(world, &p, &error), &error);
  ff_parameters_gravity(p, q);
  assert_true(q[2] == -9.81);
  ff_parameters_destroy(p);
  ff_batch_destroy(batch);
  ff_world_destroy(world);
  ff_model_destroy(model);
}

static void test_bad_arguments(void **state)
{
  (void)state;
  ff_model *model = ffi_robot("solo12.urdf");
  ff_world *world = world_of(model, FF_STEPPER_EXPO, STEP);
  ff_batch *batch = NULL;
  ff_error error;
  ff_batch_def def = ff_batch_def_default();
  def.robots = 0;
  assert_int_equal(ff_batch_create(world, &def, &batch, &error), FF_ERROR_ARGUMENT);
  assert_null(batch);
  def.robots = 2;
  def.threads = -1;
  assert_int_equal(ff_batch_create(world, &def, &batch, &error), FF_ERROR_ARGUMENT);
  def.threads = 0;
  def.size = 0;
  assert_int_equal(ff_batch_create(world, &def, &batch, &error), FF_ERROR_ARGUMENT);
  assert_int_equal(ff_batch_create(NULL, NULL, &batch, &error), FF_ERROR_ARGUMENT);
  batch = batch_of(world, 2, 0);
  assert_null(ff_batch_sim(batch, 2));
  assert_null(ff_batch_sim(batch, -1));
  assert_int_equal(ff_batch_step_many(batch, -1, NULL, &error), FF_ERROR_ARGUMENT);
  double *q = room(2 * nq_of(world), sizeof *q);
  q[nq_of(world) + 1] = (double)INFINITY;
  assert_int_equal(ff_batch_reset(batch, (const unsigned char[2]){0, 1}, q, NULL, &error), FF_ERROR_ARGUMENT);
  assert_non_null(strstr(error.message, "robot 1: "));
  ff_batch_rollout_def roll = ff_batch_rollout_def_default();
  roll.hold = 0;
  assert_int_equal(ff_batch_rollout(batch, &roll, &error), FF_ERROR_ARGUMENT);
  ff_batch_destroy(batch);
  ff_batch_destroy(NULL);
  free(q);
  ff_world_destroy(world);
  ff_model_destroy(model);
}

// Every allocation that a batch makes may fail.
static void test_no_memory(void **state)
{
  (void)state;
  if (!ffi_test_alloc_works())
    skip();
  ff_model *model = ffi_robot("solo12.urdf");
  ff_world *world = world_of(model, FF_STEPPER_EXPO, STEP);
  for (long n = 1;; ++n) {
    ff_batch *batch = NULL;
    ff_error error;
    ff_batch_def def = ff_batch_def_default();
    def.robots = 40;
    def.threads = 2;
    ffi_test_alloc_fail_at(n);
    const ff_status status = ff_batch_create(world, &def, &batch, &error);
    if (!ffi_test_alloc_failed()) {
      assert_int_equal(status, FF_OK);
      ff_batch_destroy(batch);
      break;
    }
    assert_int_equal(status, FF_ERROR_MEMORY);
    assert_null(batch);
  }
  ff_world_destroy(world);
  ff_model_destroy(model);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_same_bits_as_sims),
      cmocka_unit_test(test_failed_robot_stops_alone),
      cmocka_unit_test(test_runaway_keeps_its_state),
      cmocka_unit_test(test_all_ways_to_step_agree),
      cmocka_unit_test(test_states_are_those_of_sims),
      cmocka_unit_test(test_parameters_belong_to_a_robot),
      cmocka_unit_test(test_bad_arguments),
      cmocka_unit_test(test_no_memory),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
