// Filling an ff_error: every part is cut to its field, and cut where it hurts least.
#include "base/fail.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

// Is this byte the middle of a UTF-8 character? A cut must not fall before one.
static int is_continuation(char c)
{
  return ((unsigned char)c & 0xC0u) == 0x80u;
}

// Copy the tail of `text`: of a long path the end says more than the beginning.
static void copy_tail(char *out, size_t room, const char *text)
{
  size_t length = strlen(text);
  if (length < room) {
    memcpy(out, text, length + 1);
    return;
  }
  const char *from = text + (length - (room - 1 - 3));
  while (is_continuation(*from))
    ++from;
  memcpy(out, "...", 3);
  memcpy(out + 3, from, strlen(from) + 1);
}

// Copy the head of `text`, ending in "..." if it does not fit.
static void copy_head(char *out, size_t room, const char *text)
{
  size_t length = strlen(text);
  if (length < room) {
    memcpy(out, text, length + 1);
    return;
  }
  size_t keep = room - 1 - 3;
  while (keep > 0 && is_continuation(text[keep]))
    --keep;
  memcpy(out, text, keep);
  memcpy(out + keep, "...", 4);
}

// A message is one line: what would break it becomes a space.
static void flatten(char *text)
{
  for (; *text; ++text)
    if ((unsigned char)*text < 0x20 || *text == 0x7f)
      *text = ' ';
}

ff_status ffi_fail(ff_error *error, ff_status status, const char *file, int line, const char *thing,
                   const char *format, ...)
{
  if (!error)
    return status;

  char text[2 * sizeof error->message];
  va_list arguments;
  va_start(arguments, format);
  int written = vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  if (written < 0)
    text[0] = '\0';

  char where[sizeof error->file + 16] = "";
  error->status = status;
  error->line = line > 0 ? line : 0;
  copy_tail(error->file, sizeof error->file, file ? file : "");
  copy_head(error->thing, sizeof error->thing, thing ? thing : "");
  if (error->file[0] && error->line)
    snprintf(where, sizeof where, "%s:%d: ", error->file, error->line);
  else if (error->file[0])
    snprintf(where, sizeof where, "%s: ", error->file);

  char whole[sizeof where + sizeof error->thing + sizeof text + 4];
  snprintf(whole, sizeof whole, "%s%s%s%s", where, error->thing, error->thing[0] ? ": " : "", text);
  copy_head(error->message, sizeof error->message, whole);
  flatten(error->message);
  flatten(error->thing);
  return status;
}
