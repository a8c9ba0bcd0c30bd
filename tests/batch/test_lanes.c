// Steps in lanes against sims: the same steps to rounding, the same reports; the same bits for a robot whatever its
// lane, its neighbours and the number of threads.
#include "batch/same_step.h"
#include "support/alloc_counter.h"
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

// A robot that falls from some height and is held by torques of a controller.
typedef struct fall {
  ff_stepper stepper;
  const char *file, *posture;
  double dt, height, kp, kd;
  double effort; ///< of motors with these gains, which hold it in place of torques; 0: torques
  int has_stops, steps;
  double share; ///< of the steps that are in lanes, at least
} fall;

static const fall falls[] = {
    {FF_STEPPER_EXPO, "solo12.urdf", "standing", 2e-3, 0.02, 5, 0.1, 0, 0, 150, 0.7},
    {FF_STEPPER_EXPO, "solo12.urdf", "standing", 1e-3, 0.05, 5, 0.1, 0, 1, 150, 0.7},
    {FF_STEPPER_EXPO, "romeo.urdf", "walk", 1e-3, 0.005, 0, 0, 0, 0, 40, 0.7},
    {FF_STEPPER_EXPO, "starleth.urdf", "standing", 1e-3, 0.01, 200, 4, 0, 0, 80, 0.7},
    {FF_STEPPER_EULER, "solo12.urdf", "standing", 1e-4, 0.001, 5, 0.1, 0, 1, 400, 0.97},
    {FF_STEPPER_EULER, "romeo.urdf", "walk", 5e-5, 0.0001, 0, 0, 0, 0, 200, 0.97},
    {FF_STEPPER_SYMPLECTIC, "starleth.urdf", "standing", 1e-4, 0.001, 200, 4, 0, 1, 300, 0.97},
    {FF_STEPPER_EXPO_PAPER, "solo12.urdf", "standing", 2e-3, 0.02, 5, 0.1, 0, 0, 150, 0.7},
    {FF_STEPPER_EXPO_PAPER, "romeo.urdf", "walk", 1e-3, 0.005, 0, 0, 0, 0, 60, 0.7},
    {FF_STEPPER_EXPO, "solo12.urdf", "standing", 2e-3, 0.02, 40, 0.5, 3, 1, 150, 0.5},
    {FF_STEPPER_EXPO_PAPER, "solo12.urdf", "standing", 2e-3, 0.05, 40, 0.5, 1, 1, 150, 0.5},
    {FF_STEPPER_EULER, "solo12.urdf", "standing", 1e-4, 0.002, 40, 0.5, 1, 1, 600, 0.97},
};
enum { FALLS = sizeof falls / sizeof *falls };

typedef struct setting {
  const fall *fall;
  ff_model *model;
  ff_world *world;
  size_t nq, nv;
} setting;

static int list_motors(const ff_model *model, const fall *f, ff_element_def *motors)
{
  int count = 0;
  for (int j = 0; j < ff_model_get_size(model).joints; ++j) {
    ff_joint_info joint;
    assert_int_equal(ff_model_joint(model, j, &joint), FF_OK);
    if (joint.nv != 1)
      continue;
    ff_element_def *e = &motors[count++];
    *e = ff_element_def_default();
    e->name = joint.name;
    e->joint = j;
    e->stiffness = f->kp;
    e->damping = f->kd;
    e->effort = f->effort;
    e->reference = ffi_robot_posture(model, f->posture)[joint.q];
  }
  return count;
}

static setting begin(const fall *f)
{
  setting s = {.fall = f, .model = ffi_robot(f->file)};
  ff_error error;
  ff_sim_def def = ff_sim_def_default();
  def.stepper = f->stepper;
  def.dt = f->dt;
  def.model_elements = f->has_stops;
  ff_element_def motors[64];
  def.elements = motors;
  def.element_count = f->effort > 0 ? list_motors(s.model, f, motors) : 0;
  ffi_must(ff_world_create(s.model, &def, &s.world, &error), &error);
  s.nq = (size_t)ff_model_get_size(s.model).nq;
  s.nv = (size_t)ff_model_get_size(s.model).nv;
  return s;
}

