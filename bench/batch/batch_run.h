/// batch_run.h: one case of `footfall bench batch`: all that is measured on it, in turns, and its figures.
#ifndef BENCH_BATCH_RUN_H
#define BENCH_BATCH_RUN_H

#include "batch/batch_case.h"
#include "batch/batch_ours.h"
#include "batch/batch_theirs.h"

enum { BENCH_BATCH_ENTRIES = 40, BENCH_BATCH_VARIED = 64, BENCH_BATCH_SIZES = 4 };

extern const int bench_batch_run_sizes[BENCH_BATCH_SIZES]; ///< robots, besides the full number

typedef enum bench_batch_way {
  BENCH_BATCH_OURS,
  BENCH_BATCH_VARIED_OURS, ///< with parameters of their own
  BENCH_BATCH_SCALAR,      ///< one sim
  BENCH_BATCH_MUJOCO,      ///< one mjData for each robot
  BENCH_BATCH_MUJOCO_OWN,  ///< its own batch
} bench_batch_way;

/// A thing that is measured, and its figures.
typedef struct bench_batch_entry {
  bench_batch_way way;
  int stepper; ///< of the case's kind; -1: MuJoCo
  int robots, threads;
  int is_size;                        ///< one of bench_batch_run_sizes
  char metric[64];                    ///< "batch:expo"
  int task;                           ///< -1: not measured
  char why[200];                      ///< why not
  double in_lanes;                    ///< share of the steps; -1: none are counted
  double useful;                      ///< share of the lanes; -1: there were none
  double alone[FF_BATCH_ALONE_COUNT]; ///< shares of the steps that were taken one by one, by the reason
  double bytes;                       ///< per robot
  int failed;                         ///< robots that failed
  union {
    bench_batch_ours ours;
    bench_batch_scalar scalar;
    bench_batch_theirs theirs;
  } of;
} bench_batch_entry;

typedef struct bench_batch_run {
  bench_batch_case c;
  int steppers;
  ff_world *world[BENCH_BATCH_STEPPERS];
  bench_motion motion[BENCH_BATCH_STEPPERS];
  char no_motion[BENCH_BATCH_STEPPERS][200]; ///< why there is none
  char no_lanes[BENCH_BATCH_STEPPERS][200];  ///< why no step is taken in lanes
  ff_parameters *varied[BENCH_BATCH_VARIED];
  int varied_count;
  bench_motion varied_motion; ///< of the main stepper
  char no_varied[200];
  bench_mujoco_robot mujoco;
  bench_mujoco_motion mujoco_motion;
  char no_mujoco[256];
  bench_batch_entry entries[BENCH_BATCH_ENTRIES];
  bench_timer_task tasks[BENCH_BATCH_ENTRIES];
  int entry_count, task_count;
} bench_batch_run;

typedef struct bench_batch_run_def {
  const bench_batch_kind *kind;
  bench_step_folders folders;
  ff_isa isa;
  int robots;   ///< the full number
  int is_count; ///< only what instructions are counted of: one thread, the full number
} bench_batch_run_def;

/// Record and make the tasks. On failure everything is released.
ff_status bench_batch_run_open(const bench_batch_run_def *def, bench_batch_run *run, ff_error *error);
void bench_batch_run_close(bench_batch_run *run);

/// Measure for so many seconds, at least `rounds` rounds, and read off what was counted.
void bench_batch_run_measure(bench_batch_run *run, double seconds, int rounds);

/// Robot-steps per second and core, 0: not measured.
double bench_batch_run_rate(const bench_batch_run *run, const bench_batch_entry *entry);

/// The entry of a metric, NULL: none.
const bench_batch_entry *bench_batch_run_find(const bench_batch_run *run, const char *metric);

#endif
