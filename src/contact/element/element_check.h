/// element_check.h: can a model have this element, and can a stepper handle it?
#ifndef FFI_CONTACT_ELEMENT_CHECK_H
#define FFI_CONTACT_ELEMENT_CHECK_H

#include <footfall/sim.h>

#include <stddef.h>

enum { FFI_ELEMENT_COUPLING_MOST = 64 }; ///< joints of a coupling

/// FF_OK, or an error that names the element (`number` counts those the user listed), its joint or its frames.
ff_status ffi_element_check(const ff_model *model, const ff_element_def *def, int number, ff_error *error);

/// FF_OK, or FF_ERROR_UNSUPPORTED if it is rigid and the stepper takes springs only.
ff_status ffi_element_check_stepper(const ff_element_def *def, int number, ff_stepper stepper,
                                    ff_error *error);

/// "element 'grip'", or by its number among those listed.
void ffi_element_check_name(const ff_element_def *def, int number, char *out, size_t size);

#endif
