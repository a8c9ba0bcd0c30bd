/// units.h: numbers with units, as people type them: 2ms, 10deg, 1e5N/m, 0.3 kN s/m.
///
/// See quantity.h. Only angles need a unit: 10 degrees and 10 radians are too easily mixed up.
#ifndef FFI_APPS_UNITS_H
#define FFI_APPS_UNITS_H

#include <footfall/quantity.h>

/// The value of an option, in SI units. 0 after a complaint, which names the option: no number, an unknown unit, a number that
/// is not finite.
int ffi_read_quantity(const char *option, const char *text, ff_quantity quantity, double *value);

/// The same, and the value must be above `least`, or equal to it if `is_least_good`.
int ffi_read_quantity_above(const char *option, const char *text, ff_quantity quantity, double least,
                            int is_least_good, double *value);

/// A whole number from `least` to `most`.
int ffi_read_whole(const char *option, const char *text, long long least, long long most, long long *value);

/// One of a list of words; its index. A complaint suggests the nearest or lists them all.
int ffi_read_word(const char *option, const char *text, const char *const *words, int count, int *index);

#endif
