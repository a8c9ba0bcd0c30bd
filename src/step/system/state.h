/// state.h: a state is all that the next step depends on.
///
/// A state is one flat block: the struct, then its arrays, one behind the other. All states of a world have the same
/// shape, so one is copied into another by copying bytes. A state and its arrays stay where they were placed.
#ifndef FFI_STEP_SYSTEM_STATE_H
#define FFI_STEP_SYSTEM_STATE_H

#include "base/block.h"
#include "contact/detect/colliders.h"
#include "contact/detect/detect.h"

#include <footfall/world.h>

typedef struct ffi_system ffi_system;

/// A contact that persists: its feature, and where its springs are anchored.
typedef struct ffi_state_contact {
  int id;    ///< of the feature, see contact/detect/colliders.h
  int slips; ///< hard contact, and the law with a slip flag: it slid in the last step
  /// Tangential anchor, in the frame of the body (or ground) that the point lies on; the world's for body 0
  double anchor[3];
  double rest;   ///< gap at which the normal spring is at rest [m]
  double stored; ///< stretch of its springs by work [m], see passivity.h; negative: the feature vanished
  /// On a (see ffi_detect_candidate), over the last step, world axes [N]; within an expo step the impulse since its
  /// start [N s]
  double mean_force[3];
} ffi_state_contact;

/// A reference given to a motor with a delay. The motor follows it from `due` on.
typedef struct ffi_state_pending {
  int element;
  double due; ///< [s]
  double reference, velocity;
} ffi_state_pending;

/// Numbers that contacts with torsional or rolling friction have in state.element_force: id + 1 or 0, and the moment in
/// their springs in the axes that the anchor lies in.
enum { FFI_STATE_TURNING = 4 };

typedef struct ffi_state {
  /// Given by its owner: an evaluation with the same stamp is one of this state; 0: there is none
  uint64_t stamp;
  double time;
  double control_work; ///< since the last reset [J]
  double next_length;  ///< expo with an error tolerance, c2a: length of the next step [s]; 0: not known yet
  double log_error;    ///< logarithm of the last step's error over the tolerance
  int is_placed;       ///< by hand, since the last step: springs are as the geometry has them
  int touching_count;
  int element_force_count;
  int pending_count;
  double *q;                  ///< [nq]
  double *v;                  ///< [nv]
  double *reference;          ///< [element_count] of PD elements, now
  double *reference_velocity; ///< [element_count]
  ffi_pose *ground;           ///< [ground_count]
  double *ground_velocity;    ///< [ground_count][6]
  /// [element_force_count] of each element, in order, then of dry friction at each velocity, then
  /// [max_contacts][FFI_STATE_TURNING] if the world has torsional or rolling friction: a contact's id + 1 and its
  /// moment, see turning.h. Hard steppers: mean forces of their rows and moments over the last step. Soft ones: the
  /// force in the spring of dry friction, of others 0
  double *element_force;
  ffi_state_pending *pending;  ///< [max_pending] in the order in which they were given
  ffi_state_contact *touching; ///< [max_contacts], in increasing order of id
} ffi_state;

/// Where the arrays of a state are in its block, in bytes from its beginning; touching is the last.
typedef struct ffi_state_shape {
  size_t q, v, reference, reference_velocity, ground, ground_velocity, element_force, pending, touching;
  size_t bytes;
  int element_force_count;
} ffi_state_shape;

/// The shape of the states of a world whose model, colliders, elements and max_contacts are known.
ffi_state_shape ffi_state_shape_of(const ff_world *world);

/// A state in `memory` of shape->bytes: its arrays are bound to it, all else is zero.
ffi_state *ffi_state_in(const ffi_state_shape *shape, void *memory);

/// Place a state in a block; NULL while counting.
ffi_state *ffi_state_layout(const ffi_system *s, ffi_block *block);

/// Copy everything of a state.
void ffi_state_copy(const ffi_system *s, const ffi_state *from, ffi_state *to);

/// The numbers that a state may have.
typedef struct ffi_state_bounds {
  double speed;   ///< the largest number of v
  double travel;  ///< from another state, the largest change of a number of q
  double largest; ///< the largest number of contacts and elements
} ffi_state_bounds;

/// Is every number of x but those of q within its bounds? *is_near: those of q are within `travel` of those of `from`.
/// NaN is not. Numbers below 1e-100 in size become 0: positions, velocities, anchors and forces that decay. Their
/// squares would be denormal, and processors take some hundred cycles for each of those.
/// docs/decisions/0022-nothing-below-1e-100.md
int ffi_state_settle(const ffi_system *s, const ffi_state *from, const ffi_state_bounds *within, ffi_state *x,
                     int *is_near);

/// What moves by itself: time, element references, ground. Not q, v and contacts. Forces of elements are cleared.
void ffi_state_advance(const ffi_system *s, const ffi_state *from, double dt, ffi_state *to);

/// The forces in the springs of dry friction, those of contacts included.
void ffi_state_copy_friction(const ffi_system *s, const ffi_state *from, ffi_state *to);

/// The contact with this id, or NULL. Ids increase from call to call; *next, 0 at first, is where the search goes on.
static inline const ffi_state_contact *ffi_state_find_contact(const ffi_state *x, int id, int *next)
{
  while (*next < x->touching_count && x->touching[*next].id < id)
    ++*next;
  return *next < x->touching_count && x->touching[*next].id == id ? &x->touching[*next] : NULL;
}

#endif
