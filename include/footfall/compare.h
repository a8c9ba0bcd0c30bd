/// compare.h: measure the error and the speed of each stepper on a motion.
///
/// **Local errors**, section 6.1 of the exponential paper. At every control instant the sim is set to the full state
/// of a reference solution. It steps through one control period with the torques of the reference solution, and its
/// final state is compared with that solution. So an error is that of one period; earlier errors do not accumulate.
///
/// **Reference solutions** are runs with very short steps and the controller in the loop.
/// - The *common* solution serves all steppers. A second method verifies it: the distance of both after a period is
///   the *tolerance* of that period, and errors below it are meaningless.
/// - A stepper's *own* solution shows how fast the stepper converges to its limit, not whether that limit is correct.
///
/// **Time** is processor time in ff_sim_step() alone. Machines have slow phases, so all configurations are measured
/// in rounds, and a figure is the sum over periods of the shortest time of each. Errors have the same bits whatever
/// else is measured, and in any order.
///
///     ff_trial trial = ff_trial_default();           // or ff_scene_trial_create(), for a scene
///     trial.model = model, trial.q = q, trial.period = 0.01, trial.periods = 200;
///     ff_comparison *comparison;
///     if (ff_comparison_run(&trial, NULL, &comparison, &error) != FF_OK) ...
///     for (int i = 0; i < comparison->count; ++i) {  // a scheme with a step each
///       const ff_local_error *e = &comparison->common[i];
///       printf("%s %g s: %g, %g x real time%s\n", e->scheme.name, e->dt, e->max_norm.mean, e->speed,
///              comparison->on_frontier[i] ? " *" : "");
///     }
///     ff_comparison_destroy(comparison);
///
/// The command `footfall compare` prints this as tables and figures. Nothing is kept between calls. Use a trial from
/// one thread at a time.
#ifndef FOOTFALL_COMPARE_H
#define FOOTFALL_COMPARE_H

#include <footfall/sim.h>
#include <footfall/status.h>

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Progress callback of long computations. `call` receives `user`, the present activity and the fraction done, 0..1.
/// If it returns nonzero, the computation ends with FF_ERROR_STOPPED.
typedef struct ff_progress {
  int (*call)(void *user, const char *what, double share); ///< NULL: none
  void *user;                                              ///< for `call`
} ff_progress;

// ---- A motion -------------------------------------------------------------------------------------------------------

/// A motion on which steppers are measured: a robot, a ground, a start, and a controller. The controller computes
/// torques at equal control periods; they are constant in between. Start from ff_trial_default().
typedef struct ff_trial {
  size_t size;           ///< of this struct as the program was compiled; ff_trial_init() sets it
  const char *name;      ///< for people, default ""
  const ff_model *model; ///< required
  /// Ground, elements, anchors, contacts; default NULL: ff_sim_def_default(). The scheme sets the stepper, dt and the
  /// stepper's options.
  const ff_sim_def *sim;
  const double *q; ///< [nq] at the start; required
  const double *v; ///< [nv] at the start; default NULL: at rest
  double period;   ///< control period [s], > 0, default 0.01
  int periods;     ///< number of periods, >= 1, default 100
  int every;       ///< measure only every n-th period; default 0: all
  /// Reset the controller: a run begins at time 0. Default NULL
  void (*begin)(void *user);
  /// Compute the torques tau [nv] (zero at entry) for the period that starts at `time` in the state q, v. The result
  /// depends on these arguments alone; if `begin` is given, also on the calls since. Default NULL: no torques
  ff_status (*control)(double time, const double *q, const double *v, double *tau, void *user,
                       ff_error *error);
  /// Create a sim of the model; default NULL: ff_sim_create()
  ff_status (*create)(const ff_sim_def *def, ff_sim **out, void *user, ff_error *error);
  void *user; ///< for the three callbacks, default NULL
} ff_trial;

/// Write the defaults into a trial of `size` bytes. For C and C++ ff_trial_default() is shorter.
void ff_trial_init(ff_trial *trial, size_t size);

/// A hundred periods of 10 ms without a controller. The caller must set model and q.
static inline ff_trial ff_trial_default(void)
{
  ff_trial trial;
  ff_trial_init(&trial, sizeof trial);
  return trial;
}

/// Measure about `count` periods, spread over all. It never chooses every fifth or tenth: a pattern of that length,
/// such as a trajectory with a new torque every 10 ms under a period of 2 ms, would be measured at one phase only.
void ff_trial_spread(ff_trial *trial, int count);

/// The next measured period after k; the first is 0.
int ff_trial_next(const ff_trial *trial, int k);

/// The largest power of two of steps per period that are no shorter than `dt` [s]: 2^floor(log2(period / dt)), at
/// least 1 and at most 2^30.
int ff_trial_substeps(const ff_trial *trial, double dt);

// ---- A scheme -------------------------------------------------------------------------------------------------------

