// Reads FOOTFALL_SAMPLES and FOOTFALL_SEED.
#include "support/samples.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

int ffi_samples(int usual)
{
  const char *text = getenv("FOOTFALL_SAMPLES");
  char *end = NULL;
  const double factor = text && text[0] ? strtod(text, &end) : 1;
  if (!(factor > 0 && factor <= 1e4) || (end && *end != '\0'))
    fail_msg("FOOTFALL_SAMPLES is '%s', not a factor above 0 and up to 10000", text);
  const double count = ceil(usual * factor - 1e-9);
  return count < 1 ? 1 : count > 1e9 ? 1000000000 : (int)count;
}

uint64_t ffi_samples_seed(void)
{
  const char *text = getenv("FOOTFALL_SEED");
  char *end = NULL;
  const unsigned long long seed = text && text[0] ? strtoull(text, &end, 10) : 0;
  if (end && (*end != '\0' || text[0] == '-'))
    fail_msg("FOOTFALL_SEED is '%s', not a whole number", text);
  return seed;
}

int ffi_samples_are_usual(void)
{
  return ffi_samples_seed() == 0 && ffi_samples(1000) >= 1000;
}

void ffi_samples_tried(long long count, const char *what)
{
  print_message("tried %lld %s\n", count, what);
  if (count <= 0)
    fail_msg("nothing was tried: %s", what);
}
