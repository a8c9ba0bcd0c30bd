#include "contact/scene.h"
#include "contact/sweep.h"

#include "math/mat3.h"

// A shape's frame in the world.
static void place_shape(const ffi_place *poses, int body, const ffi_place *in, ffi_place *out)
{
  if (body == 0) {
    *out = *in;
    return;
  }
  const ffi_place *pose = &poses[body];
  ffi_m3_mul(pose->R, in->R, out->R);
  ffi_m3_mulv(pose->R, in->p, out->p);
  ffi_v3_add(pose->p, out->p, out->p);
}

// Is the ball more than `reach` beside a box? Height, which tells most often, comes first.
static int is_beside(const double half[3], const ffi_place *place, const double centre[3], double reach)
{
  const double *R = place->R;
  const double x = centre[0] - place->p[0], y = centre[1] - place->p[1], z = centre[2] - place->p[2];
  return !(fabs(R[2] * x + R[5] * y + R[8] * z) <= half[2] + reach &&
           fabs(R[0] * x + R[3] * y + R[6] * z) <= half[0] + reach &&
           fabs(R[1] * x + R[4] * y + R[7] * z) <= half[1] + reach);
}

// How far a solid reaches from its middle along an axis of another frame, the rows of whose rotation are R's columns.
static double reach_along(const ffi_solid *solid, const ffi_place *place, const ffi_place *other, int axis)
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
static int is_clear(const ffi_pair *pair, const ffi_place *a, const ffi_place *b, double margin)
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
static void take(const ffi_pair *pair, int index, const ffi_touch *touch, ffi_near *out)
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

// The touches of a pair that may be close.
static int look(const ffi_scene *scene, int index, const ffi_place *poses, double margin, ffi_near *out)
{
  const ffi_sweep *sweep = scene->memory;
  const ffi_pair *pair = &scene->pairs[index];
  ffi_place a, moved;
  const ffi_place *b = &moved;
  place_shape(poses, pair->body_a, &pair->a->in, &a);
  if (pair->ground >= 0)
    b = &scene->grounds[pair->ground].place;
  else
    place_shape(poses, pair->body_b, &pair->b->in, &moved);
  if (is_clear(pair, &a, b, margin))
    return 0;
  int count = ffi_collide(&pair->a->solid, a.p, a.R, &pair->b->solid, b->p, b->R, margin, sweep->touches);
  for (int i = 0; i < count; ++i)
    take(pair, index, &sweep->touches[i], &out[i]);
  return count;
}

// A point or a sphere on a plane.
static void take_point(const ffi_pair *pair, int index, const double centre[3], const ffi_half_space *plane,
                       double gap, ffi_near *out)
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

// Comparisons are written so that what is not a number is never near.
int ffi_scene_detect(const ffi_scene *scene, const ffi_place *poses, double margin, ffi_near *out)
{
  ffi_sweep *sweep = scene->memory;
  ffi_sweep_update(sweep, poses, scene->grounds, scene->ground_count);
  const ffi_probe *const probes = sweep->probes;
  const double(*const centres)[3] = (const double(*)[3])sweep->centre;
  const int pairs = scene->pair_count;
  int count = 0;
  for (int i = 0; i < pairs; ++i) {
    const ffi_probe *probe = &probes[i];
    const double *centre = centres[probe->a];
    if (probe->kind == FFI_PROBE_BALL) {
      const double *other = centres[probe->b];
      const double x = centre[0] - other[0], y = centre[1] - other[1], z = centre[2] - other[2];
      const double reach = probe->reach + margin;
      if (x * x + y * y + z * z <= reach * fabs(reach))
        count += look(scene, i, poses, margin, out + count);
      continue;
    }
    if (probe->kind == FFI_PROBE_CRATE) {
      const ffi_crate *crate = &sweep->crates[probe->b];
      if (!is_beside(crate->half, &scene->grounds[crate->ground].place, centre, probe->reach + margin))
        count += look(scene, i, poses, margin, out + count);
      continue;
    }
    const ffi_half_space *below = &sweep->half_spaces[probe->b];
    double gap = (ffi_v3_dot(below->n, centre) - below->d) * below->share - probe->reach;
    if (!(gap <= margin))
      continue;
    if (probe->kind == FFI_PROBE_POINT)
      take_point(&scene->pairs[i], i, centre, below, gap, &out[count++]);
    else
      count += look(scene, i, poses, margin, out + count);
  }
  return count;
}
