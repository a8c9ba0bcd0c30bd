/// patch.h: the contact patch of two convex solids, of which at least one is a cylinder, a disk or a hull.
///
/// Their signed distance d (distance.h) has a normal n, from B to A. Along n every solid has a lowest plane, and
/// *corners* that may be the lowest (ffi_patch_side): the vertices of a hull, the ends of a capsule, the five witnesses
/// of a cap (collide_caps.c). Seen along n the corners near that plane span a polygon, and the patch between two
/// polygons has corners of three kinds: corners of A over B, corners of B under A, and crossings of the outlines. These
/// are the touches, and the place of d itself where they all miss it.
///
/// All gaps are along n, none is below d. docs/theory/detection.md, section 5, has the rules that keep them continuous.
#ifndef FFI_GEOMETRY_PATCH_H
#define FFI_GEOMETRY_PATCH_H

#include "geometry/convex.h"
#include "geometry/narrow_phase.h"

/// The corners of one solid of a pair. patch_side.c
typedef struct ffi_patch_side {
  ffi_convex convex;
  double towards[3];   ///< unit, towards the other solid
  double reach;        ///< of the solid along `towards`
  double lowest[3];    ///< of caps: across the axis, towards the lowest point of the rim; unit, or zero
  double drawn, stand; ///< of caps: distance from the middle of the rolling witness and of the others [m]
  double dip;          ///< of caps: how far the rim may be below all five [m]
  int corner_count;
} ffi_patch_side;

typedef struct ffi_patch_corner {
  int number;     ///< 0 .. corner_count - 1
  double core[3]; ///< world; the surface is swept_radius farther
  double height;  ///< above the lowest plane [m], >= 0
  int roll;       ///< FFI_ROLL_NONE, FFI_ROLL_SPHERE or FFI_ROLL_AXIS
  double centre[3], axis[3];
} ffi_patch_corner;

int ffi_patch_side_corner_count(const ffi_solid *solid);

void ffi_patch_side_set(const ffi_solid *solid, const double p[3], const double R[9], const double towards[3],
                        ffi_patch_side *out);

void ffi_patch_side_corner(const ffi_patch_side *side, int number, ffi_patch_corner *out);

enum { FFI_PATCH_OUTLINE_MOST = 64 }; ///< corners near the lowest plane; more are left out

/// A polygon of corners seen along n, counter-clockwise. patch_outline.c
typedef struct ffi_patch_outline {
  ffi_patch_corner corner[FFI_PATCH_OUTLINE_MOST]; ///< near the lowest plane, in the order of their numbers
  double at[FFI_PATCH_OUTLINE_MOST][2];            ///< in the plane
  int next
      [FFI_PATCH_OUTLINE_MOST]; ///< around the polygon; -1: inside of it. Of two corners only one has a next
  int count;
} ffi_patch_outline;

/// The outline of corners less than `thick` above the lowest plane: of all, or of `count` with these numbers. The two
/// tangents and n are right-handed.
void ffi_patch_outline_set(const ffi_patch_side *side, double thick, const double tangents[6], int count,
                           const int *numbers, ffi_patch_outline *out);

/// Where an edge of A crosses one of B: parts of both, 0 .. 1 from the corner to its next, and the sine of the angle
/// between them, > 0 where A enters B's polygon. 0: they do not cross.
int ffi_patch_outline_cross(const ffi_patch_outline *a, int edge_a, const ffi_patch_outline *b, int edge_b,
                            double part[2], double *sine);

/// The number of features of a pair.
int ffi_patch_most(const ffi_solid *a, const ffi_solid *b);

void ffi_patch(ffi_narrow_phase *query);

/// The touches besides the corners of A, whose least gap is `least`: corners of B, crossings, the place of the
/// distance. Features from `first` on, ffi_patch_most() less the corners of A.
void ffi_patch_beyond(ffi_narrow_phase *query, double least, int first);

void ffi_patch_sphere(ffi_narrow_phase *query);

#endif
