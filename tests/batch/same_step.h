/// same_step.h: the steps of a batch beside those of sims.
#ifndef FFI_TEST_BATCH_SAME_STEP_H
#define FFI_TEST_BATCH_SAME_STEP_H

#include <footfall/sim.h>

#include <stddef.h>

/// The largest difference of a number of the full state, relative to 1 + the number, for contacts of up to 1e5 N/m.
/// Forces are the worst: K times a difference of two places of some 1 m, each with a rounding or two of 2.2e-16 m, so
/// 1e5 N/m * 4 * 2.2e-16 m = 9e-11 N. Softer contacts, and all other numbers, are nearer.
#define SAME_STEP_ROUNDING 1e-10

/// Room for so many zeros; free() it.
double *same_step_numbers(size_t count);

/// The reports of a step in lanes and of a sim's step from the same state agree.
void same_step_reports(const ff_step_info *in_lanes, const ff_step_info *of_sim);

#endif
