#include "common/request.h"

#include "common/progress.h"

#include "cli/complain.h"
#include "cli/help.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static int read_isa(const char *name, ff_isa *isa)
{
  int index;
  if (!ffi_words_read("--isa", name, ffi_words_of_isa, &index))
    return 0;
  *isa = ffi_isas[index];
  return 1;
}

// Returns 0 after a complaint.
static int read_option(const bench_command *command, int option, const char *value, bench_request *out)
{
  switch (option) {
  case FFI_BENCH_JSON: out->json = value; return 1;
  case FFI_BENCH_CASE: out->chosen = value; return command->is_case(value);
  case FFI_BENCH_QUICK: out->is_quick = 1; return 1;
  case FFI_BENCH_MODELS: out->models = value; return 1;
  case FFI_BENCH_ISA: return read_isa(value, &out->isa);
  case FFI_BENCH_MARKDOWN: out->is_markdown = 1; return 1;
  case FFI_BENCH_COUNT: out->is_count = 1; return 1;
  case FFI_BENCH_HTML: out->html = value; return 1;
  case FFI_BENCH_SCENES: out->scenes = value; return 1;
  case FFI_BENCH_QUIET: out->is_silent = 1, bench_progress_forbid(); return 1;
  default: out->has_instructions = 1; return 1;
  }
}

// Returns 0 after a complaint.
static int read_request(const bench_command *command, int argc, char **argv, bench_request *out)
{
  ffi_option options[FFI_BENCH_OPTIONS];
  char name[64];
  int meant[FFI_BENCH_OPTIONS], which;
  snprintf(name, sizeof name, "bench %s", command->name);
  ffi_args args = {.argc = argc, .argv = argv, .options = options, .command = name};
  args.option_count = ffi_bench_options(ffi_bench_find(command->name), options, meant);
  while ((which = ffi_args_next(&args)) != FFI_ARG_END) {
    if (which == FFI_ARG_OPERAND)
      ffi_complain("'%s' takes options only, '%s' is too much", name, args.value);
    if (which < 0 || !read_option(command, meant[which], args.value, out))
      return 0;
  }
  if (out->json && out->html && ffi_is_same_file(out->json, out->html)) {
    ffi_complain("'--json' and '--html' cannot both be '%s'", out->html);
    return 0;
  }
  if (out->is_count && out->json) {
    ffi_complain("'--count' measures nothing that '--json' could write");
    return 0;
  }
  return 1;
}

static int spares(const char *path, const ff_scene *scene)
{
  return ffi_spare_file(path, "scene", ff_scene_file(scene), "the result") &&
         ffi_spare_model(path, ff_scene_model_file(scene), "the result") &&
         ffi_spare_file(path, "trajectory", ff_scene_trajectory_file(scene), "the result");
}

int bench_request_spares(const bench_request *r, const ff_scene *scene)
{
  return spares(r->json, scene) && spares(r->html, scene);
}

// ---- Reports ----------------------------------------------------------------------------------------------

static int check_file(bench_late_file *file, const char *path)
{
  if (!path || bench_late_file_check(file, path))
    return 1;
  ffi_complain("%s: cannot be written: %s", path, strerror(errno));
  return 0;
}

int bench_request_check_html(const bench_request *r, bench_late_file *html)
{
  return check_file(html, r->html);
}

bench_sheet bench_request_sheet(const bench_request *r, const bench_late_file *html)
{
  return (bench_sheet){.first_width = 24,
                       .width = 12,
                       .is_markdown = r->is_markdown,
                       .is_silent = r->is_silent || html->file == stdout};
}

int bench_request_save_html(bench_late_file *html, int (*write)(const void *paper, FILE *file),
                            const void *paper)
{
  if (!html->path)
    return 1;
  FILE *file = bench_late_file_begin(html);
  const int is_made = file && write(paper, file);
  if (!is_made)
    bench_late_file_forget(html);
  else if (bench_late_file_end(html))
    return 1;
  ffi_complain("%s: could not be written: %s", html->path, strerror(errno));
  return 0;
}

// ---- All of it --------------------------------------------------------------------------------------------

// No rows (NULL) are a lack of memory. The exit status.
static int save(const bench_rows *rows, bench_late_file *json)
{
  if (bench_rows_save(rows, json))
    return FFI_EXIT_OK;
  ffi_complain("%s: could not be written: %s", json->path, strerror(errno));
  return FFI_EXIT_FAILED;
}

int bench_request_perform(const bench_command *command, bench_request request, bench_rows *rows)
{
  bench_late_file json = {0};
  if (!check_file(&json, request.json))
    return FFI_EXIT_FAILED;
  request.is_silent |= json.file == stdout;
  int status = command->perform(&request, rows);
  if (request.json && status == FFI_EXIT_OK)
    status = save(rows, &json);
  bench_late_file_forget(&json);
  return status;
}

int bench_request_run(const bench_command *command, int argc, char **argv)
{
  bench_request request = {.isa = FF_ISA_AUTO};
  if (ffi_args_ask_help(argc, argv)) {
    ffi_help_bench(ffi_bench_find(command->name), stdout);
    return FFI_EXIT_OK;
  }
  if (!read_request(command, argc, argv, &request))
    return FFI_EXIT_USAGE;
  bench_rows *rows = request.json ? bench_rows_create() : NULL;
  const int status = bench_request_perform(command, request, rows);
  bench_rows_destroy(rows);
  return status;
}
