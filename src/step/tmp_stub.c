#include "step/stepper.h"
static void *lay(const ffi_system *s, ffi_block *b){(void)s;(void)b;return 0;}
static ff_status st(ffi_system *s, const ffi_state *f, double dt, ffi_state *t, ff_error *e){(void)s;(void)f;(void)dt;(void)t;(void)e;return FF_ERROR_UNSUPPORTED;}
const ffi_stepper ffi_stepper_moreau={lay,st}, ffi_stepper_ca={lay,st}, ffi_stepper_c2a={lay,st};
