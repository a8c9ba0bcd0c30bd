// footfall convert FROM TO: writes a robot as URDF or MJCF.
#include "cli/files/atomic_file.h"
#include "cli/files/overwrite.h"
#include "cli/memory.h"
#include "cli/options/args.h"
#include "cli/options/choices.h"
#include "cli/options/option_value.h"
#include "cli/text/json.h"
#include "cli/text/terminal.h"
#include "cli/text/text.h"
#include "cli/warn_meshes.h"
#include "command.h"
#include "load_options.h"

#include <footfall/save.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OPTION_TO, OPTION_FORCE, OPTION_JSON, OPTION_QUIET, OPTION_LOAD };

static const ffi_option options[] = {
    [OPTION_TO] = {"--to", "FORMAT", .help = "the format, urdf or mjcf, whatever the file's name",
                   FFI_OPTION_WORD, ffi_choices_format},
    [OPTION_FORCE] = {"--force", .help = "replace an existing file"},
    [OPTION_JSON] = {"--json", .help = "print the result as JSON"},
    [OPTION_QUIET] = {"--quiet", .help = "print nothing"},
    [OPTION_LOAD] = FFI_LOAD_OPTIONS,
};

const ffi_option *ffi_convert_options(int *count)
{
  *count = (int)(sizeof options / sizeof options[0]);
  return options;
}

typedef struct request {
  const char *from, *to;
  int format; ///< ff_model_format, -1: by the ending
  int is_forced, as_json, is_quiet;
  ffi_load_options load;
} request;

// ---- Request ------------------------------------------------------------------------------------------------------

static int read_operand(const char *word, void *user)
{
  request *r = user;
  if (r->to) {
    ffi_error_message("unexpected argument '%s': 'convert' takes two files", word);
    return 0;
  }
  *(r->from ? &r->to : &r->from) = word;
  return 1;
}

static int read_option(int which, const char *value, void *user)
{
  request *r = user;
  switch (which) {
  case OPTION_TO: return ffi_option_value_choice("--to", value, ffi_choices_format, &r->format);
  case OPTION_FORCE: r->is_forced = 1; return 1;
  case OPTION_JSON: r->as_json = 1; return 1;
  case OPTION_QUIET: r->is_quiet = 1; return 1;
  default: return ffi_load_options_take(&r->load, which - OPTION_LOAD, value);
  }
}

static int choose_format(request *r)
{
  const char *slash = strrchr(r->to, '/'), *dot = strrchr(slash ? slash : r->to, '.');
  if (r->format >= 0)
    return 1;
  if (dot && strcmp(dot, ".urdf") == 0)
    r->format = FF_MODEL_URDF;
  else if (dot && (strcmp(dot, ".xml") == 0 || strcmp(dot, ".mjcf") == 0))
    r->format = FF_MODEL_MJCF;
  else
    ffi_error_message(
        "%s: the file name does not show the format; name it *.urdf, *.xml or *.mjcf, or add '--to urdf' "
        "or '--to mjcf'",
        r->to);
  return r->format >= 0;
}

// Returns 0 after an error message.
static int read_request(int argc, char **argv, request *r)
{
  ffi_args args = {.argc = argc,
                   .argv = argv,
                   .options = options,
                   .option_count = (int)(sizeof options / sizeof options[0]),
                   .command = "convert"};
  if (!ffi_args_read(&args, read_operand, read_option, r))
    return 0;
  if (!r->to) {
    ffi_error_message("'convert' needs two files: footfall convert ROBOT.urdf ROBOT.xml");
    return 0;
  }
  return choose_format(r);
}

// ---- What is said -------------------------------------------------------------------------------------------------

static void print_text(const request *r, const ff_saved *saved)
{
  const ffi_terminal terminal = ffi_terminal_detect();
  char *text = ffi_memory_need(NULL, strlen(r->to) + strlen(saved->notes) + 1);
  strcpy(text, r->to);
  ffi_text_sanitize(&terminal, text);
  printf("%s: %s\n", text, r->format == FF_MODEL_URDF ? "URDF" : "MJCF");
  if (saved->mesh_count > 0)
    printf("note: %d convex hull%s without a mesh file: written to *-hull0.obj%s\n", saved->mesh_count,
           saved->mesh_count == 1 ? "" : "s", saved->mesh_count == 1 ? "" : " and so on");
  for (const char *at = saved->notes; *at;) {
    const size_t length = strcspn(at, "\n");
    memcpy(text, at, length);
    text[length] = '\0';
    ffi_text_sanitize(&terminal, text);
    printf("note: ");
    ffi_text_wrap(text, 6, 6, stdout);
    at += length + 1;
  }
  free(text);
}

