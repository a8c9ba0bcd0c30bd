// Robots with parameters of their own in lanes: every foot of every robot has its own stiffness, damping and friction,
// masses, gains and gravity differ. The same steps as sims with these parameters, and the same bits for a robot
// whatever its lane, its neighbours and the number of threads.
#include "batch/batch.h"
#include "batch/same_step.h"
#include "support/must.h"
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

enum { NQ = 19, NV = 18, JOINTS = 12 }; // of solo12

// What robots do: they stand on a swaying torque; fall; lift two diagonal legs in turn;
// stand on springs that are at rest off the surface.
typedef enum motion { STAND, FALL, TROT, REST } motion;

typedef struct task {
  ff_stepper stepper;
  motion motion;
  double dt;
  int steps, has_motors;
  double share; // of the steps that are in lanes, at least
} task;

static const task tasks[] = {
    {FF_STEPPER_EXPO, STAND, 2e-3, 120, 0, 0.9},      {FF_STEPPER_EXPO, STAND, 2e-3, 120, 1, 0.9},
    {FF_STEPPER_EXPO, FALL, 2e-3, 120, 0, 0.8},       {FF_STEPPER_EXPO, TROT, 2e-3, 250, 0, 0.3},
    {FF_STEPPER_EXPO, REST, 2e-3, 120, 0, 0.8},       {FF_STEPPER_EXPO_PAPER, STAND, 2e-3, 120, 1, 0.9},
    {FF_STEPPER_EXPO_PAPER, FALL, 2e-3, 120, 0, 0.7}, {FF_STEPPER_EXPO_PAPER, TROT, 1e-3, 240, 0, 0.7},
    {FF_STEPPER_EULER, STAND, 1e-4, 300, 1, 0.9},     {FF_STEPPER_EULER, FALL, 1e-4, 500, 0, 0.9},
    {FF_STEPPER_SYMPLECTIC, TROT, 1e-4, 500, 0, 0.9},
};
enum { TASKS = sizeof tasks / sizeof *tasks };

typedef struct setting {
  const task *task;
  ff_model *model;
  ff_world *world;
  const double *posture;
} setting;

static setting begin(const task *t)
{
  setting s = {.task = t, .model = ffi_robot("solo12.urdf")};
  ff_error error;
  ff_sim_def def = ff_sim_def_default();
  ff_element_def motors[JOINTS];
  s.posture = ffi_robot_posture(s.model, "standing");
  assert_int_equal(ff_model_get_size(s.model).nv, NV);
  def.stepper = t->stepper;
  def.dt = t->dt;
  def.elements = motors;
  for (int j = 0, count = ff_model_get_size(s.model).joints; j < count && t->has_motors; ++j) {
    ff_joint_info joint;
    assert_int_equal(ff_model_joint(s.model, j, &joint), FF_OK);
    if (joint.nv != 1)
      continue;
    ff_element_def *e = &motors[def.element_count++];
    *e = ff_element_def_default();
    e->name = joint.name;
    e->joint = j;
    e->stiffness = 20;
    e->damping = 0.3;
    e->effort = 3;
    e->reference = s.posture[joint.q];
  }
  ffi_must(ff_world_create(s.model, &def, &s.world, &error), &error);
  return s;
}

static void end(setting *s)
{
  ff_world_destroy(s->world);
  ff_model_destroy(s->model);
}

// Between low and high; another one for each name and number.
static double draw(int name, int number, double low, double high)
{
  const double x = 43758.5453 * sin(12.9898 * name + 78.233 * number + 1);
  return low + (high - low) * (x - floor(x));
}

