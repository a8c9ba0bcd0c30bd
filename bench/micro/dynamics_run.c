// Loads the robots, makes the tasks of all kernels and reads off their results.
#include "micro/dynamics_run.h"

#include "common/peak.h"
#include "common/shipped_file.h"
#include "micro/flops.h"

#include <footfall/load.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const robots[BENCH_DYNAMICS_CASES] = {"solo12", "romeo"};

static ff_status load(const char *models, const char *robot, ff_model **model, ff_error *error)
{
  char file[64], path[4096];
  snprintf(file, sizeof file, "%s.urdf", robot);
  if (!bench_shipped_file_model(models, file, path, sizeof path)) {
    snprintf(error->message, sizeof error->message,
             "%.500s: cannot be read; --models DIR says where the models are", path);
    return error->status = FF_ERROR_FILE;
  }
  return ff_model_load(path, NULL, model, error);
}

// Whether MuJoCo has the same robot: kinetic energy depends on masses, inertias, placements and axes.
static double compare_energies(const bench_dynamics_run_case *c)
{
  const bench_dynamics_robot *r = &c->robot[0];
  double energy[BENCH_RANDOM_STATES];
  for (int s = 0; s < BENCH_RANDOM_STATES; ++s) {
    ff_dynamics_kinematics(r->dynamics, r->states.q + s * r->states.nq, r->states.v + s * r->states.nv, NULL);
    ff_dynamics_kinetic_energy(r->dynamics, &energy[s]);
  }
  return bench_mujoco_dynamics_disagreement(c->mujoco, energy);
}

static ff_status open_case(const char *models, ff_isa isa, bench_dynamics_run_case *c, ff_error *error)
{
  ff_status status = load(models, c->name, &c->model, error);
  for (int wide = 0; wide < 2 && status == FF_OK; ++wide) {
    ff_dynamics_def def = ff_dynamics_def_default();
    def.lanes = wide ? FF_LANES_WIDE : 1;
    def.isa = isa;
    status = bench_dynamics_robot_create(c->model, &def, &c->robot[wide], error);
  }
  if (status != FF_OK)
    return status;
  c->mujoco =
      bench_mujoco_dynamics_create(c->model, &c->robot[0].states, c->mujoco_why, sizeof c->mujoco_why);
  if (c->mujoco)
    c->disagreement = compare_energies(c);
  return FF_OK;
}

static int add_task(bench_dynamics_run *run, bench_timer_task task, int phase)
{
  task.phase = phase;
  run->tasks[run->task_count] = task;
  return run->task_count++;
}

// Phase 0: scalar kernels and MuJoCo. Phase 1: vectors.
static void add_phase(bench_dynamics_run *run, ff_isa isa, int wide)
{
  const int lanes = run->cases[0].robot[wide].states.lanes;
  run->peak_task[wide] = add_task(run, bench_peak_task(isa, lanes), wide);
  for (int i = 0; i < BENCH_DYNAMICS_CASES; ++i) {
    bench_dynamics_run_case *c = &run->cases[i];
    for (int k = 0; k < bench_dynamics_kernels_count; ++k) {
      const bench_dynamics_kernel *kernel = &bench_dynamics_kernels[k];
      const bench_timer_task task = {.prepare = kernel->prepare,
                                     .sweep = kernel->sweep,
                                     .context = &c->robot[wide],
                                     .calls = BENCH_RANDOM_STATES};
      c->task[wide][k] = wide && !kernel->has_lanes ? -1 : add_task(run, task, wide);
    }
    for (int m = 0; !wide && c->mujoco && bench_mujoco_dynamics_metric(m); ++m)
      c->peer_task[m] = add_task(run, bench_mujoco_dynamics_task(c->mujoco, m), wide);
  }
}

