/// paper_curves.h: mean error against speed, as curves that can be asked.
///
/// Errors are means against the common truth; one below what that truth is good to counts as being just that. Configurations of which a period failed count
/// for nothing. "At a real-time factor r" means: of all steps that are at least so fast, the best; between two steps that were tried a curve is a straight line
/// on logarithmic axes.
#ifndef BENCH_PAPER_CURVES_H
#define BENCH_PAPER_CURVES_H

#include <footfall/compare.h>

/// Of configuration i; INFINITY: it failed.
double bench_curve_error(const ff_comparison *comparison, int i);

/// The least error of a stepper's schemes that are at least so fast. `name` NULL: of all its schemes, else of that one. INFINITY: there is none.
double bench_curve_best_error(const ff_comparison *comparison, ff_stepper stepper, const char *name,
                              double speed);

/// The largest speed with at most so much error; 0: there is none.
double bench_curve_best_speed(const ff_comparison *comparison, ff_stepper stepper, const char *name,
                              double error);

/// The configuration of least error that is at least so fast; -1: there is none.
int bench_curve_best(const ff_comparison *comparison, ff_stepper stepper, const char *name, double speed);

#endif
