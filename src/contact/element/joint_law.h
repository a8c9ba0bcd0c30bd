/// joint_law.h: the force of an element that acts on one joint or tendon: a motor (PD), a spring, a limit or dry
/// friction. docs/theory/contact.md, section 6, and joint-friction.md
#ifndef FFI_CONTACT_JOINT_LAW_H
#define FFI_CONTACT_JOINT_LAW_H

#include "contact/element/line.h"

#include <footfall/element.h>

#include <math.h>

/// The law at one instant: force = -K x - B u while it acts linearly.
typedef struct ffi_joint_law_row {
  int v;                ///< velocity it acts on; -1: several, those of `line`
  const ffi_line *line; ///< the element's; NULL: v
  int is_path;          ///< its velocities lie on one path of the tree
  double K, B;          ///< zero when it does not act or is saturated: then `force` is constant
  /// Offset and its rate, relative to a reference that moves; of a limit: from the end that q is beyond, or the nearer
  /// one
  double x, u;
  double force; ///< now
  /// PD: 0 linear, +-1 saturated; limit: 0 free, -1 at lower, +1 at upper; friction: 0 sticks, +-1 slides, its sign
  int regime;
} ffi_joint_law_row;

/// out [nv] += the forces of a row.
static inline void ffi_joint_law_push(const ffi_joint_law_row *row, double force, double *out)
{
  if (row->v >= 0)
    out[row->v] += force;
  else
    ffi_line_push(row->line, force, out);
}

/// Its velocity, acceleration or displacement: x [nv].
static inline double ffi_joint_law_rate(const ffi_joint_law_row *row, const double *x)
{
  return row->v >= 0 ? x[row->v] : ffi_line_rate(row->line, x);
}

/// Does it saturate: is its force held within +-effort?
static inline int ffi_joint_law_saturates(const ff_element_def *def)
{
  return def->type != FF_ELEMENT_JOINT_LIMIT;
}

/// PD, limit and friction. reference, velocity: of the PD now; of friction the elongation of its spring, and 0. q, v:
/// of the line. Leaves row->v and row->line.
void ffi_joint_law(const ff_element_def *def, double reference, double velocity, double q, double v,
                   ffi_joint_law_row *row);

/// Energy in a motor at the offset x from its reference [J]: its spring and, where it is saturated, the work against
/// its effort. So a motor that saturates and its damper never add energy.
static inline double ffi_joint_law_motor_energy(const ff_element_def *def, double x)
{
  const double K = def->stiffness, stretch = fabs(x);
  if (K * stretch <= def->effort)
    return 0.5 * K * x * x;
  return def->effort * (stretch - 0.5 * def->effort / K);
}

/// Elongation of friction's spring after a time h in which it kept its regime while its line moved by `travel`.
/// joint-friction.md, eqs 2 and 3
double ffi_joint_law_elongation(const ff_element_def *def, int regime, double elongation, double travel,
                                double h);

/// Energy in a limit at q [J]. It counts also while the joint leaves the limit so fast that there is no force: the
/// spring pushes again as soon as the joint slows down.
double ffi_joint_law_limit_energy(const ff_element_def *def, double q);

#endif
