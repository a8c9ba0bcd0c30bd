#include "svg/svg_scene.h"

#include "command.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Sunk deeper than this part of its size, a model is taken to know no ground: a pendulum below the origin.
static const double deepest_foot = 0.1;

// Higher above the ground than this many times its size, a model is drawn without it.
static const double highest_flight = 1.0;

typedef struct builder {
  const ff_model *model;
  const ff_dynamics *dynamics;
  double pixels_per_metre;
  ffi_svg_scene *scene;
} builder;

static void add_solid(builder *b, const ff_shape_def *shape, const double position[3], const double R[9])
{
  ffi_svg_scene *s = b->scene;
  s->solids[s->solid_count++] = ffi_solid_from_shape(shape, position, R, b->pixels_per_metre);
}

static void add_point(builder *b, const ff_shape_info *shape)
{
  double position[3], R[9], *to = b->scene->points + 3 * b->scene->point_count++;
  ff_dynamics_frame_pose(b->dynamics, shape->frame, position, R);
  const double *x = shape->def.pose.position;
  for (int k = 0; k < 3; ++k)
    to[k] = position[k] + R[3 * k] * x[0] + R[3 * k + 1] * x[1] + R[3 * k + 2] * x[2];
}

// ---- Which shapes -----------------------------------------------------------------------------------------

static int is_visible(const ff_shape_info *shape)
{
  return ffi_solid_is_possible(shape->def.type) && (shape->def.purpose & FF_SHAPE_VISUAL) &&
         shape->def.rgba[3] > 0;
}

// shown [links + 1]: does the link, the last is the world, have something for the eye?
static void find_shown(const builder *b, int shape_count, int link_count, char *shown)
{
  memset(shown, 0, (size_t)link_count + 1);
  for (int i = 0; i < shape_count; ++i) {
    ff_shape_info shape;
    ff_model_shape(b->model, i, &shape);
    if (is_visible(&shape))
      shown[shape.link < 0 ? link_count : shape.link] = 1;
  }
}

static void add_shapes(builder *b, const ff_model_size *size)
{
  char *shown = ffi_need_memory(NULL, (size_t)size->links + 1);
  find_shown(b, size->shapes, size->links, shown);
  for (int i = 0; i < size->shapes; ++i) {
    ff_shape_info shape;
    ff_model_shape(b->model, i, &shape);
    if (shape.def.type == FF_SHAPE_POINT && (shape.def.purpose & FF_SHAPE_COLLISION))
      add_point(b, &shape);
    const int is_shown = shown[shape.link < 0 ? size->links : shape.link];
    if (is_shown ? !is_visible(&shape) : !ffi_solid_is_possible(shape.def.type))
      continue;
    double position[3], R[9];
    ff_dynamics_frame_pose(b->dynamics, shape.frame, position, R);
    add_solid(b, &shape.def, position, R);
  }
  free(shown);
}

// ---- Sticks -----------------------------------------------------------------------------------------------

// R with its z axis along d, a unit vector.
static void axes_along(const double d[3], double R[9])
{
  const int least =
      fabs(d[0]) <= fabs(d[1]) ? (fabs(d[0]) <= fabs(d[2]) ? 0 : 2) : (fabs(d[1]) <= fabs(d[2]) ? 1 : 2);
  const double size = sqrt(1 - d[least] * d[least]);
  double x[3]; // the part of a coordinate axis that is normal to d
  for (int k = 0; k < 3; ++k)
    x[k] = ((k == least) - d[least] * d[k]) / size;
  for (int k = 0; k < 3; ++k) {
    const int l = (k + 1) % 3, m = (k + 2) % 3;
    R[3 * k] = x[k];
    R[3 * k + 1] = d[l] * x[m] - d[m] * x[l];
    R[3 * k + 2] = d[k];
  }
}

