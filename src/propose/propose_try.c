// A start is tried: its scene is loaded from the text that will be written, and run to its end.
#include "propose/propose.h"

#include "base/fail.h"

#include <footfall/scene.h>

#include <math.h>
#include <string.h>

// A robot stays where it is if in the end it is slower than this [m/s], has turned by less [rad], and has
// sunk by less than this part of the height of its centre of mass.
static const double still = 0.02, turned_most = 0.2, sunk_most = 0.25;

// The base starts with a small velocity, linear and angular, so that nothing balances on its tip: far below the limits
// above.
static const ff_scene_override nudge = {
    .path = "start.velocity", .value = "[0.01, 0.006, 0, 0.02, 0.03, 0]", .said = NULL};

static const double trial_time = 5; // [s] what stays for so long is run for the whole time
static const long long crowd_steps =
    4; // of very many bodies only the first steps are tried: all may take a minute

// Angle between two orientations of the base.
static double turn_between(const double *a, const double *b)
{
  double dot = 0;
  for (int k = 0; k < 4; ++k)
    dot += a[k] * b[k];
  return 2 * acos(fmin(1, fabs(dot)));
}

// Of the plane z = 0, which is the only ground then: what is below it lies on nothing.
static int has_sunk(const ffi_propose *p, double height)
{
  return p->result.base >= 0 && !ff_model_has_ground(p->model) && height < 0;
}

// At q, above z = 0.
static double height_of_mass(ffi_propose *p, const double *q)
{
  double com[3];
  ff_dynamics_kinematics(p->dynamics, q, NULL, NULL);
  ff_dynamics_com(p->dynamics, com);
  return com[2];
}

// Of what is fixed to the world: no joint of one coordinate has gone far.
static int joints_stay(const ffi_propose *p, const double *now)
{
  static const double slid_most = 0.02; // [m]
  ff_joint_info joint;
  int floats = 0; // joints are in depth-first order
  for (int j = 0; ff_model_joint(p->model, j, &joint) == FF_OK; ++j) {
    if (joint.parent < 0)
      floats = joint.type == FF_JOINT_FREE;
    if (floats)
      continue;
    const double most = joint.type == FF_JOINT_PRISMATIC ? slid_most : turned_most;
    if (joint.nq == 1 && !(fabs(now[joint.q] - p->q[joint.q]) < most))
      return 0;
  }
  return 1;
}

static int stays(const ffi_propose *p, const ff_scene *scene, const ff_scene_result *result)
{
  const double *now = ff_scene_now_q(scene);
  ff_joint_info base;
  if (!(result->final_speed < still))
    return 0;
  if (!joints_stay(p, now))
    return 0;
  if (p->result.base < 0)
    return 1;
  ff_model_joint(p->model, p->result.base, &base);
  const double turned = turn_between(now + base.q + 3, p->q + base.q + 3);
  const double sunk = p->q[base.q + 2] - now[base.q + 2];
  return turned < turned_most && sunk < p->stray;
}

static void find_feet(ffi_propose *p, ff_scene *scene)
{
  int count;
  const ff_contact *contacts = ff_scene_contacts(scene, &count);
  p->result.foot_count = 0;
  for (int i = 0; i < count; ++i) {
    int is_known = 0;
    for (int k = 0; k < p->result.foot_count; ++k)
      is_known |= p->feet[k] == contacts[i].link_a;
    if (!is_known && p->result.foot_count < (int)(sizeof p->feet / sizeof p->feet[0]))
      p->feet[p->result.foot_count++] = contacts[i].link_a;
  }
}

// All steps of that time [s], or until a step fails: `failure` is why, FF_OK otherwise.
static ff_status run(ffi_propose *p, ff_scene *scene, double time, ff_status *failure, ff_error *error)
{
  const long long whole = llround(fmin(time, p->result.duration) / p->result.dt);
  const long long steps = p->crowd > 0 ? crowd_steps : whole;
  const ff_proposal_def *def = &p->def;
  for (long long k = 0; k < steps && *failure == FF_OK; ++k) {
    *failure = ff_scene_step(scene, error);
    if (*failure == FF_ERROR_MEMORY)
      return *failure;
    ff_scene_watch(scene);
    if (def->progress && def->progress(def->user, p->result.tries, (double)(k + 1) / (double)steps))
      return ffi_fail(error, FF_ERROR_STOPPED, p->path, 0, NULL, "the search was stopped");
  }
  return FF_OK;
}

