/// lane_variant.h: the parts of steps in lanes, of this variant. lane_step.c calls them in order.
#ifndef FFI_STEP_LANES_KERNELS_LANE_VARIANT_H
#define FFI_STEP_LANES_KERNELS_LANE_VARIANT_H

#include "dynamics/kernels/variant.h"
#include "step/lanes/kernels/lane_work.h"

void FFI_KERNEL(lane_step)(ffi_lane_work *w, ffi_lane_pass *pass);

/// Every step begins and ends with these: from the robots of a pass to lanes; the look at the start; the checks of the
/// result, q_end, v_end, xi and contacts; back into states.
void FFI_KERNEL(lane_gather)(ffi_lane_work *w, const ffi_lane_pass *pass);
void FFI_KERNEL(lane_look)(ffi_lane_work *w, int with_new);
void FFI_KERNEL(lane_finish)(ffi_lane_work *w, double dt);
void FFI_KERNEL(lane_scatter)(const ffi_lane_work *w, ffi_lane_pass *pass);

/// The pose of a plane in a state.
const ffi_pose *FFI_KERNEL(lane_plane_pose)(const ffi_lane_plane *plane, const ffi_state *x);
/// Places and gaps of all features at the present poses, and lanes whose other shapes are apart there.
void FFI_KERNEL(lane_find_gaps)(const ffi_lane_work *w, vec3 *place, real *gap);
real_bits FFI_KERNEL(lane_are_apart)(const ffi_lane_work *w);
/// q_end = q (+) xi. Lanes that turn farther than half a radian are not ok.
void FFI_KERNEL(lane_move)(ffi_lane_work *w, const real *xi);

/// What makes a step calm at its start.
void FFI_KERNEL(calm_start)(ffi_lane_work *w, double dt);
/// The predicted end: gaps, rows, bias, M factored.
void FFI_KERNEL(calm_end)(ffi_lane_work *w);
/// Half way through the predicted motion: bias of forces and contacts. Uses q_end and v_end.
void FFI_KERNEL(calm_middle)(ffi_lane_work *w, double dt);

/// The matrix of the frozen system at four poles for subintervals of length h, and its factors.
void FFI_KERNEL(lane_factor)(ffi_lane_work *w, double h);
/// x [nv][2] := S^-1 x at one pole.
void FFI_KERNEL(lane_solve)(const ffi_lane_work *w, int pole, real *x);
/// What a march does beside finding the motion.
enum {
  LANE_MARCH_BOUND = 1,  ///< sums the error bound
  LANE_MARCH_EVENTS = 2, ///< lanes with events are not ok
  LANE_MARCH_RAMPS = 4,  ///< has slopes f1 and c1
};
/// Motion over `count` subintervals of length h.
void FFI_KERNEL(lane_march)(ffi_lane_work *w, double h, int count, int how);
/// The motion over the step with this many subintervals, and its error bound. Lanes that need more are `finer`.
void FFI_KERNEL(lane_predict)(ffi_lane_work *w, double dt, int subintervals, int how);

/// out [nv][4]: sums of alpha over the poles, weight [4][8].
void FFI_KERNEL(lane_weigh)(const ffi_lane_work *w, const double *weight, real *out);

/// Parts of the error bound, as in step/frozen/frozen_error.c, for subintervals of length h.
void FFI_KERNEL(lane_error_begin)(ffi_lane_work *w, double h);
void FFI_KERNEL(lane_error_add)(ffi_lane_work *w, double h, int index, int count);
real FFI_KERNEL(lane_error_end)(ffi_lane_work *w, double whole);

/// After a subinterval was solved: do all contacts stick and motors keep their regimes in it? t: when it begins.
void FFI_KERNEL(calm_events)(ffi_lane_work *w, double t, double h);

/// The corrector of expo: motion again with the slopes that start and end give.
void FFI_KERNEL(calm_correct)(ffi_lane_work *w, double dt, int subintervals);

/// Contacts that the law lets be contacts, and lanes in which no jump of the geometry has stretched their springs: for
/// steppers without events, after their look.
void FFI_KERNEL(lane_keep_contacts)(ffi_lane_work *w, double dt);
/// Displacement of the point of a ball over its own surface in the step [m], as its anchor moves while it sticks.
vec3 FFI_KERNEL(lane_creep)(const ffi_lane_work *w, const ffi_lane_contact *c, double dt);

/// Whole steps, between the look at the start and the checks.
void FFI_KERNEL(explicit_step)(ffi_lane_work *w, double dt, int is_symplectic);
void FFI_KERNEL(paper_step)(ffi_lane_work *w, double dt, int subintervals);
void FFI_KERNEL(calm_step)(ffi_lane_work *w, double dt, int subintervals);

/// (K + s B)/s^j at pole p: real and imaginary part.
FFI_ALWAYS void lane_impedance(const ffi_lane_plan *plan, real K, real B, int j, double h, int p, real out[2])
{
  const double hj = j == 2 ? h : j == 3 ? h * h : h * h * h; // h^(j-1)
  const real a = K * (hj * h), b = B * hj;
  const double *high = plan->poles.inverse[j], *low = plan->poles.inverse[j - 1];
  out[0] = a * high[p] + b * low[p];
  out[1] = a * high[4 + p] + b * low[4 + p];
}

#endif
