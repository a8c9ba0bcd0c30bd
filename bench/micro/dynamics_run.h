/// dynamics_run.h: everything that `footfall bench dynamics` measures, in one process.
///
/// open loads the robots and makes the tasks; bench_timer_run measures them; figure_of returns the results.
#ifndef BENCH_DYNAMICS_RUN_H
#define BENCH_DYNAMICS_RUN_H

#include "common/timer.h"
#include "micro/dynamics_kernels.h"
#include "micro/dynamics_robot.h"
#include "peers/mujoco_dynamics.h"

enum {
  BENCH_DYNAMICS_CASES = 2,
  BENCH_DYNAMICS_KERNELS_MOST = 32,
  BENCH_DYNAMICS_PEERS_MOST = 8,
  BENCH_DYNAMICS_TASKS_MOST = 256
};

/// A robot and all that is measured on it.
typedef struct bench_dynamics_run_case {
  const char *name;
  ff_model *model;
  bench_dynamics_robot robot[2];            ///< one lane, wide
  bench_mujoco_dynamics *mujoco;            ///< NULL if it is not available
  char mujoco_why[256];                     ///< the reason
  double disagreement;                      ///< of MuJoCo's robot with ours
  int task[2][BENCH_DYNAMICS_KERNELS_MOST]; ///< [one lane, wide][kernel], -1: none
  int peer_task[BENCH_DYNAMICS_PEERS_MOST]; ///< [MuJoCo's metric]
} bench_dynamics_run_case;

typedef struct bench_dynamics_run {
  bench_dynamics_run_case cases[BENCH_DYNAMICS_CASES];
  bench_timer_task tasks[BENCH_DYNAMICS_TASKS_MOST];
  int task_count;
  int peak_task[2]; ///< scalar, vectors
} bench_dynamics_run;

typedef struct bench_dynamics_run_figure {
  double ns;           ///< per call and robot; 0: not measured
  double instructions; ///< per call and robot; 0: the machine does not count them
  double flops;        ///< per call and robot; 0: not known
  double of_peak;      ///< fraction of the core's peak rate; 0: not known
} bench_dynamics_run_figure;

/// `models` may be NULL. On failure everything is released.
ff_status bench_dynamics_run_open(const char *models, ff_isa isa, bench_dynamics_run *run, ff_error *error);
void bench_dynamics_run_close(bench_dynamics_run *run);

/// A kernel on a robot, with one lane (wide = 0) or as many as there are (wide = 1).
bench_dynamics_run_figure bench_dynamics_run_figure_of(const bench_dynamics_run *run,
                                                       const bench_dynamics_run_case *c, int kernel,
                                                       int wide);

/// GF/s of one core.
double bench_dynamics_run_peak(const bench_dynamics_run *run, int wide);

/// Mean time of a sweep over the minimum: about 1.0 on an idle machine.
double bench_dynamics_run_noise(const bench_dynamics_run *run);

/// The name of a task in `--count`: "metric", or "metric_x8".
void bench_dynamics_run_task_name(const bench_dynamics_run *run, int task, const char **which, char *metric,
                                  size_t size);

#endif
