#include "units.h"

#include "complain.h"
#include "options.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST_UNIT = 16 };

typedef struct unit {
  const char *name;
  double scale; // times the SI unit
} unit;

static const unit times[] = {{"s", 1},     {"ms", 1e-3},      {"us", 1e-6}, {"µs", 1e-6},
                             {"ns", 1e-9}, {"\u03bcs", 1e-6}, {"min", 60},  {NULL, 0}};
static const unit lengths[] = {{"m", 1}, {"mm", 1e-3}, {"cm", 1e-2}, {"um", 1e-6}, {"µm", 1e-6}, {NULL, 0}};
static const unit angles[] = {{"deg", 0.017453292519943295}, // pi / 180
                              {"rad", 1},
                              {"°", 0.017453292519943295},
                              {"mrad", 1e-3},
                              {NULL, 0}};
static const unit stiffnesses[] = {{"N/m", 1}, {"kN/m", 1e3}, {"MN/m", 1e6}, {"N/mm", 1e3}, {NULL, 0}};
static const unit dampings[] = {{"Ns/m", 1}, {"kNs/m", 1e3}, {NULL, 0}};
static const unit kps[] = {{"Nm/rad", 1}, {"N/m", 1}, {"kN/m", 1e3}, {"Nm", 1}, {NULL, 0}};
static const unit kds[] = {{"Nms/rad", 1}, {"Ns/m", 1}, {"kNs/m", 1e3}, {"Nms", 1}, {NULL, 0}};
static const unit none[] = {{NULL, 0}};

static const struct {
  const unit *units;
  const char *example; // for messages
  int needs_unit;
} quantities[] = {
    [FFI_QUANTITY_NUMBER] = {none, "a plain number, such as 0.8", 0},
    [FFI_QUANTITY_TIME] = {times, "a time, such as 2ms, 500us or 1.5s", 0},
    [FFI_QUANTITY_LENGTH] = {lengths, "a length, such as 20cm, 5mm or 0.2m", 0},
    [FFI_QUANTITY_ANGLE] = {angles, "an angle, such as 10deg or 0.17rad", 1},
    [FFI_QUANTITY_STIFFNESS] = {stiffnesses, "a stiffness, such as 1e5N/m or 100kN/m", 0},
    [FFI_QUANTITY_DAMPING] = {dampings, "a damping, such as 300Ns/m", 0},
    [FFI_QUANTITY_KP] = {kps, "a gain, such as 40Nm/rad, or N/m for a sliding joint", 0},
    [FFI_QUANTITY_KD] = {kds, "a gain, such as 0.5Nms/rad, or Ns/m for a sliding joint", 0},
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
  char *after;
  *value = strtod(at, &after);
  *end = after;
  return after != at;
}

static int complain_unit(const char *option, const char *text, const char *end, ffi_quantity quantity)
{
  const unit *units = quantities[quantity].units;
  if (!units->name)
    ffi_complain("'%s %s': '%s' is too much; it is %s", option, text, end, quantities[quantity].example);
  else if (*end)
    ffi_complain("'%s %s': the unit '%s' is not known here; it is %s", option, text, end,
                 quantities[quantity].example);
  else
    ffi_complain("'%s %s' needs a unit; it is %s", option, text, quantities[quantity].example);
  return 0;
}

int ffi_read_quantity(const char *option, const char *text, ffi_quantity quantity, double *value)
{
  const char *end;
  double number, scale = 1;
  if (!read_number(text, &number, &end)) {
    ffi_complain("'%s %s': that is no number; it is %s", option, text, quantities[quantity].example);
    return 0;
  }
  end += strspn(end, " \t");
  if (*end) {
    const unit *found = find_unit(quantities[quantity].units, end);
    if (!found)
      return complain_unit(option, text, end, quantity);
    scale = found->scale;
  } else if (quantities[quantity].needs_unit && number != 0) {
    return complain_unit(option, text, end, quantity);
  }
  if (!isfinite(number * scale)) {
    ffi_complain("'%s %s': that number is too large", option, text);
    return 0;
  }
  *value = number * scale;
  return 1;
}

int ffi_read_quantity_above(const char *option, const char *text, ffi_quantity quantity, double least,
                            int is_least_good, double *value)
{
  if (!ffi_read_quantity(option, text, quantity, value))
    return 0;
  if (*value > least || (is_least_good && *value == least))
    return 1;
  ffi_complain("'%s %s' must %s %g", option, text, is_least_good ? "not be below" : "be above", least);
  return 0;
}

int ffi_read_whole(const char *option, const char *text, long long least, long long most, long long *value)
{
  char *end;
  errno = 0;
  *value = strtoll(text, &end, 10);
  if (end == text || *end || errno == ERANGE || *value < least || *value > most) {
    ffi_complain("'%s %s' must be a whole number from %lld to %lld", option, text, least, most);
    return 0;
  }
  return 1;
}

int ffi_read_word(const char *option, const char *text, const char *const *words, int count, int *index)
{
  char all[512] = "";
  size_t used = 0;
  for (int i = 0; i < count; ++i) {
    if (strcmp(text, words[i]) == 0) {
      *index = i;
      return 1;
    }
    if (used < sizeof all)
      used += (size_t)snprintf(all + used, sizeof all - used, "%s%s",
                               i == 0           ? ""
                               : i + 1 == count ? " or "
                                                : ", ",
                               words[i]);
  }
  const char *meant = ffi_suggest(text, words, count);
  if (meant)
    ffi_complain("'%s %s' is not known; did you mean '%s'?", option, text, meant);
  else
    ffi_complain("'%s %s' is not known; it is %s", option, text, all);
  return 0;
}
