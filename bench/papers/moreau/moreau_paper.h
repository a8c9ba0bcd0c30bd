/// moreau_paper.h: `footfall bench moreau-paper`: the evaluation of the Moreau paper, reproduced.
///
/// StarlETH trots, stands and is pushed over, on rigid and on compliant ground, in three sets of coordinates, with JOR
/// and SOR. Each study is a file:
///
///     moreau_paper_configs.c    Table 1: the eleven configurations and the paper's numbers
///     moreau_paper_replay.c     a motion recorded with its controller and timed without it
///     moreau_paper_stability.c  the fewest steps per control period that stay bounded
///     moreau_paper_alpha.c      Fig. 6: iterations over alpha, and the limit of alpha
///     moreau_paper_table.c      Table 1 and Fig. 7: times, iterations, drift of cut joints
///     moreau_paper_inverse.c    Fig. 7: the mass matrix, its factors and its inverse
///     moreau_paper_forces.c     Fig. 5: normal force of a foot; penetration of the compliant ground
///     moreau_paper_drift.c      feet that sink while standing
///     moreau_paper_push.c       random pushes with alpha at half its limit
///     moreau_paper_ball_pit.c   cost over the number of contacts; moreau_paper_stall.c: where JOR and SOR stall
///     moreau_paper_mujoco.c     MuJoCo on the same robot and the same pit
///     moreau_paper_claims.c     verdicts;  moreau_paper_html.c: the report
///
/// Studies keep their data in bench_moreau_paper, where the claims and the report read them.
#ifndef BENCH_MOREAU_PAPER_H
#define BENCH_MOREAU_PAPER_H

#include "papers/paper.h"

#include <footfall/scene.h>

// ---- Table 1 --------------------------------------------------------------------------------------------

enum { BENCH_MOREAU_ITERATIONS = 3000 };      ///< limit; beyond it a solve counts as not converged
enum { BENCH_MOREAU_SETS = 3 };               ///< minimal, extended, maximal coordinates
enum { BENCH_MOREAU_PUBLISHED_CONFIGS = 11 }; ///< of the paper; the first is compliant
enum { BENCH_MOREAU_CONFIGS = 17 }; ///< with `exact` and `sor-split` in each set of coordinates, ours
enum {
  BENCH_MOREAU_CM,
  BENCH_MOREAU_HMJ,
  BENCH_MOREAU_HMS,
  BENCH_MOREAU_HEJD,
  BENCH_MOREAU_HEJP,
  BENCH_MOREAU_HESD,
  BENCH_MOREAU_HESP
};
enum {
  BENCH_MOREAU_HMJD = BENCH_MOREAU_HESP + 1,
  BENCH_MOREAU_HMJP,
  BENCH_MOREAU_HMSD,
  BENCH_MOREAU_HMSP,
  BENCH_MOREAU_EXACT
};

typedef struct bench_moreau_paper_config {
  const char *name; ///< "HmJ"
  ff_cut_set set;
  ff_hard_contact contact;
  ff_hard_solver solver;
  ff_hard_bilateral bilateral;
  ff_hard_form form;       ///< the paper's direct scheme is the velocity form
  double alpha;            ///< the paper's; NAN: none
  double evals_per_s, rtf; ///< the paper's; NAN: none
} bench_moreau_paper_config;
extern const bench_moreau_paper_config bench_moreau_paper_configs[BENCH_MOREAU_CONFIGS];

/// Apply a configuration to a sim's definition. `alpha` 0: automatic.
void bench_moreau_paper_configs_apply(const bench_moreau_paper_config *config, double alpha, ff_sim_def *def);

typedef struct bench_moreau_paper_cost {
  int is_measured;
  /// Of a step: minimum over rounds, mean over the gait; standard deviation over steps, with phases timed.
  double us, deviation;
  double us_slow; ///< the other end of the interval of `us`, bench_claim_slower()
  double judging; ///< of `us`: Footfall judges the energy of a step, the paper's simulator does not
  double phase[FF_PHASE_COUNT]; ///< [us], mean
  double evals_per_s, rtf;
  int substeps;      ///< per control period
  double iterations; ///< mean of steps
  int iterations_most;
  double unconverged;      ///< share of the steps
  double alpha;            ///< 0: none
  double contacts;         ///< mean
  double drift_per_minute; ///< of cut joints [m/min]; NAN: none
  double drift;            ///< largest [m]
} bench_moreau_paper_cost;

/// Of one set of coordinates [us].
typedef struct bench_moreau_paper_inverse {
  int is_measured;
  double mass, factors; ///< M; its factors, which a step uses
  double inverse;       ///< M^-1 as a matrix, by the factors, which a step does not need
} bench_moreau_paper_inverse;

