/// solids.h: random solids, and the distance between two of them by a way of its own.
#ifndef FFI_TESTS_GEOMETRY_SOLIDS_H
#define FFI_TESTS_GEOMETRY_SOLIDS_H

#include "geometry/collide.h"
#include "math/mat3.h"
#include "math/near.h"

enum {
  MOST = 64,
  HULL_VERTICES = 12,
  FIELD_LINES = 9
}; // touches of any pair here, vertices of a hull, lines of a field

/// A solid and what it points at; must stay where it is.
typedef struct body {
  ffi_solid solid;
  double p[3], R[9];
  double vertices[3 * HULL_VERTICES];
  double heights[FIELD_LINES * FIELD_LINES];
  ffi_height_field field;
} body;

/// Of the size of one metre, its pose the identity. Sides between 0.1 and 1; a height field is 3 wide and up to 0.2 high.
void random_body(rng *r, ff_shape_type type, body *out);

/// A box or anything else with these sizes; the identity as its pose.
void make_body(ff_shape_type type, double x, double y, double z, body *out);

void random_rotation(rng *r, double R[9]);

/// A rotation by |w| about w, first.
void turn(const double w[3], double R[9]);

/// p + R x
void to_world(const body *b, const double x[3], double out[3]);

/// The touches of a and b; fails unless they are what collide.h promises of any touches.
int touches(const body *a, const body *b, double margin, ffi_touch out[MOST]);

/// The touch of this feature, or NULL.
const ffi_touch *find(const ffi_touch *list, int count, int feature);

/// The least of the gaps; INFINITY for none.
double least_gap(const ffi_touch *list, int count);

/// How far two solids are apart, if each is a point, a sphere, a capsule or a box and they do not overlap: the
/// least of a quadratic function over a product of intervals, by trying all sides. Without radii: below their sum they overlap.
double apart(const body *a, const body *b);

/// The signed height of the lowest point of a (any but plane, field) above the plane through p with unit normal n, by
/// formulas for each shape.
double lowest(const body *a, const double p[3], const double n[3]);

/// How far two solids (any but plane, field) overlap: the least way that ends it, along `out` from b to a; negative: apart by so much or more. By trying
/// directions, many at first, then nearer and nearer to the best; so it may be too large, never too small.
double overlap(const body *a, const body *b, double out[3]);

/// Radii that apart() leaves out.
double rounding(const body *b);

#endif
