/// scene_file.h: a scene's file and what it becomes.
///
///     scene_load.c     the whole: file, model and trajectory become a scene
///     scene_file.c     file and overrides become a tree, and the tree an ff_scene_def
///     scene_schema.c   the fields that there are
///     scene_fill.c     a tree is checked against the fields and filled into an ff_scene_def
///     scene_options.c  the same of `stepper`, whose fields are the table of options (footfall/option.h)
///     scene_fields.c   the fields as a list, for shells that complete them
#ifndef FFI_IO_SCENE_FILE_H
#define FFI_IO_SCENE_FILE_H

#include "io/yaml/yaml.h"

#include <footfall/scene.h>

/// A sentence for the user.
typedef struct ffi_scene_file_warning {
  char *text;
  struct ffi_scene_file_warning *next;
} ffi_scene_file_warning;

/// A file that is read. It is kept as long as its scene: messages have lines.
typedef struct ffi_scene_file {
  ffi_arena arena; ///< of the tree and the def
  const char *path;
  ffi_yaml_node *root;
  ff_files *keep;       ///< takes what is read; may be NULL
  const ff_files *from; ///< read these and no others; NULL: the disk's
  ffi_scene_file_warning *warnings, *last_warning;
} ffi_scene_file;

/// Changes of the fields, by the caller.
typedef struct ffi_scene_file_overrides {
  const ff_scene_override *list; ///< [count]
  int count;
} ffi_scene_file_overrides;

/// Read a file, change it and fill the def, which lives in the file's arena. `keep` and `from` are set. Free the arena,
/// also after a failure: ffi_arena_free().
ff_status ffi_scene_file_read(ffi_scene_file *file, const char *path,
                              const ffi_scene_file_overrides *overrides, ff_scene_def **def, ff_error *error);

/// The same from a text; `path` is set too.
ff_status ffi_scene_file_parse(ffi_scene_file *file, const char *text, size_t length,
                               const ffi_scene_file_overrides *overrides, ff_scene_def **def,
                               ff_error *error);

/// Fail at a field: with the line of the field, or of what comes nearest to it in the file.
ff_status ffi_scene_file_fail(const ffi_scene_file *file, ff_status status, const char *path, ff_error *error,
                              const char *format, ...) __attribute__((format(printf, 5, 6)));

/// The same at a node, which may be NULL, with a text.
ff_status ffi_scene_file_fail_at(const ffi_scene_file *file, ff_status status, const ffi_yaml_node *node,
                                 const char *path, const char *text, ff_error *error);

ff_status ffi_scene_file_no_memory(const ffi_scene_file *file, ff_error *error);

/// Keep a sentence for the user. FF_ERROR_MEMORY is the only failure.
ff_status ffi_scene_file_warn(ffi_scene_file *file, const char *text, ff_error *error);

#endif
