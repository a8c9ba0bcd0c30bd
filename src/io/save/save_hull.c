// A file for a hull that has none, as URDF needs: corners and triangles as Wavefront OBJ, which all programs read.
#include "io/save/save.h"

#include "math/hull.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

// "dir/robot.urdf" and 2 are "dir/robot-hull2.obj". On the heap.
static char *name_file(const char *path, int number)
{
  const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path, *dot = strrchr(name, '.');
  const size_t length = dot && dot != name ? (size_t)(dot - path) : strlen(path);
  char *out = malloc(length + 32);
  if (out) {
    memcpy(out, path, length);
    snprintf(out + length, 32, "-hull%d.obj", number);
  }
  return out;
}

// Digits enough to read the same numbers back.
static void put_corners(FILE *out, const ff_shape_def *shape)
{
  for (int i = 0; i < shape->vertex_count; ++i) {
    const double *x = shape->vertices + 3 * (ptrdiff_t)i;
    fprintf(out, "v %.17g %.17g %.17g\n", x[0], x[1], x[2]);
  }
}

static int write_mesh(const ff_shape_def *shape, ff_saved_mesh *mesh)
{
  int *faces = NULL, count = 0;
  FILE *out = open_memstream(&mesh->text, &mesh->length);
  if (!out)
    return 0;
  fputs("# the hull of a shape, in its own frame [m]\n", out);
  put_corners(out, shape);
  const ffi_hull_result result = ffi_hull_faces(shape->vertex_count, shape->vertices, &faces, &count, NULL);
  for (int i = 0; i < count; ++i)
    fprintf(out, "f %d %d %d\n", faces[3 * i] + 1, faces[3 * i + 1] + 1, faces[3 * i + 2] + 1);
  free(faces);
  const int is_whole = !ferror(out);
  return fclose(out) == 0 && is_whole && result != FFI_HULL_NO_MEMORY;
}

const char *ffi_save_hull(ffi_save *s, const ff_shape_def *shape)
{
  ff_saved *saved = s->saved;
  if (saved->mesh_count > 0 && s->hull == shape->vertices) // drawn, and touching
    return saved->meshes[saved->mesh_count - 1].path;
  s->hull = shape->vertices;
  ff_saved_mesh *meshes = realloc(saved->meshes, ((size_t)saved->mesh_count + 1) * sizeof *meshes);
  if (!meshes) {
    s->has_failed = 1;
    return NULL;
  }
  saved->meshes = meshes;
  ff_saved_mesh *mesh = &meshes[saved->mesh_count];
  *mesh = (ff_saved_mesh){.path = name_file(s->path, saved->mesh_count)};
  ++saved->mesh_count;
  if (mesh->path && write_mesh(shape, mesh))
    return mesh->path;
  s->has_failed = 1;
  return NULL;
}
