// Records torques and states of a controlled motion, and replays blocks of it in turns.
#include "papers/moreau/moreau_paper_replay.h"

#include "common/timer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---- Motions in turns -----------------------------------------------------------------------------------

static void keep(const bench_moreau_paper_replay_motion *m, int block, double seconds)
{
  double *least = &m->least[block], *second = &m->least[m->blocks + block];
  if (seconds < *least)
    *second = *least, *least = seconds;
  else
    *second = fmin(*second, seconds);
}

void bench_moreau_paper_replay_time(bench_moreau_paper_replay_motion *const *motions, int count, int rounds,
                                    void (*report)(void *user, double share), void *user)
{
  int most = 0;
  for (int i = 0; i < count; ++i) {
    most = motions[i]->blocks > most ? motions[i]->blocks : most;
    for (int b = 0; b < 2 * motions[i]->blocks; ++b)
      motions[i]->least[b] = INFINITY;
  }
  for (int round = 0; round < rounds; ++round)
    for (int b = 0; b < most; ++b) {
      for (int k = 0; k < count; ++k) {
        bench_moreau_paper_replay_motion *m =
            motions[(k + round) % count]; // no motion always follows the same neighbour
        if (b >= m->blocks || (m->rounds > 0 && round >= m->rounds))
          continue;
        m->begin(m->context, b);
        const double start = bench_timer_thread_seconds();
        m->play(m->context, b);
        keep(m, b, bench_timer_thread_seconds() - start);
      }
      report(user, (round + (b + 1.0) / most) / rounds);
    }
}

double bench_moreau_paper_replay_us(const bench_moreau_paper_replay_motion *m, int is_slow)
{
  double sum = 0;
  for (int b = 0; b < m->blocks; ++b)
    sum += is_slow && isfinite(m->least[m->blocks + b]) ? m->least[m->blocks + b] : m->least[b];
  return 1e6 * sum / ((double)m->blocks * m->steps);
}

// ---- Recording ------------------------------------------------------------------------------------------

static void begin(void *context, int block)
{
  bench_moreau_paper_replay *r = context;
  ff_error ignored;
  ff_sim_set_state(r->sim, r->state + (size_t)block * (size_t)r->size, &ignored);
}

static void play_with(const bench_moreau_paper_replay *r, ff_sim *sim, int block)
{
  ff_error ignored;
  const double *tau = r->tau + (size_t)block * (size_t)r->steps * (size_t)r->nv;
  for (int k = 0; k < r->steps; ++k, tau += r->nv)
    ff_sim_step(sim, tau, &ignored);
}

static void play(void *context, int block)
{
  const bench_moreau_paper_replay *r = context;
  play_with(r, r->sim, block);
}

// Sums of the linear fit of drift over time.
typedef struct line {
  double n, x, y, xx, xy;
} line;

static void see(bench_moreau_paper_replay *r, line *l, double time, const ff_step_info *info)
{
  r->iterations += info->iterations;
  r->contacts += info->contacts;
  r->unconverged += !info->converged;
  r->iterations_most = info->iterations > r->iterations_most ? info->iterations : r->iterations_most;
  r->drift = fmax(r->drift, info->drift);
  *l = (line){l->n + 1, l->x + time, l->y + info->drift, l->xx + time * time, l->xy + time * info->drift};
}

static ff_status record(bench_moreau_paper_replay *r, bench_controlled_robot *d, int warm, ff_error *error)
{
  const long long first = (long long)warm * r->steps, last = first + (long long)r->blocks * r->steps;
  const size_t nv = (size_t)r->nv, size = (size_t)r->size;
  line l = {0};
  for (long long k = 0; k < last; ++k) {
    const long long at = k - first;
    ff_status status = bench_controlled_robot_control(d, error);
    if (at >= 0 && at % r->steps == 0)
      ff_sim_get_state(d->sim, r->state + (size_t)(at / r->steps) * size);
    if (at >= 0)
      memcpy(r->tau + (size_t)at * nv, d->own_tau, nv * sizeof *r->tau);
    const double start = bench_timer_thread_seconds();
    if (status == FF_OK)
      status = ff_sim_step(d->sim, d->own_tau, error);
    if (status != FF_OK)
      return status;
    ++d->steps;
    r->seconds += at >= 0 ? bench_timer_thread_seconds() - start : 0;
    if (at >= 0)
      see(r, &l, ff_sim_time(d->sim), ff_sim_info(d->sim));
  }
  ff_sim_get_state(d->sim, r->state + (size_t)r->blocks * size);
  r->iterations /= l.n, r->contacts /= l.n, r->unconverged /= l.n;
  r->drift_per_minute = 60 * (l.n * l.xy - l.x * l.y) / (l.n * l.xx - l.x * l.x);
  return FF_OK;
}

