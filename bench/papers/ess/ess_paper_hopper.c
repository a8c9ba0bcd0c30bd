// Section 5.1 of the ESS paper: the hopper in MuJoCo, the epsilon at which ess has MuJoCo's error, and the times of
// both; and the hopper with a preload, which motivated the paper but is not in it.
#include "papers/ess/ess_mujoco.h"
#include "papers/ess/ess_paper.h"
#include "papers/ess/ess_robot.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double preload = 20; // [N], twice the weight: the leg's force at touch-down

static const bench_ess_mujoco_leg legs[BENCH_ESS_HOP_PEERS] = {BENCH_ESS_LEG_CONTACT, BENCH_ESS_LEG_LIMIT,
                                                               BENCH_ESS_LEG_USER, BENCH_ESS_LEG_CONTACT};

static int rounds_of(const bench_ess_paper *b)
{
  return b->run.is_quick ? 50 : 300;
}

double bench_ess_paper_hopper_work(const void *paper)
{
  const bench_ess_paper *b = paper;
  return 1 + 0.01 * rounds_of(b);
}

// ---- Simulators -----------------------------------------------------------------------------------------

static double error_of(const bench_ess_simulator *simulator, const bench_ess_hopper *h,
                       bench_ess_trace *trace)
{
  bench_ess_hopper truth = *h;
  const double x0[2] = {h->start, 0};
  ff_error ignored;
  if (!simulator->self ||
      simulator->go(simulator->self, x0, bench_ess_paper_duration, trace, &ignored) != FF_OK)
    return NAN;
  return bench_ess_trace_error(trace, bench_ess_hopper_at, &truth);
}

static ff_status paced(const bench_ess_hopper *h, ff_ess_method method, double epsilon,
                       bench_ess_simulator *out, ff_error *error)
{
  const ff_ess_def def = bench_ess_paper_fixed_steps(bench_ess_hopper_def(), method, epsilon);
  return bench_ess_simulator_create(&def, h, out, error);
}

static ff_status ess_error(const bench_ess_hopper *h, double epsilon, bench_ess_trace *trace, double *out,
                           ff_error *error)
{
  bench_ess_simulator simulator;
  const ff_status status = paced(h, FF_ESS_PROJECT, epsilon, &simulator, error);
  if (status == FF_OK)
    *out = error_of(&simulator, h, trace);
  bench_ess_simulator_destroy(&simulator);
  return status;
}

// The smallest epsilon at which the error of ess reaches `target`; NAN if it does not up to the leg's length.
static ff_status find_epsilon(const bench_ess_hopper *h, double target, double *out, ff_error *error)
{
  bench_ess_trace trace = {0};
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
  bench_ess_trace_free(&trace);
  return status;
}

// ---- The paper's hopper ---------------------------------------------------------------------------------

static void name_methods(bench_ess_paper_hopper *s)
{
  static const char *const names[BENCH_ESS_HOP_METHODS] = {
      "mujoco:contact", "mujoco:limit", "mujoco:force", "mujoco:contact:rk4", "ess", "dopri5", "expo"};
  static const char *const loaded[BENCH_ESS_PRELOADED_METHODS] = {"ess", "dopri5", "mujoco:force", "expo"};
  for (int i = 0; i < BENCH_ESS_HOP_METHODS; ++i)
    s->methods[i] = (bench_ess_paper_method){.name = names[i], .error = NAN, .seconds = NAN, .epsilon = NAN};
  for (int i = 0; i < BENCH_ESS_PRELOADED_METHODS; ++i)
    s->preload[i] = (bench_ess_paper_method){.name = loaded[i], .error = NAN, .seconds = NAN, .epsilon = NAN};
}

static void note(bench_ess_paper_method *method, double error)
{
  method->error = error;
  method->is_measured = isfinite(error);
}

