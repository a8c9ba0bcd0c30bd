/// decimal.h: decimal numbers in text.
#ifndef FFI_IO_DECIMAL_H
#define FFI_IO_DECIMAL_H

#include <stddef.h>

/// Is a token a decimal number, and which? The decimal point is '.' whatever the program's locale. Hexadecimals, infinities and NaNs, which strtod would take, are
/// none; a number too large for a double is infinite. What follows the token must be no character of a number.
int ffi_decimal_read(const char *token, size_t length, double *out);

#endif
