// footfall run MODEL or SCENE: simulates it, writes the log, and prints the summary.
#define _POSIX_C_SOURCE 200809L
#include "run/run.h"
#include "run/run_batch.h"

#include "cli/files/overwrite.h"
#include "cli/interrupt.h"
#include "cli/text/terminal.h"
#include "cli/warn_model.h"
#include "command.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- Stepping ---------------------------------------------------------------------------------------------

// A row, if one is due. Returns 0 if it could not be written.
static int log_if_due(const ffi_run_request *r, const ffi_run_scene *scene, long long step, ffi_run_log *log)
{
  if (!r->log || step % r->log_every != 0)
    return 1;
  return ffi_run_log_row(log, scene, r->first + step);
}

// The last row. A run that ended early gets its last state whether a row is due or not; in HDF5, which can be resumed,
// every run does.
static int log_last(const ffi_run_request *r, const ffi_run_scene *scene, const ffi_run_result *result,
                    ffi_run_outcome outcome, ffi_run_log *log)
{
  const int is_wanted = outcome == FFI_RUN_FAILED || outcome == FFI_RUN_INTERRUPTED ||
                        (outcome == FFI_RUN_FINISHED && log->format == FFI_RUN_LOG_HDF5);
  if (!is_wanted || !r->log || result->steps % r->log_every == 0)
    return 1;
  return ffi_run_log_row(log, scene, r->first + result->steps);
}

// One step, and the time that the sim and the controller took.
static ff_status step_once(ffi_run_scene *scene, ffi_run_result *result)
{
  const double start = ffi_progress_seconds(), before = ff_scene_control_seconds(scene->scene);
  const ff_status status = ffi_run_scene_step(scene, &result->error);
  const double control = ff_scene_control_seconds(scene->scene) - before;
  result->control += control;
  result->stepping += ffi_progress_seconds() - start - control;
  return status;
}

// Shows the progress in simulated time.
static void show(ffi_progress *progress, double done, double of)
{
  char what[96];
  const double now = ffi_progress_seconds();
  if (!ffi_progress_is_due(progress, now))
    return;
  snprintf(what, sizeof what, "%.*f of %g s, %.3g times real time", of < 10 ? 2 : 1, done, of,
           done / (now - progress->start));
  ffi_progress_show(progress, done / of, what);
}

static ffi_run_outcome step_on(const ffi_run_request *r, ffi_run_scene *scene, ffi_run_log *log,
                               ffi_run_result *result)
{
  const long long steps = ffi_run_options_steps(r);
  ffi_run_statistics statistics;
  ffi_progress progress;
  ffi_run_outcome outcome = FFI_RUN_FINISHED;
  result->began = ff_sim_time(scene->sim);
  ffi_run_statistics_begin(scene, steps, &statistics, result);
  ffi_progress_begin(&progress, !r->is_quiet && !r->as_json);
  const double start = ffi_progress_seconds();
  if (!log_if_due(r, scene, 0, log))
    outcome = FFI_RUN_UNWRITTEN;
  while (result->steps < steps && outcome == FFI_RUN_FINISHED) {
    if (ffi_interrupt_signal()) {
      outcome = FFI_RUN_INTERRUPTED;
      break;
    }
    if (step_once(scene, result) != FF_OK) {
      outcome = FFI_RUN_FAILED;
      break;
    }
    ++result->steps;
    ffi_run_statistics_step(scene, &statistics, result);
    if (!log_if_due(r, scene, result->steps, log))
      outcome = FFI_RUN_UNWRITTEN;
    show(&progress, (double)result->steps * statistics.dt, (double)steps * statistics.dt);
  }
  if (!log_last(r, scene, result, outcome, log) && outcome == FFI_RUN_FINISHED)
    outcome = FFI_RUN_UNWRITTEN;
  result->wall = ffi_progress_seconds() - start;
  ffi_progress_end(&progress);
  ffi_run_statistics_end(scene, &statistics, result);
  if (r->is_resumed && !r->is_judged) // it does not know the whole
    result->task.expected = result->task.missed = 0;
  return outcome;
}

// ---- The whole --------------------------------------------------------------------------------------------

static void report(const ffi_run_request *r, const ffi_run_scene *scene, const ffi_run_result *result)
{
  const int is_stdout_taken = r->log && strcmp(r->log, "-") == 0;
  ffi_terminal terminal = ffi_terminal_detect();
  if (r->is_ascii)
    terminal.unicode = 0;
  if (r->as_json)
    ffi_run_summary_json(r, scene, result, stdout);
  else if (!r->is_quiet && !is_stdout_taken)
    ffi_run_summary(r, scene, result, &terminal, stdout);
  fflush(stdout); // before an error message that may go to the same terminal
}

static int exit_status(const ffi_run_result *result)
{
  switch (result->outcome) {
  case FFI_RUN_FAILED: return FFI_EXIT_DIVERGED;
  case FFI_RUN_UNWRITTEN: return FFI_EXIT_FAILED;
  case FFI_RUN_INTERRUPTED: return 128 + ffi_interrupt_signal(); // as shells do
  default: return result->task.missed > 0 ? FFI_EXIT_MISSED : FFI_EXIT_OK;
  }
}

static int perform(ffi_run_request *r)
{
  ffi_run_scene scene = {0};
  ffi_run_log log = {0};
  ffi_run_result result = {0};
  int status;
  signal(SIGPIPE, SIG_IGN); // a closed pipe is a failed write
  if ((r->source || ffi_overwrite_spares_model(r->log, r->path, "the log")) &&
      ffi_run_scene_open(r, &scene) && ffi_run_log_choose(r) &&
      ffi_overwrite_spares_file(r->log, "log that is resumed", r->resume, "the new one") &&
      ffi_run_log_open(&log, r, &scene)) {
    ffi_warn_model(scene.model, r->source ? NULL : r->path);
    ffi_interrupt_catch();
    result.outcome = step_on(r, &scene, &log, &result);
    const ffi_run_end end = ffi_run_end_of(&scene, &result);
    const int is_logged = ffi_run_log_close(&log, &end);
    if (!is_logged && result.outcome == FFI_RUN_FINISHED)
      result.outcome = FFI_RUN_UNWRITTEN;
    result.rows = log.rows;
    report(r, &scene, &result);
    if (result.outcome == FFI_RUN_FAILED)
      ffi_error_message("%s", result.error.message);
    status = exit_status(&result);
  } else {
    status = r->failure;
  }
  ffi_run_scene_close(&scene);
  return status;
}

int ffi_run_command(int argc, char **argv)
{
  ffi_run_request request;
  int status;
  if (!ffi_run_options_read(argc, argv, &request))
    status = request.failure;
  else if (request.many.runs > 0 && request.many.only < 0)
    status = ffi_run_batch_perform(&request);
  else
    status = perform(&request);
  ffi_run_options_free(&request);
  return status;
}
