/// mesh.h: meshes in files: the corners of their convex hulls for contact, their triangles for mass.
///
/// The format follows from the ending, in capitals or not: .stl (binary or text), .obj, .dae (COLLADA). STL and OBJ
/// have no unit, and their numbers are taken as metres; COLLADA has a unit, and its nodes' transformations are applied.
/// Its up_axis is ignored, as is usual with URDF: the file's axes are the shape's. Colours, normals and textures are
/// ignored.
#ifndef FFI_IO_MESH_H
#define FFI_IO_MESH_H

#include "base/arena.h"
#include "io/mesh/mesh_solid.h"

#include <footfall/files.h>
#include <footfall/status.h>

#include <stddef.h>

/// The most corners of a mesh's hull (the cost of contact is proportional to them), the farthest first; fewer if all
/// points are then within FFI_MESH_TOLERANCE of the diagonal of their box. A foot 20 cm long with flat faces is exact
/// to 0.02 mm, a ball of 200 corners to 1 % of its size.
enum { FFI_MESH_MAX_CORNERS = 200 };
/// Points of one file, nodes' copies counted: 240 MB, and a minute for the hull. Twice as many triangles.
enum { FFI_MESH_MAX_POINTS = 10000000 };
#define FFI_MESH_TOLERANCE 1e-4
/// Points within this share of the diagonal of their box are in a plane: floats of a part that stands a hundred times
/// its size away from the origin are rounded to 6e-6 of its size, and numbers of six digits to about as much.
#define FFI_MESH_FLAT 1e-5

typedef enum ffi_mesh_kind { FFI_MESH_UNKNOWN, FFI_MESH_STL, FFI_MESH_OBJ, FFI_MESH_DAE } ffi_mesh_kind;

ffi_mesh_kind ffi_mesh_kind_of(const char *path);

/// The convex hull of a mesh.
typedef struct ffi_mesh_hull {
  const double *corners; ///< [count][3]
  int count;             ///< 0: all points lie on a line or in one place
  int is_flat;   ///< they lie in a plane: this is a plate, FFI_MESH_TOLERANCE of its diagonal to either side
  double excess; ///< volume of the hull over that of the mesh, less 1; 0 if the mesh is not closed
} ffi_mesh_hull;

/// Points and triangles of a file. Start from {.file, .error}; free them with ffi_mesh_free().
typedef struct ffi_mesh_points {
  double *xyz; ///< [3 count], malloc
  int count, capacity;
  int *corner; ///< [3 triangle_count] points of triangles, malloc
  int triangle_count, triangle_capacity;
  int is_soup;      ///< every three points are a triangle; `corner` is NULL
  int is_part_only; ///< it has faces of a kind that is not read
  const char *file;
  ff_error *error;
} ffi_mesh_points;

/// Read a file, scaled. It is one of `from`, or of the disk if that is NULL. Errors name the file, and the line where
/// there is one.
ff_status ffi_mesh_read(const ff_files *from, const double scale[3], ffi_mesh_points *out);
void ffi_mesh_free(ffi_mesh_points *points);

/// As many as are known; none if faces were left out.
ffi_mesh_solid_triangles ffi_mesh_triangles(const ffi_mesh_points *points);

/// Their hull, in the arena. Unchanged afterwards.
ff_status ffi_mesh_hull_of(ffi_arena *arena, const ffi_mesh_points *points, ffi_mesh_hull *out);

/// ffi_mesh_read() and ffi_mesh_hull_of().
ff_status ffi_mesh_corners(const ff_files *from, ffi_arena *arena, const char *path, const double scale[3],
                           ffi_mesh_hull *out, ff_error *error);

// ---- What the readers share -------------------------------------------------------------------------------

/// Not finite, or no memory: FF_ERROR_PARSE, FF_ERROR_MEMORY.
ff_status ffi_mesh_add(ffi_mesh_points *points, int line, const double x[3]);

/// A triangle of points that are there already, numbered from 0; FF_ERROR_LIMIT, FF_ERROR_MEMORY.
ff_status ffi_mesh_add_triangle(ffi_mesh_points *points, int line, int a, int b, int c);

/// One after the other, by the contents of a file; `text` ends with a zero beyond `length`.
ff_status ffi_mesh_stl_read(const char *text, size_t length, ffi_mesh_points *out);
ff_status ffi_mesh_obj_read(const char *text, size_t length, ffi_mesh_points *out);
ff_status ffi_mesh_dae_read(const char *text, size_t length, ffi_mesh_points *out);

/// The points of a text: lines that begin with `word` have three numbers; more may follow.
ff_status ffi_mesh_read_lines(const char *text, const char *word, ffi_mesh_points *out);

#endif
