/// followers.h: joints that follow others by couplings: their coordinates and velocities from those of their leaders.
#ifndef FFI_MODEL_FOLLOWERS_H
#define FFI_MODEL_FOLLOWERS_H

#include <footfall/model.h>

/// sum of polynomial[k] x^k, and its first and second derivative. Either may be NULL.
double ffi_followers_polynomial(const double polynomial[5], double x, double *slope, double *curvature);

/// Put the joint that a coupling moves where its leader wants it; v may be NULL. Returns whether it moved: call for all
/// couplings, once more than there are at most, until none moves. Couplings of tendons are left alone: they do not say
/// which joint should move.
int ffi_followers_place(const ff_model *model, const ff_element_def *coupling, double *q, double *v);

#endif
