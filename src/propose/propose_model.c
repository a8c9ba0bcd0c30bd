// The model of a proposed scene: read so that a scene can be made of it, whatever it lacks.
//
// Mimic joints, which Footfall refuses unless told what to do, are fixed. A robot that has nothing to touch
// the ground with gets contact points: where what is drawn reaches lowest, or, if nothing is drawn that is
// known, at the lowest ends of its tree.
#include "propose/propose.h"

#include "base/fail.h"
#include "base/grow.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_POINTS = 64 };

// A failed attempt leaves what it read among the files: the next one reads the same.
static ff_status load(ffi_propose *p, ff_model **out, ff_error *error)
{
  ff_load_def def = p->load;
  def.contact_points = p->points;
  def.contact_point_count = p->result.point_count;
  def.keep = p->files;
  return ff_model_load(p->path, &def, out, error);
}

// If fixing mimic joints makes it readable, they were the reason why it was not.
static ff_status load_with_mimics(ffi_propose *p, ff_error *error)
{
  ff_status status = load(p, &p->model, error);
  if (status != FF_ERROR_UNSUPPORTED || p->load.mimic != FF_MIMIC_REFUSE)
    return status;
  p->load.mimic = FF_MIMIC_FIX;
  const ff_status fixed = load(p, &p->model, NULL);
  p->result.has_mimic = fixed == FF_OK;
  return fixed == FF_OK || fixed == FF_ERROR_MEMORY ? fixed : status;
}

// A root without mass cannot float: where links without mass are refused, only the fixed robot of such files can be
// read.
static ff_status load_any_base(ffi_propose *p, ff_error *error)
{
  ff_error why;
  const ff_status status = load_with_mimics(p, error);
  if (status != FF_ERROR_MODEL || p->load.fixed_base || p->def.base_rule == FF_PROPOSAL_BASE_FLOATING)
    return status;
  p->load.fixed_base = 1;
  const ff_status fixed = load_with_mimics(p, &why);
  const int moves = fixed == FF_OK && ff_model_get_size(p->model).nv > 0;
  p->result.fixes_base = p->load.fixed_base = moves;
  p->result.fixed_because = moves ? "its root has no mass" : NULL;
  if (fixed == FF_OK && !moves) {
    ff_model_destroy(p->model);
    p->model = NULL;
  }
  return moves || fixed == FF_ERROR_MEMORY ? fixed : status;
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
  int is_short; // there was no memory for one
} spots;

