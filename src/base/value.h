/// value.h: values read, checked and written by their rules. See footfall/value.h.
#ifndef FFI_BASE_VALUE_H
#define FFI_BASE_VALUE_H

#include <footfall/value.h>

#include <stddef.h>

enum { FFI_VALUE_WHY = 600 }; ///< bytes of a reason

/// The value of a text, in SI units; of flags and words their number. 0 with the reason where it breaks the rule:
/// "'3' must not be above 2".
int ffi_value_read(const ff_value_rule *rule, const char *text, double *value, char why[FFI_VALUE_WHY]);

/// Is a number one that the rule allows? NaN never is.
int ffi_value_is_good(const ff_value_rule *rule, double value);

/// What it must be: "within 0..0.1", "> 0 and at most 1".
void ffi_value_describe(const ff_value_rule *rule, char *text, size_t size);

/// A text that ffi_value_read() reads back to the same bits, the shortest there is. 0: it does not fit.
int ffi_value_write(const ff_value_rule *rule, double value, char *text, size_t size);

#endif
