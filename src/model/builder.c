// The builder's calls. Each one checks, then reserves all memory it needs, and only then changes anything: so
// a call that fails leaves the builder as it was.
#include "model/builder.h"

#include "base/fail.h"
#include "base/grow.h"
#include "math/quaternion.h"
#include "model/check.h"
#include "model/inertia.h"

#include <math.h>
#include <stdio.h>

static ff_status no_memory(const ff_builder *b, ff_error *error)
{
  return ffi_fail(error, FF_ERROR_MEMORY, b->source.file, b->source.line, "", "there is not enough memory");
}

static ff_status null_argument(ff_error *error, const char *function)
{
  return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, function, "an argument is NULL");
}

static ff_status too_many(const ff_builder *b, const char *what, ff_error *error)
{
  return ffi_fail(error, FF_ERROR_LIMIT, b->source.file, b->source.line, "", "there are more than %d %s",
                  (int)FF_MAX_LINKS, what);
}

static ff_status check_link_id(const ff_builder *b, const char *thing, int link, ff_error *error)
{
  if (link == FF_WORLD || (link >= 0 && link < b->link_count))
    return FF_OK;
  return ffi_fail(error, FF_ERROR_ARGUMENT, b->source.file, b->source.line, thing, "there is no link %d",
                  link);
}

// ---- Life -------------------------------------------------------------------------------------------------

ff_status ff_builder_create(const char *model_name, ff_builder **out, ff_error *error)
{
  if (!out)
    return null_argument(error, "ff_builder_create");
  *out = NULL;
  ff_builder *b = calloc(1, sizeof *b);
  if (!b)
    return ffi_fail(error, FF_ERROR_MEMORY, NULL, 0, "", "there is not enough memory");
  ffi_v3_set(0, 0, -9.81, b->gravity);
  ff_status status = ffi_check_name(b, "model", model_name, error);
  if (status != FF_OK)
    goto fail;
  b->name = ffi_arena_string(&b->arena, model_name);
  if (!b->name) {
    status = no_memory(b, error);
    goto fail;
  }
  *out = b;
  return FF_OK;
fail:
  ff_builder_destroy(b);
  return status;
}

void ff_builder_destroy(ff_builder *builder)
{
  if (!builder)
    return;
  free(builder->links);
  free(builder->frames);
  free(builder->shapes);
  free(builder->actuators);
  free(builder->elements);
  free(builder->tendons);
  free(builder->exclusions);
  free(builder->pairs);
  free(builder->postures);
  free(builder->entries);
  free(builder->warnings);
  ffi_names_free(&builder->frame_names);
  ffi_names_free(&builder->joint_names);
  ffi_names_free(&builder->posture_names);
  ffi_names_free(&builder->element_names);
  ffi_names_free(&builder->tendon_names);
  ffi_arena_free(&builder->arena);
  free(builder);
}

void ff_builder_set_source(ff_builder *builder, const char *file, int line)
{
  if (!builder)
    return;
  const char *last = builder->source.file;
  if (!file)
    builder->source.file = NULL;
  else if (!last || strcmp(last, file) != 0)
    builder->source.file = ffi_arena_string(&builder->arena, file); // without memory: from no file
  builder->source.line = line;
}

ff_status ff_builder_set_gravity(ff_builder *builder, const double gravity[3], ff_error *error)
{
  if (!builder || !gravity)
    return null_argument(error, "ff_builder_set_gravity");
  if (!ffi_all_finite(gravity, 3))
    return ffi_fail(error, FF_ERROR_MODEL, builder->source.file, builder->source.line, "gravity",
                    "it is not finite");
  ffi_v3_copy(gravity, builder->gravity);
  return FF_OK;
}

// ---- Warnings ---------------------------------------------------------------------------------------------

