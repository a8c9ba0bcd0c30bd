// Touches of two convex solids at the corners of the patch between them. Features:
//
//     0                      the place of the signed distance, where no other touch is as near
//     1 ..                   corners of A over B
//     1 + a ..               corners of B under A, owner 1            a, b: numbers of corners
//     1 + a + b + 2 i, + 1   crossings of the edge from corner i of the outline of the solid with fewer corners (A if
//                            both have as many) with the other outline: inwards, and outwards; where A has weights, a
//                            second set for the polygon of the corners that carry
#include "geometry/patch.h"

#include "geometry/distance_height_field.h"
#include "geometry/plane/hull_rim.h"
#include "geometry/plane/hull_weights.h"

// Parts of the smaller solid's size.
static const double hover = 1e-3;  // how high above the other's highest plane a corner is measured from
static const double lifted = 0.01; // how far apart solids are measured for their normal
static const double blend = 1e-3;  // over which one touch replaces the next
static const double slab = 0.05;   // corners this near to the lowest plane form the outline
static const double missed = 1e-4; // other touches may be above the distance by this
static const double skew =
    0.02; // sine of the angle from which two edges cross instead of running along each other

static const double rounding = 1e-9; // of bounds of gaps

enum { TRIES = 3 };
static const double same =
    1e-6; // a turn of the normal below this is the error of the distance search for round solids

typedef struct patch {
  ffi_narrow_phase *query;
  ffi_patch_side side[2];
  ffi_patch_outline outline[2];
  double n[3], tangents[6];
  double on_a[3];               // the place of the distance, on A
  double d;                     // along n
  double size;                  // of the smaller solid
  double least;                 // least gap so far
  double enough;                // other touches may be above the distance by this
  double limit;                 // larger gaps are not computed
  double lack, weight_slope[3]; // of crossings and of the place of d, as ffi_touch has them
} patch;

// Features of crossings; two sets, if A has weights on B.
static int crossing_count(const ffi_solid *a, const ffi_solid *b)
{
  const int na = ffi_patch_side_corner_count(a), nb = ffi_patch_side_corner_count(b);
  return (b->type == FF_SHAPE_BOX && a->weights ? 4 : 2) * (na < nb ? na : nb);
}