static void end(setting *s)
{
  ff_world_destroy(s->world);
  ff_model_destroy(s->model);
}

// Robot `name` begins higher than those before it, and moves.
static ff_batch *batch_of(const setting *s, const int *names, int count, int threads)
{
  ff_batch *batch;
  ff_error error;
  ff_batch_def def = ff_batch_def_default();
  def.robots = count;
  def.threads = threads;
  ffi_must(ff_batch_create(s->world, &def, &batch, &error), &error);
  double *q = same_step_numbers((size_t)count * s->nq), *v = same_step_numbers((size_t)count * s->nv);
  for (int i = 0; i < count; ++i) {
    double *own = q + (size_t)i * s->nq;
    memcpy(own, ffi_robot_posture(s->model, s->fall->posture), s->nq * sizeof *q);
    own[2] += s->fall->height * (1 + 0.07 * names[i]);
    for (size_t k = 0; k < s->nv; ++k)
      v[(size_t)i * s->nv + k] = 0.05 * sin(names[i] + 3.0 * (double)k);
  }
  ffi_must(ff_batch_reset(batch, NULL, q, v, &error), &error);
  free(q);
  free(v);
  return batch;
}

// tau [n][nv]: towards the posture.
static void hold(const setting *s, ff_batch *batch, double *tau)
{
  const double *posture = ffi_robot_posture(s->model, s->fall->posture);
  for (int i = 0; i < ff_batch_count(batch) && s->fall->effort == 0; ++i)
    for (size_t k = 6; k < s->nv; ++k)
      tau[(size_t)i * s->nv + k] =
          s->fall->kp * (posture[k + 1] - ff_batch_q(batch)[(size_t)i * s->nq + k + 1]) -
          s->fall->kd * ff_batch_v(batch)[(size_t)i * s->nv + k];
}

// From the same state each step is a sim's: every number of the full state.
static void compare_with_sims(const fall *f)
{
  enum { COUNT = 21 };
  setting s = begin(f);
  int names[COUNT];
  for (int i = 0; i < COUNT; ++i)
    names[i] = i;
  ff_batch *batch = batch_of(&s, names, COUNT, 1);
  const size_t size = (size_t)ff_batch_state_size(batch);
  double *tau = same_step_numbers(COUNT * s.nv), *before = same_step_numbers(COUNT * size),
         *after = same_step_numbers(COUNT * size);
  double *alone = same_step_numbers(size), worst = 0;
  ff_sim *sim;
  ff_error error;
  ffi_must(ff_sim_create_in(s.world, &sim, &error), &error);
  for (int k = 0; k < f->steps; ++k) {
    hold(&s, batch, tau);
    ffi_must(ff_batch_get_states(batch, before, &error), &error);
    ffi_must(ff_batch_step(batch, tau, &error), &error);
    ffi_must(ff_batch_get_states(batch, after, &error), &error);
    for (size_t i = 0; i < COUNT; ++i) {
      ffi_must(ff_sim_set_state(sim, before + i * size, &error), &error);
      ffi_must_step(sim, tau + i * s.nv);
      ff_sim_get_state(sim, alone);
      for (size_t n = 0; n < size; ++n)
        worst = fmax(worst, fabs(after[i * size + n] - alone[n]) / (1 + fabs(alone[n])));
      same_step_reports(ff_batch_info(batch, (int)i), ff_sim_info(sim));
    }
  }
  const ff_batch_counts counts = ff_batch_get_counts(batch);
  print_message("%s at %g ms: %lld of %lld steps in lanes, differ by %.2g\n", f->file, 1e3 * f->dt,
                counts.in_lanes, counts.steps, worst);
  assert_null(counts.why);
  assert_true((double)counts.in_lanes >= f->share * (double)counts.steps);
  if (f->stepper == FF_STEPPER_EXPO)
    assert_true(counts.in_lanes < counts.steps); // landings are not calm
  assert_true(worst < SAME_STEP_ROUNDING);
  ff_sim_destroy(sim);
  ff_batch_destroy(batch);
  free(tau);
  free(before);
  free(after);
  free(alone);
  end(&s);
}

