// Ours: which steppers let a thin, fast thing through a thin wall, at which speeds. Steps of 1 ms.
#include "common/timer.h"
#include "papers/c2a/c2a_paper.h"

#include <math.h>
#include <stdio.h>

const double bench_throw_speeds[BENCH_THROW_SPEEDS] = {1, 2, 5, 10, 20, 50, 100, 200, 300};

static const double dt = 1e-3;
static const double mujoco_default = 0.02; // time constant of its contacts [s]

static int throws_of(const bench_c2a *b) // of each thing
{
  return b->is_quick ? 10 : 100;
}

double bench_c2a_tunnel_work(const bench_c2a *b)
{
  return 0.1 * throws_of(b);
}

// All throwers see the same throws.
static void throw_all(const bench_c2a *b, const bench_thrower *by, bench_tunnel *out)
{
  const int throws = throws_of(b);
  const double share = 1.0 / (BENCH_THINGS * throws);
  double seconds = 0, steps = 0;
  uint64_t seed = 7;
  for (int s = 0; s < BENCH_THROW_SPEEDS; ++s)
    for (int k = 0; k < BENCH_THINGS * throws; ++k) {
      bench_throw_end end;
      const bench_throw t = bench_throw_draw(k % BENCH_THINGS, bench_throw_speeds[s], dt, &seed);
      const double from = bench_thread_seconds();
      by->go(by->self, &t, &end);
      seconds += bench_thread_seconds() - from;
      steps += end.steps;
      out->through[s] += share * end.is_through;
      out->failed[s] += share * end.has_failed;
      out->gained[s] += share * end.has_gained;
      out->of_thing[t.thing] += end.is_through / (double)(throws * BENCH_THROW_SPEEDS);
    }
  for (int s = 0; s < BENCH_THROW_SPEEDS; ++s) {
    out->total += out->through[s] / BENCH_THROW_SPEEDS;
    out->total_failed += out->failed[s] / BENCH_THROW_SPEEDS;
    out->total_gained += out->gained[s] / BENCH_THROW_SPEEDS;
  }
  out->step_us = 1e6 * seconds / steps;
  out->is_measured = 1;
}

static void add_rows(const bench_c2a *b, const bench_tunnel *by)
{
  char metric[64];
  bench_c2a_row(b, by->name, "tunnel", by->total, "1");
  bench_c2a_row(b, by->name, "tunnel:failed", by->total_failed, "1");
  bench_c2a_row(b, by->name, "tunnel:gained", by->total_gained, "1");
  for (int s = 0; s < BENCH_THROW_SPEEDS; ++s) {
    snprintf(metric, sizeof metric, "tunnel:v=%g", bench_throw_speeds[s]);
    bench_c2a_row(b, by->name, metric, by->through[s], "1");
  }
  for (int k = 0; k < BENCH_THINGS; ++k) {
    snprintf(metric, sizeof metric, "tunnel:%s", bench_thing_names[k]);
    bench_c2a_row(b, by->name, metric, by->of_thing[k], "1");
  }
}

static void report(const bench_c2a *b)
{
  const bench_tunnel_study *s = &b->tunnel;
  char titles[BENCH_THROW_SPEEDS + 3][24];
  for (int i = 0; i < BENCH_THROW_SPEEDS; ++i)
    snprintf(titles[i], sizeof titles[0], "%g m/s", bench_throw_speeds[i]);
  snprintf(titles[BENCH_THROW_SPEEDS], sizeof titles[0], "all");
  snprintf(titles[BENCH_THROW_SPEEDS + 1], sizeof titles[0], "failed");
  snprintf(titles[BENCH_THROW_SPEEDS + 2], sizeof titles[0], "gained");
  bench_sheet_say(
      &b->sheet,
      "Share of %d throws that go through a wall of 1 mm, steps of %g ms; failed: a step did; gained: comes away with more energy",
      s->throws, 1e3 * dt);
  bench_sheet_titles(&b->sheet, "", BENCH_THROW_SPEEDS + 3, titles);
  for (int i = 0; i < s->count; ++i) {
    bench_sheet_row(&b->sheet, s->by[i].name);
    for (int k = 0; k < BENCH_THROW_SPEEDS; ++k)
      bench_sheet_number(&b->sheet, s->by[i].through[k]);
    bench_sheet_number(&b->sheet, s->by[i].total);
    bench_sheet_number(&b->sheet, s->by[i].total_failed);
    bench_sheet_number(&b->sheet, s->by[i].total_gained);
    bench_sheet_end(&b->sheet);
    add_rows(b, &s->by[i]);
  }
  if (b->no_mujoco[0])
    bench_sheet_say(&b->sheet, "MuJoCo was not measured: %s", b->no_mujoco);
}

// `which`: a stepper, or one of two kinds of MuJoCo after them. 0 with FF_OK: there is none.
static ff_status make(bench_c2a *b, int which, bench_thrower *out, int *is_made, ff_error *error)
{
  *is_made = 1;
  if (which < FF_STEPPER_COUNT)
    return bench_throw_by_stepper((ff_stepper)which, dt, out, error);
  const int is_stiff = which == FF_STEPPER_COUNT;
  *is_made = bench_throw_by_mujoco(is_stiff ? "mujoco" : "mujoco:default", is_stiff ? 2 * dt : mujoco_default,
                                   dt, out, b->no_mujoco, sizeof b->no_mujoco);
  if (*is_made)
    b->no_mujoco[0] = '\0';
  return FF_OK;
}

ff_status bench_c2a_tunnel(bench_c2a *b, ff_error *error)
{
  bench_tunnel_study *s = &b->tunnel;
  s->throws = throws_of(b) * BENCH_THINGS;
  for (int which = 0; which < BENCH_THROWERS; ++which) {
    bench_thrower by;
    int is_made;
    const ff_status status = make(b, which, &by, &is_made, error);
    if (status != FF_OK)
      return status;
    if (is_made) {
      bench_tunnel *out = &s->by[s->count++];
      snprintf(out->name, sizeof out->name, "%s", by.name);
      throw_all(b, &by, out);
    }
    bench_thrower_free(&by);
    bench_progress_share(&b->progress, (which + 1.0) / BENCH_THROWERS);
  }
  s->is_measured = 1;
  bench_progress_end(&b->progress);
  report(b);
  return FF_OK;
}
