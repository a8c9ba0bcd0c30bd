// Opens a case: worlds, motions, and an entry for each thing that is measured.
#include "batch/batch_run.h"

#include "batch/batch_vary.h"

#include <stdio.h>
#include <string.h>

const int bench_batch_run_sizes[BENCH_BATCH_SIZES] = {1, 8, 64, 512};

// ---- Entries ----------------------------------------------------------------------------------------------

// Of one mjData for each robot, a few hundred kilobytes; they are far more than caches hold.
enum { MUJOCO_ROBOTS = 512 };

static bench_batch_entry *add_entry(bench_batch_run *run, bench_batch_way way, int stepper, int robots,
                                    int threads)
{
  static const char *const ways[] = {"batch:%s", "batch:%s:varied", "scalar:%s", "mujoco", "mujoco:batch"};
  bench_batch_entry *e = &run->entries[run->entry_count++];
  *e = (bench_batch_entry){.way = way,
                           .stepper = stepper,
                           .robots = robots,
                           .threads = threads,
                           .task = -1,
                           .in_lanes = -1,
                           .useful = -1};
  const char *name = stepper < 0 ? "" : ff_stepper_name(run->c.kind->steppers[stepper].stepper);
  char front[48];
  snprintf(front, sizeof front, ways[way], name);
  if (threads > 1)
    snprintf(e->metric, sizeof e->metric, "%.40s:%dthreads", front, threads);
  else
    snprintf(e->metric, sizeof e->metric, "%.40s", front);
  return e;
}

static void add_task(bench_batch_run *run, bench_batch_entry *e, bench_timer_task task)
{
  e->task = run->task_count;
  run->tasks[run->task_count++] = task;
}

static void add_ours(bench_batch_run *run, int stepper, int robots, int threads, int is_varied)
{
  bench_batch_entry *e =
      add_entry(run, is_varied ? BENCH_BATCH_VARIED_OURS : BENCH_BATCH_OURS, stepper, robots, threads);
  const bench_motion *motion = is_varied ? &run->varied_motion : &run->motion[stepper];
  ff_batch_def def = ff_batch_def_default();
  ff_error error = {0};
  def.robots = robots;
  def.threads = threads;
  if (!motion->state) {
    snprintf(e->why, sizeof e->why, "%s", is_varied ? run->no_varied : run->no_motion[stepper]);
    return;
  }
  if (bench_batch_ours_create(run->world[stepper], motion, &def, is_varied ? run->varied : NULL, &e->of.ours,
                              &error) != FF_OK) {
    snprintf(e->why, sizeof e->why, "%.190s", error.message);
    return;
  }
  const ff_world_memory memory = ff_world_get_memory(run->world[stepper]);
  e->bytes =
      (double)ff_batch_get_memory(e->of.ours.batch).robot + (is_varied ? (double)memory.parameters : 0);
  add_task(run, e, bench_batch_ours_task(&e->of.ours));
}

static void add_scalar(bench_batch_run *run, int stepper)
{
  bench_batch_entry *e = add_entry(run, BENCH_BATCH_SCALAR, stepper, 1, 1);
  ff_error error = {0};
  snprintf(e->why, sizeof e->why, "%s", run->no_motion[stepper]);
  if (!run->motion[stepper].state)
    return;
  if (bench_batch_scalar_create(run->world[stepper], &run->motion[stepper], &e->of.scalar, &error) == FF_OK)
    add_task(run, e, bench_batch_scalar_task(&e->of.scalar));
  else
    snprintf(e->why, sizeof e->why, "%.190s", error.message);
}