static void judge(ffi_propose *p, ff_scene *scene, ff_status failure)
{
  ff_proposal *out = &p->result;
  ff_scene_result result;
  ff_scene_get_result(scene, &result);
  find_feet(p, scene);
  memcpy(p->end, ff_scene_now_q(scene), (size_t)ff_model_get_size(p->model).nq * sizeof *p->end);
  p->stray = sunk_most * fabs(height_of_mass(p, p->q)) + 1e-3;
  out->has_run_away = failure != FF_OK;
  out->is_stable = failure == FF_OK && p->crowd == 0 && stays(p, scene, &result) &&
                   !has_sunk(p, height_of_mass(p, p->end));
  p->stray = fmin(
      p->stray, fmax(FFI_PROPOSE_NOTABLE_MOVE, 2 * result.moved)); // it hardly moved: nor should it elsewhere
  out->expects_upright = out->is_stable && out->base >= 0 && result.is_upright &&
                         result.tilt_most < turned_most && result.height > 1 - sunk_most;
}

// The model's files and the scene's text, and nothing else: the text is what is tried.
static ff_status gather(const ffi_propose *p, ff_files *files, ff_error *error)
{
  const ff_file scene = {FF_FILE_SCENE, p->scene, p->scene, p->text, p->result.text_size};
  ff_status status = ff_files_add(files, &scene, error);
  for (int i = 0; status == FF_OK && i < ff_files_count(p->files); ++i)
    status = ff_files_add(files, ff_files_get(p->files, i), error);
  return status;
}

static ff_status load(const ffi_propose *p, int is_nudged, ff_scene **scene, ff_error *error)
{
  ff_error why;
  ff_files *files = ff_files_create();
  if (!files)
    return ffi_propose_no_memory(p, error);
  ff_status status = gather(p, files, error);
  if (status == FF_OK) {
    status =
        ff_scene_load_files(p->scene, &nudge, is_nudged && p->result.base >= 0, NULL, files, scene, &why);
    if (status != FF_OK)
      ffi_fail(error, status, p->path, 0, NULL, "a scene cannot be proposed for it: %s", why.message);
  }
  ff_files_destroy(files);
  return status;
}

ff_status ffi_propose_try(ffi_propose *p, ff_error *error)
{
  ff_scene *scene = NULL;
  ff_status failure = FF_OK, status;
  if (p->is_short)
    return ffi_propose_no_memory(p, error);
  ++p->result.tries;
  if (p->def.progress && p->def.progress(p->def.user, p->result.tries, 0))
    return ffi_fail(error, FF_ERROR_STOPPED, p->path, 0, NULL, "the search was stopped");
  status = ffi_propose_text(p, error);
  if (status == FF_OK)
    status = load(p, 1, &scene, error);
  if (status == FF_OK)
    status = run(p, scene, trial_time, &failure, error);
  if (status == FF_OK)
    judge(p, scene, failure);
  ff_scene_destroy(scene);
  return status;
}

ff_status ffi_propose_try_expectations(ffi_propose *p, ff_error *error)
{
  ff_scene *scene = NULL;
  ff_scene_result result = {0};
  ff_status failure = FF_OK;
  ff_proposal *r = &p->result;
  if (p->crowd > 0 || !r->is_stable)
    return FF_OK; // expects nothing
  ff_status status = load(p, 0, &scene, error);
  if (status == FF_OK)
    status = run(p, scene, INFINITY, &failure, error);
  if (status == FF_OK)
    ff_scene_get_result(scene, &result);
  if (status == FF_OK && (failure != FF_OK || result.missed > 0)) {
    r->is_stable = r->expects_upright = 0;
    r->state = FF_PROPOSAL_MOVES;
    status = ffi_propose_text(p, error);
  } else if (status == FF_OK && r->base >= 0) {
    r->moved = result.moved;
    status = ffi_propose_text(p, error); // the title says so
  }
  ff_scene_destroy(scene);
  return status;
}
