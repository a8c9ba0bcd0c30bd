// Contact candidates: the broad phase finds close pairs, the narrow phase (geometry/collide.h) gives their touches.
#include "contact/detect/detect.h"

#include "contact/detect/broad_phase.h"
#include "geometry/collide.h"
#include "geometry/height_field.h"
#include "math/mat3.h"

ffi_detect_memory *ffi_detect_layout(const ffi_colliders *colliders, ffi_block *block)
{
  const ffi_broad_phase *phase = colliders->broad_phase;
  ffi_detect_memory *memory = ffi_block_keep(block, 1, sizeof *memory), arrays = {0};
  const size_t count = (size_t)phase->collider_count, balls = (size_t)phase->ball_count;
  arrays.centre = ffi_block_keep(block, count, sizeof *arrays.centre);
  arrays.boundary = ffi_block_take(block, (size_t)phase->half_space_count, sizeof *arrays.boundary);
  arrays.touches = ffi_block_take(block, (size_t)colliders->max_of_pair, sizeof *arrays.touches);
  arrays.marks = ffi_block_take(block, (size_t)phase->pair_count / 64 + 1, sizeof *arrays.marks);
  arrays.work = ffi_block_take(block, 1, sizeof *arrays.work);
  ffi_ball_tree_layout(&arrays.tree, phase->ball_count, block);
  if (!memory)
    return NULL;
  *memory = arrays;
  memory->tree.most = phase->ball_count;
  memcpy(memory->centre, phase->centre, count * sizeof *memory->centre);
  if (balls > 0)
    memcpy(memory->tree.balls, phase->balls, balls * sizeof *phase->balls);
  return memory;
}

// A shape's frame in the world.
static void place_shape(const ffi_pose *poses, int body, const ffi_pose *in, ffi_pose *out)
{
  if (body == 0)
    *out = *in;
  else
    ffi_pose_compose(&poses[body], in, out);
}

// Half the extent of a solid along an axis of another frame.
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
  if (solid->type == FF_SHAPE_ELLIPSOID) {
    const double reach[3] = {sides[0] * size[0], sides[1] * size[1], sides[2] * size[2]};
    return ffi_v3_norm(reach);
  }
  return solid->radius;
}

// Is the first solid beside the second, a box or a height field, by more than the margin? Then there is no touch.
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

// A touch as a contact candidate: its owner becomes `a`.
static void take(const ffi_collider_pair *pair, int index, const ffi_touch *touch, ffi_detect_candidate *out)
{
  const int flipped = touch->owner == 1;
  out->id = pair->first_id + touch->feature;
  out->pair = index;
  out->flipped = flipped;
  out->a = flipped ? pair->body_b : pair->body_a;
  out->b = flipped ? pair->body_a : pair->body_b;
  out->gap = touch->gap;
  out->weight = 1 - touch->lack;
  ffi_v3_scale(flipped ? -1 : 1, touch->weight_slope, out->weight_slope);
  out->roll = touch->roll;
  ffi_v3_copy(touch->point, out->point);
  ffi_v3_scale(flipped ? -1 : 1, touch->normal, out->normal);
  ffi_v3_copy(touch->centre, out->centre);
  ffi_v3_copy(touch->axis, out->axis);
  if (touch->roll == FFI_ROLL_BENT)
    memcpy(out->bend, touch->bend, sizeof out->bend);
}

// The request of a detection.
typedef struct query {
  const ffi_colliders *colliders;
  ffi_detect_memory *memory;
  const ffi_poses *at;
  double margin;
  double slack; // infinite: touches only
} query;

double ffi_detect_work(ffi_detect_memory *memory)
{
  const double work = (double)*memory->work;
  *memory->work = 0;
  return work;
}

// Of a solid against anything that is no plane: distances of hulls and curved shapes are found by iteration.
static uint64_t cost_of(const ffi_solid *solid)
{
  switch (solid->type) {
  case FF_SHAPE_ELLIPSOID: return 40;
  case FF_SHAPE_CYLINDER:
  case FF_SHAPE_DISK:
  case FF_SHAPE_HULL: return 8;
  default: return 1;
  }
}

// The cells of a height field below a ball or an ellipsoid are tried one by one, some fifty of them in a unit.
static uint64_t cost_of_cells(const ffi_solid *a, const ffi_height_field *field)
{
  if (a->type != FF_SHAPE_SPHERE && a->type != FF_SHAPE_CAPSULE && a->type != FF_SHAPE_ELLIPSOID)
    return 0;
  return (uint64_t)(ffi_height_field_cells_under(field, a->radius) / 50);
}

// Each corner of a hull is measured against all of the other hull.
static uint64_t cost_of_corners(const ffi_solid *a, const ffi_solid *b)
{
  const uint64_t corners = (uint64_t)a->vertex_count + (uint64_t)b->vertex_count;
  return corners * corners / 700;
}

