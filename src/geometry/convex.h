/// convex.h: convex solids by their support function.
///
/// A sphere is a point swept by a radius, a capsule a segment swept by one, an ellipsoid a smaller solid swept by its
/// least radius of curvature: a solid is its *core* and `swept_radius` around it. The searches of gjk.c and epa.c work
/// on cores, so round solids are measured exactly until their cores meet.
#ifndef FFI_GEOMETRY_CONVEX_H
#define FFI_GEOMETRY_CONVEX_H

#include "geometry/solid.h"

typedef struct ffi_convex {
  const ffi_solid *solid;   ///< not a plane, height field or mesh
  const double *p, *R;      ///< pose
  const double (*prism)[3]; ///< six corners in the world instead of a solid; NULL: the solid
  double swept_radius;      ///< [m]
} ffi_convex;

/// Has the solid a core? Planes, height fields and meshes have none.
int ffi_convex_has_core(const ffi_solid *solid);

/// How far a solid extends beyond its core [m].
double ffi_convex_swept_radius(const ffi_solid *solid);

void ffi_convex_set(const ffi_solid *solid, const double p[3], const double R[9], ffi_convex *out);

/// Six points: a triangle, and the same triangle farther down.
void ffi_convex_set_prism(const double corner[6][3], ffi_convex *out);

/// Support point: the point of the core that is farthest along `direction` (world, any length), in the world.
void ffi_convex_support(const ffi_convex *convex, const double direction[3], double out[3]);

/// A point inside the core.
void ffi_convex_middle(const ffi_convex *convex, double out[3]);

/// A point of the Minkowski difference of two cores, and the points it is made of: w = a - b.
typedef struct ffi_convex_vertex {
  double w[3], a[3], b[3];
} ffi_convex_vertex;

/// Support point of the difference of two cores.
void ffi_convex_difference_support(const ffi_convex *a, const ffi_convex *b, const double direction[3],
                                   ffi_convex_vertex *out);

/// Up to four points of a difference.
typedef struct ffi_convex_simplex {
  int count;
  ffi_convex_vertex vertex[4];
  double weight[4]; ///< of the nearest point to the origin; after ffi_simplex_nearest() all > 0
} ffi_convex_simplex;

/// The point of a simplex nearest to the origin. Vertices that it does not need are dropped; four are left only if the
/// origin is inside. simplex.c
void ffi_simplex_nearest(ffi_convex_simplex *simplex, double nearest[3]);

typedef enum ffi_gjk_result {
  FFI_GJK_OVERLAP, ///< or they touch
  FFI_GJK_APART,
  FFI_GJK_FARTHER, ///< than the caller asked for; how far is not known
} ffi_gjk_result;

/// The nearest points of two cores: their difference in `apart`, pointing from b to a, if they are apart. The search
/// starts from the simplex (count 0: anywhere) and leaves its last one there. It ends early once the distance is known
/// to be more than `most`. gjk.c
ffi_gjk_result ffi_gjk(const ffi_convex *a, const ffi_convex *b, double most, ffi_convex_simplex *simplex,
                       double apart[3]);

/// The penetration depth of two cores that overlap: the shortest move of A that separates them is depth along the unit
/// normal. Takes the simplex of ffi_gjk(); its vertices and weights are then those of the place. epa.c
double ffi_epa(const ffi_convex *a, const ffi_convex *b, ffi_convex_simplex *simplex, double normal[3]);

#endif
