// Defs of programs that were compiled earlier or later than the library.
#include "base/def.h"
#include "base/fail.h"

#include <footfall/version.h>

#include <string.h>

// Larger than any def will be: what is beyond was never initialised.
static const size_t size_most = 1 << 16;

static size_t least(size_t a, size_t b)
{
  return a < b ? a : b;
}

void ffi_def_init(void *def, size_t size, const ffi_def_kind *kind)
{
  if (size < sizeof size)
    return;
  memset(def, 0, size);
  memcpy(def, kind->defaults, least(size, kind->size));
  memcpy(def, &size, sizeof size);
}

ff_status ffi_def_take(const void *def, const ffi_def_kind *kind, void *out, ff_error *error)
{
  const unsigned char *bytes = def;
  size_t size = kind->size;
  memcpy(out, kind->defaults, kind->size);
  if (def) {
    memcpy(&size, def, sizeof size);
    if (size < sizeof size || size > size_most)
      return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, kind->name,
                      "its size is %zu, so it was not made by %s_default(): begin with that", size,
                      kind->name);
    for (size_t i = kind->size; i < size; ++i)
      if (bytes[i])
        return ffi_fail(error, FF_ERROR_UNSUPPORTED, NULL, 0, kind->name,
                        "the program was compiled for a newer version and sets a field that footfall %s does "
                        "not have (byte %zu, of %zu that it has): install that version",
                        ff_version(), i, kind->size);
    memcpy(out, def, least(size, kind->size));
  }
  memcpy(out, &kind->size, sizeof kind->size);
  return FF_OK;
}

void ffi_def_give(const void *whole, const ffi_def_kind *kind, void *def)
{
  size_t size;
  memcpy(&size, def, sizeof size);
  if (size >= sizeof size && size <= size_most)
    ffi_def_init(def, size, &(ffi_def_kind){kind->name, kind->size, whole});
}