static uint64_t cost_of_pair(const ffi_solid *a, const ffi_solid *b)
{
  const uint64_t first = cost_of(a), second = cost_of(b);
  if (b->type == FF_SHAPE_HEIGHTFIELD)
    return first + cost_of_cells(a, b->field);
  return b->type == FF_SHAPE_PLANE ? 1 : (first > second ? first : second) + cost_of_corners(a, b);
}

// The candidates of a pair that may be close.
static int collide(const query *q, int index, ffi_detect_candidate *out)
{
  const ffi_collider_pair *pair = &q->colliders->pairs[index];
  const double margin = q->margin;
  ffi_touch *touches = q->memory->touches;
  ffi_pose a, moved;
  const ffi_pose *b = &moved;
  place_shape(q->at->body, pair->body_a, &pair->a->in, &a);
  if (pair->ground >= 0)
    b = &q->at->ground[pair->ground];
  else
    place_shape(q->at->body, pair->body_b, &pair->b->in, &moved);
  if (is_clear(pair, &a, b, margin))
    return 0;
  const ffi_solid_at first = {&pair->a->solid, a.p, a.R}, second = {&pair->b->solid, b->p, b->R};
  *q->memory->work += cost_of_pair(first.solid, second.solid);
  int count = ffi_collide(&first, &second, margin, touches);
  if (q->slack < (double)INFINITY)
    count = ffi_collide_nearest(&first, &second, margin, q->slack, touches, count);
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
  out->weight = 1;
  ffi_v3_set(0, 0, 0, out->weight_slope);
  out->roll = pair->a->solid.type == FF_SHAPE_SPHERE ? FFI_ROLL_SPHERE : FFI_ROLL_NONE;
  const double *n = plane->n;
  ffi_v3_set(centre[0] - radius * n[0], centre[1] - radius * n[1], centre[2] - radius * n[2], out->point);
  ffi_v3_set(n[0], n[1], n[2], out->normal);
  ffi_v3_set(centre[0], centre[1], centre[2], out->centre);
  ffi_v3_set(0, 0, 0, out->axis);
}

static int detect(const query *q, ffi_detect_candidate *out)
{
  const ffi_colliders *colliders = q->colliders;
  const ffi_broad_phase *phase = colliders->broad_phase;
  ffi_detect_memory *memory = q->memory;
  const ffi_pose *ground = q->at->ground;
  const double margin = q->margin;
  ffi_broad_phase_update(phase, q->at, colliders->ground_count, memory);
  const uint64_t *const marks = ffi_broad_phase_mark(phase, NULL, margin, memory);
  const int pairs = colliders->pair_count;
  int count = 0;
  for (int i = ffi_broad_phase_next(marks, -1, pairs); i < pairs; i = ffi_broad_phase_next(marks, i, pairs)) {
    const ffi_broad_phase_probe *probe = &phase->probes[i];
    double gap;
    if (!ffi_broad_phase_is_near(phase, memory, ground, probe, margin, &gap))
      continue;
    if (probe->kind == FFI_PROBE_POINT)
      take_point(&colliders->pairs[i], i, memory->centre[probe->a], &memory->boundary[probe->b], gap,
                 &out[count++]);
    else
      count += collide(q, i, out + count);
  }
  return count;
}

int ffi_detect(const ffi_colliders *colliders, ffi_detect_memory *memory, const ffi_poses *at, double margin,
               ffi_detect_candidate *out)
{
  return detect(&(query){colliders, memory, at, margin, (double)INFINITY}, out);
}

int ffi_detect_nearest(const ffi_colliders *colliders, ffi_detect_memory *memory, const ffi_poses *at,
                       double margin, double slack, ffi_detect_candidate *out)
{
  return detect(&(query){colliders, memory, at, margin, slack}, out);
}

int ffi_detect_close_pairs(const ffi_colliders *colliders, ffi_detect_memory *memory, const ffi_poses *at,
                           const double *grow, int *out)
{
  const ffi_broad_phase *phase = colliders->broad_phase;
  ffi_broad_phase_update(phase, at, colliders->ground_count, memory);
  const uint64_t *const marks = ffi_broad_phase_mark(phase, grow, 0, memory);
  const int pairs = colliders->pair_count;
  int count = 0;
  for (int i = ffi_broad_phase_next(marks, -1, pairs); i < pairs; i = ffi_broad_phase_next(marks, i, pairs)) {
    const ffi_broad_phase_probe *probe = &phase->probes[i];
    const double margin = grow[probe->a] + grow[phase->partner[i]];
    double gap;
    if (ffi_broad_phase_is_near(phase, memory, at->ground, probe, margin, &gap))
      out[count++] = i;
  }
  return count;
}
