// How a run ended: one word, why, and when. It is in the log, whatever its format.
#include "cli/interrupt.h"
#include "run/run.h"

#include <signal.h>

// Ran to its end, but not as it should: a task that was not met, shapes that went through each other.
static void look_at_task(const ffi_run_scene *scene, const ffi_run_result *result, ffi_run_end *end)
{
  const ff_scene_result *task = &result->task;
  const long long passed = scene->file ? task->passed : ff_sim_get_totals(scene->sim).passed;
  char passing[FF_PASSING_TEXT];
  if (scene->file && task->missed > 0) {
    end->outcome = "missed";
    snprintf(end->reason, sizeof end->reason, "%s", task->misses);
  } else if (passed > 0) {
    ff_sim_describe_passing(scene->sim, passing);
    snprintf(end->reason, sizeof end->reason, "%s", scene->file ? task->passing : passing);
  }
}

ffi_run_end ffi_run_how_ended(const ffi_run_scene *scene, const ffi_run_result *result)
{
  ffi_run_end end = {.outcome = "finished", .time = ff_sim_time(scene->sim)};
  switch (result->outcome) {
  case FFI_RUN_FAILED:
    end.outcome = "failed";
    snprintf(end.reason, sizeof end.reason, "%s", result->error.message);
    break;
  case FFI_RUN_INTERRUPTED:
    end.outcome = "interrupted";
    snprintf(end.reason, sizeof end.reason, "%s",
             ffi_interrupt_got() == SIGINT ? "Ctrl-C" : "a signal asked it to end");
    break;
  case FFI_RUN_UNWRITTEN: end.outcome = "unwritten"; break;
  default: look_at_task(scene, result, &end);
  }
  return end;
}
