// The corners and edges of a box under the caps of a cylinder or a disk: what the rim's own witnesses do not see.
//
//     feature  0 ..  7   a corner of the box under a cap, owner 1
//              8 .. 31   where an edge of the box passes under the rim, owner 1: 8 + 2 edge + (0: towards the edge's low corner, 1: high)
//
// An edge across a cap touches it along a chord, and carries at the chord's two ends; where the edge ends under the cap it carries at its
// corner. Corners and edges are numbered as in box_box.c. All of it is seen from A, whose axis is z.
//
// A touch here leaves through the cap. It is listed in full if the corner or the edge faces the cap, if that is a shorter way than to
// the side, and if it lies under the cap by more than a hair; else its gap is raised (docs/theory/detection.md, section 4).
#include "geometry/collide_caps_box.h"

typedef struct scene {
  ffi_narrow_phase *meeting;
  const double *p, *R; // A's pose in B's frame
  double radius, half; // of A, and half its length
  double hair;         // [m]
  double size[3];      // of the box, half
  double axis[3][3];   // the box's axes
  double middle[3];    // the box's
  double corner[8][3]; //
  double across[8];    // how far corners are from A's axis
} scene;

// How far the cap is from what lies under it, and how it would leave.
typedef struct way {
  double gap, normal[3];
} way;

// Part of the radius over which a touch hands over to the next. As in box.c.
static const double hair = 1e-3;

// The sine by which a face may look away from the cap: the other corners of a small block under a large cap, tilted. From half of it on
// the gap is raised. So small that no corner or edge faces two caps.
static const double away = 0.1;

// How far the faces at a corner (all three) or at an edge along axis `but` (both others) look away from a cap that leaves along `normal`: the
// sine of the worst. Bits of `signs`: x, y, z positive.
static double look_away(const scene *s, int signs, int but, const double normal[3])
{
  double worst = 0;
  for (int k = 0; k < 3; ++k) {
    const double faces = ffi_v3_dot(s->axis[k], normal);
    if (k != but)
      worst = ffi_larger(worst, signs >> k & 1 ? -faces : faces);
  }
  return worst;
}

// What that costs.
static double raise_away(const scene *s, double sine)
{
  return ffi_raise(2 * (1 - sine / away) * s->hair, s->hair);
}

// What it costs that the cap has gone through the box, or the box through A, by half.
static double pass_through(const scene *s, int signs, int but, const way *w)
{
  double thick = (double)INFINITY; // of the box, along the normal
  for (int k = 0; k < 3; ++k) {
    const double faces = (signs >> k & 1 ? 1 : -1) * ffi_v3_dot(s->axis[k], w->normal);
    if (k != but && faces > 0)
      thick = ffi_smaller(thick, 2 * s->size[k] / faces);
  }
  const double half = 0.5 * thick + s->half;
  return ffi_raise(half + ffi_smaller(w->gap, 0), ffi_smaller(s->hair, 0.5 * half));
}

// What it costs that the cap under a place on an edge, `at` from its low corner, is beyond the edge's end.
static double pass_end(const scene *s, const double along[3], double at, double length, const way *w)
{
  const double shift = ffi_v3_dot(along, w->normal) * ffi_smaller(w->gap, 0);
  return ffi_raise(s->hair + ffi_smaller(ffi_smaller(at + shift, length - at - shift), 0), s->hair);
}

// What it costs that x, at a distance `across` from the axis, could leave through the side: (1) of the theory page, as in box.c.
static double leave_by_side(const scene *s, const double x[3], double across, double gap)
{
  const double reached = across > 0 ? across - (x[0] * s->middle[0] + x[1] * s->middle[1]) / across : 0;
  const double side = s->radius - across + 0.5 * ffi_larger(reached, 0);
  return ffi_raise(side + ffi_smaller(gap, 0), s->hair);
}

