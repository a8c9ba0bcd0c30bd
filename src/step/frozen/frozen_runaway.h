/// frozen_runaway.h: bounds for frozen motions with sliding contacts that are not resolved, or that run away.
///
/// Friction that follows the normal force can feed on it: such motions grow, and the bounds of frozen_error.h, which
/// need decay, do not hold. Two bounds hold nevertheless. Let a be the largest computed change of velocity (or mean
/// force), T the true one, D the size known from the start: the largest velocity (or force) there, gravity times h.
/// Errors are at most a + T, and are relative to T or D, whichever is larger, so that
///
///     the relative error <= (a + T)/max(D, T) <= 1 + a/D
///
/// for any law, poles and number of subintervals. And a is limited to thirty times what a motion without friction can
/// reach: with
///
///     R = sqrt(sum K x^2 + h/2 sum B g^2) + h (|M^-1/2 f| + sqrt(sum K g^2)),     g = |u| + |c| h + |c1| h^2/2,
///
/// its norm is at most R at all times, a row's velocity changes by sqrt(J M^-1 J') R at most and its mean force is
/// (1 + 2B/(K h)) sqrt(K) R at most. A motion beyond thirty times that is scaled back to it, forces included, between
/// itself and the motion without springs. docs/theory/exponential.md, "Sliding, capped", proves this.
#ifndef FFI_STEP_FROZEN_RUNAWAY_H
#define FFI_STEP_FROZEN_RUNAWAY_H

#include "step/frozen/frozen.h"

/// After a solve over h with contacts that slide. If it was capped, or ran away: scales the motion back where it must
/// be, and sets `capped` and `error`.
void ffi_frozen_runaway_limit(ffi_frozen *z, double h);

#endif
