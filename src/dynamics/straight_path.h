/// straight_path.h: straight paths: the configuration of a robot that moves with constant velocities.
///
/// Rotating joints turn with a constant rate about an axis fixed in their parent. Joints that turn and translate (free,
/// planar) also move along a straight line in their parent: their linear velocity is constant in fixed axes, not in
/// those of the body. So a path is not that of ff_model_integrate(), whose free bodies move on screws; and the numbers
/// of velocities, whose linear parts are in the axes of the body, change along it.
#ifndef FFI_DYNAMICS_STRAIGHT_PATH_H
#define FFI_DYNAMICS_STRAIGHT_PATH_H

#include <footfall/model.h>

/// to = q moved by `displacement` [nv], linear parts along the axes at q. v_out = v, whose linear parts are in the axes
/// at q, in the axes at `to`. v_out may be v.
void ffi_straight_path_move(const ff_model *model, const double *q, const double *displacement,
                            const double *v, double *to, double *v_out);

/// The shortest displacement from q to `to`. Angles of single joints are not wrapped: they are coordinates.
void ffi_straight_path_between(const ff_model *model, const double *q, const double *to,
                               double *displacement);

#endif
