// Scenes from text, for tests.
#define _GNU_SOURCE // mkstemps
#include "scene_text.h"

#include <unistd.h>

ff_scene *ffi_scene_of_file(const char *file, const ff_scene_override *overrides, int count)
{
  ff_scene *scene = NULL;
  ff_error error = {0};
  ffi_must(ff_scene_load(file, overrides, count, &scene, &error), &error);
  return scene;
}

ff_scene *ffi_scene_of_text(const char *text)
{
  char path[] = "/tmp/footfall_scene_XXXXXX.yaml";
  const int file = mkstemps(path, 5);
  assert_true(file >= 0);
  assert_int_equal(write(file, text, strlen(text)), strlen(text));
  close(file);
  ff_scene *scene = ffi_scene_of_file(path, NULL, 0);
  remove(path);
  return scene;
}

void ffi_equal(double value, double want)
{
  if (!(fabs(value - want) <= 4e-16 * fabs(want)))
    fail_msg("%.17g, not %.17g", value, want);
}

void ffi_all_equal(const double *values, int count, ...)
{
  va_list list;
  va_start(list, count);
  for (int i = 0; i < count; ++i)
    ffi_equal(values[i], va_arg(list, double));
  va_end(list);
}
