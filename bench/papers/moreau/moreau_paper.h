/// moreau.h: `footfall bench moreau-paper`: the evaluation of the Moreau paper, done again.
///
/// StarlETH trots, stands and is pushed over, with rigid and with compliant ground, in three sets of coordinates and with two iterations. Each study is a file:
///
///     moreau_configs.c    Table 1: what the eleven configurations are, and the paper's numbers
///     moreau_driven.c     a robot that a scene controls, under a configuration
///     moreau_replay.c     a motion recorded with its controller, and timed without it
///     moreau_stability.c  the fewest steps per control period that stay bounded
///     moreau_alpha.c      Fig. 6: iterations against alpha, and alpha's limit
///     moreau_table.c      Table 1 and Fig. 7: times, iterations, drift of cut joints
///     moreau_forces.c     Fig. 5: normal force of a foot; how deep the compliant ground gives way
///     moreau_drift.c      feet that sink while standing
///     moreau_push.c       random pushes with alpha at half its limit
///     moreau_pit.c        cost against the number of contacts; moreau_stall.c: where JOR and SOR stall
///     moreau_peer.c       MuJoCo on the same robot, the same pit
///     moreau_claims.c     what the paper claims, judged by these data
///     moreau_html.c       the report
///
/// A study says how much work it is, measures, and keeps its data in bench_moreau, where the claims and the report find them.
#ifndef BENCH_MOREAU_H
#define BENCH_MOREAU_H

#include "common/claim.h"
#include "common/progress.h"

#include <footfall/scene.h>

// ---- Table 1 ------------------------------------------------------------------------------------------------------

enum { BENCH_ITERATIONS = 3000 };   ///< more count as not converging
enum { BENCH_SETS = 3 };            ///< minimal, extended, maximal coordinates
enum { BENCH_STATED_CONFIGS = 11 }; ///< of the paper; the first is compliant
enum { BENCH_CONFIGS = 14 };        ///< with `exact` in each set of coordinates, ours
enum { BENCH_CM, BENCH_HMJ, BENCH_HMS, BENCH_HEJD, BENCH_HEJP, BENCH_HESD, BENCH_HESP };
enum { BENCH_HMJD = BENCH_HESP + 1, BENCH_HMJP, BENCH_HMSD, BENCH_HMSP, BENCH_EXACT };

typedef struct bench_config {
  const char *name; ///< "HmJ"
  ff_cut_set set;
  ff_hard_contact contact;
  ff_hard_solver solver;
  ff_hard_bilateral bilateral;
  double alpha;            ///< the paper's; NAN: none
  double evals_per_s, rtf; ///< the paper's; NAN: none
} bench_config;
extern const bench_config bench_configs[BENCH_CONFIGS];

/// What a configuration changes of a sim's definition. `alpha` 0: automatic.
void bench_config_apply(const bench_config *config, double alpha, ff_sim_def *def);

typedef struct bench_evaluation {
  int is_measured;
  double us,
      deviation; ///< of a step: least over rounds, mean over the gait; standard deviation over steps, with phases told apart
  double phase[FF_PHASE_COUNT]; ///< [us], mean
  double evals_per_s, rtf;
  int substeps;      ///< per control period
  double iterations; ///< mean of steps
  int iterations_most;
  double unconverged;      ///< part of the steps
  double alpha;            ///< 0: none
  double contacts;         ///< mean
  double drift_per_minute; ///< of cut joints [m/min]; NAN: none
  double drift;            ///< largest [m]
} bench_evaluation;

// ---- Fig. 6 -------------------------------------------------------------------------------------------------------

enum { BENCH_ALPHAS = 20 }; ///< 0.1, 0.2 .. 2

typedef struct bench_alpha_curve {
  int is_measured;
  double alpha[BENCH_ALPHAS],
      iterations[BENCH_ALPHAS]; ///< mean over problems; NAN where one did not converge
  double failed[BENCH_ALPHAS];  ///< part of the problems
  double limit;                 ///< the largest alpha with which all problems converge, to 1/80; 0: none
  double half;                  ///< iterations at half of it, mean
  double best, best_alpha;      ///< fewest iterations on the grid, and where
} bench_alpha_curve;

// ---- Stability, forces, drift, pushes --------------------------------------------------------------------------

enum { BENCH_TRIED = 8, BENCH_GROUNDS = 3 };
extern const int bench_tried[BENCH_TRIED];                  ///< steps per control period
extern const char *const bench_ground_names[BENCH_GROUNDS]; ///< hard, compliant, damped

typedef struct bench_bounded {
  int is_measured;
  double speed[BENCH_GROUNDS][BENCH_TRIED]; ///< largest |v|; INFINITY: not bounded
  int fewest[BENCH_GROUNDS]; ///< steps per period that stay bounded, all more that were tried too; 0: none
  double limit;
} bench_bounded;

enum { BENCH_CYCLE_MOST = 12000, BENCH_FORCES = 4 };
extern const char *const bench_force_names[BENCH_FORCES]; ///< hard, compliant, damped, damped-fine

typedef struct bench_foot_force {
  int count;
  double time[BENCH_CYCLE_MOST], force[BENCH_CYCLE_MOST]; ///< [s], [N], of one gait cycle
  double mean, peak, dt;
  double sunk, deepest; ///< of feet that push, mean and most [m]
  double rough;         ///< mean |change of the force from step to step| per ms, while it stands [N/ms]
} bench_foot_force;

