/// scene_fill.h: a tree is checked and filled into an ff_scene_def.
#ifndef FFI_IO_SCENE_FILL_H
#define FFI_IO_SCENE_FILL_H

#include "io/scene/scene_file.h"
#include "io/scene/scene_schema.h"

/// A tree on its way into a structure.
typedef struct ffi_scene_fill {
  ffi_scene_file *file;
  ff_scene_def *def;
  ff_error *error;
  char path[FFI_SCENE_SCHEMA_PATH]; ///< of the field at hand, with indices
} ffi_scene_fill;

/// Check a file's tree and fill the structure, which has its defaults.
ff_status ffi_scene_fill_def(ffi_scene_file *file, ff_scene_def *def, ff_error *error);

/// The value of a scalar by a rule.
ff_status ffi_scene_fill_value(ffi_scene_fill *f, const ffi_yaml_node *node, const ff_value_rule *rule,
                               double *value);

/// One level down, to a key, or with key NULL to an entry of a list. Returns where the path ended, to cut it there
/// again.
size_t ffi_scene_fill_enter(ffi_scene_fill *f, const char *key, int index);

/// A map, or a word that stands for the field `first` of one; `first` may be NULL. The node is a map after it.
ff_status ffi_scene_fill_open(ffi_scene_fill *f, ffi_yaml_node *node, const char *first);

/// Refuse a key; `all` are the known ones, with commas between them, `meant` may be NULL.
ff_status ffi_scene_fill_unknown(ffi_scene_fill *f, const ffi_yaml_node *child, const char *meant,
                                 const char *all);

// ---- scene_options.c ------------------------------------------------------------------------------------------------

/// Fill the options that a tree has below `stepper`.
ff_status ffi_scene_options_fill(ffi_scene_fill *f, ffi_yaml_node *node);

/// Put options of `stepper` that stand there by the last part of their key below their kind: order becomes expo.order.
/// Once for the file, by its own type, and once after overrides. An option of the file beside a type that lacks it is
/// refused.
ff_status ffi_scene_options_sort(ffi_scene_file *file, ff_error *error);

#endif
