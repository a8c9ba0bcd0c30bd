// footfall bench expo: errors of the exponential steppers, and the contribution of their parts.
#include "micro/expo.h"

#include "cli/error_message.h"
#include "cli/options/option_value.h"
#include "cli/program.h"
#include "common/progress.h"

#include "bench.h"
#include "common/command.h"
#include "common/shipped_file.h"

#include <footfall/load.h>

#include <stdio.h>
#include <string.h>

static const struct {
  const char *name;
  ff_status (*run)(const bench_expo *bench, ff_error *error);
} cases[] = {
    {"orders", bench_expo_orders},
    {"stance", bench_expo_ablation_stance},
    {"landing", bench_expo_ablation_landing},
    {"sliding", bench_expo_ablation_sliding},
    {"slope", bench_expo_slope},
    {"motors", bench_expo_motors},
};
enum { CASES = sizeof cases / sizeof *cases };

void bench_expo_row(const bench_expo *b, const char *which, const char *metric, double value,
                    const char *unit)
{
  if (b->rows)
    bench_json_rows_add(b->rows, which, metric, value, unit);
}

ff_status bench_expo_solo12(const bench_expo *b, ff_model **model, ff_error *error)
{
  char path[4096];
  if (bench_shipped_file_model(b->models, "solo12.urdf", path, sizeof path))
    return ff_model_load(path, NULL, model, error);
  snprintf(error->message, sizeof error->message,
           "%.500s: cannot be read; --models DIR says where the models are", path);
  return error->status = FF_ERROR_FILE;
}

static int is_case(const char *name)
{
  const char *known[CASES];
  int index;
  for (int i = 0; i < CASES; ++i)
    known[i] = cases[i].name;
  return ffi_option_value_word("--case", name, known, CASES, &index);
}

// `chosen` NULL: all.
static int run_cases(const bench_expo *bench, const char *chosen)
{
  ff_error error = {0};
  bench_progress progress;
  bench_progress_begin(&progress, chosen ? 1 : CASES);
  for (int i = 0; i < CASES; ++i)
    if (!chosen || strcmp(chosen, cases[i].name) == 0) {
      bench_progress_part(&progress, 1, cases[i].name);
      const ff_status status = cases[i].run(bench, &error);
      bench_progress_end(&progress);
      if (status != FF_OK) {
        ffi_error_message("%s: %s", cases[i].name, error.message[0] ? error.message : "no memory");
        return FFI_EXIT_FAILED;
      }
    }
  return FFI_EXIT_OK;
}

static int perform(const void *context, const bench_command_request *r, bench_json_rows *rows)
{
  (void)context;
  const bench_expo bench = {
      .table = {.first_width = 23, .width = 15, .is_markdown = r->is_markdown, .is_silent = r->is_silent},
      .rows = rows,
      .models = r->models,
      .is_quick = r->is_quick};
  return run_cases(&bench, r->chosen);
}

const bench_command bench_expo_command = {.name = "expo", .is_case = is_case, .perform = perform};
