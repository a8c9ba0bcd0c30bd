/// work.h: a workspace of the dynamics kernels (dynamics/kernels.h) for one robot: poses, mass matrix, bias.
///
/// Whoever evaluates a pose owns the workspace that it is evaluated in, so two poses can be looked at side by side.
#ifndef FFI_STEP_WORK_H
#define FFI_STEP_WORK_H

#include "step/stepper.h"

/// Place a workspace with its arrays in `block`; NULL while the block only counts.
ffi_work *ffi_work_layout(const ffi_system *s, ffi_block *block);

#endif
