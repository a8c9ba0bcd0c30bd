/// ess_paper.h: `footfall bench ess-paper`: the experiments of the ESS paper, done again.
///
/// Systems and what moves them are files of their own: ess_order.c, ess_hopper.c, ess_plate.c (the equations), ess_trace.c (movers), ess_peer.c (MuJoCo), ess_robot.c (our steppers).
/// Studies use them:
///
///     ess_paper_order.c    Fig. 4.1: error against epsilon
///     ess_paper_hopper.c   Table 5.1, Fig. 5.1: epsilon at MuJoCo's error, times; the hopper with a preload
///     ess_paper_equal.c    times at equal error, steps as long as tolerances allow: projected against located guards
///     ess_paper_plate.c    Fig. 5.2: time against contacts; up to a thousand of them; the plate that MuJoCo and our steppers know
///     ess_paper_claims.c   verdicts;  ess_paper_html.c: the report
///
/// Movers are called by the same names everywhere: "ess" is ff_ess with projections, "dopri5" is ff_ess with each guard located as a root.
#ifndef BENCH_ESS_PAPER_H
#define BENCH_ESS_PAPER_H

#include "common/claim.h"
#include "common/progress.h"
#include "papers/ess/ess_hopper.h"
#include "papers/ess/ess_plate.h"

/// What the paper says.
static const double bench_ess_stated_order = 2.1, bench_ess_stated_epsilon = 0.13;
static const double bench_ess_stated_mujoco = 0.002436, bench_ess_stated_ours = 0.010251; // [s]

extern const double bench_ess_step;     ///< of MuJoCo and of all that have no choice [s]
extern const double bench_ess_duration; ///< of hopping and falling [s]
extern const bench_hopper bench_ess_hopper;
bench_plate bench_ess_plate(int springs, int has_feet); ///< the same bed, whatever the number

/// ff_ess as the paper had it: steps of bench_ess_step between guards.
ff_ess_def bench_ess_paced(ff_ess_def def, ff_ess_method method, double epsilon);
/// A truth: all guards located, tight tolerances.
ff_ess_def bench_ess_tight(ff_ess_def def);

// ---- Order -------------------------------------------------------------------------------------------------

enum { BENCH_ORDER_SAMPLES = 40, BENCH_ORDER_FIRST = 9, BENCH_ORDER_LAST = 33 };
typedef struct bench_order_study {
  int is_measured;
  double epsilon[BENCH_ORDER_SAMPLES], error[BENCH_ORDER_SAMPLES];
  double order, factor; ///< error = factor epsilon^order, fitted from first to last
} bench_order_study;

// ---- Hopper ------------------------------------------------------------------------------------------------

typedef struct bench_way {
  const char *name;
  int is_measured;
  double error, seconds;
  double epsilon; ///< of ess; NAN: of others
  char why[200];  ///< it is not measured, or a remark
} bench_way;

enum { BENCH_HOP_CONTACT, BENCH_HOP_LIMIT, BENCH_HOP_FORCE, BENCH_HOP_RK4, BENCH_HOP_PEERS };
enum { BENCH_HOP_ESS = BENCH_HOP_PEERS, BENCH_HOP_DOPRI5, BENCH_HOP_EXPO, BENCH_HOP_WAYS };
enum { BENCH_PRELOADED_ESS, BENCH_PRELOADED_DOPRI5, BENCH_PRELOADED_FORCE, BENCH_PRELOADED_EXPO };
enum { BENCH_PRELOADED_WAYS = BENCH_PRELOADED_EXPO + 1 };
typedef struct bench_hopper_study {
  int is_measured;
  bench_way ways[BENCH_HOP_WAYS];
  double epsilon[BENCH_HOP_PEERS];         ///< at which ess has the error of this way of MuJoCo; NAN
  double seconds[BENCH_HOP_PEERS];         ///< of ess with it
  bench_trace trace[2];                    ///< MuJoCo's, contact; ours
  bench_hopper preloaded;                  ///< the other hopper
  bench_way preload[BENCH_PRELOADED_WAYS]; ///< on it
  double preload_order;                    ///< slope of ess's error against epsilon
} bench_hopper_study;

// ---- Equal error -------------------------------------------------------------------------------------------

