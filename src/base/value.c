// Values read, checked and written by their rules: one set of messages for options and for fields of scenes.
#include "base/value.h"
#include "base/decimal.h"

#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int refuse(char why[FFI_VALUE_WHY], const char *format, ...) __attribute__((format(printf, 2, 3)));

static int refuse(char why[FFI_VALUE_WHY], const char *format, ...)
{
  va_list list;
  va_start(list, format);
  vsnprintf(why, FFI_VALUE_WHY, format, list);
  va_end(list);
  return 0;
}

// ---- Reading --------------------------------------------------------------------------------------------------------

static int check_range(const ff_value_rule *rule, const char *text, double value, char why[FFI_VALUE_WHY])
{
  if (rule->or_zero && value == 0)
    return 1;
  if (rule->or_zero && value > 0 && value < rule->least)
    return refuse(why, "'%.60s' must be %g at least, or 0", text, rule->least);
  if (rule->or_zero && value < 0)
    return refuse(why, "'%.60s' must not be below 0", text);
  if (value < rule->least || (rule->is_open && value == rule->least))
    return refuse(why, "'%.60s' must %s %g", text, rule->is_open ? "be above" : "not be below", rule->least);
  if (value > rule->most)
    return refuse(why, "'%.60s' must not be above %g", text, rule->most);
  return 1;
}

static int read_number(const ff_value_rule *rule, const char *text, double *value, char why[FFI_VALUE_WHY])
{
  ff_error error;
  if (rule->most > DBL_MAX && strcmp(text, "inf") == 0) {
    *value = (double)INFINITY;
    return 1;
  }
  if (ff_quantity_read(text, rule->quantity, 0, value, &error) != FF_OK)
    return refuse(why, "'%.60s': %s", text, error.message);
  if (*value != 0 && fabs(*value) < DBL_MIN)
    return refuse(why, "'%.60s': that number is too small", text);
  return check_range(rule, text, *value, why);
}

static int read_whole(const ff_value_rule *rule, const char *text, double *value, char why[FFI_VALUE_WHY])
{
  char *end;
  const long long number = strtoll(text, &end, 10);
  if (end == text || *end || number > 2000000000 || number < -2000000000)
    return refuse(why, "'%.60s' must be a whole number", text);
  *value = (double)number;
  return check_range(rule, text, *value, why);
}

static int read_flag(const char *text, double *value, char why[FFI_VALUE_WHY])
{
  static const char *const words[2][3] = {{"false", "no", "off"}, {"true", "yes", "on"}};
  for (int k = 0; k < 6; ++k)
    if (strcmp(text, words[k / 3][k % 3]) == 0) {
      *value = k >= 3;
      return 1;
    }
  return refuse(why, "'%.60s' must be true or false", text);
}

static int read_word(const ff_value_rule *rule, const char *text, double *value, char why[FFI_VALUE_WHY])
{
  char all[300] = "";
  ff_nearest nearest = {.word = text};
  const char *word;
  for (int i = 0; (word = rule->word(i)) != NULL; ++i) {
    const size_t used = strlen(all);
    if (strcmp(text, word) == 0) {
      *value = i;
      return 1;
    }
    snprintf(all + used, sizeof all - used, "%s%s", i > 0 ? ", " : "", word);
    ff_nearest_try(&nearest, word);
  }
  if (nearest.meant)
    return refuse(why, "'%.60s' is not known; did you mean '%s'? Known are %s", text, nearest.meant, all);
  return refuse(why, "'%.60s' is not known; known are %s", text, all);
}

int ffi_value_read(const ff_value_rule *rule, const char *text, double *value, char why[FFI_VALUE_WHY])
{
  switch (rule->type) {
  case FF_VALUE_WHOLE: return read_whole(rule, text, value, why);
  case FF_VALUE_FLAG: return read_flag(text, value, why);
  case FF_VALUE_WORD: return read_word(rule, text, value, why);
  default: return read_number(rule, text, value, why);
  }
}

// ---- Judging --------------------------------------------------------------------------------------------------------

// The number of the last word.
static int last_word(const ff_value_rule *rule)
{
  int count = 0;
  while (rule->word(count))
    ++count;
  return count - 1;
}

static double least_of(const ff_value_rule *rule)
{
  return rule->type == FF_VALUE_FLAG || rule->type == FF_VALUE_WORD ? 0 : rule->least;
}

static double most_of(const ff_value_rule *rule)
{
  return rule->type == FF_VALUE_FLAG ? 1 : rule->type == FF_VALUE_WORD ? last_word(rule) : rule->most;
}

int ffi_value_is_good(const ff_value_rule *rule, double value)
{
  const double least = least_of(rule), most = most_of(rule);
  return (value >= least && value <= most && !(rule->is_open && value == least)) ||
         (rule->or_zero && value == 0);
}

void ffi_value_describe(const ff_value_rule *rule, char *text, size_t size)
{
  const double least = least_of(rule), most = most_of(rule);
  if (rule->type != FF_VALUE_NUMBER)
    snprintf(text, size, "within %.0f..%.0f", least, most);
  else if (most >= DBL_MAX)
    snprintf(text, size, "%s%s %g", isinf(most) ? "" : "finite and ", rule->is_open ? ">" : ">=", least);
  else if (rule->is_open)
    snprintf(text, size, "> %g and at most %g", least, most);
  else
    snprintf(text, size, "within %g..%g%s", least, most, rule->or_zero ? ", or 0" : "");
}

// ---- Writing --------------------------------------------------------------------------------------------------------

// 1e-06 is 1e-6, and a comma of the locale a point.
static void tidy(char text[40])
{
  char *comma = strchr(text, ','), *e = strchr(text, 'e');
  if (comma)
    *comma = '.';
  if (!e)
    return;
  char *digits = e + 1 + (e[1] == '-' || e[1] == '+');
  const size_t zeros = strspn(digits, "0");
  memmove(digits, digits + zeros, strlen(digits + zeros) + 1);
}

// The fewest digits that are the same number.
static void write_number(double value, char text[40])
{
  const int is_short = value == floor(value) && fabs(value) < 1e6;
  if (is_short)
    snprintf(text, 40, "%.0f", value);
  for (int digits = 1; digits <= 17 && !is_short; ++digits) {
    double same;
    snprintf(text, 40, "%.*g", digits, value);
    tidy(text);
    ffi_decimal_scan(text, &same);
    if (same == value)
      return;
  }
}

int ffi_value_write(const ff_value_rule *rule, double value, char *text, size_t size)
{
  char number[40];
  const char *out = number;
  if (rule->type == FF_VALUE_FLAG)
    out = value != 0 ? "true" : "false";
  else if (rule->type == FF_VALUE_WORD)
    out = value >= 0 && value <= most_of(rule) ? rule->word((int)value) : "unknown";
  else if (isfinite(value))
    write_number(value, number);
  else
    out = isnan(value) ? "nan" : "inf";
  const int length = snprintf(text, size, "%s", out);
  return length >= 0 && (size_t)length < size;
}
