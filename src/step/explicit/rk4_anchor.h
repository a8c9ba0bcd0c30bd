/// rk4_anchors.h: anchors of contacts as states of a Runge-Kutta method.
///
/// An anchor lives in the frame of the body (or ground) it lies on, and so does its rate: (F - trial) / B while the contact slips or does not
/// push, none while it sticks, and the creep of the witness where that rolls. So a sticking anchor keeps its bits, and a
/// slipping one is as accurate as everything else.
///
/// The elongation of a slipping contact settles with the rate K/B, which may be faster than anything else in the robot. Where a step is
/// longer than that time, or B = 0, the stages leave the anchor alone, and the elongation is relaxed at the end of the step with
/// the force going linearly from the first stage's to the last one's.
#ifndef FFI_STEP_RK4_ANCHORS_H
#define FFI_STEP_RK4_ANCHORS_H

#include "step/eval/evaluation.h"

typedef struct ffi_rk4_anchor {
  double start[3], rate[3], rate_sum[3]; ///< in the anchor's frame
  double elongation[3], force[3];        ///< at the first stage, tangential, world axes
  double mean_force[3];
  int is_stiff;    ///< settles faster than a step
  int has_slipped; ///< at the first stage or later
} ffi_rk4_anchor;

/// After the first stage's instant: to->touching are its contacts.
void ffi_rk4_anchor_begin(const ffi_system *s, const ffi_state *from, const ffi_evaluation *now, double dt,
                          ffi_rk4_anchor *anchor, ffi_state *to);

/// Take the rates and forces of a stage, with its weight.
void ffi_rk4_anchor_stage(const ffi_system *s, const ffi_evaluation *now, double weight,
                          ffi_rk4_anchor *anchor);

/// x->touching a time h after the start, by the rates of the last stage.
void ffi_rk4_anchor_at(const ffi_rk4_anchor *anchor, double h, ffi_state *x);

/// to->touching at the end; `last` is the last stage, `x` its state.
void ffi_rk4_anchor_end(const ffi_system *s, const ffi_evaluation *last, double dt,
                        const ffi_rk4_anchor *anchor, const ffi_state *x, ffi_state *to);

#endif