// Keep "file:line: thing: text"; thing may be "".
static ff_status warn(ff_builder *b, const char *thing, const char *text, ff_error *error)
{
  ff_error line; // composes the sentence as it does for errors
  ffi_fail(&line, FF_OK, b->source.file, b->source.line, thing, "%s", text);
  void *items = ffi_grow(b->warnings, b->warning_count, &b->warning_capacity, sizeof *b->warnings);
  if (items)
    b->warnings = items;
  const char *copy = items ? ffi_arena_string(&b->arena, line.message) : NULL;
  if (!copy)
    return no_memory(b, error);
  b->warnings[b->warning_count++] = copy;
  return FF_OK;
}

ff_status ff_builder_add_warning(ff_builder *builder, const char *text, ff_error *error)
{
  if (!builder || !text)
    return null_argument(error, "ff_builder_add_warning");
  if (builder->warning_count >= FF_MAX_LINKS)
    return too_many(builder, "warnings", error);
  return warn(builder, "", text, error);
}

// What is odd about a link that is accepted nevertheless; drops limits that its joint cannot have.
static ff_status warn_of_link(ff_builder *b, const char *link, const char *joint_thing, ff_joint_def *joint,
                              const ff_inertia *inertia, ff_error *error)
{
  char text[400];
  ff_status status = FF_OK;
  if (ffi_inertia_suspicious(inertia, text, sizeof text))
    status = warn(b, link, text, error);
  int drops_limits =
      joint->has_limits && (ffi_joint_type_nq(joint->type) != 1 || joint->type == FF_JOINT_CONTINUOUS);
  if (drops_limits) {
    joint->has_limits = 0;
    if (status == FF_OK && joint->type != FF_JOINT_FIXED) {
      snprintf(text, sizeof text, "a %s joint has no limits here; those given are ignored",
               ff_joint_type_name(joint->type));
      status = warn(b, joint_thing, text, error);
    }
  }
  if (!joint->has_limits)
    joint->lower = -(double)INFINITY, joint->upper = (double)INFINITY;
  return status;
}

// ---- Links ------------------------------------------------------------------------------------------------

static ff_status check_frame_name(const ff_builder *b, const char *kind, const char *name, ff_error *error)
{
  ff_status status = ffi_check_name(b, kind, name, error);
  if (status != FF_OK)
    return status;
  ffi_check_label thing = ffi_check_make_label(kind, name);
  if (strcmp(name, "world") == 0)
    return ffi_fail(error, FF_ERROR_MODEL, b->source.file, b->source.line, thing.text,
                    "'world' is the name of the world's own frame; attach things to the world instead");
  if (ffi_names_find(&b->frame_names, name) >= 0)
    return ffi_fail(error, FF_ERROR_MODEL, b->source.file, b->source.line, thing.text,
                    "there is already a link or frame of this name");
  return FF_OK;
}

static ff_status check_joint_name(const ff_builder *b, const char *name, ff_error *error)
{
  ff_status status = ffi_check_name(b, "joint", name, error);
  if (status != FF_OK)
    return status;
  ffi_check_label thing = ffi_check_make_label("joint", name);
  if (ffi_names_find(&b->joint_names, name) >= 0)
    return ffi_fail(error, FF_ERROR_MODEL, b->source.file, b->source.line, thing.text,
                    "there is already a joint of this name");
  return FF_OK;
}

static ff_status check_place(const ff_builder *b, const char *thing, int parent, ff_error *error)
{
  if (b->link_count >= FF_MAX_LINKS)
    return too_many(b, "links", error);
  ff_status status = check_link_id(b, thing, parent, error);
  if (status == FF_OK && parent != FF_WORLD && b->links[parent].depth + 1 >= FF_MAX_DEPTH)
    return ffi_fail(error, FF_ERROR_LIMIT, b->source.file, b->source.line, thing,
                    "it is more than %d links away from the world", (int)FF_MAX_DEPTH);
  return status;
}

