/// collide.h: where two solids touch, or nearly do.
///
/// A solid is a shape in its own frame; a pair of solids and their poses go in, *touches* come out. Nothing is kept
/// and nothing is allocated: the same input gives the same bits, whatever was asked before.
///
/// A touch is one place where a compliant contact may act. It has
///
///   - a *feature*, the same number from step to step for the same physical thing (corner 5 of the box, the sphere at the
///     capsule's upper end), so that whatever a contact remembers can be kept under that number;
///   - an *owner*, the solid that carries the *witness*: owner 0 means that `point` is on A, and `point - gap normal` on the
///     surface of B; owner 1 that `point` is on B, and `point + gap normal` on the surface of A;
///   - a unit normal from B to A and a gap along it, negative when the two overlap. Pushing A by -gap along the
///     normal ends this touch's overlap;
///   - a word on how the witness moves over its owner's material, `roll`.
///
/// Touches are listed while gap <= margin, in increasing order of feature, so a touch comes into the list from above. Where two features
/// hand over to one another (a corner leaves a tread while the tread's edge crosses the sole) the newcomer's gap is raised by an
/// amount that falls to zero as it is needed: gaps do not jump there, and no place is counted twice. docs/theory/detection.md has the
/// rules, and what is missed.
///
/// Which pairs, and how many touches at most:
///
///     A \ B         plane    box   height field   sphere  capsule  cylinder  disk    hull
///     point            1      1        1            -        -        -       -       -
///     sphere           1      1        4            1        1        1       1       1
///     capsule          2      3        8            1        5       17      12      7 + n
///     box              8     28        8            1        3        -       -       -
///     cylinder        10     55       10            1       17       41      26     31 + n
///     disk             5     43        5            1       12       26      21     16 + n
///     hull             n   25 + n      n            1      7 + n   31 + n  16 + n  1 + 3 n + m     n <= m vertices
///
/// (fewer where a hull has less than 10, 5 or 8 vertices against a cylinder, a disk or a box). Everything else is not supported and has no touches. Two bodies that are no points go both ways, but for boxes, which cylinders, disks and hulls touch in this order only:
/// exchanging A and B gives the same touches with owners and normals reversed. (Two of the same kind and the same bounding radius cannot be told apart: there A owns what either might.)
///
/// Lengths in metres. Poses: position and rotation [3 x 3] row-major, from the solid's frame to the world.
#ifndef FFI_GEOMETRY_COLLIDE_H
#define FFI_GEOMETRY_COLLIDE_H

#include <footfall/shape.h>

/// A field of heights over a rectangle of the xy plane, centred; everything below it is solid. Heights [rows x
/// columns], row-major: column c lies at x = (c / (columns - 1) - 1/2) size[0], row r at y = (r / (rows - 1) - 1/2) size[1].
/// Each cell is two triangles, split from its corner of least x and y to the opposite one.
typedef struct ffi_height_field {
  int rows, columns;     ///< both >= 2
  double size[2];        ///< full extents along x and y [m]
  double high;           ///< the greatest height [m]
  const double *heights; ///< [rows x columns] [m], borrowed
} ffi_height_field;

/// A shape ready for collision, in its own frame. Start from ffi_solid_set().
typedef struct ffi_solid {
  int type;               ///< ff_shape_type
  double size[3];         ///< as in shape.h
  const double *vertices; ///< hull only, [vertex_count x 3], borrowed
  int vertex_count;
  const struct ffi_height_field *field; ///< height field only, borrowed
  double radius; ///< of the ball about the frame's origin that holds it; INFINITY for planes and
                 ///< height fields, which are solid all the way down
} ffi_solid;

/// How the witness of a touch moves over its owner. r = point - centre.
enum {
  FFI_ROLL_NONE,   ///< it does not: it is a material point of the owner (a corner); centre = point
  FFI_ROLL_SPHERE, ///< over a round surface: centre is a material point, r does not turn with the owner
  FFI_ROLL_AXIS, ///< around a rim: centre is a material point, r turns with the owner's `axis` but not about it
  FFI_ROLL_LINE, ///< along a line of the owner, `axis` (a box's edge, r = 0; a capsule's axis): like FFI_ROLL_SPHERE, but
                 ///< centre is only the material point that is there now; it slides along the line
};

/// One place of contact, or of near contact.
typedef struct ffi_touch {
  int feature;      ///< 0 .. ffi_collide_most() - 1
  int owner;        ///< whose the witness is: 0 A, 1 B
  double point[3];  ///< the witness, world [m]
  double normal[3]; ///< unit, world, from B to A
  double gap;       ///< along the normal, negative: overlap [m]
  int roll;         ///< FFI_ROLL_...
  double centre[3]; ///< what the witness rolls about, world [m]
  double axis[3];   ///< unit, world; FFI_ROLL_AXIS and FFI_ROLL_LINE only, else zero
} ffi_touch;

/// The most touches that a pair can give, and the number of its features; 0: this pair of types is not supported.
int ffi_collide_most(const ffi_solid *a, const ffi_solid *b);

/// The touches of A and B with gap <= margin, in increasing order of feature, to `out` [ffi_collide_most()].
/// Returns how many. A pose that is no number gives none; every touch that is returned is finite, its normal of
/// unit length.
int ffi_collide(const ffi_solid *a, const double pa[3], const double Ra[9], const ffi_solid *b,
                const double pb[3], const double Rb[9], double margin, ffi_touch *out);

/// Touches are places where forces act, and may all be a little farther away than the two solids are (distance.h): where features hand over to one another, or where no feature is, as against a peak
/// of a height field. Whoever must not miss the first touch calls this after ffi_collide(), with its list, which has room for ffi_collide_most(). If the solids are no farther apart than the margin
/// and no touch of the list is within `slack` of their distance, the place of the distance is added as feature 0, in place of the one that was listed. Returns how many touches there are now.
int ffi_collide_nearest(const ffi_solid *a, const double pa[3], const double Ra[9], const ffi_solid *b,
                        const double pb[3], const double Rb[9], double margin, double slack, ffi_touch *list,
                        int count);

/// Describe a shape of a model as a solid. Vertices and heights are borrowed from it. `field` is written for a height
/// field only, and must then live as long as the solid; NULL is fine for all others.
void ffi_solid_set(const ff_shape_def *shape, ffi_height_field *field, ffi_solid *out);

/// What `radius` above should be.
double ffi_solid_radius(const ffi_solid *solid);

/// The same of a ball about x, in the solid's frame: with x the centre of mass of the body that carries it, r_max of the C2A paper.
double ffi_solid_radius_about(const ffi_solid *solid, const double x[3]);

#endif
