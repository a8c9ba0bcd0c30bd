// A log as a recording: every row is a state.
#include "cli/error_message.h"
#include "view/view.h"

#include <footfall/log.h>

#include <string.h>

int ffi_view_log_is_log(const char *path)
{
  static const unsigned char signature[8] = {0x89, 'H', 'D', 'F', '\r', '\n', 0x1a, '\n'};
  unsigned char begin[sizeof signature];
  const char *dot = strrchr(path, '.');
  FILE *file = fopen(path, "rb");
  // by its name; ff_log_open() reports if it is not
  if (dot && (strcmp(dot, ".h5") == 0 || strcmp(dot, ".hdf5") == 0)) {
    if (file)
      fclose(file);
    return 1;
  }
  if (!file)
    return 0;
  const int is_read = fread(begin, 1, sizeof begin, file) == sizeof begin;
  fclose(file);
  return is_read && memcmp(begin, signature, sizeof begin) == 0;
}

// Why a run ended early; NULL if it ran to its end.
static const char *failure_of(const ff_log_info *info, char *text, size_t size)
{
  if (!info->is_whole)
    return "the log is incomplete: the program was killed or is still running";
  if (strcmp(info->outcome, "finished") == 0 || strcmp(info->outcome, "missed") == 0)
    return NULL;
  snprintf(text, size, "%s at %.6g s%s%s", info->outcome, info->ended, info->reason[0] ? ": " : "",
           info->reason);
  return text;
}

// What is wrong with a run that came to its end: a missed task, or tunnelling. NULL: nothing.
static const char *warning_of(const ff_log_info *info, char *text, size_t size)
{
  if (strcmp(info->outcome, "finished") == 0)
    return info->reason[0] ? info->reason : NULL;
  if (strcmp(info->outcome, "missed") != 0)
    return NULL;
  snprintf(text, size, "task not met: %s", info->reason);
  return text;
}

// The scene of the log if it has pushes, which are drawn. NULL: it has none.
static ff_scene *scene_with_pushes(ff_log *log)
{
  const ff_file *file = ff_files_find(ff_log_files(log), FF_FILE_SCENE, NULL);
  ff_scene *scene = NULL;
  ff_error error;
  if (!file || !strstr(file->data, "pushes") ||
      ff_scene_load_files(file->name, NULL, 0, NULL, ff_log_files(log), &scene, &error) != FF_OK)
    return NULL;
  return scene;
}

static int record_log(ff_log *log, size_t most, ffi_view_recording *out, ff_error *error)
{
  const ff_log_info *info = ff_log_get_info(log);
  char text[1200], warning[1200];
  ffi_view_about about = {.files = ff_log_files(log),
                          .title = info->title,
                          .file = info->path,
                          .stepper = info->stepper,
                          .dt = info->dt,
                          .most = most};
  ff_record_def def = ff_record_def_default();
  if (ff_log_record_def(log, &def, error) != FF_OK)
    return 0;
  about.model = def.model;
  about.ground = def.ground;
  about.ground_count = def.ground_count;
  about.spacing = def.spacing;
  about.duration = def.duration;
  ff_scene *scene = scene_with_pushes(log);
  about.scene = scene;
  ffi_view_recorder *recorder = ffi_view_record_begin(&about);
  if (!recorder) {
    ff_scene_destroy(scene);
    return 0;
  }
  const int is_read = ff_log_record(log, ffi_view_record_of(recorder), error) == FF_OK;
  const ffi_view_outcome outcome = {.failure = failure_of(info, text, sizeof text),
                                    .warning = warning_of(info, warning, sizeof warning)};
  ffi_view_record_end(recorder, &outcome, out);
  ff_scene_destroy(scene);
  return is_read;
}

int ffi_view_log(const char *path, size_t most, ffi_view_recording *out)
{
  ff_log *log = NULL;
  ff_error error = {0};
  int is_recorded = ff_log_open(path, &log, &error) == FF_OK;
  if (is_recorded && ff_log_get_info(log)->rows == 0) {
    ffi_error_message("%s: this log has no rows", path);
    is_recorded = 0;
  } else {
    is_recorded = is_recorded && record_log(log, most, out, &error);
    if (!is_recorded && error.message[0])
      ffi_error_message("%s", error.message);
  }
  ff_log_close(log);
  return is_recorded;
}
