// footfall plan MOTION: compute a motion with feedback gains and store it, with where it comes from.
#define _POSIX_C_SOURCE 200809L
#include "cli/interrupt.h"
#include "cli/json.h"
#include "cli/put_file.h"
#include "command.h"
#include "commands.h"
#include "load_options.h"
#include "run/run.h"

#include <footfall/plan.h>
#include <footfall/trajectory.h>
#include <footfall/version.h>

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { OPTION_OUT, OPTION_POSTURE, OPTION_JSON, OPTION_QUIET, OPTION_LOAD };

static const ffi_option options[] = {
    [OPTION_OUT] = {"--out", "FILE", .help = "where the trajectory goes", FFI_TAKES_FILE,
                    ffi_endings_of_trajectory},
    [OPTION_POSTURE] = {"--posture", "NAME", .help = "where it stands at first, default 'straight_standing'",
                        FFI_TAKES_POSTURE},
    [OPTION_JSON] = {"--json", .help = "the last line as JSON"},
    [OPTION_QUIET] = {"--quiet", .help = "no progress and no last line"},
    [OPTION_LOAD] = FFI_LOAD_OPTIONS,
};

const ffi_option *ffi_options_of_plan(int *count)
{
  *count = (int)(sizeof options / sizeof options[0]);
  return options;
}

static const char usual_posture[] = "straight_standing";

typedef struct request {
  const char *motion, *model, *out, *posture;
  int is_quiet, as_json;
  ffi_load_request load;
} request;

// ---- Request ------------------------------------------------------------------------------------------------------

static int read_operand(const char *word, void *user)
{
  request *out = user;
  if (out->motion && out->model) {
    ffi_complain("'plan' takes a motion and a model, '%s' is too much", word);
    return 0;
  }
  *(out->motion ? &out->model : &out->motion) = word;
  return 1;
}

static int read_option(int which, const char *value, void *user)
{
  request *out = user;
  switch (which) {
  case OPTION_OUT: out->out = value; return 1;
  case OPTION_POSTURE: out->posture = value; return 1;
  case OPTION_QUIET: out->is_quiet = 1; return 1;
  case OPTION_JSON: out->as_json = 1; return 1;
  default: return ffi_load_option(&out->load, which - OPTION_LOAD, value);
  }
}

// Returns 0 after a complaint.
static int read_request(int argc, char **argv, request *out)
{
  ffi_args args = {.argc = argc,
                   .argv = argv,
                   .options = options,
                   .option_count = (int)(sizeof options / sizeof options[0]),
                   .command = "plan"};
  return ffi_args_read(&args, read_operand, read_option, out);
}

static int find_motion(const request *r, ff_plan_motion *motion)
{
  const char *names[FF_PLAN_MOTION_COUNT];
  for (int i = 0; i < FF_PLAN_MOTION_COUNT; ++i)
    names[i] = ffi_words_of_motion(i);
  if (!r->motion) {
    ffi_complain("'plan' needs a motion: trot or jump");
    return 0;
  }
  if (ff_plan_motion_find(r->motion, motion))
    return 1;
  const char *meant = ffi_suggest(r->motion, names, FF_PLAN_MOTION_COUNT);
  if (meant)
    ffi_complain("unknown motion '%s'; did you mean '%s'?", r->motion, meant);
  else
    ffi_complain("unknown motion '%s'; there are trot and jump", r->motion);
  return 0;
}

// Before the work, not after it: can the result be stored? What is there stays as it is. Returns 0 after a complaint.
static int can_store(const char *path)
{
  if (ffi_put_check(path))
    return 1;
  ffi_complain("%s: cannot be written: %s", path, strerror(errno));
  return 0;
}

// ---- Where it comes from ------------------------------------------------------------------------------------------

// FNV-1a of a file's bytes; 0 if it cannot be read.
static uint64_t hash_of(const char *path)
{
  uint64_t hash = 0xcbf29ce484222325u;
  FILE *file = fopen(path, "rb");
  if (!file)
    return 0;
  for (int byte; (byte = getc(file)) != EOF;)
    hash = (hash ^ (uint64_t)byte) * 0x100000001b3u;
  fclose(file);
  return hash;
}

