/// ess_paper.h: `footfall bench ess-paper`: the experiments of the ESS paper, reproduced.
///
/// Systems: ess_order.c, ess_hopper.c, ess_plate.c (equations). Simulators: ess_simulator.c (ff_ess), ess_mujoco.c,
/// ess_robot.c (our steppers). Studies:
///
///     ess_paper_order.c           Fig. 4.1: error over epsilon
///     ess_paper_hopper.c          Table 5.1, Fig. 5.1: epsilon at MuJoCo's error, times; the hopper with a preload
///     ess_paper_work_precision.c  times at equal error with adaptive steps: projected and located guards
///     ess_paper_plate.c           Fig. 5.2: time over contacts, up to a thousand; the plate with feet
///     ess_paper_proof.c           section 6: the bound on a projection's error;  Fig. 3.1: constant fields
///     ess_paper_robots.c          the stepper ess on robots
///     ess_paper_claims.c          verdicts;  ess_paper_html.c: the report
///
/// Simulators have the same names everywhere: "ess" is ff_ess with projections, "dopri5" is ff_ess with each guard
/// located as a root. A "truth" is a reference solution.
#ifndef BENCH_ESS_PAPER_H
#define BENCH_ESS_PAPER_H

#include "papers/ess/ess_hopper.h"
#include "papers/ess/ess_plate.h"
#include "papers/paper.h"

/// The paper's numbers.
static const double bench_ess_paper_published_order = 2.1, bench_ess_paper_published_epsilon = 0.13;
static const double bench_ess_paper_published_mujoco = 0.002436,
                    bench_ess_paper_published_ess = 0.010251; // [s]

extern const double bench_ess_paper_step;     ///< of MuJoCo and of all methods with fixed steps [s]
extern const double bench_ess_paper_duration; ///< of hopping and falling [s]
extern const bench_ess_hopper bench_ess_paper_usual_hopper;
/// The same bed for any number of springs.
bench_ess_plate bench_ess_paper_make_plate(int springs, int has_feet);

/// ff_ess as in the paper: steps of bench_ess_paper_step between guards.
ff_ess_def bench_ess_paper_fixed_steps(ff_ess_def def, ff_ess_method method, double epsilon);
/// A truth: all guards located, tight tolerances.
ff_ess_def bench_ess_paper_tight(ff_ess_def def);

// ---- Order ----------------------------------------------------------------------------------------------

enum { BENCH_ESS_ORDER_SAMPLES = 40, BENCH_ESS_ORDER_FIRST = 9, BENCH_ESS_ORDER_LAST = 33 };
typedef struct bench_ess_paper_order {
  int is_measured;
  double epsilon[BENCH_ESS_ORDER_SAMPLES], error[BENCH_ESS_ORDER_SAMPLES];
  double order, factor; ///< error = factor epsilon^order, fitted from first to last
} bench_ess_paper_order;

// ---- Hopper ---------------------------------------------------------------------------------------------

typedef struct bench_ess_paper_method {
  const char *name;
  int is_measured;
  double error, seconds;
  double epsilon; ///< of ess; NAN: of others
  char why[200];  ///< why it is not measured, or a remark
} bench_ess_paper_method;

enum {
  BENCH_ESS_HOP_CONTACT,
  BENCH_ESS_HOP_LIMIT,
  BENCH_ESS_HOP_FORCE,
  BENCH_ESS_HOP_RK4,
  BENCH_ESS_HOP_PEERS
};
enum {
  BENCH_ESS_HOP_ESS = BENCH_ESS_HOP_PEERS,
  BENCH_ESS_HOP_DOPRI5,
  BENCH_ESS_HOP_EXPO,
  BENCH_ESS_HOP_METHODS
};
enum {
  BENCH_ESS_PRELOADED_ESS,
  BENCH_ESS_PRELOADED_DOPRI5,
  BENCH_ESS_PRELOADED_FORCE,
  BENCH_ESS_PRELOADED_EXPO
};
enum { BENCH_ESS_PRELOADED_METHODS = BENCH_ESS_PRELOADED_EXPO + 1 };
typedef struct bench_ess_paper_hopper {
  int is_measured;
  bench_ess_paper_method methods[BENCH_ESS_HOP_METHODS];
  double epsilon[BENCH_ESS_HOP_PEERS]; ///< at which ess has the error of this variant of MuJoCo; NAN: none
  double seconds[BENCH_ESS_HOP_PEERS]; ///< of ess with it
  bench_ess_trace trace[2];            ///< MuJoCo's, contact; ours
  bench_ess_hopper preloaded;          ///< the other hopper
  bench_ess_paper_method preload[BENCH_ESS_PRELOADED_METHODS]; ///< on it
  double preload_order;                                        ///< slope of ess's error against epsilon
} bench_ess_paper_hopper;

