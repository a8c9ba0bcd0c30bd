// What the contacts of geoms carry and move when the robot stands: for mjcf_softness.c.
#include "io/mjcf/mjcf_draft.h"

#include "math/vec3.h"
#include "model/shape/shape_lowest.h"

#include <footfall/dynamics.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Masses are MuJoCo's body_invweight0: 1/3 of the trace of J M^-1 J' at the body's centre of mass, in qpos0.
//
// Loads: where the model stands at first, a tree that can fall rests on its lowest geoms, and each carries the same
// share of the weight. All other geoms carry the weight of their body's mean mass.

typedef struct work {
  ffi_mjcf *m;
  const char *is_asked;
  ffi_mjcf_stand *stand;
  ffi_mjcf_draft draft;
  double gravity;
} work;

typedef struct tree {
  double mass;
  int can_fall;
  double lowest, highest; // of its geoms [m]
  int support_count;
} tree;

// ---- Masses -------------------------------------------------------------------------------------------------

static double inverse_mass(work *w, int body)
{
  double U[9];
  ff_point point = {.frame = ffi_mjcf_draft_frame(w->m, &w->draft, body)};
  ffi_v3_copy(w->m->bodies[body].inertia.com, point.offset);
  if (point.frame < 0)
    return 0;
  ff_dynamics_delassus(w->draft.dynamics, 1, &point, U);
  const double mean = (U[0] + U[4] + U[8]) / 3;
  return isfinite(mean) && mean > 0 ? mean : 0;
}

static int find_masses(work *w)
{
  const ffi_mjcf *m = w->m;
  int last = 0; // geoms of one body are neighbours
  double mean = 0;
  if (!ffi_mjcf_draft_factor(&w->draft))
    return 0;
  for (int i = 0; i < m->geom_count; ++i) {
    if (!w->is_asked[i])
      continue;
    if (m->geoms[i].body != last)
      mean = inverse_mass(w, last = m->geoms[i].body);
    w->stand[i].inverse_mass = mean;
  }
  return 1;
}

// ---- Loads --------------------------------------------------------------------------------------------------

static int root_of(const ffi_mjcf *m, int body)
{
  while (m->bodies[m->bodies[body].parent].moves)
    body = m->bodies[body].parent;
  return body;
}

// Can gravity move the whole tree: by a free joint, or a slide that is not level?
static int can_fall(const work *w, const ffi_mjcf_body *root)
{
  for (int i = 0; i < root->joint_count; ++i) {
    const ffi_mjcf_joint *joint = &w->m->joints[root->first_joint + i];
    ff_pose axis = ff_pose_identity();
    ffi_v3_copy(joint->axis, axis.position);
    const ff_pose turned = ff_pose_compose(&root->world, &axis);
    if (joint->type == FFI_MJCF_FREE)
      return 1;
    if (joint->type == FFI_MJCF_SLIDE &&
        fabs(turned.position[2] - root->world.position[2]) > 0.5 * ffi_v3_norm(joint->axis))
      return 1;
  }
  return 0;
}

typedef struct touch {
  double z;  // of its lowest point
  int count; // of points that MuJoCo finds on a level plane below
} touch;

// How many of these heights are as low as the lowest, to `margin`.
static int count_low(const double *z, int count, double margin)
{
  double lowest = z[0];
  int low = 0;
  for (int i = 1; i < count; ++i)
    lowest = fmin(lowest, z[i]);
  for (int i = 0; i < count; ++i)
    low += z[i] <= lowest + margin;
  return low;
}

// n: upwards, in the shape's axes. Flat within one in four counts as flat.
static int count_points(const ff_shape_def *shape, const double n[3])
{
  const double *s = shape->size;
  double z[8];
  switch (shape->type) {
  case FF_SHAPE_CAPSULE: return s[1] * fabs(n[2]) <= 0.25 * s[0] ? 2 : 1;
  case FF_SHAPE_CYLINDER: return fabs(n[2]) > 0.97 ? 3 : s[1] * fabs(n[2]) <= 0.25 * s[0] ? 2 : 1;
  case FF_SHAPE_BOX:
    for (int i = 0; i < 8; ++i)
      z[i] =
          ((i & 1 ? s[0] : -s[0]) * n[0] + (i & 2 ? s[1] : -s[1]) * n[1] + (i & 4 ? s[2] : -s[2]) * n[2]) / 2;
    return count_low(z, 8, 0.25 * fmin(s[0], fmin(s[1], s[2])));
  default: return 1;
  }
}

