// Filling an ff_error: every part is cut to its field, where the least is lost.
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

// Bytes of the UTF-8 character at `text`; 0: it is none, or a control character beyond ASCII, which terminals obey.
static int character_at(const unsigned char *text)
{
  const unsigned char c = text[0];
  const int length = c < 0x80 ? 1 : c < 0xC2 ? 0 : c < 0xE0 ? 2 : c < 0xF0 ? 3 : c < 0xF5 ? 4 : 0;
  for (int i = 1; i < length; ++i)
    if ((text[i] & 0xC0u) != 0x80u)
      return 0;
  const int is_control = c == 0xC2 && text[1] < 0xA0;
  const int is_surrogate = c == 0xED && text[1] >= 0xA0; // these and the next have no character
  const int is_overlong = (c == 0xE0 && text[1] < 0xA0) || (c == 0xF0 && text[1] < 0x90);
  const int is_beyond = c == 0xF4 && text[1] >= 0x90;
  return is_control || is_surrogate || is_overlong || is_beyond ? 0 : length;
}

// Words quoted from a file, or cut within a character, may hold bytes that are no text: each becomes a question mark.
static void repair(char *text)
{
  for (char *c = text; *c;) {
    const int length = character_at((const unsigned char *)c);
    if (length == 0)
      *c = '?';
    c += length ? length : 1;
  }
}

// A message is one line: line breaks become spaces.
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
  repair(text);

  char where[sizeof error->file + 16] = "";
  error->status = status;
  error->line = line > 0 ? line : 0;
  copy_tail(error->file, sizeof error->file, file ? file : "");
  copy_head(error->thing, sizeof error->thing, thing ? thing : "");
  repair(error->thing);
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
