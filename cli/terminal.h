/// terminal.h: what the terminal can show, and text that fits it.
#ifndef FFI_APPS_TERMINAL_H
#define FFI_APPS_TERMINAL_H

#include <stddef.h>
#include <stdio.h>

enum { FFI_LINE_WIDTH = 100 }; ///< columns that output keeps to

typedef struct ffi_terminal {
  int unicode; ///< box characters and the like may be used
  int color;   ///< colours too
} ffi_terminal;

typedef enum ffi_look {
  FFI_LOOK_PLAIN,
  FFI_LOOK_STRONG,
  FFI_LOOK_FAINT,
  FFI_LOOK_NAME,
  FFI_LOOK_WARNING
} ffi_look;

/// What stdout can show. Unicode if the locale's variables say UTF-8. Colours only on a terminal, unless NO_COLOR is set
/// or TERM is "dumb".
ffi_terminal ffi_terminal_detect(void);

/// Switch a look on; FFI_LOOK_PLAIN switches all off. Writes nothing without colours.
void ffi_terminal_look(const ffi_terminal *terminal, ffi_look look, FILE *out);

/// Columns a text takes: its characters, each counted as one.
int ffi_text_width(const char *text);

/// Bytes that the first `width` columns of a text take.
size_t ffi_text_bytes(const char *text, int width);

/// Replace, in place and each by a question mark, what would disturb the terminal: control characters, what turns the
/// direction of writing around, bytes that are not UTF-8; and without Unicode all that is not ASCII.
void ffi_text_tame(const ffi_terminal *terminal, char *text);

/// Print a text in lines of FFI_LINE_WIDTH columns, broken at spaces, all lines but the first indented.
void ffi_text_wrap(const char *text, int first_column, int indent, FILE *out);

/// The same, in lines of `most` columns.
void ffi_text_wrap_at(const char *text, int first_column, int indent, int most, FILE *out);

/// A line of a summary: a faint key, and behind it a text, tamed in place: wrapped if it is plain, else in one line of that look.
void ffi_terminal_line(const ffi_terminal *terminal, const char *key, ffi_look look, char *text, FILE *out);

/// The same, plain, on stdout; the text is printf-like, cut at 4095 bytes.
void ffi_terminal_print(const ffi_terminal *terminal, const char *key, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
