// footfall run --resume LOG: continues a run from the last state of its log that is not damaged.
#include "cli/error_message.h"
#include "run/run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// A log can be resumed if it has a full state and the arguments of its run.
static int check_source(const ffi_run_request *r)
{
  int words;
  const char *damaged = ff_log_get_info(r->source)->damaged_file;
  ff_log_arguments(r->source, &words);
  if (damaged[0]) {
    ffi_error_message(
        "%s: cannot be resumed: the log is damaged: '%.400s', a file of the run, cannot be read", r->resume,
        damaged);
    return 0;
  }
  if (ff_log_get_info(r->source)->states > 0 && words > 0 && ff_files_count(ff_log_files(r->source)) > 0)
    return 1;
  ffi_error_message("%s: cannot be resumed: %s", r->resume,
                    ff_log_get_info(r->source)->states > 0 ? "it was not written by 'footfall run'"
                                                           : "it ended before the first state was written");
  return 0;
}

int ffi_run_resume_open(ffi_run_request *r)
{
  ff_error error;
  if (ff_log_open(r->resume, &r->source, &error) == FF_OK)
    return check_source(r);
  ffi_error_message("%s", error.message);
  return 0;
}

// The number of steps to take: those left, or those of --duration. 0 after an error message.
static int choose_steps(ffi_run_request *r, const ff_log_state *state)
{
  const double dt = r->sim.dt;
  if (r->more / dt > 1e15) { // as for runs from the start
    ffi_error_message("'--duration %g' takes more than 1e15 steps of %g s; choose a shorter one", r->more,
                      dt);
    return 0;
  }
  r->first = state->step;
  if (!isnan(r->more))
    r->remaining = (long long)ceil(r->more / dt * (1 - 1e-12)); // as ffi_run_options_steps()
  else
    r->remaining = ffi_run_options_steps(r) - state->step;
  if (r->remaining > 0 || !isnan(r->more)) {
    if (!isnan(r->more))
      r->duration = state->time + r->more;
    r->is_resumed = 1;
    return 1;
  }
  ffi_error_message("%s: the run has reached its end, %g s; '--duration TIME' continues it for TIME",
                    r->resume, state->time);
  return 0;
}

// The last full state that is not damaged. Says which one, if it is not the last of all.
static ff_status read_state(ffi_run_request *r, ff_log_state *state, ff_error *error)
{
  const long long count = ff_log_get_info(r->source)->states;
  long long i = count > 0 ? count - 1 : 0; // of a log without any it says so
  ff_status status = ff_log_read_state(r->source, i, state, error);
  while (status == FF_ERROR_PARSE && i > 0)
    status = ff_log_read_state(r->source, --i, state, error);
  if (status == FF_OK && i < count - 1)
    ffi_error_message(
        "%s: the log is damaged: its last full state%s cannot be read; the run continues from the "
        "one at %.6g s",
        r->resume, i < count - 2 ? "s" : "", state->time);
  return status;
}

int ffi_run_resume_restore(ffi_run_request *r, ffi_run_scene *scene)
{
  ff_log_state state;
  ff_error error;
  if (!r->source)
    return 1;
  const ff_log_info *info = ff_log_get_info(r->source);
  const ff_model_size size = ff_model_get_size(scene->model);
  if (info->nq != size.nq || info->nv != size.nv) {
    ffi_error_message("%s: cannot be resumed: its rows do not match its robot", r->resume);
    return 0;
  }
  ff_status status = read_state(r, &state, &error);
  if (status == FF_OK && !choose_steps(r, &state))
    return 0;
  if (status == FF_OK)
    status = ff_scene_resume(scene->scene, state.step, state.state, state.q, state.tau, &error);
  if (status == FF_OK && scene->has_task && state.memory)
    r->is_judged = ff_scene_set_memory(scene->scene, state.memory, state.memory_size, NULL) == FF_OK;
  if (status == FF_OK)
    return 1;
  if (status == FF_ERROR_PARSE || status == FF_ERROR_MEMORY) // it names the log
    ffi_error_message("%s", error.message);
  else
    ffi_error_message("%s: cannot be resumed: %s", r->resume, error.message);
  return 0;
}
