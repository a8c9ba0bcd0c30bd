/// controlled_robot.h: a scene's robot and controller with a sim of the benchmark's own, in the scene's coordinates.
#ifndef BENCH_CONTROLLED_ROBOT_H
#define BENCH_CONTROLLED_ROBOT_H

#include <footfall/scene.h>

typedef struct bench_controlled_robot {
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
} bench_controlled_robot;

/// At the scene's start. `def` is used with dt replaced. On failure everything is released.
ff_status bench_controlled_robot_create(ff_scene *scene, const ff_sim_def *def, int substeps,
                                        bench_controlled_robot *out, ff_error *error);
void bench_controlled_robot_free(bench_controlled_robot *d);

/// Call the controller if a period begins; own_tau then holds the torques of the next step.
ff_status bench_controlled_robot_control(bench_controlled_robot *d, ff_error *error);
/// Control, then take a step.
ff_status bench_controlled_robot_step(bench_controlled_robot *d, ff_error *error);

double bench_controlled_robot_speed(const bench_controlled_robot *d); ///< |v| of the sim
/// Less than 45 degrees from upright and above half its height; by q of the last period.
int bench_controlled_robot_is_upright(const bench_controlled_robot *d);

#endif
