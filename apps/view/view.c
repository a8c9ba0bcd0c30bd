// footfall view FILE...: writes a page that shows one run, or several in one view.
#define _POSIX_C_SOURCE 200809L
#include "view/view.h"

#include "cli/files/atomic_file.h"
#include "cli/files/overwrite.h"
#include "cli/memory.h"
#include "cli/options/args.h"
#include "cli/options/choices.h"
#include "cli/options/file_endings.h"
#include "cli/options/option_value.h"
#include "cli/text/json.h"
#include "cli/text/terminal.h"
#include "cli/text/text.h"
#include "command.h"
#include "live/live.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
  MOST_RUNS = 8,
  MOST_BYTES = 1600000
}; // of frames, and of rows, all runs together: a page stays below 5 MB

enum {
  OPTION_OUT,
  OPTION_O,
  OPTION_NO_OPEN,
  OPTION_STEPPERS,
  OPTION_LIVE,
  OPTION_PORT,
  OPTION_JSON,
  OPTION_QUIET,
  OPTION_FIRST_OF_RUN
};

static const ffi_option own[] = {
    [OPTION_OUT] = {"--out", "FILE", .help = "the page's file, default out/NAME.html; also -o",
                    FFI_OPTION_FILE, ffi_file_endings_page},
    [OPTION_O] = {"-o", "FILE", .takes = FFI_OPTION_FILE, ffi_file_endings_page},
    [OPTION_NO_OPEN] = {"--no-open", .help = "do not open the page"},
    [OPTION_STEPPERS] = {"--steppers", "A,B,...", .help = "simulate once with each of these steppers",
                         FFI_OPTION_LIST, ffi_choices_stepper},
    [OPTION_LIVE] =
        {"--live",
         .help =
             "simulate in real time and serve a page on 127.0.0.1, with controls to pause, push and change "
             "the scene; a model gets the scene of 'footfall new'"},
    [OPTION_PORT] = {"--port", "N",
                     .help = "port of '--live'; default 8417, or any free one if that is taken"},
    [OPTION_JSON] = {"--json", .help = "print the page's file or address as JSON"},
    [OPTION_QUIET] = {"--quiet", .help = "print nothing, show no progress"},
};

// Options of 'footfall run', which are passed on to it.
static const char *const of_run[] = {
    "--stepper", "--dt",         "--duration", "--posture",   "--on-ground",
    "--drop",    "--slope",      "--pd",       "--kp",        "--kd",
    "--no-pd",   "--stiffness",  "--damping",  "--friction",  "--exponential",
    "--order",   "--events",     "--accuracy", "--epsilon",   "--tolerance",
    "--set",     "--fixed-base", "--mimic",    "--mesh-path", "--contact-parameters",
    "--srdf",    "--vary",       "--seed",     "--only",
};

enum { RUN_COUNT = sizeof of_run / sizeof of_run[0], OPTION_COUNT = OPTION_FIRST_OF_RUN + RUN_COUNT };

static ffi_option options[OPTION_COUNT];

const ffi_option *ffi_view_options(int *count)
{
  int run_count, at = OPTION_FIRST_OF_RUN;
  const ffi_option *run = ffi_run_options(&run_count);
  memcpy(options, own, sizeof own);
  for (int i = 0; i < RUN_COUNT; ++i)
    for (int k = 0; k < run_count; ++k)
      if (strcmp(run[k].name, of_run[i]) == 0)
        options[at++] = run[k];
  *count = at;
  return options;
}

typedef struct request {
  const char *files[MOST_RUNS];
  int file_count;
  const char *out; // NULL: not said
  int is_opened, is_quiet, is_live, as_json;
  int port;                  // 0: not said
  char *steppers[MOST_RUNS]; // into `words`
  int stepper_count;
  char *words;      // owned
  char **arguments; // [argument_count] for the runs, owned with its strings
  int argument_count;
} request;

// ---- What was asked for -----------------------------------------------------------------------------------