// Parameters of the robot of this name; stiffnesses are at most those for which SAME_STEP_ROUNDING was derived.
static ff_parameters *parameters_of(const setting *s, int name)
{
  ff_parameters *p;
  ff_error error;
  ff_material m;
  double stiffness, damping, effort;
  int n = 0;
  ffi_must(ff_parameters_create(s->world, &p, &error), &error);
  for (int shape = 0; shape < ff_model_get_size(s->model).shapes; ++shape)
    if (ff_parameters_material(p, shape, &m) == FF_OK) {
      m.stiffness = draw(name, ++n, 4e4, 1e5);
      m.damping = draw(name, ++n, 150, 400);
      m.friction = draw(name, ++n, 0.5, 1.2);
      ffi_must(ff_parameters_set_material(p, shape, &m, &error), &error);
    }
  for (int link = 0; link < ff_model_get_size(s->model).links; ++link) {
    ff_inertia inertia;
    assert_int_equal(ff_parameters_inertia(p, link, &inertia), FF_OK);
    const double share = draw(name, ++n, 0.8, 1.2);
    inertia.mass *= share;
    for (int k = 0; k < 6; ++k)
      inertia.matrix[k] *= share;
    ffi_must(ff_parameters_set_inertia(p, link, &inertia, &error), &error);
  }
  for (int e = 0; s->task->has_motors && e < JOINTS; ++e) {
    assert_int_equal(ff_parameters_gains(p, e, &stiffness, &damping, &effort), FF_OK);
    stiffness = draw(name, ++n, 15, 25);
    damping = draw(name, ++n, 0.2, 0.4);
    effort = draw(name, ++n, 2.5, 4);
    ffi_must(ff_parameters_set_gains(p, e, stiffness, damping, effort, &error), &error);
  }
  const double gravity[3] = {draw(name, 300, -0.1, 0.1), draw(name, 301, -0.1, 0.1),
                             draw(name, 302, -9.9, -9.7)};
  ffi_must(ff_parameters_set_gravity(p, gravity, &error), &error);
  return p;
}

// Robot i of the batch is the one of this name.
static ff_batch *batch_of(const setting *s, const int *names, int count, int threads)
{
  ff_batch *batch;
  ff_parameters *p;
  ff_error error;
  ff_batch_def def = ff_batch_def_default();
  double *q = same_step_numbers((size_t)count * NQ), *v = same_step_numbers((size_t)count * NV);
  def.robots = count;
  def.threads = threads;
  ffi_must(ff_batch_create(s->world, &def, &batch, &error), &error);
  for (int i = 0; i < count; ++i) {
    p = parameters_of(s, names[i]);
    ffi_must(ff_batch_set_parameters(batch, i, p, &error), &error);
    ff_parameters_destroy(p);
    memcpy(q + i * NQ, s->posture, NQ * sizeof *q);
    q[i * NQ + 2] += s->task->motion == FALL ? 0.002 + 4 * s->task->dt * draw(names[i], 500, 0, 1) : 0;
    for (int k = 0; k < NV; ++k)
      v[i * NV + k] =
          s->task->motion == STAND || s->task->motion == REST ? 0 : draw(names[i], 600 + k, -0.05, 0.05);
  }
  ffi_must(ff_batch_reset(batch, NULL, q, v, &error), &error);
  free(q);
  free(v);
  return batch;
}

// tau [count][NV]: towards the posture, with a sway, or with legs that lift.
static void hold(const setting *s, ff_batch *batch, const int *names, int step, double *tau)
{
  const double *q = ff_batch_q(batch), *v = ff_batch_v(batch), pi = 3.14159265358979;
  const double kp = s->task->has_motors ? 0 : s->task->motion == TROT ? 12 : 5, kd = kp / 40;
  for (int i = 0; i < ff_batch_count(batch); ++i)
    for (int k = 0; k < JOINTS; ++k) {
      const double phase = 2 * pi * 3 * (step * s->task->dt + 0.01 * names[i]);
      const int leg = k / 3, is_first = leg == 0 || leg == 3;
      const double lift = s->task->motion == TROT ? fmax(0, sin(phase + (is_first ? 0 : pi))) : 0;
      const double target = s->posture[7 + k] + lift * (k % 3 == 1 ? 0.15 : k % 3 == 2 ? -0.3 : 0);
      tau[i * NV + 6 + k] = kp * (target - q[i * NQ + 7 + k]) - kd * v[i * NV + 6 + k];
      if (s->task->motion == STAND || s->task->motion == REST)
        tau[i * NV + 6 + k] += 0.03 * sin(phase + k);
    }
}

