#ifndef _GNU_SOURCE
#define _GNU_SOURCE // strtod_l
#endif

#include "io/decimal.h"

#include <locale.h>
#include <stdlib.h>
#include <string.h>

int ffi_decimal_read(const char *token, size_t length, double *out)
{
  char *end = NULL;
  if (!length || strspn(token, "+-0123456789.eE") < length)
    return 0;
  locale_t c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0); // C's needs no memory, so this cannot fail
  *out = strtod_l(token, &end, c_locale);
  freelocale(c_locale);
  return end == token + length;
}
