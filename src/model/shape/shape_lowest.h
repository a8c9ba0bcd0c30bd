/// shape_lowest.h: the lowest point of a shape along a direction.
#ifndef FFI_MODEL_SHAPE_LOWEST_H
#define FFI_MODEL_SHAPE_LOWEST_H

#include <footfall/shape.h>

/// The least n . x over the points x of a shape, n a unit vector; both in the shape's own frame. NAN for shapes without
/// bounds that are known: planes, meshes and height fields.
double ffi_shape_lowest(const ff_shape_def *shape, const double n[3]);

#endif
