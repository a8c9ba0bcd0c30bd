// footfall new MODEL: a scene to begin with.
#include "new.h"
#include "command.h"
#include "commands.h"
#include "interrupt.h"
#include "json.h"
#include "put_file.h"
#include "units.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { OPTION_OUT, OPTION_O, OPTION_POSTURE, OPTION_FORCE, OPTION_JSON, OPTION_QUIET, OPTION_LOAD };

static const ffi_option options[] = {
    [OPTION_OUT] =
        {"--out", "FILE",
         .help =
             "where the scene goes, *.yaml; default the model's name, here; also -o. Its log will lie beside it",
         FFI_TAKES_FILE, ffi_endings_of_scene},
    [OPTION_O] = {"-o", "FILE", .help = NULL, FFI_TAKES_FILE, ffi_endings_of_scene},
    [OPTION_POSTURE] = {"--posture", "NAME", .help = "start in this posture of the model", FFI_TAKES_POSTURE},
    [OPTION_FORCE] = {"--force", .help = "replace a file that is there"},
    [OPTION_JSON] = {"--json", .help = "say what was found as JSON"},
    [OPTION_QUIET] = {"--quiet", .help = "say nothing, show no progress"},
    [OPTION_LOAD] = FFI_LOAD_OPTIONS,
};

const ffi_option *ffi_options_of_new(int *count)
{
  *count = (int)(sizeof options / sizeof options[0]);
  return options;
}

// ---- Request ------------------------------------------------------------------------------------------------------

static int read_operand(const char *word, void *user)
{
  ffi_new *n = user;
  if (n->path) {
    ffi_complain("'new' takes one model, '%s' is too much", word);
    return 0;
  }
  n->path = word;
  return 1;
}

static int read_option(int which, const char *value, void *user)
{
  ffi_new *n = user;
  switch (which) {
  case OPTION_OUT:
  case OPTION_O: n->out = value; return 1;
  case OPTION_POSTURE: n->posture = value; return 1;
  case OPTION_FORCE: n->is_forced = 1; return 1;
  case OPTION_JSON: n->as_json = 1; return 1;
  case OPTION_QUIET: n->is_quiet = 1; return 1;
  default: return ffi_load_option(&n->load, which - OPTION_LOAD, value);
  }
}

// PATH with another ending, in `folder`: NULL is its own.
static char *with_ending(const char *path, int keeps_folder, const char *ending)
{
  const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path, *dot = strrchr(name, '.');
  const char *from = keeps_folder ? path : name;
  const size_t length = dot && dot != name ? (size_t)(dot - from) : strlen(from);
  char *out = ffi_need_memory(NULL, length + strlen(ending) + 1);
  memcpy(out, from, length);
  strcpy(out + length, ending);
  return out;
}

// Returns 0 after a complaint.
static int read_request(int argc, char **argv, ffi_new *n)
{
  ffi_args args = {.argc = argc,
                   .argv = argv,
                   .options = options,
                   .option_count = (int)(sizeof options / sizeof options[0]),
                   .command = "new"};
  if (!ffi_args_read(&args, read_operand, read_option, n))
    return 0;
  if (!n->path) {
    ffi_complain("'new' needs a model: footfall new MODEL -o SCENE.yaml");
    return 0;
  }
  if (!n->out)
    n->out = n->own_out = with_ending(n->path, 0, ".yaml");
  if (ffi_run_is_scene(n->out))
    return 1;
  ffi_complain("'--out %s': a scene is called *.yaml or *.yml", n->out);
  return 0;
}

// ---- Search -------------------------------------------------------------------------------------------------------

// Does it rest on what floats, and not on limbs?
static int is_on_belly(const ffi_new *n)
{
  int is_on = 0;
  for (int i = 0; i < n->foot_count; ++i) {
    ff_link_info link;
    is_on |= ff_model_link(n->model, n->feet[i], &link) == FF_OK && link.joint == n->base;
  }
  return n->base >= 0 && is_on;
}

