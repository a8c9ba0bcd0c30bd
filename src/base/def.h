/// def.h: defs that can grow: programs and libraries of different age understand each other.
///
/// A public def begins with `size_t size`: its sizeof where the program was compiled. `ff_x_def_init(def,
/// size)`, which is in the library, writes defaults into it; `ff_x_def_default()` is inline in the header and
/// calls that, so no struct is passed by value between the two. A function that takes a def copies it first
/// by ffi_def_take():
///
///     program older than the library   its def is shorter: fields that it does not know have their defaults
///     program newer than the library   its def is longer: fields that the library does not know must be zero, as
///                                      ff_x_def_init() left them
///
/// Fields are added at the end, from the old sizeof on. docs/decisions/0020-defs-can-grow.md has the reasons.
#ifndef FFI_BASE_DEF_H
#define FFI_BASE_DEF_H

#include <footfall/status.h>

#include <stddef.h>

/// What the library knows of a def: its name for messages, its size, and its defaults, whose own `size` does
/// not matter.
typedef struct ffi_def_kind {
  const char *name; ///< "ff_sim_def"
  size_t size;      ///< sizeof in this library
  const void *defaults;
} ffi_def_kind;

/// Write the defaults into a user's def of `size` bytes, and that size. What the library does not know
/// becomes zero. A size that has no room for itself leaves all as it is.
void ffi_def_init(void *def, size_t size, const ffi_def_kind *kind);

/// A user's def to `out` [kind->size bytes], whole: what it lacks has its default; NULL is all defaults.
/// FF_ERROR_ARGUMENT for a size that no def has, FF_ERROR_UNSUPPORTED for fields in use that this library
/// does not have.
ff_status ffi_def_take(const void *def, const ffi_def_kind *kind, void *out, ff_error *error);

/// The other way round, for functions that fill a user's def, whose `size` is set: a whole one of the
/// library's to as many bytes as the user has; fields that the library does not know become zero. A size that no
/// def has leaves all as it is.
void ffi_def_give(const void *whole, const ffi_def_kind *kind, void *def);

#endif
