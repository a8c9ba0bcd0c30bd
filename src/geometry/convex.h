/// convex.h: convex solids as what is needed to measure them: how far they reach in a direction.
///
/// A sphere is a point with a rind, a capsule a segment with one: `rind` is how far a solid goes beyond its *core*, and the core is what the searches of
/// gjk.c and depth.c work on. So round things are measured exactly, down to where their cores meet.
#ifndef FFI_GEOMETRY_CONVEX_H
#define FFI_GEOMETRY_CONVEX_H

#include "geometry/collide.h"

typedef struct ffi_convex {
  const ffi_solid *solid;   ///< not a plane, height field or mesh
  const double *p, *R;      ///< pose
  const double (*prism)[3]; ///< six corners in the world instead of a solid; NULL: the solid
  double rind;              ///< [m]
} ffi_convex;

/// Solids that have a core.
int ffi_convex_has_core(const ffi_solid *solid);

/// How far a solid goes beyond its core [m].
double ffi_convex_rind(const ffi_solid *solid);

/// The greatest distance of a point of the core from x, in the solid's frame; infinite for what has no core.
double ffi_solid_radius_of_core(const ffi_solid *solid, const double x[3]);

void ffi_convex_set(const ffi_solid *solid, const double p[3], const double R[9], ffi_convex *out);

/// Six points: a triangle and the same triangle farther down.
void ffi_convex_set_prism(const double corner[6][3], ffi_convex *out);

/// The point of the core that is farthest along `direction` (world, any length), in the world.
void ffi_convex_support(const ffi_convex *convex, const double direction[3], double out[3]);

/// A point inside the core.
void ffi_convex_middle(const ffi_convex *convex, double out[3]);

/// A point of the difference of two cores, and the points it is made of: w = a - b.
typedef struct ffi_convex_vertex {
  double w[3], a[3], b[3];
} ffi_convex_vertex;

/// The one farthest along `direction`.
void ffi_convex_difference_support(const ffi_convex *a, const ffi_convex *b, const double direction[3],
                                   ffi_convex_vertex *out);

/// Up to four of them.
typedef struct ffi_convex_simplex {
  int count;
  ffi_convex_vertex vertex[4];
  double weight[4]; ///< of the nearest point to the origin; after ffi_simplex_nearest() all > 0
} ffi_convex_simplex;

/// The point of a simplex that is nearest to the origin; vertices that it does not need are dropped. Four are left only if the origin is inside.
void ffi_simplex_nearest(ffi_convex_simplex *simplex, double nearest[3]);

/// The nearest points of two cores: 1, with their difference in `apart`, pointing from b to a; 0 if they overlap or touch. The simplex is where the search
/// starts (count 0: anywhere) and ends.
int ffi_gjk(const ffi_convex *a, const ffi_convex *b, ffi_convex_simplex *simplex, double apart[3]);

/// How deep two cores that overlap do so: the shortest way that A has to be moved for them to part is depth along the unit normal. The simplex is that of ffi_gjk();
/// afterwards its vertices and weights are those of the place.
double ffi_epa(const ffi_convex *a, const ffi_convex *b, ffi_convex_simplex *simplex, double normal[3]);

#endif
