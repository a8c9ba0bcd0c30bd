/// peak.h: the floating-point rate that one core can reach, as tasks of timer.h.
///
/// Twelve independent chains of fused multiply-adds in registers (multiplications and additions, where the
/// instruction set has no fused ones), scalar or vector. No kernel can be faster.
#ifndef BENCH_PEAK_H
#define BENCH_PEAK_H

#include "common/timer.h"

#include <footfall/dynamics.h>

/// A task whose `least` will be ns per floating-point operation. `lanes` is 1 or the width of the instruction set.
bench_timer_task bench_peak_task(ff_isa isa, int lanes);

#endif
