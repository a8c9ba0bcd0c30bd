// Cylinders and disks against boxes and height fields; planes: plane/collide_plane_caps.c.
// docs/theory/detection.md, section 1
//
// A cap (a cylinder has two, a disk is one) touches with its rim. Which point of the rim is lowest depends on the tilt
// s, the sine of the angle between the cap and the surface. Each cap has five witnesses, with consecutive features:
//
//     0       the lowest point of the rim. It rolls: FFI_ROLL_AXIS. Below a tilt of FFI_CAP_FLAT the lowest point is
//             ill defined, and the witness moves towards the middle of the cap, where it is at s = 0.
//     1 .. 4  the points of the rim on +x, -x, +y, -y, which do not roll: four fixed supports. With growing tilt they
//             move inwards by the cosine and leave the load to the first: a wheel runs on its two rolling witnesses
//             alone and does not stumble over the others.
//
// Against a box there is, after the caps of a cylinder, the place where its axis crosses an edge of the box (the edge
// of a stair along the length of a leg), and then the touches of collide_caps_box.c: corners and edges of the box under
// caps.
#include "geometry/cap.h"
#include "geometry/collide_caps_box.h"
#include "geometry/edge_crossing.h"
#include "geometry/narrow_phase.h"
#include "geometry/surface.h"

// Part of the radius over which one touch replaces the next.
static const double blend = 1e-3;

typedef struct cap {
  double centre[3], axis[3], x[3], y[3]; // in B's frame; x, y and axis are A's
  double radius;
  double distance, normal[3]; // of the centre from the surface
  double lowest[3];           // towards the lowest point of the rim, unit; zero if there is none
  double tilt;                // its sine
} cap;

// The tilt against the surface below, or beside, the cap's centre. Returns 0 where there is none.
static int tilt_cap(const ffi_solid *b, const double middle[3], cap *c)
{
  if (!ffi_surface_distance(b, c->centre, middle, c->normal, &c->distance))
    return 0;
  ffi_v3_scale(ffi_v3_dot(c->normal, c->axis), c->axis, c->lowest);
  ffi_v3_sub(c->lowest, c->normal, c->lowest);
  c->tilt = ffi_smaller(ffi_direction(c->lowest, c->lowest), 1);
  return 1;
}

// How far x, inside the box, has to move along n to leave it.
static double way_along(const double half[3], const double x[3], const double n[3])
{
  double way = (double)INFINITY;
  for (int k = 0; k < 3; ++k)
    if (n[k] != 0)
      way = ffi_smaller(way, (half[k] - copysign(1, n[k]) * x[k]) / fabs(n[k]));
  return way;
}

// The face across the cap's axis, and before it (not beyond the middle of A), through which x, inside the box, leaves
// it along the axis by the shortest way; -1: none.
static int face_across(const double half[3], const double x[3], const cap *c, const double middle[3])
{
  double way = (double)INFINITY;
  int face = -1;
  for (int k = 0; k < 3; ++k) {
    const double along = fabs(c->axis[k]), here = (half[k] - fabs(x[k])) / along;
    if (along > 0.5 && copysign(1, x[k]) * (middle[k] - c->centre[k]) >= 0 && here < way)
      way = here, face = k;
  }
  return face;
}

// A point of the cap inside a box. The rim is round, so its lowest point leaves towards the centre's side, across the
// edge where the centre is beyond an edge, and not through the nearest face; unless the cap lies on a face and that way
// out is shorter.
static void turn_out(const ffi_solid *b, const cap *c, const double middle[3], ffi_touch *touch)
{
  const double half[3] = {0.5 * b->size[0], 0.5 * b->size[1], 0.5 * b->size[2]}, *x = touch->point;
  const int face = face_across(half, x, c, middle);
  const double along = face < 0 ? (double)INFINITY : (half[face] - fabs(x[face])) / fabs(c->axis[face]);
  const double way =
      touch->roll == FFI_ROLL_AXIS && c->distance > 0 ? way_along(half, x, c->normal) : (double)INFINITY;
  if (way <= along && way < (double)INFINITY) {
    touch->gap = -way;
    ffi_v3_copy(c->normal, touch->normal);
  } else if (face >= 0 && fabs(x[face]) - half[face] > touch->gap) {
    touch->gap = fabs(x[face]) - half[face];
    ffi_v3_set(0, 0, 0, touch->normal);
    touch->normal[face] = copysign(1, x[face]);
  }
}

// A touch at `x` of the cap, in B's frame; `middle` is A's.
static void put_at(ffi_narrow_phase *query, const cap *c, int feature, const double middle[3],
                   const double x[3], int roll)
{
  ffi_touch touch = {.feature = feature, .roll = roll};
  if (!ffi_surface_distance(query->b, x, middle, touch.normal, &touch.gap))
    return;
  ffi_v3_copy(x, touch.point);
  ffi_v3_copy(roll == FFI_ROLL_AXIS ? c->centre : x, touch.centre);
  if (roll == FFI_ROLL_AXIS)
    ffi_v3_copy(c->axis, touch.axis);
  if (query->b->type == FF_SHAPE_BOX && touch.gap < 0)
    turn_out(query->b, c, middle, &touch);
  ffi_narrow_phase_put(query, &touch);
}

