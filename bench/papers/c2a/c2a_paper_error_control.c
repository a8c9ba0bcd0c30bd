// Section IV-D: the step lengths that error control chooses for the trot. Advancement is off, as in the paper.
//
// In the paper the controller runs before each step of any length. Our `c2a` divides a step internally with constant
// torques, so the paper's loop is written here: try a step of 5 ms; while the kinetic energies of one step and of two
// half steps differ by more than the tolerance, try 0.9 tolerance / error times its length, or 0.5 ms, which is always
// accepted (Algorithm 2, lines 22-24). Each length has a sim of `c2a` without error control; lengths are rungs of a
// ladder, rounded down.
#include "common/timer.h"
#include "papers/c2a/c2a_paper.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double longest = 5e-3, shortest = 0.5e-3, tolerance = 0.0025;
static const double absolute = 1e-6; // [J], as in c2a: at rest there is no energy for a relative error
enum { LADDER = 60 };

static double duration_of(const bench_c2a_paper *b)
{
  return b->run.is_quick ? 2 : 5;
}

double bench_c2a_paper_error_control_work(const void *paper)
{
  const bench_c2a_paper *b = paper;
  return 1.5 * duration_of(b);
}

static double length_of(int rung)
{
  return longest * pow(shortest / longest, rung / (LADDER - 1.0));
}

// The first rung that is not longer than the given length.
static int rung_for(double length)
{
  const double rung = log(length / longest) / log(shortest / longest) * (LADDER - 1);
  return rung >= LADDER - 1 ? LADDER - 1 : (int)ceil(rung - 1e-9);
}

typedef struct robot {
  ff_scene *scene;
  ff_sim *sims[LADDER];
  ff_sim *now; // that has the current state
  double *state, *tau;
  int nv;
} robot;

static ff_status prepare(const bench_c2a_paper *b, ff_c2a_scheme scheme, double start, robot *r,
                         ff_error *error)
{
  ff_status status = bench_c2a_trot_load(
      &(bench_c2a_trot_scene_def){.scenes = b->run.scenes, .period = 1e-3, .start = start}, &r->scene, error);
  for (int i = 0; i < LADDER && status == FF_OK; ++i) {
    ff_sim_def def = bench_c2a_trot_plain(r->scene, length_of(i));
    def.stepper = FF_STEPPER_C2A;
    def.c2a.h_min =
        0.999 *
        def.dt; // a distance of dt would make it plain time-stepping; near objects are not reached within a step
    def.c2a.advancement = def.c2a.error_control = 0;
    def.c2a.scheme = scheme;
    status = ff_scene_create_sim(r->scene, &def, &r->sims[i], error);
  }
  if (status != FF_OK)
    return status;
  r->nv = ff_model_get_size(ff_scene_model(r->scene)).nv;
  r->state = calloc((size_t)ff_sim_state_size(r->sims[0]), sizeof *r->state);
  r->tau = calloc((size_t)r->nv, sizeof *r->tau);
  r->now = r->sims[0];
  return r->state && r->tau ? FF_OK : (error->status = FF_ERROR_MEMORY);
}

static void release_all(robot *r)
{
  for (int i = 0; i < LADDER; ++i)
    ff_sim_destroy(r->sims[i]);
  free(r->state);
  free(r->tau);
  ff_scene_destroy(r->scene);
}

// One step as long as its error allows. Returns its length, 0 if it fails; counts the tries.
static double step(robot *r, double time, double *seconds, int *tries)
{
  ff_error ignored;
  memset(r->tau, 0, (size_t)r->nv * sizeof *r->tau);
  if (ff_scene_control(r->scene, time, ff_sim_q(r->now), ff_sim_v(r->now), r->tau, &ignored) != FF_OK)
    return 0;
  ff_sim_get_state(r->now, r->state);
  for (int rung = 0;;) {
    ff_sim *sim = r->sims[rung];
    const double from = bench_timer_thread_seconds();
    const int is_taken =
        ff_sim_set_state(sim, r->state, &ignored) == FF_OK && ff_sim_step(sim, r->tau, &ignored) == FF_OK;
    *seconds += bench_timer_thread_seconds() - from;
    ++*tries;
    const ff_step_info *info = ff_sim_info(sim);
    const double share = is_taken ? info->energy_share : INFINITY;
    if (is_taken && (share <= tolerance || info->energy_error <= absolute || rung == LADDER - 1)) {
      r->now = sim;
      return length_of(rung);
    }
    if (rung == LADDER - 1)
      return 0;
    const int next = rung_for(fmax(shortest, 0.9 * tolerance / share * length_of(rung)));
    rung = next > rung ? next : rung + 1;
  }
}

