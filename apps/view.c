// footfall view FILE...: one page that shows one run, or several over each other.
#define _POSIX_C_SOURCE 200809L
#include "view.h"
#include "command.h"
#include "options.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum {
  MOST_RUNS = 8,
  MOST_BYTES = 1600000
}; // of frames, and of rows, all runs together: a page stays below 5 MB

enum { OPTION_OUT, OPTION_O, OPTION_NO_OPEN, OPTION_QUIET, OPTION_STEPPERS, OPTION_FIRST_OF_RUN };

// The rest is handed to the run, with its value.
static const ffi_option options[] = {
    [OPTION_OUT] = {"--out", 1},
    [OPTION_O] = {"-o", 1},
    [OPTION_NO_OPEN] = {"--no-open", 0},
    [OPTION_QUIET] = {"--quiet", 0},
    [OPTION_STEPPERS] = {"--steppers", 1},
    [OPTION_FIRST_OF_RUN] = {"--stepper", 1},
    {"--dt", 1},
    {"--duration", 1},
    {"--posture", 1},
    {"--drop", 1},
    {"--on-ground", 0},
    {"--slope", 1},
    {"--pd", 1},
    {"--no-pd", 0},
    {"--stiffness", 1},
    {"--damping", 1},
    {"--friction", 1},
    {"--accuracy", 1},
    {"--set", 1},
    {"--fixed-base", 0},
    {"--mimic", 1},
    {"--mesh-path", 1},
};
enum { OPTION_COUNT = sizeof options / sizeof options[0] };

typedef struct request {
  const char *files[MOST_RUNS];
  int file_count;
  const char *out; // NULL: not said
  int is_opened, is_quiet;
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
  case OPTION_STEPPERS: return take_steppers(r, value);
  default: take_for_run(r, which, value); return 1;
  }
}

static int read_request(int argc, char **argv, request *r)
{
  ffi_args args = {
      .argc = argc, .argv = argv, .options = options, .option_count = OPTION_COUNT, .command = "view"};
  *r = (request){.is_opened = 1};
  if (!ffi_args_read(&args, take_file, take_option, r))
    return 0;
  if (r->file_count == 0) {
    ffi_complain("'view' needs a log, a scene or a model; 'footfall view --help' says more");
    return 0;
  }
  for (int i = 0; i < r->file_count; ++i)
    if (ffi_view_is_log(r->files[i]) && (r->stepper_count > 0 || r->argument_count > 0)) {
      ffi_complain("%s is a log, which has been run already: '%s' comes too late", r->files[i],
                   r->stepper_count > 0 ? "--steppers" : r->arguments[0]);
      return 0;
    }
  if (r->file_count * (r->stepper_count ? r->stepper_count : 1) > MOST_RUNS) {
    ffi_complain("%d files with %d steppers each are too much: a page shows %d runs at most", r->file_count,
                 r->stepper_count, MOST_RUNS);
    return 0;
  }
  return 1;
}

static void free_request(request *r)
{
  for (int i = 0; i < r->argument_count; ++i)
    free(r->arguments[i]);
  free(r->arguments);
  free(r->words);
}

// ---- Where the page goes ----------------------------------------------------------------------------------

// out/<name>.html, and the folder, unless it was said. 0 after a complaint.
static int choose_path(const request *r, char *path, size_t size)
{
  const char *file = r->files[0], *slash = strrchr(file, '/'), *name = slash ? slash + 1 : file;
  const char *dot = strrchr(name, '.');
  const int length = dot && dot > name ? (int)(dot - name) : (int)strlen(name);
  const int used =
      r->out ? snprintf(path, size, "%s", r->out) : snprintf(path, size, "out/%.*s.html", length, name);
  if (used < 0 || (size_t)used >= size) {
    ffi_complain("the name of the page is too long");
    return 0;
  }
  for (int i = 0; i < r->file_count; ++i)
    if (!ffi_spare_file(path, "input", r->files[i], "the page"))
      return 0;
  if (r->out || mkdir("out", 0777) == 0 || errno == EEXIST)
    return 1;
  ffi_complain("out: cannot be made: %s; '--out FILE' puts the page elsewhere", strerror(errno));
  return 0;
}

// ---- The whole --------------------------------------------------------------------------------------------

// A log, or one run of a file, `stepper` NULL: by its own. 0 after a complaint.
static int record_one(const request *r, const char *file, const char *stepper, size_t most,
                      ffi_view_data *out)
{
  if (ffi_view_is_log(file))
    return ffi_view_log(file, most, out);
  char **words = ffi_need_memory(NULL, ((size_t)r->argument_count + 4) * sizeof *words);
  int count = 0;
  for (int i = 0; i < r->argument_count; ++i)
    words[count++] = r->arguments[i];
  if (stepper) {
    words[count++] = "--stepper";
    words[count++] = (char *)stepper;
  }
  words[count++] = "--"; // the name of a file may begin with a dash
  words[count++] = (char *)file;
  const int is_recorded = ffi_view_run(count, words, most, out);
  free(words);
  return is_recorded;
}

static void tell(const request *r, const char *path)
{
  struct stat status;
  const double size = stat(path, &status) == 0 ? (double)status.st_size : 0;
  const int is_shown = r->is_opened && ffi_view_open(path);
  if (r->is_quiet)
    return;
  printf("%s (%.1f MB)%s\n", path, 1e-6 * size,
         is_shown || !r->is_opened ? "" : ": no browser could be asked to show it; open it in one");
}

static int make_page(const request *r)
{
  ffi_view_data runs[MOST_RUNS] = {0};
  char path[4096];
  size_t length;
  const int each = r->stepper_count ? r->stepper_count : 1;
  int count = 0, is_good = choose_path(r, path, sizeof path);
  if (is_good && !ffi_view_text(&length)) // before work that would be lost
    is_good = ffi_view_write_page(path, NULL, 0);
  for (int i = 0; i < r->file_count && is_good; ++i)
    for (int k = 0; k < each && is_good; ++k, ++count)
      is_good = record_one(r, r->files[i], r->stepper_count ? r->steppers[k] : NULL,
                           (size_t)(MOST_BYTES / (r->file_count * each)), &runs[count]);
  is_good = is_good && ffi_view_write_page(path, runs, count);
  for (int i = 0; i < count; ++i)
    ffi_view_data_free(&runs[i]);
  if (is_good)
    tell(r, path);
  return is_good ? FFI_EXIT_OK : FFI_EXIT_FAILED;
}

int ffi_command_view(int argc, char **argv)
{
  request r;
  const int status = read_request(argc, argv, &r) ? make_page(&r) : FFI_EXIT_USAGE;
  free_request(&r);
  return status;
}
