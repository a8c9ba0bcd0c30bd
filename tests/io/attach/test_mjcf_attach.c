// <attach> of MJCF: a robot of three files (units, classes, folders and includes of their own, one of them attached by
// another) is the one that a file written by hand describes. MuJoCo 4.0 finds the same numbers in it.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "io/same_model.h"

#include <footfall/footfall.h>

#include <stdio.h>
#include <string.h>

static ff_model *load(const char *name)
{
  char path[400];
  ff_error error;
  ff_model *model = NULL;
  snprintf(path, sizeof path, "%s/tests/io/attach/%s", FFI_TEST_SOURCE_DIR, name);
  if (ff_model_load(path, NULL, &model, &error) != FF_OK)
    fail_msg("%s", error.message);
  return model;
}

static void it_is_what_it_stands_for(void **state)
{
  (void)state;
  ff_model *attached = load("main.xml"), *flat = load("flat.xml");
  const char *warning = ff_model_warning(attached, 0);
  if (warning)
    fail_msg("%s", warning);
  ffi_same_properties(attached, flat, "attached");
  ffi_same_motion(attached, flat, 1, "attached");
  const int shapes = ff_model_get_size(flat).shapes;
  for (int i = 0; i < shapes; ++i)
    for (int k = 0; k < i; ++k)
      assert_int_equal(ff_model_collision(attached, i, k, 1), ff_model_collision(flat, i, k, 1));
  ff_model_destroy(attached);
  ff_model_destroy(flat);
}

// In the order of the file that says it first: classes do not reach from one model into the other.
static void classes_stay_in_their_model(void **state)
{
  (void)state;
  ff_model *model = load("main.xml");
  ff_joint_info joint;
  int found = 0;
  for (int i = 0; ff_model_joint(model, i, &joint) == FF_OK; ++i) {
    const double want = strcmp(joint.name, "hj") == 0 ? 0.7 : strcmp(joint.name, "l_j1") == 0 ? 0.2 : -1;
    if (want > 0)
      ffi_same_number(joint.damping, want, joint.name, "damping"), ++found;
  }
  assert_int_equal(found, 2);
  ff_model_destroy(model);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(it_is_what_it_stands_for),
      cmocka_unit_test(classes_stay_in_their_model),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