ff_status bench_moreau_paper_replay_make(const bench_moreau_paper_replay_def *def,
                                         bench_moreau_paper_replay *out, ff_error *error)
{
  const int blocks = def->blocks, steps = def->steps;
  bench_controlled_robot d;
  *out = (bench_moreau_paper_replay){.blocks = blocks, .steps = steps};
  ff_status status = bench_controlled_robot_create(def->scene, def->sim, def->substeps, &d, error);
  if (status != FF_OK)
    return status;
  out->nv = d.own_nv;
  out->size = ff_sim_state_size(d.sim);
  out->state = malloc((size_t)(blocks + 1) * (size_t)out->size * sizeof(double));
  out->tau = malloc((size_t)blocks * (size_t)steps * (size_t)out->nv * sizeof(double));
  out->least = calloc(2 * (size_t)blocks, sizeof(double));
  ff_sim_def timed = *def->sim;
  timed.timing = 1;
  timed.dt = d.period / def->substeps;
  status = out->state && out->tau && out->least ? ff_scene_create_sim(def->scene, &timed, &out->timed, error)
                                                : FF_ERROR_MEMORY;
  if (status == FF_OK)
    status = record(out, &d, def->warm, error);
  if (status == FF_OK) {
    out->sim = d.sim; // kept
    d.sim = NULL;
  } else {
    bench_moreau_paper_replay_free(out);
  }
  bench_controlled_robot_free(&d);
  return status;
}

void bench_moreau_paper_replay_free(bench_moreau_paper_replay *r)
{
  ff_sim_destroy(r->sim);
  ff_sim_destroy(r->timed);
  free(r->state);
  free(r->tau);
  free(r->least);
  *r = (bench_moreau_paper_replay){0};
}

int bench_moreau_paper_replay_is_repeated(bench_moreau_paper_replay *r, int blocks)
{
  const size_t size = (size_t)r->size;
  double *state = malloc(size * sizeof *state);
  int is_same = state != NULL;
  r->motion = (bench_moreau_paper_replay_motion){begin, play, r, r->blocks, r->steps, 0, r->least};
  for (int b = 0; b < blocks && b < r->blocks && is_same; ++b) {
    begin(r, b);
    play(r, b);
    ff_sim_get_state(r->sim, state);
    is_same = memcmp(state, r->state + (size_t)(b + 1) * size, size * sizeof *state) == 0;
  }
  free(state);
  return is_same;
}

// Phases of a step, and the part of the last one that judges its energy.
enum { CELLS = FF_PHASE_COUNT + 1 };

// Replay one block with timed phases: least [steps][CELLS] keeps the minimum so far.
static void time_phases(const bench_moreau_paper_replay *r, int block, double *least)
{
  ff_error ignored;
  const double *tau = r->tau + (size_t)block * (size_t)r->steps * (size_t)r->nv;
  ff_sim_set_state(r->timed, r->state + (size_t)block * (size_t)r->size, &ignored);
  for (int k = 0; k < r->steps; ++k, tau += r->nv) {
    ff_sim_step(r->timed, tau, &ignored);
    for (int p = 0; p < CELLS; ++p) {
      const ff_step_info *info = ff_sim_info(r->timed);
      double *one = &least[k * CELLS + p];
      *one = fmin(*one, p < FF_PHASE_COUNT ? info->seconds[p] : info->judging);
    }
  }
}

// Two readings of the clock, one after the other: they are part of a time that is measured between them.
static double reading_seconds(void)
{
  double least = 1;
  for (int i = 0; i < 100; ++i) {
    const double start = bench_timer_seconds();
    least = fmin(least, bench_timer_seconds() - start);
  }
  return least;
}

int bench_moreau_paper_replay_phases(bench_moreau_paper_replay *r, int blocks, int times,
                                     double phase[FF_PHASE_COUNT], double *judging, double *deviation)
{
  const int cells = r->steps * CELLS;
  double *least = malloc((size_t)cells * sizeof *least), sum = 0, squares = 0, judged = 0;
  if (!least)
    return 0;
  blocks = blocks < r->blocks ? blocks : r->blocks;
  const double steps = (double)blocks * r->steps;
  for (int p = 0; p < FF_PHASE_COUNT; ++p)
    phase[p] = 0;
  for (int b = 0; b < blocks; ++b) {
    for (int i = 0; i < cells; ++i)
      least[i] = INFINITY;
    for (int t = 0; t < times; ++t)
      time_phases(r, b, least);
    for (int k = 0; k < r->steps; ++k) {
      double us = 0;
      for (int p = 0; p < FF_PHASE_COUNT; ++p) {
        phase[p] += 1e6 * least[k * CELLS + p] / steps;
        us += 1e6 * least[k * CELLS + p];
      }
      judged += 1e6 * least[k * CELLS + FF_PHASE_COUNT] / steps;
      sum += us, squares += us * us;
    }
  }
  free(least);
  *judging = fmax(0, judged - 1e6 * reading_seconds());
  *deviation = sqrt(fmax(0, squares / steps - sum / steps * (sum / steps)));
  return 1;
}
