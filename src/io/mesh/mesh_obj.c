// Wavefront OBJ: lines "v x y z", of which more numbers may follow (a weight, a colour), are the points. All other
// lines, faces too, do not affect the hull.
#include "io/mesh/mesh.h"

#include "base/fail.h"

#include <string.h>

ff_status ffi_mesh_obj_read(const char *text, size_t length, ffi_mesh_points *out)
{
  if (strlen(text) != length) {
    int line = 1;
    for (const char *c = text; *c; ++c)
      line += *c == '\n';
    return ffi_fail(out->error, FF_ERROR_PARSE, out->file, line, NULL, "is not OBJ: it contains zero bytes");
  }
  return ffi_mesh_read_lines(text, "v", out);
}
