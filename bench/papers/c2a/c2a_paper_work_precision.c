// Our own study: error over time on the trot: fixed steps of first and of higher order, and error control, with soft
// and with hard contact.
//
// Errors are local: each control period starts in the state of a truth, with its torques, and its end state is compared
// with the truth's (<footfall/compare.h>). Soft and hard contact are different models, each with its own truth: expo in
// steps of 1/64 ms, and extrapolated steps of c2a of 1/256 ms, which has the same limit as `ca`. The control period is
// 2 ms, the longest with which the robot walks well.
#include "common/scene_trial.h"
#include "common/shipped_file.h"
#include "papers/c2a/c2a_paper.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const double bench_c2a_paper_work_precision_errors[BENCH_C2A_ERROR_LEVELS] = {1e-1, 3e-2, 1e-2, 3e-3, 1e-3,
                                                                              3e-4, 1e-4, 3e-5, 1e-5};

static const double period = 2e-3;
enum { CONFIGS_MOST = BENCH_C2A_METHODS_MOST * BENCH_C2A_SETTINGS_MOST };

static double duration_of(const bench_c2a_paper *b)
{
  return b->run.is_quick ? 0.45 : 1.5;
}

static int judged_of(const bench_c2a_paper *b)
{
  return b->run.is_quick ? 150 : 750;
}

double bench_c2a_paper_work_precision_work(const void *paper)
{
  const bench_c2a_paper *b = paper;
  return b->run.is_quick ? 8 : 60;
}

// ---- What is compared -----------------------------------------------------------------------------------

typedef struct list {
  bench_c2a_paper_work_precision *equality;
  ff_local_error configs[CONFIGS_MOST];
  int method[CONFIGS_MOST], point[CONFIGS_MOST];
  int count;
} list;

static bench_c2a_paper_method *add_method(list *l, const char *name, bench_c2a_paper_method_kind kind)
{
  bench_c2a_paper_method *w = &l->equality->methods[l->equality->count++];
  *w = (bench_c2a_paper_method){.kind = kind};
  snprintf(w->name, sizeof w->name, "%s", name);
  return w;
}

static void add_point(list *l, bench_c2a_paper_method *w, const ff_scheme *scheme, int substeps,
                      double setting)
{
  const int at = l->count++;
  l->configs[at] = (ff_local_error){.scheme = *scheme, .substeps = substeps};
  l->method[at] = (int)(w - l->equality->methods);
  l->point[at] = w->count;
  w->setting[w->count++] = setting;
}

// Steps from the period down to 2^-last of it.
static void add_fixed(list *l, const char *name, bench_c2a_paper_method_kind kind, const ff_scheme *scheme,
                      int last)
{
  bench_c2a_paper_method *w = add_method(l, name, kind);
  for (int i = 0; i <= last; ++i)
    add_point(l, w, scheme, 1 << i, period / (1 << i));
}

static void list_soft(list *l)
{
  static const struct {
    const char *name;
    bench_c2a_paper_method_kind kind;
    int last;
  } fixed[] = {{"euler", BENCH_C2A_FIRST_ORDER, 8},    {"symplectic", BENCH_C2A_FIRST_ORDER, 8},
               {"implicit", BENCH_C2A_FIRST_ORDER, 6}, {"expo:order-1", BENCH_C2A_FIRST_ORDER, 6},
               {"rk4", BENCH_C2A_HIGHER_ORDER, 6},     {"expo", BENCH_C2A_HIGHER_ORDER, 6}};
  ff_scheme scheme;
  for (size_t i = 0; i < sizeof fixed / sizeof *fixed; ++i)
    if (ff_scheme_find(fixed[i].name, &scheme))
      add_fixed(l, fixed[i].name, fixed[i].kind, &scheme, fixed[i].last);
  scheme = ff_scheme_of(FF_STEPPER_EXPO);
  bench_c2a_paper_method *w = add_method(l, "expo, accuracy", BENCH_C2A_ERROR_CONTROL);
  for (int i = 1; i <= 7; ++i) {
    scheme.accuracy = pow(10, -i);
    add_point(l, w, &scheme, 1, scheme.accuracy);
  }
}

