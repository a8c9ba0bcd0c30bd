/// c2a_paper.h: `footfall bench c2a-paper`: the experiments of the paper on adaptive integration, done again.
///
///     c2a_paper_walker.c    section IV-B: RK4 against explicit Euler on the passive walker (c2a_walker.c)
///     c2a_paper_failure.c   sections IV-A and IV-E, Figs 3 and 5: steps to failure of a trot, fixed steps and dissipation (c2a_trot.c)
///     c2a_paper_local.c     section IV-C, Fig. 4: local errors of kinetic energy, explicit and semi-implicit
///     c2a_paper_control.c   section IV-D: steps that error control chooses
///     c2a_paper_equal.c     ours: accuracy against time, with and without error control, soft and hard contact
///     c2a_paper_tunnel.c    ours: what flies through a thin wall, by every stepper and MuJoCo (c2a_throw.c, c2a_throw_mujoco.c)
///     c2a_paper_claims.c    verdicts;  c2a_paper_html.c, c2a_paper_html_ours.c: the report
#ifndef BENCH_C2A_PAPER_H
#define BENCH_C2A_PAPER_H

#include "common/claim.h"
#include "common/progress.h"
#include "papers/c2a/c2a_throw.h"
#include "papers/c2a/c2a_trot.h"
#include "papers/c2a/c2a_walker.h"

// ---- Walker ------------------------------------------------------------------------------------------------

/// What the paper says.
static const double bench_c2a_stated_euler = 3.5e-3, bench_c2a_stated_rk4 = 0.28,
                    bench_c2a_stated_speedup = 20;

enum { BENCH_WALK_TOLERANCES = 2, BENCH_WALK_POINTS = 40 };
extern const double bench_walk_tolerances
    [BENCH_WALK_TOLERANCES]; ///< of the energy: where the paper's steps agree; as printed

typedef struct bench_walker_study {
  int is_measured;
  double dt[BENCH_WALK_POINTS], deviation[BENCH_WALK_METHODS][BENCH_WALK_POINTS];
  double stated[BENCH_WALK_METHODS]; ///< deviation at the paper's steps; NAN: it has none
  double longest[BENCH_WALK_METHODS][BENCH_WALK_TOLERANCES];
  double evaluations[BENCH_WALK_METHODS][BENCH_WALK_TOLERANCES]; ///< of a stride
  double seconds[BENCH_WALK_METHODS][BENCH_WALK_TOLERANCES];     ///< of a stride
} bench_walker_study;

// ---- Tunnels -----------------------------------------------------------------------------------------------

enum { BENCH_THROW_SPEEDS = 9, BENCH_THROWERS = FF_STEPPER_COUNT + 2 };
extern const double bench_throw_speeds[BENCH_THROW_SPEEDS]; ///< [m/s]

typedef struct bench_tunnel {
  char name[24];
  int is_measured;
  double through[BENCH_THROW_SPEEDS], failed[BENCH_THROW_SPEEDS],
      gained[BENCH_THROW_SPEEDS]; ///< shares of throws
  double of_thing[BENCH_THINGS];  ///< share through, over all speeds
  double total, total_failed, total_gained;
  double step_us; ///< mean time of a step
} bench_tunnel;

typedef struct bench_tunnel_study {
  int is_measured;
  int throws; ///< at each speed, of all things together
  bench_tunnel by[BENCH_THROWERS];
  int count;
} bench_tunnel_study;

// ---- Failure -----------------------------------------------------------------------------------------------

enum { BENCH_FIXED = 12, BENCH_FIXED_ALL = BENCH_FIXED + 5, BENCH_LAMBDAS = 12 };
extern const double
    bench_fixed_steps[BENCH_FIXED_ALL]; ///< [s]: the paper's, and longer ones that no verdict looks at
extern const double bench_lambdas[BENCH_LAMBDAS];

/// How a run ended.
typedef struct bench_ending {
  double failed, fell; ///< after so many steps; NAN: it did not
  double end;          ///< the first of them; INFINITY
  double taken;        ///< steps
  double share;        ///< mean relative local error of kinetic energy before anything was wrong
} bench_ending;

typedef struct bench_failure_study {
  int is_measured;
  bench_ending ends[BENCH_FIXED_ALL];
  int failures;            ///< runs of the paper's list that failed or fell
  double correlation;      ///< of ranks: share and steps to failure; NAN: all alike
  double correlation_time; ///< the same with time instead of steps
  double correlation_all;  ///< the same with steps, longer ones than the paper's too
} bench_failure_study;

typedef struct bench_dissipation_study {
  int is_measured;
  double dt;
  int is_beyond;                       ///< dt is longer than all of the paper's, none of which fails
  bench_ending ends[2][BENCH_LAMBDAS]; ///< exponential; Rayleigh's of lambda / dt
} bench_dissipation_study;

// ---- Local errors ------------------------------------------------------------------------------------------

/// Error [J], energy [J], relative error.
static const double bench_c2a_stated_explicit[3] = {1.2306e-4, 0.13494, 0.0077389},
                    bench_c2a_stated_semi[3] = {1.5029e-4, 0.12875, 0.013904};

extern const char *const bench_scheme_names[FF_C2A_SCHEME_COUNT];