static ff_status make_methods(bench_ess_paper *b, bench_ess_simulator simulators[BENCH_ESS_HOP_METHODS],
                              ff_error *error)
{
  bench_ess_paper_hopper *s = &b->hopper;
  const bench_ess_hopper *h = &bench_ess_paper_usual_hopper;
  bench_ess_trace own = {0};
  ff_status status = FF_OK;
  for (int i = 0; i < BENCH_ESS_HOP_PEERS; ++i) {
    s->epsilon[i] = s->seconds[i] = NAN;
    const bench_ess_mujoco_options options = {
        legs[i], i == BENCH_ESS_HOP_RK4 ? BENCH_ESS_MUJOCO_RK4 : BENCH_ESS_MUJOCO_EULER,
        bench_ess_paper_step};
    if (!bench_ess_mujoco_hopper(h, &options, &simulators[i], s->methods[i].why, sizeof s->methods[i].why))
      continue;
    note(&s->methods[i], error_of(&simulators[i], h, i == BENCH_ESS_HOP_CONTACT ? &s->trace[0] : &own));
    if (status == FF_OK)
      status = find_epsilon(h, s->methods[i].error, &s->epsilon[i], error);
  }
  snprintf(b->no_mujoco, sizeof b->no_mujoco, "%s", s->methods[BENCH_ESS_HOP_CONTACT].why);
  if (s->methods[BENCH_ESS_HOP_CONTACT].is_measured) {
    b->target = s->methods[BENCH_ESS_HOP_CONTACT].error;
    b->epsilon = s->epsilon[BENCH_ESS_HOP_CONTACT];
  }
  if (status == FF_OK)
    status = paced(h, FF_ESS_PROJECT, b->epsilon, &simulators[BENCH_ESS_HOP_ESS], error);
  if (status == FF_OK)
    status = paced(h, FF_ESS_LOCATE, b->epsilon, &simulators[BENCH_ESS_HOP_DOPRI5], error);
  if (status == FF_OK)
    status = bench_ess_robot_hopper(h, FF_STEPPER_EXPO, bench_ess_paper_step, &simulators[BENCH_ESS_HOP_EXPO],
                                    error);
  for (int i = BENCH_ESS_HOP_ESS; i < BENCH_ESS_HOP_METHODS && status == FF_OK; ++i)
    note(&s->methods[i], error_of(&simulators[i], h, i == BENCH_ESS_HOP_ESS ? &s->trace[1] : &own));
  s->methods[BENCH_ESS_HOP_ESS].epsilon = b->epsilon;
  bench_ess_trace_free(&own);
  return status;
}

// All methods in turns, and ess with each epsilon that was found.
static ff_status time_methods(bench_ess_paper *b, bench_ess_simulator simulators[], ff_error *error)
{
  enum { ALL = BENCH_ESS_HOP_METHODS + BENCH_ESS_HOP_PEERS };
  bench_ess_paper_hopper *s = &b->hopper;
  const double x0[2] = {bench_ess_paper_usual_hopper.start, 0};
  double seconds[ALL];
  ff_status status = FF_OK;
  for (int i = 0; i < BENCH_ESS_HOP_PEERS && status == FF_OK; ++i)
    if (isfinite(s->epsilon[i]))
      status = paced(&bench_ess_paper_usual_hopper, FF_ESS_PROJECT, s->epsilon[i],
                     &simulators[BENCH_ESS_HOP_METHODS + i], error);
  if (status != FF_OK)
    return status;
  bench_ess_simulator_time(simulators, ALL, x0, bench_ess_paper_duration, rounds_of(b), seconds);
  for (int i = 0; i < BENCH_ESS_HOP_METHODS; ++i)
    s->methods[i].seconds = seconds[i];
  memcpy(s->seconds, seconds + BENCH_ESS_HOP_METHODS, sizeof s->seconds);
  return FF_OK;
}

