// Options found, set, read and judged by their table.
#include "sim/sim_options.h"

#include "base/fail.h"
#include "base/value.h"

#include <stdio.h>
#include <string.h>

const ff_option *ff_option_find(const char *key)
{
  const ff_option *option;
  for (int i = 0; key && (option = ff_option_at(i)) != NULL; ++i)
    if (strcmp(option->key, key) == 0)
      return option;
  return NULL;
}

const char *ff_option_name(const ff_option *option)
{
  const char *dot = strrchr(option->key, '.');
  return dot ? dot + 1 : option->key;
}

int ff_option_is_of(const ff_option *option, ff_stepper stepper)
{
  return (unsigned)stepper < FF_STEPPER_COUNT && option->steppers >> stepper & 1;
}

const ff_option *ff_option_of_stepper(ff_stepper stepper, const char *name)
{
  const ff_option *option;
  for (int i = 0; name && (option = ff_option_at(i)) != NULL; ++i)
    if (ff_option_is_of(option, stepper) &&
        (strcmp(option->key, name) == 0 || strcmp(ff_option_name(option), name) == 0))
      return option;
  return NULL;
}

void ff_option_owners(const ff_option *option, char text[FF_OPTION_TEXT])
{
  const char *names[FF_STEPPER_COUNT];
  int count = 0;
  for (int s = 0; s < FF_STEPPER_COUNT; ++s)
    if (ff_option_is_of(option, (ff_stepper)s))
      names[count++] = ff_stepper_name((ff_stepper)s);
  if (count == FF_STEPPER_COUNT) {
    snprintf(text, FF_OPTION_TEXT, "all steppers");
    return;
  }
  size_t used = (size_t)snprintf(text, FF_OPTION_TEXT, "the stepper%s ", count == 1 ? "" : "s");
  for (int i = 0; i < count && used < FF_OPTION_TEXT; ++i)
    used += (size_t)snprintf(text + used, FF_OPTION_TEXT - used, "%s%s",
                             i == 0           ? ""
                             : i + 1 == count ? " and "
                                              : ", ",
                             names[i]);
}

// ---- Fields ---------------------------------------------------------------------------------------------------------

static double load(const ff_option *option, const ff_sim_def *def)
{
  const char *field = (const char *)def + option->offset;
  double number;
  int whole;
  if (option->value.type == FF_VALUE_NUMBER) {
    memcpy(&number, field, sizeof number);
    return number;
  }
  memcpy(&whole, field, sizeof whole);
  return whole;
}

static void store(const ff_option *option, double value, ff_sim_def *def)
{
  char *field = (char *)def + option->offset;
  const int whole = option->value.type == FF_VALUE_NUMBER ? 0 : (int)value;
  if (option->value.type == FF_VALUE_NUMBER)
    memcpy(field, &value, sizeof value);
  else
    memcpy(field, &whole, sizeof whole);
}

void ffi_sim_options_default(ff_sim_def *def)
{
  const ff_option *option;
  for (int i = 0; (option = ff_option_at(i)) != NULL; ++i)
    store(option, option->standard, def);
}

static const char *unit_in_words(const char *unit)
{
  return strcmp(unit, "s") == 0   ? "seconds"
         : strcmp(unit, "m") == 0 ? "metres"
         : strcmp(unit, "J") == 0 ? "joules"
                                  : unit;
}

ff_status ffi_sim_options_check(const ff_sim_def *def, ff_error *error)
{
  const ff_option *option;
  for (int i = 0; (option = ff_option_at(i)) != NULL; ++i) {
    const double value = load(option, def);
    char must[100];
    if (ffi_value_is_good(&option->value, value))
      continue;
    ffi_value_describe(&option->value, must, sizeof must);
    return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, "ff_sim_def", "%s is %.10g; it must be %s%s%s",
                    option->key, value, must, *option->unit ? ", in " : "", unit_in_words(option->unit));
  }
  return FF_OK;
}

// Has a user's def, of a program that may be older than the library, this field?
static int has_field(const ff_sim_def *def, const ff_option *option)
{
  return option->offset + (option->value.type == FF_VALUE_NUMBER ? sizeof(double) : sizeof(int)) <= def->size;
}

static ff_status refuse_def(const ff_sim_def *def, const char *key, ff_error *error)
{
  if (def->size < sizeof def->size)
    return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, "ff_sim_def",
                    "its size is %zu, so it was not made by ff_sim_def_default(): begin with that",
                    def->size);
  return ffi_fail(error, FF_ERROR_UNSUPPORTED, NULL, 0, key,
                  "the program was compiled for a version whose ff_sim_def, of %zu bytes, does not have it",
                  def->size);
}

// ---- By key ---------------------------------------------------------------------------------------------------------

static ff_status refuse_key(const char *caller, const char *key, ff_error *error)
{
  const ff_option *option;
  ff_nearest nearest = {.word = key};
  for (int i = 0; (option = ff_option_at(i)) != NULL; ++i)
    ff_nearest_try(&nearest, option->key);
  for (int i = 0; !nearest.meant && (option = ff_option_at(i)) != NULL; ++i)
    if (strcmp(ff_option_name(option), key) == 0)
      nearest.meant = option->key;
  if (nearest.meant)
    return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, caller,
                    "there is no option '%.60s'; did you mean '%s'?", key, nearest.meant);
  return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, caller, "there is no option '%.60s'", key);
}

ff_status ff_sim_def_set(ff_sim_def *def, const char *key, const char *value, ff_error *error)
{
  char why[FFI_VALUE_WHY];
  double number;
  if (!def || !key || !value)
    return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, "ff_sim_def_set", "an argument is NULL");
  const ff_option *option = ff_option_find(key);
  if (!option)
    return refuse_key("ff_sim_def_set", key, error);
  if (!has_field(def, option))
    return refuse_def(def, key, error);
  if (!ffi_value_read(&option->value, value, &number, why))
    return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, key, "%s", why);
  store(option, number, def);
  return FF_OK;
}

ff_status ff_sim_def_get(const ff_sim_def *def, const char *key, char *text, size_t size, ff_error *error)
{
  if (!def || !key || !text)
    return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, "ff_sim_def_get", "an argument is NULL");
  const ff_option *option = ff_option_find(key);
  if (!option)
    return refuse_key("ff_sim_def_get", key, error);
  if (!has_field(def, option))
    return refuse_def(def, key, error);
  if (!ffi_value_write(&option->value, load(option, def), text, size))
    return ffi_fail(error, FF_ERROR_LIMIT, NULL, 0, key, "its value does not fit into %zu bytes", size);
  return FF_OK;
}
