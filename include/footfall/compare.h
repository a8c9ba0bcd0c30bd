/// compare.h: how wrong is each stepper on a motion, and how fast?
///
/// **Local errors**, section 6.1 of the exponential paper: at every control instant the full state is set to
/// that of a reference solution, one control period is stepped through with its torques, and the end is
/// compared with it. So an error is that of one period, whatever happened before.
///
/// **Reference solutions** are runs with very short steps, the controller in the loop. The *common* one
/// serves all steppers and is checked by a second method: how far the two are apart after each period is that
/// period's *tolerance*, and errors below it say nothing. A stepper's *own* shows how fast it comes to its
/// own limit, not whether that is the right one.
///
/// **Time** is the processor's in ff_sim_step() alone. Machines have slow spells, so all configurations are
/// gone through in rounds, and a figure is the sum over periods of the least that each has taken. The errors
/// are the same bits whatever else is measured, and in which order.
///
///     ff_trial trial = ff_trial_default();           // or ff_scene_trial_create(), for a scene
///     trial.model = model, trial.q = q, trial.period = 0.01, trial.periods = 200;
///     ff_comparison *comparison;
///     if (ff_comparison_run(&trial, NULL, &comparison, &error) != FF_OK) ...
///     for (int i = 0; i < comparison->count; ++i)    // a scheme with a step each
///       printf("%s %g s: %g, %g x real time%s\n", comparison->common[i].scheme.name, comparison->common[i].dt,
///              comparison->common[i].max_norm.mean, comparison->common[i].speed, comparison->on_frontier[i] ? " *" :
///              "");
///     ff_comparison_destroy(comparison);
///
/// The command `footfall compare` is this, tables and pictures. Nothing here is kept between calls; a trial
/// is for one thread at a time.
#ifndef FOOTFALL_COMPARE_H
#define FOOTFALL_COMPARE_H

#include <footfall/sim.h>
#include <footfall/status.h>

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Who hears how far long work is. `call` gets `user`, what is done now and the share that is done, 0..1; if
/// it returns anything but 0 the work ends with FF_ERROR_STOPPED.
typedef struct ff_progress {
  int (*call)(void *user, const char *what, double share); ///< NULL: nobody
  void *user;                                              ///< for `call`
} ff_progress;

// ---- A motion -------------------------------------------------------------------------------------------------------

/// A motion that steppers are judged by: a robot, a ground, a start, and a controller that is asked for
/// torques at equal control periods and whose torques are held in between. Start from ff_trial_default().
typedef struct ff_trial {
  size_t size;           ///< of this struct as the program was compiled; ff_trial_init() sets it
  const char *name;      ///< for people, default ""
  const ff_model *model; ///< needed
  /// Ground, elements, anchors, contacts; default NULL: ff_sim_def_default(). Stepper, dt and the stepper's
  /// options are the scheme's
  const ff_sim_def *sim;
  const double *q; ///< [nq] at the start; needed
  const double *v; ///< [nv] at the start; default NULL: at rest
  double period;   ///< between two calls of the controller [s], > 0, default 0.01
  int periods;     ///< >= 1, default 100
  int every;       ///< only every n-th period is judged; default 0: all
  /// Forget what was before: a run begins at time 0. Default NULL
  void (*begin)(void *user);
  /// The torques for the period that starts at `time` in the state q, v, to tau [nv], zero at entry. A
  /// function of these and of nothing else, unless `begin` is given: then of what it was asked since. Default
  /// NULL: no torques
  ff_status (*control)(double time, const double *q, const double *v, double *tau, void *user,
                       ff_error *error);
  /// A sim of the model; default NULL: ff_sim_create()
  ff_status (*create)(const ff_sim_def *def, ff_sim **out, void *user, ff_error *error);
  void *user; ///< for the three, default NULL
} ff_trial;

/// Write the defaults into a trial of `size` bytes. For C and C++ ff_trial_default() is shorter.
void ff_trial_init(ff_trial *trial, size_t size);

/// A hundred periods of 10 ms without a controller; model and q are still to be given.
static inline ff_trial ff_trial_default(void)
{
  ff_trial trial;
  ff_trial_init(&trial, sizeof trial);
  return trial;
}

/// Judge about so many periods, spread over all. Never every fifth or tenth: what repeats in that rhythm,
/// such as a trajectory with a new torque every 10 ms and a period of 2 ms, would be judged at one phase
/// only.
void ff_trial_spread(ff_trial *trial, int count);

/// The next period after k that is judged; the first is 0.
int ff_trial_next(const ff_trial *trial, int k);

/// The largest power of two of steps per period that are no shorter than `dt` [s]: 2^floor(log2(period /
/// dt)), at least 1 and at most 2^30.
int ff_trial_substeps(const ff_trial *trial, double dt);

// ---- A way to step through it ---------------------------------------------------------------------------------------

