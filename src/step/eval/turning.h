/// turning.h: torsional and rolling friction of contacts.  docs/theory/turning-friction.md
///
/// Two blocks of constraints for each contact, behind those of elements: turning about the normal, and rolling about
/// the axes across it. Each is a spring and damper between the two bodies with an anchor that dry friction holds, as
/// friction of a joint is (joint-friction.md), its moment at most a radius times the normal force. There are none in a
/// world without such friction (system.turning). The state keeps the moment in the springs.
#ifndef FFI_STEP_EVAL_TURNING_H
#define FFI_STEP_EVAL_TURNING_H

#include "step/eval/evaluation.h"

/// Adds the blocks of all contacts of an evaluation of x, with room behind the constraints of elements.
void ffi_turning_place(const ffi_system *s, const ffi_state *x, ffi_rows3_room room, ffi_evaluation *out);

/// The number of the block of a contact: which 0 torsional, 1 rolling.
static inline int ffi_turning_index(const ffi_evaluation *at, int contact, int which)
{
  return at->constraint_count - 2 * at->count + 2 * contact + which;
}

/// Moment in a block's spring after a time h in which it kept its mode and a turned by `travel` relative to b.
void ffi_turning_spring(const ffi_constraint *block, const double travel[3], double h, double out[3]);

/// to->element_force: the springs of all contacts of `at`; moment [2 count][3] of their blocks in world axes. Contacts
/// that `end` does not have any more are left out; NULL: all are kept.
void ffi_turning_store(const ffi_system *s, const ffi_evaluation *at, const ffi_contact *end,
                       const double (*moment)[3], ffi_state *to);

/// A displacement dx [nv] over dt from velocities v [nv]. moment: scratch [2 max_contacts][3].
typedef struct ffi_turning_motion {
  const double *v, *dx;
  double dt;
  double (*moment)[3];
} ffi_turning_motion;

/// The springs of all contacts after a motion.
void ffi_turning_move(const ffi_system *s, const ffi_evaluation *at, const ffi_turning_motion *motion,
                      ffi_state *to);

/// The limited moment of a spring's trial moment: 1 if it slides.
int ffi_turning_limit(const double trial[3], double limit, double force[3]);

#endif
