// Collects grounds and collision shapes, lists their pairs, and puts all of it into one block of memory.
#include "contact/detect/colliders.h"

#include "contact/detect/broad_phase.h"
#include "contact/detect/collider_pairs.h"

#include "base/arena.h"
#include "base/block.h"
#include "base/fail.h"
#include "geometry/plane/hull_weights.h"
#include "math/mat3.h"
#include "math/quaternion.h"
#include "model/check.h"

#include <stdio.h>
#include <stdlib.h>

enum { MAX_GROUNDS = 10000 }; // far above any use; keeps counts and products in range

// Checked grounds and the colliders, in an arena, before the block of memory is allocated.
typedef struct plan {
  const ff_model *model;
  int self_collision;
  ff_ground_def *grounds; ///< [ground_count] checked, poses normalised; strings and heights are the caller's
  int ground_count;
  ffi_collider *colliders; ///< [collider_count]
  int collider_count;
  ffi_height_field *fields;  ///< [collider_count], those of height fields are set
  ffi_hull_weights *weights; ///< [collider_count], those of hulls that have some are set
  ffi_collider_pairs_totals totals;
} plan;

// ---- Ground -----------------------------------------------------------------------------------------------

static int is_fixed(const ff_model *model, const ff_shape_info *shape)
{
  return model->frames[shape->frame].body == 0;
}

static int is_collision(const ff_shape_info *shape)
{
  return (shape->def.purpose & FF_SHAPE_COLLISION) != 0;
}

// Has the model ground of its own: a shape fixed in the world that is not part of a robot that moves?
static int has_own_ground(const ff_model *model)
{
  for (int i = 0; i < model->size.shapes; ++i) {
    const ff_shape_info *shape = &model->shapes[i];
    if (is_collision(shape) && is_fixed(model, shape) && ffi_collision_is_scenery(model, i))
      return 1;
  }
  return 0;
}

static ff_status check_ground_material(const char *thing, const ff_ground_def *ground, ff_error *error)
{
  const ff_material *m = &ground->shape.material;
  const char *what = NULL;
  double value = 0;
  if (!(m->stiffness > 0))
    what = "the stiffness of its material must be > 0", value = m->stiffness;
  else if (!(m->damping >= 0))
    what = "the damping of its material must be >= 0", value = m->damping;
  else if (!(m->friction >= 0))
    what = "the friction of its material must be >= 0", value = m->friction;
  else if (!(m->restitution >= 0 && m->restitution <= 1))
    what = "the restitution of its material must lie in 0..1", value = m->restitution;
  else if (!(m->tangential_restitution >= 0 && m->tangential_restitution <= 1))
    what = "the tangential restitution of its material must lie in 0..1", value = m->tangential_restitution;
  else if (!(m->torsional_friction >= 0) || isinf(m->torsional_friction))
    what = "the torsional friction of its material must be finite and >= 0", value = m->torsional_friction;
  else if (!(m->rolling_friction >= 0) || isinf(m->rolling_friction))
    what = "the rolling friction of its material must be finite and >= 0", value = m->rolling_friction;
  else if (ground->gives_pair && isinf(m->stiffness))
    what = "it gives the pair's material, so its stiffness must be finite", value = m->stiffness;
  else if (ground->gives_pair && isinf(m->damping))
    what = "it gives the pair's material, so its damping must be finite", value = m->damping;
  else if (ground->gives_pair && isinf(m->friction))
    what = "it gives the pair's material, so its friction must be finite", value = m->friction;
  if (!what)
    return FF_OK;
  return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, thing, "%s (it is %g)", what, value);
}

