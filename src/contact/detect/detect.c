// Which features are near: the broad phase finds close pairs, then each of them tells its touches.
#include "contact/detect/broad_phase.h"
#include "contact/detect/colliders.h"

#include "math/mat3.h"

// A shape's frame in the world.
static void place_shape(const ffi_pose *poses, int body, const ffi_pose *in, ffi_pose *out)
{
  if (body == 0) {
    *out = *in;
    return;
  }
  const ffi_pose *pose = &poses[body];
  ffi_m3_mul(pose->R, in->R, out->R);
  ffi_m3_mulv(pose->R, in->p, out->p);
  ffi_v3_add(pose->p, out->p, out->p);
}

// How far a solid reaches from its middle along an axis of another frame, the rows of whose rotation are R's columns.
static double reach_along(const ffi_solid *solid, const ffi_pose *place, const ffi_pose *other, int axis)
{
  const double n[3] = {other->R[axis], other->R[3 + axis], other->R[6 + axis]}, *R = place->R,
               *size = solid->size;
  double sides[3];
  ffi_m3_tmulv(R, n, sides);
  if (solid->type == FF_SHAPE_CAPSULE)
    return size[0] + fabs(sides[2]) * size[1] / 2;
  if (solid->type == FF_SHAPE_BOX)
    return (fabs(sides[0]) * size[0] + fabs(sides[1]) * size[1] + fabs(sides[2]) * size[2]) / 2;
  return solid->radius;
}

// Is the first solid beside a side of the second, a box or a height field, by more than the margin? What is left is worth the search for touches.
static int is_clear(const ffi_collider_pair *pair, const ffi_pose *a, const ffi_pose *b, double margin)
{
  const ffi_solid *solid = &pair->b->solid;
  const int axes = solid->type == FF_SHAPE_BOX ? 3 : solid->type == FF_SHAPE_HEIGHTFIELD ? 2 : 0;
  double local[3];
  ffi_v3_sub(a->p, b->p, local);
  ffi_m3_tmulv(b->R, local, local);
  for (int i = 0; i < axes; ++i)
    if (fabs(local[i]) - solid->size[i] / 2 > reach_along(&pair->a->solid, a, b, i) + margin)
      return 1;
  return 0;
}

// A touch as the contacts see it: its owner is `a`.
static void take(const ffi_collider_pair *pair, int index, const ffi_touch *touch, ffi_detect_candidate *out)
{
  const int flipped = touch->owner == 1;
  out->id = pair->first_id + touch->feature;
  out->pair = index;
  out->flipped = flipped;
  out->a = flipped ? pair->body_b : pair->body_a;
  out->b = flipped ? pair->body_a : pair->body_b;
  out->gap = touch->gap;
  out->roll = touch->roll;
  ffi_v3_copy(touch->point, out->point);
  ffi_v3_scale(flipped ? -1 : 1, touch->normal, out->normal);
  ffi_v3_copy(touch->centre, out->centre);
  ffi_v3_copy(touch->axis, out->axis);
}

// What is asked of a detection.
typedef struct query {
  const ffi_colliders *scene;
  ffi_detect_memory *room;
  const ffi_poses *at;
  double margin;
  double slack; // infinite: touches alone
} query;

// The touches of a pair that may be close.
static int look(const query *q, int index, ffi_detect_candidate *out)
{
  const ffi_collider_pair *pair = &q->scene->pairs[index];
  const double margin = q->margin;
  ffi_touch *touches = q->room->touches;
  ffi_pose a, moved;
  const ffi_pose *b = &moved;
  place_shape(q->at->body, pair->body_a, &pair->a->in, &a);
  if (pair->ground >= 0)
    b = &q->at->ground[pair->ground];
  else
    place_shape(q->at->body, pair->body_b, &pair->b->in, &moved);
  if (is_clear(pair, &a, b, margin))
    return 0;
  const ffi_solid *first = &pair->a->solid, *second = &pair->b->solid;
  int count = ffi_collide(first, a.p, a.R, second, b->p, b->R, margin, touches);
  if (q->slack < (double)INFINITY)
    count = ffi_collide_nearest(first, a.p, a.R, second, b->p, b->R, margin, q->slack, touches, count);
  for (int i = 0; i < count; ++i)
    take(pair, index, &touches[i], &out[i]);
  return count;
}

