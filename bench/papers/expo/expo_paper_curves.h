/// expo_paper_curves.h: mean error over speed as interpolated curves.
///
/// Errors are means against the common truth; an error below the truth's own error is replaced by the latter.
/// Configurations with a failed period are ignored. "At a real-time factor r" means the best of all steps that are at
/// least that fast; between two measured steps a curve is a straight line on logarithmic axes.
#ifndef BENCH_EXPO_PAPER_CURVES_H
#define BENCH_EXPO_PAPER_CURVES_H

#include <footfall/compare.h>

/// The error of configuration i; INFINITY: it failed.
double bench_expo_paper_curves_error(const ff_comparison *comparison, int i);

/// The smallest error of a stepper's schemes that are at least as fast as `speed`. `name`: only that scheme; NULL: all.
/// INFINITY: there is none.
double bench_expo_paper_curves_best_error(const ff_comparison *comparison, ff_stepper stepper,
                                          const char *name, double speed);

/// The largest speed with at most this error; 0: there is none.
double bench_expo_paper_curves_best_speed(const ff_comparison *comparison, ff_stepper stepper,
                                          const char *name, double error);

/// The configuration of smallest error that is at least as fast as `speed`; -1: there is none.
int bench_expo_paper_curves_best(const ff_comparison *comparison, ff_stepper stepper, const char *name,
                                 double speed);

#endif
