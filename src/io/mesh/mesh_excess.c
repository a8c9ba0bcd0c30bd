// Hulls that are much larger than their meshes, in one warning.
#include "io/mesh/mesh_excess.h"

#include <stdio.h>
#include <string.h>

// Without folders.
static const char *last_part(const char *path)
{
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

void ffi_mesh_excess_note(ffi_mesh_excess *list, double excess, const char *name, const void *where)
{
  if (!(excess > FFI_MESH_EXCESS_LEAST))
    return;
  const int named = list->count < FFI_MESH_EXCESS_NAMED ? list->count : FFI_MESH_EXCESS_NAMED;
  int at = 0;
  while (at < named && list->excess[at] >= excess) {
    if (list->excess[at] == excess && strcmp(list->name[at], name) == 0)
      return;
    ++at;
  }
  ++list->count;
  for (int i = FFI_MESH_EXCESS_NAMED - 1; i > at; --i) {
    list->excess[i] = list->excess[i - 1];
    list->name[i] = list->name[i - 1];
    list->where[i] = list->where[i - 1];
  }
  if (at < FFI_MESH_EXCESS_NAMED) {
    list->excess[at] = excess;
    list->name[at] = name;
    list->where[at] = where;
  }
}

int ffi_mesh_excess_text(const ffi_mesh_excess *list, char *out, size_t size)
{
  const int named = list->count < FFI_MESH_EXCESS_NAMED ? list->count : FFI_MESH_EXCESS_NAMED;
  size_t used = (size_t)snprintf(out, size, "%d mesh%s of more volume: ", list->count,
                                 list->count == 1 ? " touches as a hull" : "es touch as hulls");
  for (int i = 0; i < named && used < size; ++i)
    used += (size_t)snprintf(out + used, size - used, "%s'%.40s' by %.0f %%", i ? ", " : "",
                             last_part(list->name[i]), 100 * list->excess[i]);
  if (list->count > named && used < size)
    used += (size_t)snprintf(out + used, size - used, ", and %d more", list->count - named);
  if (used < size)
    snprintf(out + used, size - used, "; nothing enters %s hollows", list->count == 1 ? "its" : "their");
  return list->count > 0;
}
