// footfall new MODEL: writes the scene that ff_scene_propose() finds for a robot.
#include "cli/files/atomic_file.h"
#include "cli/files/overwrite.h"
#include "cli/interrupt.h"
#include "cli/memory.h"
#include "cli/options/args.h"
#include "cli/options/file_endings.h"
#include "cli/text/json.h"
#include "cli/text/progress.h"
#include "cli/text/terminal.h"
#include "cli/text/text.h"
#include "cli/warn_model.h"
#include "command.h"
#include "load_options.h"
#include "run/run.h"

#include <footfall/propose.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
  OPTION_OUT,
  OPTION_O,
  OPTION_POSTURE,
  OPTION_FLOATING,
  OPTION_FORCE,
  OPTION_JSON,
  OPTION_QUIET,
  OPTION_LOAD
};

static const ffi_option options[] = {
    [OPTION_OUT] =
        {"--out", "FILE",
         .help =
             "the scene's file, *.yaml; default the model's name, in the working folder; also -o. Its logs "
             "go beside it",
         FFI_OPTION_FILE, ffi_file_endings_scene},
    [OPTION_O] = {"-o", "FILE", .help = NULL, FFI_OPTION_FILE, ffi_file_endings_scene},
    [OPTION_POSTURE] = {"--posture", "NAME", .help = "start in this posture of the model",
                        FFI_OPTION_POSTURE},
    [OPTION_FLOATING] = {"--floating-base",
                         .help =
                             "URDF: let the root float; by default it does if the robot has wheels, feet or "
                             "rotors"},
    [OPTION_FORCE] = {"--force", .help = "replace an existing file"},
    [OPTION_JSON] = {"--json", .help = "print the result as JSON"},
    [OPTION_QUIET] = {"--quiet", .help = "print nothing, show no progress"},
    [OPTION_LOAD] = FFI_LOAD_OPTIONS,
};

const ffi_option *ffi_new_options(int *count)
{
  *count = (int)(sizeof options / sizeof options[0]);
  return options;
}

typedef struct request {
  const char *path;    // of the model
  const char *out;     // of the scene
  char *own_out;       // what `out` is if nobody said, owned
  const char *posture; // NULL: not said
  int is_forced, as_json, is_quiet, is_floating;
  ffi_load_options load;
  ffi_progress progress;
  int start; // that is shown as being tried, 0: none
  int is_unwritable;
} request;

// ---- Request ------------------------------------------------------------------------------------------------------

static int read_operand(const char *word, void *user)
{
  request *n = user;
  if (n->path) {
    ffi_error_message("unexpected argument '%s': 'new' takes one model", word);
    return 0;
  }
  n->path = word;
  return 1;
}

static int read_option(int which, const char *value, void *user)
{
  request *n = user;
  switch (which) {
  case OPTION_OUT:
  case OPTION_O: n->out = value; return 1;
  case OPTION_POSTURE: n->posture = value; return 1;
  case OPTION_FLOATING: n->is_floating = 1; return 1;
  case OPTION_FORCE: n->is_forced = 1; return 1;
  case OPTION_JSON: n->as_json = 1; return 1;
  case OPTION_QUIET: n->is_quiet = 1; return 1;
  default: return ffi_load_options_take(&n->load, which - OPTION_LOAD, value);
  }
}

// The path with another ending; without its folder unless `keeps_folder`.
static char *with_ending(const char *path, int keeps_folder, const char *ending)
{
  const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path, *dot = strrchr(name, '.');
  const char *from = keeps_folder ? path : name;
  const size_t length = dot && dot != name ? (size_t)(dot - from) : strlen(from);
  char *out = ffi_memory_need(NULL, length + strlen(ending) + 1);
  memcpy(out, from, length);
  strcpy(out + length, ending);
  return out;
}

// Returns 0 after an error message.
static int read_request(int argc, char **argv, request *n)
{
  ffi_args args = {.argc = argc,
                   .argv = argv,
                   .options = options,
                   .option_count = (int)(sizeof options / sizeof options[0]),
                   .command = "new"};
  if (!ffi_args_read(&args, read_operand, read_option, n))
    return 0;
  if (!n->path) {
    ffi_error_message("'new' needs a model: footfall new MODEL -o SCENE.yaml");
    return 0;
  }
  if (n->is_floating && n->load.def.fixed_base) {
    ffi_error_message("'--floating-base' and '--fixed-base' cannot be combined");
    return 0;
  }
  if (!n->out)
    n->out = n->own_out = with_ending(n->path, 0, ".yaml");
  if (ffi_run_scene_file_is_scene(n->out))
    return 1;
  ffi_error_message("'--out %s': the name of a scene ends in .yaml or .yml", n->out);
  return 0;
}

// ---- What is said -------------------------------------------------------------------------------------------------

static const char *state_text(const ff_proposal *p)
{
  switch (p->state) {
  case FF_PROPOSAL_STANDS: return "stands";
  case FF_PROPOSAL_LIES: return "lies";
  case FF_PROPOSAL_HELD:
    return p->is_settled ? "has a fixed base, and starts where it came to rest"
                         : "has a fixed base, and keeps its posture";
  case FF_PROPOSAL_MANY: return "is a scene by itself: everything starts where the model puts it";
  default:
    return p->floating == 0 ? "has a fixed base, and does not keep its posture" : "does not stay in place";
  }
}