static ffi_new_state state_of(const ffi_new *n, int which)
{
  if (!n->is_stable)
    return FFI_NEW_MOVES;
  if (n->floating == 0)
    return FFI_NEW_HELD;
  return which < FFI_NEW_UPRIGHT_STARTS || n->from_posture >= 0 ? FFI_NEW_STANDS : FFI_NEW_LIES;
}

// One start after the other until one stays; then that one, else the first. A robot that lies on its belly may do better with bent legs. 0 after a
// complaint.
static int try_starts(ffi_new *n, ff_dynamics *dynamics, double *end)
{
  int is_start, on_belly = -1;
  for (int which = 0; (is_start = ffi_new_start(n, dynamics, which)) >= 0; ++which) {
    if (which == FFI_NEW_UPRIGHT_STARTS && on_belly >= 0)
      break;
    if (!is_start)
      continue;
    ffi_new_hold(n, dynamics);
    if (!ffi_new_try(n, end))
      return 0;
    n->state = state_of(n, which);
    const int may_do_better = which < FFI_NEW_UPRIGHT_STARTS && n->from_posture < 0 && is_on_belly(n);
    if (n->is_stable && !may_do_better)
      return 1;
    if (n->is_stable && on_belly < 0)
      on_belly = which;
    if (n->has_run_away && on_belly < 0)
      return 1; // shorter steps will be tried
  }
  const int best = on_belly >= 0 ? on_belly : 0;
  ffi_new_start(n, dynamics, best);
  ffi_new_hold(n, dynamics);
  if (!ffi_new_try(n, end))
    return 0;
  n->state = state_of(n, best);
  return 1;
}

// Let it fall, and take where it lies, if it lies anywhere. 0 after a complaint.
static int settle(ffi_new *n, ff_dynamics *dynamics, double *end)
{
  for (int again = 0; again < 3 && !n->is_stable && !n->has_run_away; ++again) {
    ffi_new_start_from(n, end);
    ffi_new_hold(n, dynamics);
    if (!ffi_new_try(n, end))
      return 0;
  }
  if (n->is_stable) {
    n->state = FFI_NEW_LIES;
    return 1;
  }
  ffi_new_start(n, dynamics, 0);
  ffi_new_hold(n, dynamics);
  return ffi_new_try(n, end);
}

static int search(ffi_new *n, ff_dynamics *dynamics, double *end)
{
  static const struct {
    ff_stepper stepper;
    double dt;
  } ways[] = {{FF_STEPPER_EXPO, 1e-3}, {FF_STEPPER_EXPO, 1e-4}, {FF_STEPPER_MOREAU, 1e-3}};
  n->duration = 5;
  if (n->floating > 1) {
    n->crowd = n->floating < 50 ? 1 : 2;
    n->duration = n->crowd == 1 ? 5 : 2;
    n->stepper = FF_STEPPER_MOREAU;
    n->dt = 2.5e-3;
    n->state = FFI_NEW_MANY;
    ffi_new_start(n, dynamics, 0);
    ffi_new_hold(n, dynamics);
    return ffi_new_try(n, end);
  }
  for (size_t i = 0; i < sizeof ways / sizeof ways[0]; ++i) {
    n->stepper = ways[i].stepper;
    n->dt = ways[i].dt;
    if (!try_starts(n, dynamics, end))
      return 0;
    const int can_settle = n->state == FFI_NEW_MOVES && n->base >= 0 && n->from_posture < 0;
    if (can_settle && !n->has_run_away && !settle(n, dynamics, end))
      return 0;
    if (!n->has_run_away)
      return 1;
  }
  n->state = FFI_NEW_MOVES;
  return 1;
}

// ---- What is said -------------------------------------------------------------------------------------------------

