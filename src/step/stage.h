/// stage.h: a state inside a step: where a method looks at the robot on its way.
#ifndef FFI_STEP_STAGE_H
#define FFI_STEP_STAGE_H

#include "step/stepper.h"

/// Place the arrays of a state among the stepper's working memory.
void ffi_stage_layout(const ffi_system *s, ffi_block *block, ffi_state *out);

#endif
