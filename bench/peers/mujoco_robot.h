/// mujoco_robot.h: one model in MuJoCo with its data, and our states in its coordinates.
#ifndef BENCH_MUJOCO_ROBOT_H
#define BENCH_MUJOCO_ROBOT_H

#include "peers/mujoco_peer.h"

#include <footfall/model.h>

typedef struct bench_mujoco_robot {
  const bench_mujoco_peer *peer;
  bench_mujoco_model m;
  bench_mujoco_data d;
} bench_mujoco_robot;

/// From MJCF text. 0 without MuJoCo, or if it refuses the text; `why` then says so, and nothing needs to be closed.
int bench_mujoco_robot_open_text(bench_mujoco_robot *robot, const char *text, char *why, size_t size);

/// Our model, unchanged if MuJoCo accepts it, else with repaired inertias. `has_contacts` as in mjcf_text.h.
int bench_mujoco_robot_open(bench_mujoco_robot *robot, const ff_model *model, int has_contacts, char *why,
                            size_t size);

/// From a file, MJCF or URDF.
int bench_mujoco_robot_open_file(bench_mujoco_robot *robot, const char *path, char *why, size_t size);

void bench_mujoco_robot_close(bench_mujoco_robot *robot); ///< zeros are fine

void bench_mujoco_robot_step(bench_mujoco_robot *robot);

/// Is the velocity finite?
int bench_mujoco_robot_is_finite(const bench_mujoco_robot *robot);

/// One state in MuJoCo's coordinates: quaternions w first, linear velocity of free bodies in world axes. Joints have
/// the same order and the same sizes. And back.
void bench_mujoco_robot_convert(const ff_model *model, const double *q, const double *v, double *qpos,
                                double *qvel);
void bench_mujoco_robot_convert_back(const ff_model *model, const double *qpos, const double *qvel, double *q,
                                     double *v);

#endif
