/// hard_step.h: one step with hard contact, as `moreau` takes it and as `ca` and `c2a` take it for each substep.
///
/// Superscripts are those of the Moreau paper: S is the start of a step, E its end, M where it is evaluated: the middle
/// for `moreau`, the end of a substep for `ca` and `c2a`.
///
/// For `moreau` everything of a step is evaluated at its middle, (q^M, u^S). Velocities there are those of the model,
/// with one rotation: the linear part of a joint that both moves and turns (free, planar) is in the axes that the
/// body has at the middle of the step. So M, h and rows come from the kernels as they are, and the linear velocity is
/// that in fixed axes, Moreau paper eq. 21: where no force acts it does not change (moreau.md).
///
/// Data flows one way: a request (hard_step_request.h), the evaluation of a state (hard_step_evaluation.h), the
/// problem of its impulses (hard_step_problem.h), a correction of positions. Each is a value that is made from those
/// before it and leaves them alone.
#ifndef FFI_STEP_HARD_HARD_STEP_H
#define FFI_STEP_HARD_HARD_STEP_H

#include "step/hard/hard_step_problem.h"

/// A displacement that removes drift: the rows of a problem with other laws, and the end of the step before it.
typedef struct ffi_hard_step_correction {
  ffi_hard hard;    ///< blocks, impulse, u and xi are its own; W, Y and G those of the problem
  double *b, *give; ///< [rows]
  double *zero;     ///< [rows and nv] zeros: softness and u_free
  double *q, *v;    ///< [nq], [nv] the end of the step without correction
  double *delta;    ///< [nv] displacement
  double *moved;    ///< [nv] velocities of the trees that it moves, others zero
} ffi_hard_step_correction;

/// Memory of `moreau`, and of a substep of `ca` and `c2a`.
typedef struct ffi_hard_step {
  double *delta;                       ///< [nv] displacement, half a step
  ffi_hard_step_evaluation evaluation; ///< the last one
  ffi_hard_step_problem problem;       ///< of that evaluation
  ffi_hard_step_correction correction;
} ffi_hard_step;

/// Memory of the stepper, see stepper.h.
void *ffi_hard_step_memory_layout(const ffi_system *s, ffi_block *block);

/// Kinetic and potential energy and that in motors with these references [J]; the kinetic energy alone to *kinetic.
double ffi_hard_step_energy(const ffi_system *s, const double *q, const double *v, const double *reference,
                            double *kinetic);

/// After the step: correct the positions of `to`, rotate its velocities with them, and reduce them where kinetic
/// energy has to pay. Reads m->evaluation and m->problem, writes m->correction.
ffi_hard_step_problem_result ffi_hard_step_stabilise(const ffi_system *s,
                                                     const ffi_hard_step_request *request, ffi_hard_step *m,
                                                     ffi_state *to);

/// Where a run begins, with m->evaluation and the rows of m->problem at x: move contacts that are nearer than half the
/// skin, and no more than a skin deep, apart to the skin. Nothing pays for it: the start is placed there. 1 if x was
/// moved.
int ffi_hard_step_stabilise_start(const ffi_system *s, const ffi_hard_step_request *request, ffi_hard_step *m,
                                  ffi_state *x);

#endif