/// A stepper with its options. The number of steps per period is given separately.
typedef struct ff_scheme {
  char name[32];            ///< "expo", "expo-paper:order-3"
  ff_stepper stepper;       ///< the stepper
  int has_c2a;              ///< 1: use `c2a` below for ca and c2a; 0 (default): use the trial's
  ff_expo_def expo;         ///< options of expo and expo-paper
  ff_implicit_def implicit; ///< options of implicit
  double accuracy;          ///< expo: error tolerance of a step; 0 (default): no error control
  /// Options of ca and c2a. h_min 0: the step (plain time stepping); < 0: |h_min| times the step
  ff_c2a_def c2a;
} ff_scheme;

/// A stepper with default options.
ff_scheme ff_scheme_of(ff_stepper stepper);

/// Find a scheme by name: a stepper, "expo:order-1", or "expo-paper:" and an exponential ("exact", "order-1", ...).
/// Returns 0 if there is none.
int ff_scheme_find(const char *name, ff_scheme *out);

/// Create a sim of the trial with `substeps` steps per period. The caller destroys it.
ff_status ff_trial_sim(const ff_trial *trial, const ff_scheme *scheme, int substeps, ff_sim **out,
                       ff_error *error);

// ---- A reference solution -------------------------------------------------------------------------------------------

/// The full state at every control instant (q, v, anchors, slip flags, everything that the next step depends on) and
/// the torques of every period.
typedef struct ff_solution {
  ff_scheme scheme;       ///< scheme that computed it
  const ff_model *model;  ///< the trial's
  int substeps;           ///< steps per period
  int nq;                 ///< coordinates
  int nv;                 ///< velocities
  int periods;            ///< of the trial
  int state_size;         ///< as of ff_sim_state_size()
  double *states;         ///< [periods + 1][state_size]
  double *q;              ///< [periods + 1][nq] copied from the states
  double *v;              ///< [periods + 1][nv] copied from the states
  double *tau;            ///< [periods][nv]
  double *tolerance;      ///< [periods] largest component, as for errors; zero unless it was verified
  double tolerance_mean;  ///< mean over the measured periods
  double tolerance_worst; ///< largest over the measured periods
} ff_solution;

/// Steps per period of a stepper's own reference solution with steps of about `finest` [s]: that of
/// ff_trial_substeps(), and eight times as many for euler and symplectic, which are of first order.
int ff_solution_substeps(const ff_trial *trial, ff_stepper stepper, double finest);

/// Compute a reference solution. It fails if a step or a torque fails. `progress` (may be NULL) is called for every
/// period. The caller destroys the solution.
ff_status ff_solution_create(const ff_trial *trial, const ff_scheme *scheme, int substeps,
                             const ff_progress *progress, ff_solution **out, ff_error *error);
void ff_solution_destroy(ff_solution *solution); ///< NULL is fine

#define FF_SOLUTION_ENOUGH 1e-7 ///< two methods agree if they differ by no more than this, in SI units

/// A second method that verifies a solution.
typedef struct ff_solution_check {
  ff_scheme scheme; ///< the method
  int substeps;     ///< steps per period
  /// Most refinements of a period, 0..4. A method without events inside its steps detects touch-downs late. Periods
  /// in which both methods differ by more than FF_SOLUTION_ENOUGH are repeated with four times shorter steps.
  int refinements;
} ff_solution_check;

/// Compute the tolerance of a solution with a second method. It fails if that method fails.
ff_status ff_solution_verify(ff_solution *solution, const ff_trial *trial, const ff_solution_check *check,
                             const ff_progress *progress, ff_error *error);

/// Find the periods whose contacts, or whose sticking contacts, differ between start and end: changes [periods], 1 or
/// 0.
ff_status ff_solution_changes(const ff_solution *solution, const ff_trial *trial, char *changes,
                              ff_error *error);

/// Distance of (q, v) from the solution at instant k: the largest component and the 2-norm of the difference of q in
/// the tangent space and of v, in mixed SI units. work [nv] is scratch.
void ff_solution_distance(const ff_solution *solution, int k, const double *q, const double *v, double *work,
                          double distance[2]);

// ---- Local errors ---------------------------------------------------------------------------------------------------

/// Statistics of several numbers.
typedef struct ff_spread {
  double mean;    ///< NAN if there are none
  double median;  ///< NAN if there are none
  double largest; ///< NAN if there are none
} ff_spread;

/// Statistics of the finite ones among values [count]; scratch [count].
ff_spread ff_spread_of(const double *values, int count, double *scratch);

/// A configuration (a scheme, its number of steps per period, its reference solution) and its results.
typedef struct ff_local_error {
  ff_scheme scheme;            ///< input
  const ff_solution *solution; ///< input; NULL: there is none, and nothing is measured
  int substeps;                ///< input: steps per period
  int rounds;                  ///< input: most rounds to take part in; 0: all

  double *error;      ///< [periods] largest component; NAN where a step failed and in periods not measured
  double *norm;       ///< [periods] 2-norm
  double *seconds;    ///< [periods] time in ff_sim_step(), shortest of all rounds
  ff_spread max_norm; ///< of `error`, over the periods without failure
  ff_spread two_norm; ///< of `norm`
  int failures;       ///< periods with a failed step
  int unconverged;    ///< steps of `implicit` that did not meet its tolerance
  int below;          ///< periods whose error is not above the solution's tolerance
  double dt;          ///< time step [s]
  double step_us;     ///< mean computation time of a step [us]
  double speed;       ///< real-time factor: simulated time over computation time
  /// The same by the second shortest time of each period, or `speed` after one round: what the clock leaves open
  double slower;
} ff_local_error;

