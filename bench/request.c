#include "request.h"

#include "../apps/complain.h"
#include "../apps/options.h"
#include "../apps/units.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

enum { JSON, CASE, QUICK, MODELS, ISA, MARKDOWN, COUNT, INSTRUCTIONS, HTML, SCENES, OPTIONS };

static const ffi_option all[OPTIONS] = {
    [JSON] = {"--json", 1},   [CASE] = {"--case", 1},
    [QUICK] = {"--quick", 0}, [MODELS] = {"--models", 1},
    [ISA] = {"--isa", 1},     [MARKDOWN] = {"--markdown", 0},
    [COUNT] = {"--count", 0}, [INSTRUCTIONS] = {"--instructions", 0},
    [HTML] = {"--html", 1},   [SCENES] = {"--scenes", 1},
};

static int takes(const bench_command *command, int option)
{
  switch (option) {
  case CASE: return command->is_case != NULL;
  case ISA: return command->has_isa;
  case COUNT: return command->has_count;
  case INSTRUCTIONS: return command->has_instructions;
  case HTML: return command->has_html;
  case SCENES: return command->has_scenes;
  case MODELS: return !command->has_scenes;
  default: return 1;
  }
}

static int read_isa(const char *name, ff_isa *isa)
{
  static const ff_isa known[] = {FF_ISA_BASE, FF_ISA_AVX2, FF_ISA_AVX512, FF_ISA_AUTO};
  enum { KNOWN = sizeof known / sizeof *known };
  const char *names[KNOWN];
  int index;
  for (int k = 0; k < KNOWN; ++k)
    names[k] = ff_isa_name(known[k]);
  if (!ffi_read_word("--isa", name, names, KNOWN, &index))
    return 0;
  *isa = known[index];
  return 1;
}

// Returns 0 after a complaint.
static int read_option(const bench_command *command, int option, const char *value, bench_request *out)
{
  switch (option) {
  case JSON: out->json = value; return 1;
  case CASE: out->chosen = value; return command->is_case(value);
  case QUICK: out->is_quick = 1; return 1;
  case MODELS: out->models = value; return 1;
  case ISA: return read_isa(value, &out->isa);
  case MARKDOWN: out->is_markdown = 1; return 1;
  case COUNT: out->is_count = 1; return 1;
  case HTML: out->html = value; return 1;
  case SCENES: out->scenes = value; return 1;
  default: out->has_instructions = 1; return 1;
  }
}

// Returns 0 after a complaint.
static int read_request(const bench_command *command, int argc, char **argv, bench_request *out)
{
  ffi_option options[OPTIONS];
  int meant[OPTIONS], which;
  ffi_args args = {.argc = argc, .argv = argv, .options = options, .command = command->name};
  for (int i = 0; i < OPTIONS; ++i)
    if (takes(command, i)) {
      options[args.option_count] = all[i];
      meant[args.option_count++] = i;
    }
  while ((which = ffi_args_next(&args)) != FFI_ARG_END) {
    if (which == FFI_ARG_OPERAND)
      ffi_complain("'%s' takes options only, '%s' is too much", command->name, args.value);
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
  if (file && bench_late_file_end(html) && is_made)
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
    fputs(command->help, stdout);
    return FFI_EXIT_OK;
  }
  if (!read_request(command, argc, argv, &request))
    return FFI_EXIT_USAGE;
  bench_rows *rows = request.json ? bench_rows_create() : NULL;
  const int status = bench_request_perform(command, request, rows);
  bench_rows_destroy(rows);
  return status;
}
