// Meshes: the kind of a file, its points, and the corners of their hull.
#include "io/mesh/mesh.h"

#include "base/decimal.h"
#include "base/fail.h"
#include "base/grow.h"
#include "io/file/text_file.h"
#include "math/hull_corners.h"

#include <assert.h>
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

// ---- From a file to corners ---------------------------------------------------------------------------------

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

// Scale all points; the diagonal of their box.
static double scale_points(ffi_mesh_points *p, const double scale[3])
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
  return sqrt(square);
}

// The chosen points into the arena.
static ff_status keep(ffi_arena *arena, const ffi_mesh_points *p, const int *corner, int count,
                      const double **out)
{
  assert(p->xyz); // there were points
  double *kept = ffi_arena_take(arena, 3 * (size_t)count, sizeof *kept);
  if (!kept)
    return ffi_fail(p->error, FF_ERROR_MEMORY, p->file, 0, NULL, "no memory for its hull");
  for (int i = 0; i < count; ++i)
    memcpy(kept + 3 * (size_t)i, p->xyz + 3 * (size_t)corner[i], 3 * sizeof *kept);
  *out = kept;
  return FF_OK;
}

ff_status ffi_mesh_corners(const ff_files *from, ffi_arena *arena, const char *path, const double scale[3],
                           ffi_mesh_hull *out, ff_error *error)
{
  ffi_mesh_points p = {.file = path, .error = error};
  int corner[FFI_MESH_MAX_CORNERS] = {0};
  *out = (ffi_mesh_hull){0};
  ff_status status = read_points(from, path, &p);
  if (status != FF_OK)
    goto done;
  const double size = scale_points(&p, scale);
  if (!isfinite(size)) {
    status = ffi_fail(error, FF_ERROR_MODEL, path, 0, NULL, "scaled, its points are not finite");
    goto done;
  }
  ffi_hull_corners kept = {.corner = corner, .most = FFI_MESH_MAX_CORNERS};
  switch (ffi_hull_corners_find(p.count, p.xyz, FFI_MESH_TOLERANCE * size, &kept, NULL)) {
  case FFI_HULL_OK:
    out->count = kept.count;
    status = keep(arena, &p, corner, out->count, &out->corners);
    break;
  case FFI_HULL_FLAT: out->count = 0; break;
  case FFI_HULL_NO_MEMORY: status = ffi_fail(error, FF_ERROR_MEMORY, path, 0, NULL, "no memory for its hull");
  }
done:
  free(p.xyz);
  return status;
}
