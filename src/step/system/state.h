/// state.h: a state: all that the next step depends on.
///
/// A state is one flat block: the struct, then its arrays, one behind the other. All states of a world have the same
/// shape, so one is copied into another by
/// copying bytes; a state lies where it was placed, and its arrays with it, for its whole life.
#ifndef FFI_STEP_STATE_H
#define FFI_STEP_STATE_H

#include "contact/detect/colliders.h"

/// A contact that persists: which feature, and where its springs are anchored.
typedef struct ffi_state_contact {
  int id;    ///< of the scene
  int slips; ///< hard contact, and the law with a flag: it slid in the last step
  /// Tangential anchor, in the frame of the body (or ground) that the point lies on; the world's for body 0
  double anchor[3];
  double rest;          ///< gap at which the normal spring is at rest [m]
  double stored;        ///< how far work has stretched its springs [m], see passive.h; negative: vanished
  double mean_force[3]; ///< on a (see ffi_detect_candidate), over the last step, world axes [N]
} ffi_state_contact;

/// A reference that a motor with a delay was told, and follows from `due` on.
typedef struct ffi_state_pending {
  int element;
  double due; ///< [s]
  double reference, velocity;
} ffi_state_pending;

typedef struct ffi_state {
  uint64_t
      stamp; ///< given by its owner: an evaluation with the same stamp is one of this state; 0: there is none
  double time;
  double control_work; ///< since the last reset [J]
  double next_length;  ///< expo with an accuracy: of its next step [s]; 0: not known yet
  double log_error;    ///< and the last one's error, over the accuracy, as a logarithm
  int is_placed;       ///< by hand, since the last step: springs are as the geometry has them
  int touching_count;
  int held_count;
  int pending_count;
  double *q;                  ///< [nq]
  double *v;                  ///< [nv]
  double *reference;          ///< [element_count] of PD elements, now
  double *reference_velocity; ///< [element_count]
  ffi_pose *ground;           ///< [ground_count]
  double *ground_velocity;    ///< [ground_count][6]
  /// [held_count] hard steppers: mean force over the last step of each element's rows, in order, then of dry friction
  /// at each velocity
  double *held;
  ffi_state_pending *pending;  ///< [max_pending] in the order in which they were told
  ffi_state_contact *touching; ///< [max_contacts], in increasing order of id
} ffi_state;

#endif