static void add_stick(builder *b, const double from[3], const double to[3], double radius)
{
  const double d[3] = {to[0] - from[0], to[1] - from[1], to[2] - from[2]};
  const double length = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
  ff_shape_def stick = ff_shape_def_default();
  double R[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, middle[3];
  stick.size[0] = radius;
  if (length > radius) {
    stick.type = FF_SHAPE_CAPSULE;
    stick.size[1] = length;
    axes_along((double[]){d[0] / length, d[1] / length, d[2] / length}, R);
  }
  for (int k = 0; k < 3; ++k)
    middle[k] = 0.5 * (from[k] + to[k]);
  add_solid(b, &stick, middle, R);
}

// A stick for each link from its parent's frame to its own; a root gets a ball.
static void add_sticks(builder *b, int link_count)
{
  double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
  double size = 0, from[3], to[3];
  ff_link_info link, parent;
  for (int i = 0; i < link_count; ++i) {
    ff_model_link(b->model, i, &link);
    ff_dynamics_frame_pose(b->dynamics, link.frame, to, NULL);
    for (int k = 0; k < 3; ++k) {
      low[k] = fmin(low[k], to[k]);
      high[k] = fmax(high[k], to[k]);
      size = fmax(size, high[k] - low[k]);
    }
  }
  const double radius = size > 0 ? 0.015 * size : 0.05;
  for (int i = 0; i < link_count; ++i) {
    ff_model_link(b->model, i, &link);
    ff_dynamics_frame_pose(b->dynamics, link.frame, to, NULL);
    memcpy(from, to, sizeof from);
    if (ff_model_link(b->model, link.parent, &parent) == FF_OK)
      ff_dynamics_frame_pose(b->dynamics, parent.frame, from, NULL);
    add_stick(b, from, to, radius);
  }
}

// ---- All of it --------------------------------------------------------------------------------------------

static void grow_box(ffi_svg_scene *scene, int count, const double *points)
{
  for (int i = 0; i < 3 * count; ++i) {
    scene->low[i % 3] = fmin(scene->low[i % 3], points[i]);
    scene->high[i % 3] = fmax(scene->high[i % 3], points[i]);
  }
}

static void find_box(ffi_svg_scene *scene)
{
  double size = 0;
  for (int k = 0; k < 3; ++k) {
    scene->low[k] = INFINITY;
    scene->high[k] = -INFINITY;
  }
  for (int i = 0; i < scene->solid_count; ++i)
    grow_box(scene, scene->solids[i].point_count, scene->solids[i].points);
  grow_box(scene, scene->point_count, scene->points);
  if (scene->solid_count + scene->point_count == 0)
    grow_box(scene, 2, (const double[]){-0.1, -0.1, 0, 0.1, 0.1, 0.1});
  for (int k = 0; k < 3; ++k)
    size = fmax(size, scene->high[k] - scene->low[k]);
  if (size == 0) { // a single contact point
    grow_box(scene, 1, (const double[]){scene->low[0] + 0.1, scene->low[1] + 0.1, scene->low[2] + 0.1});
    size = 0.1;
  }
  scene->has_ground = scene->low[2] >= -deepest_foot * size && scene->low[2] <= highest_flight * size;
}

ffi_svg_scene ffi_svg_scene_create(const ff_model *model, const ff_dynamics *dynamics,
                                   double pixels_per_metre)
{
  const ff_model_size size = ff_model_get_size(model);
  ffi_svg_scene scene = {0};
  builder b = {model, dynamics, pixels_per_metre, &scene};
  scene.solids = ffi_need_memory(NULL, ((size_t)size.shapes + (size_t)size.links) * sizeof *scene.solids);
  scene.points = ffi_need_memory(NULL, (size_t)size.shapes * 3 * sizeof *scene.points);
  add_shapes(&b, &size);
  if (scene.solid_count == 0)
    add_sticks(&b, size.links);
  find_box(&scene);
  return scene;
}

void ffi_svg_scene_free(ffi_svg_scene *scene)
{
  for (int i = 0; i < scene->solid_count; ++i)
    ffi_solid_free(&scene->solids[i]);
  free(scene->solids);
  free(scene->points);
  *scene = (ffi_svg_scene){0};
}
