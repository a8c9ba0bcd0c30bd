/// carrier.h: the link or body that carries another, across joints that were cut (cut.h).
#ifndef FFI_MODEL_CARRIER_H
#define FFI_MODEL_CARRIER_H

#include "model/model.h"

/// Is `other` the link itself, or carried by it through any number of joints, cut ones included? -1 is carried by none.
int ffi_carrier_carries(const ff_model *model, int link, int other);

/// The body that carries a body: its parent, or the one that it was cut from; 0: the world.
int ffi_carrier_of_body(const ff_model *model, int body);

#endif
