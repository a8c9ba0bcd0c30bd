/// value.h: what a value that people write may be: a number with its unit and range, a whole number, a flag, a word.
///
/// Options (option.h) and the fields of scenes are described by such rules and read by them, so that all refuse alike.
#ifndef FOOTFALL_VALUE_H
#define FOOTFALL_VALUE_H

#include <footfall/quantity.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The kinds of values.
typedef enum ff_value_type {
  FF_VALUE_NUMBER, ///< a double: 1e-4, 2ms
  FF_VALUE_WHOLE,  ///< an int: 8
  FF_VALUE_FLAG,   ///< an int, 0 or 1: false, no, off; true, yes, on
  FF_VALUE_WORD,   ///< an int, the number of one of a list of words
} ff_value_type;

/// What one value may be.
typedef struct ff_value_rule {
  ff_value_type type;             ///< its kind
  ff_quantity quantity;           ///< of a number: which units it may have
  int is_open;                    ///< 1: `least` itself is refused
  int or_zero;                    ///< 1: 0 is good, although `least` is above it
  double least;                   ///< numbers and whole numbers: not below it
  double most;                    ///< not above it; INFINITY: "inf" is a value
  const char *(*word)(int index); ///< of words: the one with this number, NULL after the last
} ff_value_rule;

#ifdef __cplusplus
}
#endif
#endif
