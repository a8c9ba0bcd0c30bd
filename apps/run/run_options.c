// The options of `footfall run`, and all checks of them that need no model.
#include "cli/memory.h"
#include "cli/options/args.h"
#include "cli/options/choices.h"
#include "cli/options/file_endings.h"
#include "cli/options/option_value.h"
#include "cli/options/overrides.h"
#include "command.h"
#include "run/run.h"

#include <footfall/option.h>

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static const double default_duration = 10; // [s]

enum {
  OPTION_STEPPER,
  OPTION_DT,
  OPTION_DURATION,
  OPTION_POSTURE,
  OPTION_ON_GROUND,
  OPTION_DROP,
  OPTION_SLOPE,
  OPTION_PD,
  OPTION_KP,
  OPTION_KD,
  OPTION_NO_PD,
  OPTION_STIFFNESS,
  OPTION_DAMPING,
  OPTION_FRICTION,
  OPTION_EXPONENTIAL,
  OPTION_ORDER,
  OPTION_EVENTS,
  OPTION_ACCURACY,
  OPTION_EPSILON,
  OPTION_TOLERANCE,
  OPTION_SET,
  OPTION_OUT,
  OPTION_LOG,
  OPTION_NO_LOG,
  OPTION_LOG_EVERY,
  OPTION_RESUME,
  OPTION_JSON,
  OPTION_QUIET,
  OPTION_ASCII,
  OPTION_MANY,
  OPTION_LOAD = OPTION_MANY + FFI_RUN_BATCH_OPTIONS_COUNT
};

static const ffi_option options[] = {
    [OPTION_STEPPER] = {"--stepper", "NAME", .key = "stepper"},
    [OPTION_DT] = {"--dt", "TIME", .key = "dt"},
    [OPTION_DURATION] = {"--duration", "TIME", .help = "time to simulate, default 10s"},
    [OPTION_POSTURE] =
        {"--posture", "NAME",
         .help = "the posture at the start; default 'standing', else the first, else all joints at zero",
         FFI_OPTION_POSTURE},
    [OPTION_ON_GROUND] = {"--on-ground", .help = "place the robot so that it touches the ground"},
    [OPTION_DROP] = {"--drop", "HEIGHT", .help = "place the robot this far above the ground"},
    [OPTION_SLOPE] = {"--slope", "ANGLE", .help = "tilt the ground, and the robot with it; x is downhill"},
    [OPTION_PD] = {"--pd", "KP,KD",
                   .help = "gains of the motors that hold the posture; default from the inertia"},
    [OPTION_KP] = {"--kp", "KP", .help = "only the position gain of these motors"},
    [OPTION_KD] = {"--kd", "KD", .help = "only the velocity gain of these motors"},
    [OPTION_NO_PD] = {"--no-pd", .help = "leave out these motors"},
    [OPTION_STIFFNESS] = {"--stiffness", "K",
                          .help = "stiffness of the contacts with the ground, default 1e5N/m"},
    [OPTION_DAMPING] = {"--damping", "B", .help = "damping of these contacts, default 300Ns/m"},
    [OPTION_FRICTION] = {"--friction", "MU", .help = "friction coefficient of these contacts, default 1"},
    [OPTION_EXPONENTIAL] = {"--exponential", "HOW", .key = "expo.exponential"},
    [OPTION_ORDER] = {"--order", "1|2", .words = ffi_choices_order, .key = "expo.order"},
    [OPTION_EVENTS] = {"--events", "on|off", .key = "expo.events"},
    [OPTION_ACCURACY] = {"--accuracy", "ERROR", .key = "accuracy"},
    [OPTION_EPSILON] = {"--epsilon", "LENGTH", .key = "ess.epsilon"},
    [OPTION_TOLERANCE] = {"--tolerance", "PART", .key = "ess.relative_tolerance"},
    [OPTION_SET] =
        {"--set", "FIELD=VALUE",
         .help = "override a field of a scene, such as controller.period=10ms, or an option of a stepper "
                 "('footfall help options'), such as stepper.max_speed=100; may be given several times",
         FFI_OPTION_FIELD},
    [OPTION_OUT] =
        {"--out", "FILE",
         .help = "the log's file: HDF5 (.h5), CSV (.csv) or MCAP (.mcap); default out/NAME.h5; also --log",
         FFI_OPTION_FILE, ffi_file_endings_new_log},
    [OPTION_LOG] = {"--log", "FILE", .help = NULL, FFI_OPTION_FILE, ffi_file_endings_new_log},
    [OPTION_NO_LOG] = {"--no-log", .help = "write no log"},
    [OPTION_LOG_EVERY] = {"--log-every", "N", .help = "write a row every N steps, default 1"},
    [OPTION_RESUME] = {"--resume", "LOG.h5",
                       .help =
                           "continue where a log ends, for the rest of its duration or for --duration TIME",
                       FFI_OPTION_FILE, ffi_file_endings_log},
    [OPTION_JSON] = {"--json", .help = "print the summary as JSON"},
    [OPTION_QUIET] = {"--quiet", .help = "print no summary and show no progress"},
    [OPTION_ASCII] = {"--ascii", .help = "print ASCII characters only, in any locale"},
    [OPTION_MANY] = FFI_RUN_BATCH_OPTIONS,
    [OPTION_LOAD] = FFI_LOAD_OPTIONS,
};

