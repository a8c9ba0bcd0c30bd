#include "cli/json.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static int is_on_stdout;

int ffi_json_is_on_stdout(void)
{
  return is_on_stdout;
}

void ffi_json_begin(ffi_json *json, FILE *out)
{
  is_on_stdout |= out == stdout;
  *json = (ffi_json){.out = out};
}

void ffi_json_end(ffi_json *json)
{
  assert(json->depth == 0);
  fputc('\n', json->out);
}

static void new_line(ffi_json *json)
{
  fprintf(json->out, "\n%*s", 2 * json->depth, "");
}

// What comes before a value or a key: a comma, a line break.
static void separate(ffi_json *json)
{
  if (json->follows_key) {
    json->follows_key = 0;
    return;
  }
  const int flat = json->is_flat[json->depth];
  if (json->has_items[json->depth])
    fputs(flat ? ", " : ",", json->out);
  if (json->depth > 0 && !flat)
    new_line(json);
  json->has_items[json->depth] = 1;
}

void ffi_json_open(ffi_json *json, char bracket, int is_flat)
{
  separate(json);
  fputc(bracket, json->out);
  assert(json->depth + 1 < FFI_JSON_DEPTH);
  const int flat = is_flat || json->is_flat[json->depth];
  ++json->depth;
  json->is_flat[json->depth] = flat;
  json->has_items[json->depth] = 0;
}

void ffi_json_close(ffi_json *json, char bracket)
{
  const int on_own_line = !json->is_flat[json->depth] && json->has_items[json->depth];
  assert(json->depth > 0);
  --json->depth;
  if (on_own_line)
    new_line(json);
  fputc(bracket, json->out);
}

// Bytes of the UTF-8 character that starts here, 0 if none does: the file system's names may hold any bytes.
static int character_bytes(const char *text)
{
  const unsigned char *c = (const unsigned char *)text;
  const int bytes = c[0] < 0x80   ? 1
                    : c[0] < 0xc2 ? 0
                    : c[0] < 0xe0 ? 2
                    : c[0] < 0xf0 ? 3
                    : c[0] < 0xf5 ? 4
                                  : 0;
  for (int i = 1; i < bytes; ++i) {
    if ((c[i] & 0xc0) != 0x80)
      return 0;
  }
  const int is_overlong = (c[0] == 0xe0 && c[1] < 0xa0) || (c[0] == 0xf0 && c[1] < 0x90);
  const int is_no_character = (c[0] == 0xed && c[1] > 0x9f) || (c[0] == 0xf4 && c[1] > 0x8f);
  return is_overlong || is_no_character ? 0 : bytes;
}

static void put_string(ffi_json *json, const char *text)
{
  fputc('"', json->out);
  while (*text) {
    const int bytes = character_bytes(text);
    const unsigned char c = (unsigned char)*text;
    if (bytes == 0)
      fputs("\\ufffd", json->out);
    else if (c == '"' || c == '\\')
      fprintf(json->out, "\\%c", c);
    else if (c < 0x20 || c == 0x7f)
      fprintf(json->out, "\\u%04x", c);
    else
      fwrite(text, 1, (size_t)bytes, json->out);
    text += bytes ? bytes : 1;
  }
  fputc('"', json->out);
}

void ffi_json_key(ffi_json *json, const char *key)
{
  separate(json);
  put_string(json, key);
  fputs(": ", json->out);
  json->follows_key = 1;
}

void ffi_json_text(ffi_json *json, const char *text)
{
  separate(json);
  if (text)
    put_string(json, text);
  else
    fputs("null", json->out);
}

// Fifteen digits are enough for what people write, seventeen for every double.
void ffi_json_number(ffi_json *json, double value)
{
  char text[40];
  separate(json);
  if (!isfinite(value)) {
    fputs("null", json->out);
    return;
  }
  for (int digits = 15; digits <= 17; ++digits) {
    snprintf(text, sizeof text, "%.*g", digits, value + 0.0); // minus zero is zero
    if (strtod(text, NULL) == value)
      break;
  }
  fputs(text, json->out);
}

void ffi_json_integer(ffi_json *json, int value)
{
  separate(json);
  fprintf(json->out, "%d", value);
}

void ffi_json_boolean(ffi_json *json, int value)
{
  separate(json);
  fputs(value ? "true" : "false", json->out);
}

void ffi_json_numbers(ffi_json *json, const double *values, int count)
{
  ffi_json_open(json, '[', 1);
  for (int i = 0; i < count; ++i)
    ffi_json_number(json, values[i]);
  ffi_json_close(json, ']');
}

void ffi_json_put_text(ffi_json *json, const char *key, const char *text)
{
  ffi_json_key(json, key);
  ffi_json_text(json, text);
}

void ffi_json_put_number(ffi_json *json, const char *key, double value)
{
  ffi_json_key(json, key);
  ffi_json_number(json, value);
}

void ffi_json_put_integer(ffi_json *json, const char *key, int value)
{
  ffi_json_key(json, key);
  ffi_json_integer(json, value);
}

void ffi_json_put_boolean(ffi_json *json, const char *key, int value)
{
  ffi_json_key(json, key);
  ffi_json_boolean(json, value);
}

void ffi_json_put_numbers(ffi_json *json, const char *key, const double *values, int count)
{
  ffi_json_key(json, key);
  ffi_json_numbers(json, values, count);
}

void ffi_json_put_open(ffi_json *json, const char *key, char bracket)
{
  ffi_json_key(json, key);
  ffi_json_open(json, bracket, 0);
}
