/// moreau.h: what the files of the stepper `moreau` share.
///
/// Everything of a step is evaluated at its middle, (q^M, u^S). Velocities there are those of the model, with one
/// turn: the linear part of a joint that both moves and turns (free, planar) is in the axes that the body has at the
/// middle of the step. So M, h and rows come from the kernels as they are, and the linear velocity is that in fixed
/// axes, Moreau paper eq. 21: where no force acts it does not change (docs/theory/moreau.md).
///
/// A step goes one way: a request (moreau_request.h), a look at a state (moreau_look.h), the problem of its impulses
/// (moreau_problem.h), a correction of positions. Each is a value that is made from those before it and leaves them
/// alone. `ca` and `c2a` go the same way for each of their pieces.
#ifndef FFI_STEP_MOREAU_H
#define FFI_STEP_MOREAU_H

#include "step/hard/hard_step_problem.h"

/// A displacement that brings back what has drifted: the rows of a problem with other laws, and the end of the step
/// before it.
typedef struct ffi_hard_step_correction {
  ffi_hard hard;    ///< blocks, impulse, u and xi are its own; W, Y and G those of the problem
  double *b, *give; ///< [rows]
  double *zero;     ///< [rows and nv] zeros: softness and u_free
  double *q, *v;    ///< [nq], [nv] the end of the step without correction
  double *way;      ///< [nv] displacement
  double *moved;    ///< [nv] velocities of the trees that it moves, others zero
} ffi_hard_step_correction;

/// Memory of `moreau`, and of a piece of `ca` and `c2a`.
typedef struct ffi_hard_step {
  double *way;                   ///< [nv] displacement, half a step
  ffi_hard_step_evaluation look; ///< the last one
  ffi_hard_step_problem problem; ///< of that look
  ffi_hard_step_correction correction;
} ffi_hard_step;

/// Memory of the stepper, see stepper.h.
void *ffi_hard_step_memory_layout(const ffi_system *s, ffi_block *block);

/// Of motion, of height and in motors with these references [J], and that of motion alone.
double ffi_hard_step_energy(const ffi_system *s, const double *q, const double *v, const double *reference,
                            double *kinetic);

/// After the step: positions of `to` are corrected, velocities turned with them, and made smaller where motion has to
/// pay. Reads m->look and m->problem, writes m->correction.
ffi_hard_step_problem_result ffi_hard_step_stabilise(const ffi_system *s,
                                                     const ffi_hard_step_request *request, ffi_hard_step *m,
                                                     ffi_state *to);

#endif