enum { NOTES = 9, NOTE_SIZE = 300 };

// Are its rotors motors that push frames?
static int has_controls(const ff_model *model)
{
  ff_actuator_info actuator;
  for (int i = 0; ff_model_actuator(model, i, &actuator) == FF_OK; ++i)
    if (actuator.frame >= 0)
      return 1;
  return 0;
}

static int make_notes(const ff_proposal *p, const char *path, char notes[NOTES][NOTE_SIZE])
{
  const int warnings = ff_model_get_size(p->model).warnings;
  int count = 0;
  if (p->has_mimic)
    snprintf(notes[count++], NOTE_SIZE,
             "mimic joints are fixed; '--mimic free' lets them move independently");
  if (p->point_count > 0)
    snprintf(notes[count++], NOTE_SIZE,
             "the model has no collision shapes; the scene adds %d contact point%s", p->point_count,
             p->point_count == 1 ? "" : "s");
  if (p->fixes_base)
    snprintf(notes[count++], NOTE_SIZE,
             "the robot is fixed to the world: %s; '--floating-base' lets it float", p->fixed_because);
  if (p->has_no_ground)
    snprintf(notes[count++], NOTE_SIZE, "there is no ground: the robot is fixed, and reaches below z = 0");
  if (p->moved > 5e-3)
    snprintf(notes[count++], NOTE_SIZE,
             "it gives way by %.2g cm before it rests; larger effort limits or gains hold it better",
             100 * p->moved);
  if (p->is_bent)
    snprintf(notes[count++], NOTE_SIZE, "the knees are bent, so that it can balance");
  if (p->has_unused_rotors)
    snprintf(notes[count++], NOTE_SIZE,
             "it is unpowered: nothing drives its rotors; '%s' of the scene can lift it",
             has_controls(p->model) ? "controls" : "pushes");
  if (p->has_run_away)
    snprintf(notes[count++], NOTE_SIZE, "the simulation diverges even with short steps");
  if (warnings > 0)
    snprintf(notes[count++], NOTE_SIZE, "the model has %d warning%s: 'footfall info %.200s' lists %s",
             warnings, warnings == 1 ? "" : "s", path, warnings == 1 ? "it" : "them");
  return count;
}

static void print_json(const ff_proposal *p, const char *path)
{
  static const char *const states[] = {"stands", "lies", "held", "moves", "many"};
  char notes[NOTES][NOTE_SIZE];
  const int count = make_notes(p, path, notes);
  ffi_json json;
  ffi_json_begin(&json, stdout);
  ffi_json_open(&json, '{', 0);
  ffi_json_put_text(&json, "file", p->scene);
  ffi_json_put_text(&json, "model", p->model_name);
  ffi_json_put_text(&json, "log", p->log);
  ffi_json_put_text(&json, "state", states[p->state]);
  ffi_json_put_text(&json, "posture", ff_model_posture_name(p->model, p->posture));
  ffi_json_put_integer(&json, "motors", p->motor_count);
  ffi_json_put_text(&json, "stepper", ff_stepper_name(p->stepper));
  ffi_json_put_number(&json, "dt", p->dt);
  ffi_json_put_number(&json, "duration", p->duration);
  ffi_json_put_open(&json, "touches", '[');
  for (int i = 0; i < p->foot_count; ++i) {
    ff_link_info link;
    ffi_json_text(&json, ff_model_link(p->model, p->feet[i], &link) == FF_OK ? link.name : NULL);
  }
  ffi_json_close(&json, ']');
  ffi_json_put_open(&json, "notes", '[');
  for (int i = 0; i < count; ++i)
    ffi_json_text(&json, notes[i]);
  ffi_json_close(&json, ']');
  ffi_json_close(&json, '}');
  ffi_json_end(&json);
}

// Prints a name, which may hold any bytes, sanitized.
static void print_sanitized(const char *format, const char *name)
{
  const ffi_terminal terminal = ffi_terminal_detect();
  const size_t size = strlen(name) + 1;
  char *text = ffi_memory_need(NULL, size);
  memcpy(text, name, size);
  ffi_text_sanitize(&terminal, text);
  printf(format, text);
  free(text);
}

// Prints a name, quoted for a shell if need be.
static void print_word(const char *format, const char *name)
{
  static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=.,:@%/";
  if (strspn(name, plain) == strlen(name)) {
    print_sanitized(format, name);
    return;
  }
  char *word = ffi_memory_need(NULL, 4 * strlen(name) + 3), *to = word;
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
  print_sanitized(format, word);
  free(word);
}

static void print_motors(const ff_proposal *p)
{
  double kp[2] = {INFINITY, -INFINITY}, kd[2] = {INFINITY, -INFINITY};
  for (int i = 0; i < p->motor_count; ++i) {
    const ff_element_def *motor = &p->motors[i];
    kp[0] = fmin(kp[0], motor->stiffness), kp[1] = fmax(kp[1], motor->stiffness);
    kd[0] = fmin(kd[0], motor->damping), kd[1] = fmax(kd[1], motor->damping);
  }
  printf("motors    %d, kp %.3g to %.3g, kd %.3g to %.3g\n", p->motor_count, kp[0], kp[1], kd[0], kd[1]);
}