const ffi_option *ffi_run_options(int *count)
{
  *count = (int)(sizeof options / sizeof options[0]);
  return options;
}
enum { OPTION_COUNT = sizeof options / sizeof options[0] };

// The field of a scene that an option overrides; "" for options about the command itself. Options of the sim have their
// field in the library's table. The others are for models.
static const char *const fields[OPTION_COUNT] = {
    [OPTION_LOAD + FFI_LOAD_OPTIONS_FIXED_BASE] = "load.fixed_base",
    [OPTION_LOAD + FFI_LOAD_OPTIONS_MIMIC] = "load.mimic",
    [OPTION_LOAD + FFI_LOAD_OPTIONS_SOFTNESS] = "load.contact_parameters",
    [OPTION_LOAD + FFI_LOAD_OPTIONS_MASSLESS] = "load.massless",
    [OPTION_DURATION] = "duration",
    [OPTION_POSTURE] = "start.posture",
    [OPTION_KP] = "controller.kp",
    [OPTION_KD] = "controller.kd",
    [OPTION_STIFFNESS] = "material.stiffness",
    [OPTION_DAMPING] = "material.damping",
    [OPTION_FRICTION] = "material.friction",
    [OPTION_LOG] = "",
    [OPTION_OUT] = "",
    [OPTION_LOG_EVERY] = "",
    [OPTION_JSON] = "",
    [OPTION_QUIET] = "",
    [OPTION_ASCII] = "",
    [OPTION_SET] = "",
    [OPTION_NO_LOG] = "",
    [OPTION_RESUME] = "",
};

// The field; NULL: it is for models alone.
static const char *field_of(int which)
{
  if (which >= OPTION_MANY && which < OPTION_LOAD)
    return "";
  return options[which].key ? ff_option_find(options[which].key)->scene : fields[which];
}

// Which options were given, for checks of combinations.
typedef struct given {
  int is[OPTION_COUNT];
} given;

typedef struct reading {
  ffi_run_request *out;
  given given;
} reading;

// An option of the sim. Its error messages are worded as those of other options.
static int read_key(const ffi_option *o, const char *value, ff_sim_def *def)
{
  const ff_value_rule *rule = &ff_option_find(o->key)->value;
  ff_error error;
  ffi_choices *words;
  long long whole;
  int index;
  if (ff_sim_def_set(def, o->key, value, &error) == FF_OK)
    return strcmp(o->key, "dt") != 0 || ffi_run_option_values_is_meant(value, def->dt);
  if (ffi_option_type_of(o, &words) == FFI_OPTION_WORD && rule->type != FF_VALUE_WHOLE)
    return ffi_option_value_choice(o->name, value, words, &index) && 0;
  if (rule->type == FF_VALUE_WHOLE)
    return ffi_option_value_whole(o->name, value, (long long)rule->least, (long long)rule->most, &whole) && 0;
  const char *why = error.message + strlen(o->key) + 2; // "'3s' must be ...", "'3x': the unit ..."
  ffi_error_message("'%s %s", o->name, why + 1);
  return 0;
}