// Checks one ground and normalises its quaternion.
static ff_status check_ground(int index, ff_ground_def *ground, ff_error *error)
{
  char thing[32];
  snprintf(thing, sizeof thing, "ground %d", index);
  ff_shape_def *shape = &ground->shape;
  if (shape->type != FF_SHAPE_PLANE && shape->type != FF_SHAPE_BOX && shape->type != FF_SHAPE_HEIGHTFIELD)
    return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, thing,
                    "its shape is a %s; ground can be a plane, a box or a height field",
                    ff_shape_type_name(shape->type));
  const ffi_source nowhere = {0};
  ff_status status = ffi_check_shape_geometry(&nowhere, thing, shape, error);
  if (status == FF_OK)
    status = check_ground_material(thing, ground, error);
  if (status != FF_OK)
    return status;
  if (!ffi_all_finite(ground->velocity, 6))
    return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, thing, "its velocity is not finite");
  return FF_OK;
}

static ff_status plan_grounds(plan *p, const ff_sim_def *def, ffi_arena *arena, ff_error *error)
{
  if (def->ground_count < -1 || def->ground_count > MAX_GROUNDS)
    return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, NULL,
                    "ground_count is %d; it can be -1 (the default ground), or 0..%d", def->ground_count,
                    MAX_GROUNDS);
  if (def->ground_count > 0 && !def->ground)
    return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, NULL, "ground_count is %d, but ground is NULL",
                    def->ground_count);
  const int is_default = def->ground_count == -1 && !has_own_ground(p->model);
  p->ground_count = is_default ? 1 : def->ground_count > 0 ? def->ground_count : 0;
  p->grounds = ffi_arena_take(arena, (size_t)p->ground_count + 1, sizeof *p->grounds);
  if (!p->grounds)
    return ffi_fail(error, FF_ERROR_MEMORY, NULL, 0, NULL, "no memory for the ground");
  for (int i = 0; i < p->ground_count; ++i) {
    p->grounds[i] = is_default ? ff_ground_def_default() : def->ground[i];
    ff_status status = check_ground(i, &p->grounds[i], error);
    if (status != FF_OK)
      return status;
  }
  return FF_OK;
}

// ---- Colliders --------------------------------------------------------------------------------------------

static void place_from_pose(const ff_pose *pose, ffi_pose *out)
{
  ff_pose_rotation(pose, out->R);
  ffi_m3_snap(out->R);
  ffi_v3_copy(pose->position, out->p);
}

static void add_shape(const ff_model *model, int shape, ffi_height_field *field, ffi_collider *out)
{
  const ff_shape_info *info = &model->shapes[shape];
  const ffi_frame *frame = &model->frames[info->frame];
  *out = (ffi_collider){.body = frame->body,
                        .side = ffi_collision_of_shape(model, shape),
                        .shape = shape,
                        .ground = -1,
                        .material = &info->def.material};
  ffi_pose in_link;
  place_from_pose(&info->def.pose, &in_link);
  ffi_m3_mul(frame->R, in_link.R, out->in.R);
  ffi_m3_snap(out->in.R);
  ffi_m3_mulv(frame->R, in_link.p, out->in.p);
  ffi_v3_add(frame->p, out->in.p, out->in.p);
  ffi_solid_set(&info->def, field, &out->solid);
}

static void add_ground(const ff_ground_def *def, int ground, ffi_height_field *field, ffi_collider *out)
{
  *out = (ffi_collider){.side = ffi_collision_of_ground(),
                        .shape = -1,
                        .ground = ground,
                        .material = &def->shape.material,
                        .gives_pair = def->gives_pair};
  ffi_m3_identity(out->in.R);
  ffi_solid_set(&def->shape, field, &out->solid);
}

// Where the colliders of one body, and of one robot, end: what cannot touch is passed over at once.
static void find_ends(ffi_collider *colliders, int count)
{
  for (int i = count - 1; i >= 0; --i) {
    ffi_collider *c = &colliders[i];
    const ffi_collider *next = i + 1 < count ? c + 1 : NULL;
    c->body_end = next && next->body == c->body ? next->body_end : i + 1;
    c->robot_end = next && next->side.robot == c->side.robot ? next->robot_end : i + 1;
  }
}

