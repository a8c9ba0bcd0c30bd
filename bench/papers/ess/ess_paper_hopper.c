// Section 5.1 of the ESS paper: the hopper in MuJoCo, the epsilon at which we are as wrong as it is, and the times of both; and the hopper with a preload, which
// moved the paper's authors and which they leave out.
#include "papers/ess/ess_paper.h"
#include "papers/ess/ess_peer.h"
#include "papers/ess/ess_robot.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double preload = 20; // [N], twice the weight: what the leg pushes with at once

static const bench_peer_leg legs[BENCH_HOP_PEERS] = {BENCH_LEG_CONTACT, BENCH_LEG_LIMIT, BENCH_LEG_USER,
                                                     BENCH_LEG_CONTACT};

static int rounds_of(const bench_ess *b)
{
  return b->is_quick ? 50 : 300;
}

double bench_ess_hopper_work(const bench_ess *b)
{
  return 1 + 0.01 * rounds_of(b);
}

// ---- Movers ------------------------------------------------------------------------------------------------

static double error_of(const bench_mover *mover, const bench_hopper *h, bench_trace *trace)
{
  bench_hopper truth = *h;
  const double x0[2] = {h->start, 0};
  ff_error ignored;
  if (!mover->self || mover->go(mover->self, x0, bench_ess_duration, trace, &ignored) != FF_OK)
    return NAN;
  return bench_trace_error(trace, bench_hopper_at, &truth);
}

static ff_status paced(const bench_hopper *h, ff_ess_method method, double epsilon, bench_mover *out,
                       ff_error *error)
{
  const ff_ess_def def = bench_ess_paced(bench_hopper_def(), method, epsilon);
  return bench_ess_mover(&def, h, out, error);
}

static ff_status ess_error(const bench_hopper *h, double epsilon, bench_trace *trace, double *out,
                           ff_error *error)
{
  bench_mover mover;
  const ff_status status = paced(h, FF_ESS_PROJECT, epsilon, &mover, error);
  if (status == FF_OK)
    *out = error_of(&mover, h, trace);
  bench_mover_destroy(&mover);
  return status;
}

// The epsilon at which ess first becomes as wrong as `target`, coming from below; NAN if it does not up to the leg's length.
static ff_status find_epsilon(const bench_hopper *h, double target, double *out, ff_error *error)
{
  bench_trace trace = {0};
  double low = 1e-5, high = NAN, now = NAN;
  ff_status status = FF_OK;
  *out = NAN;
  for (double e = low; e < h->length && status == FF_OK && isnan(high); e *= 1.2) {
    status = ess_error(h, e, &trace, &now, error);
    if (now <= target)
      low = e;
    else
      high = e;
  }
  for (int i = 0; i < 40 && status == FF_OK && !isnan(high); ++i) {
    const double middle = sqrt(low * high);
    status = ess_error(h, middle, &trace, &now, error);
    *(now <= target ? &low : &high) = middle;
  }
  if (!isnan(high))
    *out = low;
  bench_trace_free(&trace);
  return status;
}

// ---- The paper's hopper ------------------------------------------------------------------------------------

static void name_ways(bench_hopper_study *s)
{
  static const char *const names[BENCH_HOP_WAYS] = {
      "mujoco:contact", "mujoco:limit", "mujoco:force", "mujoco:contact:rk4", "ess", "dopri5", "expo"};
  static const char *const loaded[BENCH_PRELOADED_WAYS] = {"ess", "dopri5", "mujoco:force", "expo"};
  for (int i = 0; i < BENCH_HOP_WAYS; ++i)
    s->ways[i] = (bench_way){.name = names[i], .error = NAN, .seconds = NAN, .epsilon = NAN};
  for (int i = 0; i < BENCH_PRELOADED_WAYS; ++i)
    s->preload[i] = (bench_way){.name = loaded[i], .error = NAN, .seconds = NAN, .epsilon = NAN};
}

static void note(bench_way *way, double error)
{
  way->error = error;
  way->is_measured = isfinite(error);
}

