/// yaml.h: a YAML document as a tree that knows its lines.
///
/// A document is read with libyaml's parser, once. The tree can be changed (by an override of the command line) and
/// printed; every node has its line. Nodes live in an arena.
///
/// Refused, with file and line: malformed YAML, more than one document, aliases, keys that are no plain words,
/// duplicate keys, nesting beyond FFI_YAML_DEPTH.
#ifndef FFI_IO_YAML_H
#define FFI_IO_YAML_H

#include "base/arena.h"

#include <footfall/status.h>

#include <stddef.h>

enum { FFI_YAML_DEPTH = 16, FFI_YAML_NODES = 2000000, FFI_YAML_KEYS = 10000 };

typedef enum ffi_yaml_kind { FFI_YAML_SCALAR, FFI_YAML_MAP, FFI_YAML_LIST } ffi_yaml_kind;

typedef struct ffi_yaml_node {
  ffi_yaml_kind kind;
  int line;         ///< 1-based; 0: not from the file
  const char *said; ///< the override that put it there, in the user's words; NULL: it is from the file
  const char *key;  ///< in the map that holds it, else NULL
  const char *was;  ///< the key that the file has for it, where that is an old one; else NULL
  const char *text; ///< of a scalar, never NULL for one
  int count;        ///< of what a map or a list holds
  struct ffi_yaml_node *first, *last, *next;
} ffi_yaml_node;

/// A whole document. `file` is for messages.
ff_status ffi_yaml_read(ffi_arena *arena, const char *file, const char *text, size_t length,
                        ffi_yaml_node **root, ff_error *error);

ffi_yaml_node *ffi_yaml_make(ffi_arena *arena, ffi_yaml_kind kind, const char *key); ///< NULL: no memory
void ffi_yaml_append(ffi_yaml_node *holder, ffi_yaml_node *child);
ffi_yaml_node *ffi_yaml_get(const ffi_yaml_node *map, const char *key); ///< NULL if there is none

/// Make a node the only entry of a list that takes its place. 0: no memory.
int ffi_yaml_edit_enlist(ffi_arena *arena, ffi_yaml_node *node);

enum { FFI_YAML_PART = 128 }; ///< bytes of a part of a path

/// The next part of a path, "ground[0].size" having "ground", "0" and "size". Returns the rest, NULL if there was no
/// part or it is too long.
const char *ffi_yaml_path_part(const char *path, char part[FFI_YAML_PART]);
int ffi_yaml_as_index(const char *part, long long *index); ///< 0 if it is no whole number
ffi_yaml_node *ffi_yaml_step_into(const ffi_yaml_node *node, const char *part); ///< NULL if there is none

/// The node at a path, "ground[0].size[2]" or "ground.0.size.2"; where the path leaves the tree, the last node on it.
const ffi_yaml_node *ffi_yaml_nearest(const ffi_yaml_node *root, const char *path);

/// Set the node at `path` to `value`, which is YAML itself: 2ms, [0, 0, 1], {kp: 3}. Missing maps are made; of a list
/// only entries that exist and the one after the last can be set. Where a path has an index in brackets and the tree
/// one map or word, that is a list of one.
ff_status ffi_yaml_edit_set(ffi_arena *arena, ffi_yaml_node *root, const char *path, const char *value,
                            const char *said, ff_error *error);

/// The tree as YAML for people, in lines; words without quotes where they mean the same. malloc'ed, the caller frees
/// it. NULL: no memory.
char *ffi_yaml_write(const ffi_yaml_node *root, size_t *length);

#endif
