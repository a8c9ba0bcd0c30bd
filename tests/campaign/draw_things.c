// Draws shapes with their materials, ground, and elements: motors, stops, loops.
#include "campaign/draw.h"

#include <math.h>
#include <string.h>

// ---- Shapes -------------------------------------------------------------------------------------------------

static ff_material draw_material(ffi_random *random, int is_wild)
{
  ff_material m = ff_material_default();
  m.stiffness = ffi_draw_log(random, 1e2, is_wild ? 1e9 : 1e7);
  m.damping = ffi_random_chance(random, 0.2) ? 0 : ffi_draw_log(random, 0.1, is_wild ? 1e5 : 3e3);
  m.friction = ffi_random_chance(random, 0.15) ? 0 : ffi_random_between(random, 0, is_wild ? 10 : 1.5);
  m.restitution = ffi_random_chance(random, 0.5) ? 0 : ffi_random_between(random, 0, 1);
  m.tangential_restitution = ffi_random_chance(random, 0.8) ? 0 : ffi_random_between(random, 0, 1);
  return m;
}

static void draw_vertices(ffi_random *random, const double size[3], double *vertices)
{
  for (int i = 0; i < FFI_RECIPE_VERTICES; ++i)
    for (int k = 0; k < 3; ++k)
      vertices[3 * i + k] = ffi_random_between(random, -0.5, 0.5) * size[k];
}

static void draw_solid(ffi_random *random, int is_wild, ff_shape_type type, ffi_recipe_shape *shape)
{
  memset(shape, 0, sizeof *shape);
  shape->type = type;
  for (int k = 0; k < 3; ++k)
    shape->size[k] = is_wild ? ffi_draw_log(random, 2e-3, 1) : ffi_random_between(random, 0.02, 0.25);
  shape->pose = ff_pose_identity();
  if (ffi_random_chance(random, 0.4))
    ffi_random_vector(random, 3, 0.15, shape->pose.position);
  if (ffi_random_chance(random, 0.4))
    ffi_random_quaternion(random, shape->pose.quaternion);
  shape->purpose = ffi_random_chance(random, 0.05) ? FF_SHAPE_VISUAL : FF_SHAPE_VISUAL | FF_SHAPE_COLLISION;
  shape->material = draw_material(random, is_wild);
  draw_vertices(random, shape->size, shape->vertices);
}

static void draw_link_shapes(ffi_random *random, ffi_recipe *r)
{
  static const ff_shape_type types[] = {FF_SHAPE_POINT, FF_SHAPE_SPHERE,   FF_SHAPE_CAPSULE,
                                        FF_SHAPE_BOX,   FF_SHAPE_CYLINDER, FF_SHAPE_DISK,
                                        FF_SHAPE_HULL,  FF_SHAPE_ELLIPSOID};
  for (int i = 0; i < r->link_count; ++i)
    for (int k = 0; k < 2 && r->shape_count < FFI_RECIPE_SHAPES; ++k)
      if (ffi_random_chance(random, k == 0 ? 0.8 : 0.15)) {
        ffi_recipe_shape *shape = &r->shapes[r->shape_count++];
        draw_solid(random, r->is_wild, types[ffi_random_below(random, sizeof types / sizeof types[0])],
                   shape);
        shape->link = i;
      }
}

// ---- Ground -------------------------------------------------------------------------------------------------

static void draw_field(ffi_random *random, ffi_recipe_shape *shape)
{
  shape->size[0] = ffi_random_between(random, 1, 4);
  shape->size[1] = ffi_random_between(random, 1, 4);
  for (int i = 0; i < FFI_RECIPE_GRID * FFI_RECIPE_GRID; ++i)
    shape->heights[i] = ffi_random_between(random, -0.1, 0.1);
}

static void draw_ground_shape(ffi_random *random, int is_wild, ffi_recipe_shape *shape)
{
  static const ff_shape_type types[] = {FF_SHAPE_PLANE, FF_SHAPE_PLANE, FF_SHAPE_BOX, FF_SHAPE_HEIGHTFIELD};
  draw_solid(random, is_wild, types[ffi_random_below(random, 4)], shape);
  shape->link = FF_WORLD;
  shape->purpose = FF_SHAPE_VISUAL | FF_SHAPE_COLLISION;
  if (shape->type == FF_SHAPE_BOX)
    for (int k = 0; k < 3; ++k)
      shape->size[k] = ffi_random_between(random, 0.2, 3);
  if (shape->type == FF_SHAPE_HEIGHTFIELD)
    draw_field(random, shape);
  const double tilt = ffi_random_chance(random, 0.5) ? 0 : ffi_random_between(random, -0.5, 0.5);
  const double rpy[3] = {0, tilt, ffi_random_between(random, -3, 3)};
  double at[3];
  ffi_random_vector(random, 3, 0.3, at);
  at[2] = shape->type == FF_SHAPE_BOX ? -0.5 * shape->size[2] + 0.1 * at[2] : 0.1 * at[2];
  shape->pose = ff_pose_from_rpy(at, rpy);
}