static void write_notes(const request *r, const ff_plan_def *def, const ff_feedback_def *feedback,
                        char *notes, size_t size)
{
  const ff_plan_cost *c = &def->cost;
  snprintf(
      notes, size,
      "made by: footfall plan %s %s --posture %s, version %s\n"
      "model: %s, FNV-1a %016llx\n"
      "motion: recorded under whole-body control in a simulation by expo with %d steps of %g ms per interval\n"
      "gains: least cost by Riccati's equation along the motion, differences with %d steps per interval; costs per square of\n"
      "  position %g, attitude %g, joint %g, velocity %g, turning %g, joint rate %g, torque %g\n"
      "follow it with: u + K (x_ref (-) x), %g s in all%s\n",
      r->motion, r->model, r->posture ? r->posture : usual_posture, ff_version(), r->model,
      (unsigned long long)hash_of(r->model), def->steps, 1e3 * def->interval / def->steps, def->answer_steps,
      c->position, c->attitude, c->joint, c->velocity, c->turning, c->joint_rate, c->torque,
      (feedback->states - 1) * feedback->interval,
      feedback->repeats ? ", then again from repeat-from on, farther ahead" : "");
}

// ---- Planning -----------------------------------------------------------------------------------------------------

// Returns 0 to give up.
static int show(double share, void *user)
{
  ffi_progress_show(user, share, "");
  return !ffi_interrupt_got();
}

// Frames by the names that Solo has. Returns 0 after a complaint.
static int find_frames(const ff_model *model, ff_plan_def *def)
{
  static const char *const names[5] = {"base_link", "FL_FOOT", "FR_FOOT", "HL_FOOT", "HR_FOOT"};
  for (int i = 0; i < 5; ++i) {
    const int frame = ff_model_find_frame(model, names[i]);
    if (frame < 0) {
      ffi_complain("'plan' is for robots with the links base_link, FL_FOOT, FR_FOOT, HL_FOOT and HR_FOOT; "
                   "'%s' has no %s",
                   ff_model_name(model), names[i]);
      return 0;
    }
    *(i == 0 ? &def->base : &def->feet[i - 1]) = frame;
  }
  return 1;
}

static void tell_json(const request *r, int states, double interval)
{
  ffi_json json;
  ffi_json_begin(&json, stdout);
  ffi_json_open(&json, '{', 0);
  ffi_json_put_text(&json, "file", r->out);
  ffi_json_put_integer(&json, "states", states);
  ffi_json_put_number(&json, "interval", interval);
  ffi_json_close(&json, '}');
  ffi_json_end(&json);
}

static int plan_and_save(const request *r, const ff_model *model, ff_plan_def *def)
{
  char notes[2048];
  ff_error error;
  ff_plan *plan = NULL;
  int posture = ff_model_find_posture(model, r->posture ? r->posture : usual_posture);
  if (r->posture && !ffi_load_posture(model, r->model, r->posture, &posture))
    return FFI_EXIT_USAGE;
  if (posture < 0) {
    ffi_complain("%s: a motion begins in the posture '%s', which it has not; '--posture NAME' says another",
                 r->model, usual_posture);
    return FFI_EXIT_FAILED;
  }
  if (!find_frames(model, def))
    return FFI_EXIT_FAILED;
  ffi_progress p;
  ffi_progress_begin(&p, !r->is_quiet);
  ffi_interrupt_watch();
  def->progress = show;
  def->user = &p;
  ff_status status = ff_plan_create(model, def, ff_model_posture(model, posture), &plan, &error);
  ffi_progress_end(&p);
  if (ffi_interrupt_got() && status != FF_OK)
    return ffi_interrupt_tell();
  if (status == FF_OK) {
    write_notes(r, def, ff_plan_feedback(plan), notes, sizeof notes);
    status = ff_trajectory_save(r->out, model, ff_plan_feedback(plan), notes, &error);
  }
  if (status != FF_OK)
    ffi_complain("%s", error.message);
  else if (r->as_json)
    tell_json(r, ff_plan_feedback(plan)->states, def->interval);
  else if (!r->is_quiet)
    printf("%s: %d states, every %g ms\n", r->out, ff_plan_feedback(plan)->states, 1e3 * def->interval);
  ff_plan_destroy(plan);
  return status == FF_OK ? FFI_EXIT_OK : FFI_EXIT_FAILED;
}

int ffi_command_plan(int argc, char **argv)
{
  request r = {0};
  ff_plan_motion motion;
  int status = FFI_EXIT_USAGE;
  ff_model *model = NULL;
  ffi_load_begin(&r.load, argc);
  if (!read_request(argc, argv, &r) || !find_motion(&r, &motion))
    goto end;
  if (!r.out) {
    ffi_complain("'plan' needs --out FILE: where the trajectory goes");
    goto end;
  }
  if (!r.model)
    r.model = "models/solo12.urdf";
  status = FFI_EXIT_FAILED;
  if (!ffi_spare_model(r.out, r.model, "the trajectory"))
    goto end;
  model = ffi_load_model(&r.load, r.model);
  if (model && can_store(r.out)) {
    ff_plan_def def = ff_plan_def_default(motion);
    status = plan_and_save(&r, model, &def);
  }
end:
  ff_model_destroy(model);
  ffi_load_end(&r.load);
  return status;
}
