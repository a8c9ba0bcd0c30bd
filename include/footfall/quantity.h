/// quantity.h: numbers with units, as people write them: 2ms, 10deg, 1e5N/m, 0.3 kN s/m.
///
/// A unit of the quantity follows the number, with or without a space. Without a unit the number is in SI units. A
/// compound unit may contain spaces, dots or stars: Ns/m, N s/m and N*s/m are the same. Scenes and the command line
/// use these rules.
#ifndef FOOTFALL_QUANTITY_H
#define FOOTFALL_QUANTITY_H

#include <footfall/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Physical quantities, with the SI unit of the value read.
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
  FF_QUANTITY_CONTROL,    ///< [N m], [N], [rad], [m], [rad/s], [m/s], or of a unit of a motor's own
} ff_quantity;

enum { FF_QUANTITY_COUNT = FF_QUANTITY_CONTROL + 1 }; ///< number of quantities

/// Read a text into SI units. FF_ERROR_PARSE with the reason if it is not a number, has an unknown unit or is not
/// finite. With `needs_unit` a number without a unit is an error too, except 0, so that 10 degrees and 10 radians
/// cannot be confused.
ff_status ff_quantity_read(const char *text, ff_quantity quantity, int needs_unit, double *value,
                           ff_error *error);

/// Name of a quantity: "time", "stiffness", ...
const char *ff_quantity_name(ff_quantity quantity);
/// Units of a quantity by index, such as "s" and "ms"; NULL after the last.
const char *ff_quantity_unit(ff_quantity quantity, int index);

#ifdef __cplusplus
}
#endif
#endif