/// Measure all configurations of list [count], `rounds` >= 1 times. A failed step is counted and is no failure of the
/// call; lack of memory, and a sim or state that cannot be created, is. Release with ff_local_error_free(), also
/// after a failure.
ff_status ff_local_error_measure(const ff_trial *trial, ff_local_error *list, int count, int rounds,
                                 const ff_progress *progress, ff_error *error);
void ff_local_error_free(ff_local_error *list, int count); ///< frees the arrays of each

// ---- A comparison ---------------------------------------------------------------------------------------------------

/// What to compare. Start from ff_comparison_def_default(), or pass NULL for it. All of it is copied.
typedef struct ff_comparison_def {
  size_t size; ///< of this struct as the program was compiled; ff_comparison_def_init() sets it
  /// [scheme_count]; default NULL: all steppers with compliant contacts, except ess, whose error depends on its
  /// tolerance and not on the step
  const ff_scheme *schemes;
  int scheme_count;   ///< default 0
  int substeps_count; ///< default 0
  /// [substeps_count] steps per period, of all schemes; default NULL: 1, 2, 4, ... down to steps of eight times
  /// `finest`, for euler and symplectic of `finest`: the exponential paper's choice
  const int *substeps;
  int has_common;  ///< 1 (default): compare with the common reference solution, by expo, verified by rk4
  int has_own;     ///< 1 (default): compare with each stepper's own; at least one of the two is 1
  double finest;   ///< approximate step of reference solutions [s], > 0, default 1/64 ms
  int check_finer; ///< factor by which rk4's steps are shorter, >= 1, default 4
  /// Most refinements by a further factor of four where both differ, 0..4, default 2
  int check_refinements;
  int rounds;           ///< of timing, >= 1, default 5
  int unused;           ///< 0
  ff_progress progress; ///< default: none
} ff_comparison_def;

/// Write the defaults into a def of `size` bytes. For C and C++ ff_comparison_def_default() is shorter.
void ff_comparison_def_init(ff_comparison_def *def, size_t size);

/// The default schemes, with both kinds of solutions.
static inline ff_comparison_def ff_comparison_def_default(void)
{
  ff_comparison_def def;
  ff_comparison_def_init(&def, sizeof def);
  return def;
}

/// A stepper's own reference solution.
typedef struct ff_comparison_own {
  ff_solution *solution; ///< NULL: not needed, or it failed
  /// 1: at most instants it is a different motion from the common one. Its steps, short as they are, are too long for
  /// the stepper, and errors against it are meaningless.
  int is_elsewhere;
  char failure[256]; ///< why it failed, "": it did not; after a failure its configurations are not measured
} ff_comparison_own;

/// Results of a comparison. The library allocates it; new fields are added at its end only. It owns everything that
/// it points to, except what the trial points to: that belongs to the caller and must outlive it.
typedef struct ff_comparison {
  const ff_trial *trial;  ///< a copy
  int count;              ///< configurations: scheme by scheme, each from its longest step on
  int scheme_count;       ///< number of schemes
  ff_local_error *common; ///< [count] against the common solution; NULL: not requested
  ff_local_error *own;    ///< [count] against the own solutions, in the same order; NULL: not requested
  /// [count] 1: no other configuration is both faster and, in the mean, more accurate; see ff_comparison_timed()
  const unsigned char *on_frontier;
  const ff_solution *common_solution;      ///< NULL: not requested
  const ff_solution_check *check;          ///< second method of the common solution
  const ff_comparison_own *own_of_stepper; ///< [stepper_count] by ff_stepper
  int stepper_count;                       ///< FF_STEPPER_COUNT of the library
} ff_comparison;

/// Estimate the work of a comparison in microseconds, roughly, for a robot of Solo's size. For the progress of
/// several comparisons.
double ff_comparison_work(const ff_trial *trial, const ff_comparison_def *def);

/// Compute the reference solutions and measure. FF_ERROR_NUMERIC if the common solution fails. The failure of a
/// stepper is a result, not an error.
ff_status ff_comparison_run(const ff_trial *trial, const ff_comparison_def *def, ff_comparison **out,
                            ff_error *error);
void ff_comparison_destroy(ff_comparison *comparison); ///< NULL is fine

/// The results that have timing and that on_frontier refers to: those against the common solution if there is one.
const ff_local_error *ff_comparison_timed(const ff_comparison *comparison, int i);

#ifdef __cplusplus
}
#endif
#endif