// Robots with a normal spring that is at rest off the surface, as after an unloaded one.
static int count_rests(const ff_batch *batch)
{
  int count = 0;
  for (int i = 0; i < batch->def.robots; ++i) {
    const ffi_state *x = batch->robots[i].state;
    int has = 0;
    for (int t = 0; t < x->touching_count; ++t)
      has |= x->touching[t].rest != 0;
    count += has;
  }
  return count;
}

// The normal springs of all contacts are at rest a little below the surface, as after one has been unloaded.
static void shift_rests(ff_batch *batch, double *states)
{
  ff_error error;
  for (int i = 0; i < batch->def.robots; ++i)
    for (int t = 0; t < batch->robots[i].state->touching_count; ++t)
      batch->robots[i].state->touching[t].rest = -2e-7 * (1 + t + 0.1 * i);
  ffi_must(ff_batch_get_states(batch, states, &error), &error);
  ffi_must(ff_batch_set_states(batch, NULL, states, &error), &error);
}

static void compare_with_sims(const task *t)
{
  enum { COUNT = 11 };
  setting s = begin(t);
  int names[COUNT];
  ff_sim *sims[COUNT];
  ff_error error;
  for (int i = 0; i < COUNT; ++i)
    names[i] = i;
  ff_batch *batch = batch_of(&s, names, COUNT, 1);
  for (int i = 0; i < COUNT; ++i) {
    ff_parameters *p = parameters_of(&s, i);
    ffi_must(ff_sim_create_in(s.world, &sims[i], &error), &error);
    ffi_must(ff_sim_set_parameters(sims[i], p, &error), &error);
    ff_parameters_destroy(p);
  }
  const size_t size = (size_t)ff_batch_state_size(batch);
  double tau[COUNT * NV] = {0}, worst = 0;
  int rests = 0; // in lanes, at least
  double *before = same_step_numbers(COUNT * size), *after = same_step_numbers(COUNT * size),
         *alone = same_step_numbers(size);
  for (int k = 0; k < t->steps; ++k) {
    hold(&s, batch, names, k, tau);
    if (t->motion == REST && k == 30)
      shift_rests(batch, before);
    ffi_must(ff_batch_get_states(batch, before, &error), &error);
    const int resting = count_rests(batch);
    const long long in_lanes = ff_batch_get_counts(batch).in_lanes;
    ffi_must(ff_batch_step(batch, tau, &error), &error);
    const int others = COUNT - (int)(ff_batch_get_counts(batch).in_lanes - in_lanes);
    rests += resting > others ? resting - others : 0;
    ffi_must(ff_batch_get_states(batch, after, &error), &error);
    for (size_t i = 0; i < COUNT; ++i) {
      ffi_must(ff_sim_set_state(sims[i], before + i * size, &error), &error);
      ffi_must_step(sims[i], tau + i * NV);
      ff_sim_get_state(sims[i], alone);
      for (size_t n = 0; n < size; ++n)
        worst = fmax(worst, fabs(after[i * size + n] - alone[n]) / (1 + fabs(alone[n])));
      same_step_reports(ff_batch_info(batch, (int)i), ff_sim_info(sims[i]));
    }
  }
  const ff_batch_counts counts = ff_batch_get_counts(batch);
  print_message("%s, motion %d: %lld of %lld steps in lanes, %d with rests, differ by %.2g\n",
                ff_stepper_name(t->stepper), t->motion, counts.in_lanes, counts.steps, rests, worst);
  assert_true((double)counts.in_lanes >= t->share * (double)counts.steps);
  assert_true(worst < SAME_STEP_ROUNDING);
  if (t->motion == REST)
    assert_true(rests > 50 * COUNT);
  for (int i = 0; i < COUNT; ++i)
    ff_sim_destroy(sims[i]);
  ff_batch_destroy(batch);
  free(before);
  free(after);
  free(alone);
  end(&s);
}

static void test_lanes_are_steps_of_sims(void **state)
{
  (void)state;
  for (int i = 0; i < TASKS; ++i)
    compare_with_sims(&tasks[i]);
}

