/// springs.h: what an instant holds, as the frozen system takes it; and what its mean forces do to the robot.
#ifndef FFI_STEP_SPRINGS_H
#define FFI_STEP_SPRINGS_H

#include "step/frozen/frozen.h"

/// Joint elements and holds of an instant to the frozen system; forces of those that do not act linearly (saturated motors) are constant:
/// f [nv] = tau - h + them.
void ffi_frozen_forces_add_elements(const ffi_system *s, const ffi_evaluation *i, ffi_frozen *z, double *f);

/// Bring the mean and double mean of contacts into their cones and of joint elements into their bounds, and correct the motion (delta_v, delta_x) for the
/// change. contact_block [count]: the frozen block of each contact of the instant, -1: none. Factors M at need;
/// `scratch` [2 nv]. Without double_means the displacement follows the projected mean alone (Expo paper eq. 24).
ff_status ffi_frozen_forces_project(ffi_system *s, const ffi_evaluation *i, ffi_frozen *z,
                                    const int *contact_block, double dt, int double_means, double *scratch,
                                    ff_error *error);

/// q_out = q (+) (dt v + dx); v_out = v + dv.
void ffi_frozen_forces_move(const ffi_system *s, const double *q, const double *v, double dt,
                            const double *dv, const double *dx, double *scratch, double *q_out,
                            double *v_out);

#endif
