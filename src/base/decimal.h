/// decimal.h: decimal numbers in text.
#ifndef FFI_BASE_DECIMAL_H
#define FFI_BASE_DECIMAL_H

#include <stddef.h>

/// Is a token a decimal number, and which? The decimal point is '.' whatever the program's locale. Hexadecimals,
/// infinities and NaNs, which strtod would take, are none; a number too large for a double is infinite. What follows
/// the token must be no character of a number.
int ffi_decimal_read(const char *token, size_t length, double *out);

/// The number that a text begins with, as strtod finds it in the locale C. Returns where it ends: `text` if there is
/// none.
const char *ffi_decimal_scan(const char *text, double *out);

#endif
