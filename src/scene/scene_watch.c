// Observations after each step of a scene: feet that step, flight, tilt, error of the centre of mass.
#include "scene/scene.h"

#include <math.h>
#include <stdlib.h>

static void find_base(ff_scene *scene)
{
  ff_joint_info joint;
  scene->watch.base = ff_model_base(scene->model, NULL);
  if (ff_model_joint(scene->model, scene->watch.base, &joint) == FF_OK)
    scene->watch.base_q = joint.q;
}

// The tree that a link belongs to, by its root joint; -1: fixed to the world.
static int tree_of(const ff_model *model, int link)
{
  ff_link_info info;
  ff_joint_info joint;
  if (ff_model_link(model, link, &info) != FF_OK)
    return -1;
  int root = info.joint;
  while (ff_model_joint(model, root, &joint) == FF_OK && joint.parent >= 0)
    root = joint.parent;
  return root;
}

static double tilt_of(const double *base)
{
  const double x = base[3], y = base[4];
  return acos(fmin(1, fmax(-1, 1 - 2 * (x * x + y * y)))); // of R's last entry
}

// After kinematics: where a link's frame is.
static void where_is(ff_scene *scene, int link, double at[3])
{
  ff_link_info info;
  ff_model_link(scene->model, link, &info);
  ff_dynamics_frame_pose(scene->watch.dynamics, info.frame, at, NULL);
}

// A foot that lands elsewhere after some time in the air has taken a step.
static void watch_foot(ff_scene *scene, int link)
{
  ffi_scene_foot *foot = &scene->watch.feet[link];
  double at[3];
  if (foot->air > 0) { // once for all contacts of a link
    where_is(scene, link, at);
    const double distance = hypot(at[0] - foot->left_from[0], at[1] - foot->left_from[1]);
    scene->watch.result.steps += foot->air >= FF_SCENE_STEP_TIME && distance >= FF_SCENE_STEP_LENGTH;
  }
  foot->air = 0;
  where_is(scene, link, foot->left_from);
}

// Contacts that hold a robot up; self-contacts do not count.
static int watch_contacts(ff_scene *scene)
{
  const ffi_scene_foot *feet = scene->watch.feet;
  int count, landed = 0;
  const ff_contact *contacts = ff_scene_contacts(scene, &count);
  for (int i = 0; i < count; ++i) {
    const int links[2] = {contacts[i].link_a, contacts[i].link_b};
    const int trees[2] = {links[0] < 0 ? -1 : feet[links[0]].tree, links[1] < 0 ? -1 : feet[links[1]].tree};
    if (trees[0] == trees[1])
      continue;
    ++landed;
    for (int side = 0; side < 2; ++side)
      if (trees[side] >= 0)
        watch_foot(scene, links[side]);
  }
  return landed;
}

static void watch_feet(ff_scene *scene, double dt)
{
  ffi_scene_watch *w = &scene->watch;
  const int links = ff_model_get_size(scene->model).links;
  for (int l = 0; l < links; ++l)
    w->feet[l].air += dt;
  if (watch_contacts(scene) > 0) {
    w->in_flight = 0;
    w->floor = w->base >= 0 ? ffi_scene_height_lowest(scene) : w->floor;
  } else if (w->in_flight >= 0)
    w->in_flight += dt;
  w->result.flight = fmax(w->result.flight, w->in_flight);
}

// An expectation that can never be met is an error of the def.
static ff_status check_expect(const ff_scene *scene, ff_error *error)
{
  const ff_scene_expect *e = &scene->def->expect;
  double com[3];
  if (!isnan(e->com_error) && !ff_controller_com(scene->controller, 0, com))
    return ffi_scene_fail(scene, FF_ERROR_ARGUMENT, "expect.com_error", error,
                          "the controller '%s' does not say where the centre of mass should be",
                          ff_controller_name(scene->def->controller.type));
  if (e->speed[0] > e->speed[1])
    return ffi_scene_fail(scene, FF_ERROR_ARGUMENT, "expect.speed", error,
                          "goes from %g to %g m/s: the first must not be above the second", e->speed[0],
                          e->speed[1]);
  const char *of_base = !isnan(e->advance)    ? "expect.advance"
                        : !isnan(e->speed[0]) ? "expect.speed"
                        : !isnan(e->rise)     ? "expect.rise"
                                              : NULL;
  if (scene->watch.base < 0 && of_base)
    return ffi_scene_fail(scene, FF_ERROR_ARGUMENT, of_base, error,
                          "the model does not have exactly one floating base");
  if (e->fallen[0] > e->fallen[1])
    return ffi_scene_fail(scene, FF_ERROR_ARGUMENT, "expect.fallen", error,
                          "goes from %g to %g: the first must not be above the second", e->fallen[0],
                          e->fallen[1]);
  int floating;
  ff_model_base(scene->model, &floating);
  if (floating == 0 && (!isnan(e->fallen[0]) || !isnan(e->moved)))
    return ffi_scene_fail(scene, FF_ERROR_ARGUMENT, isnan(e->moved) ? "expect.fallen" : "expect.moved", error,
                          "nothing floats in this model");
  return FF_OK;
}