static ff_status make_ways(bench_ess *b, bench_mover movers[BENCH_HOP_WAYS], ff_error *error)
{
  bench_hopper_study *s = &b->hopper;
  const bench_hopper *h = &bench_ess_hopper;
  bench_trace own = {0};
  ff_status status = FF_OK;
  for (int i = 0; i < BENCH_HOP_PEERS; ++i) {
    s->epsilon[i] = s->seconds[i] = NAN;
    if (!bench_hopper_mujoco(h, legs[i], i == BENCH_HOP_RK4 ? BENCH_PEER_RK4 : BENCH_PEER_EULER,
                             bench_ess_step, &movers[i], s->ways[i].why, sizeof s->ways[i].why))
      continue;
    note(&s->ways[i], error_of(&movers[i], h, i == BENCH_HOP_CONTACT ? &s->trace[0] : &own));
    if (status == FF_OK)
      status = find_epsilon(h, s->ways[i].error, &s->epsilon[i], error);
  }
  snprintf(b->no_mujoco, sizeof b->no_mujoco, "%s", s->ways[BENCH_HOP_CONTACT].why);
  if (s->ways[BENCH_HOP_CONTACT].is_measured) {
    b->target = s->ways[BENCH_HOP_CONTACT].error;
    b->epsilon = s->epsilon[BENCH_HOP_CONTACT];
  }
  if (status == FF_OK)
    status = paced(h, FF_ESS_PROJECT, b->epsilon, &movers[BENCH_HOP_ESS], error);
  if (status == FF_OK)
    status = paced(h, FF_ESS_LOCATE, b->epsilon, &movers[BENCH_HOP_DOPRI5], error);
  if (status == FF_OK)
    status = bench_hopper_robot(h, FF_STEPPER_EXPO, bench_ess_step, &movers[BENCH_HOP_EXPO], error);
  for (int i = BENCH_HOP_ESS; i < BENCH_HOP_WAYS && status == FF_OK; ++i)
    note(&s->ways[i], error_of(&movers[i], h, i == BENCH_HOP_ESS ? &s->trace[1] : &own));
  s->ways[BENCH_HOP_ESS].epsilon = b->epsilon;
  bench_trace_free(&own);
  return status;
}

// All of them in turns, and ess with each of the epsilons that were found.
static ff_status time_ways(bench_ess *b, bench_mover movers[], ff_error *error)
{
  enum { ALL = BENCH_HOP_WAYS + BENCH_HOP_PEERS };
  bench_hopper_study *s = &b->hopper;
  const double x0[2] = {bench_ess_hopper.start, 0};
  double seconds[ALL];
  ff_status status = FF_OK;
  for (int i = 0; i < BENCH_HOP_PEERS && status == FF_OK; ++i)
    if (isfinite(s->epsilon[i]))
      status = paced(&bench_ess_hopper, FF_ESS_PROJECT, s->epsilon[i], &movers[BENCH_HOP_WAYS + i], error);
  if (status != FF_OK)
    return status;
  bench_movers_time(movers, ALL, x0, bench_ess_duration, rounds_of(b), seconds);
  for (int i = 0; i < BENCH_HOP_WAYS; ++i)
    s->ways[i].seconds = seconds[i];
  memcpy(s->seconds, seconds + BENCH_HOP_WAYS, sizeof s->seconds);
  return FF_OK;
}

static ff_status measure_plain(bench_ess *b, ff_error *error)
{
  bench_mover movers[BENCH_HOP_WAYS + BENCH_HOP_PEERS] = {0};
  ff_status status = make_ways(b, movers, error);
  if (status == FF_OK)
    status = time_ways(b, movers, error);
  for (int i = 0; i < BENCH_HOP_WAYS + BENCH_HOP_PEERS; ++i)
    bench_mover_destroy(&movers[i]);
  return status;
}

// ---- With a preload ----------------------------------------------------------------------------------------

static ff_status preload_order(const bench_hopper *h, double *order, ff_error *error)
{
  enum { SAMPLES = 13 };
  double epsilon[SAMPLES], errors[SAMPLES];
  bench_trace trace = {0};
  ff_status status = FF_OK;
  for (int i = 0; i < SAMPLES && status == FF_OK; ++i) {
    epsilon[i] = pow(10, -1 - 2.0 * i / (SAMPLES - 1));
    status = ess_error(h, epsilon[i], &trace, &errors[i], error);
  }
  *order = bench_ess_fit(epsilon, errors, 0, SAMPLES - 1, NULL);
  bench_trace_free(&trace);
  return status;
}

static ff_status measure_preloaded(bench_ess *b, ff_error *error)
{
  bench_hopper_study *s = &b->hopper;
  bench_mover movers[BENCH_PRELOADED_WAYS] = {0};
  double seconds[BENCH_PRELOADED_WAYS];
  const double x0[2] = {bench_ess_hopper.start, 0};
  bench_trace trace = {0};
  bench_hopper *h = &s->preloaded;
  bench_way *force = &s->preload[BENCH_PRELOADED_FORCE];
  *h = bench_ess_hopper;
  h->preload = preload;
  ff_status status = preload_order(h, &s->preload_order, error);
  if (status == FF_OK)
    status = paced(h, FF_ESS_PROJECT, b->epsilon, &movers[BENCH_PRELOADED_ESS], error);
  if (status == FF_OK)
    status = paced(h, FF_ESS_LOCATE, b->epsilon, &movers[BENCH_PRELOADED_DOPRI5], error);
  if (status == FF_OK)
    status = bench_hopper_robot(h, FF_STEPPER_EXPO, bench_ess_step, &movers[BENCH_PRELOADED_EXPO], error);
  bench_hopper_mujoco(h, BENCH_LEG_USER, BENCH_PEER_EULER, bench_ess_step, &movers[BENCH_PRELOADED_FORCE],
                      force->why, sizeof force->why);
  for (int i = 0; i < BENCH_PRELOADED_WAYS && status == FF_OK; ++i)
    note(&s->preload[i], error_of(&movers[i], h, &trace));
  if (status == FF_OK)
    bench_movers_time(movers, BENCH_PRELOADED_WAYS, x0, bench_ess_duration, rounds_of(b) / 4, seconds);
  for (int i = 0; i < BENCH_PRELOADED_WAYS; ++i) {
    s->preload[i].seconds = status == FF_OK ? seconds[i] : NAN;
    bench_mover_destroy(&movers[i]);
  }
  s->preload[BENCH_PRELOADED_ESS].epsilon = b->epsilon;
  bench_trace_free(&trace);
  return status;
}

