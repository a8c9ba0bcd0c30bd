/// json.h: write JSON, one value after the other.
///
/// Inside an object every value is preceded by its key; the writer puts commas and line breaks. Numbers are written with as
/// many digits as it takes to read back the same double; what JSON has no number for (infinities, NaN) becomes null.
#ifndef FFI_APPS_JSON_H
#define FFI_APPS_JSON_H

#include <stdio.h>

enum { FFI_JSON_DEPTH = 16 }; ///< deepest nesting

typedef struct ffi_json {
  FILE *out;
  int depth;
  int is_flat[FFI_JSON_DEPTH]; ///< everything on one line?
  int has_items[FFI_JSON_DEPTH];
  int follows_key;
} ffi_json;

void ffi_json_begin(ffi_json *json, FILE *out);
void ffi_json_end(ffi_json *json); ///< the newline at the end

/// Has anything been begun on stdout?
int ffi_json_is_on_stdout(void);

/// '{' or '['; a flat one, and all it contains, stays on one line.
void ffi_json_open(ffi_json *json, char bracket, int is_flat);
void ffi_json_close(ffi_json *json, char bracket);

void ffi_json_key(ffi_json *json, const char *key);
void ffi_json_text(ffi_json *json, const char *text); ///< UTF-8; NULL is null
void ffi_json_number(ffi_json *json, double value);
void ffi_json_integer(ffi_json *json, int value);
void ffi_json_boolean(ffi_json *json, int value);
void ffi_json_numbers(ffi_json *json, const double *values, int count); ///< an array on one line

/// A key and its value.
void ffi_json_put_text(ffi_json *json, const char *key, const char *text);
void ffi_json_put_number(ffi_json *json, const char *key, double value);
void ffi_json_put_integer(ffi_json *json, const char *key, int value);
void ffi_json_put_boolean(ffi_json *json, const char *key, int value);
void ffi_json_put_numbers(ffi_json *json, const char *key, const double *values, int count);
void ffi_json_put_open(ffi_json *json, const char *key, char bracket); ///< one that is not flat

#endif
