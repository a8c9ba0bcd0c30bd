// Numbers with units: a decimal number with a point, whatever the locale, then a unit of a table.
#include "base/decimal.h"
#include "base/fail.h"

#include <footfall/quantity.h>

#include <math.h>
#include <string.h>

enum { LONGEST_UNIT = 16 };

typedef struct unit {
  const char *name;
  double scale; // times the SI unit
} unit;

static const unit times[] = {{"s", 1},     {"ms", 1e-3},      {"us", 1e-6}, {"µs", 1e-6},
                             {"ns", 1e-9}, {"\u03bcs", 1e-6}, {"min", 60},  {NULL, 0}};
static const unit lengths[] = {{"m", 1},     {"mm", 1e-3},      {"cm", 1e-2}, {"um", 1e-6},
                               {"µm", 1e-6}, {"\u03bcm", 1e-6}, {"km", 1e3},  {NULL, 0}};
static const unit angles[] = {{"deg", 0.017453292519943295}, // pi / 180
                              {"rad", 1},
                              {"°", 0.017453292519943295},
                              {"mrad", 1e-3},
                              {NULL, 0}};
static const unit stiffnesses[] = {{"N/m", 1}, {"kN/m", 1e3}, {"MN/m", 1e6}, {"N/mm", 1e3}, {NULL, 0}};
static const unit dampings[] = {{"Ns/m", 1}, {"kNs/m", 1e3}, {NULL, 0}};
static const unit kps[] = {{"Nm/rad", 1}, {"N/m", 1}, {"kN/m", 1e3}, {"Nm", 1}, {NULL, 0}};
static const unit kds[] = {{"Nms/rad", 1}, {"Ns/m", 1}, {"kNs/m", 1e3}, {"Nms", 1}, {NULL, 0}};
static const unit coordinates[] = {{"rad", 1},
                                   {"deg", 0.017453292519943295},
                                   {"°", 0.017453292519943295},
                                   {"mrad", 1e-3},
                                   {"m", 1},
                                   {"cm", 1e-2},
                                   {"mm", 1e-3},
                                   {NULL, 0}};
static const unit rates[] = {
    {"rad/s", 1}, {"deg/s", 0.017453292519943295}, {"m/s", 1}, {"mm/s", 1e-3}, {NULL, 0}};
static const unit speeds[] = {{"m/s", 1}, {"cm/s", 1e-2}, {"mm/s", 1e-3}, {"km/h", 1 / 3.6}, {NULL, 0}};
static const unit forces[] = {{"N", 1}, {"kN", 1e3}, {"mN", 1e-3}, {NULL, 0}};
static const unit impulses[] = {{"Ns", 1}, {"mNs", 1e-3}, {"kgm/s", 1}, {NULL, 0}};
static const unit frequencies[] = {{"Hz", 1}, {"kHz", 1e3}, {"1/s", 1}, {NULL, 0}};
static const unit controls[] = {
    {"Nm", 1},    {"N", 1},     {"rad", 1},   {"deg", 0.017453292519943295},   {"m", 1},
    {"cm", 1e-2}, {"mm", 1e-3}, {"rad/s", 1}, {"deg/s", 0.017453292519943295}, {"m/s", 1},
    {NULL, 0}};
static const unit none[] = {{NULL, 0}};

