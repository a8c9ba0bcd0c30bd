/// step_run.h: everything that `footfall bench step` measures, in one process.
///
/// For every case and way there is a stand (step_stand.h); a sweep sets its state back to the settled one (not timed) and takes some
/// steps from there, the control included. So every sweep does the same work, and the robot that balances on two feet never
/// falls.
#ifndef BENCH_STEP_RUN_H
#define BENCH_STEP_RUN_H

#include "micro/step_mujoco.h"
#include "micro/step_stand.h"

enum { BENCH_WAYS = 16, BENCH_STEP_TASKS = BENCH_STEP_CASES * (BENCH_WAYS + 1) };
extern const bench_way bench_ways[BENCH_WAYS];

/// Index of a way by name, -1 if there is none.
int bench_way_find(const char *name);

/// A case with all that is measured on it. A task of -1: there is none.
typedef struct bench_step_set {
  bench_step_case c;
  int is_open;
  bench_stand stands[BENCH_WAYS];
  int task[BENCH_WAYS];
  double phase[BENCH_WAYS][FF_PHASE_COUNT]; ///< us per step; zero: not measured
  bench_step_mujoco *mujoco;
  char mujoco_why[256];
  int mujoco_task;
} bench_step_set;

typedef struct bench_step_run {
  bench_step_set sets[BENCH_STEP_CASES];
  bench_task tasks[BENCH_STEP_TASKS];
  int task_count;
  ff_isa isa;            ///< never FF_ISA_AUTO
  const char *counted;   ///< what counted the tasks' instructions: "perf", "callgrind"; NULL: nothing did
  ff_isa counted_isa;    ///< that was counted, callgrind's is not always the one that was timed
  char counted_why[128]; ///< nothing did
} bench_step_run;

/// `chosen` NULL: all cases; "box": all boxes. `models` may be NULL. On failure everything is released.
ff_status bench_step_open(const char *models, const char *chosen, ff_isa isa, bench_step_run *run,
                          ff_error *error);
void bench_step_close(bench_step_run *run);

/// The phases of all ways on the robots, measured apart: reading the clock inside a step takes time.
void bench_step_phases(bench_step_run *run, int sweeps);

/// us per step, 0 if it was not measured.
double bench_step_us(const bench_step_run *run, int set, int way);
double bench_step_mujoco_us(const bench_step_run *run, int set);

/// How much longer a typical sweep took than the least: 1.0x on a calm machine.
double bench_step_noise(const bench_step_run *run);

/// Name of a task for people who count instructions.
void bench_step_task_name(const bench_step_run *run, int task, const char **which, char *metric, size_t size);

#endif
