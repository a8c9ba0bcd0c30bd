/// stance.h: solo12 on its four feet, with springs in its joints: a robot in contact whose motion is smooth.
#ifndef FFI_TESTS_STEP_STANCE_H
#define FFI_TESTS_STEP_STANCE_H

#include "step/rig.h"

#include <stdint.h>

typedef struct ffi_stance {
  ff_model *model;
  ffi_rig_def def;
  double q[19], v[18]; ///< settled, all feet loaded; v zero
} ffi_stance;

/// Settles for half a second. Destroy stance->model.
ffi_stance ffi_stance_create(double K, double B, double mu);

/// Velocities within +-size of every joint and of the base.
void ffi_stance_push(ffi_stance *stance, double size, uint64_t seed);

#endif
