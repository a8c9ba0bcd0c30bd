/// walker_gait.h: models/passive_walker.urdf in contact with its slope, seen as the toy walker of
/// bench/papers/c2a/passive_walker.h: states to and from a sim's, and strides of a sim.
#ifndef FFI_TESTS_ODE_WALKER_GAIT_H
#define FFI_TESTS_ODE_WALKER_GAIT_H

#include <footfall/sim.h>

#include "../../bench/papers/c2a/passive_walker.h"

enum { FFI_GAIT_NQ = 8, FFI_GAIT_NV = 7 };

/// The published gait right after a strike, its period, and energies of motion before and after a strike.
extern const double ffi_gait_start[BENCH_PASSIVE_WALKER_TOY_SIZE];
extern const double ffi_gait_period, ffi_gait_before, ffi_gait_after;

/// The sim's state of x, the left leg standing at the origin, `gap` above the slope, and rolling.
void ffi_gait_put(const double *x, double gap, double q[FFI_GAIT_NQ], double v[FFI_GAIT_NV]);
/// x of a sim's state; `is_right`: mirrored, the right leg standing.
void ffi_gait_get(const double q[FFI_GAIT_NQ], const double v[FFI_GAIT_NV], int is_right, double *x);

/// x goes on by t, forth or back, by its closed equations (Runge-Kutta, order 4, in steps of 0.002: exact to 1e-10).
void ffi_gait_flow(double t, double *x);
/// x goes to where the swing foot's height is zero, nearest in time; how far that was ahead.
double ffi_gait_to_section(double *x);

typedef struct ffi_gait {
  ff_sim *sim;
  int is_right;   ///< stands on the right leg
  double struck;  ///< time of the last strike
  double fell[2]; ///< energy of motion right before and after it
} ffi_gait;

/// Starts from x.
void ffi_gait_begin(ff_sim *sim, const double *x, double gap, ffi_gait *gait);
/// Through the next strike and on for a tenth of a stride. x: the state right after the strike. How long the stride
/// took.
///
/// Where a foot strikes lies within a step of the sim, so the last step before it is carried on and the first state a
/// tenth of a stride after it is carried back by the closed equations, until the swing foot's height is zero. The
/// tenth lets pass what a step or two after the strike do to velocities: how the foot settles in its skin.
double ffi_gait_stride(ffi_gait *gait, double *x);

#endif
