// footfall info MODEL: load a robot and show what is in it.
#include "info.h"
#include "command.h"
#include "options.h"
#include "svg.h"

#include <footfall/load.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  OPTION_JSON,
  OPTION_FIXED_BASE,
  OPTION_MIMIC,
  OPTION_MESH_PATH,
  OPTION_ASCII,
  OPTION_SVG,
  OPTION_POSTURE
};

static const ffi_option options[] = {
    [OPTION_JSON] = {"--json", 0},       [OPTION_FIXED_BASE] = {"--fixed-base", 0},
    [OPTION_MIMIC] = {"--mimic", 1},     [OPTION_MESH_PATH] = {"--mesh-path", 1},
    [OPTION_ASCII] = {"--ascii", 0},     [OPTION_SVG] = {"--svg", 1},
    [OPTION_POSTURE] = {"--posture", 1},
};

typedef struct request {
  const char *path;
  int as_json;
  int is_ascii;
  const char *svg;     // file to draw into, NULL: none
  const char *posture; // to draw, NULL: not said
  ff_load_def load;
  const char **mesh_paths; // NULL-terminated, owned
} request;

static int read_mimic(const char *word, ff_mimic_policy *out)
{
  static const char *const words[] = {"refuse", "free", "fix"};
  static const ff_mimic_policy policies[] = {FF_MIMIC_REFUSE, FF_MIMIC_FREE, FF_MIMIC_FIX};
  for (int i = 0; i < 3; ++i) {
    if (strcmp(word, words[i]) == 0) {
      *out = policies[i];
      return 1;
    }
  }
  const char *meant = ffi_suggest(word, words, 3);
  if (meant)
    ffi_complain("'--mimic %s' is not known; did you mean '%s'?", word, meant);
  else
    ffi_complain("'--mimic %s' is not known; it is refuse, free or fix", word);
  return 0;
}

static int read_operand(const char *word, request *out)
{
  if (out->path) {
    ffi_complain("'info' shows one model, '%s' is too much", word);
    return 0;
  }
  out->path = word;
  return 1;
}

static int read_option(int which, const char *value, request *out, int *mesh_path_count)
{
  switch (which) {
  case OPTION_JSON: out->as_json = 1; return 1;
  case OPTION_FIXED_BASE: out->load.fixed_base = 1; return 1;
  case OPTION_MIMIC: return read_mimic(value, &out->load.mimic);
  case OPTION_MESH_PATH: out->mesh_paths[(*mesh_path_count)++] = value; return 1;
  case OPTION_ASCII: out->is_ascii = 1; return 1;
  case OPTION_SVG: out->svg = value; return 1;
  case OPTION_POSTURE: out->posture = value; return 1;
  default: return 0;
  }
}

// Returns 0 after a complaint.
static int read_request(int argc, char **argv, request *out)
{
  ffi_args args = {.argc = argc,
                   .argv = argv,
                   .options = options,
                   .option_count = (int)(sizeof options / sizeof options[0]),
                   .command = "info"};
  int mesh_path_count = 0, which;
  while ((which = ffi_args_next(&args)) != FFI_ARG_END) {
    if (which == FFI_ARG_WRONG)
      return 0;
    if (which == FFI_ARG_OPERAND ? !read_operand(args.value, out)
                                 : !read_option(which, args.value, out, &mesh_path_count))
      return 0;
  }
  if (!out->path) {
    ffi_complain("'info' needs a model: footfall info MODEL");
    return 0;
  }
  if (out->posture && !out->svg) {
    ffi_complain("'--posture' says what to draw, but nothing is drawn without '--svg FILE'");
    return 0;
  }
  out->mesh_paths[mesh_path_count] = NULL;
  out->load.mesh_paths = out->mesh_paths;
  return 1;
}

// Returns 0 after a complaint.
static int draw(const request *r, const ff_model *model)
{
  int posture;
  if (!ffi_svg_posture(model, r->path, r->posture, &posture))
    return 0;
  FILE *file = fopen(r->svg, "w");
  if (!file) {
    ffi_complain("%s: cannot be written: %s", r->svg, strerror(errno));
    return 0;
  }
  const int is_drawn = ffi_svg_write(model, posture, file);
  const int is_bad = ferror(file);
  if ((fclose(file) != 0 || is_bad) && is_drawn) {
    ffi_complain("%s: could not be written: %s", r->svg, strerror(errno));
    return 0;
  }
  return is_drawn;
}

static int show(const request *r)
{
  int status = FFI_EXIT_OK;
  ff_model *model;
  ff_error error;
  if (ff_model_load(r->path, &r->load, &model, &error) != FF_OK) {
    ffi_complain("%s", error.message);
    return FFI_EXIT_FAILED;
  }
  ffi_terminal terminal = ffi_terminal_detect();
  if (r->is_ascii)
    terminal.unicode = 0;
  if (r->svg && !draw(r, model))
    status = FFI_EXIT_FAILED;
  else if (r->as_json)
    ffi_info_json(model, r->path, stdout);
  else if (!r->svg)
    ffi_info_text(model, r->path, &terminal, stdout);
  ff_model_destroy(model);
  return status;
}

int ffi_command_info(int argc, char **argv)
{
  request r = {.load = ff_load_def_default()};
  r.mesh_paths = ffi_need_memory(NULL, ((size_t)argc + 1) * sizeof *r.mesh_paths);
  const int status = read_request(argc, argv, &r) ? show(&r) : FFI_EXIT_USAGE;
  free(r.mesh_paths);
  return status;
}