static int read_option(int which, const char *value, ffi_run_request *out)
{
  const char *name = options[which].name;
  if (options[which].key)
    return read_key(&options[which], value, &out->sim);
  switch (which) {
  case OPTION_DURATION:
    return ffi_option_value_quantity_above(name, value, FF_QUANTITY_TIME, 0, 1, &out->duration);
  case OPTION_POSTURE: out->posture = value; return 1;
  case OPTION_DROP: return ffi_run_option_values_drop(value, &out->drop);
  case OPTION_ON_GROUND: out->drop = 0, out->is_on_ground = 1; return 1;
  case OPTION_SLOPE: out->has_slope = 1; return ffi_run_option_values_slope(value, &out->slope);
  case OPTION_PD: return ffi_run_option_values_gains(value, out);
  case OPTION_KP: return ffi_option_value_quantity_above(name, value, FF_QUANTITY_KP, 0, 1, &out->kp);
  case OPTION_KD: return ffi_option_value_quantity_above(name, value, FF_QUANTITY_KD, 0, 1, &out->kd);
  case OPTION_NO_PD: out->has_motors = 0; return 1;
  case OPTION_STIFFNESS:
    return ffi_option_value_quantity_above(name, value, FF_QUANTITY_STIFFNESS, 0, 0, &out->stiffness);
  case OPTION_DAMPING:
    return ffi_option_value_quantity_above(name, value, FF_QUANTITY_DAMPING, 0, 1, &out->damping);
  case OPTION_FRICTION:
    return ffi_option_value_quantity_above(name, value, FF_QUANTITY_NUMBER, 0, 1, &out->friction);
  case OPTION_LOG:
  case OPTION_OUT: out->log = value; return ffi_run_log_check_name(name, value);
  case OPTION_LOG_EVERY: return ffi_option_value_whole(name, value, 1, 1000000000, &out->log_every);
  case OPTION_JSON: out->as_json = 1; return 1;
  case OPTION_QUIET: out->is_quiet = 1; return 1;
  case OPTION_ASCII: out->is_ascii = 1; return 1;
  case OPTION_SET: return ffi_overrides_add_field(&out->changes, value);
  case OPTION_NO_LOG: out->has_no_log = 1; return 1;
  case OPTION_RESUME: out->resume = value; return 1;
  default:
    if (which < OPTION_LOAD)
      return ffi_run_batch_options_take(&out->many, which - OPTION_MANY, value);
    return ffi_load_options_take(&out->load, which - OPTION_LOAD, value);
  }
}

static int check_pairs(const given *g)
{
  static const int pairs[][2] = {
      {OPTION_PD, OPTION_KP},    {OPTION_PD, OPTION_KD},      {OPTION_PD, OPTION_NO_PD},
      {OPTION_KP, OPTION_NO_PD}, {OPTION_KD, OPTION_NO_PD},   {OPTION_DROP, OPTION_ON_GROUND},
      {OPTION_LOG, OPTION_OUT},  {OPTION_LOG, OPTION_NO_LOG}, {OPTION_OUT, OPTION_NO_LOG},
  };
  for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; ++i) {
    if (g->is[pairs[i][0]] && g->is[pairs[i][1]]) {
      ffi_error_message("'%s' and '%s' cannot be combined", options[pairs[i][0]].name,
                        options[pairs[i][1]].name);
      return 0;
    }
  }
  return 1;
}

long long ffi_run_options_steps(const ffi_run_request *r)
{
  if (r->is_resumed)
    return r->remaining;
  const double steps = r->duration / r->sim.dt;
  return (long long)ceil(steps * (1 - 1e-12)); // 10 / 0.01 may come out a rounding above 1000
}

// Refuses options for models if a scene is run.
static int check_kind(const given *g, const ffi_run_request *r)
{
  for (int i = 0; r->is_scene && i < OPTION_COUNT; ++i)
    if (g->is[i] && !field_of(i)) {
      ffi_error_message("'%s' is for models; in a scene change a field with '--set'", options[i].name);
      return 0;
    }
  return 1;
}