static ff_status run(const bench_c2a_paper *b, ff_c2a_scheme scheme, double start,
                     bench_c2a_paper_error_control *out, ff_error *error)
{
  robot r = {0};
  ff_status status = prepare(b, scheme, start, &r, error);
  const double duration = duration_of(b);
  double time = 0, walking = 0;
  int walking_steps = 0;
  while (status == FF_OK && time < duration) {
    const double length = step(&r, time, &out->seconds, &out->tries);
    if (length == 0) {
      out->failed_at = time;
      break;
    }
    ++out->steps;
    if (time >= start) {
      walking += length;
      ++walking_steps;
    }
    out->shortest += length < 1.001 * shortest;
    time += length;
  }
  if (status == FF_OK) {
    out->mean = time / out->steps;
    out->walking = walking / walking_steps;
    out->shortest /= out->steps;
    out->is_measured = 1;
  }
  release_all(&r);
  return status;
}

static void report(const bench_c2a_paper *b)
{
  static const char *const names[BENCH_C2A_CONTROLLED] = {"trot", "stand, then trot", "trot, explicit"};
  char titles[][24] = {"mean [ms]", "walking [ms]", "steps", "tries", "at 0.5 ms", "failed at [s]"},
       metric[64];
  bench_table_say(
      &b->run.table,
      "Error control of 0.25 %%, at most 5 ms, at least 0.5 ms; the paper: 2.3427 ms, 2.1646 ms while it walks");
  bench_table_titles(&b->run.table, "", 6, titles);
  for (int i = 0; i < BENCH_C2A_CONTROLLED; ++i) {
    const bench_c2a_paper_error_control *r = &b->control[i];
    bench_table_row(&b->run.table, names[i]);
    bench_table_number(&b->run.table, 1e3 * r->mean);
    bench_table_number(&b->run.table, 1e3 * r->walking);
    bench_table_number(&b->run.table, r->steps);
    bench_table_number(&b->run.table, r->tries);
    bench_table_number(&b->run.table, r->shortest);
    bench_table_number(&b->run.table, r->failed_at);
    bench_table_end(&b->run.table);
    snprintf(metric, sizeof metric, "mean_step:%s", names[i]);
    bench_paper_row(&b->run, "control", metric, 1e3 * r->mean, "ms");
    snprintf(metric, sizeof metric, "mean_step_walking:%s", names[i]);
    bench_paper_row(&b->run, "control", metric, 1e3 * r->walking, "ms");
    snprintf(metric, sizeof metric, "tries_per_step:%s", names[i]);
    bench_paper_row(&b->run, "control", metric, r->tries / (double)r->steps, "1");
  }
}

ff_status bench_c2a_paper_error_control_run(void *paper, ff_error *error)
{
  bench_c2a_paper *b = paper;
  const double start[BENCH_C2A_CONTROLLED] = {0, duration_of(b) / 5, 0};
  const ff_c2a_scheme schemes[BENCH_C2A_CONTROLLED] = {FF_C2A_SEMI_IMPLICIT, FF_C2A_SEMI_IMPLICIT,
                                                       FF_C2A_EXPLICIT};
  for (int i = 0; i < BENCH_C2A_CONTROLLED; ++i) {
    b->control[i] = (bench_c2a_paper_error_control){.failed_at = NAN};
    const ff_status status = run(b, schemes[i], start[i], &b->control[i], error);
    if (status != FF_OK)
      return status;
    bench_progress_share(&b->run.progress, (i + 1.0) / BENCH_C2A_CONTROLLED);
  }
  bench_progress_end(&b->run.progress);
  report(b);
  return FF_OK;
}