static double *run(const setting *s, const int *names, int count, int threads)
{
  ff_batch *batch = batch_of(s, names, count, threads);
  double *tau = same_step_numbers((size_t)count * NV),
         *out = same_step_numbers((size_t)count * (size_t)ff_batch_state_size(batch));
  ff_error error;
  for (int k = 0; k < 80; ++k) {
    hold(s, batch, names, k, tau);
    ffi_must(ff_batch_step(batch, tau, &error), &error);
  }
  ffi_must(ff_batch_get_states(batch, out, &error), &error);
  ff_batch_destroy(batch);
  free(tau);
  return out;
}

static void check_bits(const task *t)
{
  enum { COUNT = 83 };
  setting s = begin(t);
  int names[COUNT], turned[COUNT];
  for (int i = 0; i < COUNT; ++i) {
    names[i] = i;
    turned[i] = (i * 29 + 5) % COUNT;
  }
  ff_batch *batch = batch_of(&s, names, 1, 1);
  const size_t size = (size_t)ff_batch_state_size(batch);
  ff_batch_destroy(batch);
  double *one = run(&s, names, COUNT, 1), *several = run(&s, names, COUNT, 5),
         *permuted = run(&s, turned, COUNT, 3);
  assert_memory_equal(several, one, COUNT * size * sizeof *one);
  for (int i = 0; i < COUNT; ++i)
    assert_memory_equal(permuted + (size_t)i * size, one + (size_t)turned[i] * size, size * sizeof *one);
  for (int i = 0; i < COUNT; i += 13) {
    double *alone = run(&s, &names[i], 1, 1);
    assert_memory_equal(alone, one + (size_t)i * size, size * sizeof *one);
    free(alone);
  }
  free(one);
  free(several);
  free(permuted);
  end(&s);
}

static void test_same_bits_in_every_lane(void **state)
{
  (void)state;
  check_bits(&tasks[1]);
  check_bits(&tasks[3]);
  check_bits(&tasks[4]);
  check_bits(&tasks[7]);
  check_bits(&tasks[9]);
}

// A lane that had a robot with parameters of its own has the world's again for the next one: half of the robots have
// their own, in an order that puts both kinds into each lane, and the others are as in a batch that has only them.
static void test_own_parameters_do_not_stay(void **state)
{
  (void)state;
  enum { COUNT = 30 };
  setting s = begin(&tasks[0]);
  ff_batch_def def = ff_batch_def_default();
  ff_batch *mixed, *plain;
  ff_error error;
  double q[COUNT * NQ], tau[COUNT * NV] = {0};
  def.robots = COUNT;
  def.threads = 1;
  ffi_must(ff_batch_create(s.world, &def, &mixed, &error), &error);
  ffi_must(ff_batch_create(s.world, &def, &plain, &error), &error);
  for (int i = 0; i < COUNT; ++i) {
    memcpy(q + i * NQ, s.posture, NQ * sizeof *q);
    ff_parameters *p = parameters_of(&s, i);
    if (i % 3 == 0)
      ffi_must(ff_batch_set_parameters(mixed, i, p, &error), &error);
    ff_parameters_destroy(p);
  }
  ffi_must(ff_batch_reset(mixed, NULL, q, NULL, &error), &error);
  ffi_must(ff_batch_reset(plain, NULL, q, NULL, &error), &error);
  for (int k = 0; k < 40; ++k) {
    ffi_must(ff_batch_step(mixed, tau, &error), &error);
    ffi_must(ff_batch_step(plain, tau, &error), &error);
  }
  for (int i = 0; i < COUNT; ++i) {
    const size_t bytes = NQ * sizeof *q;
    const int differs = memcmp(ff_batch_q(mixed) + i * NQ, ff_batch_q(plain) + i * NQ, bytes) != 0;
    assert_int_equal(differs, i % 3 == 0);
  }
  assert_true(ff_batch_get_counts(mixed).in_lanes > 20 * COUNT);
  ff_batch_destroy(mixed);
  ff_batch_destroy(plain);
  end(&s);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_lanes_are_steps_of_sims),
      cmocka_unit_test(test_same_bits_in_every_lane),
      cmocka_unit_test(test_own_parameters_do_not_stay),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
