/// state.h: what a step maps to what: all that the future depends on.
#ifndef FFI_STEP_STATE_H
#define FFI_STEP_STATE_H

#include "contact/scene.h"

/// A contact that persists: which feature, and where its springs are anchored.
typedef struct ffi_touching {
  int id; ///< of the scene
  double anchor
      [3]; ///< tangential anchor, in the frame of the body (or ground) that the point lies on; the world's for body 0
  double rest;          ///< gap at which the normal spring is at rest [m]
  double stored;        ///< how far work has stretched its springs [m], see passive.h; negative: vanished
  double mean_force[3]; ///< on a (see ffi_near), over the last step, world axes [N]
  int slips;            ///< hard contact, and the law with a flag: it slid in the last step
} ffi_touching;

typedef struct ffi_state {
  double time;
  double *q;     ///< [nq]
  double *v;     ///< [nv]
  int is_placed; ///< by hand, since the last step: springs are as the geometry has them
  int touching_count;
  ffi_touching *touching;     ///< [max_contacts], in increasing order of id
  double *reference;          ///< [element_count] of PD elements, now
  double *reference_velocity; ///< [element_count]
  ffi_place *ground;          ///< [ground_count]
  double *ground_velocity;    ///< [ground_count][6]
  double control_work;        ///< since the last reset [J]
  double next_length;         ///< expo with an accuracy: of its next step [s]; 0: not known yet
  double log_error;           ///< and the last one's error, over the accuracy, as a logarithm
  int held_count;
  double *
      held; ///< [held_count] hard steppers: mean force over the last step of each element's rows, in order, then of dry friction at each velocity
} ffi_state;

#endif