ff_status bench_dynamics_run_open(const char *models, ff_isa isa, bench_dynamics_run *run, ff_error *error)
{
  memset(run, 0, sizeof *run);
  memset(error, 0, sizeof *error);
  ff_status status = ff_isa_resolve(isa, &isa, error);
  for (int i = 0; i < BENCH_DYNAMICS_CASES && status == FF_OK; ++i) {
    run->cases[i].name = robots[i];
    status = open_case(models, isa, &run->cases[i], error);
  }
  if (status != FF_OK) {
    bench_dynamics_run_close(run);
    return status;
  }
  add_phase(run, isa, 0);
  add_phase(run, isa, 1);
  return FF_OK;
}

void bench_dynamics_run_close(bench_dynamics_run *run)
{
  for (int i = 0; i < BENCH_DYNAMICS_CASES; ++i) {
    bench_dynamics_run_case *c = &run->cases[i];
    bench_mujoco_dynamics_destroy(c->mujoco);
    bench_dynamics_robot_destroy(&c->robot[0]);
    bench_dynamics_robot_destroy(&c->robot[1]);
    ff_model_destroy(c->model);
  }
  memset(run, 0, sizeof *run);
}

static double flops_of(const bench_dynamics_run_case *c, const char *metric)
{
  const bench_dynamics_robot *r = &c->robot[0];
  const bench_flops_input input = {r->point_count, r->points, r->states.q, r->states.v};
  bench_flops count;
  if (!bench_flops_count(metric, c->model, &input, &count))
    return 0;
  return (double)(count.additions + count.multiplications + count.divisions);
}

double bench_dynamics_run_peak(const bench_dynamics_run *run, int wide)
{
  return 1.0 / run->tasks[run->peak_task[wide]].least;
}

bench_dynamics_run_figure bench_dynamics_run_figure_of(const bench_dynamics_run *run,
                                                       const bench_dynamics_run_case *c, int kernel, int wide)
{
  bench_dynamics_run_figure figure = {0};
  if (c->task[wide][kernel] < 0)
    return figure;
  const bench_timer_task *task = &run->tasks[c->task[wide][kernel]];
  figure.ns = task->least;
  figure.instructions = task->instructions;
  if (bench_dynamics_kernels[kernel].minus) {
    const bench_timer_task *minus =
        &run->tasks[c->task[wide][bench_dynamics_kernels_find(bench_dynamics_kernels[kernel].minus)]];
    figure.ns -= minus->least;
    figure.instructions -= minus->instructions;
  }
  figure.flops = flops_of(c, bench_dynamics_kernels[kernel].name);
  figure.of_peak = figure.flops / figure.ns / bench_dynamics_run_peak(run, wide);
  return figure;
}

double bench_dynamics_run_noise(const bench_dynamics_run *run)
{
  double sum = 0;
  for (int i = 0; i < run->task_count; ++i) {
    const bench_timer_task *t = &run->tasks[i];
    sum += log(t->total / t->sweeps / t->least);
  }
  return exp(sum / run->task_count);
}

void bench_dynamics_run_task_name(const bench_dynamics_run *run, int task, const char **which, char *metric,
                                  size_t size)
{
  *which = "core";
  snprintf(metric, size, "%s", task == run->peak_task[0] ? "peak_scalar" : "peak_vector");
  for (int i = 0; i < BENCH_DYNAMICS_CASES; ++i) {
    const bench_dynamics_run_case *c = &run->cases[i];
    for (int k = 0; k < 2 * bench_dynamics_kernels_count; ++k) {
      const int wide = k >= bench_dynamics_kernels_count, kernel = k % bench_dynamics_kernels_count;
      if (c->task[wide][kernel] != task)
        continue;
      *which = c->name;
      snprintf(metric, size, "%s%s", bench_dynamics_kernels[kernel].name, wide ? "_x8" : "");
    }
    for (int m = 0; c->mujoco && bench_mujoco_dynamics_metric(m); ++m)
      if (c->peer_task[m] == task) {
        *which = c->name;
        snprintf(metric, size, "%s", bench_mujoco_dynamics_metric(m));
      }
  }
}
