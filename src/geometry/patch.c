// Touches of two convex solids at the corners of the patch between them. Features:
//
//     0                      the place of the signed distance, where none of the others is as near
//     1 ..                   corners of A over B
//     1 + a ..               corners of B under A, owner 1            a, b: numbers of corners
//     1 + a + b + 2 i, + 1   of the solid with fewer corners, A if they have as many: where the edge from corner i of its outline crosses the other's, one way and the other
#include "geometry/patch.h"

#include "geometry/distance_height_field.h"

// Parts of the smaller solid's size.
static const double hover = 1e-3;  // how high above the other's highest plane a corner is measured from
static const double lifted = 0.01; // how far apart solids are measured for their normal
static const double hair = 1e-3;   // over which a touch hands over to the next
static const double slab = 0.05;   // corners this near to the lowest plane make the outline
static const double missed = 1e-4; // what the others may miss of the distance
static const double skew = 0.02;   // sine of the angle at which two edges cross and not run along each other

enum { TRIES = 3 };
static const double same =
    1e-6; // a turn of the normal that is none: what the search for distances leaves of round solids

typedef struct patch {
  ffi_narrow_phase *meeting;
  ffi_side side[2];
  ffi_patch_outline outline[2];
  double n[3], t1[3], t2[3];
  double on_a[3]; // the place of the distance, on A
  double d;       // along n
  double size;    // of the smaller solid
  double least;   // of all gaps so far
  double enough;  // how far the others may be above the distance without it
  double limit;   // gaps above it need not be known
} patch;

int ffi_patch_most(const ffi_solid *a, const ffi_solid *b)
{
  const int na = ffi_patch_side_corner_count(a), nb = ffi_patch_side_corner_count(b);
  return 1 + na + nb + 2 * (na < nb ? na : nb);
}

static double size_of(const ffi_solid *solid)
{
  if (solid->type != FF_SHAPE_HULL)
    return ffi_solid_radius(solid);
  double middle[3] = {0}, most = 0, r[3]; // the frame's origin may lie anywhere
  for (int i = 0; i < solid->vertex_count; ++i)
    ffi_v3_add_scaled(1.0 / solid->vertex_count, solid->vertices + 3 * i, middle);
  for (int i = 0; i < solid->vertex_count; ++i) {
    ffi_v3_sub(solid->vertices + 3 * i, middle, r);
    most = ffi_larger(most, ffi_v3_norm(r));
  }
  return most;
}

// Measures again, with A moved away along the normal that was found. That does not change the true one: of all n, d(n) + s n.n1 is greatest for the same n as d(n) if
// that is n1, and for a better one than n1 if it is not. Returns how much the normal has turned.
static double improve(const ffi_narrow_phase *m, double away, ffi_distance *found)
{
  double first[3], moved[3], turned[3];
  ffi_v3_copy(found->normal, first);
  ffi_v3_copy(m->pa, moved);
  ffi_v3_add_scaled(away, first, moved);
  if (!ffi_distance_measure(m->a, moved, m->Ra, m->b, m->pb, m->Rb, NULL, found))
    return 0;
  ffi_v3_add_scaled(-away, first, found->on_a);
  ffi_v3_sub(found->normal, first, turned);
  return ffi_v3_norm(turned);
}

// The normal of the distance. Of solids that just touch it is the direction of next to nothing, and of round ones that overlap it is known to a millionth only; so it is improved.
static int find_normal(patch *p)
{
  const ffi_narrow_phase *m = p->meeting;
  ffi_distance found;
  if (!ffi_distance_measure(m->a, m->pa, m->Ra, m->b, m->pb, m->Rb, NULL, &found) ||
      !ffi_is_near(found.value, m->margin))
    return 0;
  const double away = lifted * p->size - found.value;
  for (int i = 0; i < TRIES && away > 0 && improve(m, away, &found) > same; ++i)
    ;
  ffi_v3_copy(found.normal, p->n);
  ffi_v3_copy(found.on_a, p->on_a);
  return fabs(ffi_v3_dot(p->n, p->n) - 1) < 1e-9;
}