static const struct {
  const char *name;
  const unit *units;
  const char *example; // for messages
} quantities[] = {
    [FF_QUANTITY_NUMBER] = {"number", none, "a plain number, such as 0.8"},
    [FF_QUANTITY_TIME] = {"time", times, "a time, such as 2ms, 500us or 1.5s"},
    [FF_QUANTITY_LENGTH] = {"length", lengths, "a length, such as 20cm, 5mm or 0.2m"},
    [FF_QUANTITY_ANGLE] = {"angle", angles, "an angle, such as 10deg or 0.17rad"},
    [FF_QUANTITY_STIFFNESS] = {"contact stiffness", stiffnesses, "a stiffness, such as 1e5N/m or 100kN/m"},
    [FF_QUANTITY_DAMPING] = {"contact damping", dampings, "a damping, such as 300Ns/m"},
    [FF_QUANTITY_KP] = {"gain kp", kps, "a gain, such as 40Nm/rad, or N/m for a sliding joint"},
    [FF_QUANTITY_KD] = {"gain kd", kds, "a gain, such as 0.5Nms/rad, or Ns/m for a sliding joint"},
    [FF_QUANTITY_COORDINATE] = {"joint coordinate", coordinates,
                                "an angle or a length, such as 0.5, 30deg or 5cm"},
    [FF_QUANTITY_RATE] = {"joint rate", rates, "a rate, such as 0.5, 30deg/s or 5mm/s"},
    [FF_QUANTITY_SPEED] = {"speed", speeds, "a speed, such as 0.2m/s"},
    [FF_QUANTITY_FORCE] = {"force", forces, "a force, such as 5N"},
    [FF_QUANTITY_IMPULSE] = {"impulse", impulses, "an impulse, such as 20Ns"},
    [FF_QUANTITY_FREQUENCY] = {"frequency", frequencies, "a frequency, such as 1.25Hz"},
    [FF_QUANTITY_CONTROL] = {"control", controls, "a control, such as 2.5, 3Nm or 30deg"},
};

// The unit as it stands in the tables: without spaces, dots and stars. 0 if it is too long to be one.
static int simplify(const char *text, char out[LONGEST_UNIT + 1])
{
  int length = 0;
  for (; *text; ++text) {
    if (strchr(" \t.*", *text))
      continue;
    if (strncmp(text, "·", strlen("·")) == 0) {
      text += strlen("·") - 1;
      continue;
    }
    if (length == LONGEST_UNIT)
      return 0;
    out[length++] = *text;
  }
  out[length] = '\0';
  return 1;
}

static const unit *find_unit(const unit *units, const char *text)
{
  char name[LONGEST_UNIT + 1];
  if (!simplify(text, name))
    return NULL;
  for (; units->name; ++units)
    if (strcmp(units->name, name) == 0)
      return units;
  return NULL;
}

// A decimal number only: strtod also takes "inf", "nan" and 0x..., which nobody means here.
static int read_number(const char *text, double *value, const char **end)
{
  const char *at = text + strspn(text, " \t");
  const char *digits = at + (*at == '-' || *at == '+');
  if (!strchr("0123456789.", *digits) || !*digits || digits[1] == 'x' || digits[1] == 'X')
    return 0;
  *end = ffi_decimal_scan(at, value);
  return *end != at;
}

ff_status ff_quantity_read(const char *text, ff_quantity quantity, int needs_unit, double *value,
                           ff_error *error)
{
  const char *end, *example = quantities[quantity].example;
  const unit *units = quantities[quantity].units;
  double number, scale = 1;
  if (!read_number(text, &number, &end))
    return ffi_fail(error, FF_ERROR_PARSE, NULL, 0, NULL, "not a number; expected %s", example);
  end += strspn(end, " \t");
  if (*end) {
    const unit *found = find_unit(units, end);
    if (!found && !units->name)
      return ffi_fail(error, FF_ERROR_PARSE, NULL, 0, NULL, "'%s' is superfluous; expected %s", end, example);
    if (!found)
      return ffi_fail(error, FF_ERROR_PARSE, NULL, 0, NULL, "the unit '%s' is not known here; expected %s",
                      end, example);
    scale = found->scale;
  } else if (needs_unit && number != 0) {
    return ffi_fail(error, FF_ERROR_PARSE, NULL, 0, NULL, "needs a unit; expected %s", example);
  }
  if (!isfinite(number * scale))
    return ffi_fail(error, FF_ERROR_PARSE, NULL, 0, NULL, "that number is too large");
  *value = number * scale;
  return FF_OK;
}

const char *ff_quantity_name(ff_quantity quantity)
{
  return quantities[quantity].name;
}

const char *ff_quantity_unit(ff_quantity quantity, int index)
{
  const unit *units = quantities[quantity].units;
  for (; units->name; ++units) {
    const int is_greek =
        strncmp(units->name, "\u03bc", 2) == 0; // the letter mu in place of the sign micro: it looks the same
    if (!is_greek && index-- == 0)
      return units->name;
  }
  return NULL;
}
