// Wavefront OBJ: lines "v x y z", of which more numbers may follow (a weight, a colour), are the points; lines "f 1/1/1
// 2//2 3 ..." the polygons, whose corners count from 1, or backwards from the last point so far. Other lines are
// skipped.
#include "io/mesh/mesh.h"

#include "base/fail.h"

#include <string.h>

// The number of the point that a face names, from 0; `seen` points stand before the face. -1 if it is no number, -2 if
// there is no such point.
static int take_corner(const ffi_mesh_points *p, const char **at, int seen)
{
  const int is_back = **at == '-';
  int number = 0, digits = 0;
  *at += is_back;
  for (; **at >= '0' && **at <= '9'; ++*at, ++digits)
    number = number > FFI_MESH_MAX_POINTS ? number : 10 * number + (**at - '0');
  if (digits == 0 || !strchr("/ \t\r\n", **at))
    return -1;
  *at += strcspn(*at, " \t\r\n"); // texture and normal
  const int point = is_back ? seen - number : number - 1;
  return number > 0 && point >= 0 && point < p->count ? point : -2;
}

// A polygon as triangles around its first corner.
static ff_status take_face(ffi_mesh_points *p, const char *at, int line, int seen)
{
  int first = 0, last = 0, corners = 0;
  ff_status status = FF_OK;
  for (at += strspn(at, " \t\r"); *at && *at != '\n' && status == FF_OK; at += strspn(at, " \t\r")) {
    const int point = take_corner(p, &at, seen);
    if (point < 0)
      return ffi_fail(p->error, FF_ERROR_PARSE, p->file, line, NULL,
                      point == -1 ? "a face must name its corners by whole numbers, from 1"
                                  : "a face names a point that is not there (there are %d)",
                      p->count);
    if (corners >= 2)
      status = ffi_mesh_add_triangle(p, line, first, last, point);
    first = corners == 0 ? point : first;
    last = point;
    ++corners;
  }
  return status;
}

static ff_status read_faces(const char *text, ffi_mesh_points *out)
{
  ff_status status = FF_OK;
  int line = 1, seen = 0;
  for (const char *at = text; *at && status == FF_OK; ++line) {
    at += strspn(at, " \t");
    const int is_word = at[0] && (at[1] == ' ' || at[1] == '\t');
    seen += is_word && at[0] == 'v';
    if (is_word && at[0] == 'f')
      status = take_face(out, at + 1, line, seen);
    at += strcspn(at, "\n");
    at += *at == '\n';
  }
  return status;
}

ff_status ffi_mesh_obj_read(const char *text, size_t length, ffi_mesh_points *out)
{
  if (strlen(text) != length) {
    int line = 1;
    for (const char *c = text; *c; ++c)
      line += *c == '\n';
    return ffi_fail(out->error, FF_ERROR_PARSE, out->file, line, NULL, "is not OBJ: it contains zero bytes");
  }
  const ff_status status = ffi_mesh_read_lines(text, "v", out);
  return status == FF_OK ? read_faces(text, out) : status;
}
