/// mesh_solid.h: volume, centre and second moments of what a triangle mesh encloses, or of its surface.
///
/// A closed mesh with all its triangles the same way round encloses a volume, and the divergence theorem gives its
/// integrals exactly: sums over tetrahedra between its triangles and any one point. MuJoCo's older rule, its default
/// still, takes every tetrahedron as positive: the same for convex meshes, too much for hollow ones, and something for
/// meshes that are not closed.
#ifndef FFI_IO_MESH_SOLID_H
#define FFI_IO_MESH_SOLID_H

#include "math/hull.h"

/// Triangles by the numbers of their corners, three each; `corner` NULL: points 0 1 2, 3 4 5, ...
typedef struct ffi_mesh_solid_triangles {
  const double *points; ///< [m], xyz each
  const int *corner;    ///< [3 count], or NULL
  int count;
} ffi_mesh_solid_triangles;

/// Of which mass the integrals are.
typedef enum ffi_mesh_solid_rule {
  FFI_MESH_SOLID_EXACT,  ///< of the volume; positive if the mesh is closed, whichever way its triangles face
  FFI_MESH_SOLID_LEGACY, ///< MuJoCo's rule with absolute volumes, first about the centre of the surface
  FFI_MESH_SOLID_SHELL,  ///< of the surface: `volume` is its area [m^2]
} ffi_mesh_solid_rule;

/// The integrals. A volume (area) of zero leaves centre and moments zero.
ffi_hull_integrals ffi_mesh_solid(const ffi_mesh_solid_triangles *mesh, ffi_mesh_solid_rule rule);

/// Is every edge of a triangle the edge of another one in the opposite direction? Corners are compared by their
/// coordinates, to the bit. Wrongly 1 once in 2^64 times.
int ffi_mesh_solid_is_closed(const ffi_mesh_solid_triangles *mesh);

#endif
