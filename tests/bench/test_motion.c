// Recorded motions: the steps that follow from any frame are those that were recorded, to the bit; patience ends a
// recording early; states in MuJoCo's coordinates and back are the same.
#include "common/random_states.h"
#include "motion/motion.h"
#include "peers/mujoco_robot.h"
#include "support/must.h"
#include "support/robots.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static ff_scene *load_scene(const char *name)
{
  char path[512];
  ff_scene *scene;
  ff_error error;
  snprintf(path, sizeof path, "%s/scenes/%s", FFI_TEST_SOURCE_DIR, name);
  ffi_must(ff_scene_load(path, NULL, 0, &scene, &error), &error);
  return scene;
}

static ff_sim *sim_of(ff_scene *scene, ff_stepper stepper, double dt)
{
  ff_sim_def def = ff_scene_sim_def(scene);
  ff_sim *sim;
  ff_error error;
  def.stepper = stepper;
  def.dt = dt;
  ffi_must(ff_scene_create_sim(scene, &def, &sim, &error), &error);
  return sim;
}

// From frame `from`, step by step.
static void follow(ff_sim *sim, const bench_motion *m, int from, int count)
{
  const size_t size = (size_t)m->size;
  double *state = calloc(size, sizeof *state);
  ff_error error;
  assert_non_null(state);
  ffi_must(ff_sim_set_state(sim, m->state + (size_t)from * size, &error), &error);
  for (int k = from; k < from + count; ++k) {
    ff_sim_get_state(sim, state);
    assert_memory_equal(state, m->state + (size_t)k * size, size * sizeof *state);
    ffi_must_step(sim, m->tau + (size_t)k * (size_t)m->nv);
  }
  free(state);
}

static void motions_are_repeated_to_the_bit(void **state)
{
  static const struct {
    const char *scene;
    ff_stepper stepper;
    double dt;
  } cases[] = {{"solo-trot.yaml", FF_STEPPER_EXPO, 2e-3},
               {"solo-trot.yaml", FF_STEPPER_EULER, 1e-4},
               {"starleth-trot.yaml", FF_STEPPER_MOREAU, 2.5e-3}};
  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    ff_scene *scene = load_scene(cases[i].scene);
    ff_sim *sim = sim_of(scene, cases[i].stepper, cases[i].dt);
    const bench_motion_def def = {.skip = 30, .steps = 120};
    bench_motion m;
    ff_error error;
    ffi_must(bench_motion_record_scene(scene, sim, &def, &m, &error), &error);
    assert_int_equal(m.steps, 120);
    assert_true(m.contacts > 0 && m.contacts < 12);
    follow(sim, &m, 0, 120);
    follow(sim, &m, 77, 40);
    bench_motion_free(&m);
    ff_sim_destroy(sim);
    ff_scene_destroy(scene);
  }
}

// The recording's torques are those of the scene's own run.
static void a_recorded_scene_is_the_scene(void **state)
{
  (void)state;
  ff_scene *scene = load_scene("solo-trot.yaml"), *other = load_scene("solo-trot.yaml");
  ff_sim *sim = sim_of(scene, FF_STEPPER_EXPO, 2e-3);
  const bench_motion_def def = {.steps = 100};
  bench_motion m;
  ff_error error;
  ffi_must(bench_motion_record_scene(scene, sim, &def, &m, &error), &error);
  for (int k = 0; k < 100; ++k) {
    ffi_must(ff_scene_step(other, &error), &error);
    assert_memory_equal(ff_scene_tau(other), m.tau + (size_t)k * (size_t)m.nv, (size_t)m.nv * sizeof(double));
  }
  assert_memory_equal(ff_sim_q(sim), ff_scene_now_q(other), 19 * sizeof(double));
  bench_motion_free(&m);
  ff_sim_destroy(sim);
  ff_scene_destroy(scene);
  ff_scene_destroy(other);
}

static void patience_ends_a_recording(void **state)
{
  (void)state;
  ff_scene *scene = load_scene("solo-trot.yaml");
  ff_sim *sim = sim_of(scene, FF_STEPPER_EXPO, 2e-3);
  const bench_motion_def def = {.steps = 100, .patience = 1e-9};
  bench_motion m;
  ff_error error;
  ffi_must(bench_motion_record_scene(scene, sim, &def, &m, &error), &error);
  assert_int_equal(m.steps, 1); // of the first step all time has passed
  follow(sim, &m, 0, 1);
  bench_motion_free(&m);
  ff_sim_destroy(sim);
  ff_scene_destroy(scene);
}

static void coordinates_come_back(void **state)
{
  static const char *const robots[] = {"solo12.urdf", "romeo.urdf"};
  (void)state;
  for (int r = 0; r < 2; ++r) {
    ff_model *model = ffi_robot(robots[r]);
    bench_random_states s;
    assert_true(bench_random_states_create(model, 1, &s));
    double qpos[64], qvel[64], q[64], v[64];
    for (int i = 0; i < BENCH_RANDOM_STATES; ++i) {
      const double *q0 = s.q + i * s.nq, *v0 = s.v + i * s.nv;
      bench_mujoco_robot_convert(model, q0, v0, qpos, qvel);
      double ours = 0, theirs = 0;
      for (int k = 0; k < 3; ++k) {
        ours += v0[k] * v0[k];
        theirs += qvel[k] * qvel[k];
      }
      assert_true(fabs(ours - theirs) <
                  1e-14); // turned, not stretched: some ten roundings of numbers up to 1
      bench_mujoco_robot_convert_back(model, qpos, qvel, q, v);
      assert_memory_equal(q, q0, (size_t)s.nq * sizeof *q);
      for (int k = 0; k < s.nv; ++k)
        assert_true(fabs(v[k] - v0[k]) < 1e-14);
    }
    bench_random_states_destroy(&s);
    ff_model_destroy(model);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(motions_are_repeated_to_the_bit),
      cmocka_unit_test(a_recorded_scene_is_the_scene),
      cmocka_unit_test(patience_ends_a_recording),
      cmocka_unit_test(coordinates_come_back),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