static void test_lanes_are_steps_of_sims(void **state)
{
  (void)state;
  for (int i = 0; i < FALLS; ++i)
    compare_with_sims(&falls[i]);
}

// A step in lanes is judged with the next one: the reports of a robot are those of a sim, one step later.
static void test_energy_is_judged_with_the_next_step(void **state)
{
  (void)state;
  setting s = begin(&falls[1]);
  const int name = 3;
  ff_batch *batch = batch_of(&s, &name, 1, 1);
  ff_error error;
  ff_sim *sim;
  double *tau = same_step_numbers(s.nv), gain = 0, worst = 0, most = 0;
  int compared = 0;
  ffi_must(ff_sim_create_in(s.world, &sim, &error), &error);
  ffi_must_reset(sim, ff_batch_q(batch), ff_batch_v(batch));
  for (int k = 0; k < s.fall->steps; ++k) {
    const long long in_lanes = ff_batch_get_counts(batch).in_lanes;
    hold(&s, batch, tau);
    ffi_must(ff_batch_step(batch, tau, &error), &error);
    ffi_must_step(sim, tau);
    const ff_step_info *own = ff_batch_info(batch, 0);
    if (ff_batch_get_counts(batch).in_lanes > in_lanes && k > 1 && own->gain > 0) {
      worst = fmax(worst, fabs(own->gain - gain));
      most = fmax(most, gain);
      ++compared;
    }
    gain = ff_sim_info(sim)->gain;
  }
  print_message("%d gains of at most %.2g J differ by %.2g J\n", compared, most, worst);
  assert_true(compared > 10);
  assert_true(worst < 0.01 * most); // rounding of energies of 10 J; the gains of two steps differ by more
  ff_sim_destroy(sim);
  ff_batch_destroy(batch);
  free(tau);
  end(&s);
}

static double *run(const setting *s, const int *names, int count, int threads)
{
  ff_batch *batch = batch_of(s, names, count, threads);
  double *tau = same_step_numbers((size_t)count * s->nv),
         *out = same_step_numbers((size_t)count * (size_t)ff_batch_state_size(batch));
  ff_error error;
  for (int k = 0; k < 60; ++k) {
    hold(s, batch, tau);
    const long allocated = ffi_test_alloc_count();
    ffi_must(ff_batch_step(batch, tau, &error), &error);
    assert_int_equal(ffi_test_alloc_count(), allocated);
  }
  ffi_must(ff_batch_get_states(batch, out, &error), &error);
  ff_batch_destroy(batch);
  free(tau);
  return out;
}

static void test_same_bits_in_every_lane(void **state)
{
  (void)state;
  enum { COUNT = 101 };
  setting s = begin(&falls[0]);
  int names[COUNT], turned[COUNT];
  for (int i = 0; i < COUNT; ++i) {
    names[i] = i;
    turned[i] = (i * 37 + 11) % COUNT;
  }
  double *one = run(&s, names, COUNT, 1);
  ff_batch *batch = batch_of(&s, names, 1, 1);
  const size_t size = (size_t)ff_batch_state_size(batch);
  ff_batch_destroy(batch);
  for (int threads = 2; threads <= 16; threads = 2 * threads + 1) { // 2, 5, 11
    double *several = run(&s, names, COUNT, threads);
    assert_memory_equal(several, one, COUNT * size * sizeof *one);
    free(several);
  }
  double *permuted = run(&s, turned, COUNT, 3);
  for (int i = 0; i < COUNT; ++i)
    assert_memory_equal(permuted + (size_t)i * size, one + (size_t)turned[i] * size, size * sizeof *one);
  for (int i = 0; i < COUNT; i += 17) { // alone
    double *alone = run(&s, &names[i], 1, 1);
    assert_memory_equal(alone, one + (size_t)i * size, size * sizeof *one);
    free(alone);
  }
  free(permuted);
  free(one);
  end(&s);
}

