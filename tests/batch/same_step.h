/// same_step.h: the steps of a batch beside those of sims.
#ifndef FFI_TEST_BATCH_SAME_STEP_H
#define FFI_TEST_BATCH_SAME_STEP_H

#include <footfall/sim.h>

#include <stddef.h>

/// The largest relative difference: some 1e4 roundings of a step, of forces whose parts cancel to a thousandth.
#define SAME_STEP_ROUNDING 1e-10

/// Room for so many zeros; free() it.
double *same_step_numbers(size_t count);

/// The reports of a step in lanes and of a sim's step from the same state agree.
void same_step_reports(const ff_step_info *in_lanes, const ff_step_info *of_sim);

#endif