// ---- Reports -----------------------------------------------------------------------------------------------

static void report_ways(const bench_ess *b, const char *which, const bench_way *ways, int count)
{
  char titles[][24] = {"RMS error", "run [us]", "epsilon"}, metric[64];
  bench_sheet_titles(&b->sheet, which, 3, titles);
  for (int i = 0; i < count; ++i) {
    bench_sheet_row(&b->sheet, ways[i].name);
    bench_sheet_error(&b->sheet, ways[i].error);
    bench_sheet_number(&b->sheet, 1e6 * ways[i].seconds);
    bench_sheet_error(&b->sheet, ways[i].epsilon);
    bench_sheet_end(&b->sheet);
    if (!ways[i].is_measured)
      continue;
    snprintf(metric, sizeof metric, "%s:rms", ways[i].name);
    bench_ess_row(b, which, metric, ways[i].error, "1");
    snprintf(metric, sizeof metric, "%s:us", ways[i].name);
    bench_ess_row(b, which, metric, 1e6 * ways[i].seconds, "us");
  }
}

static void report_peers(const bench_ess *b)
{
  const bench_hopper_study *s = &b->hopper;
  char metric[64];
  for (int i = 0; i < BENCH_HOP_PEERS; ++i) {
    const char *name = s->ways[i].name;
    if (!s->ways[i].is_measured || !isfinite(s->epsilon[i]))
      continue;
    const double ratio = s->ways[i].seconds / s->seconds[i];
    bench_sheet_say(
        &b->sheet,
        "%s: ess has its error at epsilon %.4g, and takes %.4g us of its %.4g us: %.3g times faster", name,
        s->epsilon[i], 1e6 * s->seconds[i], 1e6 * s->ways[i].seconds, ratio);
    snprintf(metric, sizeof metric, "epsilon:%s", name);
    bench_ess_row(b, "hopper", metric, s->epsilon[i], "m");
    snprintf(metric, sizeof metric, "time_ratio:%s", name);
    bench_ess_row(b, "hopper", metric, ratio, "x");
  }
}

static void report(const bench_ess *b)
{
  const bench_hopper_study *s = &b->hopper;
  bench_sheet_say(&b->sheet, "Hopper, %.3g s in steps of %.3g ms", bench_ess_duration, 1e3 * bench_ess_step);
  report_ways(b, "hopper", s->ways, BENCH_HOP_WAYS);
  report_peers(b);
  bench_sheet_say(&b->sheet, "The paper: epsilon %.2g, MuJoCo %.4f s, ours (NumPy) %.4f s",
                  bench_ess_stated_epsilon, bench_ess_stated_mujoco, bench_ess_stated_ours);
  bench_ess_row(b, "hopper", "stated:epsilon", bench_ess_stated_epsilon, "m");
  bench_ess_row(b, "hopper", "stated:mujoco:us", 1e6 * bench_ess_stated_mujoco, "us");
  bench_ess_row(b, "hopper", "stated:ess:us", 1e6 * bench_ess_stated_ours, "us");
  if (s->ways[BENCH_HOP_CONTACT].is_measured)
    bench_ess_row(b, "paper", "hopper:time_ratio_vs_mujoco",
                  s->ways[BENCH_HOP_CONTACT].seconds / s->seconds[BENCH_HOP_CONTACT], "x");
  bench_sheet_say(&b->sheet, "Hopper whose leg pushes with %.3g N at once; order of ess %.3g", preload,
                  s->preload_order);
  report_ways(b, "preloaded", s->preload, BENCH_PRELOADED_WAYS);
  bench_ess_row(b, "preloaded", "ess:order", s->preload_order, "1");
}

ff_status bench_ess_hopping(bench_ess *b, ff_error *error)
{
  name_ways(&b->hopper);
  b->target = 2.8e-3; // MuJoCo's error where it is not there to be asked
  b->epsilon = 0.03;
  ff_status status = measure_plain(b, error);
  if (status == FF_OK)
    status = measure_preloaded(b, error);
  if (status != FF_OK)
    return status;
  b->hopper.is_measured = 1;
  report(b);
  return FF_OK;
}
