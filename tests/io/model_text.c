// Models from text, for tests of readers.
#include "model_text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

ff_model *load_text(const char *text, const ff_load_def *def)
{
  ff_error error = {0};
  ff_model *model = NULL;
  if (ff_model_load_memory(text, strlen(text), "text", def, &model, &error) != FF_OK)
    fail_msg("%s", error.message);
  assert_non_null(model);
  assert_int_equal(error.message[0], 0); // left alone on success
  return model;
}

ff_error load_error(const char *text, const ff_load_def *def)
{
  ff_error error = {0};
  ff_model *model = NULL;
  assert_int_not_equal(ff_model_load_memory(text, strlen(text), "text", def, &model, &error), FF_OK);
  assert_null(model);
  return error;
}

ff_joint_info joint_named(const ff_model *model, const char *name)
{
  ff_joint_info info = {0};
  if (ff_model_joint(model, ff_model_find_joint(model, name), &info) != FF_OK)
    fail_msg("there is no joint '%s'", name);
  return info;
}

ff_link_info link_named(const ff_model *model, const char *name)
{
  ff_link_info info = {0};
  if (ff_model_link(model, ff_model_find_link(model, name), &info) != FF_OK)
    fail_msg("there is no link '%s'", name);
  return info;
}

int warnings_with(const ff_model *model, const char *fragment)
{
  int count = 0;
  for (int i = 0; i < ff_model_get_size(model).warnings; ++i)
    count += strstr(ff_model_warning(model, i), fragment) != NULL;
  return count;
}

void assert_close(const double *a, const double *b, int n, double tolerance, const char *what)
{
  for (int i = 0; i < n; ++i) {
    if (!(fabs(a[i] - b[i]) <= tolerance))
      fail_msg("%s: number %d is %.17g, expected %.17g, off by %.3g, allowed %.3g", what, i, a[i], b[i],
               fabs(a[i] - b[i]), tolerance);
  }
}
