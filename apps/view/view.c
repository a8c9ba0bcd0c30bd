// footfall view FILE...: one page that shows one run, or several over each other.
#define _POSIX_C_SOURCE 200809L
#include "view/view.h"
#include "cli/json.h"
#include "cli/put_file.h"
#include "cli/terminal.h"
#include "cli/words.h"
#include "command.h"
#include "commands.h"
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
    [OPTION_OUT] = {"--out", "FILE", .help = "where the page goes, default out/NAME.html; also -o",
                    FFI_TAKES_FILE, ffi_endings_of_page},
    [OPTION_O] = {"-o", "FILE", .takes = FFI_TAKES_FILE, ffi_endings_of_page},
    [OPTION_NO_OPEN] = {"--no-open", .help = "do not show it"},
    [OPTION_STEPPERS] = {"--steppers", "A,B,...", .help = "one run by each of these steppers", FFI_TAKES_LIST,
                         ffi_words_of_stepper},
    [OPTION_LIVE] =
        {"--live",
         .help =
             "serve a page on 127.0.0.1 in which it runs meanwhile, to be stopped, pushed and changed; a model gets the scene of 'footfall new'"},
    [OPTION_PORT] = {"--port", "N", .help = "of '--live': where"},
    [OPTION_JSON] = {"--json", .help = "say where it is as JSON"},
    [OPTION_QUIET] = {"--quiet", .help = "do not say where it is, show no progress"},
};

// The rest is of 'footfall run', and is handed to it with its value.
static const char *const of_run[] = {
    "--stepper", "--dt",        "--duration",    "--posture",    "--on-ground", "--drop",
    "--slope",   "--pd",        "--kp",          "--kd",         "--no-pd",     "--stiffness",
    "--damping", "--friction",  "--exponential", "--order",      "--events",    "--accuracy",
    "--epsilon", "--tolerance", "--set",         "--fixed-base", "--mimic",     "--mesh-path",
};

enum { RUN_COUNT = sizeof of_run / sizeof of_run[0], OPTION_COUNT = OPTION_FIRST_OF_RUN + RUN_COUNT };

static ffi_option options[OPTION_COUNT];

const ffi_option *ffi_options_of_view(int *count)
{
  int run_count, at = OPTION_FIRST_OF_RUN;
  const ffi_option *run = ffi_options_of_run(&run_count);
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
    ffi_complain("'%s' is too much: a page shows %d runs at most", word, MOST_RUNS);
    return 0;
  }
  r->files[r->file_count++] = word;
  return 1;
}

// Names with commas between them; whether they are names of steppers is for the run to say.
static int take_steppers(request *r, const char *value)
{
  char *rest = NULL;
  free(r->words);
  r->words = strcpy(ffi_need_memory(NULL, strlen(value) + 1), value);
  r->stepper_count = 0;
  for (char *word = strtok_r(r->words, ",", &rest); word; word = strtok_r(NULL, ",", &rest)) {
    if (r->stepper_count == MOST_RUNS) {
      ffi_complain("--steppers: a page shows %d runs at most", MOST_RUNS);
      return 0;
    }
    r->steppers[r->stepper_count++] = word;
  }
  if (r->stepper_count > 0)
    return 1;
  ffi_complain("--steppers: names of steppers with commas between them, such as expo,euler");
  return 0;
}

static int take_port(request *r, const char *value)
{
  char *end;
  const long port = strtol(value, &end, 10);
  if (*end || end == value || port < 1 || port > 65535) {
    ffi_complain("--port: '%s' is no port; they are from 1 to 65535", value);
    return 0;
  }
  r->port = (int)port;
  return 1;
}

