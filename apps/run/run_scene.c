// The scene of a run: from its file, or made from a model.
#include "cli/error_message.h"
#include "cli/program.h"
#include "run/run.h"

#include <footfall/place.h>

#include <math.h>

// The joints that float and carry others.
static void find_robots(ffi_run_scene *scene)
{
  ff_joint_info joint, next;
  for (int j = 0; ff_model_joint(scene->model, j, &joint) == FF_OK && scene->base_count < FFI_RUN_BASES; ++j)
    if (joint.type == FF_JOINT_FREE && ff_model_joint(scene->model, j + 1, &next) == FF_OK &&
        next.parent == j)
      scene->bases[scene->base_count++] = j;
}

void ffi_run_scene_find_base(ffi_run_scene *scene)
{
  int floating;
  scene->base = ff_model_base(scene->model, &floating);
  scene->can_fall = floating > 0;
  scene->base_count = 0;
  if (scene->base >= 0)
    scene->bases[scene->base_count++] = scene->base;
  else
    find_robots(scene);
}

const char *ffi_run_scene_base_name(const ffi_run_scene *scene, int which)
{
  ff_joint_info joint;
  ff_link_info link;
  if (ff_model_get_size(scene->model).roots < 2 ||
      ff_model_joint(scene->model, scene->bases[which], &joint) != FF_OK ||
      ff_model_link(scene->model, joint.link, &link) != FF_OK)
    return NULL;
  return link.name;
}

static void widen(double range[2], double value, int is_first)
{
  range[0] = is_first || value < range[0] ? value : range[0];
  range[1] = is_first || value > range[1] ? value : range[1];
}

void ffi_run_scene_describe(ffi_run_scene *scene, int counts_servos)
{
  const ff_sim_def def = ff_scene_sim_def(scene->scene);
  ffi_run_motors *m = &scene->motors;
  scene->model = ff_scene_model(scene->scene);
  scene->sim = ff_scene_sim(scene->scene);
  scene->posture = ff_scene_posture(scene->scene);
  scene->q = ff_scene_q(scene->scene);
  m->count = def.element_count;
  for (int i = 0; i < m->count; ++i) {
    widen(m->kp, def.elements[i].stiffness, i == 0);
    widen(m->kd, def.elements[i].damping, i == 0);
  }
  const int joints = ff_model_get_size(scene->model).joints;
  for (int j = 0; counts_servos && j < joints; ++j)
    m->model_count += ff_model_drive(scene->model, j) == FF_DRIVE_SERVO;
}

// How deep the robot starts in the ground, and how hard that throws it out.
static void find_depth(ffi_run_scene *scene)
{
  double g[3], force[3] = {0};
  int count;
  const ff_contact *contacts = ff_scene_contacts(scene->scene, &count);
  for (int i = 0; i < count; ++i) {
    if (contacts[i].link_b >= 0)
      continue;
    if (contacts[i].penetration > scene->depth) {
      scene->depth = contacts[i].penetration;
      scene->deepest = contacts[i].link_a;
      scene->is_own = contacts[i].shape_b >= 0;
    }
    for (int k = 0; k < 3; ++k)
      force[k] += contacts[i].force[k];
  }
  ff_model_gravity(scene->model, g);
  const double weight = ff_model_mass(scene->model) * hypot(hypot(g[0], g[1]), g[2]);
  scene->push = weight > 0 ? hypot(hypot(force[0], force[1]), force[2]) / weight : 0;
}

// From a scene's file, which places its robot. Returns 0 after an error message.
static int open_file(ffi_run_request *r, ffi_run_scene *scene)
{
  ff_dynamics *dynamics;
  ff_error error;
  if (!ffi_run_scene_file_open(r, scene))
    return 0;
  ffi_run_scene_find_base(scene);
  if (ff_dynamics_create(scene->model, NULL, &dynamics, &error) != FF_OK) {
    ffi_error_message("%s: %s", r->path, error.message);
    return 0;
  }
  if (scene->has_plane)
    scene->gap = ff_place_gap(scene->model, dynamics, scene->q, &scene->plane);
  ff_dynamics_destroy(dynamics);
  find_depth(scene);
  return 1;
}

const double *ffi_run_scene_tau(const ffi_run_scene *scene)
{
  return scene->has_task ? ff_scene_tau(scene->scene) : NULL;
}

const ff_ground_def *ffi_run_scene_ground(const ffi_run_scene *scene, ff_ground_def *plane, int *count)
{
  const ff_sim_def sim = ff_scene_sim_def(scene->scene);
  *plane = ff_ground_def_default();
  *count = sim.ground_count < 0 ? !ff_model_has_ground(scene->model) : sim.ground_count; // as the sim has it
  return sim.ground_count < 0 ? plane : sim.ground;
}

// The scene becomes one run of a batch of it.
static int take_run(ffi_run_request *r, ffi_run_scene *scene)
{
  ff_scene_batch_def def = ff_scene_batch_def_default();
  ff_error error;
  if (r->many.only < 0 || r->source)
    return 1;
  def.first = (int)r->many.only;
  def.seed = r->many.seed;
  def.vary = r->many.vary;
  def.vary_count = r->many.vary_count;
  if (ff_scene_batch_create(scene->scene, &def, &scene->batch, &error) != FF_OK) {
    ffi_error_message("%s", error.message);
    r->failure = FFI_EXIT_USAGE;
    return 0;
  }
  scene->whole = scene->scene;
  scene->scene = ff_scene_batch_scene(scene->batch, 0);
  scene->sim = ff_scene_sim(scene->scene);
  scene->q = ff_scene_q(scene->scene);
  return 1;
}

ff_status ffi_run_scene_step(ffi_run_scene *scene, ff_error *error)
{
  if (!scene->batch)
    return ff_scene_step(scene->scene, error);
  ff_status status = ff_scene_batch_advance(scene->batch, 1, error);
  if (status == FF_OK)
    status = ff_scene_batch_error(scene->batch, 0, error);
  scene->scene = ff_scene_batch_scene(scene->batch, 0); // as it is now
  return status;
}

int ffi_run_scene_open(ffi_run_request *r, ffi_run_scene *scene)
{
  *scene = (ffi_run_scene){.has_task = r->is_scene, .gap = NAN, .deepest = -1, .plane = ff_pose_identity()};
  if (!r->has_no_log && !r->source)
    r->files = ff_files_create(); // NULL without memory: ff_log_create() reports it
  if (!(r->is_scene ? open_file(r, scene) : ffi_run_scene_model_open(r, scene)) || !take_run(r, scene))
    return 0;
  ffi_run_overlaps(scene, scene->overlaps, sizeof scene->overlaps);
  return ffi_run_resume_restore(r, scene);
}

void ffi_run_scene_close(ffi_run_scene *scene)
{
  ff_scene_batch_destroy(scene->batch);
  ff_scene_destroy(scene->batch ? scene->whole : scene->scene); // and its sim
  ff_model_destroy(scene->own_model);
  *scene = (ffi_run_scene){0};
}
