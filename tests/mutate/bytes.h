/// bytes.h: a file in memory that can be edited, and pieces of it.
#ifndef FFI_TESTS_BYTES_H
#define FFI_TESTS_BYTES_H

#include <stddef.h>

/// The contents of a file. Free with bytes_free(). A zero lies behind the last byte.
typedef struct bytes {
  char *at;
  size_t count, room;
} bytes;

bytes bytes_of(const char *text, size_t count);
bytes bytes_read(const char *path); ///< a file of the disk; the test fails if there is none
void bytes_write(const bytes *b, const char *path);
void bytes_free(bytes *b);

/// Replace `length` bytes at `from` by `count` bytes of `text`, which may be part of `b`.
void bytes_replace(bytes *b, size_t from, size_t length, const char *text, size_t count);
void bytes_insert(bytes *b, size_t from, const char *text);
void bytes_append(bytes *b, const char *format, ...) __attribute__((format(printf, 2, 3)));

/// A part of a file.
typedef struct span {
  size_t from, length;
} span;

/// Put a copy of `part` before the byte `to`.
void bytes_copy(bytes *b, span part, size_t to);
/// Exchange two parts that do not overlap.
void bytes_swap(bytes *b, span one, span other);

#endif
