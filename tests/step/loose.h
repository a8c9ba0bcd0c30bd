/// loose.h: scenes of loose bodies, made through the builder, for contacts that the shipped robots do not have.
#ifndef FFI_TESTS_STEP_LOOSE_H
#define FFI_TESTS_STEP_LOOSE_H

#include <footfall/builder.h>

typedef struct ffi_loose {
  ff_joint_type joint; ///< of a root, FF_JOINT_FREE unless said otherwise
  ff_shape_type shape;
  double size[3];
  double mass;
  double offset; ///< of the shape along the body's x [m]
} ffi_loose;

/// Bodies "b0", "b1", ... in this order, each with one shape of the material (K, B, mu). Destroy the result.
ff_model *ffi_loose_create(int count, const ffi_loose *bodies, double K, double B, double mu);

#endif