static const char *tell_state(const ffi_new *n)
{
  switch (n->state) {
  case FFI_NEW_STANDS: return "stands";
  case FFI_NEW_LIES: return "lies";
  case FFI_NEW_HELD: return "does not float, and keeps its posture";
  case FFI_NEW_MANY: return "is a scene of its own: everything starts where the model puts it";
  default:
    return n->floating == 0 ? "does not float, and does not stay where it is" : "does not stay where it is";
  }
}

enum { NOTES = 4, NOTE_SIZE = 300 };

static int make_notes(const ffi_new *n, char notes[NOTES][NOTE_SIZE])
{
  const int warnings = ff_model_get_size(n->model).warnings;
  int count = 0;
  if (n->has_mimic)
    snprintf(notes[count++], NOTE_SIZE,
             "joints that mimic others are fixed; '--mimic free' lets them move on their own");
  if (n->point_count > 0)
    snprintf(notes[count++], NOTE_SIZE, "it has no collision shapes, so the scene adds %d contact point%s",
             n->point_count, n->point_count == 1 ? "" : "s");
  if (n->has_run_away)
    snprintf(notes[count++], NOTE_SIZE, "it runs away even with short steps; 'footfall info' may tell why");
  if (warnings > 0)
    snprintf(notes[count++], NOTE_SIZE, "the model has %d warning%s: 'footfall info' lists them", warnings,
             warnings == 1 ? "" : "s");
  return count;
}

static void tell_json(const ffi_new *n)
{
  static const char *const states[] = {"stands", "lies", "held", "moves", "many"};
  char notes[NOTES][NOTE_SIZE];
  const int count = make_notes(n, notes);
  ffi_json json;
  ffi_json_begin(&json, stdout);
  ffi_json_open(&json, '{', 0);
  ffi_json_put_text(&json, "file", n->out);
  ffi_json_put_text(&json, "model", n->model_name);
  ffi_json_put_text(&json, "log", n->log);
  ffi_json_put_text(&json, "state", states[n->state]);
  ffi_json_put_text(&json, "posture", ff_model_posture_name(n->model, n->from_posture));
  ffi_json_put_integer(&json, "motors", n->motors.count);
  ffi_json_put_text(&json, "stepper", ff_stepper_name(n->stepper));
  ffi_json_put_number(&json, "dt", n->dt);
  ffi_json_put_number(&json, "duration", n->duration);
  ffi_json_put_open(&json, "touches", '[');
  for (int i = 0; i < n->foot_count; ++i) {
    ff_link_info link;
    ffi_json_text(&json, ff_model_link(n->model, n->feet[i], &link) == FF_OK ? link.name : NULL);
  }
  ffi_json_close(&json, ']');
  ffi_json_put_open(&json, "notes", '[');
  for (int i = 0; i < count; ++i)
    ffi_json_text(&json, notes[i]);
  ffi_json_close(&json, ']');
  ffi_json_close(&json, '}');
  ffi_json_end(&json);
}

// Names may hold anything.
static void print_tame(const char *format, const char *name)
{
  const ffi_terminal terminal = ffi_terminal_detect();
  const size_t size = strlen(name) + 1;
  char *text = ffi_need_memory(NULL, size);
  memcpy(text, name, size);
  ffi_text_tame(&terminal, text);
  printf(format, text);
  free(text);
}

// A name as a shell takes it.
static void print_word(const char *format, const char *name)
{
  static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=.,:@%/";
  if (strspn(name, plain) == strlen(name)) {
    print_tame(format, name);
    return;
  }
  char *word = ffi_need_memory(NULL, 4 * strlen(name) + 3), *to = word;
  *to++ = '\'';
  for (; *name; ++name) {
    if (*name == '\'') {
      memcpy(to, "'\\''", 4);
      to += 4;
    } else {
      *to++ = *name;
    }
  }
  memcpy(to, "'", 2);
  print_tame(format, word);
  free(word);
}