// Room for one more link, and copies of its names.
static int reserve_link(ff_builder *b, ff_link_def *def)
{
  void *items = ffi_grow(b->links, b->link_count, &b->link_capacity, sizeof *b->links);
  if (!items)
    return 0;
  b->links = items;
  if (!ffi_names_reserve(&b->frame_names) || !ffi_names_reserve(&b->joint_names))
    return 0;
  int is_shared = def->joint.name == def->name;
  def->name = ffi_arena_string(&b->arena, def->name);
  def->joint.name = is_shared ? def->name : ffi_arena_string(&b->arena, def->joint.name);
  return def->name && def->joint.name;
}

// Checks a link, reserves its memory and adds its warnings.
static ff_status check_link(ff_builder *b, ff_link_def *link, ff_error *error)
{
  const ffi_check_label thing = ffi_check_make_label("link", link->name);
  const ffi_check_label joint_thing = ffi_check_make_label("joint", link->joint.name);
  ff_status status = check_frame_name(b, "link", link->name, error);
  if (status == FF_OK)
    status = check_joint_name(b, link->joint.name, error);
  if (status == FF_OK)
    status = check_place(b, thing.text, link->parent, error);
  if (status == FF_OK)
    status = ffi_check_joint(b, joint_thing.text, link->parent, &link->joint, error);
  if (status == FF_OK)
    status = ffi_check_inertia(b, thing.text, &link->inertia, error);
  if (status == FF_OK && !isfinite(link->gravity_compensation))
    status = ffi_fail(error, FF_ERROR_MODEL, b->source.file, b->source.line, thing.text,
                      "its gravity compensation is not finite");
  if (status != FF_OK)
    return status;
  if (!reserve_link(b, link))
    return no_memory(b, error);
  const int warnings = b->warning_count;
  status = warn_of_link(b, thing.text, joint_thing.text, &link->joint, &link->inertia, error);
  if (status != FF_OK)
    b->warning_count = warnings;
  return status;
}

ff_status ff_builder_add_link(ff_builder *builder, const ff_link_def *def, int *id, ff_error *error)
{
  if (!builder || !def)
    return null_argument(error, "ff_builder_add_link");
  ff_builder *b = builder;
  ff_link_def link = *def;
  if (!link.joint.name)
    link.joint.name = link.name;
  const ff_status status = check_link(b, &link, error);
  if (status != FF_OK)
    return status;

  const int k = b->link_count++;
  b->nq += ffi_joint_type_nq(link.joint.type);
  const ffi_build_link *parent = link.parent == FF_WORLD ? NULL : &b->links[link.parent];
  const int is_fixed = link.joint.type == FF_JOINT_FIXED;
  // NOLINTNEXTLINE(clang-analyzer-core.NullDereference): reserve_link() made room
  b->links[k] = (ffi_build_link){
      .def = link,
      .source = b->source,
      .carrier = link.parent,
      .depth = parent ? parent->depth + 1 : 0,
      .is_anchored = is_fixed && (!parent || parent->is_anchored),
      .rigid = !is_fixed ? k
               : parent  ? parent->rigid
                         : FF_WORLD,
  };
  ffi_names_put(&b->frame_names, link.name, k);
  ffi_names_put(&b->joint_names, link.joint.name, k);
  if (id)
    *id = k;
  return FF_OK;
}

// ---- What links carry -------------------------------------------------------------------------------------

ff_status ff_builder_add_frame(ff_builder *builder, int link, const char *name, const ff_pose *pose,
                               ff_error *error)
{
  if (!builder || !pose)
    return null_argument(error, "ff_builder_add_frame");
  ff_builder *b = builder;
  ffi_build_frame frame = {.link = link, .pose = *pose};
  ffi_check_label thing = ffi_check_make_label("frame", name);
  ff_status status = check_frame_name(b, "frame", name, error);
  if (status == FF_OK)
    status = check_link_id(b, thing.text, link, error);
  if (status == FF_OK)
    status = ffi_check_pose(&b->source, thing.text, &frame.pose, error);
  if (status != FF_OK)
    return status;
  if (b->frame_count >= FF_MAX_LINKS)
    return too_many(b, "frames", error);

  void *items = ffi_grow(b->frames, b->frame_count, &b->frame_capacity, sizeof *b->frames);
  if (items)
    b->frames = items;
  frame.name = items && ffi_names_reserve(&b->frame_names) ? ffi_arena_string(&b->arena, name) : NULL;
  if (!frame.name)
    return no_memory(b, error);
  ffi_names_put(&b->frame_names, frame.name, FFI_FIRST_FRAME + b->frame_count);
  b->frames[b->frame_count++] = frame;
  return FF_OK;
}

