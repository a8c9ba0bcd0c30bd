// A request becomes a sim: the model is loaded, the ground laid, the robot placed, its motors made.
#include "cli/complain.h"
#include "cli/units.h"
#include "run/run.h"

#include <footfall/builder.h>
#include <footfall/place.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

// A robot that nobody placed may lie in the ground this deep [m] before it is lifted out of it.
static const double deepest_start = 1e-3;

// ---- Ground -----------------------------------------------------------------------------------------------

// The material of the pair, as far as it was given. Returns 0 after a complaint.
static int choose_material(const ffi_run_request *r, const ff_model *model, ff_ground_def *ground)
{
  const int given = !isnan(r->stiffness) + !isnan(r->damping) + !isnan(r->friction);
  ff_material m;
  if (given == 0)
    return 1; // the robot's, against a rigid ground
  if (!ff_model_common_material(model, &m) && given < 3) {
    ffi_complain("%s: its shapes differ in material, so '--stiffness', '--damping' and '--friction' must be "
                 "given together",
                 r->path);
    return 0;
  }
  m.stiffness = isnan(r->stiffness) ? m.stiffness : r->stiffness;
  m.damping = isnan(r->damping) ? m.damping : r->damping;
  m.friction = isnan(r->friction) ? m.friction : r->friction;
  ground->shape.material = m;
  ground->gives_pair = 1;
  return 1;
}

static const char *drop_option(const ffi_run_request *r)
{
  return r->is_on_ground ? "--on-ground" : "--drop";
}

// Returns 0 after a complaint.
static int lay_ground(const ffi_run_request *r, ffi_run_scene *scene, ff_ground_def *ground)
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
    ffi_complain("%s brings its own ground, so '%s' has nothing to act on", r->path, useless);
    return 0;
  }
  scene->plane = ff_pose_from_rpy(origin, rpy);
  *ground = ff_ground_def_default();
  ground->shape.pose = scene->plane;
  return choose_material(r, scene->model, ground);
}

// ---- Posture ----------------------------------------------------------------------------------------------

// What is fixed to the world is nowhere else, whatever was asked for. Returns 0 after a complaint.
static int can_place(const ffi_run_request *r, const ffi_run_scene *scene)
{
  if (isnan(r->drop) || scene->can_fall)
    return 1;
  ffi_complain("%s is fixed to the world, so '%s' has nothing to move", r->path, drop_option(r));
  return 0;
}

static void place(const ffi_run_request *r, ffi_run_scene *scene, ff_dynamics *dynamics)
{
  const ff_model *model = scene->model;
  ff_place_tilt(model, &scene->plane, scene->q);
  scene->gap = ff_place_gap(model, dynamics, scene->q, &scene->plane);
  const int is_deep = !scene->posture && scene->gap < -deepest_start;
  if (isnan(scene->gap) || (isnan(r->drop) && !is_deep))
    return;
  const double lift = (isnan(r->drop) ? 0 : r->drop) - scene->gap;
  if (ff_place_lift(model, &scene->plane, lift, scene->q) == 0)
    return;
  scene->lift = lift;
  scene->gap = ff_place_gap(model, dynamics, scene->q, &scene->plane);
}

static void find_base(ffi_run_scene *scene)
{
  int floating;
  scene->base = ff_model_base(scene->model, &floating);
  scene->can_fall = floating > 0;
}

// ---- The sim ----------------------------------------------------------------------------------------------

// Position servos of the model pull to the posture too; velocity servos and elements of its own do what the file says.
static void aim_servos(const ffi_run_scene *scene)
{
  const int actuators = ff_model_get_size(scene->model).actuators;
  for (int i = 0; i < actuators; ++i) {
    ff_actuator_info actuator;
    ff_joint_info joint;
    ff_model_actuator(scene->model, i, &actuator);
    ff_model_joint(scene->model, actuator.joint, &joint);
    const int is_aimed = actuator.type == FF_ACTUATOR_POSITION && joint.stiffness == 0;
    const int motor = is_aimed ? ff_sim_find_motor(scene->sim, actuator.joint) : -1;
    if (motor >= 0)
      ff_sim_set_reference(scene->sim, motor, scene->q[joint.q], 0);
  }
}

