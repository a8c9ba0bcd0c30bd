// The model of a new scene: read so that a scene can be made of it, whatever it lacks.
//
// Mimic joints, which Footfall refuses unless told what to do, are fixed. A robot that has nothing to touch the ground with gets contact
// points: where what is drawn reaches lowest, or, if nothing is drawn that is known, at the lowest ends of its tree.
#include "complain.h"
#include "new.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_POINTS = 64 };

static ff_model *load(ffi_new *n, ff_status *status, ff_error *error)
{
  ff_load_def def = n->load.def;
  ff_model *model = NULL;
  def.mesh_paths = n->load.mesh_paths;
  def.contact_points = n->points;
  def.contact_point_count = n->point_count;
  *status = ff_model_load(n->path, &def, &model, error);
  return *status == FF_OK ? model : NULL;
}

// If fixing mimic joints makes it readable, they were the reason why it was not.
static ff_model *load_with_mimics(ffi_new *n)
{
  ff_error error = {0}, other;
  ff_status status;
  ff_model *model = load(n, &status, &error);
  if (!model && status == FF_ERROR_UNSUPPORTED && n->load.def.mimic == FF_MIMIC_REFUSE) {
    n->load.def.mimic = FF_MIMIC_FIX;
    model = load(n, &status, &other);
    n->has_mimic = model != NULL;
  }
  if (!model)
    ffi_complain("%s", error.message);
  return model;
}

// ---- Contact points -----------------------------------------------------------------------------------------------

typedef struct spot {
  int link;
  double at[3];  // in the link's frame
  double height; // in the world
} spot;

typedef struct spots {
  const ff_model *model;
  const ff_dynamics *dynamics; // after kinematics
  spot *list;
  int count, room;
} spots;

static void add_spot(spots *s, int link, const double at[3])
{
  ff_link_info info;
  double position[3], R[9];
  if (s->count == s->room) {
    s->room = 2 * s->room + 64;
    s->list = ffi_need_memory(s->list, (size_t)s->room * sizeof *s->list);
  }
  ff_model_link(s->model, link, &info);
  ff_dynamics_frame_pose(s->dynamics, info.frame, position, R);
  spot *out = &s->list[s->count++];
  *out = (spot){.link = link, .height = position[2]};
  for (int k = 0; k < 3; ++k) {
    out->at[k] = at[k];
    out->height += R[6 + k] * at[k];
  }
}

// Corners of the box around a shape; of round ones those that are on it. 0 if it is not known.
static int reach_of(const ff_shape_def *s, double half[3])
{
  const double r = s->size[0];
  switch (s->type) {
  case FF_SHAPE_SPHERE: half[0] = half[1] = 0, half[2] = r; return 1;
  case FF_SHAPE_BOX:
    for (int k = 0; k < 3; ++k)
      half[k] = s->size[k] / 2;
    return 1;
  case FF_SHAPE_CYLINDER: half[0] = half[1] = r * sqrt(0.5), half[2] = s->size[1] / 2; return 1;
  case FF_SHAPE_CAPSULE: half[0] = half[1] = 0, half[2] = s->size[1] / 2 + r; return 1;
  default: return 0;
  }
}

static void add_corners(spots *s, int link, const ff_shape_def *shape)
{
  double half[3], R[9];
  if (!reach_of(shape, half))
    return;
  ff_pose_rotation(&shape->pose, R);
  for (int corner = 0; corner < 8; ++corner) {
    double at[3];
    if ((half[0] == 0 && (corner & 1)) || (half[1] == 0 && (corner & 2)))
      continue; // the same again
    const double x[3] = {corner & 1 ? -half[0] : half[0], corner & 2 ? -half[1] : half[1],
                         corner & 4 ? -half[2] : half[2]};
    for (int k = 0; k < 3; ++k)
      at[k] = shape->pose.position[k] + R[3 * k] * x[0] + R[3 * k + 1] * x[1] + R[3 * k + 2] * x[2];
    add_spot(s, link, at);
  }
}

