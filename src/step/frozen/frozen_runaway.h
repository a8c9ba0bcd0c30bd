/// frozen_runaway.h: what is certain of a frozen motion with sliding contacts that was not resolved, or that runs away.
///
/// Friction that follows the normal force can feed on it: such motions grow, and no bound by what fades (frozen_error.h) holds. Two things are certain
/// nevertheless. Let a be the largest change of velocity (or mean force) that was computed, T the true one, D what is known from the start: the largest velocity (or force) there,
/// gravity times h. Errors are at most a + T, and count relative to T or D, whichever is larger, so that
///
///     the relative error <= (a + T)/max(D, T) <= 1 + a/D,
///
/// whatever the law, the poles and the number of sub-steps. And a is held below what a motion without friction could reach, thirty times: with
///
///     R = sqrt(sum K x^2 + h/2 sum B g^2) + h (|M^-1/2 f| + sqrt(sum K g^2)),     g = |u| + |c| h + |c1| h^2/2,
///
/// its norm is at most R at all times, a row's velocity changes by sqrt(J M^-1 J') R at most and its mean force is (1 + 2B/(K h)) sqrt(K) R at most. A motion beyond thirty times
/// that is scaled back to it, forces and all, between itself and the motion without springs. docs/theory/exponential.md proves this.
#ifndef FFI_STEP_FROZEN_RUNAWAY_H
#define FFI_STEP_FROZEN_RUNAWAY_H

#include "step/frozen/frozen.h"

/// After a solve over h with contacts that slide. If it was capped, or is a runaway: holds the motion back where it must be, sets `capped` and `error`.
void ffi_frozen_runaway_limit(ffi_frozen *z, double h);

#endif