// Returns 0 after a complaint.
static int make_sim(const ffi_run_request *r, ffi_run_scene *scene, const ff_ground_def *ground)
{
  ff_sim_def def = r->sim;
  ff_error error = {0};
  def.watch_passing = 1;
  def.ground = ground;
  def.ground_count = scene->has_plane;
  def.elements = scene->motors.elements;
  def.element_count = scene->motors.count;
  if (ff_sim_create(scene->model, &def, &scene->sim, &error) != FF_OK ||
      ff_sim_reset(scene->sim, scene->q, NULL, &error) != FF_OK) {
    ffi_complain("%s: %s", r->path, error.message);
    return 0;
  }
  if (r->has_motors)
    aim_servos(scene);
  return 1;
}

static int open_model(ffi_run_request *r, ffi_run_scene *scene)
{
  ff_dynamics *dynamics = NULL;
  ff_error error = {0};
  int posture, is_open = 0;
  if (r->log_every == 0)
    r->log_every = 1;
  r->load.def.keep = r->files;
  r->load.def.from = r->source ? ff_log_files(r->source) : NULL;
  scene->model = scene->own_model = ffi_load_model(&r->load, r->path);
  if (!scene->model || !lay_ground(r, scene, &scene->ground))
    return 0;
  if (!ffi_load_posture(scene->model, r->path, r->posture, &posture)) {
    r->failure = FFI_EXIT_USAGE;
    return 0;
  }
  const ff_model_size size = ff_model_get_size(scene->model);
  scene->q = ffi_need_memory(NULL, (size_t)size.nq * sizeof *scene->q);
  find_base(scene);
  if (!can_place(r, scene))
    return 0;
  scene->posture = ff_model_posture_name(scene->model, posture);
  if (posture >= 0)
    memcpy(scene->q, ff_model_posture(scene->model, posture), (size_t)size.nq * sizeof *scene->q);
  else
    ff_model_neutral(scene->model, scene->q);
  if (ff_dynamics_create(scene->model, NULL, &dynamics, &error) != FF_OK) {
    ffi_complain("%s: %s", r->path, error.message);
    return 0;
  }
  if (scene->has_plane)
    place(r, scene, dynamics);
  if (r->has_motors)
    ffi_run_motors_make(scene->model, dynamics, scene->q, r->kp, r->kd, &scene->motors);
  is_open = make_sim(r, scene, &scene->ground);
  ff_dynamics_destroy(dynamics);
  return is_open;
}

// The same for a scene, whose robot is placed already.
static int open_file(ffi_run_request *r, ffi_run_scene *scene)
{
  ff_dynamics *dynamics;
  ff_error error;
  if (!ffi_run_open_file(r, scene))
    return 0;
  find_base(scene);
  if (ff_dynamics_create(scene->model, NULL, &dynamics, &error) != FF_OK) {
    ffi_complain("%s: %s", r->path, error.message);
    return 0;
  }
  if (scene->has_plane)
    scene->gap = ff_place_gap(scene->model, dynamics, scene->q, &scene->plane);
  ff_dynamics_destroy(dynamics);
  return 1;
}

int ffi_run_open(ffi_run_request *r, ffi_run_scene *scene)
{
  *scene = (ffi_run_scene){.gap = NAN, .plane = ff_pose_identity()};
  if (!r->has_no_log && !r->source)
    r->files = ff_files_create(); // without memory for it a log will say so
  return (r->is_scene ? open_file(r, scene) : open_model(r, scene)) && ffi_run_go_on(r, scene);
}

void ffi_run_close(ffi_run_scene *scene)
{
  if (scene->file)
    ff_scene_destroy(scene->file); // and its model and sim
  else
    ff_sim_destroy(scene->sim);
  ff_model_destroy(scene->own_model);
  free(scene->q);
  free(scene->motors.elements);
  *scene = (ffi_run_scene){0};
}