static int take_file(const char *word, void *user)
{
  request *r = user;
  if (r->file_count == MOST_RUNS) {
    ffi_error_message("unexpected argument '%s': a page shows at most %d runs", word, MOST_RUNS);
    return 0;
  }
  r->files[r->file_count++] = word;
  return 1;
}

// Names separated by commas. The run checks whether they are steppers.
static int take_steppers(request *r, const char *value)
{
  char *rest = NULL;
  free(r->words);
  r->words = strcpy(ffi_memory_need(NULL, strlen(value) + 1), value);
  r->stepper_count = 0;
  for (char *word = strtok_r(r->words, ",", &rest); word; word = strtok_r(NULL, ",", &rest)) {
    if (r->stepper_count == MOST_RUNS) {
      ffi_error_message("'--steppers': a page shows at most %d runs", MOST_RUNS);
      return 0;
    }
    r->steppers[r->stepper_count++] = word;
  }
  if (r->stepper_count > 0)
    return 1;
  ffi_error_message("'--steppers' needs names of steppers, separated by commas, such as expo,euler");
  return 0;
}

static int take_port(request *r, const char *value)
{
  long long port;
  if (!ffi_option_value_whole("--port", value, 1, 65535, &port))
    return 0;
  r->port = (int)port;
  return 1;
}

static void take_for_run(request *r, int which, const char *value)
{
  const size_t size = strlen(options[which].name) + (value ? strlen(value) : 0) + 2;
  char *word = ffi_memory_need(NULL, size);
  snprintf(word, size, "%s%s%s", options[which].name, value ? "=" : "", value ? value : "");
  r->arguments = ffi_memory_need(r->arguments, ((size_t)r->argument_count + 1) * sizeof *r->arguments);
  r->arguments[r->argument_count++] = word;
}

static int take_option(int which, const char *value, void *user)
{
  request *r = user;
  switch (which) {
  case OPTION_OUT:
  case OPTION_O: r->out = value; return 1;
  case OPTION_NO_OPEN: r->is_opened = 0; return 1;
  case OPTION_QUIET: r->is_quiet = 1; return 1;
  case OPTION_JSON: r->as_json = 1; return 1;
  case OPTION_LIVE: r->is_live = 1; return 1;
  case OPTION_PORT: return take_port(r, value);
  case OPTION_STEPPERS: return take_steppers(r, value);
  default: take_for_run(r, which, value); return 1;
  }
}

static int has_ending(const char *path, const char *ending)
{
  const size_t length = strlen(path), size = strlen(ending);
  return length > size && strcmp(path + length - size, ending) == 0;
}

// Checks that options and files can be combined. 0 after an error message.
static int check_request(const request *r)
{
  const int each = r->stepper_count ? r->stepper_count : 1;
  if (r->file_count == 0) {
    ffi_error_message("'view' needs a log, a scene or a model: footfall view SCENE.yaml");
    return 0;
  }
  for (int i = 0; i < r->file_count; ++i)
    if (ffi_view_log_is_log(r->files[i]) && (r->stepper_count > 0 || r->argument_count > 0 || r->is_live)) {
      ffi_error_message("'%s' does not apply to a log, and %s is one",
                        r->stepper_count > 0 ? "--steppers"
                        : r->is_live         ? "--live"
                                             : r->arguments[0],
                        r->files[i]);
      return 0;
    }
  for (int i = 0; i < r->file_count; ++i)
    if (has_ending(r->files[i], ".csv") || has_ending(r->files[i], ".mcap")) {
      ffi_error_message("%s: 'view' reads HDF5 logs only; 'footfall run MODEL --out FILE.h5' writes one",
                        r->files[i]);
      return 0;
    }
  if (r->file_count * each > MOST_RUNS) {
    ffi_error_message("%d files with %d steppers each are too many: a page shows at most %d runs",
                      r->file_count, each, MOST_RUNS);
    return 0;
  }
  if (r->is_live && (r->file_count * each > 1 || r->out)) {
    ffi_error_message("%s", r->out ? "'--live' and '--out' cannot be combined: '--live' writes no file"
                                   : "'--live' takes one scene or model, and one stepper");
    return 0;
  }
  if (!r->is_live && r->port) {
    ffi_error_message("'--port' needs '--live'");
    return 0;
  }
  return 1;
}

