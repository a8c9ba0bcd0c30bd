/// option_value.h: values of options: quantities (2ms, 10deg, 1e5N/m, 0.3 kN s/m), whole numbers, words.
///
/// An angle needs a unit: 10 degrees and 10 radians are too easily mixed up. Other quantities are SI without one
/// (footfall/quantity.h).
/// All functions return 0 after an error message that names the option.
#ifndef FFI_CLI_OPTION_VALUE_H
#define FFI_CLI_OPTION_VALUE_H

#include "cli/choices.h"

#include <footfall/quantity.h>

/// A finite number in SI units.
int ffi_option_value_quantity(const char *option, const char *text, ff_quantity quantity, double *value);

/// The same, above `least`, or equal to it if `is_least_good`.
int ffi_option_value_quantity_above(const char *option, const char *text, ff_quantity quantity, double least,
                                    int is_least_good, double *value);

/// A whole number from `least` to `most`.
int ffi_option_value_whole(const char *option, const char *text, long long least, long long most,
                           long long *value);

/// One of a list of words; its index. The message suggests the nearest word, or lists them all.
int ffi_option_value_word(const char *option, const char *text, const char *const *words, int count,
                          int *index);
int ffi_option_value_choice(const char *option, const char *text, ffi_choices *choices, int *index);

#endif