/// A stepper with its options; how many steps it takes per period is said beside it.
typedef struct ff_scheme {
  char name[32];            ///< "expo", "expo-paper:order-3"
  ff_stepper stepper;       ///< which
  int has_c2a;              ///< 1: with these options of ca and c2a; 0 (default): with the trial's
  ff_expo_def expo;         ///< options of expo and expo-paper
  ff_implicit_def implicit; ///< options of implicit
  double accuracy;          ///< expo: cuts steps until it is met; 0 (default): does not
  ff_c2a_def c2a; ///< h_min 0: the step, which is plain time-stepping; below 0: that part of the step
} ff_scheme;

/// A stepper with default options.
ff_scheme ff_scheme_of(ff_stepper stepper);

/// By name: a stepper, or "expo:order-1", "expo-paper:" and an exponential, "exact", "order-1", ... 0 if
/// there is none of that name.
int ff_scheme_find(const char *name, ff_scheme *out);

/// A sim of the trial with `substeps` steps per period. The caller destroys it.
ff_status ff_trial_sim(const ff_trial *trial, const ff_scheme *scheme, int substeps, ff_sim **out,
                       ff_error *error);

// ---- A reference solution -------------------------------------------------------------------------------------------

/// The full state at every control instant (q, v, anchors, slip flags, everything that the next step depends
/// on) and the torques of every period.
typedef struct ff_solution {
  ff_scheme scheme;       ///< whose it is
  const ff_model *model;  ///< the trial's
  int substeps;           ///< per period
  int nq;                 ///< coordinates
  int nv;                 ///< velocities
  int periods;            ///< of the trial
  int state_size;         ///< as of ff_sim_state_size()
  double *states;         ///< [periods + 1][state_size]
  double *q;              ///< [periods + 1][nq] what is in the states, for comparing
  double *v;              ///< [periods + 1][nv]
  double *tau;            ///< [periods][nv]
  double *tolerance;      ///< [periods] largest component, as errors are; zero unless it was checked
  double tolerance_mean;  ///< over the periods that are judged
  double tolerance_worst; ///< the same
} ff_solution;

/// Steps per period of a stepper's own reference solution, of about `finest` [s]: that of
/// ff_trial_substeps(); euler and symplectic take eight times as many, as they are of first order.
int ff_solution_substeps(const ff_trial *trial, ff_stepper stepper, double finest);

/// Run the trial. A step or a torque that fails fails it. `progress` (may be NULL) hears of every period. The
/// caller destroys it.
ff_status ff_solution_create(const ff_trial *trial, const ff_scheme *scheme, int substeps,
                             const ff_progress *progress, ff_solution **out, ff_error *error);
void ff_solution_destroy(ff_solution *solution); ///< NULL is fine

#define FF_SOLUTION_ENOUGH 1e-7 ///< two methods that differ by no more, in SI units, agree

/// A second method, by which a solution is checked.
typedef struct ff_solution_check {
  ff_scheme scheme; ///< by which
  int substeps;     ///< per period
  /// A method that has no events inside its steps comes late to a touch-down: periods in which the two differ
  /// by more than FF_SOLUTION_ENOUGH are gone through again with four times shorter steps, so many times at
  /// most, 0..4
  int refinements;
} ff_solution_check;

/// Fill in the tolerance by another scheme, whose failures fail it.
ff_status ff_solution_verify(ff_solution *solution, const ff_trial *trial, const ff_solution_check *check,
                             const ff_progress *progress, ff_error *error);

/// Which periods begin and end with different contacts, or with other ones sticking: 1 or 0 to changes [periods].
ff_status ff_solution_changes(const ff_solution *solution, const ff_trial *trial, char *changes,
                              ff_error *error);

/// How far (q, v) is from the solution at instant k: to distance [2] the largest component and the 2-norm of
/// the difference of q in the tangent space and of v, in SI units mixed. work [nv] is scratch.
void ff_solution_distance(const ff_solution *solution, int k, const double *q, const double *v, double *work,
                          double distance[2]);

// ---- Local errors ---------------------------------------------------------------------------------------------------

/// Of several numbers.
typedef struct ff_spread {
  double mean;    ///< NAN if there are none
  double median;  ///< the same
  double largest; ///< the same
} ff_spread;

/// Of the values [count] that are finite; scratch [count].
ff_spread ff_spread_of(const double *values, int count, double *scratch);

