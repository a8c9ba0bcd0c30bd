/// dynamics_run.h: everything that `footfall bench dynamics` measures, in one process.
///
/// open loads the robots and makes the tasks; measure runs them in turns; figure reads off the results.
#ifndef BENCH_DYNAMICS_RUN_H
#define BENCH_DYNAMICS_RUN_H

#include "common/robot.h"
#include "common/timer.h"
#include "peers/peer_mujoco.h"

enum { BENCH_CASES = 2, BENCH_MAX_KERNELS = 32, BENCH_MAX_PEERS = 8, BENCH_MAX_TASKS = 256 };

/// A robot in all the ways it is measured.
typedef struct bench_case {
  const char *name;
  ff_model *model;
  bench_robot robot[2];           ///< one lane, wide
  bench_mujoco *mujoco;           ///< NULL if it is not there
  char mujoco_why[256];           ///< why it is not
  double disagreement;            ///< of MuJoCo's robot with ours
  int task[2][BENCH_MAX_KERNELS]; ///< [one lane, wide][kernel], -1: none
  int peer_task[BENCH_MAX_PEERS]; ///< [MuJoCo's metric]
} bench_case;

typedef struct bench_dynamics_run {
  bench_case cases[BENCH_CASES];
  bench_task tasks[BENCH_MAX_TASKS];
  int task_count;
  int peak_task[2]; ///< one number at a time, vectors
} bench_dynamics_run;

typedef struct bench_figure {
  double ns;           ///< per call and robot; 0: not measured
  double instructions; ///< per call and robot; 0: the machine does not count them
  double flops;        ///< per call and robot; 0: not known
  double of_peak;      ///< fraction of the core's peak rate; 0: not known
} bench_figure;

/// `models` may be NULL. On failure everything is released.
ff_status bench_dynamics_open(const char *models, ff_isa isa, bench_dynamics_run *run, ff_error *error);
void bench_dynamics_close(bench_dynamics_run *run);

/// A kernel on a robot, with one lane (wide = 0) or as many as there are (wide = 1).
bench_figure bench_dynamics_figure(const bench_dynamics_run *run, const bench_case *c, int kernel, int wide);

/// GF/s of one core.
double bench_dynamics_peak(const bench_dynamics_run *run, int wide);

/// How much longer a typical sweep took than the least: 1.0x on a calm machine.
double bench_dynamics_noise(const bench_dynamics_run *run);

/// Name of the task for people who count instructions: "metric", or "metric_x8".
void bench_dynamics_task_name(const bench_dynamics_run *run, int task, const char **which, char *metric,
                              size_t size);

#endif
