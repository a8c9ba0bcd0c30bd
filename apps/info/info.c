// footfall info MODEL, SCENE.yaml or LOG.h5: shows what is in it.
#include "info/info.h"

#include "cli/files/atomic_file.h"
#include "cli/files/overwrite.h"
#include "cli/options/args.h"
#include "cli/options/file_endings.h"
#include "cli/text/terminal.h"
#include "command.h"
#include "load_options.h"
#include "run/run.h"
#include "svg/svg.h"
#include "view/view.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OPTION_JSON, OPTION_SVG, OPTION_POSTURE, OPTION_ASCII, OPTION_QUIET, OPTION_VERBOSE, OPTION_LOAD };

static const ffi_option options[] = {
    [OPTION_JSON] = {"--json", .help = "print everything as JSON"},
    [OPTION_SVG] = {"--svg", "FILE", .help = "draw the robot to FILE as SVG, and print no text",
                    FFI_OPTION_FILE, ffi_file_endings_svg},
    [OPTION_POSTURE] = {"--posture", "NAME",
                        .help = "the posture to draw; default 'standing', else the first",
                        FFI_OPTION_POSTURE},
    [OPTION_ASCII] = {"--ascii", .help = "print ASCII characters only, in any locale"},
    [OPTION_QUIET] = {"--quiet", .help = "print nothing; the exit status says whether the file is valid"},
    [OPTION_VERBOSE] = {"--verbose", .help = "also list what was ignored and does not change the motion"},
    [OPTION_LOAD] = FFI_LOAD_OPTIONS,
};

const ffi_option *ffi_info_options(int *count)
{
  *count = (int)(sizeof options / sizeof options[0]);
  return options;
}

typedef struct request {
  const char *path;
  int as_json;
  int is_ascii, is_quiet, is_verbose;
  const char *svg;     // file to draw into, NULL: none
  const char *posture; // to draw, NULL: not said
  ffi_load_options load;
} request;

static int read_operand(const char *word, void *user)
{
  request *out = user;
  if (out->path) {
    ffi_error_message("unexpected argument '%s': 'info' takes one file", word);
    return 0;
  }
  out->path = word;
  return 1;
}

static int read_option(int which, const char *value, void *user)
{
  request *out = user;
  switch (which) {
  case OPTION_JSON: out->as_json = 1; return 1;
  case OPTION_ASCII: out->is_ascii = 1; return 1;
  case OPTION_QUIET: out->is_quiet = 1; return 1;
  case OPTION_VERBOSE: out->is_verbose = 1; return 1;
  case OPTION_SVG: out->svg = value; return 1;
  case OPTION_POSTURE: out->posture = value; return 1;
  default: return ffi_load_options_take(&out->load, which - OPTION_LOAD, value);
  }
}

// Returns 0 after an error message.
static int read_request(int argc, char **argv, request *out)
{
  ffi_args args = {.argc = argc,
                   .argv = argv,
                   .options = options,
                   .option_count = (int)(sizeof options / sizeof options[0]),
                   .command = "info"};
  if (!ffi_args_read(&args, read_operand, read_option, out))
    return 0;
  if (!out->path) {
    ffi_error_message("'info' needs a model, a scene or a log: footfall info MODEL");
    return 0;
  }
  if (out->posture && !out->svg) {
    ffi_error_message("'--posture' needs '--svg FILE': it is the posture to draw");
    return 0;
  }
  return 1;
}

// Returns the exit status.
static int draw(const request *r, const ff_model *model)
{
  int posture;
  if (!ffi_overwrite_spares_model(r->svg, r->path, "the picture"))
    return FFI_EXIT_FAILED;
  if (!ffi_load_options_posture(model, r->path, r->posture, &posture))
    return FFI_EXIT_USAGE;
  ffi_atomic_file file;
  if (!ffi_atomic_file_open(&file, r->svg)) {
    ffi_error_message("%s: cannot be written: %s", r->svg, strerror(errno));
    return FFI_EXIT_FAILED;
  }
  const int is_drawn = ffi_svg_write(model, posture, file.stream);
  const int is_put = ffi_atomic_file_close(&file, is_drawn);
  if (is_drawn && !is_put)
    ffi_error_message("%s: could not be written: %s", r->svg, strerror(errno));
  return is_put ? FFI_EXIT_OK : FFI_EXIT_FAILED;
}

static int show(const request *r)
{
  int status = FFI_EXIT_OK;
  ffi_terminal terminal = ffi_terminal_detect();
  if (r->is_ascii)
    terminal.unicode = 0;
  if (!r->svg && ffi_view_log_is_log(r->path))
    return ffi_info_log(r->path, r->as_json, r->is_quiet, &terminal);
  if (!r->svg && ffi_run_scene_file_is_scene(r->path))
    return ffi_info_scene(r->path, r->as_json, r->is_quiet, &terminal);
  ff_model *model = ffi_load_options_model(&r->load, r->path);
  if (!model)
    return FFI_EXIT_FAILED;
  if (r->svg)
    status = draw(r, model);
  if (status != FFI_EXIT_OK) {
    ff_model_destroy(model);
    return status;
  }
  if (r->as_json)
    ffi_info_json(model, r->path, stdout);
  else if (!r->svg && !r->is_quiet)
    ffi_info_text(model, r->path, r->is_verbose, &terminal, stdout);
  ff_model_destroy(model);
  return status;
}

int ffi_info_command(int argc, char **argv)
{
  request r = {0};
  ffi_load_options_begin(&r.load, argc);
  const int status = read_request(argc, argv, &r) ? show(&r) : FFI_EXIT_USAGE;
  ffi_load_options_end(&r.load);
  return status;
}
