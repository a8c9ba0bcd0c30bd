/// c2a_trot.h: the trotting robot of the paper (scenes/links-trot.yaml) in fixed steps, its controller asked before each, and what becomes of it.
///
/// A run goes on until the robot *fails*, in the paper's sense: its kinetic energy is above 1e7 J, or a step or the controller fails. A *fall* (more than 45 degrees, or less than half its height) is noted on the way.
///
/// **The local error** of a step is the paper's: the kinetic energy after it less that after two steps of half its length from the same state with the same torques.
#ifndef BENCH_C2A_TROT_H
#define BENCH_C2A_TROT_H

#include "papers/moreau/moreau_paper_driven.h"

extern const double bench_trot_gait;  ///< duration of a gait cycle [s]
extern const char bench_trot_scene[]; ///< file name

/// Load the scene with this period of control; the robot stands until `start`. `scenes` as for bench_find_scene().
ff_status bench_trot_load(const char *scenes, double period, double start, ff_scene **out, ff_error *error);

/// Options with the paper's law of impact, that of least kinetic energy; the default is Coulomb's.
ff_c2a_def bench_trot_c2a(void);

/// Plain time-stepping: `ca` whose shortest step is its step.
ff_sim_def bench_trot_plain(const ff_scene *scene, double dt);

typedef struct bench_trot_sample {
  double error;  ///< |E' - E''| [J]; NAN: the half steps failed
  double energy; ///< E'' [J]
  int feet;      ///< in contact at the start of the step
} bench_trot_sample;

/// Relative to the energy, of which a millionth of a joule is the least that counts.
double bench_trot_share(const bench_trot_sample *sample);

typedef struct bench_trot_def {
  const char *scenes;
  double dt, duration; ///< [s]
  ff_c2a_def c2a;      ///< its h_min is not used
  int watched;         ///< steps whose local error is looked at, from the first
} bench_trot_def;

typedef struct bench_trot_run {
  int steps;                  ///< taken
  int failed_at, fell_at;     ///< after so many steps; -1: it did not
  bench_trot_sample *samples; ///< [watched] or less: [sample_count]
  int sample_count;
} bench_trot_run;

ff_status bench_trot_go(const bench_trot_def *def, bench_trot_run *out, ff_error *error);
void bench_trot_run_free(bench_trot_run *run);

/// After how many steps it failed or fell; `none` if it did neither.
double bench_trot_end(const bench_trot_run *run, double none);

#endif