int ffi_patch_most(const ffi_solid *a, const ffi_solid *b)
{
  return 1 + ffi_patch_side_corner_count(a) + ffi_patch_side_corner_count(b) + crossing_count(a, b);
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

// Measures again, with A moved away by s along the normal n1 that was found. That does not change the true normal: if
// n1 maximises d(n) it also maximises d(n) + s n.n1, and if not, the maximum is at a better one than n1. Returns how
// much the normal has turned.
static double improve(const ffi_narrow_phase *m, double away, ffi_distance *found)
{
  double first[3], moved[3], turned[3];
  ffi_v3_copy(found->normal, first);
  ffi_v3_copy(m->pa, moved);
  ffi_v3_add_scaled(away, first, moved);
  if (!ffi_distance_measure(&(ffi_solid_at){m->a, moved, m->Ra}, &(ffi_solid_at){m->b, m->pb, m->Rb}, NULL,
                            found))
    return 0;
  ffi_v3_add_scaled(-away, first, found->on_a);
  ffi_v3_sub(found->normal, first, turned);
  return ffi_v3_norm(turned);
}

// The normal of the distance. For solids that just touch it is the direction of a vector of almost no length, and for
// round ones that overlap it is known to 1e-6 only; so it is improved.
static int find_normal(patch *p)
{
  const ffi_narrow_phase *m = p->query;
  ffi_distance found;
  if (!ffi_distance_measure(&(ffi_solid_at){m->a, m->pa, m->Ra}, &(ffi_solid_at){m->b, m->pb, m->Rb}, NULL,
                            &found) ||
      !ffi_is_near(found.value, m->margin))
    return 0;
  const double away = lifted * p->size - found.value;
  for (int i = 0; i < TRIES && away > 0 && improve(m, away, &found) > same; ++i)
    ;
  ffi_v3_copy(found.normal, p->n);
  ffi_v3_copy(found.on_a, p->on_a);
  return fabs(ffi_v3_dot(p->n, p->n) - 1) < 1e-9;
}

// The gap of a corner along the normal, eq. 6: by the distance of the same place at a fixed height above the other's
// plane. Over a face that is the height; beside the other solid it rises steeply and continuously.
static double corner_gap(const patch *p, int owner, const ffi_patch_corner *corner)
{
  static const ffi_solid point = {.type = FF_SHAPE_POINT};
  static const double one[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  const ffi_patch_side *own = &p->side[owner], *other = &p->side[1 - owner];
  const double up = hover * p->size - (p->d + corner->height) + own->convex.swept_radius;
  double at[3], apart[3];
  ffi_v3_copy(corner->core, at);
  ffi_v3_add_scaled(own->convex.swept_radius - up, own->towards, at);
  ffi_convex ball;
  ffi_convex_simplex s = {.count = 0};
  ffi_convex_set(&point, at, one, &ball);
  // what is farther than the limit is not computed to the end
  const double off = up + other->convex.swept_radius - own->convex.swept_radius;
  const double most = p->limit + off + rounding * (p->size + fabs(off));
  const ffi_gjk_result result = ffi_gjk(&ball, &other->convex, most, &s, apart);
  if (result == FFI_GJK_FARTHER)
    return (double)INFINITY;
  const double far = result == FFI_GJK_APART ? ffi_v3_norm(apart) : 0;
  return far - other->convex.swept_radius - up + own->convex.swept_radius;
}

static void put(patch *p, const ffi_touch *touch)
{
  p->least = ffi_smaller(p->least, touch->gap);
  ffi_narrow_phase_put_world(p->query, touch);
}

// How far a corner of B is from the nearest one of A, seen along the normal.
static double beside(const patch *p, const ffi_patch_corner *corner)
{
  const ffi_patch_outline *a = &p->outline[0];
  const double x = ffi_v3_dot(corner->core, p->tangents), y = ffi_v3_dot(corner->core, p->tangents + 3);
  double least = (double)INFINITY;
  for (int i = 0; i < a->count; ++i)
    least = ffi_smaller(least, hypot(x - a->at[i][0], y - a->at[i][1]));
  return least;
}

static void put_corners(patch *p, int owner, int first)
{
  const ffi_patch_side *own = &p->side[owner];
  for (int i = 0; i < own->corner_count; ++i) {
    ffi_patch_corner corner;
    ffi_patch_side_corner(own, i, &corner);
    if (!(p->d + corner.height <= p->limit))
      continue;
    ffi_touch touch = {
        .feature = first + i, .owner = owner, .gap = corner_gap(p, owner, &corner), .roll = corner.roll};
    if (owner == 1)
      touch.gap += ffi_raise(beside(p, &corner), blend * p->size);
    ffi_v3_copy(p->n, touch.normal);
    ffi_v3_copy(corner.core, touch.point);
    ffi_v3_add_scaled(own->convex.swept_radius, own->towards, touch.point);
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

// The distance of a place on an edge from the nearer end.
static double from_ends(const ffi_patch_corner *from, const ffi_patch_corner *to, double part)
{
  double along[3];
  ffi_v3_sub(to->core, from->core, along);
  return ffi_smaller(part, 1 - part) * ffi_v3_norm(along);
}

// The raise of a crossing: near corners, which duplicate it; where edges run along each other; where an end is about to
// leave the outline.
static double crossing_raise(const patch *p, const ffi_patch_corner *const end[4], const double part[2],
                             double sine)
{
  double high = 0;
  for (int i = 0; i < 4; ++i)
    high = ffi_larger(high, end[i]->height);
  const double near = ffi_smaller(from_ends(end[0], end[1], part[0]), from_ends(end[2], end[3], part[1]));
  return ffi_raise(near, blend * p->size) + p->size * ffi_raise(fabs(sine), skew) +
         ffi_raise(slab * p->size - high, 0.5 * slab * p->size);
}

// The witness is on the edge of A. The line between the rolling witnesses of a cylinder rolls as they do.
static void place_crossing(const patch *p, const ffi_patch_corner *from, const ffi_patch_corner *to,
                           double part, ffi_touch *touch)
{
  double along[3];
  const ffi_patch_side *a = &p->side[0];
  between(from->core, to->core, part, touch->centre);
  ffi_v3_copy(touch->centre, touch->point);
  ffi_v3_add_scaled(a->convex.swept_radius, a->towards, touch->point);
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

// The solid whose edges number the crossings.
static int numbering_side(const patch *p)
{
  return p->side[0].corner_count <= p->side[1].corner_count ? 0 : 1;
}

static void put_crossing(patch *p, int edge_a, int edge_b, int first)
{
  const ffi_patch_outline *a = &p->outline[0], *b = &p->outline[1];
  const ffi_patch_corner *const end[4] = {&a->corner[edge_a], &a->corner[a->next[edge_a]], &b->corner[edge_b],
                                          &b->corner[b->next[edge_b]]};
  double part[2], sine;
  if (!ffi_patch_outline_cross(a, edge_a, b, edge_b, part, &sine))
    return;
  ffi_touch touch = {.feature = first + 2 * end[2 * numbering_side(p)]->number + (sine < 0)};
  touch.gap = p->d + end[0]->height + part[0] * (end[1]->height - end[0]->height) + end[2]->height +
              part[1] * (end[3]->height - end[2]->height) + crossing_raise(p, end, part, sine);
  touch.lack = p->lack;
  ffi_v3_copy(p->weight_slope, touch.weight_slope);
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
    const int before = p->query->count;
    for (int k = 0; k < other->count; ++k)
      if (other->next[k] >= 0 && p->query->count - before < 2)
        put_crossing(p, side ? k : i, side ? i : k, first);
    ffi_touch *two = p->query->out + before; // inwards before outwards
    if (p->query->count - before == 2 && two[0].feature > two[1].feature) {
      const ffi_touch kept = two[0];
      two[0] = two[1];
      two[1] = kept;
    } else if (p->query->count - before == 2 && two[0].feature == two[1].feature) {
      --p->query->count; // through a corner of B, up to rounding: one place
    }
  }
}

// The place of the distance, after all others.
static void put_nearest(patch *p, int feature)
{
  ffi_touch touch = {
      .feature = feature, .gap = p->d + ffi_raise(p->least - p->d, p->enough), .roll = FFI_ROLL_NONE};
  if (!ffi_hull_weights_carries(1 - p->lack))
    return;
  touch.lack = p->lack;
  ffi_v3_copy(p->weight_slope, touch.weight_slope);
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
  ffi_direction(t, p->tangents);
  ffi_v3_cross(p->n, p->tangents, p->tangents + 3);
}

// 0: the solids are farther apart than the margin.
static int begin(ffi_narrow_phase *query, double least, patch *p)
{
  double down[3];
  p->query = query;
  p->least = least;
  p->lack = 0;
  ffi_v3_set(0, 0, 0, p->weight_slope);
  p->size = ffi_smaller(size_of(query->a), size_of(query->b));
  if (!find_normal(p))
    return 0;
  ffi_v3_scale(-1, p->n, down);
  ffi_patch_side_set(query->a, query->pa, query->Ra, down, &p->side[0]);
  ffi_patch_side_set(query->b, query->pb, query->Rb, p->n, &p->side[1]);
  p->d = -p->side[0].reach - p->side[1].reach;
  p->enough = missed * p->size + 2 * (p->side[0].dip + p->side[1].dip);
  p->limit = ffi_larger(query->margin, p->d + p->enough);
  set_tangents(p);
  for (int i = 0; i < 2; ++i)
    ffi_patch_outline_set(&p->side[i], slab * p->size, p->tangents, 0, NULL, &p->outline[i]);
  return 1;
}

void ffi_patch(ffi_narrow_phase *query)
{
  patch p;
  if (!begin(query, (double)INFINITY, &p))
    return;
  const int a = p.side[0].corner_count, b = p.side[1].corner_count;
  put_corners(&p, 0, 1);
  put_corners(&p, 1, 1 + a);
  put_crossings(&p, 1 + a + b);
  const int before = query->count;
  put_nearest(&p, 0);
  if (query->count > before)
    put_last_first(query);
}

// How hull A stands on the face of box B that the normal is nearest to. `slope`: of the share, in the world.
static ffi_hull_weights_stand stand_on_box(const patch *p, double slope[3])
{
  const ffi_narrow_phase *m = p->query;
  double local[3], face[3], up[3];
  ffi_m3_tmulv(m->Rb, p->n, local);
  int axis = 2;
  for (int k = 0; k < 2; ++k)
    if (fabs(local[k]) > fabs(local[axis]))
      axis = k;
  ffi_axis(m->Rb, axis, face);
  ffi_v3_scale(local[axis] < 0 ? -1 : 1, face, face);
  ffi_m3_tmulv(m->Ra, face, up);
  const ffi_hull_weights_stand stand = ffi_hull_weights_find(m->a->weights, up);
  ffi_m3_mulv(m->Ra, stand.slope, slope);
  return stand;
}

// Crossings of the whole outline, where A does not stand on a face, and of the polygon of the corners that carry, where
// it does; between, both with their shares. Each set has `most` features.
static void put_weighted_crossings(patch *p, int first, int most)
{
  double slope[3];
  int carrying[FFI_HULL_RIM_MOST];
  const ffi_hull_weights_stand stand = stand_on_box(p, slope);
  p->lack = stand.share;
  ffi_v3_scale(-1, slope, p->weight_slope);
  if (ffi_hull_weights_carries(1 - stand.share))
    put_crossings(p, first);
  for (int i = 0; i < stand.count; ++i)
    carrying[i] = stand.corners[i].vertex;
  p->lack = 1 - stand.share;
  ffi_v3_copy(slope, p->weight_slope);
  ffi_patch_outline_set(&p->side[0], slab * p->size, p->tangents, stand.count, carrying, &p->outline[0]);
  if (ffi_hull_weights_carries(stand.share))
    put_crossings(p, first + most);
  // the place of d, outside of that polygon, is of the whole outline
  p->lack = stand.share;
  ffi_v3_scale(-1, slope, p->weight_slope);
}

void ffi_patch_beyond(ffi_narrow_phase *query, double least, int first)
{
  patch p;
  if (!begin(query, least, &p))
    return;
  const int b = p.side[1].corner_count, crossings = crossing_count(query->a, query->b);
  put_corners(&p, 1, first);
  if (query->a->weights)
    put_weighted_crossings(&p, first + b, crossings / 2);
  else
    put_crossings(&p, first + b);
  put_nearest(&p, first + b + crossings);
}

void ffi_patch_sphere(ffi_narrow_phase *query)
{
  ffi_touch touch = {.roll = FFI_ROLL_SPHERE};
  ffi_distance found;
  if (!ffi_distance_measure(&(ffi_solid_at){query->a, query->pa, query->Ra},
                            &(ffi_solid_at){query->b, query->pb, query->Rb}, NULL, &found))
    return;
  touch.gap = found.value;
  ffi_v3_copy(found.normal, touch.normal);
  ffi_v3_copy(query->pa, touch.centre);
  ffi_v3_copy(query->pa, touch.point);
  ffi_v3_add_scaled(-query->a->size[0], touch.normal, touch.point);
  ffi_narrow_phase_put_world(query, &touch);
}
