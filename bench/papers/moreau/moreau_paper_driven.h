/// moreau_driven.h: a robot that a scene controls, in the scene's coordinates, with a sim of our own.
#ifndef BENCH_MOREAU_DRIVEN_H
#define BENCH_MOREAU_DRIVEN_H

#include <footfall/scene.h>

typedef struct bench_driven {
  ff_scene *scene;   ///< not owned
  const ff_cut *cut; ///< of the scene; NULL: minimal coordinates
  ff_sim *sim;
  int nq, nv;          ///< of the model
  int own_nv;          ///< of the sim
  int substeps;        ///< per control period
  long long steps;     ///< taken
  double period;       ///< [s]
  double *q, *v, *tau; ///< of the model; torques of this period
  double *own_tau;     ///< of the sim, of this step
  double height;       ///< of the base at the start [m]
} bench_driven;

/// At the scene's start. `def` is changed by dt only. On failure everything is released.
ff_status bench_driven_create(ff_scene *scene, const ff_sim_def *def, int substeps, bench_driven *out,
                              ff_error *error);
void bench_driven_free(bench_driven *d);

/// The controller is asked when a period begins; own_tau is then what the step would get.
ff_status bench_driven_control(bench_driven *d, ff_error *error);
/// control and a step.
ff_status bench_driven_step(bench_driven *d, ff_error *error);

double bench_driven_speed(const bench_driven *d); ///< |v| of the sim
int bench_driven_is_upright(
    const bench_driven *d); ///< less than 45 degrees from it, and above half its height; q of the last period

#endif