/// In the present state of a sim.
ff_status bench_moreau_paper_inverse_measure(const ff_sim *sim, bench_moreau_paper_inverse *out,
                                             ff_error *error);

// ---- Fig. 6 ---------------------------------------------------------------------------------------------

enum { BENCH_MOREAU_ALPHAS = 20 }; ///< 0.1, 0.2 .. 2

typedef struct bench_moreau_paper_alpha_curve {
  int is_measured;
  /// Mean over problems; NAN where one did not converge.
  double alpha[BENCH_MOREAU_ALPHAS], iterations[BENCH_MOREAU_ALPHAS];
  double failed[BENCH_MOREAU_ALPHAS]; ///< share of the problems
  double limit;            ///< the largest alpha with which all problems converge, resolved to 1/80; 0: none
  double half;             ///< iterations at half of it, mean
  double best, best_alpha; ///< fewest iterations on the grid, and where
} bench_moreau_paper_alpha_curve;

// ---- Stability, forces, drift, pushes -------------------------------------------------------------------

enum { BENCH_MOREAU_STABILITY_STEPS = 8, BENCH_MOREAU_GROUNDS = 3 };
/// Steps per control period.
extern const int bench_moreau_paper_stability_steps[BENCH_MOREAU_STABILITY_STEPS];
/// Hard, compliant, damped.
extern const char *const bench_moreau_paper_stability_grounds[BENCH_MOREAU_GROUNDS];

typedef struct bench_moreau_paper_stability {
  int is_measured;
  double speed[BENCH_MOREAU_GROUNDS][BENCH_MOREAU_STABILITY_STEPS]; ///< largest |v|; INFINITY: not bounded
  /// Fewest steps per period that stay bounded, as do all larger numbers that were tried; 0: none.
  int fewest[BENCH_MOREAU_GROUNDS];
  double limit;
} bench_moreau_paper_stability;

enum { BENCH_MOREAU_CYCLE_MOST = 12000, BENCH_MOREAU_FORCES = 4 };
/// Hard, compliant, damped, damped-fine.
extern const char *const bench_moreau_paper_forces_names[BENCH_MOREAU_FORCES];

typedef struct bench_moreau_paper_foot_force {
  int count;
  double time[BENCH_MOREAU_CYCLE_MOST], force[BENCH_MOREAU_CYCLE_MOST]; ///< [s], [N], of one gait cycle
  double mean, peak, dt;
  double sunk, deepest; ///< of feet in contact, mean and largest [m]
  double rough;         ///< mean |change of the force from step to step| per ms, while it stands [N/ms]
} bench_moreau_paper_foot_force;

enum { BENCH_MOREAU_DRIFT_STEPS = 4, BENCH_MOREAU_DRIFT_METHODS = 5, BENCH_MOREAU_CUT_STEPS = 3 };
extern const char *const bench_moreau_paper_drift_methods[BENCH_MOREAU_DRIFT_METHODS];
typedef struct bench_moreau_paper_drift {
  int is_measured;
  double dt[BENCH_MOREAU_DRIFT_STEPS]; ///< [s]
  /// The fastest foot [m/min], NAN: not measured.
  double sinking[BENCH_MOREAU_DRIFT_METHODS][BENCH_MOREAU_DRIFT_STEPS];

  double cut_dt[BENCH_MOREAU_CUT_STEPS];   ///< [s]
  double cut_rate[BENCH_MOREAU_CUT_STEPS]; ///< of cut joints, maximal coordinates, `exact` [m/min]
} bench_moreau_paper_drift;

enum { BENCH_MOREAU_CAPS = 4 };
extern const int
    bench_moreau_paper_push_caps[BENCH_MOREAU_CAPS]; ///< limits of iterations; the last is in force
enum { BENCH_MOREAU_LONGER_CAPS = 2, BENCH_MOREAU_LONGER_CONFIGS = 2 };
/// Longer ones, each in force once, for HmJ and HmS.
extern const int bench_moreau_paper_push_longer_caps[BENCH_MOREAU_LONGER_CAPS];

typedef struct bench_moreau_paper_push {
  int pushes, failures; ///< failures: a step failed, or |v| exceeded the limit of `bounded`
  int with_unconverged; ///< pushes with a step that did not converge
  long long steps, unconverged;
  /// Pushes with a step that took more iterations than a cap, and such steps.
  int with_more[BENCH_MOREAU_CAPS];
  long long more[BENCH_MOREAU_CAPS];
  double worst_residual;
  int contacts_most, iterations_most;
} bench_moreau_paper_push;

// ---- Ours -----------------------------------------------------------------------------------------------

enum { BENCH_MOREAU_PITS = 6, BENCH_MOREAU_SOLVERS = 3 };
extern const char *const bench_moreau_paper_ball_pit_solvers[BENCH_MOREAU_SOLVERS]; ///< jor, sor, exact

