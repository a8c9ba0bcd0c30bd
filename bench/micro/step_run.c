// Opens the cases, makes the tasks and reads off their results.
#include "micro/step_run.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static int is_chosen(int i, const char *chosen)
{
  char name[32];
  bench_step_case_name(i, name);
  return !chosen || strcmp(chosen, name) == 0 ||
         (strcmp(chosen, "box") == 0 && strncmp(name, "box-", 4) == 0);
}

static int add_task(bench_step_run *run, bench_timer_task task)
{
  run->tasks[run->task_count] = task;
  return run->task_count++;
}

static void add_set(bench_step_run *run, bench_step_run_set *set)
{
  for (int w = 0; w < BENCH_STEP_VARIANTS; ++w) {
    set->task[w] = -1;
    if ((set->c.is_box && !bench_step_variants[w].on_boxes) ||
        (set->c.scene && !bench_step_variants[w].on_motion))
      continue;
    bench_step_sweep_open(&set->c, &bench_step_variants[w], run->isa, 0, &set->sweeps[w]);
    if (set->sweeps[w].sim)
      set->task[w] = add_task(run, bench_step_sweep_task(&set->sweeps[w]));
  }
  for (int k = 0; k < BENCH_STEP_MUJOCO_SETTINGS; ++k) {
    set->mujoco_task[k] = -1;
    set->mujoco[k] = bench_step_mujoco_create(&set->c, &bench_step_mujoco_settings[k], set->mujoco_why[k],
                                              sizeof set->mujoco_why[k]);
    if (set->mujoco[k])
      set->mujoco_task[k] = add_task(run, bench_step_mujoco_task(set->mujoco[k]));
  }
}

ff_status bench_step_run_open(const bench_step_folders *folders, const char *chosen, ff_isa isa,
                              bench_step_run *run, ff_error *error)
{
  memset(run, 0, sizeof *run);
  ff_status status = ff_isa_resolve(isa, &run->isa, error);
  if (status != FF_OK)
    return status;
  for (int i = 0; i < BENCH_STEP_CASES; ++i) {
    bench_step_run_set *set = &run->sets[i];
    if (!is_chosen(i, chosen))
      continue;
    status = bench_step_case_open(i, folders, run->isa, &set->c, error);
    if (status != FF_OK) {
      bench_step_run_close(run);
      return status;
    }
    set->is_open = 1;
    add_set(run, set);
  }
  return FF_OK;
}

void bench_step_run_close(bench_step_run *run)
{
  for (int i = 0; i < BENCH_STEP_CASES; ++i) {
    bench_step_run_set *set = &run->sets[i];
    if (!set->is_open)
      continue;
    for (int w = 0; w < BENCH_STEP_VARIANTS; ++w)
      bench_step_sweep_close(&set->sweeps[w]);
    for (int k = 0; k < BENCH_STEP_MUJOCO_SETTINGS; ++k)
      bench_step_mujoco_destroy(set->mujoco[k]);
    bench_step_case_close(&set->c);
  }
  memset(run, 0, sizeof *run);
}

// Each phase's minimum over the sweeps. A motion has a hundred times the steps of another sweep.
static void measure_phases(bench_step_sweep *s, int sweeps, double phase[FF_PHASE_COUNT])
{
  const bench_timer_task task = bench_step_sweep_task(s);
  for (int k = 0; k < sweeps; ++k) {
    task.prepare(task.context);
    task.sweep(task.context);
    for (int p = 0; p < FF_PHASE_COUNT; ++p) {
      const double us = 1e6 * s->seconds[p] / s->steps;
      phase[p] = k == 0 || us < phase[p] ? us : phase[p];
    }
  }
}

void bench_step_run_phases(bench_step_run *run, int sweeps)
{
  for (int i = 0; i < BENCH_STEP_CASES; ++i)
    for (int w = 0; w < BENCH_STEP_VARIANTS; ++w) {
      bench_step_run_set *set = &run->sets[i];
      bench_step_sweep timed;
      if (!set->is_open || set->c.is_box || set->task[w] < 0)
        continue;
      bench_step_sweep_open(&set->c, &bench_step_variants[w], run->isa, 1, &timed);
      if (timed.sim)
        measure_phases(&timed, set->c.scene ? 1 + sweeps / 25 : sweeps, set->phase[w]);
      bench_step_sweep_close(&timed);
    }
}

double bench_step_run_us(const bench_step_run *run, int set, int variant)
{
  const int task = run->sets[set].task[variant];
  return run->sets[set].is_open && task >= 0 ? 1e-3 * run->tasks[task].least : 0;
}

double bench_step_run_mujoco_us(const bench_step_run *run, int set, int setting)
{
  const int task = run->sets[set].mujoco_task[setting];
  return run->sets[set].is_open && task >= 0 ? 1e-3 * run->tasks[task].least : 0;
}

double bench_step_run_contacts(const bench_step_run *run, int set)
{
  const bench_step_run_set *s = &run->sets[set];
  return s->c.scene ? s->sweeps[0].contacts : s->c.contacts;
}

double bench_step_run_noise(const bench_step_run *run)
{
  double sum = 0;
  for (int i = 0; i < run->task_count; ++i) {
    const bench_timer_task *t = &run->tasks[i];
    sum += log(t->total / t->sweeps / t->least);
  }
  return run->task_count > 0 ? exp(sum / run->task_count) : 1;
}

void bench_step_run_task_name(const bench_step_run *run, int task, const char **which, char *metric,
                              size_t size)
{
  *which = "";
  snprintf(metric, size, "?");
  for (int i = 0; i < BENCH_STEP_CASES; ++i) {
    const bench_step_run_set *set = &run->sets[i];
    if (!set->is_open)
      continue;
    int is_here = 0;
    for (int k = 0; k < BENCH_STEP_MUJOCO_SETTINGS && !is_here; ++k)
      if (set->mujoco_task[k] == task) {
        is_here = 1;
        snprintf(metric, size, "%s", bench_step_mujoco_settings[k].metric);
      }
    for (int w = 0; w < BENCH_STEP_VARIANTS && !is_here; ++w)
      if (set->task[w] == task) {
        is_here = 1;
        snprintf(metric, size, "step:%s", bench_step_variants[w].name);
      }
    if (is_here)
      *which = set->c.name;
  }
}
