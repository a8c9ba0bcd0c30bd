/// terminal.h: what the terminal can show: Unicode, colours; and lines of a summary on it.
#ifndef FFI_CLI_TERMINAL_H
#define FFI_CLI_TERMINAL_H

#include <stdio.h>

typedef struct ffi_terminal {
  int unicode; ///< box characters and the like may be used
  int color;   ///< colours may be used
} ffi_terminal;

typedef enum ffi_terminal_style {
  FFI_TERMINAL_PLAIN,
  FFI_TERMINAL_STRONG,
  FFI_TERMINAL_FAINT,
  FFI_TERMINAL_NAME,
  FFI_TERMINAL_WARNING
} ffi_terminal_style;

/// What stdout can show. Unicode if the locale's variables say UTF-8. Colours only on a terminal, unless NO_COLOR is
/// set or TERM is "dumb".
ffi_terminal ffi_terminal_detect(void);

/// Switch a style on; FFI_TERMINAL_PLAIN switches all off. Writes nothing on a terminal without colours.
void ffi_terminal_set_style(const ffi_terminal *terminal, ffi_terminal_style style, FILE *out);

/// A line of a summary: a faint key, and behind it a text, which is sanitized in place. A plain text is wrapped; others
/// stay on one line.
void ffi_terminal_line(const ffi_terminal *terminal, const char *key, ffi_terminal_style style, char *text,
                       FILE *out);

/// The same, plain, on stdout; the text is printf-like, cut at 4095 bytes.
void ffi_terminal_print(const ffi_terminal *terminal, const char *key, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
