/// joint_law.h: the force of an element that acts on one joint: a motor (PD), a spring or a limit.
/// docs/theory/contact.md, section 6
#ifndef FFI_CONTACT_JOINT_LAW_H
#define FFI_CONTACT_JOINT_LAW_H

#include <footfall/element.h>

/// The law at one instant: force = -K x - B u while it acts linearly.
typedef struct ffi_joint_law_row {
  int v;       ///< velocity it acts on
  double K, B; ///< zero when it does not act or is saturated: then `force` is constant
  /// Offset and its rate, relative to a reference that moves; of a limit: from the end that q is beyond, or the nearer
  /// one
  double x, u;
  double force; ///< now
  int regime;   ///< PD: 0 linear, +-1 saturated; limit: 0 free, -1 at lower, +1 at upper
} ffi_joint_law_row;

/// PD and limit. reference, velocity: of the PD now. q, v: of the joint.
void ffi_joint_law(const ff_element_def *def, double reference, double velocity, double q, double v,
                   ffi_joint_law_row *row);

/// Energy in a motor at the offset x from its reference [J]: its spring and, where it is saturated, the work against
/// its effort. So a motor that saturates and its damper never add energy.
double ffi_joint_law_motor_energy(const ff_element_def *def, double x);

/// Energy in a limit at q [J]. It counts also while the joint leaves the limit so fast that there is no force: the
/// spring pushes again as soon as the joint slows down.
double ffi_joint_law_limit_energy(const ff_element_def *def, double q);

#endif
