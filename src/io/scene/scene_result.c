// What happens while a scene runs, and whether it is what was asked for.
#include "base/fail.h"
#include "io/scene/scene_object.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double fallen_tilt = 0.7853981633974483; // 45 degrees

// ---- Watching -------------------------------------------------------------------------------------------------------

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

// Feet that come down after some time in the air, elsewhere, have taken a step.
static void watch_foot(ff_scene *scene, int link)
{
  ffi_scene_foot *foot = &scene->watch.feet[link];
  double at[3];
  if (foot->air > 0) { // once for all contacts of a link
    where_is(scene, link, at);
    const double way = hypot(at[0] - foot->left_from[0], at[1] - foot->left_from[1]);
    scene->watch.result.steps += foot->air >= FF_SCENE_STEP_TIME && way >= FF_SCENE_STEP_LENGTH;
  }
  foot->air = 0;
  where_is(scene, link, foot->left_from);
}

// How many contacts hold a robot up: those of its own parts with each other do not.
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

// What can never come true is a mistake in the file.
static ff_status check_expect(const ff_scene *scene, ff_error *error)
{
  const ff_scene_expect *e = &scene->def->expect;
  double com[3];
  if (!isnan(e->com_error) && !ff_controller_com(scene->controller, 0, com))
    return ffi_scene_fail(&scene->source, FF_ERROR_ARGUMENT, "expect.com_error", error,
                          "the controller '%s' does not say where the centre of mass should be",
                          ff_controller_name(scene->def->controller.type));
  if (e->speed[0] > e->speed[1])
    return ffi_scene_fail(&scene->source, FF_ERROR_ARGUMENT, "expect.speed", error,
                          "goes from %g to %g m/s: nothing is in between", e->speed[0], e->speed[1]);
  const char *of_base = !isnan(e->advance)    ? "expect.advance"
                        : !isnan(e->speed[0]) ? "expect.speed"
                        : !isnan(e->rise)     ? "expect.rise"
                                              : NULL;
  if (scene->watch.base < 0 && of_base)
    return ffi_scene_fail(&scene->source, FF_ERROR_ARGUMENT, of_base, error,
                          "there is no one base that could move");
  if (e->fallen[0] > e->fallen[1])
    return ffi_scene_fail(&scene->source, FF_ERROR_ARGUMENT, "expect.fallen", error,
                          "goes from %g to %g: nothing is in between", e->fallen[0], e->fallen[1]);
  int floating;
  ff_model_base(scene->model, &floating);
  if (floating == 0 && (!isnan(e->fallen[0]) || !isnan(e->moved)))
    return ffi_scene_fail(&scene->source, FF_ERROR_ARGUMENT,
                          isnan(e->moved) ? "expect.fallen" : "expect.moved", error,
                          "nothing floats in this model");
  return FF_OK;
}