static ff_status measure_plain(bench_ess_paper *b, ff_error *error)
{
  bench_ess_simulator simulators[BENCH_ESS_HOP_METHODS + BENCH_ESS_HOP_PEERS] = {0};
  ff_status status = make_methods(b, simulators, error);
  if (status == FF_OK)
    status = time_methods(b, simulators, error);
  for (int i = 0; i < BENCH_ESS_HOP_METHODS + BENCH_ESS_HOP_PEERS; ++i)
    bench_ess_simulator_destroy(&simulators[i]);
  return status;
}

// ---- With a preload -------------------------------------------------------------------------------------

static ff_status preload_order(const bench_ess_hopper *h, double *order, ff_error *error)
{
  enum { SAMPLES = 13 };
  double epsilon[SAMPLES], errors[SAMPLES];
  bench_ess_trace trace = {0};
  ff_status status = FF_OK;
  for (int i = 0; i < SAMPLES && status == FF_OK; ++i) {
    epsilon[i] = pow(10, -1 - 2.0 * i / (SAMPLES - 1));
    status = ess_error(h, epsilon[i], &trace, &errors[i], error);
  }
  *order = bench_ess_paper_fit(epsilon, errors, 0, SAMPLES - 1, NULL);
  bench_ess_trace_free(&trace);
  return status;
}

static ff_status measure_preloaded(bench_ess_paper *b, ff_error *error)
{
  bench_ess_paper_hopper *s = &b->hopper;
  bench_ess_simulator simulators[BENCH_ESS_PRELOADED_METHODS] = {0};
  double seconds[BENCH_ESS_PRELOADED_METHODS];
  const double x0[2] = {bench_ess_paper_usual_hopper.start, 0};
  bench_ess_trace trace = {0};
  bench_ess_hopper *h = &s->preloaded;
  bench_ess_paper_method *force = &s->preload[BENCH_ESS_PRELOADED_FORCE];
  *h = bench_ess_paper_usual_hopper;
  h->preload = preload;
  ff_status status = preload_order(h, &s->preload_order, error);
  if (status == FF_OK)
    status = paced(h, FF_ESS_PROJECT, b->epsilon, &simulators[BENCH_ESS_PRELOADED_ESS], error);
  if (status == FF_OK)
    status = paced(h, FF_ESS_LOCATE, b->epsilon, &simulators[BENCH_ESS_PRELOADED_DOPRI5], error);
  if (status == FF_OK)
    status = bench_ess_robot_hopper(h, FF_STEPPER_EXPO, bench_ess_paper_step,
                                    &simulators[BENCH_ESS_PRELOADED_EXPO], error);
  const bench_ess_mujoco_options options = {BENCH_ESS_LEG_USER, BENCH_ESS_MUJOCO_EULER, bench_ess_paper_step};
  bench_ess_mujoco_hopper(h, &options, &simulators[BENCH_ESS_PRELOADED_FORCE], force->why, sizeof force->why);
  for (int i = 0; i < BENCH_ESS_PRELOADED_METHODS && status == FF_OK; ++i)
    note(&s->preload[i], error_of(&simulators[i], h, &trace));
  if (status == FF_OK)
    bench_ess_simulator_time(simulators, BENCH_ESS_PRELOADED_METHODS, x0, bench_ess_paper_duration,
                             rounds_of(b) / 4, seconds);
  for (int i = 0; i < BENCH_ESS_PRELOADED_METHODS; ++i) {
    s->preload[i].seconds = status == FF_OK ? seconds[i] : NAN;
    bench_ess_simulator_destroy(&simulators[i]);
  }
  s->preload[BENCH_ESS_PRELOADED_ESS].epsilon = b->epsilon;
  bench_ess_trace_free(&trace);
  return status;
}

// ---- Reports --------------------------------------------------------------------------------------------

