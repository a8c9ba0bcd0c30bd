/// collide.h: the narrow phase: where two solids touch, or nearly do.
///
/// Two solids and their poses go in, *touches* come out. Nothing is kept and nothing is allocated: the same input gives
/// the same bits.
///
/// A touch is one point where a compliant contact may act. It has
///
///   - a *feature*, the same number from step to step for the same physical thing (corner 5 of the box, the sphere at
///     the capsule's upper end), so that a contact's memory can be kept under that number;
///   - an *owner*, the solid that carries the *witness* point: owner 0 means that `point` is on A, and
///     `point - gap normal` on the surface of B; owner 1 that `point` is on B, and `point + gap normal` on that of A;
///   - a unit normal from B to A and a gap along it, negative when the two overlap. Moving A by -gap along the normal
///     ends this touch's overlap;
///   - `roll`: how the witness moves over its owner's material.
///
/// Touches are listed while gap <= margin, in increasing order of feature. Where one feature replaces another (a corner
/// leaves a tread while the tread's edge crosses the sole) the gap of the new one is raised by an amount that falls to
/// zero as it is needed: gaps do not jump there, and no place is counted twice. The rules, and what is missed, are in
/// docs/theory/detection.md.
///
/// Supported pairs, and the most touches of each:
///
///     A \ B         plane    box   height field   sphere  capsule  cylinder  disk    hull
///     point            1      1        1            -        -        -       -       -
///     sphere           1      1        4            1        1        1       1       1
///     capsule          2      3        8            1        5       17      12      7 + n
///     box              8     28        8            1        3        -       -       -
///     cylinder        10     55       10            1       17       41      26     31 + n
///     disk             5     43        5            1       12       26      21     16 + n
///     hull             n   25 + n      n            1      7 + n   31 + n  16 + n  1 + 3 n + m     n <= m vertices
///     ellipsoid        1      1        4            1        1        1       1       1        and 1 with another one
///
/// (16 more for a hull with weights on a box. Fewer where a hull has less than 10, 5 or 8 vertices against a
/// cylinder, a disk or a box.) Other pairs have no touches. Two solids that are not points may be given in either
/// order, except that cylinders, disks and hulls come before boxes: exchanging A and B gives the same touches with
/// owners and normals reversed. (Two solids of the same kind and the same bounding radius cannot be told apart:
/// there A owns what either might.)
///
/// Lengths in metres.
#ifndef FFI_GEOMETRY_COLLIDE_H
#define FFI_GEOMETRY_COLLIDE_H

#include "geometry/solid.h"

/// How the witness of a touch moves over its owner. r = point - centre.
enum {
  FFI_ROLL_NONE,   ///< it is a material point of the owner (a corner); centre = point
  FFI_ROLL_SPHERE, ///< over a round surface: centre is a material point, r does not turn with the owner
  FFI_ROLL_AXIS, ///< around a rim: centre is a material point, r turns with the owner's `axis` but not about it
  FFI_ROLL_LINE, ///< along a line of the owner, `axis` (a box's edge, r = 0; a capsule's axis): like FFI_ROLL_SPHERE,
                 ///< but centre is only the material point that is there now; it slides along the line
  FFI_ROLL_BENT, ///< as the solid tilts, by `bend` times the turn of the normal as the owner sees it; centre = point
  FFI_ROLL_SURFACE, ///< over an ellipsoid, by its curvature and that of the other solid; centre is a material point
};

/// One point of contact, or of near contact.
typedef struct ffi_touch {
  int feature;      ///< 0 .. ffi_collide_most() - 1
  int owner;        ///< carries the witness: 0 A, 1 B
  double point[3];  ///< the witness, world [m]
  double normal[3]; ///< unit, world, from B to A
  double gap;       ///< along the normal, negative: overlap [m]
  double lack;      ///< a contact here has 1 - lack of the pair's stiffness and damping; 0 but for hulls
  double weight_slope[3]; ///< rate of 1 - lack as A turns about the axes of the world, B at rest [1/rad]
  int roll;               ///< FFI_ROLL_...
  double centre[3];       ///< what the witness rolls about, world [m]
  double axis[3];         ///< unit, world; FFI_ROLL_AXIS and FFI_ROLL_LINE only, else zero
  double bend[6];         ///< symmetric, world, xx xy xz yy yz zz; FFI_ROLL_BENT only [m]
} ffi_touch;

/// The most touches that a pair can give, and the number of its features; 0: this pair of types is not supported.
int ffi_collide_most(const ffi_solid *a, const ffi_solid *b);

/// The touches of A and B with gap <= margin, in increasing order of feature, to `out` [ffi_collide_most()]. Returns
/// how many. A pose that is not finite gives none; every touch is finite, its normal of unit length.
int ffi_collide(const ffi_solid_at *a, const ffi_solid_at *b, double margin, ffi_touch *out);

/// All touches of a pair may be a little farther away than the two solids are (distance.h): where one feature replaces
/// another, or where there is no feature, as against a peak of a height field. Callers that must not miss the first
/// contact call this after ffi_collide(), with its list, which has room for ffi_collide_most(). If the distance is at
/// most the margin and no touch of the list is within `slack` of it, the place of the distance becomes feature 0, in
/// place of the one that was listed. Returns the new number of touches.
int ffi_collide_nearest(const ffi_solid_at *a, const ffi_solid_at *b, double margin, double slack,
                        ffi_touch *list, int count);

#endif
