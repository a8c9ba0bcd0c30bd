/// plan.h: how a motion with gains is made.
///
///     plan.c         creation: one step after the other; names, checks, memory
///     plan_record.c  the motion, under a whole-body program
///     plan_answer.c  derivatives of each interval's end by its begin and by the torques
///     plan_gains.c   gains, by Riccati's equation
#ifndef FFI_CONTROL_PLAN_H
#define FFI_CONTROL_PLAN_H

#include <footfall/plan.h>
#include <footfall/sim.h>

#include <stddef.h>

enum { FFI_PLAN_FREE = 6 }; ///< velocities of the base, without motors; all others have one

struct ff_plan {
  const ff_model *model;
  ff_plan_def def;
  ff_feedback_def feedback;       ///< points to the arrays below
  int nq, nv, nu, nx;             ///< nx = 2 nv
  int intervals;                  ///< feedback.states - 1
  double *q, *v, *control, *gain; ///< as in ff_feedback_def
  ff_sim *sim, *answer_sim;
  double *recorded_q, *recorded_v; ///< as q and v, before a round was closed
  double *A, *B;                   ///< [intervals][nx][nx], [intervals][nx][nu]: answers
};

/// How many intervals a motion has and, if it repeats, from which state on.
void ffi_plan_record_length(ff_plan *plan);

/// Fill q, v, control and states from the state q.
ff_status ffi_plan_record(ff_plan *plan, const double *q, ff_error *error);

/// Fill A and B of one interval. work: [ffi_plan_linearize_work()] doubles.
size_t ffi_plan_linearize_work(const ff_plan *plan);
ff_status ffi_plan_linearize(ff_plan *plan, int interval, double *work, ff_error *error);

/// Fill gain from A and B.
ff_status ffi_plan_gains(ff_plan *plan, ff_error *error);

#endif