enum { BENCH_GAIT = 300 }; ///< steps of 1 ms
typedef struct bench_local_energy {
  int is_measured;
  double error, energy, share;  ///< means
  double end;                   ///< as of bench_ending
  double stability[BENCH_GAIT]; ///< mean energy over mean error, over a gait
  double feet[BENCH_GAIT];      ///< that stand, mean
  double stability_of[2];       ///< while some feet are in the air, while all stand
} bench_local_energy;

// ---- Error control -----------------------------------------------------------------------------------------

static const double bench_c2a_stated_mean = 2.3427e-3, bench_c2a_stated_walking = 2.1646e-3; // [s]

enum { BENCH_CONTROL_TROT, BENCH_CONTROL_STAND, BENCH_CONTROL_EXPLICIT, BENCH_CONTROLLED };
typedef struct bench_control_run {
  int is_measured;
  int steps, tries;
  double mean, walking; ///< length of a step [s]: of all, and since the trot began
  double shortest;      ///< share of steps that are as short as can be
  double seconds;       ///< in steps, the rejected ones too
  double failed_at;     ///< [s]; NAN: it did not
} bench_control_run;

// ---- Accuracy against time ---------------------------------------------------------------------------------

enum { BENCH_EQUALS_MOST = 12, BENCH_EQUAL_POINTS_MOST = 10, BENCH_EQUAL_ERRORS = 9, BENCH_EQUAL_LOOSE = 2 };
extern const double bench_equal_errors
    [BENCH_EQUAL_ERRORS]; ///< the first BENCH_EQUAL_LOOSE are told, no verdict looks at them

typedef enum bench_equal_kind { BENCH_FIRST_ORDER, BENCH_HIGHER_ORDER, BENCH_ERROR_CONTROL } bench_equal_kind;
enum { BENCH_EQUAL_KINDS = BENCH_ERROR_CONTROL + 1 };

/// One method with several steps or tolerances.
typedef struct bench_equal_way {
  char name[32];
  bench_equal_kind kind;
  int count;
  double setting[BENCH_EQUAL_POINTS_MOST]; ///< step [s], or tolerance
  double error[BENCH_EQUAL_POINTS_MOST];   ///< mean local error of a period, max-norm; NAN: a step failed
  double median[BENCH_EQUAL_POINTS_MOST];  ///< of the same errors
  double cost[BENCH_EQUAL_POINTS_MOST];    ///< seconds of a simulated second
} bench_equal_way;

/// Soft or hard contact: a truth of its own.
typedef struct bench_equality {
  int is_measured;
  bench_equal_way ways[BENCH_EQUALS_MOST];
  int count;
  double cost[BENCH_EQUAL_KINDS]
             [BENCH_EQUAL_ERRORS]; ///< of the fastest of its kind at such an error; NAN: none is so exact
  double gain[BENCH_EQUAL_KINDS];  ///< median over errors of first order's cost over its own; NAN
  double gain_of_medians[BENCH_EQUAL_KINDS]; ///< the same at equal median errors
} bench_equality;
enum { BENCH_SOFT, BENCH_HARD, BENCH_EQUALITIES };

// ---- All of it ---------------------------------------------------------------------------------------------

enum { BENCH_C2A_CLAIMS = 6 };
typedef struct bench_c2a {
  bench_sheet sheet;
  bench_rows *rows; ///< NULL: not wanted
  const char *scenes;
  int is_quick;
  bench_progress progress;
  bench_walker_study walker;
  bench_tunnel_study tunnel;
  bench_failure_study failure;
  bench_dissipation_study dissipation;
  bench_local_energy local[FF_C2A_SCHEME_COUNT];   ///< with the paper's law of impact
  bench_local_energy coulomb[FF_C2A_SCHEME_COUNT]; ///< with Coulomb's
  bench_control_run control[BENCH_CONTROLLED];
  bench_equality equal[BENCH_EQUALITIES];
  char no_mujoco[200]; ///< why it was not measured
  bench_claim claims[BENCH_C2A_CLAIMS];
  int claim_count;
} bench_c2a;

/// Roughly, in seconds.
double bench_c2a_walker_work(const bench_c2a *b);
double bench_c2a_failure_work(const bench_c2a *b);
double bench_c2a_dissipation_work(const bench_c2a *b);
double bench_c2a_local_work(const bench_c2a *b);
double bench_c2a_control_work(const bench_c2a *b);
double bench_c2a_equal_work(const bench_c2a *b);
double bench_c2a_tunnel_work(const bench_c2a *b);

/// Measure, print tables, add rows.
ff_status bench_c2a_walker(bench_c2a *b, ff_error *error);
ff_status bench_c2a_failure(bench_c2a *b, ff_error *error);
ff_status bench_c2a_dissipation(bench_c2a *b, ff_error *error);
ff_status bench_c2a_local(bench_c2a *b, ff_error *error);
ff_status bench_c2a_control(bench_c2a *b, ff_error *error);
ff_status bench_c2a_equal(bench_c2a *b, ff_error *error);
ff_status bench_c2a_tunnel(bench_c2a *b, ff_error *error);

void bench_c2a_judge(bench_c2a *b);
extern const char *const bench_c2a_rules[BENCH_C2A_CLAIMS];
void bench_c2a_html(const bench_c2a *b, FILE *file);
void bench_c2a_html_ours(const bench_c2a *b, FILE *file); ///< a part of it

/// A row, if rows are wanted.
void bench_c2a_row(const bench_c2a *b, const char *which, const char *metric, double value, const char *unit);

#endif
