/// hull_surface.h: a closed convex surface of triangles that grows point by point; the ground that hulls are built on.
///
/// Create, start with four points, then for each point that a face sees: look from it, read what is seen, and replace
/// that by a cone. Free in the end. All questions which face sees which point are answered without rounding
/// (math/orient.h), and a point in the plane of a face does not see it. From this follows, by induction:
///
/// 1. The surface is that of the convex hull of the points added so far, cut into triangles that all have an area.
/// 2. What a point outside sees is a disc. Move the point a little towards the inside: planes that it was in then hide
///    their faces, as they did before, and from a point in no plane the faces seen are those before the outline of a
///    convex body. So the edges around it, the rim, form one ring.
/// 3. The triangle of the point and an edge of the rim has an area: a point in line with the edge would be in the plane
///    of the face that it sees there.
/// 4. A point that was added is a corner of the surface or inside, so no face sees it again. At most one addition for
///    each point; V corners have 2 V - 4 faces. Both time and memory have an end that is known before.
/// 5. A point that saw a face that was replaced, and is still outside, sees a face of the cone: what it saw is
///    connected, so it was inside of the rim or reached across it, there it saw both faces of an edge, and the plane of
///    the cone through that edge lies between theirs. (So whoever remembers one face for each point outside only has to
///    look at the cone.)
#ifndef FFI_MATH_HULL_SURFACE_H
#define FFI_MATH_HULL_SURFACE_H

#include "math/hull.h"
#include "math/vec3.h"

#include <stddef.h>

typedef struct ffi_hull_surface_face {
  int v[3];         ///< corners, counter-clockwise seen from outside; v[0] is -1 where there is no face
  int across[3];    ///< the face across the edge from v[k] to v[k + 1]
  double normal[3]; ///< unit, to 8 x 2^-53
  double at[3];     ///< the corner v[0]
  double offset;    ///< normal . x there
  double far;       ///< the caller's
  int first;        ///< the caller's; -1 in a new face
  unsigned id;      ///< faces are numbered as they are made
  int look;         ///< when it was looked at last: +look if it was seen, -look if not
} ffi_hull_surface_face;

typedef struct ffi_hull_surface_edge {
  int from, to;
  int outer;   ///< the face behind it, which stays
  int outer_k; ///< the number of the edge there
} ffi_hull_surface_edge;

/// A face on the path of a look: the edge to cross next, and how many are left.
typedef struct ffi_hull_surface_step {
  int face, k, left;
} ffi_hull_surface_step;

/// All lists are the surface's own.
typedef struct ffi_hull_surface {
  int count;
  double *x;    ///< [count x 3] the points times 2^-exponent, within [-1, 1], on the grid of math/orient.h
  int exponent; ///< power of two
  ffi_hull_surface_face *faces;
  int face_count, face_capacity; ///< places, of which some are free
  int *free_faces;
  int free_count, free_capacity;
  int *seen; ///< faces seen by the last look
  int seen_count, seen_capacity;
  ffi_hull_surface_edge *rim; ///< around them, counter-clockwise
  int rim_count, rim_capacity;
  int *cone; ///< faces made last; the k-th stands on the rim's k-th edge
  int cone_count, cone_capacity;
  ffi_hull_surface_step *path; ///< from the first face to where a look has got
  int path_count, path_capacity;
  int look;      ///< how many so far
  unsigned made; ///< faces so far
  double
      tolerance;   ///< rounding of a distance between a point and a plane: 16 eps (size + largest coordinate)
  long long tests; ///< questions which face sees which point
  long long whole; ///< those among them that were not clear by the distance
} ffi_hull_surface;

/// Finite points. On failure nothing is left to free.
ffi_hull_result ffi_hull_surface_create(ffi_hull_surface *s, int count, const double *points);
void ffi_hull_surface_free(ffi_hull_surface *s);

/// Four points that span a volume, far from each other; their numbers in `corner`. FFI_HULL_FLAT if no point is
/// farther from the others' plane than rounding, 4 tolerances.
ffi_hull_result ffi_hull_surface_start(ffi_hull_surface *s, int corner[4]);

static inline const double *ffi_hull_surface_point(const ffi_hull_surface *s, int i)
{
  return s->x + 3 * (ptrdiff_t)i;
}

/// The distance above the plane of a face [1 = 2^exponent], off by less than `rounding`: 12 x 2^-53 |r|, of which 8 are
/// the normal's, 3 of the products and sums, and 1 of the difference r of point and corner.
static inline double ffi_hull_surface_distance(const ffi_hull_surface_face *f, const double x[3],
                                               double *rounding)
{
  double r[3];
  ffi_v3_sub(x, f->at, r);
  *rounding = 0x1p-49 * (fabs(r[0]) + fabs(r[1]) + fabs(r[2]));
  return ffi_v3_dot(f->normal, r);
}

/// Is a point above the plane of a face? Without rounding; `distance` is about how far.
int ffi_hull_surface_sees(ffi_hull_surface *s, int face, int point, double *distance);

/// Find the faces that a point sees, of which `face` is one, and the rim around them. Returns 0 without memory.
int ffi_hull_surface_look(ffi_hull_surface *s, int point, int face);

/// Replace what the last look saw by a cone. Returns 0 without memory.
int ffi_hull_surface_raise(ffi_hull_surface *s, int point);

#endif
