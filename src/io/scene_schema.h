/// scene_schema.h: what a scene may say.
///
///     scene_schema.c  the fields, as libcyaml wants them: keys, types, where they go in ff_scene_def
///     scene_rules.c   what numbers mean: quantity, range, default
///     scene_check.c   a tree is checked against both, completed with defaults, its numbers brought to SI
///     scene_read.c    file and overrides become a tree, the tree an ff_scene_def
#ifndef FFI_IO_SCENE_SCHEMA_H
#define FFI_IO_SCENE_SCHEMA_H

#include "io/yaml.h"

#include <footfall/quantity.h>
#include <footfall/scene.h>

#include <cyaml/cyaml.h>

extern const cyaml_schema_value_t ffi_scene_schema;

/// About the field or fields that `path` ends: "friction" is every friction, "tasks.friction" that of tasks. The longest counts.
typedef struct ffi_scene_rule {
  const char *path;
  ff_quantity quantity;
  int is_open; ///< the least value itself is not allowed
  double least, most;
  const char *fallback; ///< what stands there if nothing is given, in SI; NULL: nothing.
                        ///< Of a list, one for all entries or one for each
} ffi_scene_rule;

/// The rule of a path without indices; there is always one, if only that it is a plain number.
const ffi_scene_rule *ffi_scene_rule_of(const char *path);

/// Where a scene comes from: for messages with lines long after it was read.
typedef struct ffi_scene_source {
  ffi_arena arena;
  const char *file;
  ffi_yaml_node *root;
  ff_files *keep;       ///< takes what is read; may be NULL
  const ff_files *from; ///< read these and no others; NULL: the disk's
} ffi_scene_source;

/// Fail at a field: with the line of the field, or of what comes nearest to it in the file.
ff_status ffi_scene_fail(const ffi_scene_source *source, ff_status status, const char *path, ff_error *error,
                         const char *format, ...) __attribute__((format(printf, 5, 6)));

/// Check the tree against schema and rules and complete it.
ff_status ffi_scene_check(ffi_scene_source *source, ff_error *error);

/// The whole way from a file, or from `text` if there is one, to plain data. Free both, also after a failure: ffi_scene_def_free() and
/// ffi_arena_free().
ff_status ffi_scene_read(const char *path, const char *text, size_t length,
                         const ff_scene_override *overrides, int count, ffi_scene_source *source,
                         ff_scene_def **def, ff_error *error);
void ffi_scene_def_free(ff_scene_def *def); ///< NULL is fine

#endif