static void add_theirs(bench_batch_run *run, int robots, int threads, int is_own)
{
  bench_batch_entry *e =
      add_entry(run, is_own ? BENCH_BATCH_MUJOCO_OWN : BENCH_BATCH_MUJOCO, -1, robots, threads);
  snprintf(e->why, sizeof e->why, "%.190s", run->no_mujoco);
  if (!run->mujoco_motion.qpos)
    return;
  const int is_made = (is_own ? bench_batch_theirs_create_batch : bench_batch_theirs_create)(
      &run->mujoco, &run->mujoco_motion, robots, threads, &e->of.theirs);
  snprintf(e->why, sizeof e->why, is_own ? "this release has no batches" : "no memory");
  if (!is_made)
    return;
  e->bytes = is_own ? (double)e->of.theirs.batch.stride * sizeof(double)
                    : (double)run->mujoco.peer->bytes(&e->of.theirs.data[0]);
  add_task(run, e, bench_batch_theirs_task(&e->of.theirs));
}

static void add_entries(bench_batch_run *run, const bench_batch_run_def *def)
{
  const int threads = def->is_count ? 1 : 2;
  for (int s = 0; s < run->steppers; ++s) {
    for (int t = 1; t <= threads; ++t)
      add_ours(run, s, def->robots, t, 0);
    add_scalar(run, s);
  }
  add_ours(run, 0, def->robots, 1, 1);
  for (int t = 1; t <= threads; ++t) {
    add_theirs(run, def->robots < MUJOCO_ROBOTS ? def->robots : MUJOCO_ROBOTS, t, 0);
    add_theirs(run, def->robots, t, 1);
  }
  for (int k = 0; k < BENCH_BATCH_SIZES && !def->is_count; ++k) {
    if (bench_batch_run_sizes[k] >= def->robots)
      continue;
    add_ours(run, 0, bench_batch_run_sizes[k], 1, 0);
    bench_batch_entry *e = &run->entries[run->entry_count - 1];
    const size_t length = strlen(e->metric);
    e->is_size = 1;
    snprintf(e->metric + length, sizeof e->metric - length, ":robots=%d", e->robots);
  }
}

// ---- Opening ----------------------------------------------------------------------------------------------

// A stepper whose motion fails is left out, and says why.
static ff_status record(bench_batch_run *run, int s, ff_error *error)
{
  const bench_batch_stepper *stepper = &run->c.kind->steppers[s];
  const ff_status status = bench_batch_case_world(&run->c, stepper, &run->world[s], error);
  if (status != FF_OK)
    return status;
  if (bench_batch_case_record(&run->c, stepper, run->world[s], NULL, &run->motion[s], error) != FF_OK)
    snprintf(run->no_motion[s], sizeof run->no_motion[s], "%.190s", error->message);
  return FF_OK;
}

enum { VARIED_STEPS = 200 };         // of each run
enum { COUNTED_RUNS = 8 };           // under valgrind recording takes long
enum { MUJOCO_ARENA = 1024 * 1024 }; // bytes for contacts and scratch; by default each robot would have 14 MB

static void record_varied(bench_batch_run *run)
{
  ff_error error = {0};
  ff_status status = bench_batch_vary(run->world[0], run->varied_count, run->varied, &error);
  const bench_batch_varied varied = {run->varied, run->varied_count};
  bench_batch_stepper stepper = run->c.kind->steppers[0];
  if (stepper.skip < stepper.steps / 2) // from the middle of the motion on, or 0.8 s
    stepper.skip = stepper.steps / 2 < 400 ? stepper.steps / 2 : 400;
  stepper.steps = stepper.steps < VARIED_STEPS ? stepper.steps : VARIED_STEPS;
  if (run->c.kind->is_falling)
    stepper = run->c.kind->steppers[0];
  if (status == FF_OK)
    status = bench_batch_case_record(&run->c, &stepper, run->world[0], &varied, &run->varied_motion, &error);
  if (status != FF_OK)
    snprintf(run->no_varied, sizeof run->no_varied, "%.190s", error.message);
}

