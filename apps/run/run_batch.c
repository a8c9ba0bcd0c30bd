// footfall run SCENE --batch N: many runs of one scene, stepped together, and what became of them.
#define _POSIX_C_SOURCE 200809L
#include "run/run_batch.h"

#include "cli/error_message.h"
#include "cli/files/atomic_file.h"
#include "cli/files/overwrite.h"
#include "cli/interrupt.h"
#include "cli/program.h"
#include "cli/warn_model.h"

#include <errno.h>
#include <signal.h>
#include <string.h>

enum { STEPS_AT_ONCE = 20 }; // between two looks at Ctrl-C

// ---- Files ----------------------------------------------------------------------------------------------------------

// Can a file be written, and is it none that was read? 0 after an error message.
static int check_file(const ffi_run_request *r, const ffi_run_scene *scene, const char *path,
                      const char *what)
{
  if (!path)
    return 1;
  if (!ffi_overwrite_spares_file(path, "scene", r->path, what) ||
      !ffi_overwrite_spares_model(path, ff_scene_model_file(scene->scene), what) ||
      !ffi_overwrite_spares_file(path, "trajectory", ff_scene_trajectory_file(scene->scene), what))
    return 0;
  if (ffi_atomic_file_check(path))
    return 1;
  ffi_error_message("%s: cannot write %s: %s", path, what, strerror(errno));
  return 0;
}

// 0 after an error message.
static int write_file(const ffi_run_batch *b, const char *path, const char *what,
                      void (*write)(const ffi_run_batch *, FILE *))
{
  ffi_atomic_file file;
  if (!path)
    return 1;
  if (ffi_atomic_file_open(&file, path)) {
    write(b, file.stream);
    if (ffi_atomic_file_close(&file, 1))
      return 1;
  }
  ffi_error_message("%s: cannot write %s: %s", path, what, strerror(errno));
  return 0;
}

// ---- The loop -------------------------------------------------------------------------------------------------------

// 0 after an error message.
static int take_all(ffi_run_batch *b)
{
  ffi_progress progress;
  ff_error error;
  ff_status status = FF_OK;
  char what[96];
  const int runs = (int)b->request->many.runs;
  const double start = ffi_progress_seconds();
  ffi_progress_begin(&progress, !b->request->is_quiet && !b->request->as_json);
  while (!ff_scene_batch_is_done(b->batch) && status == FF_OK && !ffi_interrupt_signal()) {
    status = ff_scene_batch_advance(b->batch, STEPS_AT_ONCE, &error);
    if (!ffi_progress_is_due(&progress, ffi_progress_seconds()))
      continue;
    snprintf(what, sizeof what, "%d of %d runs", ff_scene_batch_ended(b->batch), runs);
    ffi_progress_show(&progress, ff_scene_batch_progress(b->batch), what);
  }
  ffi_progress_end(&progress);
  b->wall = ffi_progress_seconds() - start;
  b->ended = ff_scene_batch_ended(b->batch);
  b->is_interrupted = !ff_scene_batch_is_done(b->batch) && status == FF_OK;
  for (int i = 0; i < b->ended; ++i)
    ++b->counts[ff_scene_batch_run(b->batch, i)->outcome];
  if (status != FF_OK)
    ffi_error_message("%s", error.message);
  return status == FF_OK;
}

static int create(ffi_run_batch *b, ffi_run_request *r)
{
  ff_scene_batch_def def = ff_scene_batch_def_default();
  ff_error error;
  def.runs = (int)r->many.runs;
  def.seed = r->many.seed;
  def.threads = (int)r->many.threads;
  def.vary = r->many.vary;
  def.vary_count = r->many.vary_count;
  const ff_status status = ff_scene_batch_create(b->scene->scene, &def, &b->batch, &error);
  if (status == FF_OK)
    return 1;
  ffi_error_message("%s", error.message);
  r->failure = status == FF_ERROR_MEMORY || status == FF_ERROR_NUMERIC ? FFI_EXIT_FAILED : FFI_EXIT_USAGE;
  return 0;
}

static int finish(const ffi_run_batch *b)
{
  const ffi_run_request *r = b->request;
  if (r->as_json)
    ffi_run_batch_json(b, stdout);
  else if (!r->is_quiet)
    ffi_run_batch_summary(b, stdout);
  fflush(stdout);
  const int is_written = write_file(b, r->many.csv, "the table", ffi_run_batch_csv) &&
                         write_file(b, r->many.html, "the page", ffi_run_batch_page);
  if (!is_written)
    return FFI_EXIT_FAILED;
  if (b->is_interrupted)
    return 128 + ffi_interrupt_signal(); // as shells do
  return b->counts[FF_SCENE_FINISHED] < b->ended ? FFI_EXIT_MISSED : FFI_EXIT_OK;
}

int ffi_run_batch_perform(ffi_run_request *r)
{
  ffi_run_scene scene = {0};
  ffi_run_batch batch = {.request = r, .scene = &scene};
  int status;
  signal(SIGPIPE, SIG_IGN); // a closed pipe is a failed write
  r->has_no_log = 1;
  if (ffi_run_scene_open(r, &scene) && check_file(r, &scene, r->many.csv, "the table") &&
      check_file(r, &scene, r->many.html, "the page") && create(&batch, r)) {
    ffi_warn_model(scene.model, r->path);
    ffi_interrupt_catch();
    status = take_all(&batch) ? finish(&batch) : FFI_EXIT_FAILED;
  } else {
    status = r->failure;
  }
  ff_scene_batch_destroy(batch.batch);
  ffi_run_scene_close(&scene);
  return status;
}
