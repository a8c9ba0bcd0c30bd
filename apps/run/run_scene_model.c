// footfall run MODEL: makes a scene in memory. Loads the model, lays the ground, places the robot, chooses its motors.
#include "cli/error_message.h"
#include "cli/memory.h"
#include "cli/program.h"
#include "run/run.h"

#include <footfall/place.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

// A robot without a posture may start this deep in the ground [m]; a deeper one is lifted.
static const double deepest_start = 1e-3;
// What is fixed to the world and reaches this deep below z = 0 gets no plane there [m]; less is rounding.
static const double deepest_fixed = 1e-6;

// A scene under construction.
typedef struct draft {
  ff_scene_def def;
  ff_scene_ground plane;
  ff_dynamics *dynamics;
  ff_element_def *motors; // [joints]
  ff_scene_gain *gains;   // [joints]
  double *q;              // [nq]
} draft;

// ---- Ground ---------------------------------------------------------------------------------------------------------

// The material of contacts with the ground, as far as it was given. Returns 0 after an error message.
static int choose_material(const ffi_run_request *r, const ff_model *model, ff_scene_material *out)
{
  const int given = !isnan(r->stiffness) + !isnan(r->damping) + !isnan(r->friction);
  ff_material m;
  if (given == 0)
    return 1; // the robot's, against a rigid ground
  if (!ff_model_common_material(model, &m) && given < 3) {
    ffi_error_message(
        "%s: its shapes differ in material, so '--stiffness', '--damping' and '--friction' must be "
        "given together",
        r->path);
    return 0;
  }
  *out = (ff_scene_material){.stiffness = isnan(r->stiffness) ? m.stiffness : r->stiffness,
                             .damping = isnan(r->damping) ? m.damping : r->damping,
                             .friction = isnan(r->friction) ? m.friction : r->friction,
                             .restitution = m.restitution,
                             .tangential_restitution = m.tangential_restitution,
                             .torsional_friction = m.torsional_friction,
                             .rolling_friction = m.rolling_friction};
  return 1;
}

static const char *drop_option(const ffi_run_request *r)
{
  return r->is_on_ground ? "--on-ground" : "--drop";
}

// A plane, unless the model has its own ground. Returns 0 after an error message.
static int lay_ground(const ffi_run_request *r, ffi_run_scene *scene, draft *d)
{
  const double origin[3] = {0}, rpy[3] = {0, r->slope, 0};
  const char *useless = r->slope != 0          ? "--slope"
                        : !isnan(r->drop)      ? drop_option(r)
                        : !isnan(r->stiffness) ? "--stiffness"
                        : !isnan(r->damping)   ? "--damping"
                        : !isnan(r->friction)  ? "--friction"
                                               : NULL;
  scene->has_plane = !ff_model_has_ground(scene->model);
  if (!scene->has_plane && useless) {
    ffi_error_message("%s brings its own ground, so '%s' has nothing to act on", r->path, useless);
    return 0;
  }
  scene->plane = ff_pose_from_rpy(origin, rpy);
  d->plane = (ff_scene_ground){
      .type = FF_SHAPE_PLANE, .slope = r->slope, .material = {NAN, NAN, NAN, NAN, NAN, NAN, NAN}};
  d->def.ground = &d->plane;
  d->def.ground_count = scene->has_plane;
  return choose_material(r, scene->model, &d->def.material);
}

// ---- Start ----------------------------------------------------------------------------------------------------------

// A robot that is fixed to the world and reaches below z = 0 was drawn about its base: no ground was meant there,
// unless an option describes it.
static int is_invented(const ffi_run_request *r, const ffi_run_scene *scene)
{
  return !scene->can_fall && scene->gap < -deepest_fixed && !r->has_slope && isnan(r->stiffness) &&
         isnan(r->damping) && isnan(r->friction);
}

// A robot that is fixed to the world cannot be moved. Returns 0 after an error message.
static int can_place(const ffi_run_request *r, const ffi_run_scene *scene)
{
  if (isnan(r->drop) || scene->can_fall)
    return 1;
  ffi_error_message("%s is fixed to the world, so '%s' has nothing to move", r->path, drop_option(r));
  return 0;
}

static void place(const ffi_run_request *r, ffi_run_scene *scene, draft *d)
{
  const ff_model *model = scene->model;
  ff_place_tilt(model, &scene->plane, d->q);
  scene->gap = ff_place_gap(model, d->dynamics, d->q, &scene->plane);
  if (is_invented(r, scene)) {
    scene->below = -scene->gap;
    scene->gap = NAN;
    scene->has_plane = d->def.ground_count = 0;
    return;
  }
  const int is_deep = !d->def.start.posture && scene->gap < -deepest_start;
  if (isnan(scene->gap) || (isnan(r->drop) && !is_deep))
    return;
  const double lift = (isnan(r->drop) ? 0 : r->drop) - scene->gap;
  if (ff_place_lift(model, &scene->plane, lift, d->q) == 0)
    return;
  scene->lift = lift;
  scene->gap = ff_place_gap(model, d->dynamics, d->q, &scene->plane);
}

