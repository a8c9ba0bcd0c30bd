// footfall bench expo-paper: section 6 of the Expo paper on our engine, our numbers beside the paper's.
#include "papers/expo/expo_paper.h"

#include "bench.h"
#include "cli/error_message.h"
#include "cli/options/option_value.h"
#include "common/shipped_file.h"
#include "papers/expo/expo_paper_published.h"

#include <string.h>

static int is_case(const char *name)
{
  const char *known[BENCH_EXPO_TESTS];
  int index;
  for (int t = 0; t < BENCH_EXPO_TESTS; ++t)
    known[t] = bench_expo_paper_published_tests[t].name;
  return ffi_option_value_word("--case", name, known, BENCH_EXPO_TESTS, &index);
}

// Number of periods that the quick variant judges, spread over the test: more where periods are short.
static int quick_periods(const ff_trial *trial)
{
  return trial->period < 0.005 ? 300 : trial->period < 0.02 ? 100 : 40;
}

// Returns 0 after an error message.
static int load_tests(bench_expo_paper *p, const bench_command_request *r)
{
  const char *chosen = r->chosen;
  for (int t = 0; t < BENCH_EXPO_TESTS; ++t) {
    ff_error error = {0};
    if (chosen && strcmp(chosen, bench_expo_paper_published_tests[t].name) != 0)
      continue;
    if (!bench_shipped_file_scene(p->run.scenes, bench_expo_paper_published_tests[t].file, p->path[t],
                                  sizeof p->path[t])) {
      ffi_error_message("%s: cannot be read; --scenes DIR says where the scenes are", p->path[t]);
      return 0;
    }
    if (bench_scene_trial_load(p->path[t], NULL, 0, &p->tests[t], &error) != FF_OK) {
      ffi_error_message("%s", error.message);
      return 0;
    }
    if (!bench_command_spares(r, p->tests[t].scene))
      return 0;
    p->has_test[t] = 1;
    if (p->run.is_quick) {
      ff_trial *trial = &p->tests[t].trial;
      ff_trial_spread(trial, quick_periods(trial));
    }
  }
  return 1;
}

static void report_periods(const bench_expo_paper *p)
{
  char titles[2][24] = {"ours", "paper"};
  bench_table_say(&p->run.table, "Table 1: control periods [ms]");
  bench_table_titles(&p->run.table, "", 2, titles);
  for (int t = 0; t < BENCH_EXPO_TESTS; ++t)
    if (p->has_test[t]) {
      bench_table_row(&p->run.table, bench_expo_paper_published_tests[t].name);
      bench_table_number(&p->run.table, 1e3 * p->tests[t].trial.period);
      bench_table_number(&p->run.table, 1e3 * bench_expo_paper_published_tests[t].period);
      bench_table_end(&p->run.table);
    }
}

static int prepare(void *data, const bench_command_request *request)
{
  if (!load_tests(data, request))
    return 0;
  report_periods(data);
  return 1;
}

static void release(void *data)
{
  bench_expo_paper *p = data;
  for (int t = 0; t < BENCH_EXPO_TESTS; ++t) {
    ff_comparison_destroy(p->errors[t]);
    ff_comparison_destroy(p->touched[t]);
    bench_scene_trial_free(&p->tests[t]);
  }
}

// What the paper says of all its tests is not judged by one of them.
static void judge(void *data)
{
  static const char *const of_all[] = {"C1", "C3", "C4", "C6", "C7"};
  bench_expo_paper *p = data;
  int tests = 0;
  bench_expo_paper_claims_judge(data);
  for (int t = 0; t < BENCH_EXPO_TESTS; ++t)
    tests += p->has_test[t];
  for (int i = 0; i < p->run.claim_count && tests < BENCH_EXPO_TESTS; ++i)
    for (size_t k = 0; k < sizeof of_all / sizeof *of_all; ++k)
      if (strncmp(p->run.claims[i].rule->id, of_all[k], 2) == 0 && p->run.claims[i].is_judged) {
        p->run.claims[i].is_judged = 0;
        bench_claim_because(&p->run.claims[i], "the claim is about all tests");
      }
}

static const bench_paper_study studies[] = {
    {.name = "errors",
     .work = bench_expo_paper_errors_work,
     .run = bench_expo_paper_errors_run,
     .has_parts = 1},
    {.name = "stiffness",
     .work = bench_expo_paper_stiffness_work,
     .run = bench_expo_paper_stiffness_run,
     .has_parts = 1},
    {.name = "stability",
     .work = bench_expo_paper_stability_work,
     .run = bench_expo_paper_stability_run,
     .has_parts = 1},
    {.name = "forces", .work = bench_expo_paper_forces_work, .run = bench_expo_paper_forces_run},
    {.name = "times", .work = bench_expo_paper_times_work, .run = bench_expo_paper_times_run},
};

static const bench_paper paper = {
    .size = sizeof(bench_expo_paper),
    .prepare = prepare,
    .studies = studies,
    .study_count = sizeof studies / sizeof *studies,
    .judge = judge,
    .html = bench_expo_paper_html,
    .release = release,
};

const bench_command bench_expo_paper_command = {
    .name = "expo-paper", .is_case = is_case, .perform = bench_paper_perform, .context = &paper};