// How far a corner is from the other solid along the normal: by the distance of the same place at a fixed height above the other's plane. Over a face that is the height; beside the other solid
// it rises at once, and without a jump.
static double corner_gap(const patch *p, int owner, const ffi_corner *corner)
{
  static const ffi_solid point = {.type = FF_SHAPE_POINT};
  static const double one[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  const ffi_side *own = &p->side[owner], *other = &p->side[1 - owner];
  const double up = hover * p->size - (p->d + corner->height) + own->convex.rind;
  double at[3], apart[3];
  ffi_v3_copy(corner->core, at);
  ffi_v3_add_scaled(own->convex.rind - up, own->towards, at);
  ffi_convex ball;
  ffi_convex_simplex s = {.count = 0};
  ffi_convex_set(&point, at, one, &ball);
  const double far = ffi_gjk(&ball, &other->convex, &s, apart) ? ffi_v3_norm(apart) : 0;
  return far - other->convex.rind - up + own->convex.rind;
}

static void put(patch *p, const ffi_touch *touch)
{
  p->least = ffi_smaller(p->least, touch->gap);
  ffi_narrow_phase_put_world(p->meeting, touch);
}

// How far a corner of B is from the nearest one of A, seen along the normal.
static double beside(const patch *p, const ffi_corner *corner)
{
  const ffi_patch_outline *a = &p->outline[0];
  const double x = ffi_v3_dot(corner->core, p->t1), y = ffi_v3_dot(corner->core, p->t2);
  double least = (double)INFINITY;
  for (int i = 0; i < a->count; ++i)
    least = ffi_smaller(least, hypot(x - a->at[i][0], y - a->at[i][1]));
  return least;
}

static void put_corners(patch *p, int owner, int first)
{
  const ffi_side *own = &p->side[owner];
  for (int i = 0; i < own->corner_count; ++i) {
    ffi_corner corner;
    ffi_patch_side_corner(own, i, &corner);
    if (!(p->d + corner.height <= p->limit))
      continue;
    ffi_touch touch = {
        .feature = first + i, .owner = owner, .gap = corner_gap(p, owner, &corner), .roll = corner.roll};
    if (owner == 1)
      touch.gap += ffi_raise(beside(p, &corner), hair * p->size);
    ffi_v3_copy(p->n, touch.normal);
    ffi_v3_copy(corner.core, touch.point);
    ffi_v3_add_scaled(own->convex.rind, own->towards, touch.point);
    ffi_v3_copy(corner.roll == FFI_ROLL_NONE ? touch.point : corner.centre, touch.centre);
    ffi_v3_copy(corner.axis, touch.axis);
    put(p, &touch);
  }
}

static void between(const double a[3], const double b[3], double part, double out[3])
{
  for (int k = 0; k < 3; ++k)
    out[k] = a[k] + part * (b[k] - a[k]);
}

// What is left of an edge on both sides of a place on it.
static double from_ends(const ffi_corner *from, const ffi_corner *to, double part)
{
  double along[3];
  ffi_v3_sub(to->core, from->core, along);
  return ffi_smaller(part, 1 - part) * ffi_v3_norm(along);
}

// What the gap of a crossing is raised by: near corners, which say the same; where edges run along each other; where an end is about to leave the outline.
static double crossing_raise(const patch *p, const ffi_corner *const end[4], const double part[2],
                             double sine)
{
  double high = 0;
  for (int i = 0; i < 4; ++i)
    high = ffi_larger(high, end[i]->height);
  const double near = ffi_smaller(from_ends(end[0], end[1], part[0]), from_ends(end[2], end[3], part[1]));
  return ffi_raise(near, hair * p->size) + p->size * ffi_raise(fabs(sine), skew) +
         ffi_raise(slab * p->size - high, 0.5 * slab * p->size);
}

// On the edge of A; a cylinder's length between its rolling witnesses rolls as they do.
static void place_crossing(const patch *p, const ffi_corner *from, const ffi_corner *to, double part,
                           ffi_touch *touch)
{
  double along[3];
  const ffi_side *a = &p->side[0];
  between(from->core, to->core, part, touch->centre);
  ffi_v3_copy(touch->centre, touch->point);
  ffi_v3_add_scaled(a->convex.rind, a->towards, touch->point);
  if (from->roll == FFI_ROLL_AXIS && to->roll == FFI_ROLL_AXIS) {
    touch->roll = FFI_ROLL_AXIS;
    between(from->centre, to->centre, part, touch->centre);
    ffi_v3_copy(from->axis, touch->axis);
    return;
  }
  touch->roll = FFI_ROLL_LINE;
  ffi_v3_sub(to->core, from->core, along);
  ffi_direction(along, touch->axis);
}

// Which of the two has the edges that crossings are numbered by.
static int numbering_side(const patch *p)
{
  return p->side[0].corner_count <= p->side[1].corner_count ? 0 : 1;
}

static void put_crossing(patch *p, int edge_a, int edge_b, int first)
{
  const ffi_patch_outline *a = &p->outline[0], *b = &p->outline[1];
  const ffi_corner *const end[4] = {&a->corner[edge_a], &a->corner[a->next[edge_a]], &b->corner[edge_b],
                                    &b->corner[b->next[edge_b]]};
  double part[2], sine;
  if (!ffi_patch_outline_cross(a, edge_a, b, edge_b, part, &sine))
    return;
  ffi_touch touch = {.feature = first + 2 * end[2 * numbering_side(p)]->number + (sine < 0)};
  touch.gap = p->d + end[0]->height + part[0] * (end[1]->height - end[0]->height) + end[2]->height +
              part[1] * (end[3]->height - end[2]->height) + crossing_raise(p, end, part, sine);
  ffi_v3_copy(p->n, touch.normal);
  place_crossing(p, end[0], end[1], part[0], &touch);
  put(p, &touch);
}

static void put_crossings(patch *p, int first)
{
  const int side = numbering_side(p);
  const ffi_patch_outline *one = &p->outline[side], *other = &p->outline[1 - side];
  for (int i = 0; i < one->count; ++i) {
    if (one->next[i] < 0)
      continue;
    const int before = p->meeting->count;
    for (int k = 0; k < other->count; ++k)
      if (other->next[k] >= 0 && p->meeting->count - before < 2)
        put_crossing(p, side ? k : i, side ? i : k, first);
    ffi_touch *two = p->meeting->out + before; // into it before out of it
    if (p->meeting->count - before == 2 && two[0].feature > two[1].feature) {
      const ffi_touch kept = two[0];
      two[0] = two[1];
      two[1] = kept;
    } else if (p->meeting->count - before == 2 && two[0].feature == two[1].feature) {
      --p->meeting->count; // through a corner of B, in these numbers: one place
    }
  }
}

// The place of the distance, known last.
static void put_nearest(patch *p, int feature)
{
  ffi_touch touch = {
      .feature = feature, .gap = p->d + ffi_raise(p->least - p->d, p->enough), .roll = FFI_ROLL_NONE};
  ffi_v3_copy(p->n, touch.normal);
  ffi_v3_copy(p->on_a, touch.point);
  ffi_v3_copy(p->on_a, touch.centre);
  put(p, &touch);
}

// The last of the list becomes the first.
static void put_last_first(ffi_narrow_phase *m)
{
  const ffi_touch last = m->out[m->count - 1];
  memmove(m->out + 1, m->out, (size_t)(m->count - 1) * sizeof *m->out);
  m->out[0] = last;
}

static void set_tangents(patch *p)
{
  const int axis = fabs(p->n[0]) < 0.9 ? 0 : 1;
  double t[3];
  for (int k = 0; k < 3; ++k)
    t[k] = (k == axis) - p->n[axis] * p->n[k];
  ffi_direction(t, p->t1);
  ffi_v3_cross(p->n, p->t1, p->t2);
}

// 0: they are farther apart than the margin.
static int begin(ffi_narrow_phase *meeting, double least, patch *p)
{
  double down[3];
  p->meeting = meeting;
  p->least = least;
  p->size = ffi_smaller(size_of(meeting->a), size_of(meeting->b));
  if (!find_normal(p))
    return 0;
  ffi_v3_scale(-1, p->n, down);
  ffi_patch_side_set(meeting->a, meeting->pa, meeting->Ra, down, &p->side[0]);
  ffi_patch_side_set(meeting->b, meeting->pb, meeting->Rb, p->n, &p->side[1]);
  p->d = -p->side[0].reach - p->side[1].reach;
  p->enough = missed * p->size + 2 * (p->side[0].dip + p->side[1].dip);
  p->limit = ffi_larger(meeting->margin, p->d + p->enough);
  set_tangents(p);
  for (int i = 0; i < 2; ++i)
    ffi_patch_outline_set(&p->side[i], slab * p->size, p->t1, p->t2, &p->outline[i]);
  return 1;
}

void ffi_patch(ffi_narrow_phase *meeting)
{
  patch p;
  if (!begin(meeting, (double)INFINITY, &p))
    return;
  const int a = p.side[0].corner_count, b = p.side[1].corner_count;
  put_corners(&p, 0, 1);
  put_corners(&p, 1, 1 + a);
  put_crossings(&p, 1 + a + b);
  const int before = meeting->count;
  put_nearest(&p, 0);
  if (meeting->count > before)
    put_last_first(meeting);
}

void ffi_patch_beyond(ffi_narrow_phase *meeting, double least, int first)
{
  patch p;
  if (!begin(meeting, least, &p))
    return;
  const int a = p.side[0].corner_count, b = p.side[1].corner_count;
  put_corners(&p, 1, first);
  put_crossings(&p, first + b);
  put_nearest(&p, first + b + 2 * (a < b ? a : b));
}

void ffi_patch_sphere(ffi_narrow_phase *meeting)
{
  ffi_touch touch = {.roll = FFI_ROLL_SPHERE};
  ffi_distance found;
  if (!ffi_distance_measure(meeting->a, meeting->pa, meeting->Ra, meeting->b, meeting->pb, meeting->Rb, NULL,
                            &found))
    return;
  touch.gap = found.value;
  ffi_v3_copy(found.normal, touch.normal);
  ffi_v3_copy(meeting->pa, touch.centre);
  ffi_v3_copy(meeting->pa, touch.point);
  ffi_v3_add_scaled(-meeting->a->size[0], touch.normal, touch.point);
  ffi_narrow_phase_put_world(meeting, &touch);
}
