// Meshes: the kind of a file, its points and triangles.
#include "io/mesh/mesh.h"

#include "base/decimal.h"
#include "base/fail.h"
#include "base/grow.h"
#include "io/file/text_file.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

ffi_mesh_kind ffi_mesh_kind_of(const char *path)
{
  static const struct {
    const char *ending;
    ffi_mesh_kind kind;
  } known[] = {{".stl", FFI_MESH_STL}, {".obj", FFI_MESH_OBJ}, {".dae", FFI_MESH_DAE}};
  const size_t length = strlen(path);
  char ending[5] = {0};
  if (length < 4)
    return FFI_MESH_UNKNOWN;
  for (int i = 0; i < 4; ++i) {
    const char c = path[length - 4 + (size_t)i];
    ending[i] = (char)(c >= 'A' && c <= 'Z' ? c + 32 : c);
  }
  for (size_t i = 0; i < sizeof known / sizeof known[0]; ++i)
    if (strcmp(ending, known[i].ending) == 0)
      return known[i].kind;
  return FFI_MESH_UNKNOWN;
}

// ---- Points -----------------------------------------------------------------------------------------------

ff_status ffi_mesh_add(ffi_mesh_points *p, int line, const double x[3])
{
  if (!isfinite(x[0]) || !isfinite(x[1]) || !isfinite(x[2]))
    return ffi_fail(p->error, FF_ERROR_PARSE, p->file, line, NULL, "point %d is not finite", p->count + 1);
  if (p->count >= FFI_MESH_MAX_POINTS)
    return ffi_fail(p->error, FF_ERROR_LIMIT, p->file, line, NULL, "more than %d points",
                    FFI_MESH_MAX_POINTS);
  double *grown = ffi_grow(p->xyz, p->count, &p->capacity, 3 * sizeof *p->xyz);
  if (!grown)
    return ffi_fail(p->error, FF_ERROR_MEMORY, p->file, 0, NULL, "no memory for its points");
  p->xyz = grown;
  memcpy(p->xyz + 3 * (size_t)p->count++, x, 3 * sizeof *x);
  return FF_OK;
}

ff_status ffi_mesh_add_triangle(ffi_mesh_points *p, int line, int a, int b, int c)
{
  if (p->triangle_count >= 2 * FFI_MESH_MAX_POINTS)
    return ffi_fail(p->error, FF_ERROR_LIMIT, p->file, line, NULL, "more than %d triangles",
                    2 * FFI_MESH_MAX_POINTS);
  int *grown = ffi_grow(p->corner, p->triangle_count, &p->triangle_capacity, 3 * sizeof *p->corner);
  if (!grown)
    return ffi_fail(p->error, FF_ERROR_MEMORY, p->file, 0, NULL, "no memory for its triangles");
  const int corners[3] = {a, b, c};
  p->corner = grown;
  memcpy(p->corner + 3 * (size_t)p->triangle_count++, corners, sizeof corners);
  return FF_OK;
}

void ffi_mesh_free(ffi_mesh_points *p)
{
  free(p->xyz);
  free(p->corner);
  p->xyz = NULL;
  p->corner = NULL;
}

ffi_mesh_solid_triangles ffi_mesh_triangles(const ffi_mesh_points *p)
{
  const int count = p->is_part_only ? 0 : p->is_soup ? p->count / 3 : p->triangle_count;
  return (ffi_mesh_solid_triangles){
      .points = p->xyz, .corner = p->is_soup ? NULL : p->corner, .count = count};
}

// Three numbers at *at, which moves on behind them; blanks lie between, and the line does not end before.
static ff_status take_point(const ffi_mesh_points *p, const char **at, int line, double x[3])
{
  for (int i = 0; i < 3; ++i) {
    *at += strspn(*at, " \t");
    const size_t length = strcspn(*at, " \t\r\n");
    if (!length)
      return ffi_fail(p->error, FF_ERROR_PARSE, p->file, line, NULL, "a vertex has only %d numbers", i);
    if (!ffi_decimal_read(*at, length, &x[i]))
      return ffi_fail(p->error, FF_ERROR_PARSE, p->file, line, NULL, "'%.*s' is not a number",
                      length > 40 ? 40 : (int)length, *at);
    *at += length;
  }
  return FF_OK;
}

ff_status ffi_mesh_read_lines(const char *text, const char *word, ffi_mesh_points *out)
{
  const size_t length = strlen(word);
  ff_status status = FF_OK;
  int line = 1;
  for (const char *at = text; *at && status == FF_OK; ++line) {
    at += strspn(at, " \t");
    if (strncmp(at, word, length) == 0 && (at[length] == ' ' || at[length] == '\t')) {
      double x[3] = {0};
      at += length;
      status = take_point(out, &at, line, x);
      if (status == FF_OK)
        status = ffi_mesh_add(out, line, x);
    }
    at += strcspn(at, "\n");
    at += *at == '\n';
  }
  return status;
}

// ---- A file -----------------------------------------------------------------------------------------------

static ff_status read_points(const ff_files *from, const char *path, ffi_mesh_points *out)
{
  static ff_status (*const readers[])(const char *, size_t, ffi_mesh_points *) = {
      [FFI_MESH_STL] = ffi_mesh_stl_read,
      [FFI_MESH_OBJ] = ffi_mesh_obj_read,
      [FFI_MESH_DAE] = ffi_mesh_dae_read,
  };
  const ffi_mesh_kind kind = ffi_mesh_kind_of(path);
  const ff_file *kept = from ? ff_files_at(from, path) : NULL;
  char *text = NULL;
  size_t length = 0;
  if (kind == FFI_MESH_UNKNOWN)
    return ffi_fail(out->error, FF_ERROR_UNSUPPORTED, path, 0, NULL,
                    "meshes are read from .stl, .obj and .dae");
  ff_status status = kept ? FF_OK : ffi_text_file_read(path, &text, &length, out->error);
  if (status == FF_OK)
    status = readers[kind](kept ? kept->data : text, kept ? kept->size : length, out);
  if (status == FF_OK && out->count == 0)
    status = ffi_fail(out->error, FF_ERROR_PARSE, path, 0, NULL, "there are no points in it");
  free(text);
  return status;
}

// Is the diagonal of their box finite?
static int scale_points(ffi_mesh_points *p, const double scale[3])
{
  double square = 0;
  for (int k = 0; k < 3; ++k) {
    double least = (double)INFINITY, most = -(double)INFINITY;
    for (int i = 0; i < p->count; ++i) {
      double *x = &p->xyz[3 * (size_t)i + (size_t)k];
      *x *= scale[k];
      least = fmin(least, *x);
      most = fmax(most, *x);
    }
    square += (most - least) * (most - least);
  }
  return isfinite(sqrt(square));
}

ff_status ffi_mesh_read(const ff_files *from, const double scale[3], ffi_mesh_points *out)
{
  ff_status status = read_points(from, out->file, out);
  if (status == FF_OK && !scale_points(out, scale))
    status = ffi_fail(out->error, FF_ERROR_MODEL, out->file, 0, NULL, "scaled, its points are not finite");
  return status;
}

ff_status ffi_mesh_corners(const ff_files *from, ffi_arena *arena, const char *path, const double scale[3],
                           ffi_mesh_hull *out, ff_error *error)
{
  ffi_mesh_points p = {.file = path, .error = error};
  *out = (ffi_mesh_hull){0};
  ff_status status = ffi_mesh_read(from, scale, &p);
  if (status == FF_OK)
    status = ffi_mesh_hull_of(arena, &p, out);
  ffi_mesh_free(&p);
  return status;
}
