// The defaults of a scene, and copies of one. Numbers that are known only later, or may be absent, are NAN by default.
#include "base/def.h"
#include "base/fail.h"
#include "scene/scene.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

// ---- Defaults -------------------------------------------------------------------------------------------------------

static const ff_scene_expect nothing_expected = {.com_error = NAN,
                                                 .steps = NAN,
                                                 .flight = NAN,
                                                 .speed = {NAN, NAN},
                                                 .advance = NAN,
                                                 .final_speed = NAN,
                                                 .penetration = NAN,
                                                 .drift = NAN,
                                                 .unconverged = NAN,
                                                 .contacts = NAN,
                                                 .fallen = {NAN, NAN},
                                                 .moved = NAN,
                                                 .rise = NAN,
                                                 .passed = NAN};

static ff_scene_controller default_controller(void)
{
  const ff_controller_def def = ff_controller_def_default();
  ff_scene_controller c = {.type = def.type,
                           .period = NAN,
                           .middle = def.middle,
                           .tasks = def.tasks,
                           .kp = NAN,
                           .kd = NAN,
                           .squat = def.squat,
                           .walk = def.walk,
                           .trot = def.trot};
  c.tasks.contact.weight = -1; // not given: strict
  c.tasks.contact.is_strict = 0;
  return c;
}

// `sim` is the last field, and the only one whose size may differ between the caller and the library.
void ff_scene_def_init(ff_scene_def *def, size_t size)
{
  const size_t own = offsetof(ff_scene_def, sim);
  const ff_scene_def defaults = {
      .load = {.mimic = FF_MIMIC_COUPLE},
      .ground_count = -1,
      .material = {NAN, NAN, NAN, NAN, NAN, NAN, NAN},
      .start = {.position = {NAN, NAN, NAN}, .quaternion = {NAN, NAN, NAN, NAN}, .rpy = {NAN, NAN, NAN}},
      .controller = default_controller(),
      .duration = 10,
      .log = {.every = 1},
      .expect = nothing_expected};
  if (size < own)
    return;
  memcpy(def, &defaults, own);
  ff_sim_def_init(&def->sim, size - own);
}

// ---- Copies ---------------------------------------------------------------------------------------------------------

typedef struct copier {
  ffi_arena *arena;
  int is_short;   // of memory
  char fault[64]; // path of the first list that is NULL with a count, or has a count below 0; "": none
  int count;      // of that list
} copier;

static const char *copy_text(copier *c, const char *text)
{
  const char *copy = text ? ffi_arena_string(c->arena, text) : NULL;
  c->is_short |= text && !copy;
  return copy;
}

// NULL where there is nothing.
static void *copy_list(copier *c, const char *path, const void *list, int count, size_t size)
{
  if ((count < 0 || (!list && count > 0)) && !*c->fault) {
    snprintf(c->fault, sizeof c->fault, "%s", path);
    c->count = count;
  }
  if (!list || count <= 0)
    return NULL;
  void *copy = ffi_arena_take(c->arena, (size_t)count, size);
  c->is_short |= !copy;
  return copy ? memcpy(copy, list, (size_t)count * size) : NULL;
}

// Never NULL, unless there is no memory.
static const char *copy_name(copier *c, const char *name)
{
  return copy_text(c, name ? name : "");
}

static const char **copy_texts(copier *c, const char *path, const char *const *texts, int count)
{
  const char **copies = copy_list(c, path, texts, count, sizeof *copies);
  for (int i = 0; copies && i < count; ++i)
    copies[i] = copy_name(c, copies[i]);
  return copies;
}

static void copy_ground(copier *c, ff_scene_def *def)
{
  const int count = def->ground_count == -1 ? 0 : def->ground_count; // -1: the default ground
  ff_scene_ground *ground = copy_list(c, "ground", def->ground, count, sizeof *ground);
  for (int i = 0; ground && i < count; ++i) {
    char path[48];
    snprintf(path, sizeof path, "ground[%d].heights", i);
    ground[i].heights =
        copy_list(c, path, ground[i].heights, ground[i].heights_count, sizeof *ground[i].heights);
  }
  def->ground = ground;
}