// ---- Equal error ----------------------------------------------------------------------------------------

enum { BENCH_ESS_SYSTEMS = 5, BENCH_ESS_ERROR_LEVELS = 6, BENCH_ESS_WORK_PRECISION_POINTS = 136 };
extern const double bench_ess_paper_work_precision_levels[BENCH_ESS_ERROR_LEVELS];

typedef struct bench_ess_paper_work_precision_curve {
  int count;
  double error[BENCH_ESS_WORK_PRECISION_POINTS], seconds[BENCH_ESS_WORK_PRECISION_POINTS];
  double slow[BENCH_ESS_WORK_PRECISION_POINTS]; ///< the longer of two shortest times, each of half the rounds
  double epsilon[BENCH_ESS_WORK_PRECISION_POINTS], tolerance[BENCH_ESS_WORK_PRECISION_POINTS];
} bench_ess_paper_work_precision_curve;

/// NAN: one of the two does not reach this error.
typedef struct bench_ess_paper_work_precision_ratio {
  double at_level[BENCH_ESS_ERROR_LEVELS];
  double at_mujoco;                     ///< the same at the error of MuJoCo on the hopper
  double at_mujoco_low, at_mujoco_high; ///< its interval
} bench_ess_paper_work_precision_ratio;

/// How guards are crossed: by projection; located by the same search as the edges of its bands, as a band of no width;
/// located with samples inside every step, so that none is missed.
enum { BENCH_ESS_PROJECTED, BENCH_ESS_SEARCHED, BENCH_ESS_SAMPLED, BENCH_ESS_SEARCHES };
extern const char *const bench_ess_paper_work_precision_searches[BENCH_ESS_SEARCHES];

typedef struct bench_ess_paper_work_precision {
  int is_measured;
  char name[24];
  bench_ess_paper_work_precision_curve curves[BENCH_ESS_SEARCHES];
  bench_ess_paper_work_precision_ratio over[BENCH_ESS_SEARCHES]; ///< time over that of ess
  double seconds[BENCH_ESS_SEARCHES]; ///< of a run at the error of MuJoCo on the hopper
} bench_ess_paper_work_precision;

// ---- Plates ---------------------------------------------------------------------------------------------

enum { BENCH_ESS_PLATES = 11, BENCH_ESS_STARTS_MOST = 120 };
enum {
  BENCH_ESS_PLATE_ESS,
  BENCH_ESS_PLATE_DOPRI5,
  BENCH_ESS_PLATE_MUJOCO,
  BENCH_ESS_PLATE_EXPO,
  BENCH_ESS_PLATE_METHODS
};
extern const char *const bench_ess_paper_plate_methods[BENCH_ESS_PLATE_METHODS];

typedef struct bench_ess_paper_plate_case {
  int is_measured, springs;
  double seconds[BENCH_ESS_PLATE_METHODS]; ///< of a run, median over starts; NAN: not measured
  double half[2][BENCH_ESS_PLATE_METHODS]; ///< the same over every other start
  double error[BENCH_ESS_PLATE_METHODS];   ///< RMS over some starts
  double crossings, turned;                ///< of ess, mean over starts
} bench_ess_paper_plate_case;

typedef struct bench_ess_paper_plate {
  int is_measured, starts, count;
  bench_ess_paper_plate_case cases[BENCH_ESS_PLATES];
  double marginal[BENCH_ESS_PLATE_METHODS];         ///< slope of the median against the contacts [s]
  double marginal_half[2][BENCH_ESS_PLATE_METHODS]; ///< by every other start
  double rough[BENCH_ESS_PLATE_METHODS]; ///< largest relative deviation of a median from a parabola in n
} bench_ess_paper_plate;

// ---- Section 6, Fig. 3.1 --------------------------------------------------------------------------------

