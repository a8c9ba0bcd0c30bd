// A program may run in a locale that writes 1,5. Scenes, units, robots and trajectories have points all the same, read
// and written, and so has what a log keeps.
#include "logged_scene.h"
#include "support/comma_locale.h"

#include <footfall/load.h>
#include <footfall/quantity.h>
#include <footfall/save.h>

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
#define SOLO12 FFI_TEST_SOURCE_DIR "/models/solo12.urdf"

static int begin(void **state)
{
  (void)state;
  if (!ffi_comma_locale_begin())
    return 0;
  char text[8];
  snprintf(text, sizeof text, "%g", 1.5);
  assert_string_equal(text, "1,5"); // or all of this proves nothing
  return 0;
}

static int end(void **state)
{
  ffi_comma_locale_end();
  return ffi_logged_tear_down(state);
}

static void skip_without_comma(void)
{
  char text[8];
  snprintf(text, sizeof text, "%g", 1.5);
  if (text[1] != ',')
    skip();
}

static void units_have_points(void **state)
{
  ff_error error = {0};
  double value = 0;
  (void)state;
  skip_without_comma();
  if (ff_quantity_read("2.5ms", FF_QUANTITY_TIME, 0, &value, &error) != FF_OK)
    fail_msg("%s", error.message);
  assert_true(value == 2.5e-3);
  assert_int_not_equal(ff_quantity_read("2,5ms", FF_QUANTITY_TIME, 0, &value, &error), FF_OK);
}

// The scene as a file has it, a change beside it, its robot and, of the other, its trajectory; then again from the log.
static void scenes_have_points(void **state)
{
  static const char *const changes[] = {"dt=2.5ms", "controller.period=25ms", NULL};
  ffi_logged_scene run;
  (void)state;
  skip_without_comma();
  ffi_logged_begin(&run, SQUAT, changes, ffi_logged_path("squat.h5"));
  assert_true(ff_scene_get_def(run.scene)->sim.dt == 0.0025);
  ffi_logged_steps(&run, 4);
  ffi_logged_end(&run);
  ff_log *log = ffi_logged_open(ffi_logged_path("squat.h5"));
  assert_non_null(strstr(ff_files_find(ff_log_files(log), FF_FILE_SCENE, NULL)->data, "dt: 2.5ms"));
  ff_scene *again = ffi_logged_resume(log, -1);
  assert_true(ff_scene_get_def(again)->sim.dt == 0.0025);
  ff_scene_destroy(again);
  ff_log_close(log);
  ffi_logged_begin(&run, TROT, NULL, ffi_logged_path("trot.h5"));
  ffi_logged_end(&run);
}

static void robots_have_points(void **state)
{
  ff_model *model = NULL;
  ff_saved saved = {0};
  ff_error error = {0};
  (void)state;
  skip_without_comma();
  if (ff_model_load(SOLO12, NULL, &model, &error) != FF_OK ||
      ff_model_save_text(model, FF_MODEL_MJCF, "/tmp/x.xml", &saved, &error) != FF_OK)
    fail_msg("%s", error.message);
  assert_non_null(strstr(saved.text, "mass=\"1.16115091\""));
  for (const char *at = saved.text; (at = strchr(at, ',')) != NULL; ++at)
    assert_false(at[1] >= '0' && at[1] <= '9');
  ff_saved_free(&saved);
  ff_model_destroy(model);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(units_have_points),
      cmocka_unit_test(scenes_have_points),
      cmocka_unit_test(robots_have_points),
  };
  return cmocka_run_group_tests(tests, begin, end);
}