static void put(const scene *s, int feature, const double x[3], const way *w, const double *edge)
{
  ffi_touch touch = {
      .feature = feature, .owner = 1, .gap = w->gap, .roll = edge ? FFI_ROLL_LINE : FFI_ROLL_NONE};
  if (!ffi_is_near(w->gap, s->meeting->margin))
    return;
  ffi_to_world(s->p, s->R, x, touch.point);
  ffi_v3_copy(touch.point, touch.centre);
  ffi_m3_mulv(s->R, w->normal, touch.normal);
  if (edge)
    ffi_m3_mulv(s->R, edge, touch.axis);
  ffi_narrow_phase_put(s->meeting, &touch);
}

static void put_corner(const scene *s, int first, int i)
{
  const double *x = s->corner[i], across = s->across[i], over = ffi_larger(across - s->radius, 0);
  if (!(over < s->hair))
    return;
  for (int up = -1; up <= 1; up += 2) {
    way w = {.gap = up * x[2] - s->half, .normal = {0, 0, -up}};
    if (!ffi_is_near(w.gap, s->meeting->margin))
      continue;
    w.gap += raise_away(s, look_away(s, i, -1, w.normal)) + pass_through(s, i, -1, &w) +
             ffi_raise(s->hair - over, s->hair) + leave_by_side(s, x, across - over, w.gap);
    put(s, first + i, x, &w, NULL);
  }
}

// An edge that passes under the rim at x, inwards along `in` (unit). If it comes out through the cap on its way, cap and edge part across
// both the rim and the edge; if it goes deeper, along the axis.
static way leave_by_rim(const scene *s, const double x[3], const double in[3], int up)
{
  const double out[2] = {x[0] / s->radius, x[1] / s->radius};
  const double rise = up * in[2], inwards = -(in[0] * out[0] + in[1] * out[1]), length = hypot(rise, inwards);
  way w = {.gap = up * x[2] - s->half, .normal = {0, 0, -up}};
  if (!(rise > 0 && length > 0))
    return w;
  // Before they touch the edge is nearer to the rim's tangent than to the rim. A tenth of the radius away only x itself counts.
  const double far = ffi_smaller(ffi_larger(w.gap, 0) / (0.1 * s->radius), 1), share = inwards / length;
  w.gap *= share + (1 - share) * far;
  ffi_v3_set(-rise / length * out[0], -rise / length * out[1], -up * inwards / length, w.normal);
  return w;
}

typedef struct chord {
  int axis, low, high;       // of the box; its corners
  double along[3];           // unit, from low to high
  double length, at[2];      // where it passes under the rim, from the low corner
  double deepest[3], across; // the place nearest to A's axis, and how near
} chord;

// The part of an edge that is under the caps, however far away. Returns 0 if there is none.
static int cut_chord(const scene *s, int edge, chord *c)
{
  const int k = edge / 4, i = (k + 1) % 3, j = (k + 2) % 3;
  c->axis = k;
  c->low = (edge & 1) << i | (edge >> 1 & 1) << j;
  c->high = c->low | 1 << k;
  c->length = 2 * s->size[k];
  ffi_v3_copy(s->axis[k], c->along);
  const double *x = s->corner[c->low], *e = c->along, flat = e[0] * e[0] + e[1] * e[1];
  if (!(flat > 1e-12)) // it runs along the axis
    return 0;
  const double middle = -(x[0] * e[0] + x[1] * e[1]) / flat,
               beside = (x[0] * e[1] - x[1] * e[0]) / sqrt(flat);
  const double square = s->radius * s->radius - beside * beside;
  if (!(square > 0))
    return 0;
  const double reach = sqrt(square / flat);
  c->at[0] = middle - reach;
  c->at[1] = middle + reach;
  if (!(c->at[0] < c->length && c->at[1] > 0))
    return 0;
  const double nearest = ffi_smaller(ffi_larger(middle, 0), c->length);
  ffi_v3_copy(x, c->deepest);
  ffi_v3_add_scaled(nearest, e, c->deepest);
  c->across = hypot(c->deepest[0], c->deepest[1]);
  return 1;
}

