/// mesh.h: meshes in files, as far as contact needs them: the corners of their convex hulls.
///
/// What a file is goes by its ending, in capitals or not: .stl (binary or text), .obj, .dae (COLLADA). STL and OBJ have no unit, and their numbers are
/// taken as metres; COLLADA says its unit, and its nodes' transformations are applied. Its up_axis is not: as everywhere around URDF the file's axes are
/// the shape's. Colours, normals and textures are passed over.
#ifndef FFI_IO_MESH_H
#define FFI_IO_MESH_H

#include "base/arena.h"

#include <footfall/files.h>
#include <footfall/status.h>

#include <stddef.h>

/// The most corners of a mesh's hull (contact costs as much as there are), chosen farthest out first; fewer if all points then stick out by less than this part
/// of the diagonal of their box. A foot 20 cm long with flat faces is true to 0.02 mm, a ball of 200 corners to 1 % of its size.
enum { FFI_MESH_MAX_CORNERS = 200 };
/// Points of one file, nodes' copies counted: 240 MB, and a minute for the hull.
enum { FFI_MESH_MAX_POINTS = 10000000 };
#define FFI_MESH_TOLERANCE 1e-4

typedef enum ffi_mesh_kind { FFI_MESH_UNKNOWN, FFI_MESH_STL, FFI_MESH_OBJ, FFI_MESH_DAE } ffi_mesh_kind;

ffi_mesh_kind ffi_mesh_kind_of(const char *path);

/// The corners of a file's hull after scaling, [count x 3] in the arena. *count = 0: its points lie in a plane. Of `from`, or of the disk if that is NULL. Otherwise errors name the file, and the line where there is one.
ff_status ffi_mesh_corners(const ff_files *from, ffi_arena *arena, const char *path, const double scale[3],
                           const double **corners, int *count, ff_error *error);

// ---- What the readers share -------------------------------------------------------------------------------

/// Points as they are read.
typedef struct ffi_mesh_points {
  double *xyz; ///< [3 count], malloc
  int count, capacity;
  const char *file;
  ff_error *error;
} ffi_mesh_points;

/// Not finite, or no memory: FF_ERROR_PARSE, FF_ERROR_MEMORY.
ff_status ffi_mesh_add(ffi_mesh_points *points, int line, const double x[3]);

/// One after the other, by the contents of a file; `text` ends with a zero beyond `length`.
ff_status ffi_mesh_stl_read(const char *text, size_t length, ffi_mesh_points *out);
ff_status ffi_mesh_obj_read(const char *text, size_t length, ffi_mesh_points *out);
ff_status ffi_mesh_dae_read(const char *text, size_t length, ffi_mesh_points *out);

/// The points of a text: lines that begin with `word` have three numbers; more may follow.
ff_status ffi_mesh_read_lines(const char *text, const char *word, ffi_mesh_points *out);

#endif
