// footfall bench robots: the speed of expo against MuJoCo's, over many robots that nothing was tuned for.
#include "bench.h"

#include "cli/error_message.h"
#include "cli/memory.h"
#include "cli/options/suggest.h"
#include "cli/program.h"
#include "common/command.h"
#include "common/progress.h"
#include "common/temporary_folder.h"
#include "robots/robots_report.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { QUICK = 6 }; // --quick takes every sixth robot

typedef struct all {
  const bench_command_request *request;
  bench_robots_list list;
  bench_robots_pair *pairs;
  bench_robots_result result;
  char folder[BENCH_TEMPORARY_FOLDER];
} all;

// Keep those that are wanted. Returns 0 after an error message.
static int choose(all *a)
{
  const char *chosen = a->request->chosen,
             **names = ffi_memory_need(NULL, ((size_t)a->list.count + 1) * sizeof *names);
  int kept = 0;
  for (int i = 0; i < a->list.count; ++i) {
    names[i] = a->list.files[i].name;
    if (chosen ? strcmp(chosen, names[i]) == 0 : !a->request->is_quick || i % QUICK == 0)
      a->list.files[kept++] = a->list.files[i];
    if (chosen && kept == 1 && strcmp(a->list.files[0].name, chosen) == 0)
      break;
  }
  const char *meant = chosen && kept == 0 ? ffi_suggest(chosen, names, a->list.count) : NULL;
  if (meant)
    ffi_error_message("'--case %s' is not a robot of this folder; did you mean '%s'?", chosen, meant);
  else if (kept == 0)
    ffi_error_message(
        chosen ? "'--case %s' is not a robot of this folder" : "there are no robots in this folder", chosen);
  free(names);
  a->list.count = kept;
  return kept > 0;
}

static void measure(all *a, const bench_table *table)
{
  const bench_command_request *r = a->request;
  bench_progress progress;
  bench_progress_begin(&progress, a->list.count);
  bench_robots_report_titles(table);
  for (int i = 0; i < a->list.count; ++i) {
    const bench_robots_pair_def def = {.file = &a->list.files[i],
                                       .isa = a->result.isa,
                                       .seconds = r->is_quick ? 0.2 : 1,
                                       .folder = a->folder};
    bench_progress_part(&progress, 1, def.file->name);
    bench_robots_pair_measure(&def, &a->pairs[i]);
    bench_progress_end(&progress);
    bench_robots_report_pair(&a->pairs[i], table);
  }
}

// Returns the exit status.
static int perform_all(all *a, bench_output_file *html, bench_json_rows *rows)
{
  const bench_command_request *r = a->request;
  bench_table table = bench_command_table(r, html);
  ff_error error;
  if (ff_isa_resolve(r->isa, &a->result.isa, &error) != FF_OK) {
    ffi_error_message("%s", error.message);
    return FFI_EXIT_FAILED;
  }
  if (!bench_robots_list_make(r->models, &a->list)) {
    ffi_error_message("%s: cannot be read: %s", r->models ? r->models : "models", strerror(errno));
    return FFI_EXIT_FAILED;
  }
  if (!choose(a))
    return FFI_EXIT_USAGE;
  if (!bench_temporary_folder_make(a->folder)) {
    ffi_error_message("no folder for files of the run could be created: %s", strerror(errno));
    return FFI_EXIT_FAILED;
  }
  a->pairs = ffi_memory_need(NULL, (size_t)a->list.count * sizeof *a->pairs);
  measure(a, &table);
  bench_temporary_folder_remove(a->folder);
  a->result.pairs = a->pairs;
  a->result.count = a->list.count;
  a->result.is_quick = r->is_quick;
  bench_robots_report_print(&a->result, &table);
  if (rows)
    bench_robots_report_rows(&a->result, rows);
  return bench_command_save_html(html, bench_robots_report_html, &a->result) ? FFI_EXIT_OK : FFI_EXIT_FAILED;
}

static int perform(const void *context, const bench_command_request *r, bench_json_rows *rows)
{
  bench_output_file html = {0};
  all a = {.request = r};
  (void)context;
  if (!bench_command_check_html(r, &html))
    return FFI_EXIT_FAILED;
  const int status = perform_all(&a, &html, rows);
  bench_output_file_forget(&html);
  bench_robots_list_free(&a.list);
  free(a.pairs);
  return status;
}

static int is_case(const char *name)
{
  (void)name; // looked for when the folder is known
  return 1;
}

const bench_command bench_robots_command = {.name = "robots", .is_case = is_case, .perform = perform};
