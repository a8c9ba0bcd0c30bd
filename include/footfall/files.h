/// files.h: what a robot or a scene was read from, kept in memory. In the library footfall_io.
///
/// A description is rarely one file: it names meshes, includes others, and a scene names a model and perhaps a trajectory. Whoever wants to
/// read it again when those files are gone, as a log does, keeps them:
///
///     ff_files *files = ff_files_create();
///     ff_load_def def = ff_load_def_default();
///     def.keep = files;                                   // all that is read goes in here too
///     ff_model_load("robot.urdf", &def, &model, &error);
///     ...
///     def = ff_load_def_default();
///     def.from = files;                                   // and nothing but this is read
///     ff_model_load("robot.urdf", &def, &same, &error);
///
/// A file is found again by its kind and the name by which it was asked for, so folders and environment do not matter.
#ifndef FOOTFALL_FILES_H
#define FOOTFALL_FILES_H

#include <footfall/status.h>

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/// What a file is to whoever names it, and what its name is.
typedef enum ff_file_kind {
  FF_FILE_SCENE,      ///< YAML, with all changes made in it; its name is its path
  FF_FILE_MODEL,      ///< URDF or MJCF; its name is its path
  FF_FILE_INCLUDE,    ///< of an MJCF; as the file that includes it names it
  FF_FILE_MESH,       ///< as the model names it
  FF_FILE_TRAJECTORY, ///< as the scene names it
} ff_file_kind;

enum { FF_FILE_KIND_COUNT = FF_FILE_TRAJECTORY + 1 }; ///< how many kinds there are
const char *ff_file_kind_name(ff_file_kind kind);     ///< "scene", "model", ... never NULL

/// One file. What ff_files_get() and its like return belongs to the collection and lives as long.
typedef struct ff_file {
  ff_file_kind kind; ///< with `name`, what it is found by
  const char *name;  ///< by which it was asked for
  const char *path;  ///< where it was
  const char *data;  ///< [size], and a zero that is not counted
  size_t size;       ///< bytes
} ff_file;

/// A collection of files in memory. The caller destroys it; models and scenes read from it do not need it any more.
typedef struct ff_files ff_files;

ff_files *ff_files_create(void);                               ///< NULL: no memory
void ff_files_destroy(ff_files *files);                        ///< NULL is fine
int ff_files_count(const ff_files *files);                     ///< how many there are, for ff_files_get()
const ff_file *ff_files_get(const ff_files *files, int index); ///< NULL if there is none

/// The first of a kind, or the one of a name (NULL: any); NULL if there is none.
const ff_file *ff_files_find(const ff_files *files, ff_file_kind kind, const char *name);

/// Where a file was, for shapes whose mesh is kept by its path; NULL if there is none.
const ff_file *ff_files_at(const ff_files *files, const char *path);

/// Copies all of it. One of the same kind and name is there once.
ff_status ff_files_add(ff_files *files, const ff_file *file, ff_error *error);

/// How a file names another, so that both can be moved together: the way from the folder of `from` to `to`. Where one of them is not
/// there, `to` as it is. The caller frees it; NULL: no memory.
char *ff_path_between(const char *from, const char *to);

#ifdef __cplusplus
}
#endif
#endif
