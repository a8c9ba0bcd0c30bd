/// advance.h: how long nothing can touch: conservative advancement along a straight path.
///
/// A robot goes on with constant velocities (dynamics/path.h), ground with its own. ffi_advance_free() says how long no pair of shapes comes into contact, and which one
/// then does. The answer is a proof, not a sample: a bullet is stopped by paper however long the step. Two bounds do it, both for the separation of two shapes along a
/// fixed direction n, which never is more than their distance:
///
///   - from one end: what poses and velocities at t say of all points of both shapes, less what their accelerations (motion.h) can bend. Equation 3 of the C2A paper, made true
///     for articulated links. It needs no look ahead;
///   - from two ends: between t and t + h a coordinate with accelerations up to A stays above the chord of its ends less A h^2 / 8. So what rests, rolls or slides is clear
///     for whole steps, in which the first bound would crawl.
///
/// A pair is free while its separation stays above a *floor*: what is apart stays apart, and what is near or overlaps at the start gets at most `slack` nearer or deeper.
/// Against a height field each of the prisms below its triangles is looked at, since the field itself is not convex. Pairs without a distance (ffi_distance_is_known()) are not seen.
///
/// Nothing is kept from one call to the next: the searches for nearest points begin anew, so an answer is a function of the arguments alone. Nothing is allocated.
/// The theory is in docs/theory/advancement.md.
#ifndef FFI_CONTACT_ADVANCE_H
#define FFI_CONTACT_ADVANCE_H

#include "base/block.h"
#include "contact/detect/colliders.h"
#include "dynamics/kernels.h"

typedef struct ffi_advance ffi_advance;

/// Places its memory (run twice: counting, placing).
ffi_advance *ffi_advance_layout(const ffi_colliders *scene, ffi_block *block);

/// What a search had to do, and what ended it.
typedef struct ffi_advance_report {
  int pair;        ///< of the scene that stops it, -1: none, the whole time is free
  int looks;       ///< moments that were looked at
  int was_cut;     ///< it gave up after so many looks that the time found may be shorter than it need be
  double distance; ///< of the pair at the last moment looked at that is known to be free [m]
} ffi_advance_report;

/// A straight path, and what it is followed with.
typedef struct ffi_advance_path {
  const ffi_colliders *scene;
  const ffi_kernels *k;
  ffi_work *work;                ///< of k; overwritten
  ffi_detect_memory *detection;  ///< overwritten
  const ffi_pose *ground;        ///< [ground_count] where it starts
  const double *ground_velocity; ///< [ground_count][6] and goes on
  const double *q, *v;           ///< where the robot starts, and goes on
  const double *error;           ///< [nv] up to which v is known; NULL: exactly
  double T;                      ///< how long [s]
} ffi_advance_path;

/// The longest time <= T, found to `shortest` [s], for which nothing touches on the path. If velocities are known up to
/// an error only, for every constant velocity within it.
/// `slack` [m], >= 0. After the time returned the pair is in contact within `shortest`, or so near to it that the
/// bounds cannot tell.
double ffi_advance_free(ffi_advance *advance, const ffi_advance_path *path, double shortest, double slack,
                        ffi_advance_report *out);

/// The paper's r(q, v), with an error s(q, v, e): the first bound of the whole scene at one moment, at most T. *pair
/// (may be NULL) as above.
double ffi_advance_bound(ffi_advance *advance, const ffi_advance_path *path, int *pair);

/// Two parties that went right through each other on a path.
typedef struct ffi_advance_tunnelled_pair {
  int pair;    ///< of the scene
  double time; ///< of their first contact
} ffi_advance_tunnelled_pair;

/// How many pairs go right through each other on the straight path from path->q to `to` [nq], which takes T: they are
/// apart at both ends, with normals that oppose each other in the world or as one of the two sees it, and meet on the
/// way.
/// *first, if there is one. The path's velocity goes to v [nv], in place of path->v. What cuts a corner comes out
/// beside it, not on the other side, and does not count.
/// What overlaps at an end counts when the shortest way out turns over: it has been pushed past the middle; its time is T.
int ffi_advance_tunnelling(ffi_advance *advance, const ffi_advance_path *path, const double *to,
                           double shortest, double *v, ffi_advance_tunnelled_pair *first);

#endif
