// footfall bench expo-paper: section 6 of the exponential paper on our engine, its numbers beside ours.
#include "papers/expo/expo_paper.h"

#include "all.h"
#include "bench.h"
#include "cli/complain.h"
#include "cli/units.h"
#include "common/find_model.h"
#include "common/request.h"
#include "papers/expo/expo_paper_stated.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int is_case(const char *name)
{
  const char *known[BENCH_TESTS];
  int index;
  for (int t = 0; t < BENCH_TESTS; ++t)
    known[t] = bench_stated_tests[t].name;
  return ffi_read_word("--case", name, known, BENCH_TESTS, &index);
}

// The quick variant judges so many periods of a test, spread over all of it: more of them where they are short.
static int quick_periods(const ff_trial *trial)
{
  return trial->period < 0.005 ? 300 : trial->period < 0.02 ? 100 : 40;
}

// Returns 0 after a complaint.
static int load_tests(bench_paper *p, const bench_request *r)
{
  const char *chosen = r->chosen;
  for (int t = 0; t < BENCH_TESTS; ++t) {
    ff_error error = {0};
    if (chosen && strcmp(chosen, bench_stated_tests[t].name) != 0)
      continue;
    if (!bench_find_scene(p->scenes, bench_stated_tests[t].file, p->path[t], sizeof p->path[t])) {
      ffi_complain("%s: cannot be read; --scenes DIR says where the scenes are", p->path[t]);
      return 0;
    }
    if (bench_scene_trial_load(p->path[t], NULL, 0, &p->tests[t], &error) != FF_OK) {
      ffi_complain("%s", error.message);
      return 0;
    }
    if (!bench_request_spares(r, p->tests[t].scene))
      return 0;
    p->has_test[t] = 1;
    if (p->is_quick) {
      ff_trial *trial = &p->tests[t].trial;
      ff_trial_spread(trial, quick_periods(trial));
    }
  }
  return 1;
}

static void report_periods(const bench_paper *p)
{
  char titles[2][24] = {"ours", "paper"};
  bench_sheet_say(&p->sheet, "Table 1: control periods [ms]");
  bench_sheet_titles(&p->sheet, "", 2, titles);
  for (int t = 0; t < BENCH_TESTS; ++t)
    if (p->has_test[t]) {
      bench_sheet_row(&p->sheet, bench_stated_tests[t].name);
      bench_sheet_number(&p->sheet, 1e3 * p->tests[t].trial.period);
      bench_sheet_number(&p->sheet, 1e3 * bench_stated_tests[t].period);
      bench_sheet_end(&p->sheet);
    }
}

// Returns 0 after a complaint.
static int measure(bench_paper *p)
{
  static const struct {
    const char *name;
    double (*work)(const bench_paper *);
    ff_status (*run)(bench_paper *, ff_error *);
  } studies[] = {{"errors", bench_paper_errors_work, bench_paper_errors},
                 {"stiffness", bench_paper_stiffness_work, bench_paper_stiffness},
                 {"stability", bench_paper_stability_work, bench_paper_stability},
                 {"forces", bench_paper_forces_work, bench_paper_forces},
                 {"times", bench_paper_times_work, bench_paper_times}};
  enum { STUDIES = sizeof studies / sizeof *studies };
  double work = 0;
  for (int i = 0; i < STUDIES; ++i)
    work += studies[i].work(p);
  bench_progress_begin(&p->progress, work);
  for (int i = 0; i < STUDIES; ++i) {
    ff_error error = {0};
    const ff_status status = studies[i].run(p, &error);
    bench_progress_end(&p->progress);
    if (status != FF_OK) {
      ffi_complain("%s: %s", studies[i].name, error.message[0] ? error.message : "no memory");
      return 0;
    }
  }
  return 1;
}

static int write_html(const void *paper, FILE *file)
{
  return bench_paper_html(paper, file);
}

static int perform(const bench_request *r, bench_rows *rows)
{
  bench_late_file html = {0};
  int status = FFI_EXIT_FAILED;
  if (!bench_request_check_html(r, &html))
    return status;
  bench_paper *p = calloc(1, sizeof *p);
  if (!p) {
    ffi_complain("there is not enough memory");
    return status;
  }
  p->sheet = bench_request_sheet(r, &html);
  p->rows = rows;
  p->scenes = r->scenes;
  p->is_quick = r->is_quick;
  if (load_tests(p, r)) {
    report_periods(p);
    if (measure(p)) {
      bench_paper_claims(p);
      status = bench_request_save_html(&html, write_html, p) ? FFI_EXIT_OK : FFI_EXIT_FAILED;
    }
  }
  for (int t = 0; t < BENCH_TESTS; ++t) {
    ff_comparison_destroy(p->errors[t]);
    bench_scene_trial_free(&p->tests[t]);
  }
  free(p);
  bench_late_file_forget(&html);
  return status;
}

const bench_command bench_expo_paper_command = {.name = "expo-paper", .is_case = is_case, .perform = perform};

int bench_expo_paper(int argc, char **argv)
{
  return bench_request_run(&bench_expo_paper_command, argc, argv);
}
