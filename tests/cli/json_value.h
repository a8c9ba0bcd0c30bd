/// json_value.h: a strict reader of JSON (RFC 8259), to check what the command writes.
///
/// Strict: no trailing commas, no duplicate keys in an object, no control characters in strings, nothing behind the
/// value.
#ifndef FFI_TESTS_JSON_VALUE_H
#define FFI_TESTS_JSON_VALUE_H

typedef enum ffi_json_type {
  FFI_JSON_NULL,
  FFI_JSON_FALSE,
  FFI_JSON_TRUE,
  FFI_JSON_NUMBER,
  FFI_JSON_STRING,
  FFI_JSON_ARRAY,
  FFI_JSON_OBJECT,
} ffi_json_type;

typedef struct ffi_json_value {
  ffi_json_type type;
  double number;
  char *text;                   ///< of a string, escapes resolved
  char *key;                    ///< of a member of an object
  struct ffi_json_value *first; ///< of the children of an array or object
  struct ffi_json_value *next;  ///< sibling
  int count;                    ///< children
} ffi_json_value;

/// The value, or NULL with a reason in `why` [200 bytes].
ffi_json_value *ffi_json_parse(const char *text, char *why);
void ffi_json_free(ffi_json_value *value);

/// A member of an object by key or an item of an array by index; a failed test if there is none.
const ffi_json_value *ffi_json_get(const ffi_json_value *value, const char *key);
const ffi_json_value *ffi_json_at(const ffi_json_value *value, int index);

#endif
