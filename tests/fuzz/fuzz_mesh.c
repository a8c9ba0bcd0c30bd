// Whatever the bytes are, the readers of meshes return points or an error. The first byte says which reader; the
// dictionary is tests/fuzz/mesh.dict:
//
//     fuzz_mesh -dict=tests/fuzz/mesh.dict -max_len=4096 CORPUS
#include "io/mesh/mesh.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  static ff_status (*const readers[])(const char *, size_t, ffi_mesh_points *) = {
      ffi_mesh_stl_read, ffi_mesh_obj_read, ffi_mesh_dae_read};
  ff_error error = {0};
  ffi_mesh_points points = {.file = "fuzz", .error = &error};
  if (size == 0)
    return 0;
  char *text = malloc(size);
  if (!text)
    abort();
  memcpy(text, data + 1, size - 1);
  text[size - 1] = 0;
  const ff_status status = readers[data[0] % 3](text, size - 1, &points);
  if (status != FF_OK && (error.status != status || !error.message[0]))
    abort();
  for (int i = 0; i < 3 * points.count; ++i)
    if (!isfinite(points.xyz[i]))
      abort();
  ffi_mesh_free(&points);
  free(text);
  return 0;
}