void ffi_scene_watch_start(ff_scene *scene)
{
  ffi_scene_watch *w = &scene->watch;
  const int links = ff_model_get_size(scene->model).links;
  double com[3];
  ff_dynamics_kinematics(w->dynamics, scene->q, NULL, NULL);
  for (int l = 0; l < links; ++l) {
    w->feet[l].tree = tree_of(scene->model, l);
    w->feet[l].air = 0;
    where_is(scene, l, w->feet[l].left_from);
  }
  w->result = (ff_scene_result){0};
  w->past = (ffi_scene_past){0};
  w->age_count = 0;
  ffi_scene_settle(scene);
  w->in_flight = watch_contacts(scene) > 0 ? 0 : -1;
  find_base(scene);
  if (w->base >= 0) {
    w->floor = ffi_scene_height_lowest(scene);
    w->stood = scene->q[w->base_q + 2] - w->floor;
  }
  w->result.com_error = ff_controller_com(scene->controller, 0, com) ? 0 : NAN;
  w->result.tilt_most = w->base >= 0 ? tilt_of(scene->q + w->base_q) : NAN;
}

ff_status ffi_scene_watch_begin(ff_scene *scene, ff_error *error)
{
  ffi_scene_watch *w = &scene->watch;
  w->feet = calloc((size_t)ff_model_get_size(scene->model).links + 1, sizeof *w->feet);
  if (!w->feet)
    return ffi_scene_no_memory(scene, error);
  ff_status status = ff_dynamics_create(scene->model, NULL, &w->dynamics, error);
  if (status == FF_OK)
    status = ffi_scene_settle_make(scene, error);
  if (status != FF_OK)
    return status;
  ffi_scene_watch_start(scene);
  return check_expect(scene, error);
}

int ffi_scene_watch_share(const ff_scene *scene, int most_contacts, ffi_scene_watch *out)
{
  const size_t room = (size_t)most_contacts + 1;
  *out = (ffi_scene_watch){.shape_link = scene->watch.shape_link, .most_contacts = most_contacts};
  out->feet = calloc((size_t)ff_model_get_size(scene->model).links + 1, sizeof *out->feet);
  out->age[0] = calloc(2 * room, sizeof *out->age[0]);
  out->age[1] = out->age[0] ? out->age[0] + room : NULL;
  return out->feet && out->age[0];
}

void ffi_scene_watch_unshare(ffi_scene_watch *watch)
{
  free(watch->feet);
  free(watch->age[0]);
}

void ffi_scene_watch_end(ff_scene *scene)
{
  ffi_scene_settle_end(scene);
  ff_dynamics_destroy(scene->watch.dynamics);
  free(scene->watch.feet);
}

void ff_scene_watch(ff_scene *scene)
{
  ffi_scene_watch *w = &scene->watch;
  const double time = (double)scene->step * scene->def->sim.dt;
  double want[3], com[3];
  ff_dynamics_kinematics(w->dynamics, ff_scene_now_q(scene), NULL, NULL);
  watch_feet(scene, scene->def->sim.dt);
  ffi_scene_settle(scene);
  if (w->base >= 0)
    w->result.tilt_most = fmax(w->result.tilt_most, tilt_of(ff_scene_now_q(scene) + w->base_q));
  if (!ff_controller_com(scene->controller, time, want))
    return;
  ff_dynamics_com(w->dynamics, com);
  const double off = hypot(hypot(com[0] - want[0], com[1] - want[1]), com[2] - want[2]);
  w->result.com_error = fmax(w->result.com_error, off);
}
