// "did you mean ...?", by the library's measure of how near two words are.
#include "cli/suggest.h"

#include <footfall/status.h>

const char *ffi_suggest(const char *word, const char *const *known, int count)
{
  ff_nearest nearest = {.word = word};
  for (int i = 0; i < count; ++i)
    ff_nearest_try(&nearest, known[i]);
  return nearest.meant;
}