enum { BENCH_STEPS_STANDING = 4, BENCH_WAYS_STANDING = 5, BENCH_STEPS_CUT = 3 };
extern const char *const bench_ways_standing[BENCH_WAYS_STANDING];
typedef struct bench_standing {
  int is_measured;
  double dt[BENCH_STEPS_STANDING];                           ///< [s]
  double sinking[BENCH_WAYS_STANDING][BENCH_STEPS_STANDING]; ///< the fastest foot [m/min], NAN: not measured

  double cut_dt[BENCH_STEPS_CUT];   ///< [s]
  double cut_rate[BENCH_STEPS_CUT]; ///< of cut joints, maximal coordinates, `exact` [m/min]
} bench_standing;

typedef struct bench_pushed {
  int pushes, failures; ///< failures: steps that could not be taken, or a state that is not finite
  int with_unconverged; ///< pushes with a step that did not converge
  long long steps, unconverged;
  double worst_residual;
  int contacts_most, iterations_most;
} bench_pushed;

// ---- Ours ----------------------------------------------------------------------------------------------------------

enum { BENCH_PITS = 6, BENCH_SOLVERS = 3 };
extern const char *const bench_solvers[BENCH_SOLVERS]; ///< jor, sor, exact

typedef struct bench_pit {
  int is_measured, balls;
  int contacts[BENCH_SOLVERS + 1]; ///< the last: MuJoCo's
  double us[BENCH_SOLVERS + 1];    ///< of a step
  double iterations[BENCH_SOLVERS], unconverged[BENCH_SOLVERS];
} bench_pit;

enum { BENCH_STALLS = 3 };
typedef struct bench_stall {
  const char *name;
  int is_measured;
  double us[BENCH_SOLVERS], iterations[BENCH_SOLVERS], unconverged[BENCH_SOLVERS], residual[BENCH_SOLVERS];
} bench_stall;

typedef struct bench_rival {
  int is_measured;
  double us, contacts;
  char why[256]; ///< it is not
} bench_rival;

// ---- All of it ----------------------------------------------------------------------------------------------------

enum { BENCH_MOREAU_CLAIMS = 9 };

typedef struct bench_moreau {
  bench_sheet sheet;
  bench_rows *rows; ///< NULL: not wanted
  const char *scenes;
  int is_quick;
  bench_progress progress;
  ff_scene *trot[BENCH_SETS]; ///< starleth-trot in each set of coordinates
  double period, gait;        ///< of the controller, of the gait [s]
  int warm_cycles, cycles;    ///< of the gait: before, and measured

  bench_evaluation table[BENCH_CONFIGS];
  bench_alpha_curve alphas[BENCH_CONFIGS];
  int problems; ///< of Fig. 6, for each set
  bench_bounded bounded;
  bench_foot_force force[BENCH_FORCES];
  bench_standing standing;
  bench_pushed pushed[BENCH_CONFIGS];
  bench_pit pits[BENCH_PITS];
  bench_stall stalls[BENCH_STALLS];
  bench_rival mujoco;
  bench_claim claims[BENCH_MOREAU_CLAIMS];
  int claim_count;
} bench_moreau;

/// Roughly, in seconds.
double bench_moreau_stability_work(const bench_moreau *m);
double bench_moreau_alpha_work(const bench_moreau *m);
double bench_moreau_table_work(const bench_moreau *m);
double bench_moreau_forces_work(const bench_moreau *m);
double bench_moreau_drift_work(const bench_moreau *m);
double bench_moreau_push_work(const bench_moreau *m);
double bench_moreau_pit_work(const bench_moreau *m);
double bench_moreau_stall_work(const bench_moreau *m);

/// Measure, print tables, add rows.
ff_status bench_moreau_stability(bench_moreau *m, ff_error *error);
ff_status bench_moreau_alpha(bench_moreau *m, ff_error *error);
ff_status bench_moreau_table(bench_moreau *m, ff_error *error);
ff_status bench_moreau_forces(bench_moreau *m, ff_error *error);
ff_status bench_moreau_drift(bench_moreau *m, ff_error *error);
ff_status bench_moreau_push(bench_moreau *m, ff_error *error);
ff_status bench_moreau_pit(bench_moreau *m, ff_error *error);
ff_status bench_moreau_stall(bench_moreau *m, ff_error *error);

/// A scene of StarlETH in a set of coordinates, its ground with the paper's friction, stiffness and `damping` [N s/m]. `seed` of pushes, 0: none.
ff_status bench_moreau_scene(const bench_moreau *m, const char *file, ff_cut_set set, double damping,
                             int seed, ff_scene **out, ff_error *error);

/// Alpha of a configuration: half the limit that was found, the paper's where none was.
double bench_moreau_alpha_of(const bench_moreau *m, int config);

/// Judge by what was measured.
void bench_moreau_judge(bench_moreau *m);

/// The rules of the verdicts, said before anything is measured.
extern const char *const bench_moreau_rules[BENCH_MOREAU_CLAIMS];

void bench_moreau_html(const bench_moreau *m, FILE *file);

/// Parts of the report's names: what the phases of a step hold.
extern const char *const bench_moreau_phases[FF_PHASE_COUNT];

#endif