static ff_scheme c2a_scheme(ff_stepper stepper, int is_plain)
{
  ff_scheme s = ff_scheme_of(stepper);
  s.has_c2a = 1;
  s.c2a = ff_sim_def_default().c2a;
  if (is_plain)
    s.c2a.h_min = 0;
  return s;
}

// Steps of c2a without error control.
static ff_scheme extrapolated(void)
{
  ff_scheme s = c2a_scheme(FF_STEPPER_C2A, 0);
  s.c2a.error_control = s.c2a.advancement = 0;
  s.c2a.h_min = -0.999; // of the step: near objects are not reached within it
  return s;
}

static void list_hard(list *l)
{
  ff_scheme scheme = c2a_scheme(FF_STEPPER_CA, 1);
  add_fixed(l, "ca, fixed", BENCH_C2A_FIRST_ORDER, &scheme, 7);
  scheme = extrapolated();
  add_fixed(l, "c2a, fixed", BENCH_C2A_HIGHER_ORDER, &scheme, 6);
  for (int has_advancement = 1; has_advancement >= 0; --has_advancement) {
    scheme = c2a_scheme(FF_STEPPER_C2A, 0);
    scheme.c2a.advancement = has_advancement;
    bench_c2a_paper_method *w =
        add_method(l, has_advancement ? "c2a" : "c2a, no advancement", BENCH_C2A_ERROR_CONTROL);
    for (int i = 1; i <= 7; ++i) {
      scheme.c2a.relative_error = pow(10, -i);
      scheme.c2a.absolute_error = 1e-3 * scheme.c2a.relative_error;
      add_point(l, w, &scheme, 1, scheme.c2a.relative_error);
    }
  }
}

// ---- At equal error -------------------------------------------------------------------------------------

// The cost of a method at this error: between two settings by a power law, else that of a more accurate setting.
static double cost_at(const bench_c2a_paper_method *w, const double *errors, const double *cost, double error)
{
  double least = INFINITY;
  for (int i = 0; i < w->count; ++i) {
    if (errors[i] <= error)
      least = fmin(least, cost[i]);
    if (i == 0 || !(errors[i] < error && errors[i - 1] > error))
      continue;
    const double share = log(error / errors[i - 1]) / log(errors[i] / errors[i - 1]);
    least = fmin(least, cost[i - 1] * pow(cost[i] / cost[i - 1], share));
  }
  return isfinite(least) ? least : NAN;
}

// Which errors count, and which times of first order and of the other kind.
typedef struct measure_by {
  int is_median, first_is_slow, other_is_slow;
} measure_by;

// The smallest cost of a kind at this error.
static double cost_of(const bench_c2a_paper_work_precision *e, bench_c2a_paper_method_kind kind,
                      int is_median, int is_slow, double error)
{
  double least = NAN;
  for (int i = 0; i < e->count; ++i) {
    const bench_c2a_paper_method *w = &e->methods[i];
    if (w->kind == kind)
      least = fmin(least, cost_at(w, is_median ? w->median : w->error, is_slow ? w->slow : w->cost, error));
  }
  return least;
}

static double gain_of(const bench_c2a_paper_work_precision *e, bench_c2a_paper_method_kind kind,
                      measure_by by)
{
  double gains[BENCH_C2A_ERROR_LEVELS], scratch[BENCH_C2A_ERROR_LEVELS];
  for (int i = BENCH_C2A_ERROR_LEVELS_UNJUDGED; i < BENCH_C2A_ERROR_LEVELS; ++i)
    gains[i] = cost_of(e, BENCH_C2A_FIRST_ORDER, by.is_median, by.first_is_slow,
                       bench_c2a_paper_work_precision_errors[i]) /
               cost_of(e, kind, by.is_median, by.other_is_slow, bench_c2a_paper_work_precision_errors[i]);
  return ff_spread_of(gains + BENCH_C2A_ERROR_LEVELS_UNJUDGED,
                      BENCH_C2A_ERROR_LEVELS - BENCH_C2A_ERROR_LEVELS_UNJUDGED, scratch)
      .median;
}

