/// urdf.h: robots in URDF.
#ifndef FFI_IO_URDF_H
#define FFI_IO_URDF_H

#include "io/xml/xml.h"

#include <footfall/load.h>

/// Build the model of an open document whose root element is <robot>. `def` is not NULL. Fills `error` on
/// failure, which must be the one the document was opened with; `*out` is then untouched.
ff_status ffi_urdf_read(ffi_xml *xml, const ff_load_def *def, ff_model **out, ff_error *error);

#endif