// The weights of hulls' corners, from the model's vertices.
static ff_status plan_weights(plan *p, ffi_arena *arena, ff_error *error)
{
  for (int i = 0; i < p->collider_count; ++i) {
    ffi_solid *solid = &p->colliders[i].solid;
    int is_plain;
    if (solid->type != FF_SHAPE_HULL)
      continue;
    if (ffi_hull_weights_set(solid->vertex_count, solid->vertices, arena, &is_plain, &p->weights[i]) != FF_OK)
      return ffi_fail(error, FF_ERROR_MEMORY, NULL, 0, NULL, "no memory for a hull of %d vertices",
                      solid->vertex_count);
    solid->weights = is_plain ? NULL : &p->weights[i];
  }
  return FF_OK;
}

// Rigid contacts have no stiffness to share among corners.
static int has_weights(const ff_sim_def *def)
{
  return def->hull_contact == FF_HULL_CONTACT_PATCH && !ff_stepper_is_hard(def->stepper);
}

static ff_status plan_colliders(plan *p, const ff_sim_def *def, ffi_arena *arena, ff_error *error)
{
  const int shapes = p->model->size.shapes;
  const size_t most = (size_t)shapes + (size_t)p->ground_count + 1;
  p->colliders = ffi_arena_take(arena, most, sizeof *p->colliders);
  p->fields = ffi_arena_take(arena, most, sizeof *p->fields);
  p->weights = ffi_arena_take(arena, most, sizeof *p->weights);
  if (!p->colliders || !p->fields || !p->weights)
    return ffi_fail(error, FF_ERROR_MEMORY, NULL, 0, NULL, "no memory to list the shapes that can touch");
  int n = 0;
  for (int i = 0; i < shapes; ++i)
    if (is_collision(&p->model->shapes[i])) {
      add_shape(p->model, i, &p->fields[n], &p->colliders[n]);
      ++n;
    }
  for (int g = 0; g < p->ground_count; ++g, ++n)
    add_ground(&p->grounds[g], g, &p->fields[n], &p->colliders[n]);
  p->collider_count = n;
  find_ends(p->colliders, n);
  const ff_status status = has_weights(def) ? plan_weights(p, arena, error) : FF_OK;
  if (status != FF_OK)
    return status;
  return ffi_collider_pairs_count(p->model, p->colliders, n, p->self_collision, &p->totals, error);
}

// ---- Memory -----------------------------------------------------------------------------------------------

static size_t height_count(const ff_shape_def *shape)
{
  return shape->type == FF_SHAPE_HEIGHTFIELD ? (size_t)shape->rows * (size_t)shape->columns : 0;
}

// Places all arrays. Run twice; while counting only the block's size comes out.
static ffi_broad_phase *lay_out(const plan *p, ffi_block *block, ffi_colliders *colliders,
                                ffi_height_field **fields, ffi_hull_weights **weights)
{
  ffi_broad_phase *phase = ffi_broad_phase_layout(block, p->collider_count, &p->totals);
  colliders->items = ffi_block_take(block, (size_t)p->collider_count, sizeof *colliders->items);
  colliders->pairs = ffi_block_take(block, (size_t)p->totals.pairs, sizeof *colliders->pairs);
  colliders->grounds = ffi_block_take(block, (size_t)p->ground_count, sizeof *colliders->grounds);
  *fields = ffi_block_take(block, (size_t)p->collider_count, sizeof **fields);
  *weights = ffi_block_take(block, (size_t)p->collider_count, sizeof **weights);
  for (int i = 0; i < p->collider_count; ++i) {
    const ffi_hull_weights *from = p->colliders[i].solid.weights;
    if (from)
      ffi_hull_weights_copy(from, block, block->base ? &(*weights)[i] : NULL);
  }
  for (int g = 0; g < p->ground_count; ++g) {
    const ff_shape_def *from = &p->grounds[g].shape;
    double *heights = ffi_block_take(block, height_count(from), sizeof *heights);
    const char *name = ffi_block_string(block, from->name);
    if (!block->base)
      continue;
    ffi_ground *ground = &colliders->grounds[g];
    ground->def = p->grounds[g];
    ff_shape_def *shape = &ground->def.shape;
    shape->name = name;
    shape->vertices = NULL;
    shape->vertex_count = 0;
    shape->mesh_file = NULL;
    shape->heights = NULL;
    if (height_count(from) > 0)
      shape->heights = memcpy(heights, from->heights, height_count(from) * sizeof *heights);
    ff_pose pose = shape->pose;
    ffi_quat_normalize(pose.quaternion, pose.quaternion);
    place_from_pose(&pose, &ground->start);
  }
  return phase;
}