static void print_json(const request *r, ff_saved *saved)
{
  ffi_json json;
  ffi_json_begin(&json, stdout);
  ffi_json_open(&json, '{', 0);
  ffi_json_put_text(&json, "file", r->to);
  ffi_json_put_text(&json, "format", ffi_choices_format(r->format));
  ffi_json_put_open(&json, "meshes", '[');
  for (int i = 0; i < saved->mesh_count; ++i)
    ffi_json_text(&json, saved->meshes[i].path);
  ffi_json_close(&json, ']');
  ffi_json_put_open(&json, "notes", '[');
  for (char *at = saved->notes; *at;) {
    const size_t length = strcspn(at, "\n");
    at[length] = '\0';
    ffi_json_text(&json, at);
    at += length + 1;
  }
  ffi_json_close(&json, ']');
  ffi_json_close(&json, '}');
  ffi_json_end(&json);
}

// ---- The whole ----------------------------------------------------------------------------------------------------

// Hulls without a mesh file get one each, beside the robot's file. 0 after an error message.
static int put_meshes(const request *r, const ff_saved *saved)
{
  for (int i = 0; i < saved->mesh_count; ++i)
    if (!ffi_overwrite_is_allowed(saved->meshes[i].path, r->is_forced))
      return 0;
  for (int i = 0; i < saved->mesh_count; ++i)
    if (!ffi_atomic_file_write(saved->meshes[i].path, saved->meshes[i].text, saved->meshes[i].length)) {
      while (--i >= 0)
        remove(saved->meshes[i].path);
      return 0;
    }
  return 1;
}

// Writes the part, reads it back as a check, and renames it. 0 after an error message.
static int put(const request *r, const ff_saved *saved)
{
  ff_model *model = NULL;
  ff_error error;
  if (!put_meshes(r, saved))
    return 0;
  char *part = ffi_atomic_file_part(r->to);
  int is_put = ffi_atomic_file_write_part(r->to, saved->text, saved->length);
  if (is_put && ff_model_load(part, NULL, &model, &error) != FF_OK) {
    ffi_error_message("%s: cannot be written as %s: %s", r->from, ffi_choices_format(r->format),
                      error.message);
    ffi_atomic_file_discard(r->to);
    is_put = 0;
  }
  free(part);
  ff_model_destroy(model);
  is_put = is_put && ffi_atomic_file_commit(r->to);
  for (int i = 0; !is_put && i < saved->mesh_count; ++i)
    remove(saved->meshes[i].path);
  return is_put;
}

static int perform(const request *r)
{
  ff_saved saved = {0};
  ff_error error;
  int is_put = 0;
  if (!ffi_overwrite_spares_model(r->to, r->from, "the new file") ||
      !ffi_overwrite_is_allowed(r->to, r->is_forced))
    return FFI_EXIT_FAILED;
  ff_model *model = ffi_load_options_model(&r->load, r->from);
  if (!model)
    return FFI_EXIT_FAILED;
  if (!r->is_quiet)
    ffi_warn_meshes(model, 0);
  if (ff_model_save_text(model, (ff_model_format)r->format, r->to, &saved, &error) != FF_OK)
    ffi_error_message("%s", error.message);
  else
    is_put = put(r, &saved);
  if (is_put && r->as_json)
    print_json(r, &saved);
  else if (is_put && !r->is_quiet)
    print_text(r, &saved);
  ff_saved_free(&saved);
  ff_model_destroy(model);
  return is_put ? FFI_EXIT_OK : FFI_EXIT_FAILED;
}

int ffi_convert_command(int argc, char **argv)
{
  request r = {.format = -1};
  ffi_load_options_begin(&r.load, argc);
  const int status = read_request(argc, argv, &r) ? perform(&r) : FFI_EXIT_USAGE;
  ffi_load_options_end(&r.load);
  return status;
}
