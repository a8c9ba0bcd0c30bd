/// solid.h: a shape ready for collision, in its own frame, and how far it reaches.
#ifndef FFI_GEOMETRY_SOLID_H
#define FFI_GEOMETRY_SOLID_H

#include "geometry/height_field.h"

#include <footfall/shape.h>

/// Start from ffi_solid_set().
typedef struct ffi_solid {
  int type;               ///< ff_shape_type
  double size[3];         ///< as in shape.h
  const double *vertices; ///< hull only, [vertex_count x 3], borrowed
  int vertex_count;
  const struct ffi_height_field *field;   ///< height field only, borrowed
  const struct ffi_hull_weights *weights; ///< hull only, borrowed: of its corners; NULL: 1 each
  double
      radius; ///< of the ball about the frame's origin that holds it; INFINITY for planes and height fields, which
              ///< are solid all the way down
} ffi_solid;

/// A solid and its pose in the world.
typedef struct ffi_solid_at {
  const ffi_solid *solid;
  const double *p; ///< [3] origin [m]
  const double *R; ///< [3 x 3] row-major, to the world
} ffi_solid_at;

/// A shape of a model as a solid. Vertices and heights are borrowed from it. `field` is written for a height field
/// only, and must then live as long as the solid; it may be NULL for other shapes.
void ffi_solid_set(const ff_shape_def *shape, ffi_height_field *field, ffi_solid *out);

/// The least distance of two parallel planes that hold a solid between them, or less [m]: 0 for points, disks and
/// hulls, the width of a cell for a height field, infinite for a plane.
double ffi_solid_width(const ffi_solid *solid);

/// What `radius` above should be.
double ffi_solid_radius(const ffi_solid *solid);

/// Radius of the ball about x, in the solid's frame, that holds the solid. With x the centre of mass of its body this
/// is r_max of the C2A paper, eq. 3.
double ffi_solid_radius_about(const ffi_solid *solid, const double x[3]);

/// The greatest distance of a point of the core (convex.h) from x, in the solid's frame; infinite without a core.
double ffi_solid_radius_of_core(const ffi_solid *solid, const double x[3]);

#endif
