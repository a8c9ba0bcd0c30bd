/// frozen_turning.h: torsional and rolling friction of contacts in the frozen system.  docs/theory/turning-friction.md
///
/// A block sticks as a spring and damper, or slides under a constant moment. ffi_frozen_turning_revise() after a solve
/// finds those for which that was wrong, and the caller freezes and solves again.
#ifndef FFI_STEP_FROZEN_TURNING_H
#define FFI_STEP_FROZEN_TURNING_H

#include "step/eval/turning.h"
#include "step/frozen/frozen.h"

enum { FFI_FROZEN_TURNING_MOST = 4 }; ///< revisions of a solve

/// Blocks that stuck with a mean moment beyond their limit slide, blocks that slid and reversed stop. How many changed.
int ffi_frozen_turning_revise(const ffi_system *s, ffi_evaluation *at, const ffi_frozen *z);

/// to->element_force after a solve of length h from `at`. `end`: the contacts at its end. moment: scratch
/// [2 max_contacts][3]. is_braked: the motion is not that of the springs, which stay.
typedef struct ffi_frozen_turning_end {
  const ffi_contact *end; ///< NULL: those of the start
  double h;
  int is_braked;
  double (*moment)[3];
} ffi_frozen_turning_end;

void ffi_frozen_turning_finish(const ffi_system *s, const ffi_evaluation *at, const ffi_frozen *z,
                               const ffi_frozen_turning_end *of, ffi_state *to);

/// The work of moving ground by the moments of contacts on it, over the solve from velocities v [nv] [J].
double ffi_frozen_turning_work(const ffi_system *s, const ffi_evaluation *at, const ffi_frozen *z,
                               const double *v, double h);

/// The energy that the springs gain in the solve [J].
double ffi_frozen_turning_gain(const ffi_system *s, const ffi_evaluation *at, const ffi_frozen *z, double h);

#endif