ff_status ffi_scene_watch_begin(ff_scene *scene, ff_error *error)
{
  ffi_scene_watch *w = &scene->watch;
  const int links = ff_model_get_size(scene->model).links;
  double com[3];
  w->feet = calloc((size_t)links + 1, sizeof *w->feet);
  if (!w->feet)
    return ffi_scene_no_memory(scene, error);
  const ff_status status = ff_dynamics_create(scene->model, NULL, &w->dynamics, error);
  if (status != FF_OK)
    return status;
  ff_dynamics_kinematics(w->dynamics, scene->q, NULL, NULL);
  for (int l = 0; l < links; ++l) {
    w->feet[l].tree = tree_of(scene->model, l);
    where_is(scene, l, w->feet[l].left_from);
  }
  const ff_status settled = ffi_scene_settle_begin(scene, error);
  if (settled != FF_OK)
    return settled;
  w->in_flight = watch_contacts(scene) > 0 ? 0 : -1;
  find_base(scene);
  if (w->base >= 0) {
    w->floor = ffi_scene_height_lowest(scene);
    w->stood = scene->q[w->base_q + 2] - w->floor;
  }
  w->result.com_error = ff_controller_com(scene->controller, 0, com) ? 0 : NAN;
  w->result.tilt_most = w->base >= 0 ? tilt_of(scene->q + w->base_q) : NAN;
  return check_expect(scene, error);
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

// ---- Judging --------------------------------------------------------------------------------------------------------

static void judge(ff_scene_result *r, int is_good, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static void judge(ff_scene_result *r, int is_good, const char *format, ...)
{
  const size_t used = strlen(r->misses);
  va_list list;
  ++r->expected;
  if (is_good)
    return;
  snprintf(r->misses + used, sizeof r->misses - used, "%s", r->missed++ > 0 ? "; " : "");
  const size_t from = strlen(r->misses);
  va_start(list, format);
  vsnprintf(r->misses + from, sizeof r->misses - from, format, list);
  va_end(list);
}

static void judge_contacts(const ff_scene_expect *e, ff_scene_result *r)
{
  if (!isnan(e->penetration))
    judge(r, r->penetration <= e->penetration, "%.3g mm deep %g ms after touching, not at most %.3g mm",
          1e3 * r->penetration, 1e3 * FF_SCENE_GRACE, 1e3 * e->penetration);
  if (!isnan(e->drift))
    judge(r, r->drift <= e->drift, "joints %.3g mm apart, not at most %.3g mm", 1e3 * r->drift,
          1e3 * e->drift);
  if (!isnan(e->unconverged))
    judge(r, r->unconverged <= e->unconverged, "%.3g %% of the steps not converged, not at most %.3g %%",
          1e2 * r->unconverged, 1e2 * e->unconverged);
  if (!isnan(e->contacts))
    judge(r, r->contacts >= e->contacts, "%d contact%s at the end, not at least %g", r->contacts,
          r->contacts == 1 ? "" : "s", e->contacts);
  if (!isnan(e->fallen[0]))
    judge(r, r->fallen >= e->fallen[0] && r->fallen <= e->fallen[1], "%d fallen, not %g to %g", r->fallen,
          e->fallen[0], e->fallen[1]);
  if (!isnan(e->moved))
    judge(r, r->moved <= e->moved, "moved by %.3g m, not at most %.3g m", r->moved, e->moved);
}

static void judge_passing(const ff_scene_expect *e, ff_scene_result *r)
{
  if (!isnan(e->passed))
    judge(r, (double)r->passed <= e->passed, "%s (%lld time%s, not at most %g)", r->passing, r->passed,
          r->passed == 1 ? "" : "s", e->passed);
}

static void judge_all(const ff_scene_expect *e, ff_scene_result *r)
{
  judge_passing(e, r);
  if (!isnan(e->com_error))
    judge(r, r->com_error <= e->com_error, "the centre of mass is off by %.3g mm, not at most %.3g mm",
          1e3 * r->com_error, 1e3 * e->com_error);
  if (!isnan(e->steps))
    judge(r, r->steps >= e->steps, "%d step%s, not at least %g", r->steps, r->steps == 1 ? "" : "s",
          e->steps);
  if (!isnan(e->flight))
    judge(r, r->flight >= e->flight, "%.3g s of flight, not at least %.3g s", r->flight, e->flight);
  if (!isnan(e->speed[0]))
    judge(r, r->speed >= e->speed[0] && r->speed <= e->speed[1], "%.3g m/s, not %.3g to %.3g m/s", r->speed,
          e->speed[0], e->speed[1]);
  if (!isnan(e->advance))
    judge(r, r->advance >= e->advance, "%.3g m ahead, not at least %.3g m", r->advance, e->advance);
  if (!isnan(e->rise))
    judge(r, r->rise >= e->rise, "%.3g m higher, not at least %.3g m", r->rise, e->rise);
  if (!isnan(e->final_speed))
    judge(r, r->final_speed <= e->final_speed, "%.3g m/s at the end, not at most %.3g m/s", r->final_speed,
          e->final_speed);
  if (e->upright)
    judge(r, r->is_upright, "not upright");
  judge_contacts(e, r);
}

void ff_scene_get_result(const ff_scene *scene, ff_scene_result *out)
{
  const ffi_scene_watch *w = &scene->watch;
  const double *q = ff_scene_now_q(scene), time = (double)scene->step * scene->def->sim.dt;
  double momentum[6];
  *out = w->result;
  out->advance = out->speed = out->rise = out->height = NAN;
  out->is_upright = 1;
  if (w->base >= 0) {
    const double *before = scene->q + w->base_q, *after = q + w->base_q;
    out->advance = after[0] - before[0];
    out->rise = after[2] - before[2];
    out->speed = time > 0 ? out->advance / time : NAN;
    out->height = w->stood > 0 ? (after[2] - w->floor) / w->stood : NAN;
    out->is_upright = out->tilt_most <= fallen_tilt && !(out->height <= 0.5);
  }
  ff_dynamics_kinematics(w->dynamics, q, ff_scene_now_v(scene), NULL);
  ff_dynamics_momentum(w->dynamics, momentum);
  out->final_speed = hypot(hypot(momentum[0], momentum[1]), momentum[2]) / ff_model_mass(scene->model);
  ffi_scene_settle_bodies(scene, out);
  ffi_scene_settle_steps(scene, out);
  judge_all(&scene->def->expect, out);
  if (scene->step == 0 && out->expected > 0) { // a start is no achievement
    out->missed = out->expected;
    snprintf(out->misses, sizeof out->misses, "nothing was simulated");
  }
}
