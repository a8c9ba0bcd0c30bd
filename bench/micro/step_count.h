/// step_count.h: instructions per step, from the processor's counter or from callgrind.
#ifndef BENCH_STEP_COUNT_H
#define BENCH_STEP_COUNT_H

#include "common/command.h"
#include "micro/step_run.h"

/// Call after bench_timer_run(), which reads the processor's counter where the kernel allows it; run->counted then says
/// so. Else, in a full run or with --instructions, run this program under callgrind, a minute for all cases. What could
/// not be counted stays 0, and run->counted_why has the reason.
void bench_step_count(bench_step_run *run, const bench_command_request *request);

#endif