static int read_request(int argc, char **argv, request *r)
{
  ffi_args args = {.argc = argc, .argv = argv, .command = "view"};
  args.options = ffi_view_options(&args.option_count);
  *r = (request){.is_opened = 1};
  return ffi_args_read(&args, take_file, take_option, r) && check_request(r);
}

static void free_request(request *r)
{
  for (int i = 0; i < r->argument_count; ++i)
    free(r->arguments[i]);
  free(r->arguments);
  free(r->words);
}

// ---- Where the page goes ----------------------------------------------------------------------------------

// The page's file: --out, or NAME.html in the folder for results, which is made. 0 after an error message.
static int choose_path(const request *r, char *path, size_t size)
{
  const char *file = r->files[0], *slash = strrchr(file, '/'), *name = slash ? slash + 1 : file;
  const char *dot = strrchr(name, '.'), *said = getenv("FOOTFALL_OUT"),
             *folder = said && *said ? said : "out";
  const int length = dot && dot > name ? (int)(dot - name) : (int)strlen(name);
  const int used = r->out ? snprintf(path, size, "%s", r->out)
                          : snprintf(path, size, "%s/%.*s.html", folder, length, name);
  if (used < 0 || (size_t)used >= size) {
    ffi_error_message("the name of the page is too long");
    return 0;
  }
  for (int i = 0; i < r->file_count; ++i)
    if (!ffi_overwrite_spares_file(path, "input", r->files[i], "the page"))
      return 0;
  if (!r->out && mkdir(folder, 0777) != 0 && errno != EEXIST) {
    ffi_error_message("%s: this folder cannot be made: %s; '--out FILE' puts the page elsewhere", folder,
                      strerror(errno));
    return 0;
  }
  if (ffi_atomic_file_check(path)) // before the runs, which may be long
    return 1;
  ffi_error_message("%s: cannot be written: %s%s", path, strerror(errno),
                    r->out ? "" : "; '--out FILE' puts the page elsewhere");
  return 0;
}

// ---- The whole --------------------------------------------------------------------------------------------

// The arguments of 'footfall run'; `stepper` NULL: the scene's own. The caller frees the array.
static char **words_of(const request *r, const char *file, const char *stepper, int *count)
{
  char **words = ffi_memory_need(NULL, ((size_t)r->argument_count + 5) * sizeof *words);
  int n = 0;
  if (r->is_quiet)
    words[n++] = "--quiet";
  for (int i = 0; i < r->argument_count; ++i)
    words[n++] = r->arguments[i];
  if (stepper) {
    words[n++] = "--stepper";
    words[n++] = (char *)stepper;
  }
  words[n++] = "--"; // the name of a file may begin with a dash
  words[n++] = (char *)file;
  *count = n;
  return words;
}

// Records a log, or one run of a file. Returns the exit status.
static int record_one(const request *r, const char *file, const char *stepper, size_t most,
                      ffi_view_recording *out)
{
  int count;
  if (ffi_view_log_is_log(file))
    return ffi_view_log(file, most, out) ? FFI_EXIT_OK : FFI_EXIT_FAILED;
  char **words = words_of(r, file, stepper, &count);
  const int status = ffi_view_scene_run(count, words, most, out);
  free(words);
  return status;
}

static int serve_scene(request *r, const char *scene, int is_of_model)
{
  int count;
  char **words = words_of(r, scene, r->stepper_count ? r->steppers[0] : NULL, &count);
  const ffi_live_request asked = {.port = r->port,
                                  .is_opened = r->is_opened,
                                  .is_of_model = is_of_model,
                                  .as_json = r->as_json,
                                  .is_quiet = r->is_quiet};
  const int status = ffi_live_serve(count, words, &asked);
  free(words);
  return status;
}

