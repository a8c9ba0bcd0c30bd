/// mesh.h: points and triangles of a mesh file. In the library footfall_io.
///
/// The format follows from the ending, in capitals or not: .stl (binary or text), .obj, .dae (COLLADA). STL and OBJ
/// have no unit, and their numbers are taken as metres; COLLADA has a unit, and its nodes' transformations are applied.
/// Its up_axis is ignored, as is usual with URDF. Polygons are cut into triangles; colours, normals and textures are
/// left out.
///
///     ff_mesh *mesh;
///     if (ff_mesh_load("foot.stl", NULL, &mesh, &error) != FF_OK) ...
///     for (int i = 0; i < mesh->triangle_count; ++i) {
///       const double *a = mesh->points + 3 * mesh->corners[3 * i]; // and two more
///     }
///     ff_mesh_destroy(mesh);
#ifndef FOOTFALL_MESH_H
#define FOOTFALL_MESH_H

#include <footfall/files.h>
#include <footfall/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A mesh. The library allocates it, and new fields are added at its end only; ff_mesh_destroy() frees it.
typedef struct ff_mesh {
  double *points;     ///< [3 point_count] x y z [m]
  int point_count;    ///< at least 1
  int *corners;       ///< [3 triangle_count] points of each triangle, from 0, in the order of the file
  int triangle_count; ///< 0: the file has points alone, or faces of a kind that is not read
} ff_mesh;

/// Read a file: one of `from`, by the path from which it was read, or of the disk if it is not among them.
/// FF_ERROR_FILE, FF_ERROR_PARSE with the line, FF_ERROR_UNSUPPORTED for other endings, FF_ERROR_LIMIT beyond 10
/// million points or 20 million triangles.
ff_status ff_mesh_load(const char *path, const ff_files *from, ff_mesh **out, ff_error *error);
void ff_mesh_destroy(ff_mesh *mesh); ///< NULL is fine

#ifdef __cplusplus
}
#endif
#endif