typedef struct bench_moreau_paper_ball_pit {
  int is_measured, balls;
  int contacts[BENCH_MOREAU_SOLVERS + 1]; ///< the last: MuJoCo's
  double us[BENCH_MOREAU_SOLVERS + 1];    ///< of a step
  double iterations[BENCH_MOREAU_SOLVERS], unconverged[BENCH_MOREAU_SOLVERS];
} bench_moreau_paper_ball_pit;

enum { BENCH_MOREAU_STALLS = 3 };
typedef struct bench_moreau_paper_stall {
  const char *name;
  int is_measured;
  double us[BENCH_MOREAU_SOLVERS], iterations[BENCH_MOREAU_SOLVERS], unconverged[BENCH_MOREAU_SOLVERS],
      residual[BENCH_MOREAU_SOLVERS];
} bench_moreau_paper_stall;

typedef struct bench_moreau_paper_mujoco_time {
  int is_measured;
  double us, contacts;
  char why[256]; ///< why it is not measured
} bench_moreau_paper_mujoco_time;

// ---- All of it ------------------------------------------------------------------------------------------

enum { BENCH_MOREAU_CLAIMS = 17 };

typedef struct bench_moreau_paper {
  bench_paper_run run;               ///< first, see paper.h
  ff_scene *trot[BENCH_MOREAU_SETS]; ///< starleth-trot in each set of coordinates
  double period, gait;               ///< of the controller, of the gait [s]
  int warm_cycles, cycles;           ///< gait cycles before measuring, and measured

  bench_moreau_paper_cost table[BENCH_MOREAU_CONFIGS];
  bench_moreau_paper_inverse inverse[BENCH_MOREAU_SETS];
  bench_moreau_paper_alpha_curve alphas[BENCH_MOREAU_CONFIGS];
  int problems; ///< of Fig. 6, for each set
  bench_moreau_paper_stability bounded;
  bench_moreau_paper_foot_force force[BENCH_MOREAU_FORCES];
  bench_moreau_paper_drift standing;
  bench_moreau_paper_push pushed[BENCH_MOREAU_CONFIGS];
  bench_moreau_paper_push longer[BENCH_MOREAU_LONGER_CONFIGS][BENCH_MOREAU_LONGER_CAPS]; ///< from HmJ on
  bench_moreau_paper_ball_pit pits[BENCH_MOREAU_PITS];
  bench_moreau_paper_stall stalls[BENCH_MOREAU_STALLS];
  bench_moreau_paper_mujoco_time mujoco;
} bench_moreau_paper;

/// Estimates [s].
double bench_moreau_paper_stability_work(const void *paper);
double bench_moreau_paper_alpha_work(const void *paper);
double bench_moreau_paper_table_work(const void *paper);
double bench_moreau_paper_forces_work(const void *paper);
double bench_moreau_paper_drift_work(const void *paper);
double bench_moreau_paper_push_work(const void *paper);
double bench_moreau_paper_ball_pit_work(const void *paper);
double bench_moreau_paper_stall_work(const void *paper);

/// Measure, print tables, add rows.
ff_status bench_moreau_paper_stability_run(void *paper, ff_error *error);
ff_status bench_moreau_paper_alpha_run(void *paper, ff_error *error);
ff_status bench_moreau_paper_table_run(void *paper, ff_error *error);
ff_status bench_moreau_paper_forces_run(void *paper, ff_error *error);
ff_status bench_moreau_paper_drift_run(void *paper, ff_error *error);
ff_status bench_moreau_paper_push_run(void *paper, ff_error *error);
ff_status bench_moreau_paper_ball_pit_run(void *paper, ff_error *error);
ff_status bench_moreau_paper_stall_run(void *paper, ff_error *error);

/// A scene of StarlETH on ground with the paper's friction and stiffness.
typedef struct bench_moreau_paper_scene_def {
  const char *file;
  ff_cut_set set;
  double damping; ///< of the ground [N s/m]
  int seed;       ///< of pushes; 0: none
} bench_moreau_paper_scene_def;

ff_status bench_moreau_paper_scene(const bench_moreau_paper *m, const bench_moreau_paper_scene_def *def,
                                   ff_scene **out, ff_error *error);

/// Alpha of a configuration: half the measured limit, else the paper's.
double bench_moreau_paper_configs_alpha(const bench_moreau_paper *m, int config);

/// Judge the claims by the measured data.
void bench_moreau_paper_claims_judge(void *paper);

extern const bench_claim_rule bench_moreau_paper_rules[BENCH_MOREAU_CLAIMS];

int bench_moreau_paper_html(const void *paper, FILE *file);

/// Names of the phases of a step.
extern const char *const bench_moreau_paper_table_phases[FF_PHASE_COUNT];

#endif
