/// trot.h: what a trot's controller shares with the trot itself.
#ifndef FFI_CONTROL_TROT_H
#define FFI_CONTROL_TROT_H

#include <footfall/control/gait.h>

/// The step that goes on at a time, -1: before the first.
int ffi_trot_step_at(const ff_trot_def *def, double time);

#endif
