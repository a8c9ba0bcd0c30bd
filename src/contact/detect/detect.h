/// detect.h: which features of the colliders are near each other now.
///
/// A detection is a function of the poses alone: it works in the caller's ffi_detect_memory, and no result depends on
/// an earlier call.
#ifndef FFI_CONTACT_DETECT_H
#define FFI_CONTACT_DETECT_H

#include "contact/detect/colliders.h"
#include "geometry/collide.h"

/// Poses of everything at one moment.
typedef struct ffi_poses {
  const ffi_pose *body;   ///< [body_count] of the model's kernels
  const ffi_pose *ground; ///< [ground_count]
} ffi_poses;

/// A contact candidate: a feature of body `a` near a surface of body `b`. `a` carries the witness point: if the pair's
/// touch has owner 1 the two are swapped here, and the normal is reversed.
typedef struct ffi_detect_candidate {
  int id, pair;
  int flipped;            ///< a is the pair's b
  int a, b;               ///< bodies, 0: the world (or ground)
  double point[3];        ///< witness, on a
  double normal[3];       ///< unit, from b to a
  double gap;             ///< < 0: overlap
  double weight;          ///< of the pair's stiffness and damping, what a contact here has; 1 but for hulls
  double weight_slope[3]; ///< its rate as a turns about the axes of the world, b at rest [1/rad]
  int roll;               ///< FFI_ROLL_*, how the witness moves over a
  double centre[3], axis[3];
  double bend[6]; ///< FFI_ROLL_BENT only
} ffi_detect_candidate;

/// What a detection works in, one per thread; see broad_phase.h.
typedef struct ffi_detect_memory ffi_detect_memory;

/// Places the memory of detections in a block (run twice: counting, placing).
ffi_detect_memory *ffi_detect_layout(const ffi_colliders *colliders, ffi_block *block);

/// All features with gap <= margin, in increasing order of id, to out [max_candidates]; returns how many.
int ffi_detect(const ffi_colliders *colliders, ffi_detect_memory *memory, const ffi_poses *at, double margin,
               ffi_detect_candidate *out);

/// What the narrow phases of detections in this memory have cost since it was last asked, in units of half a
/// microsecond: 1 for a pair of plain shapes, 8 with a hull, cylinder or disk, 40 with an ellipsoid. Undefined at
/// first.
double ffi_detect_work(ffi_detect_memory *memory);

/// Like ffi_detect(), and every pair whose signed distance is at most the margin has a feature within `slack` of that
/// distance: a pair that had none gets its first feature at the place of the distance (ffi_collide_nearest() in
/// collide.h). For steppers that must not miss a first contact.
int ffi_detect_nearest(const ffi_colliders *colliders, ffi_detect_memory *memory, const ffi_poses *at,
                       double margin, double slack, ffi_detect_candidate *out);

/// The pairs that may touch if every collider [collider_count] moves by at most its own grow [m], >= 0 or infinite:
/// those whose bounding balls (or what replaces them, broad_phase.h) are no farther apart than both moves together. In
/// increasing order to out [pair_count]; returns how many.
int ffi_detect_close_pairs(const ffi_colliders *colliders, ffi_detect_memory *memory, const ffi_poses *at,
                           const double *grow, int *out);

#endif