enum { BENCH_ESS_PROOF_EPSILONS = 6, BENCH_ESS_PROOF_FIELDS = 400 };
typedef struct bench_ess_paper_proof {
  int is_measured;
  double epsilon[BENCH_ESS_PROOF_EPSILONS];
  double error[BENCH_ESS_PROOF_EPSILONS]; ///< largest distance of a projected from the true crossing
  double share[BENCH_ESS_PROOF_EPSILONS]; ///< largest share of the bound
  double off;                             ///< Fig. 3.1: largest distance from the exact end
  bench_ess_trace figure;
} bench_ess_paper_proof;

/// Two points of a guard of Fig. 3.1.
void bench_ess_paper_proof_guard(int guard, double x[2], double y[2]);

// ---- Robots ---------------------------------------------------------------------------------------------

enum { BENCH_ESS_ROBOTS = 4 };
enum { BENCH_ESS_ROBOT_ESS, BENCH_ESS_ROBOT_EXPO, BENCH_ESS_ROBOT_RK4, BENCH_ESS_ROBOT_SCHEMES };
extern const char *const bench_ess_paper_robots_names[BENCH_ESS_ROBOTS];

typedef struct bench_ess_paper_robot {
  int is_measured;
  double period; ///< of its controller [s]
  /// Of a control period: mean local error, NAN where a period failed; times real time; the same by slower times. rk4
  /// with its longest step whose error is below 0.1.
  double error[BENCH_ESS_ROBOT_SCHEMES], speed[BENCH_ESS_ROBOT_SCHEMES], slower[BENCH_ESS_ROBOT_SCHEMES];
  double dt[BENCH_ESS_ROBOT_SCHEMES]; ///< step [s]
  double
      longest[BENCH_ESS_ROBOT_SCHEMES]; ///< computation of a period, by the shortest of all repetitions [s]
} bench_ess_paper_robot;

// ---- All of it ------------------------------------------------------------------------------------------

enum { BENCH_ESS_CLAIMS = 6 };
typedef struct bench_ess_paper {
  bench_paper_run run; ///< first, see paper.h
  double epsilon;      ///< at which ess has MuJoCo's error on the hopper, once that is known
  double target;       ///< that error
  bench_ess_paper_order order;
  bench_ess_paper_hopper hopper;
  bench_ess_paper_work_precision equal[BENCH_ESS_SYSTEMS];
  bench_ess_paper_plate bed, crowd, feet;
  bench_ess_paper_proof proof;
  bench_ess_paper_robot robots[BENCH_ESS_ROBOTS];
  char no_mujoco[200]; ///< why it was not measured
} bench_ess_paper;

/// Estimates [s].
double bench_ess_paper_order_work(const void *paper);
double bench_ess_paper_hopper_work(const void *paper);
double bench_ess_paper_work_precision_work(const void *paper);
double bench_ess_paper_plate_bed_work(const void *paper);
double bench_ess_paper_plate_crowd_work(const void *paper);
double bench_ess_paper_plate_feet_work(const void *paper);
double bench_ess_paper_proof_work(const void *paper);
double bench_ess_paper_robots_work(const void *paper);

/// Measure, print tables, add rows.
ff_status bench_ess_paper_order_run(void *paper, ff_error *error);
ff_status bench_ess_paper_hopper_run(void *paper, ff_error *error);
ff_status bench_ess_paper_work_precision_run(void *paper, ff_error *error);
ff_status bench_ess_paper_plate_bed_run(void *paper, ff_error *error);
ff_status bench_ess_paper_plate_crowd_run(void *paper, ff_error *error);
ff_status bench_ess_paper_plate_feet_run(void *paper, ff_error *error);
ff_status bench_ess_paper_proof_run(void *paper, ff_error *error);
ff_status bench_ess_paper_robots_run(void *paper, ff_error *error);

void bench_ess_paper_claims_judge(void *paper);
extern const bench_claim_rule bench_ess_paper_rules[BENCH_ESS_CLAIMS];
int bench_ess_paper_html(const void *paper, FILE *file);
void bench_ess_paper_html_proof(FILE *file, const bench_ess_paper *paper);  ///< part of it
void bench_ess_paper_html_robots(FILE *file, const bench_ess_paper *paper); ///< part of it

/// Fit log y = slope log x + log factor, natural logarithms, from `first` to `last`. Returns the slope.
double bench_ess_paper_fit(const double *x, const double *y, int first, int last, double *factor);

#endif
