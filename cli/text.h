/// text.h: UTF-8 text that fits the terminal: its width, line breaks, and nothing that disturbs the terminal.
#ifndef FFI_CLI_TEXT_H
#define FFI_CLI_TEXT_H

#include "cli/terminal.h"

#include <stddef.h>
#include <stdio.h>

enum { FFI_TEXT_LINE_WIDTH = 100 }; ///< columns that output keeps to

/// Columns that a text takes: its characters, each counted as one.
int ffi_text_width(const char *text);

/// Bytes that the first `width` columns of a text take.
size_t ffi_text_bytes(const char *text, int width);

/// Bytes of the UTF-8 character that starts here, and its code point; 0 if these bytes are not UTF-8.
int ffi_text_character(const char *text, unsigned *character);

/// Replace by question marks, in place: control characters, characters that change the direction of writing, bytes that
/// are not UTF-8, and on a terminal without Unicode everything that is not ASCII.
void ffi_text_sanitize(const ffi_terminal *terminal, char *text);

/// Print a text in lines of FFI_TEXT_LINE_WIDTH columns, broken at spaces, all lines but the first indented.
void ffi_text_wrap(const char *text, int first_column, int indent, FILE *out);

/// The same, in lines of `most` columns.
void ffi_text_wrap_at(const char *text, int first_column, int indent, int most, FILE *out);

#endif