static void add_spot(spots *s, int link, const double at[3])
{
  ff_link_info info;
  double position[3], R[9];
  spot *grown = ffi_grow(s->list, s->count, &s->room, sizeof *grown);
  if (!grown) {
    s->is_short = 1;
    return;
  }
  s->list = grown;
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
  case FF_SHAPE_ELLIPSOID:
    half[0] = half[1] = 0, half[2] = s->size[2]; // its lowest point, as it stands
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

// Links that carry no other.
static void list_ends(spots *s)
{
  const ff_model *model = s->model;
  static const double origin[3] = {0};
  ff_link_info link;
  char *carries = calloc((size_t)ff_model_get_size(model).links + 1, 1);
  if (!carries) {
    s->is_short = 1;
    return;
  }
  for (int i = 0; ff_model_link(model, i, &link) == FF_OK; ++i)
    if (link.parent >= 0)
      carries[link.parent] = 1;
  for (int i = 0; ff_model_link(model, i, &link) == FF_OK; ++i)
    if (link.joint >= 0 && !carries[i])
      add_spot(s, i, origin);
  free(carries);
}

// The lowest ones, within a hundredth of the robot's height.
static void take_lowest(ffi_propose *p, const spots *s)
{
  double lowest = INFINITY, highest = -INFINITY;
  ff_link_info link;
  for (int i = 0; i < s->count; ++i) {
    lowest = fmin(lowest, s->list[i].height);
    highest = fmax(highest, s->list[i].height);
  }
  for (int i = 0; i < s->count && p->result.point_count < MOST_POINTS; ++i) {
    if (s->list[i].height > lowest + 1e-3 + 0.01 * (highest - lowest))
      continue;
    ff_model_link(p->model, s->list[i].link, &link);
    ff_load_point *point = &p->points[p->result.point_count++];
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

// At q, which the dynamics are moved to.
static ff_status choose_points(ffi_propose *p, ff_error *error)
{
  ff_dynamics *dynamics = NULL;
  spots s = {.model = p->model};
  ff_error why;
  const ff_status status = ff_dynamics_create(p->model, NULL, &dynamics, &why);
  if (status != FF_OK)
    return ffi_fail(error, status, p->path, 0, NULL, "%s", why.message);
  ff_dynamics_kinematics(dynamics, p->q, NULL, NULL);
  s.dynamics = dynamics;
  list_drawn(&s);
  if (s.count == 0)
    list_ends(&s);
  p->points = malloc(MOST_POINTS * sizeof *p->points);
  if (p->points)
    take_lowest(p, &s);
  free(s.list);
  ff_dynamics_destroy(dynamics);
  return p->points && !s.is_short ? FF_OK : ffi_propose_no_memory(p, error);
}

// Names of links belong to the model, which is read again with the points: the old one stays until then.
static ff_status give_points(ffi_propose *p, ff_error *error)
{
  ff_model *model = NULL;
  ff_status status = choose_points(p, error);
  if (status == FF_OK)
    status = load(p, &model, error);
  if (status != FF_OK)
    return status;
  for (int i = 0; i < p->result.point_count; ++i) {
    ff_link_info link;
    ff_model_link(model, ff_model_find_link(model, p->points[i].link), &link);
    p->points[i].link = link.name;
  }
  ff_model_destroy(p->model);
  p->model = model;
  return FF_OK;
}

static void take_posture(ffi_propose *p)
{
  const int standing = ff_model_find_posture(p->model, "standing");
  const double *q = ff_model_posture(p->model, standing >= 0 ? standing : 0);
  if (q)
    memcpy(p->q, q, (size_t)ff_model_get_size(p->model).nq * sizeof *q);
  else
    ff_model_neutral(p->model, p->q);
}

// Before anything is computed for so many joints.
static ff_status check_size(const ffi_propose *p, ff_error *error)
{
  const int nv = ff_model_get_size(p->model).nv;
  if (nv <= FF_SIM_MOST_VELOCITIES)
    return FF_OK;
  return ffi_fail(error, FF_ERROR_LIMIT, p->path, 0, NULL,
                  "the robot has %d velocities; at most %d can be simulated", nv, FF_SIM_MOST_VELOCITIES);
}

// Nothing floats, or what floats are loose things without joints, beside something that has joints.
static int is_fixed(const ff_model *model, int floating)
{
  ff_joint_info joint, parent;
  int fixed = 0;
  for (int j = 0; ff_model_joint(model, j, &joint) == FF_OK; ++j) {
    fixed |= joint.parent < 0 && joint.type != FF_JOINT_FREE;
    if (ff_model_joint(model, joint.parent, &parent) == FF_OK && parent.type == FF_JOINT_FREE)
      return 0;
  }
  return fixed || floating == 0;
}

ff_status ffi_propose_model_load(ffi_propose *p, ff_error *error)
{
  ff_status status = load_any_base(p, error);
  if (status == FF_OK)
    status = check_size(p, error);
  if (status != FF_OK)
    return status;
  const ff_model_size size = ff_model_get_size(p->model);
  free(p->q);
  free(p->end);
  free(p->motors);
  p->q = calloc((size_t)size.nq + 1, sizeof *p->q);
  p->end = calloc((size_t)size.nq + 1, sizeof *p->end);
  p->motors = calloc((size_t)size.joints + 1, sizeof *p->motors);
  if (!p->q || !p->end || !p->motors)
    return ffi_propose_no_memory(p, error);
  p->result.base = ff_model_base(p->model, &p->result.floating);
  p->is_fixed = is_fixed(p->model, p->result.floating);
  if (p->result.floating > 1)
    p->result.base = -1; // a scene by itself
  if (p->result.floating == 0 || can_touch(p->model))
    return FF_OK;
  take_posture(p);
  return give_points(p, error);
}
