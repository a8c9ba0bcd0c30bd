// The ground that a walk is planned on: level, and as high as what lies under both feet at the start.
#include "io/scene_object.h"

#include <math.h>
#include <string.h>

// A plane or a top counts as level if it rises by less than this over a metre [m], and two heights as one if they differ by less: a sole's
// springs give that much.
static const double level = 1e-4;

typedef enum support { SUPPORT_NONE, SUPPORT_LEVEL, SUPPORT_OTHER } support;

typedef struct piece {
  ff_shape_def shape;
  double at[3], R[9]; ///< its frame in the world
  int moves;
} piece;

// What a piece is to somebody who stands at p: nothing, level ground at *height, or something that no plan knows.
static support support_of(const piece *g, const double p[3], double *height)
{
  const double *size = g->shape.size, *R = g->R, away[2] = {p[0] - g->at[0], p[1] - g->at[1]};
  const int is_plane = g->shape.type == FF_SHAPE_PLANE, is_box = g->shape.type == FF_SHAPE_BOX;
  const int is_level = hypot(R[2], R[5]) < level && (is_box || R[8] > 0);
  if (is_plane) {
    *height = g->at[2];
    return is_level ? SUPPORT_LEVEL : SUPPORT_OTHER;
  }
  if (!is_level || !is_box) { // is it near at all?
    const int is_known = g->shape.type != FF_SHAPE_HULL && g->shape.type != FF_SHAPE_MESH;
    return is_known && hypot(away[0], away[1]) > hypot(hypot(size[0], size[1]), size[2]) ? SUPPORT_NONE
                                                                                         : SUPPORT_OTHER;
  }
  *height = g->at[2] + size[2] / 2;
  for (int k = 0; k < 2; ++k) // R^T (p - at), along the box's x and y
    if (fabs(R[k] * away[0] + R[3 + k] * away[1]) > size[k] / 2)
      return SUPPORT_NONE;
  return SUPPORT_LEVEL;
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

// The i-th piece of ground, the model's own ones if it brings them; 0 after the last.
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

// The highest level ground under a foot.
static ff_status ground_under(const ff_scene *scene, const ff_dynamics *dynamics, const char *name,
                              double *height, ff_error *error)
{
  const int frame = ff_model_find_frame(scene->model, name);
  piece g;
  double p[3], top = 0;
  *height = -INFINITY;
  ff_dynamics_frame_pose(dynamics, frame, p, NULL);
  for (int i = 0; piece_at(scene, dynamics, i, &g); ++i) {
    const support found = support_of(&g, p, &top);
    if (found == SUPPORT_OTHER || (found == SUPPORT_LEVEL && g.moves))
      return ffi_scene_fail(&scene->source, FF_ERROR_UNSUPPORTED, "controller.walk", error,
                            "a walk is planned on level ground at rest; piece %d under '%.80s' %s", i, name,
                            g.moves ? "moves" : "is tilted or uneven");
    if (found == SUPPORT_LEVEL)
      *height = fmax(*height, top);
  }
  if (isfinite(*height))
    return FF_OK;
  return ffi_scene_fail(&scene->source, FF_ERROR_ARGUMENT, "controller.walk", error,
                        "there is no ground under '%.80s' to walk on", name);
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
      return FF_OK; // the controller complains
  ff_status status = ff_dynamics_create(scene->model, NULL, &dynamics, error);
  if (status != FF_OK)
    return status;
  ff_dynamics_kinematics(dynamics, scene->q, NULL, NULL);
  for (int side = 0; status == FF_OK && side < 2; ++side)
    status = ground_under(scene, dynamics, names[side], &heights[side], error);
  ff_dynamics_destroy(dynamics);
  if (status == FF_OK && fabs(heights[0] - heights[1]) > level)
    status = ffi_scene_fail(
        &scene->source, FF_ERROR_UNSUPPORTED, "controller.walk", error,
        "a walk is planned on level ground; under the right foot it is %g m high, under the left %g m",
        heights[0], heights[1]);
  *height = (heights[0] + heights[1]) / 2;
  return status;
}
