/// c2a_trot.h: the paper's trotting robot (scenes/links-trot.yaml) in fixed steps, controlled before each step.
///
/// A run ends when the robot *fails* in the paper's sense: its kinetic energy exceeds 1e7 J, or a step or the
/// controller fails. A *fall* (more than 45 degrees, or less than half its height) is recorded but does not end it.
///
/// **The local error** of a step is the paper's: the kinetic energy after it minus that after two half steps from the
/// same state with the same torques.
#ifndef BENCH_C2A_TROT_H
#define BENCH_C2A_TROT_H

#include "papers/controlled_robot.h"

extern const double bench_c2a_trot_gait;  ///< duration of a gait cycle [s]
extern const char bench_c2a_trot_scene[]; ///< file name

/// The controller. The paper's is inverse dynamics at the present instant; the scene's plans torques for the middle of
/// the control period, which tolerates longer ones.
typedef enum bench_c2a_trot_controller {
  BENCH_C2A_PRESENT,
  BENCH_C2A_MIDDLE,
  BENCH_C2A_CONTROLLERS
} bench_c2a_trot_controller;

typedef struct bench_c2a_trot_scene_def {
  const char *scenes; ///< as for bench_shipped_file_scene()
  double period;      ///< of control [s]
  double start;       ///< the robot stands until then [s]
  bench_c2a_trot_controller controller;
} bench_c2a_trot_scene_def;

ff_status bench_c2a_trot_load(const bench_c2a_trot_scene_def *def, ff_scene **out, ff_error *error);

/// Options with the paper's impact law, which minimises kinetic energy; the default is Coulomb's.
ff_c2a_def bench_c2a_trot_options(void);

/// Plain time-stepping: `ca` with its minimum step equal to its step.
ff_sim_def bench_c2a_trot_plain(const ff_scene *scene, double dt);

typedef struct bench_c2a_trot_sample {
  double error;  ///< |E' - E''| [J]; NAN: the half steps failed
  double energy; ///< E'' [J]
  int feet;      ///< in contact at the start of the step
} bench_c2a_trot_sample;

/// The error relative to the energy, at least relative to 1e-6 J.
double bench_c2a_trot_share(const bench_c2a_trot_sample *sample);

typedef struct bench_c2a_trot_def {
  const char *scenes;
  bench_c2a_trot_controller controller;
  double dt, duration; ///< [s]
  ff_c2a_def c2a;      ///< its h_min is not used
  int sampled;         ///< number of steps, from the first, whose local error is measured
} bench_c2a_trot_def;

typedef struct bench_c2a_trot_run {
  int steps;                      ///< taken
  int failed_at, fell_at;         ///< after so many steps; -1: it did not
  bench_c2a_trot_sample *samples; ///< [watched] or less: [sample_count]
  int sample_count;
} bench_c2a_trot_run;

ff_status bench_c2a_trot_go(const bench_c2a_trot_def *def, bench_c2a_trot_run *out, ff_error *error);
void bench_c2a_trot_run_free(bench_c2a_trot_run *run);

/// Steps until it failed or fell; `none` if it did neither.
double bench_c2a_trot_end(const bench_c2a_trot_run *run, double none);

#endif
