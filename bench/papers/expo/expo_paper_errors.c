// Fig. 2 and 3: local errors of all schemes on the four tests, over speed and over step length.
#include "compare/comparison_report.h"
#include "papers/expo/expo_paper.h"

#include <stdio.h>

static const char *const schemes[] = {"expo",
                                      "expo:order-1",
                                      "expo-paper",
                                      "expo-paper:exact",
                                      "expo-paper:order-1",
                                      "expo-paper:order-2",
                                      "expo-paper:order-3",
                                      "expo-paper:order-5",
                                      "expo-paper:order-7",
                                      "rk4",
                                      "implicit",
                                      "euler"};

// The quick variant omits what is most expensive and decides no verdict: the orders between the first and the last.
static int is_for_quick(int i)
{
  return i < 3 || i == 4 || i >= 9;
}

enum { SCHEMES = sizeof schemes / sizeof *schemes };

// Also compared with the paper's springs.
static const char *const with_first_touch[] = {"expo-paper", "expo-paper:order-1", "rk4", "implicit",
                                               "euler"};
enum { WITH_FIRST_TOUCH = sizeof with_first_touch / sizeof *with_first_touch };

// Fills list [SCHEMES].
static ff_comparison_def def_of(const bench_expo_paper *p, ff_scheme *list)
{
  ff_comparison_def def = ff_comparison_def_default();
  for (int i = 0; i < SCHEMES; ++i)
    if (!p->run.is_quick || is_for_quick(i))
      ff_scheme_find(schemes[i], &list[def.scheme_count++]);
  def.schemes = list;
  def.rounds = p->run.is_quick ? 2 : 3; // the first one also warms the caches
  def.check_refinements = p->run.is_quick ? 1 : 2;
  def.finest = p->run.is_quick ? 1e-3 / 16 : 1e-3 / 64;
  def.has_own = !p->run.is_quick;
  return def;
}

static ff_comparison_def first_touch_def(const bench_expo_paper *p, ff_scheme *list)
{
  ff_comparison_def def = def_of(p, list);
  def.scheme_count = 0;
  for (int i = 0; i < WITH_FIRST_TOUCH; ++i)
    ff_scheme_find(with_first_touch[i], &list[def.scheme_count++]);
  return def;
}

// Of one test [us]; Romeo is larger.
static double work_of(const bench_expo_paper *p, int t)
{
  ff_scheme list[SCHEMES];
  ff_comparison_def def = def_of(p, list);
  double work = ff_comparison_work(&p->tests[t].trial, &def);
  def = first_touch_def(p, list);
  work += p->run.is_quick ? 0 : ff_comparison_work(&p->tests[t].trial, &def);
  return work * (t == BENCH_EXPO_WALK ? 3 : 1);
}

// With springs at rest where a contact is first detected, as in the paper.
static ff_status compare_first_touch(bench_expo_paper *p, int t, ff_error *error)
{
  ff_scheme list[SCHEMES];
  ff_comparison_def def = first_touch_def(p, list);
  ff_trial trial = p->tests[t].trial;
  p->first_touch[t] = *trial.sim;
  p->first_touch[t].normal_anchor = FF_ANCHOR_FIRST_TOUCH;
  trial.sim = &p->first_touch[t];
  const ff_status status = ff_comparison_run(&trial, &def, &p->touched[t], error);
  if (status != FF_ERROR_NUMERIC)
    return status;
  *error = (ff_error){0}; // no reference solution: nothing is compared
  return FF_OK;
}

double bench_expo_paper_errors_work(const void *paper)
{
  const bench_expo_paper *p = paper;
  double work = 0;
  for (int t = 0; t < BENCH_EXPO_TESTS; ++t)
    work += p->has_test[t] ? work_of(p, t) : 0;
  return work;
}

ff_status bench_expo_paper_errors_run(void *paper, ff_error *error)
{
  bench_expo_paper *p = paper;
  ff_scheme list[SCHEMES];
  ff_comparison_def def = def_of(p, list);
  def.progress = (ff_progress){bench_progress_call, &p->run.progress};
  for (int t = 0; t < BENCH_EXPO_TESTS; ++t) {
    if (!p->has_test[t])
      continue;
    bench_progress_part(&p->run.progress, work_of(p, t), "");
    ff_status status = ff_comparison_run(&p->tests[t].trial, &def, &p->errors[t], error);
    if (status == FF_OK && !p->run.is_quick)
      status = compare_first_touch(p, t, error);
    if (status != FF_OK)
      return status;
    bench_progress_end(&p->run.progress);
    bench_comparison_report_print(p->errors[t], &p->run.table);
    if (p->run.rows)
      bench_comparison_report_rows(p->errors[t], p->run.rows);
  }
  return FF_OK;
}
