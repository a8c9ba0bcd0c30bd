// Ours: accuracy against time on the trot: fixed steps of first and of higher order, and steps that an error controls; on soft contact and on hard.
//
// Errors are local: each period of control begins in the state of a truth, with its torques, and ends so far from it (local_error.h). Soft and hard contact are different models, so each has a truth of its own: expo in steps of 1/64 ms, and extrapolated steps of c2a of 1/256 ms,
// whose limit is that of `ca` too. The controller has 2 ms, the longest with which the robot walks well.
#include "common/find_model.h"
#include "common/scene_trial.h"
#include "papers/c2a/c2a_paper.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const double bench_equal_errors[BENCH_EQUAL_ERRORS] = {1e-1, 3e-2, 1e-2, 3e-3, 1e-3, 3e-4, 1e-4, 3e-5, 1e-5};

static const double period = 2e-3;
enum { CONFIGS_MOST = BENCH_EQUALS_MOST * BENCH_EQUAL_POINTS_MOST };

static double duration_of(const bench_c2a *b)
{
  return b->is_quick ? 0.45 : 1.5;
}

static int judged_of(const bench_c2a *b)
{
  return b->is_quick ? 150 : 750;
}

double bench_c2a_equal_work(const bench_c2a *b)
{
  return b->is_quick ? 8 : 60;
}

// ---- What is compared --------------------------------------------------------------------------------------

typedef struct list {
  bench_equality *equality;
  ff_local_error configs[CONFIGS_MOST];
  int way[CONFIGS_MOST], point[CONFIGS_MOST];
  int count;
} list;

static bench_equal_way *add_way(list *l, const char *name, bench_equal_kind kind)
{
  bench_equal_way *w = &l->equality->ways[l->equality->count++];
  *w = (bench_equal_way){.kind = kind};
  snprintf(w->name, sizeof w->name, "%s", name);
  return w;
}

static void add_point(list *l, bench_equal_way *w, const ff_scheme *scheme, int substeps, double setting)
{
  const int at = l->count++;
  l->configs[at] = (ff_local_error){.scheme = *scheme, .substeps = substeps};
  l->way[at] = (int)(w - l->equality->ways);
  l->point[at] = w->count;
  w->setting[w->count++] = setting;
}

// Steps from the period down to 2^-last of it.
static void add_fixed(list *l, const char *name, bench_equal_kind kind, const ff_scheme *scheme, int last)
{
  bench_equal_way *w = add_way(l, name, kind);
  for (int i = 0; i <= last; ++i)
    add_point(l, w, scheme, 1 << i, period / (1 << i));
}