static void take_for_run(request *r, int which, const char *value)
{
  const size_t size = strlen(options[which].name) + (value ? strlen(value) : 0) + 2;
  char *word = ffi_need_memory(NULL, size);
  snprintf(word, size, "%s%s%s", options[which].name, value ? "=" : "", value ? value : "");
  r->arguments = ffi_need_memory(r->arguments, ((size_t)r->argument_count + 1) * sizeof *r->arguments);
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

// What does not go together. 0 after a complaint.
static int check_request(const request *r)
{
  const int each = r->stepper_count ? r->stepper_count : 1;
  if (r->file_count == 0) {
    ffi_complain("'view' needs a log, a scene or a model; 'footfall view --help' says more");
    return 0;
  }
  for (int i = 0; i < r->file_count; ++i)
    if (ffi_view_is_log(r->files[i]) && (r->stepper_count > 0 || r->argument_count > 0 || r->is_live)) {
      ffi_complain("%s is a log, which has been run already: '%s' comes too late", r->files[i],
                   r->stepper_count > 0 ? "--steppers"
                   : r->is_live         ? "--live"
                                        : r->arguments[0]);
      return 0;
    }
  for (int i = 0; i < r->file_count; ++i)
    if (has_ending(r->files[i], ".csv") || has_ending(r->files[i], ".mcap")) {
      ffi_complain("%s: pages are made of HDF5 logs, which 'footfall run' writes to names that end in .h5",
                   r->files[i]);
      return 0;
    }
  if (r->file_count * each > MOST_RUNS) {
    ffi_complain("%d files with %d steppers each are too much: a page shows %d runs at most", r->file_count,
                 each, MOST_RUNS);
    return 0;
  }
  if (r->is_live && (r->file_count * each > 1 || r->out)) {
    ffi_complain("'--live' takes one scene or model, and %s", r->out ? "writes no file" : "one stepper");
    return 0;
  }
  if (!r->is_live && r->port) {
    ffi_complain("'--port' is for '--live'");
    return 0;
  }
  return 1;
}

static int read_request(int argc, char **argv, request *r)
{
  ffi_args args = {.argc = argc, .argv = argv, .command = "view"};
  args.options = ffi_options_of_view(&args.option_count);
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

// <name>.html in the folder for results, which is made, unless it was said. 0 after a complaint.
static int choose_path(const request *r, char *path, size_t size)
{
  const char *file = r->files[0], *slash = strrchr(file, '/'), *name = slash ? slash + 1 : file;
  const char *dot = strrchr(name, '.'), *said = getenv("FOOTFALL_OUT"),
             *folder = said && *said ? said : "out";
  const int length = dot && dot > name ? (int)(dot - name) : (int)strlen(name);
  const int used = r->out ? snprintf(path, size, "%s", r->out)
                          : snprintf(path, size, "%s/%.*s.html", folder, length, name);
  if (used < 0 || (size_t)used >= size) {
    ffi_complain("the name of the page is too long");
    return 0;
  }
  for (int i = 0; i < r->file_count; ++i)
    if (!ffi_spare_file(path, "input", r->files[i], "the page"))
      return 0;
  if (!r->out && mkdir(folder, 0777) != 0 && errno != EEXIST) {
    ffi_complain("%s: cannot be made: %s; '--out FILE' puts the page elsewhere", folder, strerror(errno));
    return 0;
  }
  if (ffi_put_check(path)) // before the runs, which may be long
    return 1;
  ffi_complain("%s: cannot be written: %s%s", path, strerror(errno),
               r->out ? "" : "; '--out FILE' puts the page elsewhere");
  return 0;
}

// ---- The whole --------------------------------------------------------------------------------------------

// The words by which a run is asked for, `stepper` NULL: by its own. Free them.
static char **words_of(const request *r, const char *file, const char *stepper, int *count)
{
  char **words = ffi_need_memory(NULL, ((size_t)r->argument_count + 5) * sizeof *words);
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

// A log, or one run of a file. The exit status, after a complaint unless all is well.
static int record_one(const request *r, const char *file, const char *stepper, size_t most,
                      ffi_view_data *out)
{
  int count;
  if (ffi_view_is_log(file))
    return ffi_view_log(file, most, out) ? FFI_EXIT_OK : FFI_EXIT_FAILED;
  char **words = words_of(r, file, stepper, &count);
  const int status = ffi_view_run(count, words, most, out);
  free(words);
  return status;
}

static int serve_scene(request *r, const char *scene)
{
  int count;
  char **words = words_of(r, scene, r->stepper_count ? r->steppers[0] : NULL, &count);
  const ffi_live_request asked = {
      .port = r->port, .is_opened = r->is_opened, .as_json = r->as_json, .is_quiet = r->is_quiet};
  const int status = ffi_view_live(count, words, &asked);
  free(words);
  return status;
}

// A model gets a scene first. What was said about the model is not for the scene any more.
static int serve(request *r)
{
  ffi_live_model model = {0};
  if (ffi_run_is_scene(r->files[0]))
    return serve_scene(r, r->files[0]);
  int status = ffi_live_model_write(&model, r->files[0], r->arguments, r->argument_count);
  if (status == FFI_EXIT_OK) {
    char **words = ffi_need_memory(NULL, ((size_t)r->argument_count + 1) * sizeof *words);
    request rest = *r;
    if (r->argument_count > 0)
      memcpy(words, r->arguments, (size_t)r->argument_count * sizeof *words);
    rest.argument_count = ffi_live_model_words(words, r->argument_count);
    rest.arguments = words;
    status = serve_scene(&rest, model.scene);
    free(words);
  }
  ffi_live_model_remove(&model);
  return status;
}

enum { LONGEST_WAIT = 1000 }; // for the desktop [ms]

static void tell(const request *r, char *path)
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
  ffi_text_tame(&terminal, path); // names of files may hold anything
  printf("%s (%.1f MB)%s\n", path, 1e-6 * size,
         is_shown || !r->is_opened ? "" : ": no browser could be asked to show it; open it in one");
}

// Of different robots nothing could be compared. 0 after a complaint.
static int check_robots(const request *r, const ffi_view_data *runs, int count, int each)
{
  for (int i = 1; i < count; ++i)
    if (strcmp(runs[i].robot, runs[0].robot) != 0) {
      ffi_complain("%s and %s have different links: runs over each other must be of one robot", r->files[0],
                   r->files[i / each]);
      return 0;
    }
  return 1;
}

// Before folders are made for a page that cannot be: what is not there is complained about by who would have read it. The exit status.
static int find_files(const request *r)
{
  ffi_view_data nothing = {0};
  int status = FFI_EXIT_OK;
  for (int i = 0; i < r->file_count && status == FFI_EXIT_OK; ++i)
    if (access(r->files[i], R_OK) != 0)
      status = record_one(r, r->files[i], r->stepper_count ? r->steppers[0] : NULL, MOST_BYTES, &nothing);
  ffi_view_data_free(&nothing);
  return status;
}

static int make_page(const request *r)
{
  ffi_view_data runs[MOST_RUNS] = {0};
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
      (!check_robots(r, runs, count, each) || !ffi_view_write_page(path, runs, count)))
    status = FFI_EXIT_FAILED;
  for (int i = 0; i < count; ++i)
    ffi_view_data_free(&runs[i]);
  if (status == FFI_EXIT_OK)
    tell(r, path);
  return status;
}

int ffi_command_view(int argc, char **argv)
{
  request r;
  int status = FFI_EXIT_USAGE;
  if (read_request(argc, argv, &r))
    status = !ffi_view_is_built() ? FFI_EXIT_FAILED : r.is_live ? serve(&r) : make_page(&r);
  free_request(&r);
  return status;
}
