// Many threads may use one model, each with its own dynamics. Run under ThreadSanitizer too (preset tsan).

#include "dynamics/cases.h"
#include "dynamics/kernel_outputs.h"
#include "support/shipped_models.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

enum { THREADS = 8, ROUNDS = 20, STATES = 4 };

typedef struct worker {
  const ff_model *model;
  const ffi_lane_state *states; // [STATES], shared, only read
  const ffi_outputs *expected;  // [STATES], shared, only read
  ffi_outputs own;              // where this thread's results go
  int first;                    // the state it begins with
  int wrong;                    // how many results had other bits
} worker;

// Asserts are not for threads: it counts, the main thread judges.
static void *work(void *data)
{
  worker *w = data;
  const ff_dynamics_def def = {.lanes = FF_LANES_WIDE, .max_points = FFI_OUTPUT_POINTS};
  ff_dynamics *dynamics;
  if (ff_dynamics_create(w->model, &def, &dynamics, NULL) != FF_OK) {
    w->wrong = -1;
    return NULL;
  }
  for (int round = 0; round < ROUNDS; ++round) {
    const int s = (w->first + round) % STATES;
    ffi_outputs_compute(dynamics, w->model, &w->states[s], round % 2, &w->own);
    for (int k = 0; k < FFI_OUTPUTS; ++k)
      w->wrong += memcmp(w->own.all[k].data, w->expected[s].all[k].data,
                         (size_t)(w->own.all[k].count * w->own.lanes) * sizeof(double)) != 0;
  }
  ff_dynamics_destroy(dynamics);
  return NULL;
}

static void share(const ff_model *model)
{
  const ff_dynamics_def def = {.lanes = FF_LANES_WIDE, .max_points = FFI_OUTPUT_POINTS};
  ffi_random random = ffi_random_seed(8);
  ffi_lane_state states[STATES];
  ffi_outputs expected[STATES];
  worker workers[THREADS];
  pthread_t threads[THREADS];
  ff_dynamics *dynamics;
  assert_int_equal(ff_dynamics_create(model, &def, &dynamics, NULL), FF_OK);
  const int lanes = ff_dynamics_lanes(dynamics);
  for (int s = 0; s < STATES; ++s) {
    states[s] = ffi_lane_state_make(model, lanes, &random);
    expected[s] = ffi_outputs_make(model, lanes);
    ffi_outputs_compute(dynamics, model, &states[s], 0, &expected[s]);
  }
  for (int t = 0; t < THREADS; ++t) {
    workers[t] = (worker){model, states, expected, ffi_outputs_make(model, lanes), t, 0};
    assert_int_equal(pthread_create(&threads[t], NULL, work, &workers[t]), 0);
  }
  for (int t = 0; t < THREADS; ++t) {
    assert_int_equal(pthread_join(threads[t], NULL), 0);
    assert_int_equal(workers[t].wrong, 0);
    ffi_outputs_free(&workers[t].own);
  }
  for (int s = 0; s < STATES; ++s) {
    ffi_lane_state_free(&states[s]);
    ffi_outputs_free(&expected[s]);
  }
  ff_dynamics_destroy(dynamics);
}

static void threads_share_random_forests(void **state)
{
  (void)state;
  for (int i = 0; i < 10; ++i) {
    ffi_forest forest;
    ffi_forest_number(i, 1, &forest);
    share(forest.model);
    ffi_forest_free(&forest);
  }
}

static void threads_share_shipped_models(void **state)
{
  (void)state;
  for (int i = 0; i < ffi_shipped_count(); ++i) {
    ff_model *model = ffi_shipped_load(i);
    share(model);
    ff_model_destroy(model);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(threads_share_random_forests),
      cmocka_unit_test(threads_share_shipped_models),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
