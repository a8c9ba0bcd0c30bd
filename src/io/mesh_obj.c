// Wavefront OBJ: lines "v x y z", of which more numbers may follow (a weight, a colour), are the points. All other lines, faces too, say nothing of the hull.
#include "io/mesh.h"

#include "base/error.h"

#include <string.h>

ff_status ffi_mesh_read_obj(const char *text, size_t length, ffi_mesh_points *out)
{
  ff_status status = FF_OK;
  int line = 1;
  if (strlen(text) != length)
    return ffi_fail(out->error, FF_ERROR_PARSE, out->file, 0, NULL, "is no OBJ: there are zero bytes in it");
  for (const char *at = text; *at && status == FF_OK; ++line) {
    at += strspn(at, " \t");
    if (at[0] == 'v' && (at[1] == ' ' || at[1] == '\t')) {
      double x[3];
      ++at;
      status = ffi_mesh_take_point(out, &at, line, "a vertex", x);
      if (status == FF_OK)
        status = ffi_mesh_add(out, line, x);
    }
    at += strcspn(at, "\n");
    at += *at == '\n';
  }
  return status;
}
