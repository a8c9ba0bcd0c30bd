// Decimal numbers are read with a point, whatever the locale.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE // strtod_l
#endif

#include "base/decimal.h"

#include <locale.h>
#include <stdlib.h>
#include <string.h>

const char *ffi_decimal_scan(const char *text, double *out)
{
  char *end = NULL;
  locale_t c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0); // C's needs no memory, so this cannot fail
  *out = strtod_l(text, &end, c_locale);
  freelocale(c_locale);
  return end;
}

int ffi_decimal_read(const char *token, size_t length, double *out)
{
  if (!length || strspn(token, "+-0123456789.eE") < length)
    return 0;
  return ffi_decimal_scan(token, out) == token + length;
}
