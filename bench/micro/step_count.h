/// step_count.h: instructions per step, from the processor's counter or from callgrind.
#ifndef BENCH_STEP_COUNT_H
#define BENCH_STEP_COUNT_H

#include "micro/step_run.h"

/// After bench_run(), which reads the processor's counter where the kernel lets it: say so in run->counted. Else, if `is_wanted`, run this
/// program under callgrind, 32 s for all cases. What could not be counted stays 0, and run->counted_why says why.
void bench_step_count(bench_step_run *run, const char *models, const char *chosen, int is_wanted);

#endif
