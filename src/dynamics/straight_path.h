/// path.h: straight paths: where a robot is that goes on with constant velocities.
///
/// Joints that turn do so with a constant rate about an axis fixed in what carries them. Those that turn and move (free, planar) move along a straight line in what
/// carries them beside turning: their linear velocity is constant in fixed axes, not in those of the body. So a path is not that of ff_model_integrate(), whose
/// free bodies fly in screws; and velocities, whose linear parts are in the axes of the body, change along it in numbers.
#ifndef FFI_DYNAMICS_PATH_H
#define FFI_DYNAMICS_PATH_H

#include <footfall/model.h>

/// to = q moved by `way` [nv], linear ways being along the axes at q; v_out = v, whose linear parts are in the axes at q, in the axes at `to`.
/// v_out may be v.
void ffi_straight_path_move(const ff_model *model, const double *q, const double *way, const double *v,
                            double *to, double *v_out);

/// The shortest `way` from q to `to`. Angles of single joints are not wrapped: they are coordinates.
void ffi_straight_path_between(const ff_model *model, const double *q, const double *to, double *way);

#endif
