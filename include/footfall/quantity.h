/// quantity.h: numbers with units, as people write them: 2ms, 10deg, 1e5N/m, 0.3 kN s/m.
///
/// A number is followed by a unit of its quantity, with or without spaces, or by none, which means SI. Units of several symbols may
/// be written with or without spaces and dots: Ns/m, N s/m and N*s/m are the same. Scenes and the command line read their numbers so.
#ifndef FOOTFALL_QUANTITY_H
#define FOOTFALL_QUANTITY_H

#include <footfall/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/// What a number measures, and the SI unit that it is read into.
typedef enum ff_quantity {
  FF_QUANTITY_NUMBER,     ///< without unit
  FF_QUANTITY_TIME,       ///< [s]
  FF_QUANTITY_LENGTH,     ///< [m]
  FF_QUANTITY_ANGLE,      ///< [rad]
  FF_QUANTITY_STIFFNESS,  ///< [N/m]
  FF_QUANTITY_DAMPING,    ///< [N s/m]
  FF_QUANTITY_KP,         ///< of a joint: [N m/rad] or [N/m]
  FF_QUANTITY_KD,         ///< of a joint: [N m s/rad] or [N s/m]
  FF_QUANTITY_COORDINATE, ///< of a joint: [rad] or [m]
  FF_QUANTITY_RATE,       ///< of a joint: [rad/s] or [m/s]
  FF_QUANTITY_SPEED,      ///< [m/s]
  FF_QUANTITY_FORCE,      ///< [N]
  FF_QUANTITY_IMPULSE,    ///< [N s]
  FF_QUANTITY_FREQUENCY,  ///< [Hz]
} ff_quantity;

enum { FF_QUANTITY_COUNT = FF_QUANTITY_FREQUENCY + 1 }; ///< how many quantities there are

/// The value of a text in SI units. FF_ERROR_PARSE with the reason if it is no number, has an unknown unit or is not finite; with
/// `needs_unit` also if it has none and is not 0: 10 degrees and 10 radians, say, are too easily mixed up.
ff_status ff_quantity_read(const char *text, ff_quantity quantity, int needs_unit, double *value,
                           ff_error *error);

/// What it is called: "time", "stiffness", ...
const char *ff_quantity_name(ff_quantity quantity);
/// Its units in turn, "s" and "ms"; NULL after the last.
const char *ff_quantity_unit(ff_quantity quantity, int index);

#ifdef __cplusplus
}
#endif
#endif
