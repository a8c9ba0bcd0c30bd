// Points and triangles of a mesh file for users of the library.
#include "io/mesh/mesh.h"

#include "base/fail.h"

#include <footfall/mesh.h>

#include <stdlib.h>

// The corners 0 1 2, 3 4 5, ... of a file without numbers of points.
static int *count_up(int count)
{
  int *out = malloc(((size_t)count + 1) * sizeof *out);
  for (int i = 0; out && i < count; ++i)
    out[i] = i;
  return out;
}

// The mesh takes what the reader has allocated.
static ff_status take(ffi_mesh_points *points, ff_mesh **out, ff_error *error)
{
  const ffi_mesh_solid_triangles triangles = ffi_mesh_triangles(points);
  ff_mesh *mesh = malloc(sizeof *mesh);
  int *corners = triangles.corner ? points->corner : count_up(3 * triangles.count);
  if (!mesh || !corners) {
    free(mesh);
    if (!triangles.corner)
      free(corners);
    return ffi_fail(error, FF_ERROR_MEMORY, points->file, 0, NULL, "no memory for its triangles");
  }
  *mesh = (ff_mesh){.points = points->xyz,
                    .point_count = points->count,
                    .corners = corners,
                    .triangle_count = triangles.count};
  points->xyz = NULL;
  if (triangles.corner)
    points->corner = NULL;
  *out = mesh;
  return FF_OK;
}

ff_status ff_mesh_load(const char *path, const ff_files *from, ff_mesh **out, ff_error *error)
{
  static const double scale[3] = {1, 1, 1};
  if (!path || !out)
    return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, "ff_mesh_load", "an argument is NULL");
  *out = NULL;
  ffi_mesh_points points = {.file = path, .error = error};
  ff_status status = ffi_mesh_read(from, scale, &points);
  if (status == FF_OK)
    status = take(&points, out, error);
  ffi_mesh_free(&points);
  return status;
}

void ff_mesh_destroy(ff_mesh *mesh)
{
  if (!mesh)
    return;
  free(mesh->points);
  free(mesh->corners);
  free(mesh);
}
