/// study.h: trials, reference solutions, local errors, comparisons: what their files share.
///
///     trial.c          motions, schemes, and sims of both
///     solution.c       reference solutions
///     local_error.c    errors of one period, and times
///     comparison.c     all schemes on one trial; comparison_work.c how much work that is
///     record.c ...     runs thinned out for drawing and plotting, see record.h
///     place.c ...      robots placed on their ground
#ifndef FFI_STUDY_STUDY_H
#define FFI_STUDY_STUDY_H

#include "base/fail.h"

#include <footfall/compare.h>

enum {
  FFI_STUDY_SUBSTEPS_MOST = 24
}; ///< lengths of a step that a scheme is tried with, unless the user lists them

ff_status ffi_trial_no_memory(ff_error *error);

/// A user's trial, whole and checked.
ff_status ffi_trial_take(const ff_trial *trial, ff_trial *out, ff_error *error);

/// Report progress. FF_ERROR_STOPPED if the caller wants to stop.
ff_status ffi_trial_progress(const ff_progress *progress, const char *what, double share, ff_error *error);

/// Scheme number s of a def; how many there are.
ff_scheme ffi_comparison_work_scheme(const ff_comparison_def *def, int s);
int ffi_comparison_work_scheme_count(const ff_comparison_def *def);

/// Lengths of a step that a scheme is tried with: how many there are, and the i-th of them in steps per period.
int ffi_comparison_work_lengths(const ff_trial *trial, const ff_comparison_def *def, const ff_scheme *scheme);
int ffi_comparison_work_length(const ff_comparison_def *def, int i);

/// Does this stepper need a solution of its own? The common one is also expo's own.
int ffi_comparison_work_needs_own(const ff_comparison_def *def, int stepper);

/// A scheme that takes ten times as long as the others is timed once.
int ffi_comparison_work_is_slow(const ff_scheme *scheme);

// Microseconds, roughly, for a robot of Solo's size.
double ffi_comparison_work_solution(const ff_trial *trial, const ff_comparison_def *def, ff_stepper stepper);
double ffi_comparison_work_check(const ff_trial *trial, const ff_comparison_def *def);
double ffi_comparison_work_rounds(const ff_trial *trial, const ff_comparison_def *def, int rounds);
double ffi_comparison_work_all(const ff_trial *trial, const ff_comparison_def *def);

#endif