// Where a geom's lowest point is in the pose of the last kinematics. 0: it has none.
static int find_touch(const work *w, const ffi_mjcf_geom *geom, touch *out)
{
  ff_shape_def shape;
  double at[3], R[9], n[3];
  const int frame = ffi_mjcf_draft_frame(w->m, &w->draft, geom->body);
  if (frame < 0 || !(geom->contype || geom->conaffinity) || !ffi_mjcf_geom_shape(w->m, geom, &shape))
    return 0;
  ff_dynamics_frame_pose(w->draft.dynamics, frame, at, R);
  const double *q = shape.pose.quaternion, *p = shape.pose.position;
  const double down[3] = {R[6], R[7], R[8]}; // world z in the body's axes
  ff_pose turn = ff_pose_identity();
  const double back[4] = {-q[0], -q[1], -q[2], q[3]};
  memcpy(turn.quaternion, back, sizeof back);
  ff_pose direction = ff_pose_identity();
  ffi_v3_copy(down, direction.position);
  direction = ff_pose_compose(&turn, &direction);
  ffi_v3_copy(direction.position, n);
  out->z = at[2] + ffi_v3_dot(down, p) + ffi_shape_lowest(&shape, n);
  out->count = count_points(&shape, n);
  return isfinite(out->z);
}

static void measure(const work *w, tree *trees)
{
  const ffi_mjcf *m = w->m;
  for (int i = 1; i < m->body_count; ++i) {
    const ffi_mjcf_body *body = &m->bodies[i];
    tree *t = &trees[body->moves ? root_of(m, i) : 0];
    if (body->moves && !m->bodies[body->parent].moves)
      t->can_fall = can_fall(w, body);
    t->mass += body->inertia.mass;
  }
  for (int i = 0; i < m->geom_count; ++i) {
    touch at = {0};
    tree *t = &trees[m->bodies[m->geoms[i].body].moves ? root_of(m, m->geoms[i].body) : 0];
    if (t == trees || !find_touch(w, &m->geoms[i], &at))
      continue;
    t->lowest = fmin(t->lowest, at.z);
    t->highest = fmax(t->highest, at.z);
  }
}

// Within a twentieth of the tree's height of its lowest point.
static int is_support(const work *w, const tree *t, int geom, touch *at)
{
  return t->can_fall && find_touch(w, &w->m->geoms[geom], at) &&
         at->z <= t->lowest + 0.05 * (t->highest - t->lowest);
}

static void find_loads(work *w, tree *trees)
{
  const ffi_mjcf *m = w->m;
  touch at = {0};
  for (int i = 0; i < m->body_count; ++i)
    trees[i] = (tree){.lowest = INFINITY, .highest = -INFINITY};
  ffi_mjcf_keyframe_first(w->m, w->draft.qpos);
  ffi_mjcf_draft_place(m, &w->draft);
  measure(w, trees);
  for (int i = 0; i < m->geom_count; ++i) {
    const int body = m->geoms[i].body;
    tree *t = &trees[m->bodies[body].moves ? root_of(m, body) : 0];
    t->support_count += t != trees && is_support(w, t, i, &at);
  }
  for (int i = 0; i < m->geom_count; ++i) {
    ffi_mjcf_stand *s = &w->stand[i];
    if (!w->is_asked[i] || !(s->inverse_mass > 0))
      continue;
    const tree *t = &trees[root_of(m, m->geoms[i].body)];
    s->load = w->gravity / s->inverse_mass;
    if (is_support(w, t, i, &at))
      s->load = w->gravity * t->mass / (t->support_count * at.count);
    if (!(s->load > 0 && isfinite(s->load)))
      s->inverse_mass = 0;
  }
}

// ---- Both ---------------------------------------------------------------------------------------------------

int ffi_mjcf_stand_find(ffi_mjcf *m, const char *is_asked, ffi_mjcf_stand *stand)
{
  work w = {.m = m, .is_asked = is_asked, .stand = stand};
  tree *trees = calloc((size_t)m->body_count + 1, sizeof *trees);
  w.gravity = ffi_v3_norm(m->gravity);
  if (!(w.gravity > 0) || !m->has_gravity)
    w.gravity = 9.81;
  if (!trees)
    ffi_mjcf_no_memory(m);
  const int is_found = trees && ffi_mjcf_draft_open(m, &w.draft) && find_masses(&w);
  if (is_found)
    find_loads(&w, trees);
  free(trees);
  ffi_mjcf_draft_close(&w.draft);
  return is_found && !ffi_mjcf_failed(m);
}
