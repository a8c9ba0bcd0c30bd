// Running a paper's studies, judging its claims and writing its report.
#include "papers/paper.h"

#include "cli/error_message.h"
#include "cli/program.h"
#include "peers/mujoco_release.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

void bench_paper_row(const bench_paper_run *run, const char *which, const char *metric, double value,
                     const char *unit)
{
  if (run->rows)
    bench_json_rows_add(run->rows, which, metric, value, unit);
}

bench_claim *bench_paper_claim(bench_paper_run *run, const bench_claim_rule *rules, int count, const char *id)
{
  const bench_claim_rule *rule = rules;
  while (rule < rules + count - 1 && strcmp(rule->id, id) != 0)
    ++rule;
  assert(strcmp(rule->id, id) == 0 && run->claim_count < BENCH_PAPER_CLAIMS_MOST);
  bench_claim *claim = &run->claims[run->claim_count++];
  bench_claim_make(claim, rule);
  return claim;
}

// A quick run has fewer data, and no verdict where they would decide differently.
static void leave_to_full_run(bench_paper_run *run)
{
  for (int i = 0; i < run->claim_count; ++i) {
    bench_claim *c = &run->claims[i];
    if (!c->rule->needs_full || !c->is_judged)
      continue;
    c->is_judged = 0;
    bench_claim_because(c, "a quick run measures too little; its figure says little");
  }
}

// Returns 0 after an error message, which names the study that failed.
static int run_studies(const bench_paper *paper, void *data)
{
  bench_progress *progress = &((bench_paper_run *)data)->progress;
  double work = 0;
  for (int i = 0; i < paper->study_count; ++i)
    work += paper->studies[i].work(data);
  bench_progress_begin(progress, work);
  for (int i = 0; i < paper->study_count; ++i) {
    const bench_paper_study *study = &paper->studies[i];
    ff_error error = {0};
    if (!study->has_parts)
      bench_progress_part(progress, study->work(data), study->name);
    const ff_status status = study->run(data, &error);
    bench_progress_end(progress);
    if (status != FF_OK) {
      ffi_error_message("%s: %s", study->name, error.message[0] ? error.message : "no memory");
      return 0;
    }
  }
  return 1;
}

// Returns the exit status.
static int perform(const bench_paper *paper, const bench_command_request *request, bench_output_file *html,
                   void *data)
{
  bench_paper_run *run = data;
  if ((paper->prepare && !paper->prepare(data, request)) || !run_studies(paper, data))
    return FFI_EXIT_FAILED;
  paper->judge(data);
  if (run->is_quick)
    leave_to_full_run(run);
  bench_claim_report(run->claims, run->claim_count, &run->table, run->rows);
  return bench_command_save_html(html, paper->html, data) ? FFI_EXIT_OK : FFI_EXIT_FAILED;
}

int bench_paper_perform(const void *context, const bench_command_request *request, bench_json_rows *rows)
{
  const bench_paper *paper = context;
  bench_output_file html = {0};
  if (!bench_command_check_html(request, &html))
    return FFI_EXIT_FAILED;
  int status = FFI_EXIT_FAILED;
  bench_paper_run *run = calloc(1, paper->size);
  if (run) {
    run->table = bench_command_table(request, &html);
    run->rows = rows;
    run->scenes = request->scenes;
    run->is_quick = request->is_quick;
    if (paper->has_mujoco && rows)
      bench_mujoco_release_row(rows);
    status = perform(paper, request, &html, run);
    if (paper->release)
      paper->release(run);
    free(run);
  } else
    ffi_error_message("there is not enough memory");
  bench_output_file_forget(&html);
  return status;
}
