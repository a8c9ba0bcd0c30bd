// `stepper` of a scene and the table of options: every option has its field, options of other steppers wait below
// their names, old keys load with a warning, and logs of earlier versions load with whatever stood in their scenes.
#include "scene_text.h"

#include <footfall/files.h>
#include <footfall/option.h>

#define SOLO "model: " MODELS "solo12.urdf\n"

// A value of each option that is not its default.
static void choose(const ff_option *option, char text[64])
{
  const ff_value_rule *r = &option->value;
  switch (r->type) {
  case FF_VALUE_FLAG: snprintf(text, 64, "%s", option->standard != 0 ? "off" : "on"); break;
  case FF_VALUE_WORD: snprintf(text, 64, "%s", r->word(option->standard != 0 ? 0 : 1)); break;
  case FF_VALUE_WHOLE:
    snprintf(text, 64, "%.0f", option->standard == r->least ? r->least + 1 : r->least);
    break;
  default: snprintf(text, 64, "%.17g", option->standard > 0 ? option->standard * 0.5 : 0.5);
  }
}

// Given by its path in the file, by an override, and in C, it is the same def.
static void every_option_is_a_field(void **state)
{
  (void)state;
  int count = 0;
  for (int i = 0; i < ff_option_count(); ++i) {
    const ff_option *option = ff_option_at(i);
    char value[64], got[64], of_file[64];
    if (!option->scene || strcmp(option->key, "stepper") == 0)
      continue;
    choose(option, value);
    int s = 0; // a stepper that has it
    while (!ff_option_is_of(option, (ff_stepper)s))
      ++s;
    ff_sim_def want = ff_sim_def_default();
    ff_error error = {0};
    if (ff_sim_def_set(&want, option->key, value, &error) != FF_OK)
      fail_msg("%s", error.message);
    const ff_scene_override changes[] = {{"stepper.type", ff_stepper_name((ff_stepper)s), NULL},
                                         {option->scene, value, NULL}};
    ff_scene *scene = ffi_scene_of_file(SCENES "solo-stand.yaml", changes, 2);
    const ff_sim_def def = ff_scene_sim_def(scene);
    ff_sim_def_get(&want, option->key, got, sizeof got, &error);
    ff_sim_def_get(&def, option->key, of_file, sizeof of_file, &error);
    assert_string_equal(of_file, got);
    assert_int_equal(ff_scene_warning_count(scene), 0);
    ff_scene_destroy(scene);
    ++count;
  }
  assert_int_equal(count, 55);
}

// Below its name an option waits for its stepper.
static void options_of_other_steppers_wait(void **state)
{
  (void)state;
  ff_scene *scene = ffi_scene_of_text(
      SOLO "stepper: {type: ca, moreau: {stabilise: true, relative_tolerance: 1e-3}, expo: {order: 1}}\n");
  const ff_sim_def def = ff_scene_sim_def(scene);
  assert_true(def.stepper == FF_STEPPER_CA && def.moreau.stabilise == 1 && def.expo.order == 1);
  ffi_equal(def.moreau.relative_tolerance, 1e-3);
  ffi_equal(def.c2a.impact.relative_tolerance, 1e-6);
  ffi_equal(def.ess.relative_tolerance, 1e-6);
  assert_int_equal(ff_scene_warning_count(scene), 0);
  assert_null(ff_scene_warning(scene, 0));
  ff_scene_destroy(scene);
}

// ---- Old keys -------------------------------------------------------------------------------------------------------

