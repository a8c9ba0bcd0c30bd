/// expo_paper_curves.h: mean error over speed as interpolated curves.
///
/// An error below the error of its reference solution is replaced by the latter. Configurations with a failed period
/// are ignored. "At a real-time factor r" means the best of all steps that are at least that fast; between two measured
/// steps a curve is a straight line on logarithmic axes.
#ifndef BENCH_EXPO_PAPER_CURVES_H
#define BENCH_EXPO_PAPER_CURVES_H

#include <footfall/compare.h>

/// Which errors and speeds of a comparison.
typedef struct bench_expo_paper_curves {
  const ff_comparison *comparison;
  int is_own;    ///< errors against each stepper's own reference solution, else against the common one
  int is_slow;   ///< speeds at the other end of the interval of times: bench_claim_slower()
  double finest; ///< shorter steps are left out [s]
} bench_expo_paper_curves;

/// One stepper's curves: those of all its schemes, or of one.
typedef struct bench_expo_paper_curves_scheme {
  ff_stepper stepper;
  const char *name; ///< NULL: with any options
} bench_expo_paper_curves_scheme;

/// The error of configuration i; INFINITY: it failed, or is left out.
double bench_expo_paper_curves_error(const bench_expo_paper_curves *curves, int i);
double bench_expo_paper_curves_speed(const bench_expo_paper_curves *curves, int i);

/// The longest of all schemes' shortest steps [s].
double bench_expo_paper_curves_common_step(const ff_comparison *comparison);

/// The smallest error with at least this speed. INFINITY: there is none.
double bench_expo_paper_curves_best_error(const bench_expo_paper_curves *curves,
                                          bench_expo_paper_curves_scheme scheme, double speed);

/// The largest speed with at most this error; 0: there is none.
double bench_expo_paper_curves_best_speed(const bench_expo_paper_curves *curves,
                                          bench_expo_paper_curves_scheme scheme, double error);

/// The configuration of smallest error that is at least as fast as `speed`; -1: there is none.
int bench_expo_paper_curves_best(const bench_expo_paper_curves *curves, bench_expo_paper_curves_scheme scheme,
                                 double speed);

#endif
