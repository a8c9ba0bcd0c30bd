/// mujoco_version.h: the version of MuJoCo, for reports.
#ifndef BENCH_MUJOCO_VERSION_H
#define BENCH_MUJOCO_VERSION_H

const char *bench_mujoco_version(void); ///< "" without MuJoCo

#endif