static const double *copy_numbers(ff_builder *b, const double *numbers, size_t count)
{
  double *copy = ffi_arena_take(&b->arena, count, sizeof *copy);
  return copy ? memcpy(copy, numbers, count * sizeof *copy) : NULL;
}

// Copies of what a shape points at; what its type does not use is dropped.
static int copy_shape_parts(ff_builder *b, ff_shape_def *shape)
{
  if (shape->name && !(shape->name = ffi_arena_string(&b->arena, shape->name)))
    return 0;
  if (shape->type == FF_SHAPE_HULL) {
    if (!(shape->vertices = copy_numbers(b, shape->vertices, 3 * (size_t)shape->vertex_count)))
      return 0;
  } else {
    shape->vertices = NULL;
    shape->vertex_count = 0;
  }
  if (shape->type == FF_SHAPE_HEIGHTFIELD) {
    if (!(shape->heights = copy_numbers(b, shape->heights, (size_t)shape->rows * (size_t)shape->columns)))
      return 0;
  } else {
    shape->heights = NULL;
    shape->rows = shape->columns = 0;
  }
  if (shape->type != FF_SHAPE_MESH && shape->type != FF_SHAPE_HULL)
    shape->mesh_file = NULL;
  return !shape->mesh_file || (shape->mesh_file = ffi_arena_string(&b->arena, shape->mesh_file));
}

ff_status ff_builder_add_shape(ff_builder *builder, int link, const ff_shape_def *def, ff_error *error)
{
  if (!builder || !def)
    return null_argument(error, "ff_builder_add_shape");
  ff_builder *b = builder;
  ffi_build_shape shape = {.link = link, .def = *def};
  ffi_check_label thing = ffi_check_make_label("shape", def->name);
  if (!def->name && link >= 0 && link < b->link_count)
    thing = ffi_check_make_label("shape of link", b->links[link].def.name);
  ff_status status = def->name ? ffi_check_name(b, "shape", def->name, error) : FF_OK;
  if (status == FF_OK)
    status = check_link_id(b, thing.text, link, error);
  if (status == FF_OK)
    status = ffi_check_shape(&b->source, thing.text, &shape.def, error);
  if (status != FF_OK)
    return status;
  if (b->shape_count >= FF_MAX_LINKS)
    return too_many(b, "shapes", error);

  void *items = ffi_grow(b->shapes, b->shape_count, &b->shape_capacity, sizeof *b->shapes);
  if (items)
    b->shapes = items;
  if (!items || !copy_shape_parts(b, &shape.def))
    return no_memory(b, error);
  b->shapes[b->shape_count++] = shape;
  return FF_OK;
}

ff_status ff_builder_add_actuator(ff_builder *builder, const ff_actuator_def *def, ff_error *error)
{
  if (!builder || !def)
    return null_argument(error, "ff_builder_add_actuator");
  ff_builder *b = builder;
  ff_actuator_def actuator = *def;
  ffi_check_label thing = ffi_check_make_label("actuator", def->name);
  ff_status status = def->name ? ffi_check_name(b, "actuator", def->name, error) : FF_OK;
  if (status == FF_OK)
    status = ffi_check_actuator(b, thing.text, def, error);
  if (status != FF_OK)
    return status;
  if (b->actuator_count >= FF_MAX_LINKS)
    return too_many(b, "actuators", error);

  void *items = ffi_grow(b->actuators, b->actuator_count, &b->actuator_capacity, sizeof *b->actuators);
  if (items)
    b->actuators = items;
  if (!items || (def->name && !(actuator.name = ffi_arena_string(&b->arena, def->name))) ||
      (def->frame && !(actuator.frame = ffi_arena_string(&b->arena, def->frame))))
    return no_memory(b, error);
  b->actuators[b->actuator_count++] = actuator;
  return FF_OK;
}

