// Our own study: tunnelling of thin, fast objects through a thin wall, by stepper and speed. Steps of 1 ms.
#include "common/timer.h"
#include "papers/c2a/c2a_paper.h"

#include <math.h>
#include <stdio.h>

const double bench_c2a_paper_tunnelling_speeds[BENCH_C2A_THROW_SPEEDS] = {1, 2, 5, 10, 20, 50, 100, 200, 300};

static const double dt = 1e-3;
static const double mujoco_default = 0.02; // time constant of its contacts [s]

static int throws_of(const bench_c2a_paper *b) // of each object
{
  return b->run.is_quick ? 10 : 100;
}

double bench_c2a_paper_tunnelling_work(const void *paper)
{
  const bench_c2a_paper *b = paper;
  return 0.1 * throws_of(b);
}

// All simulators get the same throws.
static void throw_all(const bench_c2a_paper *b, const bench_c2a_throw_simulator *by,
                      bench_c2a_paper_tunnelling_of *out)
{
  const int throws = throws_of(b);
  const double share = 1.0 / (BENCH_C2A_OBJECTS * throws);
  double seconds = 0, steps = 0;
  uint64_t seed = 7;
  for (int s = 0; s < BENCH_C2A_THROW_SPEEDS; ++s)
    for (int k = 0; k < BENCH_C2A_OBJECTS * throws; ++k) {
      bench_c2a_throw_end end;
      const bench_c2a_throw t =
          bench_c2a_throw_draw(k % BENCH_C2A_OBJECTS, bench_c2a_paper_tunnelling_speeds[s], dt, &seed);
      const double from = bench_timer_thread_seconds();
      by->go(by->self, &t, &end);
      seconds += bench_timer_thread_seconds() - from;
      steps += end.steps;
      out->through[s] += share * end.is_through;
      out->failed[s] += share * end.has_failed;
      out->gained[s] += share * end.has_gained;
      out->of_object[t.object] += end.is_through / (double)(throws * BENCH_C2A_THROW_SPEEDS);
    }
  for (int s = 0; s < BENCH_C2A_THROW_SPEEDS; ++s) {
    out->total += out->through[s] / BENCH_C2A_THROW_SPEEDS;
    out->total_failed += out->failed[s] / BENCH_C2A_THROW_SPEEDS;
    out->total_gained += out->gained[s] / BENCH_C2A_THROW_SPEEDS;
  }
  out->step_us = 1e6 * seconds / steps;
  out->is_measured = 1;
}

static void add_rows(const bench_c2a_paper *b, const bench_c2a_paper_tunnelling_of *by)
{
  char metric[64];
  bench_paper_row(&b->run, by->name, "tunnel", by->total, "1");
  bench_paper_row(&b->run, by->name, "tunnel:failed", by->total_failed, "1");
  bench_paper_row(&b->run, by->name, "tunnel:gained", by->total_gained, "1");
  for (int s = 0; s < BENCH_C2A_THROW_SPEEDS; ++s) {
    snprintf(metric, sizeof metric, "tunnel:v=%g", bench_c2a_paper_tunnelling_speeds[s]);
    bench_paper_row(&b->run, by->name, metric, by->through[s], "1");
  }
  for (int k = 0; k < BENCH_C2A_OBJECTS; ++k) {
    snprintf(metric, sizeof metric, "tunnel:%s", bench_c2a_throw_object_names[k]);
    bench_paper_row(&b->run, by->name, metric, by->of_object[k], "1");
  }
}

static void report(const bench_c2a_paper *b)
{
  const bench_c2a_paper_tunnelling *s = &b->tunnel;
  char titles[BENCH_C2A_THROW_SPEEDS + 3][24];
  for (int i = 0; i < BENCH_C2A_THROW_SPEEDS; ++i)
    snprintf(titles[i], sizeof titles[0], "%g m/s", bench_c2a_paper_tunnelling_speeds[i]);
  snprintf(titles[BENCH_C2A_THROW_SPEEDS], sizeof titles[0], "all");
  snprintf(titles[BENCH_C2A_THROW_SPEEDS + 1], sizeof titles[0], "failed");
  snprintf(titles[BENCH_C2A_THROW_SPEEDS + 2], sizeof titles[0], "gained");
  bench_table_say(
      &b->run.table,
      "Share of %d throws that tunnel through a wall of 1 mm, steps of %g ms; failed: a step failed; gained: it "
      "rebounds with more energy",
      s->throws, 1e3 * dt);
  bench_table_titles(&b->run.table, "", BENCH_C2A_THROW_SPEEDS + 3, titles);
  for (int i = 0; i < s->count; ++i) {
    bench_table_row(&b->run.table, s->by[i].name);
    for (int k = 0; k < BENCH_C2A_THROW_SPEEDS; ++k)
      bench_table_number(&b->run.table, s->by[i].through[k]);
    bench_table_number(&b->run.table, s->by[i].total);
    bench_table_number(&b->run.table, s->by[i].total_failed);
    bench_table_number(&b->run.table, s->by[i].total_gained);
    bench_table_end(&b->run.table);
    add_rows(b, &s->by[i]);
  }
  if (b->no_mujoco[0])
    bench_table_say(&b->run.table, "MuJoCo was not measured: %s", b->no_mujoco);
}

// `which`: a stepper, or after them one of two settings of MuJoCo. An empty simulator with FF_OK: there is none.
static ff_status make(bench_c2a_paper *b, int which, bench_c2a_throw_simulator *out, int *is_made,
                      ff_error *error)
{
  *is_made = 1;
  if (which < FF_STEPPER_COUNT)
    return bench_c2a_throw_by_stepper((ff_stepper)which, dt, out, error);
  const int is_stiff = which == FF_STEPPER_COUNT;
  *is_made =
      bench_c2a_throw_mujoco(is_stiff ? "mujoco" : "mujoco:default", is_stiff ? 2 * dt : mujoco_default, dt,
                             out, b->no_mujoco, sizeof b->no_mujoco);
  if (*is_made)
    b->no_mujoco[0] = '\0';
  return FF_OK;
}

ff_status bench_c2a_paper_tunnelling_run(void *paper, ff_error *error)
{
  bench_c2a_paper *b = paper;
  bench_c2a_paper_tunnelling *s = &b->tunnel;
  s->throws = throws_of(b) * BENCH_C2A_OBJECTS;
  for (int which = 0; which < BENCH_C2A_THROW_SIMULATORS; ++which) {
    bench_c2a_throw_simulator by;
    int is_made;
    const ff_status status = make(b, which, &by, &is_made, error);
    if (status != FF_OK)
      return status;
    if (is_made) {
      bench_c2a_paper_tunnelling_of *out = &s->by[s->count++];
      snprintf(out->name, sizeof out->name, "%s", by.name);
      throw_all(b, &by, out);
    }
    bench_c2a_throw_simulator_free(&by);
    bench_progress_share(&b->run.progress, (which + 1.0) / BENCH_C2A_THROW_SIMULATORS);
  }
  s->is_measured = 1;
  bench_progress_end(&b->run.progress);
  report(b);
  return FF_OK;
}
