/// value.h: rules for values that people write: a number with its unit and range, an integer, a flag, a word.
///
/// The same rules describe and read options (option.h) and the fields of scenes, so both refuse the same values.
#ifndef FOOTFALL_VALUE_H
#define FOOTFALL_VALUE_H

#include <footfall/quantity.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Types of values.
typedef enum ff_value_type {
  FF_VALUE_NUMBER, ///< a double: 1e-4, 2ms
  FF_VALUE_WHOLE,  ///< an int: 8
  FF_VALUE_FLAG,   ///< an int, 0 or 1: false, no, off; true, yes, on
  FF_VALUE_WORD,   ///< an int, the index of a word in a list
} ff_value_type;

/// The rule for one value.
typedef struct ff_value_rule {
  ff_value_type type;             ///< type of the value
  ff_quantity quantity;           ///< numbers: which units are allowed
  int is_open;                    ///< 1: `least` itself is refused
  int or_zero;                    ///< 1: 0 is allowed even if `least` is above it
  double least;                   ///< numbers, integers: lower bound
  double most;                    ///< numbers, integers: upper bound; INFINITY: "inf" is allowed
  const char *(*word)(int index); ///< words: the word with this index, NULL after the last
} ff_value_rule;

#ifdef __cplusplus
}
#endif
#endif
