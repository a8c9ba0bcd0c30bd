/// trial.h: a motion that steppers are judged by, and the ways in which it can be stepped through.
///
/// A *trial* is a robot, a ground, a start and a controller that is asked for torques at equal *control periods* and whose torques are held in
/// between. A *scheme* is a stepper with its options; how many steps it takes per period is said beside it.
#ifndef BENCH_TRIAL_H
#define BENCH_TRIAL_H

#include <footfall/sim.h>

typedef struct bench_trial {
  const char *name;
  const ff_model *model;
  ff_sim_def
      def; ///< ground, elements, anchors, contacts; stepper, dt and the stepper's options are the scheme's, steps are fixed
  const double *q, *v; ///< [nq], [nv] at the start; v NULL: at rest
  double period;       ///< between two calls of the controller [s]
  int periods;
  int every; ///< only every n-th period is judged; 0 (default): all

  /// Forget what was before: a run begins at time 0. May be NULL.
  void (*begin)(void *user);
  /// The torques for the period that starts at `time` in the state q, v, to tau [nv], zero at entry. A function of these and of nothing
  /// else, unless `begin` is given: then of what it was asked since. NULL: no torques.
  ff_status (*control)(double time, const double *q, const double *v, double *tau, void *user,
                       ff_error *error);
  ff_status (*create)(const ff_sim_def *def, ff_sim **out, void *user,
                      ff_error *error); ///< a sim of the model; NULL: ff_sim_create()
  void *user;
} bench_trial;

typedef struct bench_scheme {
  char name[32]; ///< "expo", "expo-paper:order-3"
  ff_stepper stepper;
  ff_expo_def expo;
  ff_implicit_def implicit;
  double accuracy; ///< expo: cuts steps until it is met; 0 (default): does not
  int has_c2a;     ///< 1: with these options of ca and c2a; 0 (default): with the trial's
  ff_c2a_def c2a;  ///< h_min 0: the step, which is plain time-stepping; below 0: that part of the step
} bench_scheme;

/// A stepper with default options.
bench_scheme bench_scheme_of(ff_stepper stepper);

/// By name: a stepper, or "expo:order-1", "expo-paper:" and an exponential, "exact", "order-1", ... 0 if there is none of that name.
int bench_scheme_find(const char *name, bench_scheme *out);

/// A sim of the trial with `substeps` steps per period.
ff_status bench_trial_sim(const bench_trial *trial, const bench_scheme *scheme, int substeps, ff_sim **out,
                          ff_error *error);

/// Judge about so many periods, spread over all. Never every fifth or tenth: what repeats in that rhythm, such as a trajectory with a new torque every 10 ms and a period of
/// 2 ms, would be judged at one phase only.
void bench_trial_spread(bench_trial *trial, int count);

/// The next period after k that is judged; the first is 0.
int bench_trial_next(const bench_trial *trial, int k);

/// The largest power of two of steps per period that are no shorter than `dt`: 2^floor(log2(period / dt)), at least 1.
int bench_trial_substeps(const bench_trial *trial, double dt);

#endif