static void copy_start(copier *c, const ff_model *model, ff_scene_start *start)
{
  ff_scene_joint *joints = copy_list(c, "start.joints", start->joints, start->joints_count, sizeof *joints);
  for (int i = 0; joints && i < start->joints_count; ++i)
    joints[i].name = copy_name(c, joints[i].name);
  start->joints = joints;
  start->posture = copy_text(c, start->posture);
  if (start->q)
    start->q = copy_list(c, "start.q", start->q, ff_model_get_size(model).nq, sizeof *start->q);
  if (start->v)
    start->v = copy_list(c, "start.v", start->v, ff_model_get_size(model).nv, sizeof *start->v);
}

static void copy_pushes(copier *c, ff_scene_pushes *pushes)
{
  ff_scene_push *list = copy_list(c, "pushes.list", pushes->list, pushes->list_count, sizeof *list);
  for (int i = 0; list && i < pushes->list_count; ++i)
    list[i].link = copy_name(c, list[i].link);
  pushes->list = list;
}

static void copy_controls(copier *c, ff_scene_def *def)
{
  ff_scene_value *list = copy_list(c, "controls", def->controls, def->controls_count, sizeof *list);
  for (int i = 0; list && i < def->controls_count; ++i)
    list[i].name = copy_name(c, list[i].name);
  def->controls = list;
}

static void copy_vary(copier *c, ff_scene_def *def)
{
  ff_scene_varied *list = copy_list(c, "vary", def->vary, def->vary_count, sizeof *list);
  for (int i = 0; list && i < def->vary_count; ++i) {
    list[i].name = copy_name(c, list[i].name);
    list[i].range = copy_name(c, list[i].range);
  }
  def->vary = list;
}

static void copy_controller(copier *c, ff_scene_controller *k)
{
  ff_scene_gain *joints = copy_list(c, "controller.joints", k->joints, k->joints_count, sizeof *joints);
  for (int i = 0; joints && i < k->joints_count; ++i)
    joints[i].name = copy_name(c, joints[i].name);
  k->joints = joints;
  k->feet = copy_texts(c, "controller.feet", k->feet, k->feet_count);
  k->trajectory = copy_text(c, k->trajectory);
  k->squat.feet = copy_texts(c, "controller.squat.feet", k->squat.feet, k->squat.feet_count);
  k->walk.right_foot = copy_text(c, k->walk.right_foot);
  k->walk.left_foot = copy_text(c, k->walk.left_foot);
  k->walk.base = copy_text(c, k->walk.base);
  k->trot.base = copy_text(c, k->trot.base);
  k->trot.feet = copy_texts(c, "controller.trot.feet", k->trot.feet, k->trot.feet_count);
}

ff_status ffi_scene_def_copy(ffi_arena *arena, const ff_model *model, const ff_scene_def *def,
                             ff_scene_def **out, ff_error *error)
{
  const ff_sim_def defaults = ff_sim_def_default();
  copier c = {.arena = arena};
  ff_scene_def *copy = ffi_arena_take(arena, 1, sizeof *copy);
  if (!copy)
    return ffi_fail(error, FF_ERROR_MEMORY, NULL, 0, NULL, "no memory for a scene");
  memcpy(copy, def, offsetof(ff_scene_def, sim));
  const ff_status status =
      ffi_def_take(&def->sim, &(ffi_def_kind){"ff_sim_def", sizeof defaults, &defaults}, &copy->sim, error);
  if (status != FF_OK)
    return status;
  copy->title = copy_text(&c, copy->title);
  copy->model = copy_text(&c, copy->model);
  copy->log.file = copy_text(&c, copy->log.file);
  copy->load.mesh_paths =
      copy_texts(&c, "load.mesh_paths", copy->load.mesh_paths, copy->load.mesh_paths_count);
  copy->coordinates.joints =
      copy_texts(&c, "coordinates.joints", copy->coordinates.joints, copy->coordinates.joints_count);
  copy_ground(&c, copy);
  copy_start(&c, model, &copy->start);
  copy_pushes(&c, &copy->pushes);
  copy_controller(&c, &copy->controller);
  copy_controls(&c, copy);
  copy_vary(&c, copy);
  *out = copy;
  if (*c.fault)
    return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, c.fault,
                    c.count < 0 ? "its count, %d, is below 0" : "is NULL, but its count is %d", c.count);
  return c.is_short ? ffi_fail(error, FF_ERROR_MEMORY, NULL, 0, NULL, "no memory for a scene") : FF_OK;
}