// Copies colliders from the plan; they refer to the copies of weights, and those of ground to those of material and
// heights.
static void adopt_colliders(const plan *p, const ffi_colliders *colliders, ffi_height_field *fields,
                            const ffi_hull_weights *weights)
{
  for (int i = 0; i < p->collider_count; ++i) {
    ffi_collider *collider = &colliders->items[i];
    *collider = p->colliders[i];
    if (collider->ground >= 0)
      collider->material = &colliders->grounds[collider->ground].def.shape.material;
    if (collider->solid.weights)
      collider->solid.weights = &weights[i];
    if (collider->solid.type != FF_SHAPE_HEIGHTFIELD)
      continue;
    fields[i] = p->fields[i];
    if (collider->ground >= 0)
      fields[i].heights = colliders->grounds[collider->ground].def.shape.heights;
    collider->solid.field = &fields[i];
  }
}

static void fill_pairs(const plan *p, ffi_colliders *colliders, ffi_broad_phase *phase)
{
  ffi_collider_pairs_cursor at = {.b = -1};
  for (int i = 0; i < colliders->pair_count; ++i) {
    ffi_collider_pairs_next(p->model, colliders->items, p->collider_count, p->self_collision, &at);
    colliders->pairs[i] = at.pair;
    ffi_broad_phase_set_probe(phase, i, &at);
  }
}

static ff_status build(const plan *p, ffi_colliders *out, ff_error *error)
{
  ffi_colliders colliders = {.model = p->model,
                             .count = p->collider_count,
                             .pair_count = p->totals.pairs,
                             .ground_count = p->ground_count,
                             .id_count = p->totals.ids,
                             .max_candidates = p->totals.ids,
                             .max_of_pair = p->totals.most};
  ffi_height_field *fields;
  ffi_hull_weights *weights;
  ffi_block block = {0};
  lay_out(p, &block, &colliders, &fields, &weights);
  colliders.bytes = block.used;
  block = (ffi_block){.base = calloc(1, block.used)};
  if (!block.base)
    return ffi_fail(error, FF_ERROR_MEMORY, NULL, 0, NULL, "no memory for %d pairs of shapes that can touch",
                    p->totals.pairs);
  ffi_broad_phase *phase = lay_out(p, &block, &colliders, &fields, &weights);
  colliders.broad_phase = phase;
  colliders.memory = phase;
  adopt_colliders(p, &colliders, fields, weights);
  ffi_broad_phase_set_colliders(phase, colliders.items, colliders.count);
  fill_pairs(p, &colliders, phase);
  *out = colliders;
  return FF_OK;
}

ff_status ffi_colliders_create(const ff_model *model, const ff_sim_def *def, ffi_colliders *out,
                               ff_error *error)
{
  plan p = {.model = model, .self_collision = def->self_collision};
  ffi_arena arena = {0};
  ff_status status = plan_grounds(&p, def, &arena, error);
  if (status == FF_OK)
    status = plan_colliders(&p, def, &arena, error);
  if (status == FF_OK)
    status = build(&p, out, error);
  ffi_arena_free(&arena);
  return status;
}

void ffi_colliders_free(ffi_colliders *colliders)
{
  free(colliders->memory);
  *colliders = (ffi_colliders){0};
}
