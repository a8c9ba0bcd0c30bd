// Overrides of a scene's fields: they replace and add, and errors name them.
#include "scene_text.h"

static void overrides_replace_and_add(void **state)
{
  (void)state;
  const ff_scene_override changes[] = {
      {"dt", "10ms", NULL},
      {"stepper.expo.order", "1", NULL}, // of "stepper: expo"
      {"ground[0].friction", "0.5", NULL},
      {"ground.1", "{type: box, size: [1, 1, 1]}", NULL},
      {"material.stiffness", "3e4", NULL}, // counts more than what a piece says
      {"controller.tasks.com.kp", "9", NULL},
      {"controller.squat.amplitude[2]", "1cm", NULL},
      {"start.joints", "{FL_HAA: 0.1}", NULL},
      {"expect", "{steps: 2}", NULL},
  };
  ff_scene_override first = {"ground", "[{type: plane, stiffness: 5}]", NULL};
  ff_scene_override all[1 + sizeof changes / sizeof changes[0]];
  all[0] = first;
  memcpy(all + 1, changes, sizeof changes);
  ff_scene *scene = ffi_scene_of_file(SCENES "solo-squat.yaml", all, (int)(sizeof all / sizeof all[0]));
  const ff_scene_def *d = ff_scene_get_def(scene);
  const ff_sim_def def = ff_scene_sim_def(scene);
  ffi_equal(d->sim.dt, 0.01);
  assert_int_equal(d->sim.stepper, FF_STEPPER_EXPO);
  assert_int_equal(d->sim.expo.order, 1);
  assert_int_equal(d->ground_count, 2);
  ffi_equal(d->ground[0].material.friction, 0.5);
  ffi_equal(def.ground[0].shape.material.stiffness, 3e4);
  ffi_equal(def.ground[0].shape.material.friction, 0.5);
  ffi_equal(d->controller.tasks.com.kp, 9), ffi_equal(d->controller.tasks.com.weight, 1);
  ffi_equal(d->controller.squat.amplitude[2], 0.01);
  ffi_equal(d->start.joints[0].position, 0.1);
  ffi_equal(d->expect.steps, 2);
  assert_true(isnan(d->expect.com_error));
  ffi_equal(ff_scene_period(scene), 0.04); // the file's
  ff_scene_destroy(scene);
}

// It reaches the sim; where it makes no sense the field and its line are named.
static void an_accuracy_is_for_expo(void **state)
{
  (void)state;
  const ff_scene_override good = {"stepper.accuracy", "1e-5", NULL};
  ff_scene *scene = ffi_scene_of_file(SCENES "solo-trot.yaml", &good, 1);
  ffi_equal(ff_scene_sim_def(scene).accuracy, 1e-5);
  ff_scene_destroy(scene);
  static const char *const texts[][2] = {
      {"{type: expo, accuracy: -1e-4}", "stepper.accuracy: '-1e-4' must not be below 0"},
      {"{type: expo, accuracy: 1.5}", "stepper.accuracy: '1.5' must not be above 1"},
      {"{type: expo, accuracy: nan}", "stepper.accuracy: 'nan'"},
      {"{type: expo, accuracy: 1e-13}", "stepper.accuracy: '1e-13' must be 1e-12 at least, or 0"},
      {"{type: rk4, accuracy: 1e-4}",
       "stepper.accuracy: is an option of the steppers expo and c2a, not of rk4"},
      {"{type: expo, expo: {order: 1}, accuracy: 1e-4}", "stepper.accuracy: needs the corrector"},
  };
  for (size_t i = 0; i < sizeof texts / sizeof texts[0]; ++i) {
    char text[300];
    ff_error error;
    snprintf(text, sizeof text, "model: " MODELS "solo12.urdf\nstepper:\n  %s\n", texts[i][0]);
    FILE *file = fopen("accuracy.yaml", "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
    assert_int_not_equal(ff_scene_load("accuracy.yaml", NULL, 0, &scene, &error), FF_OK);
    assert_non_null(strstr(error.message, "accuracy.yaml:3"));
    if (!strstr(error.message, texts[i][1]))
      fail_msg("'%s' is not in '%s'", texts[i][1], error.message);
  }
  remove("accuracy.yaml");
}

// "ground: plane", a map, and no ground at all are lists with an entry 0; what is no list is none.
static void an_index_makes_a_list_of_one(void **state)
{
  (void)state;
  static const char *const before[] = {"plane", "{type: plane, friction: 0.3}", "[plane]", "[]", "{}"};
  for (size_t i = 0; i < sizeof before / sizeof before[0]; ++i) {
    const ff_scene_override changes[] = {
        {"ground", before[i], NULL}, {"ground[0].slope", "5deg", NULL}, {"ground[1]", "plane", NULL}};
    ff_scene *scene = ffi_scene_of_file(SCENES "solo-squat.yaml", changes, 3);
    const ff_scene_def *d = ff_scene_get_def(scene);
    assert_int_equal(d->ground_count, 2);
    assert_int_equal(d->ground[0].type, FF_SHAPE_PLANE);
    ffi_equal(d->ground[0].slope, 0.087266462599716474);
    assert_true(i == 1 ? d->ground[0].material.friction == 0.3 : isnan(d->ground[0].material.friction));
    ffi_equal(d->ground[1].slope, 0);
    ff_scene_destroy(scene);
  }
  const ff_scene_override wrong = {"stepper[0].type", "expo", NULL};
  ff_scene *scene;
  ff_error error;
  assert_int_equal(ff_scene_load(SCENES "solo-squat.yaml", &wrong, 1, &scene, &error), FF_ERROR_PARSE);
  assert_string_equal(error.message, "stepper[0].type=expo: stepper: must be a map of fields, not a list");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(overrides_replace_and_add),
      cmocka_unit_test(an_accuracy_is_for_expo),
      cmocka_unit_test(an_index_makes_a_list_of_one),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
