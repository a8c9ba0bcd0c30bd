// Reads the options of a benchmark, checks its output files, runs it and saves its rows.
#define _POSIX_C_SOURCE 200809L
#include "common/command.h"

#include "cli/error_message.h"
#include "cli/files/overwrite.h"
#include "cli/options/args.h"
#include "cli/options/benchmark.h"
#include "cli/options/choices.h"
#include "cli/options/help.h"
#include "cli/options/option.h"
#include "cli/options/option_value.h"
#include "cli/program.h"
#include "common/html.h"
#include "common/progress.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int read_isa(const char *name, ff_isa *isa)
{
  int index;
  if (!ffi_option_value_choice("--isa", name, ffi_choices_isa, &index))
    return 0;
  *isa = ffi_choices_isas[index];
  return 1;
}

// Returns 0 after an error message.
static int read_option(const bench_command *command, int option, const char *value,
                       bench_command_request *out)
{
  switch (option) {
  case FFI_BENCHMARK_JSON: out->json = value; return 1;
  case FFI_BENCHMARK_CASE: out->chosen = value; return command->is_case(value);
  case FFI_BENCHMARK_QUICK: out->is_quick = 1; return 1;
  case FFI_BENCHMARK_MODELS: out->models = value; return 1;
  case FFI_BENCHMARK_ISA: return read_isa(value, &out->isa);
  case FFI_BENCHMARK_MARKDOWN: out->is_markdown = 1; return 1;
  case FFI_BENCHMARK_COUNT: out->is_count = 1; return 1;
  case FFI_BENCHMARK_HTML: out->html = value; return 1;
  case FFI_BENCHMARK_SCENES: out->scenes = value; return 1;
  case FFI_BENCHMARK_QUIET: out->is_silent = 1, bench_progress_forbid(); return 1;
  default: out->has_instructions = 1; return 1;
  }
}

// Returns 0 after an error message.
static int read_request(const bench_command *command, int argc, char **argv, bench_command_request *out)
{
  ffi_option options[FFI_BENCHMARK_OPTIONS];
  char name[64];
  int meant[FFI_BENCHMARK_OPTIONS], which;
  snprintf(name, sizeof name, "bench %s", command->name);
  ffi_args args = {.argc = argc, .argv = argv, .options = options, .command = name};
  args.option_count = ffi_benchmark_options(ffi_benchmark_find(command->name), options, meant);
  while ((which = ffi_args_next(&args)) != FFI_ARGS_END) {
    if (which == FFI_ARGS_OPERAND)
      ffi_error_message("unexpected argument '%s': '%s' takes options only", args.value, name);
    if (which < 0 || !read_option(command, meant[which], args.value, out))
      return 0;
  }
  if (out->json && out->html && ffi_overwrite_is_same_file(out->json, out->html)) {
    ffi_error_message("'--json' and '--html' cannot both be '%s'", out->html);
    return 0;
  }
  if (out->is_count && out->json) {
    ffi_error_message("'--count' and '--json' cannot be combined: '--count' measures nothing");
    return 0;
  }
  return 1;
}

static int spares(const char *path, const ff_scene *scene)
{
  return ffi_overwrite_spares_file(path, "scene", ff_scene_file(scene), "the result") &&
         ffi_overwrite_spares_model(path, ff_scene_model_file(scene), "the result") &&
         ffi_overwrite_spares_file(path, "trajectory", ff_scene_trajectory_file(scene), "the result");
}

int bench_command_spares(const bench_command_request *r, const ff_scene *scene)
{
  return spares(r->json, scene) && spares(r->html, scene);
}

// ---- Reports ----------------------------------------------------------------------------------------------

static int check_file(bench_output_file *file, const char *path)
{
  if (!path || bench_output_file_check(file, path))
    return 1;
  ffi_error_message("%s: cannot be written: %s", path, strerror(errno));
  return 0;
}

int bench_command_check_html(const bench_command_request *r, bench_output_file *html)
{
  return check_file(html, r->html);
}

bench_table bench_command_table(const bench_command_request *r, const bench_output_file *html)
{
  return (bench_table){.first_width = 24,
                       .width = 12,
                       .is_markdown = r->is_markdown,
                       .is_silent = r->is_silent || html->file == stdout};
}

// The page and its table of contents. Returns 0 with errno set.
static int write_page(FILE *file, int (*write)(const void *paper, FILE *file), const void *paper)
{
  char *page = NULL;
  size_t size = 0;
  FILE *memory = open_memstream(&page, &size);
  const int is_written = memory && write(paper, memory);
  const int is_made = memory && fclose(memory) == 0 && is_written;
  if (is_made)
    bench_html_add_contents(file, page);
  else
    errno = ENOMEM;
  free(page);
  return is_made;
}

int bench_command_save_html(bench_output_file *html, int (*write)(const void *paper, FILE *file),
                            const void *paper)
{
  if (!html->path)
    return 1;
  FILE *file = bench_output_file_begin(html);
  const int is_made = file && write_page(file, write, paper);
  if (!is_made)
    bench_output_file_forget(html);
  else if (bench_output_file_end(html))
    return 1;
  ffi_error_message("%s: could not be written: %s", html->path, strerror(errno));
  return 0;
}

// ---- All of it --------------------------------------------------------------------------------------------

// Rows that are NULL mean a lack of memory. Returns the exit status.
static int save(const bench_json_rows *rows, bench_output_file *json)
{
  if (bench_json_rows_save(rows, json))
    return FFI_EXIT_OK;
  ffi_error_message("%s: could not be written: %s", json->path, strerror(errno));
  return FFI_EXIT_FAILED;
}

int bench_command_perform(const bench_command *command, bench_command_request request, bench_json_rows *rows)
{
  bench_output_file json = {0};
  if (!check_file(&json, request.json))
    return FFI_EXIT_FAILED;
  request.is_silent |= json.file == stdout;
  int status = command->perform(command->context, &request, rows);
  if (request.json && status == FFI_EXIT_OK)
    status = save(rows, &json);
  bench_output_file_forget(&json);
  return status;
}

int bench_command_run(const bench_command *command, int argc, char **argv)
{
  bench_command_request request = {.isa = FF_ISA_AUTO};
  if (ffi_args_has_help(argc, argv)) {
    ffi_help_bench(ffi_benchmark_find(command->name), stdout);
    return FFI_EXIT_OK;
  }
  if (!read_request(command, argc, argv, &request))
    return FFI_EXIT_USAGE;
  bench_json_rows *rows = request.json ? bench_json_rows_create() : NULL;
  const int status = bench_command_perform(command, request, rows);
  bench_json_rows_destroy(rows);
  return status;
}