int ffi_run_options_check_output(const ffi_run_request *r)
{
  if (r->log_every > 0 && r->has_no_log) {
    ffi_error_message("'--log-every' and '--no-log' cannot be combined");
    return 0;
  }
  if (!r->as_json || !r->log || strcmp(r->log, "-") != 0)
    return 1;
  ffi_error_message("'--log -' and '--json' would both write to the standard output");
  return 0;
}

// Many runs, or one of them.
static int check_many(const ffi_run_request *r)
{
  const ffi_run_many *m = &r->many;
  const int is_many = m->runs > 0 && m->only < 0;
  const char *option = m->csv ? "--csv" : m->html ? "--html" : m->threads > 0 ? "--threads" : NULL;
  if (!is_many && option) {
    ffi_error_message("'%s' needs '--batch N'%s", option, m->only >= 0 ? " without '--only'" : "");
    return 0;
  }
  if (m->runs == 0 && m->only < 0 && (m->vary_count > 0 || m->seed != 1)) {
    ffi_error_message("'%s' needs '--batch N', or '--only RUN' for one run",
                      m->vary_count > 0 ? "--vary" : "--seed");
    return 0;
  }
  if (m->runs > 0 && m->only >= m->runs) {
    ffi_error_message("'--only %lld': the runs of '--batch %lld' are 0 to %lld", m->only, m->runs,
                      m->runs - 1);
    return 0;
  }
  if (!is_many || (!r->log && r->log_every == 0))
    return 1;
  ffi_error_message("'--batch' writes no log; '--only RUN' repeats one run, with a log");
  return 0;
}

// With --resume the log has the model and its options; only options about time and output are allowed.
static int check_resume(const given *g, const ffi_run_request *r)
{
  if (r->path) {
    ffi_error_message("unexpected argument '%s': '--resume %s' takes the model or scene from the log",
                      r->path, r->resume);
    return 0;
  }
  for (int i = 0; i < OPTION_COUNT; ++i) {
    const char *field = field_of(i);
    const int is_allowed = i == OPTION_DURATION || (i != OPTION_SET && field && !*field);
    if (g->is[i] && (!is_allowed || (i >= OPTION_MANY && i < OPTION_LOAD))) {
      ffi_error_message("'%s' and '--resume' cannot be combined: a run continues with its own options",
                        options[i].name);
      return 0;
    }
  }
  return check_pairs(g) && ffi_run_options_check_output(r);
}

static int check_request(const given *g, const ffi_run_request *r)
{
  if (!r->path) {
    ffi_error_message("'run' needs a model or a scene: footfall run MODEL");
    return 0;
  }
  if (!check_kind(g, r) || !check_many(r))
    return 0;
  if (r->is_scene)
    return check_pairs(g) && (!g->is[OPTION_STEPPER] || ffi_overrides_check(&r->changes, r->sim.stepper));
  if (!check_pairs(g) || !ffi_overrides_check(&r->changes, r->sim.stepper))
    return 0;
  if (r->duration / r->sim.dt > 1e15) {
    ffi_error_message("%g s in steps of %g s are %.3g steps, more than 1e15; use a longer '--dt'",
                      r->duration, r->sim.dt, r->duration / r->sim.dt);
    return 0;
  }
  return ffi_run_options_check_output(r);
}

static int take_operand(const char *word, void *user)
{
  ffi_run_request *out = ((reading *)user)->out;
  if (out->path) {
    ffi_error_message("unexpected argument '%s': 'run' takes one model or scene", word);
    return 0;
  }
  out->path = word;
  out->is_scene = ffi_run_scene_file_is_scene(word);
  return 1;
}

// Keeps the arguments that repeat the run: all but those about output. The overrides of a scene are in its text.
static void remember(reading *r, const char *option, const char *value)
{
  ffi_run_request *out = r->out;
  out->arguments =
      ffi_memory_need(out->arguments, ((size_t)out->argument_count + 2) * sizeof *out->arguments);
  if (option)
    out->arguments[out->argument_count++] = option;
  if (value)
    out->arguments[out->argument_count++] = value;
}

