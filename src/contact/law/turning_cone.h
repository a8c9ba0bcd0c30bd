/// turning_cone.h: the cone of a contact that also resists turning and rolling: docs/theory/turning-friction.md, eq. 4
///
///     |f_t| <= mu f_n,   |m_t| <= share f_n,   |m_n| <= share f_n,   f_n >= 0
///
/// with six rows t1, t2, n and the moments about t1, t2, n over their radii of resistance, so that all are impulses.
#ifndef FFI_CONTACT_TURNING_CONE_H
#define FFI_CONTACT_TURNING_CONE_H

/// Its parts beside the normal are friction, the two moments across the normal, and that about it.
enum { FFI_TURNING_CONE_PARTS = 3, FFI_TURNING_CONE_ROWS = 6 };

/// The point of the cone nearest to x in the metric 1/r. A part with r = 0 is zero, all are where r_n = 0.
///   limit      [PARTS] of each part over the normal impulse: mu, share, share
///   r, x, out  [ROWS]; r of the rows of a part is the same
void ffi_turning_cone_nearest(const double *limit, const double *r, const double *x, double *out);

/// Its derivative D = d out / d x [ROWS][ROWS].
void ffi_turning_cone_derivative(const double *limit, const double *r, const double *x, double *D);

/// The derivative of the law that takes the normal impulse first, and each part within the disc that it leaves.
void ffi_turning_cone_disc_derivative(const double *limit, const double *r, const double *x, double *D);

#endif