static void compare(bench_c2a_paper_work_precision *e)
{
  for (int k = 0; k < BENCH_C2A_METHOD_KINDS; ++k) {
    const bench_c2a_paper_method_kind kind = (bench_c2a_paper_method_kind)k;
    for (int i = 0; i < BENCH_C2A_ERROR_LEVELS; ++i)
      e->cost[k][i] = cost_of(e, kind, 0, 0, bench_c2a_paper_work_precision_errors[i]);
    e->gain[k] = gain_of(e, kind, (measure_by){0, 0, 0});
    e->gain_low[k] = gain_of(e, kind, (measure_by){0, 0, 1});
    e->gain_high[k] = gain_of(e, kind, (measure_by){0, 1, 0});
    e->gain_of_medians[k] = gain_of(e, kind, (measure_by){1, 0, 0});
  }
}

// ---- Measure --------------------------------------------------------------------------------------------

static void keep(const list *l)
{
  for (int i = 0; i < l->count; ++i) {
    bench_c2a_paper_method *w = &l->equality->methods[l->method[i]];
    const ff_local_error *c = &l->configs[i];
    w->error[l->point[i]] = c->failures == 0 ? c->max_norm.mean : NAN;
    w->median[l->point[i]] = c->failures == 0 ? c->max_norm.median : NAN;
    w->cost[l->point[i]] = 1 / c->speed;
    w->slow[l->point[i]] = bench_claim_slower(1 / c->speed, 1 / c->slower);
  }
}

static ff_status load(const bench_c2a_paper *b, bench_scene_trial *out, ff_error *error)
{
  char path[4096], number[32], duration[32];
  *out = (bench_scene_trial){0};
  if (!bench_shipped_file_scene(b->run.scenes, bench_c2a_trot_scene, path, sizeof path)) {
    snprintf(error->message, sizeof error->message,
             "%.200s: cannot be read; --scenes DIR says where the scenes are", path);
    return error->status = FF_ERROR_FILE;
  }
  snprintf(number, sizeof number, "%.17g", period);
  snprintf(duration, sizeof duration, "%.17g", duration_of(b));
  const ff_scene_override overrides[] = {
      {"dt", number, NULL}, {"controller.period", number, NULL}, {"duration", duration, NULL}};
  const ff_status status = bench_scene_trial_load(path, overrides, 3, out, error);
  if (status == FF_OK)
    ff_trial_spread(&out->trial, judged_of(b));
  return status;
}

typedef struct half {
  bench_progress *progress;
  double from, size;
} half;

static int share_of_half(void *user, const char *what, double share)
{
  const half *h = user;
  (void)what;
  bench_progress_share(h->progress, h->from + h->size * share);
  return 0;
}

static ff_status measure(bench_c2a_paper *b, int which, ff_error *error)
{
  static list l; // large
  bench_scene_trial trial;
  ff_solution *truth = NULL;
  const int is_soft = which == BENCH_C2A_SOFT;
  half truth_part = {&b->run.progress, 0.5 * which, 0.2},
       run_part = {&b->run.progress, 0.5 * which + 0.2, 0.3};
  const ff_progress truth_progress = {share_of_half, &truth_part}, run_progress = {share_of_half, &run_part};
  const ff_scheme scheme = is_soft ? ff_scheme_of(FF_STEPPER_EXPO) : extrapolated();
  l = (list){.equality = &b->equal[which]};
  if (is_soft)
    list_soft(&l);
  else
    list_hard(&l);
  ff_status status = load(b, &trial, error);
  const int finest = is_soft ? 128 : 512;
  if (status == FF_OK)
    status = ff_solution_create(&trial.trial, &scheme, finest, &truth_progress, &truth, error);
  for (int i = 0; i < l.count; ++i)
    l.configs[i].solution = truth;
  if (status == FF_OK)
    status = ff_local_error_measure(&trial.trial, l.configs, l.count, b->run.is_quick ? 1 : 3, &run_progress,
                                    error);
  if (status == FF_OK) {
    keep(&l);
    compare(l.equality);
    l.equality->is_measured = 1;
  }
  ff_local_error_free(l.configs, l.count);
  ff_solution_destroy(truth);
  bench_scene_trial_free(&trial);
  return status;
}

