/// c2a_paper.h: `footfall bench c2a-paper`: the experiments of the paper on adaptive integration, reproduced.
///
///     c2a_paper_walker.c          section IV-B: RK4 and explicit Euler on the passive walker (c2a_walker.c)
///     c2a_paper_failure.c         sections IV-A and IV-E, Figs 3 and 5: steps to failure of a trot (c2a_trot.c), with
///                                 fixed steps and with dissipation
///     c2a_paper_local_error.c     section IV-C, Fig. 4: local errors of kinetic energy, explicit and semi-implicit
///     c2a_paper_error_control.c   section IV-D: steps chosen by error control
///     c2a_paper_work_precision.c  ours: error over time, with and without error control, soft and hard contact
///     c2a_paper_tunnelling.c      ours: tunnelling through a thin wall, by every stepper and MuJoCo (c2a_throw.c,
///                                 c2a_throw_mujoco.c)
///     c2a_paper_claims.c          verdicts;  c2a_paper_html.c, c2a_paper_html_ours.c: the report
#ifndef BENCH_C2A_PAPER_H
#define BENCH_C2A_PAPER_H

#include "papers/c2a/c2a_throw.h"
#include "papers/c2a/c2a_trot.h"
#include "papers/c2a/c2a_walker.h"
#include "papers/paper.h"

// ---- Walker ---------------------------------------------------------------------------------------------

/// The paper's numbers.
static const double bench_c2a_paper_published_euler = 3.5e-3, bench_c2a_paper_published_rk4 = 0.28,
                    bench_c2a_paper_published_speedup = 20;

enum { BENCH_C2A_WALK_TOLERANCES = 3, BENCH_C2A_WALK_POINTS = 40 };
enum { BENCH_C2A_WALK_STRIDES = 30 }; ///< it has lost its gait by then if it ever does
enum { BENCH_C2A_WALK_PRINTED, BENCH_C2A_WALK_FRACTION, BENCH_C2A_WALK_AGREES };
/// Of the energy: 0.001 % as printed in the paper; 0.001 read as a fraction; at which the paper's own steps agree.
extern const double bench_c2a_paper_walker_tolerances[BENCH_C2A_WALK_TOLERANCES];

typedef struct bench_c2a_paper_walker {
  int is_measured;
  double dt[BENCH_C2A_WALK_POINTS], deviation[BENCH_C2A_WALK_METHODS][BENCH_C2A_WALK_POINTS];
  int strides[BENCH_C2A_WALK_METHODS]
             [BENCH_C2A_WALK_POINTS];       ///< before it falls, at most BENCH_C2A_WALK_STRIDES
  double published[BENCH_C2A_WALK_METHODS]; ///< deviation at the paper's steps; NAN: it has none
  double longest[BENCH_C2A_WALK_METHODS][BENCH_C2A_WALK_TOLERANCES];
  double evaluations[BENCH_C2A_WALK_METHODS][BENCH_C2A_WALK_TOLERANCES]; ///< of a stride
  double seconds[BENCH_C2A_WALK_METHODS][BENCH_C2A_WALK_TOLERANCES];     ///< of a stride
} bench_c2a_paper_walker;

// ---- Tunnelling -----------------------------------------------------------------------------------------

enum { BENCH_C2A_THROW_SPEEDS = 9, BENCH_C2A_THROW_SIMULATORS = FF_STEPPER_COUNT + 2 };
extern const double bench_c2a_paper_tunnelling_speeds[BENCH_C2A_THROW_SPEEDS]; ///< [m/s]

typedef struct bench_c2a_paper_tunnelling_of {
  char name[24];
  int is_measured;
  /// Shares of throws.
  double through[BENCH_C2A_THROW_SPEEDS], failed[BENCH_C2A_THROW_SPEEDS], gained[BENCH_C2A_THROW_SPEEDS];
  double of_object[BENCH_C2A_OBJECTS]; ///< share through, over all speeds
  double total, total_failed, total_gained;
  double step_us; ///< mean time of a step
} bench_c2a_paper_tunnelling_of;

typedef struct bench_c2a_paper_tunnelling {
  int is_measured;
  int throws; ///< at each speed, of all things together
  bench_c2a_paper_tunnelling_of by[BENCH_C2A_THROW_SIMULATORS];
  int count;
} bench_c2a_paper_tunnelling;

// ---- Failure --------------------------------------------------------------------------------------------

