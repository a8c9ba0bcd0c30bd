// Pushes: forces on links at given times, varied by a seed.
//
// A push acts as a controller does: its generalised force is computed at the start of a period, with the link where it
// is then, and held. The impulse over the whole duration is exact whatever the period.
#include "base/fail.h"
#include "scene/scene.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

// ---- Chance ---------------------------------------------------------------------------------------------------------

// Splitmix64 (Steele, Lea, Flood 2014): the same sequence of a seed on every machine.
static uint64_t draw_bits(uint64_t *state)
{
  uint64_t z = *state += 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

// Uniform in -width..width.
static double draw(uint64_t *state, double width)
{
  return width * (2 * ((double)(draw_bits(state) >> 11) * 0x1p-53) - 1);
}

// Turned about the vertical, then towards it or away from it, and longer or shorter.
static void turn(double f[3], double angle, double tilt, double scale)
{
  const double flat = hypot(f[0], f[1]), size = hypot(flat, f[2]);
  const double heading = atan2(f[1], f[0]) + angle, rise = atan2(f[2], flat) + tilt;
  f[0] = scale * size * cos(rise) * cos(heading);
  f[1] = scale * size * cos(rise) * sin(heading);
  f[2] = scale * size * sin(rise);
}

void ffi_scene_push_change(ffi_scene_force *push, const ffi_scene_change *by)
{
  turn(push->force, by->angle, by->tilt, by->scale);
  for (int k = 0; k < 3; ++k)
    push->point.offset[k] += by->place[k];
  push->from += by->time;
}

static void vary(ffi_scene_force *push, const ff_scene_vary *v, uint64_t *state)
{
  ffi_scene_change by;
  by.scale = 1 + draw(state, v->magnitude);
  by.angle = draw(state, v->angle);
  by.tilt = draw(state, v->tilt);
  for (int k = 0; k < 3; ++k)
    by.place[k] = draw(state, v->place);
  by.time = (draw(state, v->time) + v->time) / 2;
  ffi_scene_push_change(push, &by);
}

// ---- Creation -------------------------------------------------------------------------------------------------------

ff_status ffi_scene_push_written(const ff_scene *scene, int index, ffi_scene_force *out, ff_error *error)
{
  const ff_scene_push *p = &scene->def->pushes.list[index];
  const int has_force = !isnan(p->force[0]), has_impulse = !isnan(p->impulse[0]);
  const int link = ff_model_find_link(scene->model, p->link);
  ff_link_info info;
  ff_frame_info frame;
  char path[48];
  snprintf(path, sizeof path, "pushes.list[%d]%s", index, has_force == has_impulse ? "" : ".link");
  if (has_force == has_impulse)
    return ffi_scene_fail(scene, FF_ERROR_ARGUMENT, path, error, "needs %s 'force' or 'impulse'%s",
                          has_force ? "either" : "a", has_force ? ", not both" : "");
  if (link < 0) {
    ff_nearest nearest = {.word = p->link};
    for (int i = 0; ff_model_link(scene->model, i, &info) == FF_OK; ++i)
      ff_nearest_try(&nearest, info.name);
    return ffi_scene_fail(scene, FF_ERROR_ARGUMENT, path, error, "the model has no link '%.80s'%s%s%s",
                          p->link, nearest.meant ? "; did you mean '" : "",
                          nearest.meant ? nearest.meant : "", nearest.meant ? "'?" : "");
  }
  ff_model_link(scene->model, link, &info);
  if (ff_model_frame(scene->model, info.frame, &frame) != FF_OK || frame.joint < 0)
    return ffi_scene_fail(scene, FF_ERROR_ARGUMENT, path, error, "the link '%.80s' does not move", p->link);
  *out = (ffi_scene_force){.point.frame = info.frame, .link = link, .from = p->from, .duration = p->duration};
  for (int k = 0; k < 3; ++k) {
    out->point.offset[k] = p->at[k];
    out->force[k] = has_force ? p->force[k] : p->impulse[k] / p->duration;
  }
  return FF_OK;
}

ff_status ffi_scene_push_prepare(ff_scene *scene, ff_error *error)
{
  ff_dynamics_def def = ff_dynamics_def_default();
  def.max_points = 1;
  if (scene->push_dynamics)
    return FF_OK;
  scene->push_J = calloc(6 * (size_t)scene->nv + 1, sizeof *scene->push_J);
  return scene->push_J ? ff_dynamics_create(scene->model, &def, &scene->push_dynamics, error)
                       : ffi_scene_no_memory(scene, error);
}

ff_status ffi_scene_push_make(ff_scene *scene, ff_error *error)
{
  const ff_scene_pushes *p = &scene->def->pushes;
  if (p->list_count == 0)
    return FF_OK;
  scene->pushes = calloc((size_t)p->list_count, sizeof *scene->pushes);
  if (!scene->pushes)
    return ffi_scene_no_memory(scene, error);
  ff_status status = ffi_scene_push_prepare(scene, error);
  for (int i = 0; i < p->list_count && status == FF_OK; ++i) {
    uint64_t state = ((uint64_t)p->seed << 20) + (uint64_t)i;
    status = ffi_scene_push_written(scene, i, &scene->pushes[i], error);
    if (status == FF_OK && p->seed != 0)
      vary(&scene->pushes[i], &p->list[i].vary, &state);
  }
  return status;
}

void ffi_scene_push_free(ff_scene *scene)
{
  ff_dynamics_destroy(scene->push_dynamics);
  free(scene->pushes);
  free(scene->push_J);
}

// ---- What they are --------------------------------------------------------------------------------------------------

int ff_scene_push_count(const ff_scene *scene)
{
  return scene->def->pushes.list_count;
}

ff_scene_force ff_scene_push_force(const ff_scene *scene, int push)
{
  const ffi_scene_force *p = &scene->pushes[push];
  ff_scene_force out = {.link = p->link, .from = p->from, .duration = p->duration};
  for (int k = 0; k < 3; ++k) {
    out.at[k] = p->point.offset[k];
    out.force[k] = p->force[k];
  }
  return out;
}

// ---- A period -------------------------------------------------------------------------------------------------------

void ffi_scene_push_add(ff_scene *scene, double time, const double *q, double *tau)
{
  int is_placed = 0;
  for (int i = 0; i < scene->def->pushes.list_count; ++i) {
    const ffi_scene_force *p = &scene->pushes[i];
    const double from = fmax(time, p->from), to = fmin(time + scene->period, p->from + p->duration),
                 part = (to - from) / scene->period;
    if (!(part > 1e-9)) // periods and times that should agree are equal but for rounding
      continue;
    if (!is_placed)
      ff_dynamics_kinematics(scene->push_dynamics, q, NULL, NULL);
    is_placed = 1;
    ff_dynamics_point_jacobian(scene->push_dynamics, 1, &p->point, scene->push_J);
    for (int k = 0; k < 3; ++k)
      for (int j = 0; j < scene->nv; ++j)
        tau[j] += part * p->force[k] * scene->push_J[k * scene->nv + j];
  }
}
