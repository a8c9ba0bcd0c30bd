// The ground that a walk is planned on: level, and at the height of the next surface under both feet at the start.
// Surfaces above a foot, or below the one it stands on, do not count.
#include "scene/scene.h"

#include <math.h>
#include <string.h>

// A surface is level if it rises by less than this over a metre [m], and two heights are equal if they differ by less:
// the contact springs of a sole deflect by that much.
static const double level = 1e-4;

// The frame of a standing foot may be so far below the ground [m], by the deflection of contact springs.
static const double sunk = 0.01;

typedef enum support { SUPPORT_NONE, SUPPORT_LEVEL, SUPPORT_OTHER } support;

typedef struct piece {
  ff_shape_def shape;
  double at[3], R[9]; ///< its frame in the world
  int moves;
} piece;

// A half space under p, or around it.
static support plane_under(const piece *g, const double p[3], double *top)
{
  const double *R = g->R, way = R[2] * (p[0] - g->at[0]) + R[5] * (p[1] - g->at[1]);
  *top = p[2];
  if (R[8] < level) // a wall or a ceiling: is p inside?
    return way + R[8] * (p[2] - g->at[2]) > 0 ? SUPPORT_NONE : SUPPORT_OTHER;
  *top = g->at[2] - way / R[8];
  return hypot(R[2], R[5]) < level ? SUPPORT_LEVEL : SUPPORT_OTHER;
}

// A box where the vertical through p meets it, if it does. It is level if one of its axes is vertical.
static support box_under(const piece *g, const double p[3], double *top)
{
  const double *R = g->R, away[3] = {p[0] - g->at[0], p[1] - g->at[1], p[2] - g->at[2]};
  double from = -INFINITY, to = INFINITY; // above p
  int is_level = 0;
  for (int k = 0; k < 3; ++k) {
    const double half = g->shape.size[k] / 2, x = R[k] * away[0] + R[3 + k] * away[1] + R[6 + k] * away[2];
    const double rise = fabs(R[6 + k]), side = R[6 + k] < 0 ? -x : x;
    is_level |= hypot(R[k], R[3 + k]) < level;
    if (rise < 1e-12 && fabs(x) > half) // as good as upright, and p is beside it
      return SUPPORT_NONE;
    if (rise >= 1e-12) {
      from = fmax(from, (-half - side) / rise);
      to = fmin(to, (half - side) / rise);
    }
  }
  *top = p[2] + to;
  if (from > to || from > sunk) // missed, or overhead
    return SUPPORT_NONE;
  return is_level ? SUPPORT_LEVEL : SUPPORT_OTHER;
}

// Bounding radius of a shape about its frame's origin; infinity: not known.
static double radius_of(const ff_shape_def *s)
{
  double most = 0;
  if (s->type == FF_SHAPE_MESH)
    return INFINITY;
  for (int i = 0; s->type == FF_SHAPE_HULL && i < s->vertex_count; ++i)
    most = fmax(most, hypot(hypot(s->vertices[3 * i], s->vertices[3 * i + 1]), s->vertices[3 * i + 2]));
  for (int i = 0; s->type == FF_SHAPE_HEIGHTFIELD && i < s->rows * s->columns; ++i)
    most = fmax(most, fabs(s->heights[i]));
  return most + hypot(hypot(s->size[0], s->size[1]), s->size[2]);
}

// The support at p by one shape: none, level ground at *top, or something else that reaches up to *top.
static support support_of(const piece *g, const double p[3], double *top)
{
  if (g->shape.type == FF_SHAPE_PLANE)
    return plane_under(g, p, top);
  if (g->shape.type == FF_SHAPE_BOX)
    return box_under(g, p, top);
  const double radius = radius_of(&g->shape);
  *top = fmin(g->at[2] + radius, p[2]); // it may end anywhere below
  const int is_far = hypot(p[0] - g->at[0], p[1] - g->at[1]) > radius || g->at[2] - radius > p[2] + sunk;
  return is_far ? SUPPORT_NONE : SUPPORT_OTHER;
}