enum {
  BENCH_C2A_FAILURE_STEPS = 12,
  BENCH_C2A_FAILURE_STEPS_ALL = BENCH_C2A_FAILURE_STEPS + 5,
  BENCH_C2A_SHORT_STEPS = 2,
  BENCH_C2A_LAMBDAS = 12
};
/// [s]: the paper's, and longer ones that no verdict uses.
extern const double bench_c2a_paper_failure_steps[BENCH_C2A_FAILURE_STEPS_ALL];
/// [s]: shorter ones, for errors that none of the paper's steps has.
extern const double bench_c2a_paper_failure_short_steps[BENCH_C2A_SHORT_STEPS];
extern const double bench_c2a_paper_failure_lambdas[BENCH_C2A_LAMBDAS];

/// How a run ended.
typedef struct bench_c2a_paper_ending {
  double failed, fell; ///< after so many steps; NAN: it did not
  double end;          ///< the earlier of the two; INFINITY: none
  double taken;        ///< steps
  double share;        ///< mean relative local error of kinetic energy before the failure
} bench_c2a_paper_ending;

typedef struct bench_c2a_paper_failure {
  int is_measured;
  bench_c2a_paper_ending ends[BENCH_C2A_FAILURE_STEPS_ALL];
  bench_c2a_paper_ending shorter[BENCH_C2A_SHORT_STEPS];
  int failures;            ///< runs of the paper's list that failed or fell
  double correlation;      ///< rank correlation of share and steps to failure; NAN: all equal
  double correlation_time; ///< the same with time instead of steps
  double correlation_all;  ///< with steps, including those longer than the paper's
} bench_c2a_paper_failure;

typedef struct bench_c2a_paper_dissipation {
  int is_measured;
  double dt;
  int is_beyond; ///< dt is longer than all of the paper's, none of which fails
  bench_c2a_paper_ending ends[2][BENCH_C2A_LAMBDAS]; ///< exponential; Rayleigh's of lambda / dt
} bench_c2a_paper_dissipation;

// ---- Local errors ---------------------------------------------------------------------------------------

/// Error [J], energy [J], relative error.
static const double bench_c2a_paper_published_explicit[3] = {1.2306e-4, 0.13494, 0.0077389},
                    bench_c2a_paper_published_semi[3] = {1.5029e-4, 0.12875, 0.013904};

extern const char *const bench_c2a_paper_local_error_schemes[FF_C2A_SCHEME_COUNT];

enum { BENCH_C2A_GAIT = 300 }; ///< steps of 1 ms
enum { BENCH_C2A_LAWS = 2 };
typedef struct bench_c2a_paper_local_error {
  int is_measured;
  double error, energy, share;      ///< means
  double end;                       ///< as of bench_c2a_paper_ending
  double stability[BENCH_C2A_GAIT]; ///< mean energy over mean error, over a gait
  double feet[BENCH_C2A_GAIT];      ///< in contact, mean
  double stability_of[2];           ///< while some feet are in the air, while all stand
} bench_c2a_paper_local_error;

// ---- Error control --------------------------------------------------------------------------------------

static const double bench_c2a_paper_published_mean = 2.3427e-3,
                    bench_c2a_paper_published_walking = 2.1646e-3; // [s]

enum { BENCH_C2A_CONTROL_TROT, BENCH_C2A_CONTROL_STAND, BENCH_C2A_CONTROL_EXPLICIT, BENCH_C2A_CONTROLLED };
typedef struct bench_c2a_paper_error_control {
  int is_measured;
  int steps, tries;
  double mean, walking; ///< mean length of a step [s]: of all steps, and since the trot began
  double shortest;      ///< share of steps with the minimum length
  double seconds;       ///< in steps, including rejected ones
  double failed_at;     ///< [s]; NAN: it did not
} bench_c2a_paper_error_control;

// ---- Error over time ------------------------------------------------------------------------------------

enum {
  BENCH_C2A_METHODS_MOST = 12,
  BENCH_C2A_SETTINGS_MOST = 10,
  BENCH_C2A_ERROR_LEVELS = 9,
  BENCH_C2A_ERROR_LEVELS_UNJUDGED = 2
};
/// The first BENCH_C2A_ERROR_LEVELS_UNJUDGED are reported but not used by verdicts.
extern const double bench_c2a_paper_work_precision_errors[BENCH_C2A_ERROR_LEVELS];

