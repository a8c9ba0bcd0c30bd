// A case: a file to start from, and some damage.
#include "mutate.h"

#include <string.h>

static const struct {
  const char *name, *ending;
  int is_text;
  void (*damage)(ffi_random *random, bytes *b);
} formats[MUTATE_FORMATS] = {
    [MUTATE_URDF] = {"urdf", "urdf", 1, mutate_xml},
    [MUTATE_MJCF] = {"mjcf", "xml", 1, mutate_xml},
    [MUTATE_SCENE] = {"scene", "yaml", 1, mutate_yaml},
    [MUTATE_TRAJECTORY] = {"trajectory", "txt", 1, mutate_text},
    [MUTATE_STL] = {"stl", "stl", 0, mutate_stl},
    [MUTATE_OBJ] = {"obj", "obj", 1, mutate_text},
    [MUTATE_DAE] = {"dae", "dae", 1, mutate_xml},
    [MUTATE_LOG] = {"log", "h5", 0, mutate_hdf5},
    [MUTATE_SRDF] = {"srdf", "srdf", 1, mutate_xml},
};

const char *mutate_format_name(mutate_format format)
{
  return formats[format].name;
}

const char *mutate_format_ending(mutate_format format)
{
  return formats[format].ending;
}

mutate_format mutate_format_named(const char *name)
{
  int format = 0;
  while (format < MUTATE_FORMATS && strcmp(formats[format].name, name) != 0)
    ++format;
  return (mutate_format)format;
}

int mutate_format_is_text(mutate_format format)
{
  return formats[format].is_text;
}

int mutate_is_text(mutate_format format, const bytes *b)
{
  return formats[format].is_text ||
         (format == MUTATE_STL && strncmp(b->at, "solid", 5) == 0 && strlen(b->at) == b->count);
}

enum { MOST_DAMAGES = 6, MOST_BYTES = 4 << 20, MOST_TRIES = 50 };

static void damage_once(ffi_random *random, mutate_format format, bytes *b)
{
  if (ffi_random_chance(random, 0.7))
    formats[format].damage(random, b);
  else if (mutate_is_text(format, b) && ffi_random_chance(random, 0.6))
    mutate_text(random, b);
  else
    mutate_bytes(random, b);
}

// Some damage changes nothing: a word that changes places with itself, a number where there is none.
static void damage(ffi_random *random, mutate_format format, bytes *b)
{
  bytes before = bytes_of(b->at, b->count);
  for (int i = 0; i < MOST_TRIES && b->count == before.count && memcmp(b->at, before.at, b->count) == 0; ++i)
    damage_once(random, format, b);
  bytes_free(&before);
}

bytes mutate_case(mutate_format format, uint64_t number)
{
  ffi_random random = ffi_random_seed(1000003 * (uint64_t)format + 7919 * number + 17);
  bytes b;
  const int is_giant = ffi_random_chance(&random, 0.03) && mutate_giant(&random, format, &b);
  if (!is_giant)
    b = mutate_seeds_take(format, ffi_random_below(&random, 1 << 20));
  else if (ffi_random_chance(&random, 0.7))
    return b;
  const int count = 1 + ffi_random_below(&random, ffi_random_chance(&random, 0.5) ? 1 : MOST_DAMAGES);
  for (int i = 0; i < count && b.count < MOST_BYTES; ++i)
    damage(&random, format, &b);
  return b;
}
