/// rk4_turning.h: the springs of torsional and rolling friction as a part of rk4's state.
///
/// The moment in a spring has the rate of docs/theory/turning-friction.md, eq. 2. Where a step is longer than B/K a
/// sliding spring relaxes at the end of the step, exactly, as those of joints do (rk4_spring.h).
#ifndef FFI_STEP_RK4_TURNING_H
#define FFI_STEP_RK4_TURNING_H

#include "step/eval/turning.h"

/// One for each block of the contacts.
typedef struct ffi_rk4_turning {
  double start[3], rate[3], rate_sum[3]; ///< moment, world axes [N m], [N m/s]
} ffi_rk4_turning;

/// At the first stage: the moments of `now`.
void ffi_rk4_turning_begin(const ffi_system *s, const ffi_evaluation *now, ffi_rk4_turning *turning);

/// Rates at a stage.
void ffi_rk4_turning_stage(const ffi_system *s, const ffi_evaluation *now, double weight, double dt,
                           ffi_rk4_turning *turning);

/// x->element_force a time h after the start, by the rates of the last stage, `now`. moment: scratch
/// [2 max_contacts][3].
void ffi_rk4_turning_at(const ffi_system *s, const ffi_evaluation *now, const ffi_rk4_turning *turning,
                        double h, double (*moment)[3], ffi_state *x);

/// to->element_force at the end of the step.
void ffi_rk4_turning_end(const ffi_system *s, const ffi_evaluation *now, const ffi_rk4_turning *turning,
                         double dt, double (*moment)[3], ffi_state *to);

#endif