// A model gets a scene first; options about the model are not passed on to it.
static int serve(request *r)
{
  ffi_live_model model = {0};
  if (ffi_run_scene_file_is_scene(r->files[0]))
    return serve_scene(r, r->files[0], 0);
  int status = ffi_live_model_write(&model, r->files[0], r->arguments, r->argument_count);
  if (status == FFI_EXIT_OK) {
    char **words = ffi_memory_need(NULL, ((size_t)r->argument_count + 1) * sizeof *words);
    request rest = *r;
    if (r->argument_count > 0)
      memcpy(words, r->arguments, (size_t)r->argument_count * sizeof *words);
    rest.argument_count = ffi_live_model_drop_options(words, r->argument_count);
    rest.arguments = words;
    status = serve_scene(&rest, model.scene, 1);
    free(words);
  }
  ffi_live_model_remove(&model);
  return status;
}

enum { LONGEST_WAIT = 1000 }; // for the desktop [ms]

static void print_place(const request *r, char *path)
{
  const ffi_terminal terminal = ffi_terminal_detect();
  struct stat status;
  const double size = stat(path, &status) == 0 ? (double)status.st_size : 0;
  const int is_shown = r->is_opened && ffi_view_open(path, LONGEST_WAIT);
  if (r->as_json) {
    ffi_json json;
    ffi_json_begin(&json, stdout);
    ffi_json_open(&json, '{', 0);
    ffi_json_put_text(&json, "file", path);
    ffi_json_put_number(&json, "bytes", size);
    ffi_json_put_boolean(&json, "shown", is_shown);
    ffi_json_close(&json, '}');
    ffi_json_end(&json);
    return;
  }
  if (r->is_quiet)
    return;
  ffi_text_sanitize(&terminal, path); // names of files may hold anything
  printf("%s (%.1f MB)%s\n", path, 1e-6 * size,
         is_shown || !r->is_opened ? "" : ": no browser could be started; open the file in one");
}

// Are all runs of the same robot? 0 after an error message.
static int check_robots(const request *r, const ffi_view_recording *runs, int count, int each)
{
  for (int i = 1; i < count; ++i)
    if (strcmp(runs[i].robot, runs[0].robot) != 0) {
      ffi_error_message("%s and %s have different links: runs on one page must be of the same robot",
                        r->files[0], r->files[i / each]);
      return 0;
    }
  return 1;
}

// Reports missing files before the folder of the page is made. Each is reported by its own reader. Returns the exit
// status.
static int find_files(const request *r)
{
  ffi_view_recording nothing = {0};
  int status = FFI_EXIT_OK;
  for (int i = 0; i < r->file_count && status == FFI_EXIT_OK; ++i)
    if (access(r->files[i], R_OK) != 0)
      status = record_one(r, r->files[i], r->stepper_count ? r->steppers[0] : NULL, MOST_BYTES, &nothing);
  ffi_view_record_free(&nothing);
  return status;
}

static int make_page(const request *r)
{
  ffi_view_recording runs[MOST_RUNS] = {0};
  char path[4096];
  const int each = r->stepper_count ? r->stepper_count : 1;
  int count = 0, status = find_files(r);
  if (status == FFI_EXIT_OK && !choose_path(r, path, sizeof path))
    status = FFI_EXIT_FAILED;
  for (int i = 0; i < r->file_count && status == FFI_EXIT_OK; ++i)
    for (int k = 0; k < each && status == FFI_EXIT_OK; ++k, ++count)
      status = record_one(r, r->files[i], r->stepper_count ? r->steppers[k] : NULL,
                          (size_t)(MOST_BYTES / (r->file_count * each)), &runs[count]);
  if (status == FFI_EXIT_OK &&
      (!check_robots(r, runs, count, each) || !ffi_view_page_write(path, runs, count)))
    status = FFI_EXIT_FAILED;
  for (int i = 0; i < count; ++i)
    ffi_view_record_free(&runs[i]);
  if (status == FFI_EXIT_OK)
    print_place(r, path);
  return status;
}

int ffi_view_command(int argc, char **argv)
{
  request r;
  int status = FFI_EXIT_USAGE;
  if (read_request(argc, argv, &r))
    status = !ffi_view_page_is_built() ? FFI_EXIT_FAILED : r.is_live ? serve(&r) : make_page(&r);
  free_request(&r);
  return status;
}
