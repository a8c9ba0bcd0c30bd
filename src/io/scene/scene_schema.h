/// scene_schema.h: what a scene may say, and how it becomes plain data.
///
///     scene_schema.c   the fields: keys, kinds, units, ranges, where they go in ff_scene_def
///     scene_default.c  what holds where nothing is said
///     scene_fill.c     a tree is checked against the fields and filled into an ff_scene_def
///     scene_options.c  the same of `stepper`, whose fields are the table of options (footfall/option.h)
///     scene_read.c     file and overrides become a tree
#ifndef FFI_IO_SCENE_SCHEMA_H
#define FFI_IO_SCENE_SCHEMA_H

#include "io/yaml/yaml.h"

#include <footfall/scene.h>
#include <footfall/value.h>

/// What stands at a field.
typedef enum ffi_scene_schema_kind {
  FFI_SCENE_VALUE,   ///< one number, whole number, flag or word
  FFI_SCENE_VALUES,  ///< a list of `most` of them, in place
  FFI_SCENE_NUMBERS, ///< a list of numbers: a pointer and a count
  FFI_SCENE_TEXT,    ///< a pointer
  FFI_SCENE_TEXTS,   ///< a list of texts: a pointer and a count
  FFI_SCENE_MAP,     ///< fields of a structure in place
  FFI_SCENE_MAPS,    ///< a list of structures: a pointer and a count
  FFI_SCENE_OPTION,  ///< an option of the sim that stands outside of `stepper`
  FFI_SCENE_OPTIONS, ///< `stepper`
} ffi_scene_schema_kind;

typedef struct ffi_scene_schema_map ffi_scene_schema_map;

/// A field of a map.
typedef struct ffi_scene_schema_field {
  const char *key; ///< NULL: the end of the list
  ffi_scene_schema_kind kind;
  int is_needed;
  size_t offset;                   ///< in the map's structure
  size_t count_offset;             ///< of lists with a count
  int least, most;                 ///< entries of lists
  ff_value_rule value;             ///< of values
  const int *numbers;              ///< of words: what each is stored as; NULL: its place in the list
  const ffi_scene_schema_map *map; ///< of maps
} ffi_scene_schema_field;

/// A map and the structure that it becomes. If it may be written as one word, the word's field is the first
/// ("stepper: expo"); if a list of it may be written as a map, the key's field is the first and the value's the
/// second ("joints: {knee: 0.5}").
struct ffi_scene_schema_map {
  const ffi_scene_schema_field *fields;
  size_t size;
  const void *initial; ///< of lists: what an entry is where nothing is said
};

extern const ffi_scene_schema_map ffi_scene_schema;

void ffi_scene_def_default(ff_scene_def *def); ///< what holds where nothing is said

/// A sentence for the user.
typedef struct ffi_scene_warning {
  char *text;
  struct ffi_scene_warning *next;
} ffi_scene_warning;

/// Where a scene comes from: for messages with lines long after it was read.
typedef struct ffi_scene_source {
  ffi_arena arena;
  const char *file;
  ffi_yaml_node *root;
  ff_files *keep;       ///< takes what is read; may be NULL
  const ff_files *from; ///< read these and no others; NULL: the disk's
  ffi_scene_warning *warnings, *last_warning;
} ffi_scene_source;

/// Fail at a field: with the line of the field, or of what comes nearest to it in the file.
ff_status ffi_scene_fail(const ffi_scene_source *source, ff_status status, const char *path, ff_error *error,
                         const char *format, ...) __attribute__((format(printf, 5, 6)));

enum { FFI_SCENE_PATH = 256 }; ///< bytes of a path

/// A tree on its way into a structure.
typedef struct ffi_scene_filler {
  ffi_scene_source *source;
  ff_scene_def *def;
  ff_error *error;
  char path[FFI_SCENE_PATH]; ///< where it is, with indices
} ffi_scene_filler;

ff_status ffi_scene_fill_fail(ffi_scene_filler *f, const ffi_yaml_node *node, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/// The value of a scalar by a rule.
ff_status ffi_scene_fill_value(ffi_scene_filler *f, const ffi_yaml_node *node, const ff_value_rule *rule,
                               double *value);

/// One level down, to a key, or with key NULL to an entry of a list. Returns where the path ended, to cut it there
/// again.
size_t ffi_scene_fill_enter(ffi_scene_filler *f, const char *key, int index);

/// A map, or a word that stands for the field `first` of one; `first` may be NULL. The node is a map after it.
ff_status ffi_scene_fill_open(ffi_scene_filler *f, ffi_yaml_node *node, const char *first);

/// Refuse a key; `all` are the known ones, with commas between them, `meant` may be NULL.
ff_status ffi_scene_fill_unknown(ffi_scene_filler *f, const ffi_yaml_node *child, const char *meant,
                                 const char *all);

/// Check the tree and fill the structure, which has its defaults.
ff_status ffi_scene_fill(ffi_scene_source *source, ff_scene_def *def, ff_error *error);

/// Fill the options that a tree has below `stepper`.
ff_status ffi_scene_options_fill(ffi_scene_filler *f, ffi_yaml_node *node);

/// Put options of `stepper` that stand there by the last part of their key below their kind: order becomes
/// expo.order. Once for the file, by its own type, and once after overrides. What a file has beside a type that lacks
/// it is refused.
ff_status ffi_scene_options_sort(ffi_scene_source *source, ff_error *error);

/// The whole way from a file, or from `text` if there is one, to plain data, which lives as long as the source's
/// arena. Free that, also after a failure: ffi_arena_free().
ff_status ffi_scene_read(const char *path, const char *text, size_t length,
                         const ff_scene_override *overrides, int count, ffi_scene_source *source,
                         ff_scene_def **def, ff_error *error);

#endif