static int take_option(int which, const char *value, void *user)
{
  reading *r = user;
  if (!read_option(which, value, r->out))
    return 0;
  r->given.is[which] = 1;
  if (field_of(which) && *field_of(which))
    ffi_overrides_add(&r->out->changes, field_of(which), options[which].name, value);
  return 1;
}

static int is_about_the_run(int which)
{
  return which == OPTION_SET || !field_of(which) || *field_of(which);
}

// The same, and keeps the argument.
static int take_and_keep(int which, const char *value, void *user)
{
  ffi_run_request *out = ((reading *)user)->out;
  if (is_about_the_run(which))
    remember(user, options[which].name, value);
  if (is_about_the_run(which) || which == OPTION_MANY + FFI_RUN_BATCH_OPTIONS_VARY ||
      which == OPTION_MANY + FFI_RUN_BATCH_OPTIONS_SEED)
    ffi_run_batch_options_keep(&out->many, options[which].name, value);
  return take_option(which, value, user);
}

// What a log keeps also of a scene: that it is of one run of a batch.
static void keep_which_run(reading *r)
{
  if (r->out->many.only >= 0)
    remember(r, options[OPTION_MANY + FFI_RUN_BATCH_OPTIONS_ONLY].name, "0");
}

static int read_words(reading *r, int argc, char **argv)
{
  ffi_args args = {
      .argc = argc, .argv = argv, .options = options, .option_count = OPTION_COUNT, .command = "run"};
  if (!ffi_args_read(&args, take_operand, take_and_keep, r))
    return 0;
  if (r->out->is_scene)
    r->out->argument_count = 0;
  keep_which_run(r);
  if (r->out->path)
    remember(r, "--", r->out->path); // the path may begin with a dash
  return r->out->is_scene || !r->out->path ||
         ffi_overrides_apply(&r->out->changes, r->out->path, &r->out->sim);
}

// Reads the arguments that the log keeps.
static int read_source(reading *r)
{
  ffi_run_request *out = r->out;
  const double more = r->given.is[OPTION_DURATION] ? out->duration : (double)NAN;
  const ffi_run_request said = *out;
  int count;
  if (!ffi_run_resume_open(out))
    return 0;
  const char *const *words = ff_log_arguments(out->source, &count);
  ffi_overrides_free(&out->changes);
  out->argument_count = 0;
  out->duration = default_duration;
  out->more = more;
  ffi_load_options_end(&out->load);
  ffi_load_options_begin(&out->load, count);
  if (!read_words(r, count, (char **)(uintptr_t)words))
    return 0;
  if (out->many.only >= 0) {
    ffi_error_message("'%s' is one run of a batch, which cannot be continued; run it again with a longer "
                      "'--duration'",
                      out->resume);
    return 0;
  }
  ffi_overrides_free(&out->changes); // they are in the scene's text
  out->log = said.log;
  out->log_every = said.log_every;
  return 1;
}

int ffi_run_options_read(int argc, char **argv, ffi_run_request *out)
{
  reading r = {.out = out};
  *out = (ffi_run_request){.sim = ff_sim_def_default(),
                           .duration = default_duration,
                           .drop = NAN,
                           .has_motors = 1,
                           .kp = NAN,
                           .kd = NAN,
                           .stiffness = NAN,
                           .damping = NAN,
                           .friction = NAN,
                           .more = NAN,
                           .many = {.only = -1, .seed = 1},
                           .failure = FFI_EXIT_USAGE};
  ffi_load_options_begin(&out->load, argc);
  if (!read_words(&r, argc, argv))
    return 0;
  if (!(out->resume ? check_resume(&r.given, out) : check_request(&r.given, out)))
    return 0;
  out->failure = FFI_EXIT_FAILED;
  return !out->resume || read_source(&r);
}

void ffi_run_options_free(ffi_run_request *request)
{
  ffi_load_options_end(&request->load);
  ffi_overrides_free(&request->changes);
  free(request->arguments);
  ffi_run_batch_options_free(&request->many);
  free(request->own_log);
  ff_files_destroy(request->files);
  ff_log_close(request->source);
}
