#ifndef _GNU_SOURCE
#define _GNU_SOURCE // uselocale, and the strerror_r that returns its text
#endif

#include "io/trajectory/trajectory.h"

#include "base/fail.h"

#include <errno.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { DIGITS = 12, GAIN_DIGITS = 5 };

static void write_notes(FILE *file, const char *notes)
{
  for (const char *at = notes; at && *at;) {
    const size_t length = strcspn(at, "\n");
    fprintf(file, "# %.*s\n", (int)length, at);
    at += length + (at[length] == '\n');
  }
}

static void write_row(FILE *file, const char *word, int digits, const double *x, int count)
{
  fputs(word, file);
  for (int i = 0; i < count; ++i)
    fprintf(file, " %.*g", digits, x[i] == 0 ? 0.0 : x[i]);
}

static void write_all(FILE *file, const ff_model *model, const ff_feedback_def *def, const char *notes)
{
  const ff_model_size size = ff_model_get_size(model);
  const int nq = size.nq, nv = size.nv, nu = ffi_trajectory_controls(model);
  fprintf(file, "%s\n", FFI_TRAJECTORY_FORMAT);
  write_notes(file, notes);
  fprintf(file, "robot %s\ncoordinates %d\nvelocities %d\ncontrols %d\n", ff_model_name(model), nq, nv, nu);
  fprintf(file, "interval %.*g\nstates %d\n", DIGITS, def->interval, def->states);
  if (def->repeats)
    fprintf(file, "repeat-from %d\n", def->repeat_from);
  for (int k = 0; k < def->states; ++k) {
    const size_t at = (size_t)k;
    write_row(file, "x", DIGITS, def->q + at * (size_t)nq, nq);
    write_row(file, "", DIGITS, def->v + at * (size_t)nv, nv);
    fputc('\n', file);
    if (k == def->states - 1)
      break;
    write_row(file, "u", DIGITS, def->control + at * (size_t)nu, nu);
    fputc('\n', file);
    for (int i = 0; i < nu; ++i) {
      write_row(file, "K", GAIN_DIGITS, def->gain + (at * (size_t)nu + (size_t)i) * 2 * (size_t)nv, 2 * nv);
      fputc('\n', file);
    }
  }
}

// Files are written beside their place and put there when they are whole, so that what was there before is lost for nothing less; devices are written to as they are.
static int is_device(const char *path)
{
  struct stat about;
  return stat(path, &about) == 0 && !S_ISREG(about.st_mode);
}

static int write_file(const char *path, const ff_model *model, const ff_feedback_def *feedback,
                      const char *notes)
{
  FILE *file = fopen(path, "wb");
  if (!file)
    return 0;
  locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0), before = uselocale(plain);
  write_all(file, model, feedback, notes);
  uselocale(before);
  freelocale(plain);
  const int failed = ferror(file);
  return fclose(file) == 0 && !failed;
}

static ff_status save_beside(const char *path, const ff_model *model, const ff_feedback_def *feedback,
                             const char *notes)
{
  const size_t length = strlen(path) + sizeof ".part";
  char *part = malloc(length);
  if (!part)
    return FF_ERROR_MEMORY;
  snprintf(part, length, "%s.part", path);
  const int is_saved = write_file(part, model, feedback, notes) && rename(part, path) == 0;
  if (!is_saved) {
    const int code = errno;
    remove(part);
    errno = code;
  }
  free(part);
  return is_saved ? FF_OK : FF_ERROR_FILE;
}

ff_status ff_trajectory_save(const char *path, const ff_model *model, const ff_feedback_def *feedback,
                             const char *notes, ff_error *error)
{
  if (!path || !model || !feedback || !feedback->q || !feedback->v || !feedback->control || !feedback->gain ||
      feedback->states < 2)
    return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, "ff_trajectory_save",
                    "the path, the model, or something of the trajectory is missing");
  char buffer[128];
  ff_status status = FF_OK;
  if (!is_device(path))
    status = save_beside(path, model, feedback, notes);
  else if (!write_file(path, model, feedback, notes))
    status = FF_ERROR_FILE;
  if (status == FF_ERROR_MEMORY)
    return ffi_fail(error, status, path, 0, NULL, "no memory to write it");
  if (status != FF_OK)
    return ffi_fail(error, status, path, 0, NULL, "cannot be written: %s",
                    strerror_r(errno, buffer, sizeof buffer));
  return FF_OK;
}
