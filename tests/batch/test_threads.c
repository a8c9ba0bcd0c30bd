// Two batches of one world side by side, each with threads of its own and one from a thread of the caller; they get
// the bits of one thread. Run under ThreadSanitizer too (preset tsan).
#include "support/must.h"
#include "support/robots.h"

#include <footfall/batch.h>

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { ROBOTS = 70, STEPS = 6, BATCHES = 2 };

static ff_batch *batch_of(ff_world *world, int threads)
{
  ff_batch *batch;
  ff_error error;
  ff_batch_def def = ff_batch_def_default();
  def.robots = ROBOTS;
  def.threads = threads;
  ffi_must(ff_batch_create(world, &def, &batch, &error), &error);
  for (int i = 0; i < ROBOTS; ++i)
    ffi_must(ff_sim_set_posture(ff_batch_sim(batch, i), "standing", &error), &error);
  return batch;
}

static ff_batch_written sway(const ff_batch_group *group, void *user)
{
  const size_t nv = *(const size_t *)user;
  for (int i = 0; i < group->count; ++i)
    group->tau[(size_t)i * nv + 7] = 0.01 * (group->first + i);
  return FF_BATCH_TAU;
}

// What a thread does with a batch.
typedef struct work {
  ff_batch *batch;
  ff_batch_inputs inputs;
  ff_status status;
} work;

static void *step(void *data)
{
  work *w = data;
  ff_error error;
  w->status = ff_batch_step_many(w->batch, STEPS / 2, &w->inputs, &error);
  if (w->status == FF_OK)
    w->status = ff_batch_begin(w->batch, STEPS - STEPS / 2, &w->inputs, &error);
  ff_batch_wait(w->batch);
  return NULL;
}

static double *states_of(ff_batch *batch)
{
  double *out = malloc((size_t)ROBOTS * (size_t)ff_batch_state_size(batch) * sizeof *out);
  ff_error error;
  assert_non_null(out);
  ffi_must(ff_batch_get_states(batch, out, &error), &error);
  return out;
}

static void test_batches_side_by_side(void **state)
{
  (void)state;
  static const ff_stepper steppers[] = {FF_STEPPER_EXPO, FF_STEPPER_MOREAU};
  ff_model *model = ffi_robot("solo12.urdf");
  size_t nv = (size_t)ff_model_get_size(model).nv;
  for (size_t k = 0; k < sizeof steppers / sizeof *steppers; ++k) {
    ff_world *world;
    ff_error error;
    ff_sim_def def = ff_sim_def_default();
    def.stepper = steppers[k];
    ffi_must(ff_world_create(model, &def, &world, &error), &error);
    work alone = {batch_of(world, 1), {.control = sway, .user = &nv}, FF_OK}, all[BATCHES];
    pthread_t thread[BATCHES];
    step(&alone);
    for (int b = 0; b < BATCHES; ++b) {
      all[b] = (work){batch_of(world, 3 + b), alone.inputs, FF_OK};
      assert_int_equal(pthread_create(&thread[b], NULL, step, &all[b]), 0);
    }
    double *expected = states_of(alone.batch);
    for (int b = 0; b < BATCHES; ++b) {
      pthread_join(thread[b], NULL);
      assert_int_equal(all[b].status, FF_OK);
      double *got = states_of(all[b].batch);
      assert_memory_equal(got, expected,
                          (size_t)ROBOTS * (size_t)ff_batch_state_size(alone.batch) * sizeof *got);
      free(got);
      ff_batch_destroy(all[b].batch);
    }
    free(expected);
    ff_batch_destroy(alone.batch);
    ff_world_destroy(world);
  }
  ff_model_destroy(model);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_batches_side_by_side)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
