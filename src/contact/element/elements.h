/// element.h: compliant elements inside a sim: joint rows and blocks of three rows.
///
/// A joint element acts on one velocity; its law is a number. A point or weld is one or two blocks of three rows in world axes, kept
/// by step/instant.h like contacts that never slip and never part.
#ifndef FFI_CONTACT_ELEMENT_H
#define FFI_CONTACT_ELEMENT_H

#include <footfall/sim.h>

typedef struct ffi_element {
  ff_element_def def; ///< name owned by the sim; reference and reference_velocity are the initial ones
  int q, v;           ///< joint elements: its coordinate and velocity; else -1
  int is_spring;      ///< a joint's own spring: acts as a PD, but is nobody's motor
} ffi_element;

/// Law of a joint element at one instant: force = -K x - B u while it acts linearly.
typedef struct ffi_joint_law_row {
  int v;       ///< velocity it acts on
  double K, B; ///< zero when it does not act or is saturated: then `force` is constant
  double x,
      u; ///< offset and its rate, relative to a reference that moves; a limit's is from the one it is beyond, or nearer
  double force; ///< now
  int regime;   ///< PD: 0 linear, +-1 saturated; limit: 0 free, -1 at lower, +1 at upper
} ffi_joint_law_row;

/// PD and limit. reference, velocity: of the PD now. q, v: of the joint.
void ffi_joint_law(const ff_element_def *def, double reference, double velocity, double q, double v,
                   ffi_joint_law_row *row);

/// Energy in a motor that is x from its reference [J]: its spring, and where it gives all its effort, the way against that effort. So a motor that
/// saturates and its damper never add energy.
double ffi_joint_law_motor_energy(const ff_element_def *def, double x);

/// The elements a sim has: those of the model (limits, springs, position and velocity actuators, its own) if def->model_elements, then
/// those listed; element.h says which stop a joint has if several are given. Checks all numbers; out [count] is one allocation with its names, for ffi_elements_free().
ff_status ffi_elements_create(const ff_model *model, const ff_sim_def *def, ffi_element **out, int *count,
                              ff_error *error);
void ffi_elements_free(ffi_element *elements);

#endif
