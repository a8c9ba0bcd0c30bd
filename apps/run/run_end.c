// How a run ended, for its log: one word, the reason, the time.
#include "cli/interrupt.h"
#include "run/run.h"

#include <signal.h>

// A run that came to its end, but missed its task or had shapes tunnel through each other.
static void judge_task(const ff_scene_result *task, ffi_run_end *end)
{
  if (task->missed > 0) {
    end->outcome = "missed";
    snprintf(end->reason, sizeof end->reason, "%s", task->misses);
  } else if (task->passed > 0) {
    snprintf(end->reason, sizeof end->reason, "%s", task->passing);
  }
}

ffi_run_end ffi_run_end_of(const ffi_run_scene *scene, const ffi_run_result *result)
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
             ffi_interrupt_signal() == SIGINT ? "Ctrl-C" : "a signal asked it to end");
    break;
  case FFI_RUN_UNWRITTEN: end.outcome = "unwritten"; break;
  default: judge_task(&result->task, &end);
  }
  return end;
}
