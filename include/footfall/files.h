/// files.h: source files of a robot or a scene, kept in memory. In the library footfall_io.
///
/// A description usually has several files: a model names meshes and includes other files; a scene names a model and
/// perhaps a trajectory. A collection keeps them all, so that they can be read again after the originals are gone.
/// Logs use this.
///
///     ff_files *files = ff_files_create();
///     ff_load_def def = ff_load_def_default();
///     def.keep = files;                                   // copies every file that is read
///     ff_model_load("robot.urdf", &def, &model, &error);
///     ...
///     def = ff_load_def_default();
///     def.from = files;                                   // reads these files only
///     ff_model_load("robot.urdf", &def, &same, &error);
///
/// A file is found by its kind and by the name under which it was requested, so folders and environment do not
/// matter.
#ifndef FOOTFALL_FILES_H
#define FOOTFALL_FILES_H

#include <footfall/status.h>

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Kind of a file; it says what the name of the file is.
typedef enum ff_file_kind {
  FF_FILE_SCENE,      ///< YAML with all overrides applied; its name is its path
  FF_FILE_MODEL,      ///< URDF or MJCF; its name is its path
  FF_FILE_INCLUDE,    ///< included by an MJCF; its name is that in the including file
  FF_FILE_MESH,       ///< its name is that in the model
  FF_FILE_TRAJECTORY, ///< its name is that in the scene
} ff_file_kind;

enum { FF_FILE_KIND_COUNT = FF_FILE_TRAJECTORY + 1 }; ///< number of kinds
const char *ff_file_kind_name(ff_file_kind kind);     ///< "scene", "model", ... never NULL

/// One file. Files returned by the functions below belong to the collection and live as long as it does.
typedef struct ff_file {
  ff_file_kind kind; ///< identifies the file, together with `name`
  const char *name;  ///< name under which it was requested
  const char *path;  ///< path from which it was read
  const char *data;  ///< [size], followed by a zero byte that is not counted
  size_t size;       ///< bytes
} ff_file;

/// A collection of files in memory. The caller destroys it; models and scenes read from it do not need it afterwards.
typedef struct ff_files ff_files;

ff_files *ff_files_create(void);                               ///< NULL: out of memory
void ff_files_destroy(ff_files *files);                        ///< NULL is fine
int ff_files_count(const ff_files *files);                     ///< number of files, for ff_files_get()
const ff_file *ff_files_get(const ff_files *files, int index); ///< NULL if out of range

/// The first file of a kind with that name (NULL: any); NULL if there is none.
const ff_file *ff_files_find(const ff_files *files, ff_file_kind kind, const char *name);

/// The file that was read from a path; NULL if there is none. For shapes, which store the path of their mesh.
const ff_file *ff_files_at(const ff_files *files, const char *path);

/// Add a file; all of it is copied. A file of the same kind and name is stored only once.
ff_status ff_files_add(ff_files *files, const ff_file *file, ff_error *error);

/// The relative path from the folder of `from` to `to`, so that both files can be moved together. If one of them does
/// not exist, a copy of `to`. The caller frees it; NULL: out of memory.
char *ff_path_between(const char *from, const char *to);

#ifdef __cplusplus
}
#endif
#endif
