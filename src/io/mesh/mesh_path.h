/// mesh_path.h: where the file of a mesh is.
///
/// A robot's description names its meshes in several ways. Each is looked for in these folders, in this
/// order: the folder of the description (the working folder if it came from memory), the folders of
/// ROS_PACKAGE_PATH, and the caller's list.
///
///     package://name/rest   FOLDER/name/rest, then FOLDER/rest; around the description also in the four
///     model://name/rest     folders above its own, where packages usually have their roots
///     file://path           as path
///     /absolute/path        itself
///     relative/path         FOLDER/relative/path
///     other://anything      nowhere: nothing is fetched from a network
///
/// Backslashes are read as slashes. Files are only looked for, never opened.
#ifndef FFI_IO_MESH_PATH_H
#define FFI_IO_MESH_PATH_H

#include "base/arena.h"

#include <footfall/status.h>

/// `file` is the description's path, NULL if it came from memory; `folders` is NULL-terminated or NULL.
/// `*out` is the path found, in the arena, or NULL if there is none. FF_ERROR_MEMORY is the only failure.
ff_status ffi_mesh_path_find(ffi_arena *arena, const char *file, const char *const *folders,
                             const char *reference, const char **out);

#endif