static void print_text(const ff_proposal *p, const char *path)
{
  char notes[NOTES][NOTE_SIZE];
  const int count = make_notes(p, path, notes);
  print_sanitized("%s: ", p->scene);
  print_sanitized("%s ", *ff_model_name(p->model) ? ff_model_name(p->model) : "the robot");
  printf("%s\n", state_text(p));
  if (p->posture >= 0)
    print_sanitized("posture   %s\n", ff_model_posture_name(p->model, p->posture));
  for (int i = 0; i < p->foot_count; ++i) {
    ff_link_info link = {0};
    ff_model_link(p->model, p->feet[i], &link);
    print_sanitized(i == 0 ? "touches   %s" : ", %s", link.name ? link.name : "the world");
  }
  printf("%s", p->foot_count > 0 ? "\n" : "");
  if (p->motor_count > 0)
    print_motors(p);
  printf("stepper   %s, %g ms\n", ff_stepper_name(p->stepper), 1e3 * p->dt);
  for (int i = 0; i < count; ++i)
    printf("note      %s\n", notes[i]);
  print_word("next      footfall run %s\n", p->scene);
  print_word("          footfall view %s\n", p->log);
}

// ---- The whole ----------------------------------------------------------------------------------------------------

// Shows which start is being tried. Before the first, when the model has been read, checks that the scene can be
// written.
static int show(void *user, int start, double share)
{
  request *n = user;
  if (n->start == 0) {
    n->is_unwritable = !ffi_atomic_file_write_part(n->out, "", 0);
    if (n->is_unwritable)
      return 1;
    ffi_atomic_file_discard(n->out);
  }
  if (n->start != start) {
    if (n->start > 0)
      ffi_progress_end(&n->progress);
    ffi_progress_begin(&n->progress, !n->is_quiet && !n->as_json);
    n->start = start;
  }
  char what[64];
  snprintf(what, sizeof what, "trying start %d", start);
  if (share > 0)
    ffi_progress_show(&n->progress, share, what);
  return ffi_interrupt_signal();
}

// Reports a posture that the model does not have, with those that it has.
static int report_posture(const request *n)
{
  ff_load_def def = n->load.def;
  ff_model *model = NULL;
  int posture;
  def.mesh_paths = n->load.mesh_paths;
  if (ff_model_load(n->path, &def, &model, NULL) != FF_OK) {
    def.mimic = FF_MIMIC_FIX; // as the proposal had read it
    ff_model_load(n->path, &def, &model, NULL);
  }
  if (model)
    ffi_load_options_posture(model, n->path, n->posture, &posture);
  ff_model_destroy(model);
  return FFI_EXIT_USAGE;
}

static int report_failure(const request *n, ff_status status, const ff_error *error)
{
  if (status == FF_ERROR_STOPPED)
    return n->is_unwritable ? FFI_EXIT_FAILED : ffi_interrupt_report();
  if (status == FF_ERROR_ARGUMENT && strcmp(error->thing, "posture") == 0)
    return report_posture(n);
  ffi_error_message_of_file(n->path, error);
  return FFI_EXIT_FAILED;
}

static int perform(request *n)
{
  ff_proposal_def def = ff_proposal_def_default();
  ff_load_def load = n->load.def;
  ff_proposal *proposal = NULL;
  ff_error error = {0};
  if (!ffi_overwrite_spares_model(n->out, n->path, "the scene") ||
      !ffi_overwrite_is_allowed(n->out, n->is_forced))
    return FFI_EXIT_FAILED;
  load.mesh_paths = n->load.mesh_paths;
  def.scene = n->out;
  def.posture = n->posture;
  def.load = &load;
  def.base_rule = n->is_floating ? FF_PROPOSAL_BASE_FLOATING : FF_PROPOSAL_BASE_BY_RULE;
  def.progress = show;
  def.user = n;
  ffi_interrupt_catch();
  const ff_status status = ff_scene_propose(n->path, &def, &proposal, &error);
  if (n->start > 0)
    ffi_progress_end(&n->progress);
  if (status != FF_OK)
    return report_failure(n, status, &error);
  ffi_warn_model(proposal->model, n->path);
  const int is_put = ffi_atomic_file_write(n->out, proposal->text, proposal->text_size);
  if (is_put && n->as_json)
    print_json(proposal, n->path);
  else if (is_put && !n->is_quiet)
    print_text(proposal, n->path);
  ff_proposal_destroy(proposal);
  return is_put ? FFI_EXIT_OK : FFI_EXIT_FAILED;
}

int ffi_new_command(int argc, char **argv)
{
  request n = {0};
  ffi_load_options_begin(&n.load, argc);
  const int status = read_request(argc, argv, &n) ? perform(&n) : FFI_EXIT_USAGE;
  ffi_load_options_end(&n.load);
  free(n.own_out);
  return status;
}
