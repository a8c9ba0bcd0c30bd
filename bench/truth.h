/// truth.h: the motion that local errors are measured against.
///
/// A truth is a trial run with very short steps, the controller in the loop: the full state at every control instant (q, v, anchors, slip
/// flags, everything that the next step depends on) and the torques of every period. Whoever is judged starts each period from that
/// state with those torques, and is compared with the state one period later.
///
/// **Own.** By the stepper that is judged, as the exponential paper does it. It shows how fast a stepper comes to its own limit, not whether that is
/// the right one.
///
/// **Common.** One for all steppers, checked by a second method: from each instant's state the other one steps through the same period,
/// and how far the two ends are apart is that period's *tolerance*. Errors below it say nothing.
#ifndef BENCH_TRUTH_H
#define BENCH_TRUTH_H

#include "trial.h"

typedef struct bench_truth {
  bench_scheme scheme; ///< whose it is
  int substeps;
  int nq, nv, periods, state_size;
  double *states;    ///< [periods + 1][state_size]
  double *q, *v;     ///< [periods + 1][nq], [nv]: what is in the states, for comparing
  double *tau;       ///< [periods][nv]
  double *tolerance; ///< [periods] max-norm, as errors are; zero for an own truth
  double tolerance_mean, tolerance_worst;
} bench_truth;

/// Steps per period of a stepper's own truth: of 1/64 ms, or the next longer power of two; euler and symplectic take eight times as many, as they
/// are of first order.
int bench_truth_substeps(const bench_trial *trial, ff_stepper stepper, double finest);

/// Run the trial. A step or a torque that fails fails it, and says at which time. `progress` (may be NULL) is called after every period.
ff_status bench_truth_create(const bench_trial *trial, const bench_scheme *scheme, int substeps,
                             void (*progress)(void *user, double share), void *user, bench_truth **out,
                             ff_error *error);

/// Fill in the tolerance by another scheme, whose failures fail it. A method that has no events inside its steps comes late to a touch-down: periods in which
/// the two differ by more than bench_truth_enough are gone through again with four times shorter steps, `refinements` times at most.
ff_status bench_truth_check(bench_truth *truth, const bench_trial *trial, const bench_scheme *scheme,
                            int substeps, int refinements, void (*progress)(void *user, double share),
                            void *progress_user, ff_error *error);

enum { BENCH_REFINEMENTS_MOST = 4 };
extern const double bench_truth_enough;

/// Which periods begin and end with different contacts, or with other ones sticking: 1 or 0 to changes [periods].
ff_status bench_truth_changes(const bench_truth *truth, const bench_trial *trial, char *changes,
                              ff_error *error);

void bench_truth_destroy(bench_truth *truth); ///< NULL is fine

/// How far (q, v) is from the truth at instant k: the max-norm and the 2-norm of the difference of q in the tangent space and of v, in SI units mixed.
void bench_truth_distance(const bench_truth *truth, const ff_model *model, int k, const double *q,
                          const double *v, double *work, double *largest, double *euclidean);

#endif