static void list_soft(list *l)
{
  static const struct {
    const char *name;
    bench_equal_kind kind;
    int last;
  } fixed[] = {{"euler", BENCH_FIRST_ORDER, 8},    {"symplectic", BENCH_FIRST_ORDER, 8},
               {"implicit", BENCH_FIRST_ORDER, 6}, {"expo:order-1", BENCH_FIRST_ORDER, 6},
               {"rk4", BENCH_HIGHER_ORDER, 6},     {"expo", BENCH_HIGHER_ORDER, 6}};
  ff_scheme scheme;
  for (size_t i = 0; i < sizeof fixed / sizeof *fixed; ++i)
    if (ff_scheme_find(fixed[i].name, &scheme))
      add_fixed(l, fixed[i].name, fixed[i].kind, &scheme, fixed[i].last);
  scheme = ff_scheme_of(FF_STEPPER_EXPO);
  bench_equal_way *w = add_way(l, "expo, accuracy", BENCH_ERROR_CONTROL);
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

// Steps of c2a without any control.
static ff_scheme extrapolated(void)
{
  ff_scheme s = c2a_scheme(FF_STEPPER_C2A, 0);
  s.c2a.error_control = s.c2a.advancement = 0;
  s.c2a.h_min = -0.999; // of the step: what is near is not to be reached within it
  return s;
}

static void list_hard(list *l)
{
  ff_scheme scheme = c2a_scheme(FF_STEPPER_CA, 1);
  add_fixed(l, "ca, fixed", BENCH_FIRST_ORDER, &scheme, 7);
  scheme = extrapolated();
  add_fixed(l, "c2a, fixed", BENCH_HIGHER_ORDER, &scheme, 6);
  for (int has_advancement = 1; has_advancement >= 0; --has_advancement) {
    scheme = c2a_scheme(FF_STEPPER_C2A, 0);
    scheme.c2a.advancement = has_advancement;
    bench_equal_way *w = add_way(l, has_advancement ? "c2a" : "c2a, no advancement", BENCH_ERROR_CONTROL);
    for (int i = 1; i <= 7; ++i) {
      scheme.c2a.relative_error = pow(10, -i);
      scheme.c2a.absolute_error = 1e-3 * scheme.c2a.relative_error;
      add_point(l, w, &scheme, 1, scheme.c2a.relative_error);
    }
  }
}

// ---- At equal error ----------------------------------------------------------------------------------------

// Of a way at this error: between two settings as a power law, or that of one that is more exact.
static double cost_at(const bench_equal_way *w, const double *errors, double error)
{
  double least = INFINITY;
  for (int i = 0; i < w->count; ++i) {
    if (errors[i] <= error)
      least = fmin(least, w->cost[i]);
    if (i == 0 || !(errors[i] < error && errors[i - 1] > error))
      continue;
    const double share = log(error / errors[i - 1]) / log(errors[i] / errors[i - 1]);
    least = fmin(least, w->cost[i - 1] * pow(w->cost[i] / w->cost[i - 1], share));
  }
  return isfinite(least) ? least : NAN;
}

// The least of its kind at this error.
static double cost_of(const bench_equality *e, bench_equal_kind kind, int is_median, double error)
{
  double least = NAN;
  for (int w = 0; w < e->count; ++w)
    if (e->ways[w].kind == kind)
      least = fmin(least, cost_at(&e->ways[w], is_median ? e->ways[w].median : e->ways[w].error, error));
  return least;
}

static double gain_of(const bench_equality *e, bench_equal_kind kind, int is_median)
{
  double gains[BENCH_EQUAL_ERRORS], scratch[BENCH_EQUAL_ERRORS];
  for (int i = BENCH_EQUAL_LOOSE; i < BENCH_EQUAL_ERRORS; ++i)
    gains[i] = cost_of(e, BENCH_FIRST_ORDER, is_median, bench_equal_errors[i]) /
               cost_of(e, kind, is_median, bench_equal_errors[i]);
  return ff_spread_of(gains + BENCH_EQUAL_LOOSE, BENCH_EQUAL_ERRORS - BENCH_EQUAL_LOOSE, scratch).median;
}

static void compare(bench_equality *e)
{
  for (int k = 0; k < BENCH_EQUAL_KINDS; ++k) {
    const bench_equal_kind kind = (bench_equal_kind)k;
    for (int i = 0; i < BENCH_EQUAL_ERRORS; ++i)
      e->cost[k][i] = cost_of(e, kind, 0, bench_equal_errors[i]);
    e->gain[k] = gain_of(e, kind, 0);
    e->gain_of_medians[k] = gain_of(e, kind, 1);
  }
}

// ---- Measure -----------------------------------------------------------------------------------------------

static void keep(const list *l)
{
  for (int i = 0; i < l->count; ++i) {
    bench_equal_way *w = &l->equality->ways[l->way[i]];
    const ff_local_error *c = &l->configs[i];
    w->error[l->point[i]] = c->failures == 0 ? c->max_norm.mean : NAN;
    w->median[l->point[i]] = c->failures == 0 ? c->max_norm.median : NAN;
    w->cost[l->point[i]] = 1 / c->speed;
  }
}

static ff_status load(const bench_c2a *b, bench_scene_trial *out, ff_error *error)
{
  char path[4096], number[32], duration[32];
  *out = (bench_scene_trial){0};
  if (!bench_find_scene(b->scenes, bench_trot_scene, path, sizeof path)) {
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

static ff_status measure(bench_c2a *b, int which, ff_error *error)
{
  static list l; // large
  bench_scene_trial trial;
  ff_solution *truth = NULL;
  const int is_soft = which == BENCH_SOFT;
  half truth_part = {&b->progress, 0.5 * which, 0.2}, run_part = {&b->progress, 0.5 * which + 0.2, 0.3};
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
    status =
        ff_local_error_measure(&trial.trial, l.configs, l.count, b->is_quick ? 1 : 3, &run_progress, error);
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

// ---- Report ------------------------------------------------------------------------------------------------

static void report(const bench_c2a *b, int which)
{
  static const char *const cases[BENCH_EQUALITIES] = {"soft", "hard"}, *const kinds[BENCH_EQUAL_KINDS] = {
                                                                           "first order", "higher order",
                                                                           "error control"};
  const bench_equality *e = &b->equal[which];
  char titles[BENCH_EQUAL_ERRORS + 1][24], metric[96];
  for (int i = 0; i < BENCH_EQUAL_ERRORS; ++i)
    snprintf(titles[i], sizeof titles[0], "%.0e", bench_equal_errors[i]);
  snprintf(titles[BENCH_EQUAL_ERRORS], sizeof titles[0], "gain");
  bench_sheet_say(&b->sheet,
                  "Milliseconds of a simulated second at a mean local error of a period of 2 ms, %s contact",
                  cases[which]);
  bench_sheet_titles(&b->sheet, "", BENCH_EQUAL_ERRORS + 1, titles);
  for (int w = 0; w < e->count; ++w) {
    bench_sheet_row(&b->sheet, e->ways[w].name);
    for (int i = 0; i < BENCH_EQUAL_ERRORS; ++i)
      bench_sheet_number(&b->sheet, 1e3 * cost_at(&e->ways[w], e->ways[w].error, bench_equal_errors[i]));
    bench_sheet_end(&b->sheet);
    for (int i = 0; i < e->ways[w].count; ++i) {
      snprintf(metric, sizeof metric, "error:%s:%.3g", e->ways[w].name, e->ways[w].setting[i]);
      bench_c2a_row(b, cases[which], metric, e->ways[w].error[i], "1");
      snprintf(metric, sizeof metric, "median:%s:%.3g", e->ways[w].name, e->ways[w].setting[i]);
      bench_c2a_row(b, cases[which], metric, e->ways[w].median[i], "1");
      snprintf(metric, sizeof metric, "cost:%s:%.3g", e->ways[w].name, e->ways[w].setting[i]);
      bench_c2a_row(b, cases[which], metric, 1e3 * e->ways[w].cost[i], "ms/s");
    }
  }
  for (int k = 0; k < BENCH_EQUAL_KINDS; ++k) {
    bench_sheet_row(&b->sheet, kinds[k]);
    for (int i = 0; i < BENCH_EQUAL_ERRORS; ++i)
      bench_sheet_number(&b->sheet, 1e3 * e->cost[k][i]);
    bench_sheet_number(&b->sheet, e->gain[k]);
    bench_sheet_end(&b->sheet);
    snprintf(metric, sizeof metric, "gain:%s", kinds[k]);
    bench_c2a_row(b, cases[which], metric, e->gain[k], "x");
    snprintf(metric, sizeof metric, "gain_of_medians:%s", kinds[k]);
    bench_c2a_row(b, cases[which], metric, e->gain_of_medians[k], "x");
  }
}

ff_status bench_c2a_equal(bench_c2a *b, ff_error *error)
{
  for (int which = 0; which < BENCH_EQUALITIES; ++which) {
    const ff_status status = measure(b, which, error);
    if (status != FF_OK)
      return status;
  }
  bench_progress_end(&b->progress);
  for (int which = 0; which < BENCH_EQUALITIES; ++which)
    report(b, which);
  return FF_OK;
}