// A point or a sphere on a plane.
static void take_point(const ffi_collider_pair *pair, int index, const double centre[3],
                       const ffi_broad_phase_boundary *plane, double gap, ffi_detect_candidate *out)
{
  const double radius = pair->a->solid.radius;
  out->id = pair->first_id;
  out->pair = index;
  out->flipped = 0;
  out->a = pair->body_a;
  out->b = pair->body_b;
  out->gap = gap;
  out->roll = pair->a->solid.type == FF_SHAPE_SPHERE ? FFI_ROLL_SPHERE : FFI_ROLL_NONE;
  const double *n = plane->n;
  ffi_v3_set(centre[0] - radius * n[0], centre[1] - radius * n[1], centre[2] - radius * n[2], out->point);
  ffi_v3_set(n[0], n[1], n[2], out->normal);
  ffi_v3_set(centre[0], centre[1], centre[2], out->centre);
  ffi_v3_set(0, 0, 0, out->axis);
}

static int detect(const query *q, ffi_detect_candidate *out)
{
  const ffi_colliders *scene = q->scene;
  const ffi_broad_phase *sweep = scene->sweep;
  ffi_detect_memory *room = q->room;
  const ffi_pose *ground = q->at->ground;
  const double margin = q->margin;
  ffi_broad_phase_update(sweep, q->at, scene->ground_count, room);
  const uint64_t *const marks = ffi_broad_phase_mark(sweep, NULL, margin, room);
  const int pairs = scene->pair_count;
  int count = 0;
  for (int i = ffi_broad_phase_next(marks, -1, pairs); i < pairs; i = ffi_broad_phase_next(marks, i, pairs)) {
    const ffi_broad_phase_probe *probe = &sweep->probes[i];
    double gap;
    if (!ffi_broad_phase_is_near(sweep, room, ground, probe, margin, &gap))
      continue;
    if (probe->kind == FFI_PROBE_POINT)
      take_point(&scene->pairs[i], i, room->centre[probe->a], &room->boundary[probe->b], gap, &out[count++]);
    else
      count += look(q, i, out + count);
  }
  return count;
}

int ffi_detect(const ffi_colliders *scene, ffi_detect_memory *room, const ffi_poses *at, double margin,
               ffi_detect_candidate *out)
{
  return detect(&(query){scene, room, at, margin, (double)INFINITY}, out);
}

int ffi_detect_nearest(const ffi_colliders *scene, ffi_detect_memory *room, const ffi_poses *at,
                       double margin, double slack, ffi_detect_candidate *out)
{
  return detect(&(query){scene, room, at, margin, slack}, out);
}

int ffi_detect_close_pairs(const ffi_colliders *scene, ffi_detect_memory *room, const ffi_poses *at,
                           const double *grow, int *out)
{
  const ffi_broad_phase *sweep = scene->sweep;
  ffi_broad_phase_update(sweep, at, scene->ground_count, room);
  const uint64_t *const marks = ffi_broad_phase_mark(sweep, grow, 0, room);
  const int pairs = scene->pair_count;
  int count = 0;
  for (int i = ffi_broad_phase_next(marks, -1, pairs); i < pairs; i = ffi_broad_phase_next(marks, i, pairs)) {
    const ffi_broad_phase_probe *probe = &sweep->probes[i];
    const double margin = grow[probe->a] + grow[sweep->partner[i]];
    double gap;
    if (ffi_broad_phase_is_near(sweep, room, at->ground, probe, margin, &gap))
      out[count++] = i;
  }
  return count;
}