// Returns 0 after an error message.
static int choose_start(ffi_run_request *r, ffi_run_scene *scene, draft *d)
{
  const int nq = ff_model_get_size(scene->model).nq;
  int posture;
  if (!ffi_load_options_posture(scene->model, r->path, r->posture, &posture)) {
    r->failure = FFI_EXIT_USAGE;
    return 0;
  }
  ffi_run_scene_find_base(scene);
  if (!can_place(r, scene))
    return 0;
  d->q = ffi_memory_need(NULL, (size_t)nq * sizeof *d->q);
  d->def.start.posture = ff_model_posture_name(scene->model, posture);
  d->def.start.q = d->q;
  if (posture >= 0)
    memcpy(d->q, ff_model_posture(scene->model, posture), (size_t)nq * sizeof *d->q);
  else
    ff_model_neutral(scene->model, d->q);
  return 1;
}

// ---- Motors ---------------------------------------------------------------------------------------------------------

// Every joint that is left to motors is held, with the gains of ff_place_motors().
static void choose_motors(const ffi_run_request *r, const ffi_run_scene *scene, draft *d)
{
  const size_t joints = (size_t)ff_model_get_size(scene->model).joints;
  ff_scene_controller *c = &d->def.controller;
  d->motors = ffi_memory_need(NULL, joints * sizeof *d->motors);
  d->gains = ffi_memory_need(NULL, joints * sizeof *d->gains);
  c->type = FF_CONTROLLER_POSTURE_PD;
  c->joints = d->gains;
  c->joints_count = ff_place_motors(scene->model, d->dynamics, d->q, r->kp, r->kd, d->motors);
  for (int i = 0; i < c->joints_count; ++i) {
    ff_joint_info joint;
    ff_model_joint(scene->model, d->motors[i].joint, &joint);
    d->gains[i] = (ff_scene_gain){joint.name, d->motors[i].stiffness, d->motors[i].damping};
  }
  if (c->joints_count == 0)
    c->kp = c->kd = 0; // of no joint
}

// ---- The whole ------------------------------------------------------------------------------------------------------

// Returns 0 after an error message.
static int make_scene(ffi_run_request *r, ffi_run_scene *scene, draft *d)
{
  ff_error error = {0};
  const int nv = ff_model_get_size(scene->model).nv;
  if (nv > FF_SIM_MOST_VELOCITIES) { // before anything is computed for so many
    ffi_error_message("%s: the robot has %d velocities; at most %d can be simulated", r->path, nv,
                      FF_SIM_MOST_VELOCITIES);
    return 0;
  }
  if (!lay_ground(r, scene, d) || !choose_start(r, scene, d))
    return 0;
  if (ff_dynamics_create(scene->model, NULL, &d->dynamics, &error) != FF_OK) {
    ffi_error_message("%s: %s", r->path, error.message);
    return 0;
  }
  if (scene->has_plane)
    place(r, scene, d);
  if (r->has_motors)
    choose_motors(r, scene, d);
  if (ff_scene_create(scene->model, &d->def, &scene->scene, &error) == FF_OK)
    return 1;
  ffi_error_message("%s: %s", r->path, error.message);
  return 0;
}

int ffi_run_scene_model_open(ffi_run_request *r, ffi_run_scene *scene)
{
  draft d = {.def = ff_scene_def_default()};
  if (r->log_every == 0)
    r->log_every = 1;
  r->load.def.keep = r->files;
  r->load.def.from = r->source ? ff_log_files(r->source) : NULL;
  scene->model = scene->own_model = ffi_load_options_model(&r->load, r->path);
  if (!scene->model)
    return 0;
  d.def.model = r->path;
  d.def.load.fixed_base = r->load.def.fixed_base;
  d.def.load.mimic = r->load.def.mimic;
  d.def.load.srdf = r->load.def.srdf;
  d.def.load.contact_parameters = r->load.def.contact_parameters;
  d.def.load.massless = r->load.def.massless;
  d.def.duration = r->duration;
  d.def.sim = r->sim;
  const int is_made = make_scene(r, scene, &d);
  if (is_made)
    ffi_run_scene_describe(scene, r->has_motors);
  ff_dynamics_destroy(d.dynamics);
  free(d.motors);
  free(d.gains);
  free(d.q);
  return is_made;
}
