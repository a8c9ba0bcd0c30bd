/// colliders.h: the collision shapes of a sim, its ground, and the pairs of them that may touch.
///
/// Every pair of colliders that may touch is listed once, at creation: model/collision.h decides. Each pair owns a
/// range of ids, one per feature that can touch (a corner, an end of a capsule). So a contact keeps its id from step to
/// step and needs no matching.
///
/// Colliders are const once they are made, and threads share them.
#ifndef FFI_CONTACT_COLLIDERS_H
#define FFI_CONTACT_COLLIDERS_H

#include "base/block.h"
#include "contact/detect/ground.h"
#include "geometry/solid.h"
#include "model/collision.h"

/// A collision shape of the model or a piece of ground. Colliders are numbered: the model's collision shapes in its
/// order, then the ground.
typedef struct ffi_collider {
  ffi_solid solid;
  ffi_pose in;                 ///< its frame in its body's internal frame; ground: identity
  int body;                    ///< of the model's kernels; 0: the world, and all ground
  ffi_collision_side side;     ///< for the rules of who collides
  int shape, ground;           ///< of the model, or of the def; the other one is -1
  const ff_material *material; ///< as it was defined
  int gives_pair;              ///< ground only: its material is the pair's
  int body_end, robot_end;     ///< behind the colliders that follow it and have its body, or its robot
} ffi_collider;

/// Two colliders that may touch. There may be very many pairs, so what belongs to a collider stays there. The material
/// of a pair can differ from robot to robot: pair_materials.h.
typedef struct ffi_collider_pair {
  const ffi_collider *a, *b;
  int body_a, body_b;   ///< bodies of the model's kernels, 0: the world
  int shape_a, shape_b; ///< of the model; shape_b -1: ground
  int ground;           ///< -1: none
  int first_id, most;   ///< ids first_id .. first_id + most - 1
  double reach;         ///< sum of the bounding radii [m]; infinite if one is unbounded
} ffi_collider_pair;

typedef struct ffi_broad_phase ffi_broad_phase; ///< lists of the broad phase, see broad_phase.h

typedef struct ffi_colliders {
  const ff_model *model;
  ffi_collider *items; ///< [count]
  int count;
  ffi_collider_pair *pairs;
  int pair_count;
  ffi_ground *grounds;
  int ground_count;
  int id_count;       ///< ids are 0 .. id_count - 1
  int max_candidates; ///< most entries that ffi_detect() can give
  int max_of_pair;    ///< most entries of one pair
  const ffi_broad_phase *broad_phase;
  void *memory; ///< the one allocation, for ffi_colliders_free()
  size_t bytes; ///< of it
} ffi_colliders;

/// Lists colliders and pairs. Errors: ground that is not a plane, box or height field; sizes or materials that are not
/// valid.
ff_status ffi_colliders_create(const ff_model *model, const ff_sim_def *def, ffi_colliders *out,
                               ff_error *error);
void ffi_colliders_free(ffi_colliders *colliders);

#endif
