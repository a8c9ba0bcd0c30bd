/// mutate.h: damaged files, drawn at random.
///
///     mutate.c         a case: a seed's file, damaged as its number says
///     mutate_seeds.c   the files to start from, by format
///     mutate_bytes.c   damage to any file: bytes, ends, pieces, UTF-8
///     mutate_text.c    damage to any text: numbers, words, quotes
///     mutate_xml.c     elements and attributes: doubled, removed, moved, renamed, nested
///     mutate_yaml.c    keys, blocks and values
///     mutate_binary.c  counts, floats and blocks of STL and HDF5
///     mutate_giant.c   files that are long, deep or circular
///
/// A case depends on the seed and its number alone.
#ifndef FFI_TESTS_MUTATE_H
#define FFI_TESTS_MUTATE_H

#include "bytes.h"

#include "support/random_state.h"

typedef enum mutate_format {
  MUTATE_URDF,
  MUTATE_MJCF,
  MUTATE_SCENE,
  MUTATE_TRAJECTORY,
  MUTATE_STL,
  MUTATE_OBJ,
  MUTATE_DAE,
  MUTATE_SRDF,
  MUTATE_LOG,
  MUTATE_FORMATS,
} mutate_format;

const char *mutate_format_name(mutate_format format);
const char *mutate_format_ending(mutate_format format);   ///< of its files: "urdf"
mutate_format mutate_format_named(const char *name);      ///< MUTATE_FORMATS: there is none
int mutate_format_is_text(mutate_format format);          ///< errors have a line
int mutate_is_text(mutate_format format, const bytes *b); ///< the same of this file: STL is either

/// The file of a case.
bytes mutate_case(mutate_format format, uint64_t number);

/// A file to start from; `number` chooses it.
bytes mutate_seeds_take(mutate_format format, int number);
int mutate_seeds_has(mutate_format format, const bytes *b); ///< is it one of them, unchanged?
void mutate_seeds_free(void);

void mutate_bytes(ffi_random *random, bytes *b);
void mutate_text(ffi_random *random, bytes *b);
void mutate_xml(ffi_random *random, bytes *b);
void mutate_yaml(ffi_random *random, bytes *b);
void mutate_stl(ffi_random *random, bytes *b);
void mutate_hdf5(ffi_random *random, bytes *b);

/// A file that is large in one respect. 0: there is none of this format.
int mutate_giant(ffi_random *random, mutate_format format, bytes *out);

/// An extreme number as text, and a place in [0, count).
const char *mutate_text_extreme(ffi_random *random);
size_t mutate_bytes_place(ffi_random *random, size_t count);

#endif