// The i-th shape of the model that does not move and can be touched; 0 after the last.
static int own_piece_at(const ff_scene *scene, const ff_dynamics *dynamics, int i, piece *out)
{
  ff_shape_info info;
  ff_frame_info frame;
  double link_R[9], R[9];
  for (int s = 0; ff_model_shape(scene->model, s, &info) == FF_OK; ++s) {
    ff_model_frame(scene->model, info.frame, &frame);
    if (frame.joint >= 0 || !(info.def.purpose & FF_SHAPE_COLLISION) || i-- > 0)
      continue;
    *out = (piece){.shape = info.def};
    ff_dynamics_frame_pose(dynamics, info.frame, out->at, link_R);
    ff_pose_rotation(&info.def.pose, R);
    for (int r = 0; r < 3; ++r)
      for (int k = 0; k < 3; ++k) {
        out->at[r] += link_R[3 * r + k] * info.def.pose.position[k];
        for (int c = 0; c < 3; ++c)
          out->R[3 * r + c] += link_R[3 * r + k] * R[3 * k + c];
      }
    return 1;
  }
  return 0;
}

// The i-th ground, or the model's own if it has any; 0 after the last.
static int piece_at(const ff_scene *scene, const ff_dynamics *dynamics, int i, piece *out)
{
  if (scene->ground_count < 0)
    return own_piece_at(scene, dynamics, i, out);
  if (i >= scene->ground_count)
    return 0;
  const ff_ground_def *ground = &scene->ground[i];
  *out = (piece){.shape = ground->shape};
  memcpy(out->at, ground->shape.pose.position, sizeof out->at);
  ff_pose_rotation(&ground->shape.pose, out->R);
  for (int k = 0; k < 6; ++k)
    out->moves |= ground->velocity[k] != 0;
  return 1;
}

// The highest ground at or below a foot, which must be level and at rest.
static ff_status ground_under(const ff_scene *scene, const ff_dynamics *dynamics, const char *name,
                              double *height, ff_error *error)
{
  const int frame = ff_model_find_frame(scene->model, name);
  piece g;
  double p[3], top = 0;
  int best = -1, is_level = 0, moves = 0;
  *height = -INFINITY;
  ff_dynamics_frame_pose(dynamics, frame, p, NULL);
  for (int i = 0; piece_at(scene, dynamics, i, &g); ++i) {
    const support found = support_of(&g, p, &top);
    if (found == SUPPORT_NONE || top > p[2] + sunk || top < *height)
      continue;
    const int is_worse = top == *height && (!is_level || moves); // of two at one height the worse counts
    *height = top;
    if (is_worse)
      continue;
    best = i;
    is_level = found == SUPPORT_LEVEL;
    moves = g.moves;
  }
  if (best < 0)
    return ffi_scene_fail(scene, FF_ERROR_ARGUMENT, "controller.walk", error,
                          "there is no ground under '%.80s' to walk on", name);
  if (is_level && !moves)
    return FF_OK;
  return ffi_scene_fail(scene, FF_ERROR_UNSUPPORTED, "controller.walk", error,
                        "a walk is planned on level ground at rest; ground[%d] under '%.80s' %s", best, name,
                        moves ? "moves" : "is tilted or uneven");
}

ff_status ffi_scene_walk_ground(const ff_scene *scene, double *height, ff_error *error)
{
  const ff_walk_task_def *walk = &scene->def->controller.walk;
  const char *names[2] = {walk->right_foot, walk->left_foot};
  ff_dynamics *dynamics = NULL;
  double heights[2] = {0, 0};
  *height = 0;
  for (int side = 0; side < 2; ++side)
    if (!names[side] || ff_model_find_frame(scene->model, names[side]) < 0)
      return FF_OK; // the controller reports it
  ff_status status = ff_dynamics_create(scene->model, NULL, &dynamics, error);
  if (status != FF_OK)
    return status;
  ff_dynamics_kinematics(dynamics, scene->q, NULL, NULL);
  for (int side = 0; status == FF_OK && side < 2; ++side)
    status = ground_under(scene, dynamics, names[side], &heights[side], error);
  ff_dynamics_destroy(dynamics);
  if (status == FF_OK && fabs(heights[0] - heights[1]) > level)
    status = ffi_scene_fail(
        scene, FF_ERROR_UNSUPPORTED, "controller.walk", error,
        "a walk is planned on level ground; under the right foot it is %g m high, under the left %g m",
        heights[0], heights[1]);
  *height = (heights[0] + heights[1]) / 2;
  return status;
}
