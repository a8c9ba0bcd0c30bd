#include "cli/units.h"

#include "cli/complain.h"
#include "cli/options.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int ffi_read_quantity(const char *option, const char *text, ff_quantity quantity, double *value)
{
  ff_error error;
  if (ff_quantity_read(text, quantity, quantity == FF_QUANTITY_ANGLE, value, &error) == FF_OK)
    return 1;
  const int is_sentence = strncmp(error.message, "needs", 5) == 0; // about the option itself
  ffi_complain("'%s %s'%s %s", option, text, is_sentence ? "" : ":", error.message);
  return 0;
}

int ffi_read_quantity_above(const char *option, const char *text, ff_quantity quantity, double least,
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
