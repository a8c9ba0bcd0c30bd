// footfall bench batch: robot-steps per second and core, of many robots at once.
#include "bench.h"

#include "batch/batch_html.h"
#include "cli/error_message.h"
#include "cli/memory.h"
#include "cli/options/option_value.h"
#include "cli/program.h"
#include "common/callgrind.h"
#include "common/command.h"
#include "peers/mujoco_release.h"

#include <footfall/dynamics.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROBOTS = 4096, QUICK_ROBOTS = 512, COUNTED_ROBOTS = 64 };

typedef struct all {
  const bench_command_request *request;
  ff_isa isa;
  bench_batch_figures cases[BENCH_BATCH_CASES];
  int count;
  bench_callgrind_job counting;
  int is_counted;
} all;

static int is_case(const char *name)
{
  const char *known[BENCH_BATCH_CASES];
  int index;
  for (int i = 0; i < BENCH_BATCH_CASES; ++i)
    known[i] = bench_batch_kinds[i].name;
  return ffi_option_value_word("--case", name, known, BENCH_BATCH_CASES, &index);
}

// ---- Instructions -----------------------------------------------------------------------------------------

// Every task once, in order.
static void count(const bench_batch_run *run)
{
  for (int i = 0; i < run->entry_count; ++i)
    if (run->entries[i].task >= 0)
      bench_callgrind_sweep(&run->tasks[run->entries[i].task], run->c.kind->name, run->entries[i].metric);
}

static void take(void *context, const char *which, const char *metric, double instructions)
{
  all *a = context;
  for (int c = 0; c < a->count; ++c)
    if (strcmp(a->cases[c].kind->name, which) == 0)
      bench_batch_report_count(&a->cases[c], metric, instructions);
  a->is_counted = 1;
}

// ---- All cases --------------------------------------------------------------------------------------------

// Returns 0 after an error message.
static int do_case(all *a, const bench_batch_kind *kind)
{
  const bench_command_request *r = a->request;
  const bench_batch_run_def def = {.kind = kind,
                                   .folders = {r->models, r->scenes},
                                   .isa = a->isa,
                                   .robots = r->is_count   ? COUNTED_ROBOTS
                                             : r->is_quick ? QUICK_ROBOTS
                                                           : ROBOTS,
                                   .is_count = r->is_count};
  ff_error error;
  bench_batch_run *run = ffi_memory_need(NULL, sizeof *run);
  const int is_open = bench_batch_run_open(&def, run, &error) == FF_OK;
  if (!is_open)
    ffi_error_message("%s: %s", kind->name, error.message);
  else if (r->is_count)
    count(run);
  else {
    bench_batch_run_measure(run, r->is_quick ? 1 : 25, r->is_quick ? 1 : 3);
    bench_batch_report_keep(run, &a->cases[a->count++]);
  }
  if (is_open)
    bench_batch_run_close(run);
  free(run);
  return is_open;
}

// Returns the exit status.
static int report(const all *a, const bench_table *table, bench_output_file *html, bench_json_rows *rows)
{
  const bench_batch_page page = {.cases = (bench_batch_figures *)a->cases,
                                 .count = a->count,
                                 .isa = a->isa,
                                 .counted = a->is_counted ? ff_isa_name(a->counting.isa) : NULL,
                                 .is_quick = a->request->is_quick};
  bench_table_say(table, "%s beside Footfall with %s", bench_mujoco_release_found().name,
                  ff_isa_name(a->isa));
  for (int c = 0; c < a->count; ++c)
    bench_batch_report_print(&a->cases[c], table);
  if (a->is_counted)
    bench_table_say(table, "Instructions: per robot-step, counted by callgrind with %s.", page.counted);
  else
    bench_table_say(table, "Instructions were not counted: %s.", a->counting.why);
  if (rows) {
    bench_mujoco_release_row(rows);
    bench_json_rows_add_word(rows, "run", "instructions", ff_isa_name(a->isa));
    for (int c = 0; c < a->count; ++c)
      bench_batch_report_rows(&a->cases[c], rows);
  }
  return bench_command_save_html(html, bench_batch_html, &page) ? FFI_EXIT_OK : FFI_EXIT_FAILED;
}

static int perform_all(all *a, bench_output_file *html, bench_json_rows *rows)
{
  const bench_command_request *r = a->request;
  bench_table table = bench_command_table(r, html);
  table.first_width = 34;
  for (int i = 0; i < BENCH_BATCH_CASES; ++i)
    if ((!r->chosen || strcmp(r->chosen, bench_batch_kinds[i].name) == 0) &&
        !do_case(a, &bench_batch_kinds[i]))
      return FFI_EXIT_FAILED;
  if (r->is_count)
    return FFI_EXIT_OK;
  a->counting =
      (bench_callgrind_job){.bench = "batch", .request = r, .take = take, .context = a, .isa = a->isa};
  snprintf(a->counting.why, sizeof a->counting.why, "--instructions counts with valgrind");
  if (r->has_instructions || !r->is_quick)
    bench_callgrind_again(&a->counting);
  return report(a, &table, html, rows);
}

static int perform(const void *context, const bench_command_request *r, bench_json_rows *rows)
{
  bench_output_file html = {0};
  ff_error error;
  (void)context;
  all *a = ffi_memory_need(NULL, sizeof *a);
  memset(a, 0, sizeof *a);
  a->request = r;
  int status = FFI_EXIT_FAILED;
  if (ff_isa_resolve(r->isa, &a->isa, &error) != FF_OK)
    ffi_error_message("%s", error.message);
  else if (bench_command_check_html(r, &html))
    status = perform_all(a, &html, rows);
  bench_output_file_forget(&html);
  free(a);
  return status;
}

const bench_command bench_batch_command = {.name = "batch", .is_case = is_case, .perform = perform};
