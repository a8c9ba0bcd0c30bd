#define _POSIX_C_SOURCE 200809L
#include "cli/terminal.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// The variables a locale comes from: the first one that is set counts.
static int locale_is_utf8(void)
{
  static const char *const variables[] = {"LC_ALL", "LC_CTYPE", "LANG"};
  for (size_t i = 0; i < sizeof variables / sizeof variables[0]; ++i) {
    const char *value = getenv(variables[i]);
    if (value && *value)
      return strstr(value, "UTF-8") || strstr(value, "utf8") || strstr(value, "UTF8") ||
             strstr(value, "utf-8");
  }
  return 0;
}

ffi_terminal ffi_terminal_detect(void)
{
  const char *no_color = getenv("NO_COLOR"), *term = getenv("TERM");
  const int is_plain = (no_color && *no_color) || !term || strcmp(term, "dumb") == 0;
  return (ffi_terminal){.unicode = locale_is_utf8(), .color = !is_plain && isatty(STDOUT_FILENO)};
}

void ffi_terminal_look(const ffi_terminal *terminal, ffi_look look, FILE *out)
{
  static const char *const codes[] = {"\033[0m", "\033[1m", "\033[2m", "\033[36m", "\033[33m"};
  if (terminal->color)
    fputs(codes[look], out);
}

static int is_start_of_character(char c)
{
  return ((unsigned char)c & 0xc0) != 0x80;
}

int ffi_text_width(const char *text)
{
  int width = 0;
  for (; *text; ++text)
    width += is_start_of_character(*text);
  return width;
}

size_t ffi_text_bytes(const char *text, int width)
{
  const char *at = text;
  for (; *at; ++at) {
    if (is_start_of_character(*at) && width-- == 0)
      break;
  }
  return (size_t)(at - text);
}

// Bytes of the UTF-8 character that starts here, with its number; 0 if these bytes are none.
static int decode(const char *text, unsigned *character)
{
  static const unsigned least[] = {0, 0, 0x80, 0x800, 0x10000}; // what needs that many bytes
  const unsigned char first = (unsigned char)text[0];
  const int length = first < 0x80   ? 1
                     : first < 0xc0 ? 0
                     : first < 0xe0 ? 2
                     : first < 0xf0 ? 3
                     : first < 0xf8 ? 4
                                    : 0;
  unsigned c = length > 1 ? first & (0x7fu >> length) : first;
  for (int i = 1; i < length; ++i) {
    if (is_start_of_character(text[i])) // the end of the text too
      return 0;
    c = c << 6 | ((unsigned char)text[i] & 0x3fu);
  }
  *character = c;
  return c < least[length] || c > 0x10ffff || (c >= 0xd800 && c < 0xe000) ? 0 : length;
}

// The control characters C0, DEL and C1, which begin escape sequences; line and paragraph separators; what turns the
// direction of writing around, so that a text shows other than it is.
static int is_wild(unsigned c)
{
  return c < 0x20 || (c >= 0x7f && c < 0xa0) || (c >= 0x2028 && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069);
}

void ffi_text_tame(const ffi_terminal *terminal, char *text)
{
  char *to = text;
  for (const char *from = text; *from;) {
    unsigned c = 0;
    const int length = decode(from, &c);
    if (length == 0 || is_wild(c) || (length > 1 && !terminal->unicode)) {
      *to++ = '?';
      from += length > 0 ? length : 1;
    } else {
      for (int i = 0; i < length; ++i)
        *to++ = *from++;
    }
  }
  *to = '\0';
}

void ffi_text_wrap(const char *text, int first_column, int indent, FILE *out)
{
  ffi_text_wrap_at(text, first_column, indent, FFI_LINE_WIDTH, out);
}

void ffi_text_wrap_at(const char *text, int first_column, int indent, int most, FILE *out)
{
  int column = first_column, is_first = 1;
  while (*text) {
    const size_t length = strcspn(text, " ");
    int width = 0;
    for (size_t i = 0; i < length; ++i)
      width += is_start_of_character(text[i]);
    if (!is_first && column + 1 + width > most) {
      fprintf(out, "\n%*s", indent, "");
      column = indent;
    } else if (!is_first) {
      fputc(' ', out);
      ++column;
    }
    fwrite(text, 1, length, out);
    column += width;
    is_first = 0;
    text += length;
    text += strspn(text, " ");
  }
  fputc('\n', out);
}

void ffi_terminal_line(const ffi_terminal *terminal, const char *key, ffi_look look, char *text, FILE *out)
{
  enum { KEY_WIDTH = 12 };
  ffi_text_tame(terminal, text);
  ffi_terminal_look(terminal, FFI_LOOK_FAINT, out);
  fprintf(out, "%-*s", KEY_WIDTH, key);
  ffi_terminal_look(terminal, FFI_LOOK_PLAIN, out);
  if (look == FFI_LOOK_PLAIN) {
    ffi_text_wrap(text, KEY_WIDTH, KEY_WIDTH, out);
  } else { // a look ends with its line
    ffi_terminal_look(terminal, look, out);
    fputs(text, out);
    ffi_terminal_look(terminal, FFI_LOOK_PLAIN, out);
    fputc('\n', out);
  }
}

void ffi_terminal_print(const ffi_terminal *terminal, const char *key, const char *format, ...)
{
  char text[4096];
  va_list list;
  va_start(list, format);
  vsnprintf(text, sizeof text, format, list);
  va_end(list);
  ffi_terminal_line(terminal, key, FFI_LOOK_PLAIN, text, stdout);
}