typedef enum bench_c2a_paper_method_kind {
  BENCH_C2A_FIRST_ORDER,
  BENCH_C2A_HIGHER_ORDER,
  BENCH_C2A_ERROR_CONTROL
} bench_c2a_paper_method_kind;
enum { BENCH_C2A_METHOD_KINDS = BENCH_C2A_ERROR_CONTROL + 1 };

/// One method with several steps or tolerances.
typedef struct bench_c2a_paper_method {
  char name[32];
  bench_c2a_paper_method_kind kind;
  int count;
  double setting[BENCH_C2A_SETTINGS_MOST]; ///< step [s], or tolerance
  double error[BENCH_C2A_SETTINGS_MOST];   ///< mean local error of a period, max-norm; NAN: a step failed
  double median[BENCH_C2A_SETTINGS_MOST];  ///< of the same errors
  double cost[BENCH_C2A_SETTINGS_MOST];    ///< seconds of a simulated second
  double slow[BENCH_C2A_SETTINGS_MOST];    ///< the same by the second shortest times
} bench_c2a_paper_method;

/// Soft or hard contact, each with its own truth (reference solution).
typedef struct bench_c2a_paper_work_precision {
  int is_measured;
  bench_c2a_paper_method methods[BENCH_C2A_METHODS_MOST];
  int count;
  /// Of the fastest method of its kind at this error; NAN: none reaches it.
  double cost[BENCH_C2A_METHOD_KINDS][BENCH_C2A_ERROR_LEVELS];
  double gain[BENCH_C2A_METHOD_KINDS]; ///< median, over errors, of first order's cost over its own; NAN: none
  double gain_low[BENCH_C2A_METHOD_KINDS], gain_high[BENCH_C2A_METHOD_KINDS]; ///< its interval
  double gain_of_medians[BENCH_C2A_METHOD_KINDS]; ///< the same at equal median errors
} bench_c2a_paper_work_precision;
enum { BENCH_C2A_SOFT, BENCH_C2A_HARD, BENCH_C2A_CONTACT_KINDS };

// ---- All of it ------------------------------------------------------------------------------------------

enum { BENCH_C2A_CLAIMS = 11 };
typedef struct bench_c2a_paper {
  bench_paper_run run; ///< first, see paper.h
  bench_c2a_paper_walker walker;
  bench_c2a_paper_tunnelling tunnel;
  bench_c2a_paper_failure failure[BENCH_C2A_CONTROLLERS];
  bench_c2a_paper_dissipation dissipation;
  /// With the paper's impact law, with Coulomb's.
  bench_c2a_paper_local_error local[BENCH_C2A_CONTROLLERS][BENCH_C2A_LAWS][FF_C2A_SCHEME_COUNT];
  bench_c2a_paper_error_control control[BENCH_C2A_CONTROLLED];
  bench_c2a_paper_work_precision equal[BENCH_C2A_CONTACT_KINDS];
  char no_mujoco[200]; ///< why it was not measured
} bench_c2a_paper;

/// Estimates [s].
double bench_c2a_paper_walker_work(const void *paper);
double bench_c2a_paper_failure_work(const void *paper);
double bench_c2a_paper_failure_dissipation_work(const void *paper);
double bench_c2a_paper_local_error_work(const void *paper);
double bench_c2a_paper_error_control_work(const void *paper);
double bench_c2a_paper_work_precision_work(const void *paper);
double bench_c2a_paper_tunnelling_work(const void *paper);

/// Measure, print tables, add rows.
ff_status bench_c2a_paper_walker_run(void *paper, ff_error *error);
ff_status bench_c2a_paper_failure_run(void *paper, ff_error *error);
ff_status bench_c2a_paper_failure_dissipation_run(void *paper, ff_error *error);
ff_status bench_c2a_paper_local_error_run(void *paper, ff_error *error);
ff_status bench_c2a_paper_error_control_run(void *paper, ff_error *error);
ff_status bench_c2a_paper_work_precision_run(void *paper, ff_error *error);
ff_status bench_c2a_paper_tunnelling_run(void *paper, ff_error *error);

void bench_c2a_paper_claims_judge(void *paper);
extern const bench_claim_rule bench_c2a_paper_rules[BENCH_C2A_CLAIMS];
int bench_c2a_paper_html(const void *paper, FILE *file);
void bench_c2a_paper_html_ours(const bench_c2a_paper *b, FILE *file); ///< a part of it

#endif