static void draw_ground(ffi_random *random, ffi_recipe *r)
{
  const int count = ffi_random_chance(random, 0.4) ? -1 : ffi_random_below(random, FFI_RECIPE_GROUNDS + 1);
  r->ground_count = count;
  for (int i = 0; i < count; ++i) {
    ffi_recipe_ground *ground = &r->grounds[i];
    draw_ground_shape(random, r->is_wild, &ground->shape);
    ground->gives_pair = ffi_random_chance(random, 0.5);
    if (!r->is_passive && ffi_random_chance(random, 0.5))
      ffi_random_vector(random, 6, ffi_draw_log(random, 0.01, 10), ground->velocity);
  }
  if (ffi_random_chance(random, 0.15) && r->shape_count < FFI_RECIPE_SHAPES)
    draw_ground_shape(random, r->is_wild, &r->shapes[r->shape_count++]); // fixed in the model's world
}

// ---- Elements -----------------------------------------------------------------------------------------------

static void draw_gains(ffi_random *random, const ffi_recipe *r, ffi_recipe_element *e)
{
  const int is_joint = e->type == FF_ELEMENT_JOINT_PD || e->type == FF_ELEMENT_JOINT_LIMIT;
  const double most = is_joint ? (r->is_wild ? 1e6 : 1e4) : r->is_wild ? 1e9 : 1e6;
  e->stiffness = ffi_random_chance(random, 0.1) ? 0 : ffi_draw_log(random, 1, most);
  e->damping = ffi_random_chance(random, 0.2) ? 0 : e->stiffness * ffi_draw_log(random, 1e-4, 0.3);
  e->angular_stiffness = ffi_draw_log(random, 0.1, 0.1 * most);
  e->angular_damping =
      ffi_random_chance(random, 0.2) ? 0 : e->angular_stiffness * ffi_draw_log(random, 1e-4, 0.3);
}

static void draw_element(ffi_random *random, const ffi_recipe *r, ffi_recipe_element *e)
{
  static const ff_element_type types[] = {FF_ELEMENT_JOINT_PD, FF_ELEMENT_JOINT_PD, FF_ELEMENT_JOINT_LIMIT,
                                          FF_ELEMENT_POINT,    FF_ELEMENT_POINT,    FF_ELEMENT_WELD,
                                          FF_ELEMENT_HINGE,    FF_ELEMENT_SLIDER,   FF_ELEMENT_PLANAR};
  memset(e, 0, sizeof *e);
  e->type = types[ffi_random_below(random, 9)];
  e->a = ffi_random_below(random, r->link_count);
  e->b = ffi_random_below(random, r->link_count + 1) - 1;
  if (e->b == e->a)
    e->b = FF_WORLD;
  e->is_closed = !r->is_wild || ffi_random_chance(random, 0.7);
  e->is_rigid = ffi_random_chance(random, 0.3);
  ffi_random_vector(random, 3, 0.2, e->offset_a);
  ffi_random_vector(random, 3, 0.2, e->offset_b);
  ffi_random_direction(random, e->axis);
  draw_gains(random, r, e);
  e->reference = ffi_random_between(random, -1, 1);
  e->effort = ffi_random_chance(random, 0.5) ? (double)INFINITY : ffi_draw_log(random, 0.1, 1e6);
  e->lower = ffi_random_between(random, -1.5, 0.2);
  e->upper = e->lower + ffi_random_between(random, 0, 2);
  e->delay = ffi_random_chance(random, 0.8) ? 0 : ffi_random_between(random, 0, 0.05);
  if (!r->is_passive && ffi_random_chance(random, 0.3))
    e->reference_velocity = ffi_random_between(random, -10, 10);
}

void ffi_draw_things(ffi_random *random, ffi_recipe *r)
{
  draw_link_shapes(random, r);
  draw_ground(random, r);
  r->element_count = ffi_random_chance(random, 0.5) ? 0 : 1 + ffi_random_below(random, r->is_wild ? 5 : 2);
  for (int i = 0; i < r->element_count; ++i)
    draw_element(random, r, &r->elements[i]);
}
