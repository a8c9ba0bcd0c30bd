// slow: nine runs, each in one piece and in two A run goes on from a log as if it had never stopped: every kind of
// stepper, with a controller whose torques are held, along a trajectory, in other coordinates.
#include "logged_scene.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define SQUAT FFI_TEST_SOURCE_DIR "/scenes/solo-squat.yaml"
#define TROT FFI_TEST_SOURCE_DIR "/scenes/solo-trot.yaml"
#define STARLETH FFI_TEST_SOURCE_DIR "/scenes/starleth-trot.yaml"

// Half, then the other half from the log alone: the same bits as in one piece, in the full state too.
static void check_resume(const char *scene, const char *const *changes, int half)
{
  const char *path = ffi_logged_path("half.h5");
  ffi_logged_scene whole, first;
  ff_error error = {0};
  ffi_logged_begin(&first, scene, changes, path);
  ffi_logged_steps(&first, half);
  ffi_logged_end(&first);
  ffi_logged_begin(&whole, scene, changes, ffi_logged_path("whole.h5"));
  ffi_logged_steps(&whole, 2 * half);

  ff_log *log = ffi_logged_open(path);
  ff_scene *rest = ffi_logged_resume(log, -1);
  for (int k = 0; k < half; ++k)
    if (ff_scene_step(rest, &error) != FF_OK)
      fail_msg("%s", error.message);
  const int size = ff_sim_state_size(ff_scene_sim(rest));
  double *a = calloc((size_t)size, sizeof *a), *b = calloc((size_t)size, sizeof *b);
  assert_int_equal(size, ff_sim_state_size(ff_scene_sim(whole.scene)));
  ff_sim_get_state(ff_scene_sim(rest), a);
  ff_sim_get_state(ff_scene_sim(whole.scene), b);
  assert_memory_equal(a, b, (size_t)size * sizeof *a);
  const int nq = ff_log_get_info(log)->nq, nv = ff_log_get_info(log)->nv;
  assert_memory_equal(ff_scene_now_q(rest), ff_scene_now_q(whole.scene), (size_t)nq * sizeof *a);
  assert_memory_equal(ff_scene_tau(rest), ff_scene_tau(whole.scene), (size_t)nv * sizeof *a);
  free(a);
  free(b);
  ff_scene_destroy(rest);
  ff_log_close(log);
  ffi_logged_end(&whole);
}

// 35 steps of a period of 10: it stops between two questions to the controller.
static void a_run_goes_on_bit_for_bit(void **state)
{
  static const struct {
    const char *scene, *stepper, *dt, *more;
  } cases[] = {
      {SQUAT, "expo", "4ms", "controller.period=40ms"},
      {SQUAT, "expo-paper", "4ms", "controller.period=40ms"},
      {SQUAT, "implicit", "4ms", "controller.period=40ms"},
      {SQUAT, "moreau", "4ms", "controller.period=40ms"},
      {SQUAT, "rk4", "0.1ms", "controller.period=1ms"},
      {SQUAT, "ess", "4ms", "controller.period=40ms"},
      {SQUAT, "expo", "4ms", "stepper.accuracy=1e-4"},
      {TROT, "expo", "2ms", "title=follows a stored trajectory"},
      {STARLETH, "moreau", "2.5ms", "coordinates.type=maximal"},
  };
  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
    char stepper[64], dt[64];
    snprintf(stepper, sizeof stepper, "stepper.type=%s", cases[i].stepper);
    snprintf(dt, sizeof dt, "dt=%s", cases[i].dt);
    const char *const changes[] = {stepper, dt, cases[i].more, NULL};
    check_resume(cases[i].scene, changes, 35);
  }
}

// From a state in the middle as well: each second has one.
static void an_earlier_state_will_do(void **state)
{
  const char *path = ffi_logged_path("long.h5");
  ffi_logged_scene run;
  ff_error error = {0};
  (void)state;
  ffi_logged_begin(&run, SQUAT, NULL, path);
  ffi_logged_steps(&run, 60); // of 40 ms
  ff_log *log;
  ff_log_state middle;
  ff_log_finish(run.writer, &error);
  run.writer = NULL;
  log = ffi_logged_open(path);
  assert_true(ff_log_get_info(log)->states >= 4);
  assert_int_equal(ff_log_read_state(log, 1, &middle, &error), FF_OK);
  const long long step = middle.step;
  assert_true(step > 0 && step < 60);
  ff_scene *rest = ffi_logged_resume(log, 1);
  for (long long k = step; k < 60; ++k)
    assert_int_equal(ff_scene_step(rest, &error), FF_OK);
  assert_memory_equal(ff_scene_now_q(rest), ff_scene_now_q(run.scene),
                      (size_t)ff_log_get_info(log)->nq * sizeof(double));
  ff_scene_destroy(rest);
  ff_log_close(log);
  ffi_logged_end(&run);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_run_goes_on_bit_for_bit),
      cmocka_unit_test(an_earlier_state_will_do),
  };
  return cmocka_run_group_tests(tests, NULL, ffi_logged_tear_down);
}
