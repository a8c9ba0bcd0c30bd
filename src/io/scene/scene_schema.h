/// scene_schema.h: the fields that a scene's file may have: keys, kinds, units, ranges, where they go in ff_scene_def.
#ifndef FFI_IO_SCENE_SCHEMA_H
#define FFI_IO_SCENE_SCHEMA_H

#include <footfall/scene.h>
#include <footfall/value.h>

#include <stddef.h>

/// The kind of a field's content.
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
  int can_be_empty;                ///< texts: of no letters
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
  const void *initial; ///< of lists: the defaults of an entry
};

extern const ffi_scene_schema_map ffi_scene_schema; ///< the whole file

enum { FFI_SCENE_SCHEMA_PATH = 256 }; ///< bytes of a field's path

#endif