// ---- Postures ---------------------------------------------------------------------------------------------

static ff_status check_posture_entry(const ff_builder *b, const char *thing, int link,
                                     ffi_build_posture_entry *entry, ff_error *error)
{
  const char *file = b->source.file;
  int line = b->source.line;
  if (link < 0 || link >= b->link_count)
    return ffi_fail(error, FF_ERROR_ARGUMENT, file, line, thing, "there is no link %d", link);
  const ff_joint_def *joint = &b->links[link].def.joint;
  int nq = ffi_joint_type_nq(joint->type);
  if (entry->count != nq)
    return ffi_fail(error, FF_ERROR_ARGUMENT, file, line, thing, "joint '%.200s' has %d coordinates, not %d",
                    joint->name, nq, entry->count);
  if (!ffi_all_finite(entry->q, nq))
    return ffi_fail(error, FF_ERROR_MODEL, file, line, thing, "a coordinate of joint '%.200s' is not finite",
                    joint->name);
  int has_quaternion = joint->type == FF_JOINT_FREE || joint->type == FF_JOINT_SPHERICAL;
  double *quaternion = entry->q + (has_quaternion ? nq - 4 : 0);
  if (has_quaternion && !ffi_quat_normalize(quaternion, quaternion))
    return ffi_fail(error, FF_ERROR_MODEL, file, line, thing, "the quaternion of joint '%.200s' is zero",
                    joint->name);
  return FF_OK;
}

ff_status ffi_builder_check_postures(const ff_builder *b, int count, ff_error *error)
{
  if ((long long)count * b->nq <= FF_MAX_POSTURE_COORDINATES)
    return FF_OK;
  return ffi_fail(error, FF_ERROR_LIMIT, b->source.file, b->source.line, "",
                  "more than %d coordinates in all postures: %d of %d each", (int)FF_MAX_POSTURE_COORDINATES,
                  count, b->nq);
}

ff_status ff_builder_set_posture(ff_builder *builder, const char *posture, int link, const double *q,
                                 int count, ff_error *error)
{
  if (!builder || !posture || (!q && count > 0))
    return null_argument(error, "ff_builder_set_posture");
  ff_builder *b = builder;
  ffi_check_label thing = ffi_check_make_label("posture", posture);
  ffi_build_posture_entry entry = {.link = link, .count = count};
  ff_status status = ffi_check_name(b, "posture", posture, error);
  for (int i = 0; i < count && i < 7; ++i)
    entry.q[i] = q[i];
  if (status == FF_OK)
    status = check_posture_entry(b, thing.text, link, &entry, error);
  if (status != FF_OK)
    return status;

  int known = ffi_names_find(&b->posture_names, posture);
  if (known < 0 && b->posture_count >= FF_MAX_LINKS)
    return too_many(b, "postures", error);
  if (known < 0)
    status = ffi_builder_check_postures(b, b->posture_count + 1, error);
  if (status != FF_OK)
    return status;
  entry.posture = known >= 0 ? known : b->posture_count;
  void *entries = ffi_grow(b->entries, b->entry_count, &b->entry_capacity, sizeof *b->entries);
  if (!entries)
    return no_memory(b, error);
  b->entries = entries;
  if (known < 0) {
    void *postures = ffi_grow(b->postures, b->posture_count, &b->posture_capacity, sizeof *b->postures);
    if (postures)
      b->postures = postures;
    const char *name =
        postures && ffi_names_reserve(&b->posture_names) ? ffi_arena_string(&b->arena, posture) : NULL;
    if (!name)
      return no_memory(b, error);
    ffi_names_put(&b->posture_names, name, b->posture_count);
    b->postures[b->posture_count++] = name;
  }
  b->entries[b->entry_count++] = entry;
  return FF_OK;
}
