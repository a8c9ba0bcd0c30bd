/// ellipsoid.h: closed forms of an ellipsoid of half sizes s about the origin of its frame.
///
/// With S = diag(s) and a direction d, the farthest point is x(d) = S^2 d / |S d|. Its derivative for a unit d is the
/// tensor of the radii of curvature there, H = S^2/|S d| - S^2 d d' S^2/|S d|^3, which maps a turn of the normal to the
/// way that the point of contact goes over the surface.  docs/theory/contact.md, section 5
#ifndef FFI_GEOMETRY_ELLIPSOID_H
#define FFI_GEOMETRY_ELLIPSOID_H

/// The least radius of curvature, (least half size)^2 / greatest: a ball of this radius can roll everywhere inside, so
/// the ellipsoid is a smaller convex solid, its core, swept by it.
double ffi_ellipsoid_inner_radius(const double size[3]);

/// The farthest point of the surface along d, of any length > 0.
void ffi_ellipsoid_support(const double size[3], const double d[3], double out[3]);

/// The farthest point of the core.
void ffi_ellipsoid_support_core(const double size[3], const double d[3], double out[3]);

/// The greatest distance of a point of the ellipsoid from x, or by rounding a little more.
double ffi_ellipsoid_farthest(const double size[3], const double x[3]);

/// H [3 x 3] at the outward unit normal d, both in the world: R is the ellipsoid's orientation.
void ffi_ellipsoid_radii(const double size[3], const double R[9], const double d[3], double out[9]);

#endif
