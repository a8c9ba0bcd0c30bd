// footfall run MODEL, or SCENE: set a robot into motion and say how it went.
#define _POSIX_C_SOURCE 200809L
#include "run/run.h"
#include "cli/interrupt.h"
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

// A run that ended early has its last state in the log, whether it was due or not; in one that can be resumed every run has.
static int log_last(const ffi_run_request *r, const ffi_run_scene *scene, const ffi_run_result *result,
                    ffi_run_outcome outcome, ffi_run_log *log)
{
  const int is_wanted = outcome == FFI_RUN_FAILED || outcome == FFI_RUN_INTERRUPTED ||
                        (outcome == FFI_RUN_FINISHED && log->format == FFI_RUN_HDF5);
  if (!is_wanted || !r->log || result->steps % r->log_every == 0)
    return 1;
  return ffi_run_log_row(log, scene, r->first + result->steps);
}

// One step, and the seconds that it took: of the sim alone, of its controller.
static ff_status step_once(const ffi_run_scene *scene, ffi_run_result *result)
{
  const double start = ffi_seconds(), before = scene->file ? ff_scene_control_seconds(scene->file) : 0;
  const ff_status status = scene->file ? ff_scene_step(scene->file, &result->error)
                                       : ff_sim_step(scene->sim, NULL, &result->error);
  const double control = scene->file ? ff_scene_control_seconds(scene->file) - before : 0;
  result->control += control;
  result->stepping += ffi_seconds() - start - control;
  return status;
}

// How far it is, in the time of the run.
static void show(ffi_progress *progress, double done, double of)
{
  char what[96];
  const double now = ffi_seconds();
  if (!ffi_progress_is_due(progress, now))
    return;
  snprintf(what, sizeof what, "%.*f of %g s, %.3g times real time", of < 10 ? 2 : 1, done, of,
           done / (now - progress->start));
  ffi_progress_show(progress, done / of, what);
}

static ffi_run_outcome step_on(const ffi_run_request *r, const ffi_run_scene *scene, ffi_run_log *log,
                               ffi_run_result *result)
{
  const long long steps = ffi_run_steps(r);
  ffi_run_watch watch;
  ffi_progress progress;
  ffi_run_outcome outcome = FFI_RUN_FINISHED;
  result->began = ff_sim_time(scene->sim);
  ffi_run_watch_begin(scene, steps, &watch, result);
  ffi_progress_begin(&progress, !r->is_quiet && !r->as_json);
  const double start = ffi_seconds();
  if (!log_if_due(r, scene, 0, log))
    outcome = FFI_RUN_UNWRITTEN;
  while (result->steps < steps && outcome == FFI_RUN_FINISHED) {
    if (ffi_interrupt_got()) {
      outcome = FFI_RUN_INTERRUPTED;
      break;
    }
    if (step_once(scene, result) != FF_OK) {
      outcome = FFI_RUN_FAILED;
      break;
    }
    ++result->steps;
    ffi_run_watch_step(scene, &watch, result);
    if (!log_if_due(r, scene, result->steps, log))
      outcome = FFI_RUN_UNWRITTEN;
    show(&progress, (double)result->steps * watch.dt, (double)steps * watch.dt);
  }
  if (!log_last(r, scene, result, outcome, log) && outcome == FFI_RUN_FINISHED)
    outcome = FFI_RUN_UNWRITTEN;
  result->wall = ffi_seconds() - start;
  ffi_progress_end(&progress);
  ffi_run_watch_end(scene, &watch, result);
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
  fflush(stdout); // before a complaint, where both go to one place
}

static int exit_status(const ffi_run_result *result)
{
  switch (result->outcome) {
  case FFI_RUN_FAILED: return FFI_EXIT_DIVERGED;
  case FFI_RUN_UNWRITTEN: return FFI_EXIT_FAILED;
  case FFI_RUN_INTERRUPTED: return 128 + ffi_interrupt_got(); // as a shell says it
  default: return result->task.missed > 0 ? FFI_EXIT_MISSED : FFI_EXIT_OK;
  }
}

static int perform(ffi_run_request *r)
{
  ffi_run_scene scene = {0};
  ffi_run_log log = {0};
  ffi_run_result result = {0};
  int status;
  signal(SIGPIPE, SIG_IGN); // a log's reader that goes away is a failed write
  if ((r->source || ffi_spare_model(r->log, r->path, "the log")) && ffi_run_open(r, &scene) &&
      ffi_run_choose_log(r) && ffi_spare_file(r->log, "log that is resumed", r->resume, "the new one") &&
      ffi_run_log_open(&log, r, &scene)) {
    ffi_interrupt_watch();
    result.outcome = step_on(r, &scene, &log, &result);
    const ffi_run_end end = ffi_run_how_ended(&scene, &result);
    const int is_logged = ffi_run_log_close(&log, &end);
    if (!is_logged && result.outcome == FFI_RUN_FINISHED)
      result.outcome = FFI_RUN_UNWRITTEN;
    result.rows = log.rows;
    report(r, &scene, &result);
    if (result.outcome == FFI_RUN_FAILED)
      ffi_complain("%s", result.error.message);
    status = exit_status(&result);
  } else {
    status = r->failure;
  }
  ffi_run_close(&scene);
  return status;
}

int ffi_command_run(int argc, char **argv)
{
  ffi_run_request request;
  const int status = ffi_run_read(argc, argv, &request) ? perform(&request) : request.failure;
  ffi_run_request_free(&request);
  return status;
}