// Materials, masses and gravity of a robot's own: lanes take them, to the same rounding.
static void vary(const setting *s, int i, ff_parameters *p)
{
  ff_error error;
  const ff_model_size size = ff_model_get_size(s->model);
  for (int shape = 0; shape < size.shapes; ++shape) {
    ff_material m;
    if (ff_parameters_material(p, shape, &m) != FF_OK)
      continue;
    m.stiffness = 5e4 * (1 + 0.2 * i);
    m.friction = 0.6 + 0.05 * i;
    ffi_must(ff_parameters_set_material(p, shape, &m, &error), &error);
  }
  for (int link = 0; link < size.links; ++link) {
    ff_inertia inertia;
    assert_int_equal(ff_parameters_inertia(p, link, &inertia), FF_OK);
    const double share = 1 + 0.1 * sin(link + 2.0 * i);
    inertia.mass *= share;
    for (int k = 0; k < 6; ++k)
      inertia.matrix[k] *= share;
    ffi_must(ff_parameters_set_inertia(p, link, &inertia, &error), &error);
  }
  ffi_must(ff_parameters_set_gravity(p, (const double[3]){0.02 * i, -0.01 * i, -9.81}, &error), &error);
}

static void compare_parameters(const fall *f)
{
  enum { COUNT = 16 };
  setting s = begin(f);
  int names[COUNT];
  for (int i = 0; i < COUNT; ++i)
    names[i] = i;
  ff_batch *batch = batch_of(&s, names, COUNT, 1);
  ff_parameters *p;
  ff_sim *sim;
  ff_error error;
  const size_t size = (size_t)ff_batch_state_size(batch);
  double *tau = same_step_numbers(COUNT * s.nv), *x = same_step_numbers(size), *y = same_step_numbers(size),
         worst = 0;
  ffi_must(ff_sim_create_in(s.world, &sim, &error), &error);
  ffi_must(ff_parameters_create(s.world, &p, &error), &error);
  for (int i = 0; i < COUNT; ++i) {
    vary(&s, i, p);
    ffi_must(ff_batch_set_parameters(batch, i, p, &error), &error);
  }
  for (int k = 0; k < 100; ++k) {
    hold(&s, batch, tau);
    const int i = k % COUNT;
    ff_sim_get_state(ff_batch_sim(batch, i), x);
    ffi_must(ff_sim_get_parameters(ff_batch_sim(batch, i), p, &error), &error);
    ffi_must(ff_sim_set_parameters(sim, p, &error), &error);
    ffi_must(ff_sim_set_state(sim, x, &error), &error);
    ffi_must(ff_batch_step(batch, tau, &error), &error);
    ffi_must_step(sim, tau + (size_t)i * s.nv);
    ff_sim_get_state(sim, x);
    ff_sim_get_state(ff_batch_sim(batch, i), y);
    for (size_t n = 0; n < size; ++n)
      worst = fmax(worst, fabs(x[n] - y[n]) / (1 + fabs(x[n])));
  }
  assert_true(worst < SAME_STEP_ROUNDING);
  assert_true(ff_batch_get_counts(batch).in_lanes > 50 * COUNT);
  ff_parameters_destroy(p);
  ff_sim_destroy(sim);
  ff_batch_destroy(batch);
  free(tau);
  free(x);
  free(y);
  end(&s);
}

static void test_parameters_differ_from_lane_to_lane(void **state)
{
  (void)state;
  compare_parameters(&falls[0]);
  compare_parameters(&falls[4]);
  compare_parameters(&falls[7]);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_lanes_are_steps_of_sims),
      cmocka_unit_test(test_energy_is_judged_with_the_next_step),
      cmocka_unit_test(test_same_bits_in_every_lane),
      cmocka_unit_test(test_parameters_differ_from_lane_to_lane),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
