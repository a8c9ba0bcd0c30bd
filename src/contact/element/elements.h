/// elements.h: the compliant elements of a sim, listed once at its creation.
///
/// A joint element acts on a line (line.h): one joint, or a tendon (joint_law.h). A coupling relates two lines. A point
/// or weld is one or two blocks of three rows in world axes, which steppers treat like contacts that never slip and
/// never part.
#ifndef FFI_CONTACT_ELEMENTS_H
#define FFI_CONTACT_ELEMENTS_H

#include "contact/element/joint_law.h"

#include <footfall/sim.h>

#include <stddef.h>

typedef struct ffi_element {
  ff_element_def def; ///< name owned by the sim; reference and reference_velocity are the initial ones
  ffi_line line;      ///< joint elements: what it acts on; couplings: the follower; else empty
  ffi_line leader;    ///< couplings: what is followed; else empty
  int is_joint;       ///< a joint element; else a coupling, a point or a weld
  int is_spring;      ///< a joint's own spring: acts as a PD but is not a motor
  int is_path;        ///< the velocities of both lines lie on one path of the tree
  int reach_count;
  const int *reach; ///< [reach_count] if not: the velocities of both with all before them
  int force_at;     ///< where its numbers begin in state.element_force
} ffi_element;

typedef struct ffi_elements {
  ffi_element *items; ///< [law_count]
  int count;          ///< those of the user
  int law_count; ///< these, and the joints' own dry friction behind them: one for each velocity that has some
  int force_count;      ///< numbers of state.element_force: of the elements, then one for each velocity
  int most_reach;       ///< largest reach_count
  int friction_count;   ///< laws of dry friction
  int constraint_count; ///< couplings, points and welds
  size_t bytes;
} ffi_elements;

/// The elements of a sim: those of the model (limits, springs, position and velocity actuators, its own) if
/// def->model_elements, then those listed in the def; <footfall/element.h> says which stop a joint has if several are
/// given. Checks all numbers. Dry friction of joints is a law like those of other elements, but no element for the
/// user. out->items is one allocation with lines and names, for ffi_elements_free().
ff_status ffi_elements_create(const ff_model *model, const ff_sim_def *def, ffi_elements *out,
                              ff_error *error);
void ffi_elements_free(ffi_elements *elements);

#endif
