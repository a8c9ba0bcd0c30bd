// Colours and lines of a terminal.
#define _POSIX_C_SOURCE 200809L
#include "cli/terminal.h"

#include "cli/text.h"

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

void ffi_terminal_set_style(const ffi_terminal *terminal, ffi_terminal_style style, FILE *out)
{
  static const char *const codes[] = {"\033[0m", "\033[1m", "\033[2m", "\033[36m", "\033[33m"};
  if (terminal->color)
    fputs(codes[style], out);
}

void ffi_terminal_line(const ffi_terminal *terminal, const char *key, ffi_terminal_style style, char *text,
                       FILE *out)
{
  enum { KEY_WIDTH = 12 };
  ffi_text_sanitize(terminal, text);
  ffi_terminal_set_style(terminal, FFI_TERMINAL_FAINT, out);
  fprintf(out, "%-*s", KEY_WIDTH, key);
  ffi_terminal_set_style(terminal, FFI_TERMINAL_PLAIN, out);
  if (style == FFI_TERMINAL_PLAIN) {
    ffi_text_wrap(text, KEY_WIDTH, KEY_WIDTH, out);
  } else { // the style ends with its line
    ffi_terminal_set_style(terminal, style, out);
    fputs(text, out);
    ffi_terminal_set_style(terminal, FFI_TERMINAL_PLAIN, out);
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
  ffi_terminal_line(terminal, key, FFI_TERMINAL_PLAIN, text, stdout);
}