static void report_methods(const bench_ess_paper *b, const char *which, const bench_ess_paper_method *methods,
                           int count)
{
  char titles[][24] = {"RMS error", "run [us]", "epsilon"}, metric[64];
  bench_table_titles(&b->run.table, which, 3, titles);
  for (int i = 0; i < count; ++i) {
    bench_table_row(&b->run.table, methods[i].name);
    bench_table_error(&b->run.table, methods[i].error);
    bench_table_number(&b->run.table, 1e6 * methods[i].seconds);
    bench_table_error(&b->run.table, methods[i].epsilon);
    bench_table_end(&b->run.table);
    if (!methods[i].is_measured)
      continue;
    snprintf(metric, sizeof metric, "%s:rms", methods[i].name);
    bench_paper_row(&b->run, which, metric, methods[i].error, "1");
    snprintf(metric, sizeof metric, "%s:us", methods[i].name);
    bench_paper_row(&b->run, which, metric, 1e6 * methods[i].seconds, "us");
  }
}

static void report_peers(const bench_ess_paper *b)
{
  const bench_ess_paper_hopper *s = &b->hopper;
  char metric[64];
  for (int i = 0; i < BENCH_ESS_HOP_PEERS; ++i) {
    const char *name = s->methods[i].name;
    if (!s->methods[i].is_measured || !isfinite(s->epsilon[i]))
      continue;
    const double ratio = s->methods[i].seconds / s->seconds[i];
    bench_table_say(
        &b->run.table,
        "%s: ess has the same error at epsilon %.4g and takes %.4g us instead of %.4g us: %.3g times faster",
        name, s->epsilon[i], 1e6 * s->seconds[i], 1e6 * s->methods[i].seconds, ratio);
    snprintf(metric, sizeof metric, "epsilon:%s", name);
    bench_paper_row(&b->run, "hopper", metric, s->epsilon[i], "m");
    snprintf(metric, sizeof metric, "time_ratio:%s", name);
    bench_paper_row(&b->run, "hopper", metric, ratio, "x");
  }
}

static void report(const bench_ess_paper *b)
{
  const bench_ess_paper_hopper *s = &b->hopper;
  bench_table_say(&b->run.table, "Hopper, %.3g s in steps of %.3g ms", bench_ess_paper_duration,
                  1e3 * bench_ess_paper_step);
  report_methods(b, "hopper", s->methods, BENCH_ESS_HOP_METHODS);
  report_peers(b);
  bench_table_say(&b->run.table, "The paper: epsilon %.2g, MuJoCo %.4f s, ours (NumPy) %.4f s",
                  bench_ess_paper_published_epsilon, bench_ess_paper_published_mujoco,
                  bench_ess_paper_published_ess);
  bench_paper_row(&b->run, "hopper", "stated:epsilon", bench_ess_paper_published_epsilon, "m");
  bench_paper_row(&b->run, "hopper", "stated:mujoco:us", 1e6 * bench_ess_paper_published_mujoco, "us");
  bench_paper_row(&b->run, "hopper", "stated:ess:us", 1e6 * bench_ess_paper_published_ess, "us");
  if (s->methods[BENCH_ESS_HOP_CONTACT].is_measured)
    bench_paper_row(&b->run, "paper", "hopper:time_ratio_vs_mujoco",
                    s->methods[BENCH_ESS_HOP_CONTACT].seconds / s->seconds[BENCH_ESS_HOP_CONTACT], "x");
  bench_table_say(&b->run.table, "Hopper with a preload of %.3g N; order of ess %.3g", preload,
                  s->preload_order);
  report_methods(b, "preloaded", s->preload, BENCH_ESS_PRELOADED_METHODS);
  bench_paper_row(&b->run, "preloaded", "ess:order", s->preload_order, "1");
}

ff_status bench_ess_paper_hopper_run(void *paper, ff_error *error)
{
  bench_ess_paper *b = paper;
  name_methods(&b->hopper);
  b->target = 2.8e-3; // MuJoCo's error, for builds without MuJoCo
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
