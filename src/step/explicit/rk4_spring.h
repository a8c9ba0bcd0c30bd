/// rk4_spring.h: elongations of joints' dry friction as states of a Runge-Kutta method.
///
/// An elongation has the rate -u while its joint sticks, and (F - K e)/B while it slides (joint-friction.md, eqs 2 and
/// 3). Where a step is longer than B/K, a sliding one is relaxed at the end of the step instead.
#ifndef FFI_STEP_EXPLICIT_RK4_SPRING_H
#define FFI_STEP_EXPLICIT_RK4_SPRING_H

#include "step/eval/evaluation.h"

typedef struct ffi_rk4_spring {
  double start, rate, rate_sum; ///< of the elongation
  int is_stiff;                 ///< relaxes faster than a step
  int regime;                   ///< of the last stage
} ffi_rk4_spring;

/// spring [law_count] of a step that begins at `from`.
void ffi_rk4_spring_begin(const ffi_system *s, const ffi_state *from, double dt, ffi_rk4_spring *spring);

/// Take the rates of a stage, with its weight.
void ffi_rk4_spring_stage(const ffi_system *s, const ffi_evaluation *now, double weight,
                          ffi_rk4_spring *spring);

/// x->element_force a time h after the start, by the rates of the last stage.
void ffi_rk4_spring_at(const ffi_system *s, const ffi_rk4_spring *spring, double h, ffi_state *x);

/// to->element_force at the end.
void ffi_rk4_spring_end(const ffi_system *s, double dt, const ffi_rk4_spring *spring, ffi_state *to);

#endif