static void put_rim(ffi_narrow_phase *query, const cap *c, int first, const double middle[3],
                    double rolling[3])
{
  const double drawn = ffi_cap_drawn(c->tilt);
  double x[3];
  ffi_v3_copy(c->centre, rolling);
  ffi_v3_add_scaled(drawn * c->radius, c->lowest, rolling);
  put_at(query, c, first, middle, rolling, FFI_ROLL_AXIS);
  const double stand = c->radius * sqrt(1 - c->tilt * c->tilt);
  for (int i = 0; i < 4; ++i) {
    ffi_v3_copy(c->centre, x);
    ffi_v3_add_scaled(i % 2 ? -stand : stand, i < 2 ? c->x : c->y, x);
    put_at(query, c, first + 1 + i, middle, x, FFI_ROLL_NONE);
  }
}

static int crosses(const double half[3], const double from[3], const double to[3], double most,
                   ffi_edge_crossing *out)
{
  double normal[3];
  const ffi_edge_crossing_segment line = {
      from, to, {ffi_box_distance(half, from, NULL, normal), ffi_box_distance(half, to, NULL, normal)}, NULL};
  return ffi_edge_crossing_find(half, &line, most, out);
}

// The raise where a cylinder on an edge near its end, or on a block under its cap, has a shorter way out through the
// cap, eq. 1.
static double leave_by_cap(const double *const ends[2], const ffi_edge_crossing *crossing, double radius,
                           double gap)
{
  double way = (double)INFINITY;
  for (int i = 0; i < 2; ++i) { // inwards from this end: the crossing, the middle of the box
    double r[3];
    ffi_v3_sub(crossing->point, ends[i], r);
    const double at = fabs(ffi_v3_dot(r, crossing->axis));
    const double middle = (i ? 1 : -1) * ffi_v3_dot(ends[i], crossing->axis);
    way = ffi_smaller(way, at + 0.5 * ffi_larger(middle - at, 0));
  }
  return ffi_raise(way + ffi_smaller(gap, 0), blend * radius);
}

// An edge of a box along the length of a cylinder, whose axis runs between the middles of its caps.
static void put_length(ffi_narrow_phase *query, const double from[3], const double to[3], int feature)
{
  const double *size = query->b->size, half[3] = {0.5 * size[0], 0.5 * size[1], 0.5 * size[2]};
  const double radius = query->a->size[0];
  ffi_edge_crossing crossing;
  if (!crosses(half, from, to, query->margin + radius, &crossing))
    return;
  const double gap = crossing.gap - radius;
  ffi_touch touch = {.feature = feature,
                     .gap = gap + leave_by_cap((const double *const[]){from, to}, &crossing, radius, gap),
                     .roll = FFI_ROLL_LINE};
  ffi_v3_copy(crossing.point, touch.centre);
  ffi_v3_copy(crossing.normal, touch.normal);
  ffi_v3_copy(crossing.axis, touch.axis);
  ffi_v3_copy(crossing.point, touch.point);
  ffi_v3_add_scaled(-radius, crossing.normal, touch.point);
  ffi_narrow_phase_put(query, &touch);
}

void ffi_collide_caps(ffi_narrow_phase *query)
{
  const ffi_solid *a = query->a;
  const int is_disk = a->type == FF_SHAPE_DISK, is_box = query->b->type == FF_SHAPE_BOX;
  const int caps = is_disk ? 1 : 2, each = is_box ? 5 + FFI_COLLIDE_RIM_BOX : 5;
  double p[3], R[9], centre[2][3], rolling[3];
  ffi_narrow_phase_relative(query, p, R);
  for (int i = 0; i < caps; ++i) {
    cap c = {.radius = a->size[0]};
    ffi_to_world(p, R, (const double[]){0, 0, is_disk ? 0 : (i ? -0.5 : 0.5) * a->size[1]}, c.centre);
    ffi_v3_copy(c.centre, centre[i]);
    ffi_axis(R, 0, c.x);
    ffi_axis(R, 1, c.y);
    ffi_axis(R, 2, c.axis);
    if (!tilt_cap(query->b, p, &c))
      continue;
    put_rim(query, &c, each * i, p, rolling);
    if (is_box)
      ffi_collide_rim_box(query,
                          &(ffi_collide_caps_box_rim){c.centre, c.axis, c.radius, FFI_CAP_FLAT, rolling}, p,
                          each * i + 5);
  }
  if (is_box && !is_disk)
    put_length(query, centre[0], centre[1], 2 * each);
  if (is_box)
    ffi_collide_caps_box(query, p, R, is_disk ? each : 2 * each + 1);
}
