// A file in memory that can be edited.
#include "bytes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bytes bytes_of(const char *text, size_t count)
{
  bytes b = {.at = malloc(count + 1), .count = count, .room = count + 1};
  assert_non_null(b.at);
  if (count > 0)
    memcpy(b.at, text, count);
  b.at[count] = '\0';
  return b;
}

bytes bytes_read(const char *path)
{
  bytes b = bytes_of("", 0);
  char piece[4096];
  FILE *file = fopen(path, "rb");
  if (!file)
    fail_msg("%s cannot be opened", path);
  for (size_t got; (got = fread(piece, 1, sizeof piece, file)) > 0;)
    bytes_replace(&b, b.count, 0, piece, got);
  fclose(file);
  return b;
}

void bytes_write(const bytes *b, const char *path)
{
  FILE *file = fopen(path, "wb");
  if (!file || fwrite(b->at, 1, b->count, file) != b->count || fclose(file) != 0)
    fail_msg("%s cannot be written", path);
}

void bytes_free(bytes *b)
{
  free(b->at);
  *b = (bytes){0};
}

void bytes_replace(bytes *b, size_t from, size_t length, const char *text, size_t count)
{
  assert_true(from + length <= b->count);
  char *copy = malloc(count + 1); // the text may move with b
  assert_non_null(copy);
  if (count > 0)
    memcpy(copy, text, count);
  if (b->count - length + count + 1 > b->room) {
    b->room = 2 * (b->count + count) + 256;
    b->at = realloc(b->at, b->room);
    assert_non_null(b->at);
  }
  memmove(b->at + from + count, b->at + from + length, b->count - from - length);
  memcpy(b->at + from, copy, count);
  b->count += count;
  b->count -= length;
  b->at[b->count] = '\0';
  free(copy);
}

void bytes_insert(bytes *b, size_t from, const char *text)
{
  bytes_replace(b, from, 0, text, strlen(text));
}

void bytes_append(bytes *b, const char *format, ...)
{
  char text[4096];
  va_list arguments;
  va_start(arguments, format);
  const int length = vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  assert_in_range(length, 0, sizeof text - 1);
  bytes_replace(b, b->count, 0, text, (size_t)length);
}

void bytes_copy(bytes *b, span part, size_t to)
{
  bytes_replace(b, to, 0, b->at + part.from, part.length);
}

void bytes_swap(bytes *b, span one, span other)
{
  if (one.from > other.from) {
    const span first = other;
    other = one;
    one = first;
  }
  if (one.from + one.length > other.from)
    return;
  bytes kept = bytes_of(b->at + one.from, one.length);
  bytes later = bytes_of(b->at + other.from, other.length);
  bytes_replace(b, other.from, other.length, kept.at, kept.count);
  bytes_replace(b, one.from, one.length, later.at, later.count);
  bytes_free(&kept);
  bytes_free(&later);
}