static void record_mujoco(bench_batch_run *run)
{
  char *why = run->no_mujoco;
  const size_t size = sizeof run->no_mujoco;
  if (!bench_mujoco_robot_open(&run->mujoco, run->c.model, 1, why, size))
    return;
  const bench_mujoco_options options = {
      .dt = run->c.kind->steppers[0].dt, .is_whole = 1, .arena = MUJOCO_ARENA};
  run->mujoco.peer->set_options(&run->mujoco.m, &options);
  bench_batch_case_record_mujoco(&run->c, &run->mujoco, &run->mujoco_motion, why, size);
}

ff_status bench_batch_run_open(const bench_batch_run_def *def, bench_batch_run *run, ff_error *error)
{
  memset(run, 0, sizeof *run);
  memset(error, 0, sizeof *error);
  ff_status status = bench_batch_case_open(def->kind, &def->folders, def->isa, &run->c, error);
  run->steppers = bench_batch_case_steppers(def->kind);
  run->varied_count = def->is_count ? COUNTED_RUNS : BENCH_BATCH_VARIED;
  if (def->is_count && run->c.runs > COUNTED_RUNS)
    run->c.runs = COUNTED_RUNS;
  for (int s = 0; s < run->steppers && status == FF_OK; ++s)
    status = record(run, s, error);
  if (status != FF_OK) {
    bench_batch_run_close(run);
    return status;
  }
  record_varied(run);
  record_mujoco(run);
  add_entries(run, def);
  return FF_OK;
}

void bench_batch_run_close(bench_batch_run *run)
{
  for (int i = 0; i < run->entry_count; ++i) {
    bench_batch_entry *e = &run->entries[i];
    if (e->way <= BENCH_BATCH_VARIED_OURS)
      bench_batch_ours_destroy(&e->of.ours);
    else if (e->way == BENCH_BATCH_SCALAR)
      bench_batch_scalar_destroy(&e->of.scalar);
    else if (e->of.theirs.robot)
      bench_batch_theirs_destroy(&e->of.theirs);
  }
  bench_mujoco_motion_free(&run->mujoco_motion);
  bench_mujoco_robot_close(&run->mujoco);
  bench_motion_free(&run->varied_motion);
  bench_batch_vary_free(BENCH_BATCH_VARIED, run->varied);
  for (int s = 0; s < BENCH_BATCH_STEPPERS; ++s) {
    bench_motion_free(&run->motion[s]);
    ff_world_destroy(run->world[s]);
  }
  bench_batch_case_close(&run->c);
  memset(run, 0, sizeof *run);
}

// ---- Measuring --------------------------------------------------------------------------------------------

static void read_counts(bench_batch_run *run, bench_batch_entry *e)
{
  if (e->task < 0 || e->way > BENCH_BATCH_VARIED_OURS)
    return;
  const ff_batch_counts *c = &e->of.ours.counts;
  e->in_lanes = c->steps > 0 ? (double)c->in_lanes / (double)c->steps : -1;
  for (int r = 0; r < FF_BATCH_ALONE_COUNT && c->steps > 0; ++r)
    e->alone[r] = (double)c->alone[r] / (double)c->steps;
  e->useful = c->lanes > 0 ? (double)c->useful / (double)c->lanes : -1;
  e->failed = e->of.ours.failed;
  if (c->why)
    snprintf(run->no_lanes[e->stepper], sizeof run->no_lanes[e->stepper], "%.190s", c->why);
}

void bench_batch_run_measure(bench_batch_run *run, double seconds, int rounds)
{
  bench_timer_run(run->tasks, run->task_count, seconds, rounds);
  for (int i = 0; i < run->entry_count; ++i)
    read_counts(run, &run->entries[i]);
}

double bench_batch_run_rate(const bench_batch_run *run, const bench_batch_entry *e)
{
  return e->task < 0 ? 0 : 1e9 / run->tasks[e->task].least / e->threads;
}

const bench_batch_entry *bench_batch_run_find(const bench_batch_run *run, const char *metric)
{
  for (int i = 0; i < run->entry_count; ++i)
    if (strcmp(run->entries[i].metric, metric) == 0)
      return &run->entries[i];
  return NULL;
}
