/// step_run.h: everything that `footfall bench step` measures, in one process.
///
/// Every case and variant has a sweep (step_sweep.h), which resets the state to the settled one (not timed) and takes
/// some steps from there, including the control. So every sweep does the same work, and the robot that balances on two
/// feet never falls. A sweep of a robot in motion is the motion, without the control.
#ifndef BENCH_STEP_RUN_H
#define BENCH_STEP_RUN_H

#include "micro/step_mujoco.h"
#include "micro/step_sweep.h"

enum { BENCH_STEP_TASKS = BENCH_STEP_CASES * (BENCH_STEP_VARIANTS + BENCH_STEP_MUJOCO_SETTINGS) };

/// A case with all that is measured on it. A task of -1: there is none.
typedef struct bench_step_run_set {
  bench_step_case c;
  int is_open;
  bench_step_sweep sweeps[BENCH_STEP_VARIANTS];
  int task[BENCH_STEP_VARIANTS];
  double phase[BENCH_STEP_VARIANTS][FF_PHASE_COUNT]; ///< us per step; zero: not measured
  bench_step_mujoco *mujoco[BENCH_STEP_MUJOCO_SETTINGS];
  char mujoco_why[BENCH_STEP_MUJOCO_SETTINGS][256];
  int mujoco_task[BENCH_STEP_MUJOCO_SETTINGS];
} bench_step_run_set;

typedef struct bench_step_run {
  bench_step_run_set sets[BENCH_STEP_CASES];
  bench_timer_task tasks[BENCH_STEP_TASKS];
  int task_count;
  ff_isa isa;            ///< never FF_ISA_AUTO
  const char *counted;   ///< what counted the instructions: "perf", "callgrind"; NULL: not counted
  ff_isa counted_isa;    ///< of the counted run; under callgrind it can differ from the timed one
  char counted_why[128]; ///< why not counted
} bench_step_run;

/// `chosen` NULL: all cases; "box": all boxes. On failure everything is released.
ff_status bench_step_run_open(const bench_step_folders *folders, const char *chosen, ff_isa isa,
                              bench_step_run *run, ff_error *error);
void bench_step_run_close(bench_step_run *run);

/// Measure the phases of all variants on the robots, separately, because reading the clock inside a step takes time.
void bench_step_run_phases(bench_step_run *run, int sweeps);

/// us per step, 0 if it was not measured.
double bench_step_run_us(const bench_step_run *run, int set, int variant);
double bench_step_run_mujoco_us(const bench_step_run *run, int set, int setting);
/// Contacts of a case: those it stands on, or their mean over the motion.
double bench_step_run_contacts(const bench_step_run *run, int set);

/// Mean time of a sweep over the minimum: about 1.0 on an idle machine.
double bench_step_run_noise(const bench_step_run *run);

/// The name of a task in `--count`.
void bench_step_run_task_name(const bench_step_run *run, int task, const char **which, char *metric,
                              size_t size);

#endif
