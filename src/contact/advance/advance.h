/// advance.h: conservative advancement: how long nothing can touch along a straight path.
///
/// A robot goes on with constant velocities (dynamics/straight_path.h), ground with its own. ffi_advance_free() returns
/// how long no pair of colliders comes into contact, and which pair then does. The result is a proof, not a sample:
/// nothing tunnels, however fast and thin it is and however long the step. Two bounds are used, both for the separation
/// of two shapes along a fixed direction n, which is never more than their distance:
///
///   - from one end: positions and velocities of all points of both shapes at t, less the bounds of their accelerations
///     (motion_bounds.h). Equation 3 of the C2A paper, corrected for articulated links. It needs no evaluation ahead;
///   - from two ends: between t and t + h a coordinate with accelerations up to A stays above the chord of its ends
///     less A h^2 / 8. So shapes that rest, roll or slide are free for whole steps, where the first bound takes many
///     steps.
///
/// A pair is free while its separation stays above a *floor*: shapes that are apart stay apart, and shapes that are
/// near or overlap at the start come nearer or deeper by at most `slack`, or by a share of their depth. A height field
/// is not convex, so each of the prisms below its triangles is tested. Pairs without a distance
/// (ffi_distance_is_known()) are ignored.
///
/// Nothing is kept from one call to the next, so the result depends on the arguments alone. Nothing is allocated.
/// Theory: docs/theory/advancement.md
#ifndef FFI_CONTACT_ADVANCE_H
#define FFI_CONTACT_ADVANCE_H

#include "contact/detect/detect.h"
#include "dynamics/kernels.h"

typedef struct ffi_advance ffi_advance;

/// Places its memory (run twice: counting, placing).
ffi_advance *ffi_advance_layout(const ffi_colliders *colliders, ffi_block *block);

/// What a search took, and what ended it.
typedef struct ffi_advance_report {
  int pair;        ///< that ends the free time, -1: none, the whole path is free
  int evaluations; ///< moments that were evaluated
  /// Distances that were measured: 0.5 for two convex shapes, 2 with an ellipsoid, and of each prism of a height field
  /// that is near. A unit takes some 2 us
  double work;
  int was_cut;     ///< the search gave up after so many evaluations that the time found may be too short
  double distance; ///< of the pair at the last evaluated moment that is known to be free [m]
} ffi_advance_report;

/// A straight path, and what is needed to evaluate it.
typedef struct ffi_advance_path {
  const ffi_colliders *colliders;
  const ffi_kernels *k;
  ffi_work *work;                ///< of k; overwritten
  ffi_detect_memory *detection;  ///< overwritten
  const ffi_pose *ground;        ///< [ground_count] at the start
  const double *ground_velocity; ///< [ground_count][6]
  const double *q, *v;           ///< of the robot at the start
  const double *error;           ///< [nv] bounds of the error of v; NULL: v is exact
  double T;                      ///< duration [s]
  double most_work;              ///< after which the search is cut, 0: any
  double sink; ///< share of its depth by which a pair that overlaps may come deeper, if more than slack, 0..1
} ffi_advance_path;

/// The longest time <= T, found to `shortest` [s], for which nothing touches on the path; if velocities have an error,
/// for every constant velocity within it. `slack` [m], >= 0. After the time returned the pair is in contact within
/// `shortest`, or so near to it that the bounds cannot decide.
double ffi_advance_free(ffi_advance *advance, const ffi_advance_path *path, double shortest, double slack,
                        ffi_advance_report *out);

/// r(q, v) of the C2A paper, or s(q, v, e) with an error: the bound from one end over all pairs at the start, at most
/// T. *pair (may be NULL) as above.
double ffi_advance_bound(ffi_advance *advance, const ffi_advance_path *path, int *pair);

/// Two colliders that tunnelled through each other.
typedef struct ffi_advance_tunnelled_pair {
  int pair;    ///< of the colliders
  double time; ///< of their first contact
} ffi_advance_tunnelled_pair;

/// How many pairs tunnel on the straight path from path->q to `to` [nq] in T: they are apart at both ends, with normals
/// that oppose each other in the world or as one of the two sees it, and touch in between. *first: the first one, if
/// any. The path's velocity goes to v [nv] and replaces path->v. A shape that cuts a corner comes out beside it, not on
/// the other side, and does not count. A pair that overlaps at an end counts if its shortest way out reverses: it has
/// been pushed past the middle; its time is T.
int ffi_advance_tunnelling(ffi_advance *advance, const ffi_advance_path *path, const double *to,
                           double shortest, double *v, ffi_advance_tunnelled_pair *first);

#endif