/// A configuration: a scheme, its number of steps per period, the solution that it is measured against; and
/// what came of it.
typedef struct ff_local_error {
  ff_scheme scheme;            ///< asked for
  const ff_solution *solution; ///< asked for; NULL: there is none, so nothing is measured
  int substeps;                ///< asked for, per period
  int rounds;                  ///< it takes part in no more than this many; 0: in all

  double *error; ///< [periods] largest component; NAN where a step failed and in periods that are not judged
  double *norm;  ///< [periods] 2-norm
  double *seconds;    ///< [periods] in ff_sim_step(), the least of all rounds
  ff_spread max_norm; ///< of `error`, over the periods without failure
  ff_spread two_norm; ///< of `norm`
  int failures;       ///< periods with a step that failed
  int unconverged;    ///< steps of `implicit` that did not meet its tolerance
  int below;          ///< periods whose error is not above the solution's tolerance
  double dt;          ///< a step [s]
  double step_us;     ///< the time that it takes [us], mean
  double speed;       ///< the real-time factor: simulated time over time taken
} ff_local_error;

/// Measure all of list [count], `rounds` >= 1 times. A step that fails is counted; what fails this is a lack
/// of memory, or a sim or state that cannot be. Release with ff_local_error_free(), also after a failure.
ff_status ff_local_error_measure(const ff_trial *trial, ff_local_error *list, int count, int rounds,
                                 const ff_progress *progress, ff_error *error);
void ff_local_error_free(ff_local_error *list, int count); ///< the arrays of each

// ---- All of it ------------------------------------------------------------------------------------------------------

/// What is compared. Start from ff_comparison_def_default(), or pass NULL for it. All is copied.
typedef struct ff_comparison_def {
  size_t size; ///< of this struct as the program was compiled; ff_comparison_def_init() sets it
  const ff_scheme *
      /// [scheme_count]; default NULL: all steppers whose contacts give way, but ess, whose error is its
      /// tolerance, whatever the step
      schemes;
  int scheme_count;   ///< default 0
  int substeps_count; ///< default 0
  /// [substeps_count] steps per period, of all schemes; default NULL: 1, 2, 4, ... down to steps of eight
  /// times `finest`, for euler and symplectic of `finest`: the exponential paper's choice
  const int *substeps;
  int has_common;        ///< 1 (default): against the common reference solution, by expo, checked by rk4
  int has_own;           ///< 1 (default): against each stepper's own; at least one of the two
  double finest;         ///< steps of reference solutions [s], about; > 0, default 1/64 ms
  int check_finer;       ///< rk4 takes so many times shorter steps, >= 1, default 4
  int check_refinements; ///< and four times shorter ones where they differ, so many times, 0..4, default 2
  int rounds;            ///< of timing, >= 1, default 5
  int unused;            ///< 0
  ff_progress progress;  ///< default: nobody hears
} ff_comparison_def;

/// Write the defaults into a def of `size` bytes. For C and C++ ff_comparison_def_default() is shorter.
void ff_comparison_def_init(ff_comparison_def *def, size_t size);

/// All steppers, both kinds of solutions.
static inline ff_comparison_def ff_comparison_def_default(void)
{
  ff_comparison_def def;
  ff_comparison_def_init(&def, sizeof def);
  return def;
}

/// A stepper's own reference solution.
typedef struct ff_comparison_own {
  ff_solution *solution; ///< NULL: not needed, or it failed
  /// 1: at most instants it is another motion than the common one. Its steps, short as they are, are too long
  /// for the stepper; errors against it say nothing
  int is_elsewhere;
  char failure[256]; ///< why it failed, "": it did not; its configurations are then not measured
} ff_comparison_own;

/// What came of it. It is the library's, fields are added at its end alone, and all that it points to belongs
/// to it, but for what the trial points to, which is the caller's and must live as long.
typedef struct ff_comparison {
  const ff_trial *trial;  ///< a copy
  int count;              ///< configurations: scheme by scheme, each from its longest step on
  int scheme_count;       ///< how many schemes
  ff_local_error *common; ///< [count] against the common solution; NULL: not asked for
  ff_local_error *own;    ///< [count], the same ones in the same order; NULL: not asked for
  const unsigned char
      *on_frontier; ///< [count] 1: no other is both faster and better in the mean, see ff_comparison_timed()
  const ff_solution *common_solution;      ///< NULL: not asked for
  const ff_solution_check *check;          ///< the common solution's second method
  const ff_comparison_own *own_of_stepper; ///< [stepper_count] by ff_stepper
  int stepper_count;                       ///< FF_STEPPER_COUNT of the library
} ff_comparison;

/// How much work it is: in microseconds, roughly, for a robot of Solo's size. For who does several.
double ff_comparison_work(const ff_trial *trial, const ff_comparison_def *def);

/// Solve and measure. FF_ERROR_NUMERIC if the common solution cannot be had; that a stepper fails is a result.
ff_status ff_comparison_run(const ff_trial *trial, const ff_comparison_def *def, ff_comparison **out,
                            ff_error *error);
void ff_comparison_destroy(ff_comparison *comparison); ///< NULL is fine

/// The configuration with the timing, and the errors that the frontier is of: common if there is one.
const ff_local_error *ff_comparison_timed(const ff_comparison *comparison, int i);

#ifdef __cplusplus
}
#endif
#endif