static void old_keys_load_with_a_warning(void **state)
{
  (void)state;
  static const struct {
    const char *type, *name, *value, *key;
  } cases[] = {
      {"expo", "order", "1", "expo.order"},
      {"expo-paper", "double_mean", "false", "expo.double_mean"},
      {"ess", "relative_tolerance", "1e-3", "ess.relative_tolerance"},
      {"moreau", "relative_tolerance", "1e-3", "moreau.relative_tolerance"},
      {"c2a", "relative_tolerance", "1e-3", "c2a.relative_tolerance"},
      {"implicit", "max_iterations", "7", "implicit.max_iterations"},
      {"ca", "max_iterations", "7", "c2a.max_iterations"},
      {"ca", "warm_start", "false", "moreau.warm_start"},
      {"c2a", "impact", "bounded", "c2a.impact"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
    char text[400], got[64], want[100];
    ff_error error;
    snprintf(text, sizeof text, SOLO "stepper:\n  type: %s\n  %s: %s\n", cases[i].type, cases[i].name,
             cases[i].value);
    ff_scene *scene = ffi_scene_of_text(text);
    const ff_sim_def def = ff_scene_sim_def(scene);
    ff_sim_def_get(&def, cases[i].key, got, sizeof got, &error);
    ff_sim_def set = ff_sim_def_default();
    ff_sim_def_set(&set, cases[i].key, cases[i].value, &error);
    ff_sim_def_get(&set, cases[i].key, want, sizeof want, &error);
    assert_string_equal(got, want);
    assert_int_equal(ff_scene_warning_count(scene), 1);
    snprintf(want, sizeof want, ":4: stepper.%s is now written stepper.%s", cases[i].name, cases[i].key);
    if (!strstr(ff_scene_warning(scene, 0), want))
      fail_msg("'%s' is not in '%s'", want, ff_scene_warning(scene, 0));
    assert_null(ff_scene_warning(scene, 1));
    ff_scene_destroy(scene);
  }
}

// An old key belongs to the type that the file has beside it, whatever stepper is chosen then.
static void old_keys_keep_their_stepper(void **state)
{
  (void)state;
  static const char text[] = SOLO "stepper: {type: moreau, relative_tolerance: 1e-3, max_iterations: 7}\n";
  FILE *file = fopen("old_keys.yaml", "w");
  assert_non_null(file);
  fputs(text, file);
  fclose(file);
  const ff_scene_override other = {"stepper.type", "c2a", NULL};
  ff_scene *scene = ffi_scene_of_file("old_keys.yaml", &other, 1);
  const ff_sim_def def = ff_scene_sim_def(scene);
  assert_int_equal(def.stepper, FF_STEPPER_C2A);
  ffi_equal(def.moreau.relative_tolerance, 1e-3);
  ffi_equal(def.c2a.impact.relative_tolerance, 1e-6);
  assert_true(def.moreau.max_iterations == 7 && def.c2a.impact.max_iterations == 1000);
  ff_scene_destroy(scene);
  // one of an override belongs to the stepper that is chosen
  const ff_scene_override both[] = {{"stepper.relative_tolerance", "1e-2", NULL}, other};
  scene = ffi_scene_of_file("old_keys.yaml", both, 2);
  ffi_equal(ff_scene_sim_def(scene).c2a.impact.relative_tolerance, 1e-2);
  ffi_equal(ff_scene_sim_def(scene).moreau.relative_tolerance, 1e-3);
  ff_scene_destroy(scene);
  // and counts more than the file
  scene = ffi_scene_of_file("old_keys.yaml", both, 1);
  ffi_equal(ff_scene_sim_def(scene).moreau.relative_tolerance, 1e-2);
  ff_scene_destroy(scene);
  remove("old_keys.yaml");
}

// What only some steppers have has no effect where an override chooses another; beside its own type it is refused.
static void a_shared_option_is_left_out_by_a_switch(void **state)
{
  (void)state;
  FILE *file = fopen("shared.yaml", "w");
  assert_non_null(file);
  fputs(SOLO "stepper: {type: expo, accuracy: 1e-4, contact_law: slip-flag}\n", file);
  fclose(file);
  const ff_scene_override hard = {"stepper.type", "moreau", NULL};
  ff_scene *scene = ffi_scene_of_file("shared.yaml", &hard, 1);
  ffi_equal(ff_scene_sim_def(scene).accuracy, 0);
  assert_int_equal(ff_scene_sim_def(scene).contact_law, FF_LAW_ANCHOR);
  ff_scene_destroy(scene);
  const ff_scene_override both[] = {{"stepper.accuracy", "1e-3", "--accuracy 1e-3"}, hard};
  ff_error error;
  assert_int_equal(ff_scene_load("shared.yaml", both, 2, &scene, &error), FF_ERROR_ARGUMENT);
  assert_string_equal(error.message,
                      "--accuracy 1e-3: stepper.accuracy: is an option of the steppers expo and c2a, "
                      "not of moreau");
  const ff_scene_override impact = {"stepper.impact", "coulomb", "--set it"};
  assert_int_equal(ff_scene_load("shared.yaml", &impact, 1, &scene, &error), FF_ERROR_ARGUMENT);
  assert_string_equal(error.message,
                      "--set it: stepper.impact: is an option of the steppers ca and c2a, not of expo");
  const ff_scene_override twice[] = {{"stepper.order", "1", NULL}, {"stepper.expo.order", "2", NULL}};
  assert_int_equal(ff_scene_load("shared.yaml", twice, 2, &scene, &error), FF_ERROR_PARSE);
  assert_non_null(strstr(error.message, "stepper.order: stepper.expo.order is set too; keep one of them"));
  remove("shared.yaml");
}

// ---- Logs of earlier versions ---------------------------------------------------------------------------------------

// Files that were kept with a scene, with another text of the scene.
static ff_files *with_text(const ff_files *kept, const char *text)
{
  ff_files *files = ff_files_create();
  ff_error error;
  for (int i = 0; i < ff_files_count(kept); ++i) {
    ff_file file = *ff_files_get(kept, i);
    if (file.kind == FF_FILE_SCENE) {
      file.data = text;
      file.size = strlen(text);
    }
    ffi_must(ff_files_add(files, &file, &error), &error);
  }
  return files;
}

// They had one flat list, and took no notice of what was not for their stepper.
static void scenes_in_old_logs_load(void **state)
{
  (void)state;
  static const struct {
    const char *stepper, *key, *value;
  } cases[] = {
      {"{type: ca, stabilise: true}", "moreau.stabilise", "true"},
      {"{type: c2a, warm_start: no, relative_tolerance: 1e-3}", "c2a.relative_tolerance", "0.001"},
      {"{type: expo, impact: bounded, solver: sor}", "moreau.solver", "sor"},
      {"{type: rk4, relative_tolerance: 1e-3, absolute_tolerance: 2mNs, max_iterations: 70}",
       "moreau.absolute_tolerance", "0.002"},
      {"{type: rk4, max_iterations: 70, order: 1}", "implicit.max_iterations", "70"},
      {"{type: moreau, contact_law: slip-flag, epsilon: 3um}", "ess.epsilon", "3e-6"},
  };
  ff_files *kept = ff_files_create();
  ff_scene *scene = NULL;
  ff_error error = {0};
  ffi_must(ff_scene_load_files(SCENES "solo-stand.yaml", NULL, 0, kept, NULL, &scene, &error), &error);
  ff_scene_destroy(scene);
  const char *model = ff_files_find(kept, FF_FILE_MODEL, NULL)->name;
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
    char text[900], got[64];
    snprintf(text, sizeof text, "model: %s\nstepper: %s\n", model, cases[i].stepper);
    ff_files *files = with_text(kept, text);
    ffi_must(ff_scene_load_files("log.yaml", NULL, 0, NULL, files, &scene, &error), &error);
    const ff_sim_def def = ff_scene_sim_def(scene);
    ff_sim_def_get(&def, cases[i].key, got, sizeof got, &error);
    assert_string_equal(got, cases[i].value);
    assert_int_equal(ff_scene_warning_count(scene), 0); // nobody can change a log
    ff_scene_destroy(scene);
    ff_files_destroy(files);
  }
  ff_files_destroy(kept);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_option_is_a_field),
      cmocka_unit_test(options_of_other_steppers_wait),
      cmocka_unit_test(old_keys_load_with_a_warning),
      cmocka_unit_test(old_keys_keep_their_stepper),
      cmocka_unit_test(a_shared_option_is_left_out_by_a_switch),
      cmocka_unit_test(scenes_in_old_logs_load),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
