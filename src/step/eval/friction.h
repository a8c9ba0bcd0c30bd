/// friction.h: how the springs of joints' dry friction move over a step. joint-friction.md
///
/// The state keeps the force in each spring, state.element_force. While a joint sticks its spring is stretched by the
/// motion; while it slides the spring relaxes to the friction.
#ifndef FFI_STEP_EVAL_FRICTION_H
#define FFI_STEP_EVAL_FRICTION_H

#include "step/eval/evaluation.h"

/// Force in the spring of a row after a time h in a regime, with its line moved by `travel`. At most the friction.
double ffi_friction_spring(const ff_element_def *def, const ffi_joint_law_row *row, int regime, double travel,
                           double h);

/// to->element_force: the springs of all rows of `at`, each in the regime of its row, after a displacement dx [nv]
/// over h.
void ffi_friction_move(const ffi_system *s, const ffi_evaluation *at, const double *dx, double h,
                       ffi_state *to);

#endif