static void tell_text(const ffi_new *n)
{
  char notes[NOTES][NOTE_SIZE];
  const int count = make_notes(n, notes);
  print_tame("%s: ", n->out);
  print_tame("%s ", *ff_model_name(n->model) ? ff_model_name(n->model) : "the robot");
  printf("%s\n", tell_state(n));
  if (n->from_posture >= 0)
    print_tame("posture   %s\n", ff_model_posture_name(n->model, n->from_posture));
  for (int i = 0; i < n->foot_count; ++i) {
    ff_link_info link = {0};
    ff_model_link(n->model, n->feet[i], &link);
    print_tame(i == 0 ? "touches   %s" : ", %s", link.name ? link.name : "the world");
  }
  printf("%s", n->foot_count > 0 ? "\n" : "");
  if (n->motors.count > 0)
    printf("motors    %d, kp %.3g to %.3g, kd %.3g to %.3g\n", n->motors.count, n->motors.kp[0],
           n->motors.kp[1], n->motors.kd[0], n->motors.kd[1]);
  printf("stepper   %s, %g ms\n", ff_stepper_name(n->stepper), 1e3 * n->dt);
  for (int i = 0; i < count; ++i)
    printf("note      %s\n", notes[i]);
  print_word("next      footfall run %s\n", n->out);
  print_word("          footfall view %s\n", n->log);
}

// ---- The whole ----------------------------------------------------------------------------------------------------

// A name that YAML can hold: UTF-8. 0 after a complaint.
static int is_utf8(const char *path)
{
  char *text = ffi_need_memory(NULL, strlen(path) + 1);
  strcpy(text, path);
  ffi_text_tame(&(ffi_terminal){.unicode = 1}, text);
  const int is_same = strcmp(text, path) == 0;
  free(text);
  if (!is_same)
    ffi_complain("%s: its name holds bytes that a scene cannot name", path);
  return is_same;
}

static int write_scene(ffi_new *n)
{
  size_t length;
  char *text = ffi_new_text(n, &length);
  const int is_put = ffi_put_file(n->out, text, length);
  free(text);
  return is_put;
}

static int perform(ffi_new *n)
{
  ff_dynamics *dynamics = NULL;
  ff_error error;
  int posture;
  if (!ffi_spare_model(n->out, n->path, "the scene") || !ffi_may_put(n->out, n->is_forced) ||
      !ffi_new_load(n) || !is_utf8(n->out) || !is_utf8(n->path))
    return FFI_EXIT_FAILED;
  if (n->posture && !ffi_load_posture(n->model, n->path, n->posture, &posture))
    return FFI_EXIT_USAGE;
  n->model_name = ff_path_between(n->out, n->path);
  n->log = with_ending(n->out, 1, ".h5");
  if (ff_dynamics_create(n->model, NULL, &dynamics, &error) != FF_OK) {
    ffi_complain("%s: %s", n->path, error.message);
    return FFI_EXIT_FAILED;
  }
  ffi_interrupt_watch();
  double *end = ffi_need_memory(NULL, ((size_t)ff_model_get_size(n->model).nq + 1) * sizeof *end);
  const int is_written = search(n, dynamics, end) && write_scene(n);
  free(end);
  ff_dynamics_destroy(dynamics);
  if (!is_written && ffi_interrupt_got())
    return ffi_interrupt_tell();
  if (is_written && n->as_json)
    tell_json(n);
  else if (is_written && !n->is_quiet)
    tell_text(n);
  return is_written ? FFI_EXIT_OK : FFI_EXIT_FAILED;
}

int ffi_command_new(int argc, char **argv)
{
  ffi_new n = {.base = -1, .from_posture = -1};
  ffi_load_begin(&n.load, argc);
  const int status = read_request(argc, argv, &n) ? perform(&n) : FFI_EXIT_USAGE;
  ffi_load_end(&n.load);
  ff_model_destroy(n.model);
  free(n.own_out);
  free(n.points);
  free(n.model_name);
  free(n.log);
  free(n.q);
  free(n.motors.elements);
  return status;
}