// An edge that rises steeply through the cap must come out of it while under it, by this part of its rise; else it has gone by.
static const double out_again = 0.1;

// How far an edge looks away from a cap, and from where it would leave, at `height` over the cap; also an edge that runs inwards and deeper, or so deep
// that it does not come out: it is met elsewhere. A sine.
static double edge_away(const scene *s, const chord *c, int end, int up, double height,
                        const double normal[3])
{
  const double rise = (end ? -up : up) * c->along[2], flat = sqrt(ffi_larger(1 - rise * rise, 0));
  const double axis[3] = {0, 0, -up}, cap = look_away(s, c->low, c->axis, axis);
  const double worst = ffi_larger(look_away(s, c->low, c->axis, normal), -rise);
  const double whole = rise * (ffi_smaller(c->at[1], c->length) - ffi_larger(c->at[0], 0));
  double steep = 0;
  if (rise > 0)
    steep = rise * ffi_larger(ffi_smaller(1 - (height + whole) / (out_again * whole), 1), 0);
  return flat > 0 ? ffi_larger(ffi_larger(worst, steep), cap / flat - 2 * rise) : 1;
}

static void put_end(const scene *s, int feature, const chord *c, int end)
{
  double x[3], in[3];
  if (!(c->at[end] > 0 && c->at[end] < c->length))
    return;
  ffi_v3_copy(s->corner[c->low], x);
  ffi_v3_add_scaled(c->at[end], c->along, x);
  ffi_v3_scale(end ? -1 : 1, c->along, in);
  const double beyond = s->across[end ? c->high : c->low] - s->radius; // the corner that it hands over to
  for (int up = -1; up <= 1; up += 2) {
    way w = leave_by_rim(s, x, in, up);
    if (!ffi_is_near(w.gap, s->meeting->margin))
      continue;
    w.gap += raise_away(s, edge_away(s, c, end, up, up * x[2] - s->half, w.normal)) +
             pass_through(s, c->low, c->axis, &w) + pass_end(s, c->along, c->at[end], c->length, &w) +
             ffi_raise(beyond, s->hair) + ffi_raise(s->radius - c->across, s->hair) +
             leave_by_side(s, c->deepest, c->across, w.gap);
    put(s, feature, x, &w, c->along);
  }
}

static void place_box(scene *s)
{
  static const double origin[3] = {0};
  ffi_to_local(s->p, s->R, origin, s->middle);
  for (int k = 0; k < 3; ++k)
    ffi_v3_set(s->R[3 * k], s->R[3 * k + 1], s->R[3 * k + 2], s->axis[k]);
  for (int i = 0; i < 8; ++i) {
    ffi_v3_copy(s->middle, s->corner[i]);
    for (int k = 0; k < 3; ++k)
      ffi_v3_add_scaled(i >> k & 1 ? s->size[k] : -s->size[k], s->axis[k], s->corner[i]);
    s->across[i] = hypot(s->corner[i][0], s->corner[i][1]);
  }
}

void ffi_collide_caps_box(ffi_narrow_phase *meeting, const double p[3], const double R[9], int first)
{
  const ffi_solid *a = meeting->a;
  scene s = {.meeting = meeting, .p = p, .R = R, .radius = a->size[0], .hair = hair * a->size[0]};
  s.half = a->type == FF_SHAPE_DISK ? 0 : 0.5 * a->size[1];
  ffi_v3_scale(0.5, meeting->b->size, s.size);
  place_box(&s);
  for (int i = 0; i < 8; ++i)
    put_corner(&s, first, i);
  for (int edge = 0; edge < 12; ++edge) {
    chord c;
    if (!cut_chord(&s, edge, &c))
      continue;
    put_end(&s, first + 8 + 2 * edge, &c, 0);
    put_end(&s, first + 9 + 2 * edge, &c, 1);
  }
}