enum { BENCH_EQUAL_SYSTEMS = 5, BENCH_EQUAL_LEVELS = 6, BENCH_EQUAL_POINTS = 136 };
extern const double bench_equal_levels[BENCH_EQUAL_LEVELS];

typedef struct bench_equal_curve {
  int count;
  double error[BENCH_EQUAL_POINTS], seconds[BENCH_EQUAL_POINTS];
  double epsilon[BENCH_EQUAL_POINTS], tolerance[BENCH_EQUAL_POINTS];
} bench_equal_curve;

typedef struct bench_equal_study {
  int is_measured;
  char name[24];
  bench_equal_curve curves[2]; ///< ess, dopri5
  double
      at_level[BENCH_EQUAL_LEVELS]; ///< time of dopri5 over that of ess; NAN: one of them is never so exact
  double at_mujoco;                 ///< the same at the error of MuJoCo on the hopper
  double seconds[2];                ///< of a run at that error
} bench_equal_study;

// ---- Plates ------------------------------------------------------------------------------------------------

enum { BENCH_PLATES = 11, BENCH_STARTS_MOST = 120 };
enum { BENCH_PLATE_ESS, BENCH_PLATE_DOPRI5, BENCH_PLATE_MUJOCO, BENCH_PLATE_EXPO, BENCH_PLATE_WAYS };
extern const char *const bench_plate_names[BENCH_PLATE_WAYS];

typedef struct bench_plate_case {
  int is_measured, springs;
  double seconds[BENCH_PLATE_WAYS]; ///< of a run, median over starts; NAN: not measured
  double error[BENCH_PLATE_WAYS];   ///< RMS over some starts
  double crossings, turned;         ///< of ess, mean over starts
} bench_plate_case;

typedef struct bench_plate_study {
  int is_measured, starts, count;
  bench_plate_case cases[BENCH_PLATES];
  double marginal[BENCH_PLATE_WAYS]; ///< slope of the median against the contacts [s]
  double rough[BENCH_PLATE_WAYS];    ///< a median off a parabola in n, at most
} bench_plate_study;

// ---- All of it ---------------------------------------------------------------------------------------------

enum { BENCH_ESS_CLAIMS = 3 };
typedef struct bench_ess {
  bench_sheet sheet;
  bench_rows *rows; ///< NULL: not wanted
  int is_quick;
  bench_progress progress;
  double epsilon; ///< at which ess has MuJoCo's error on the hopper, once that is known
  double target;  ///< that error
  bench_order_study order;
  bench_hopper_study hopper;
  bench_equal_study equal[BENCH_EQUAL_SYSTEMS];
  bench_plate_study bed, crowd, feet;
  char no_mujoco[200]; ///< why it was not measured
  bench_claim claims[BENCH_ESS_CLAIMS];
  int claim_count;
} bench_ess;

/// Roughly, in seconds.
double bench_ess_order_work(const bench_ess *b);
double bench_ess_hopper_work(const bench_ess *b);
double bench_ess_equal_work(const bench_ess *b);
double bench_ess_bed_work(const bench_ess *b);
double bench_ess_crowd_work(const bench_ess *b);
double bench_ess_feet_work(const bench_ess *b);

/// Measure, print tables, add rows.
ff_status bench_ess_order(bench_ess *b, ff_error *error);
ff_status bench_ess_hopping(bench_ess *b, ff_error *error);
ff_status bench_ess_equal(bench_ess *b, ff_error *error);
ff_status bench_ess_bed(bench_ess *b, ff_error *error);
ff_status bench_ess_crowd(bench_ess *b, ff_error *error);
ff_status bench_ess_feet(bench_ess *b, ff_error *error);

void bench_ess_judge(bench_ess *b);
extern const char *const bench_ess_rules[BENCH_ESS_CLAIMS];
void bench_ess_html(const bench_ess *b, FILE *file);

/// A row, if rows are wanted.
void bench_ess_row(const bench_ess *b, const char *which, const char *metric, double value, const char *unit);

/// Slope and value at log x = 0 of a line through (log x, log y), natural logarithms, from `first` to `last`.
double bench_ess_fit(const double *x, const double *y, int first, int last, double *factor);

#endif
