/// crew.h: runs scenes in processes of their own, so that a crash or a scene without end is a result like any other.
///
/// Worker w of n judges the seeds first + w, first + w + n, ... and sends each result through a pipe. A worker that
/// dies is replaced, and goes on after the seed that it died of.
#ifndef FFI_TESTS_CREW_H
#define FFI_TESTS_CREW_H

#include "campaign/draw.h"
#include "campaign/judge.h"

typedef struct ffi_crew_task {
  uint64_t first;
  long long count; ///< scenes in all
  double seconds;  ///< no scene begins after this time, infinity: no limit
  int workers;     ///< 1 .. 16
  ffi_draw_class which;
  int stepper; ///< FFI_DRAW_ANY_STEPPER, or one of ff_stepper
} ffi_crew_task;

typedef void (*ffi_crew_take)(const ffi_judge_result *result, void *user);

/// Judge all; `take` gets every result, in no certain order. 0: processes or pipes could not be made.
int ffi_crew_run(const ffi_crew_task *task, ffi_crew_take take, void *user);

/// Judge one recipe in a process of its own, quietly. limit: processor time [s] after which it hangs.
void ffi_crew_judge(const ffi_recipe *recipe, int limit, ffi_judge_result *out);

#endif