static void list_drawn(spots *s)
{
  const ff_model *model = s->model;
  ff_shape_info shape;
  ff_link_info link;
  for (int i = 0; ff_model_shape(model, i, &shape) == FF_OK; ++i)
    if (ff_model_link(model, shape.link, &link) == FF_OK && link.joint >= 0)
      add_corners(s, shape.link, &shape.def);
}

static void list_ends(spots *s)
{
  const ff_model *model = s->model;
  static const double origin[3] = {0};
  ff_link_info link, other;
  for (int i = 0; ff_model_link(model, i, &link) == FF_OK; ++i) {
    int is_end = link.joint >= 0;
    for (int j = 0; is_end && ff_model_link(model, j, &other) == FF_OK; ++j)
      is_end = other.parent != i;
    if (is_end)
      add_spot(s, i, origin);
  }
}

// The lowest ones, within a hundredth of the robot's height.
static void take_lowest(ffi_new *n, const spots *s)
{
  double lowest = INFINITY, highest = -INFINITY;
  ff_link_info link;
  for (int i = 0; i < s->count; ++i) {
    lowest = fmin(lowest, s->list[i].height);
    highest = fmax(highest, s->list[i].height);
  }
  n->points = ffi_need_memory(NULL, MOST_POINTS * sizeof *n->points);
  for (int i = 0; i < s->count && n->point_count < MOST_POINTS; ++i) {
    if (s->list[i].height > lowest + 1e-3 + 0.01 * (highest - lowest))
      continue;
    ff_model_link(n->model, s->list[i].link, &link);
    ff_load_point *point = &n->points[n->point_count++];
    *point = (ff_load_point){.link = link.name};
    memcpy(point->at, s->list[i].at, sizeof point->at);
  }
}

static int can_touch(const ff_model *model)
{
  ff_shape_info shape;
  ff_link_info link;
  for (int i = 0; ff_model_shape(model, i, &shape) == FF_OK; ++i)
    if ((shape.def.purpose & FF_SHAPE_COLLISION) && shape.def.type != FF_SHAPE_MESH &&
        ff_model_link(model, shape.link, &link) == FF_OK && link.joint >= 0)
      return 1;
  return 0;
}

// Names of links belong to the model, which is read again with the points: the old one stays until then. 0 after a complaint.
static int give_points(ffi_new *n, const double *q)
{
  ff_dynamics *dynamics = NULL;
  ff_error error;
  ff_status status;
  spots s = {.model = n->model};
  if (ff_dynamics_create(n->model, NULL, &dynamics, &error) != FF_OK) {
    ffi_complain("%s: %s", n->path, error.message);
    return 0;
  }
  ff_dynamics_kinematics(dynamics, q, NULL, NULL);
  s.dynamics = dynamics;
  list_drawn(&s);
  if (s.count == 0)
    list_ends(&s);
  take_lowest(n, &s);
  free(s.list);
  ff_dynamics_destroy(dynamics);
  ff_model *model = load(n, &status, &error);
  if (!model) {
    ffi_complain("%s", error.message);
    return 0;
  }
  for (int i = 0; i < n->point_count; ++i) {
    ff_link_info link;
    ff_model_link(model, ff_model_find_link(model, n->points[i].link), &link);
    n->points[i].link = link.name;
  }
  ff_model_destroy(n->model);
  n->model = model;
  return 1;
}

int ffi_new_load(ffi_new *n)
{
  n->model = load_with_mimics(n);
  if (!n->model)
    return 0;
  const ff_model_size size = ff_model_get_size(n->model);
  n->q = ffi_need_memory(NULL, ((size_t)size.nq + 1) * sizeof *n->q);
  n->base = ff_model_base(n->model, &n->floating);
  if (n->floating == 0 || can_touch(n->model))
    return 1;
  const int standing = ff_model_find_posture(n->model, "standing");
  const double *q = ff_model_posture(n->model, standing >= 0 ? standing : 0);
  if (q)
    memcpy(n->q, q, (size_t)size.nq * sizeof *q);
  else
    ff_model_neutral(n->model, n->q);
  return give_points(n, n->q);
}