// ---- Report ---------------------------------------------------------------------------------------------

static void report(const bench_c2a_paper *b, int which)
{
  static const char *const cases[BENCH_C2A_CONTACT_KINDS] = {"soft", "hard"},
                           *const kinds[BENCH_C2A_METHOD_KINDS] = {"first order", "higher order",
                                                                   "error control"};
  const bench_c2a_paper_work_precision *e = &b->equal[which];
  char titles[BENCH_C2A_ERROR_LEVELS + 1][24], metric[96];
  for (int i = 0; i < BENCH_C2A_ERROR_LEVELS; ++i)
    snprintf(titles[i], sizeof titles[0], "%.0e", bench_c2a_paper_work_precision_errors[i]);
  snprintf(titles[BENCH_C2A_ERROR_LEVELS], sizeof titles[0], "gain");
  bench_table_say(&b->run.table,
                  "Milliseconds per simulated second at a mean local error of a period of 2 ms, %s contact",
                  cases[which]);
  bench_table_titles(&b->run.table, "", BENCH_C2A_ERROR_LEVELS + 1, titles);
  for (int w = 0; w < e->count; ++w) {
    bench_table_row(&b->run.table, e->methods[w].name);
    for (int i = 0; i < BENCH_C2A_ERROR_LEVELS; ++i)
      bench_table_number(&b->run.table, 1e3 * cost_at(&e->methods[w], e->methods[w].error, e->methods[w].cost,
                                                      bench_c2a_paper_work_precision_errors[i]));
    bench_table_end(&b->run.table);
    for (int i = 0; i < e->methods[w].count; ++i) {
      snprintf(metric, sizeof metric, "error:%s:%.3g", e->methods[w].name, e->methods[w].setting[i]);
      bench_paper_row(&b->run, cases[which], metric, e->methods[w].error[i], "1");
      snprintf(metric, sizeof metric, "median:%s:%.3g", e->methods[w].name, e->methods[w].setting[i]);
      bench_paper_row(&b->run, cases[which], metric, e->methods[w].median[i], "1");
      snprintf(metric, sizeof metric, "cost:%s:%.3g", e->methods[w].name, e->methods[w].setting[i]);
      bench_paper_row(&b->run, cases[which], metric, 1e3 * e->methods[w].cost[i], "ms/s");
    }
  }
  for (int k = 0; k < BENCH_C2A_METHOD_KINDS; ++k) {
    bench_table_row(&b->run.table, kinds[k]);
    for (int i = 0; i < BENCH_C2A_ERROR_LEVELS; ++i)
      bench_table_number(&b->run.table, 1e3 * e->cost[k][i]);
    bench_table_number(&b->run.table, e->gain[k]);
    bench_table_end(&b->run.table);
    snprintf(metric, sizeof metric, "gain:%s", kinds[k]);
    bench_paper_row(&b->run, cases[which], metric, e->gain[k], "x");
    snprintf(metric, sizeof metric, "gain_of_medians:%s", kinds[k]);
    bench_paper_row(&b->run, cases[which], metric, e->gain_of_medians[k], "x");
  }
}

ff_status bench_c2a_paper_work_precision_run(void *paper, ff_error *error)
{
  bench_c2a_paper *b = paper;
  for (int which = 0; which < BENCH_C2A_CONTACT_KINDS; ++which) {
    const ff_status status = measure(b, which, error);
    if (status != FF_OK)
      return status;
  }
  bench_progress_end(&b->run.progress);
  for (int which = 0; which < BENCH_C2A_CONTACT_KINDS; ++which)
    report(b, which);
  return FF_OK;
}
