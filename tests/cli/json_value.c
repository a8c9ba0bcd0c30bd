// json_value.c: a recursive-descent parser of JSON that stops at the first violation of RFC 8259 and says why.
#include "cli/json_value.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

typedef struct parser {
  const char *start, *at;
  char *why;
  int depth;
} parser;

static ffi_json_value *parse_value(parser *p);

static void *refuse(parser *p, const char *reason)
{
  if (!p->why[0])
    snprintf(p->why, 200, "byte %ld: %s", (long)(p->at - p->start), reason);
  return NULL;
}

static void skip_space(parser *p)
{
  p->at += strspn(p->at, " \t\r\n");
}

static ffi_json_value *new_value(ffi_json_type type)
{
  ffi_json_value *value = calloc(1, sizeof *value);
  assert_non_null(value);
  value->type = type;
  return value;
}

void ffi_json_free(ffi_json_value *value)
{
  while (value) {
    ffi_json_value *next = value->next;
    ffi_json_free(value->first);
    free(value->text);
    free(value->key);
    free(value);
    value = next;
  }
}

static ffi_json_value *parse_word(parser *p)
{
  static const struct {
    const char *word;
    ffi_json_type type;
  } words[] = {{"null", FFI_JSON_NULL}, {"false", FFI_JSON_FALSE}, {"true", FFI_JSON_TRUE}};
  for (int i = 0; i < 3; ++i) {
    const size_t length = strlen(words[i].word);
    if (strncmp(p->at, words[i].word, length) == 0) {
      p->at += length;
      return new_value(words[i].type);
    }
  }
  return refuse(p, "no value");
}

static int skip_digits(parser *p)
{
  const size_t count = strspn(p->at, "0123456789");
  p->at += count;
  return count > 0;
}

// -? (0 | [1-9][0-9]*) (. [0-9]+)? ([eE] [+-]? [0-9]+)?
static ffi_json_value *parse_number(parser *p)
{
  const char *start = p->at;
  p->at += *p->at == '-';
  if (*p->at == '0')
    ++p->at;
  else if (!skip_digits(p))
    return refuse(p, "no digits");
  if (*p->at == '.') {
    ++p->at;
    if (!skip_digits(p))
      return refuse(p, "no digits behind the point");
  }
  if (*p->at == 'e' || *p->at == 'E') {
    ++p->at;
    p->at += *p->at == '+' || *p->at == '-';
    if (!skip_digits(p))
      return refuse(p, "no digits in the exponent");
  }
  ffi_json_value *value = new_value(FFI_JSON_NUMBER);
  value->number = strtod(start, NULL);
  return value;
}

// A code point as UTF-8; the basic plane is enough here.
static char *put_utf8(char *to, unsigned code)
{
  if (code < 0x80) {
    *to++ = (char)code;
  } else if (code < 0x800) {
    *to++ = (char)(0xc0 | (code >> 6));
    *to++ = (char)(0x80 | (code & 0x3f));
  } else {
    *to++ = (char)(0xe0 | (code >> 12));
    *to++ = (char)(0x80 | ((code >> 6) & 0x3f));
    *to++ = (char)(0x80 | (code & 0x3f));
  }
  return to;
}

static int parse_escape(parser *p, char **to)
{
  static const char letters[] = "\"\\/bfnrt", meanings[] = "\"\\/\b\f\n\r\t";
  const char *found = *p->at ? strchr(letters, *p->at) : NULL;
  if (found) {
    *(*to)++ = meanings[found - letters];
    ++p->at;
    return 1;
  }
  if (*p->at != 'u' || strspn(p->at + 1, "0123456789abcdefABCDEF") < 4)
    return refuse(p, "unknown escape") != NULL;
  char digits[5] = {p->at[1], p->at[2], p->at[3], p->at[4], 0};
  *to = put_utf8(*to, (unsigned)strtoul(digits, NULL, 16));
  p->at += 5;
  return 1;
}

static char *parse_string(parser *p)
{
  if (*p->at != '"')
    return refuse(p, "no string");
  ++p->at;
  char *text = malloc(strlen(p->at) + 1), *to = text; // escapes only ever shrink
  assert_non_null(text);
  while (*p->at != '"') {
    if ((unsigned char)*p->at < 0x20) {
      free(text);
      return refuse(p, "a control character in a string, or no end of it");
    }
    if (*p->at != '\\') {
      *to++ = *p->at++;
      continue;
    }
    ++p->at;
    if (!parse_escape(p, &to)) {
      free(text);
      return NULL;
    }
  }
  ++p->at;
  *to = '\0';
  return text;
}

static int has_key(const ffi_json_value *object, const char *key)
{
  for (const ffi_json_value *child = object->first; child; child = child->next) {
    if (strcmp(child->key, key) == 0)
      return 1;
  }
  return 0;
}

static ffi_json_value *parse_member(parser *p, const ffi_json_value *object)
{
  char *key = parse_string(p);
  if (!key)
    return NULL;
  skip_space(p);
  if (has_key(object, key) || *p->at != ':') {
    free(key);
    return refuse(p, "a key twice, or no colon");
  }
  ++p->at;
  ffi_json_value *value = parse_value(p);
  if (value)
    value->key = key;
  else
    free(key);
  return value;
}

static ffi_json_value *parse_children(parser *p, ffi_json_value *parent, char end)
{
  ffi_json_value **tail = &parent->first;
  ++p->at;
  skip_space(p);
  if (*p->at == end) {
    ++p->at;
    return parent;
  }
  for (;;) {
    skip_space(p);
    ffi_json_value *child = end == '}' ? parse_member(p, parent) : parse_value(p);
    if (!child)
      break;
    *tail = child;
    tail = &child->next;
    ++parent->count;
    skip_space(p);
    const char c = *p->at;
    if (c != ',' && c != end) {
      refuse(p, "neither a comma nor the end");
      break;
    }
    ++p->at;
    if (c == end)
      return parent;
  }
  ffi_json_free(parent);
  return NULL;
}

static ffi_json_value *parse_value(parser *p)
{
  ffi_json_value *value = NULL;
  if (++p->depth > 64)
    return refuse(p, "nested too deeply");
  skip_space(p);
  if (*p->at == '{') {
    value = parse_children(p, new_value(FFI_JSON_OBJECT), '}');
  } else if (*p->at == '[') {
    value = parse_children(p, new_value(FFI_JSON_ARRAY), ']');
  } else if (*p->at == '"') {
    char *text = parse_string(p);
    if (text) {
      value = new_value(FFI_JSON_STRING);
      value->text = text;
    }
  } else if (*p->at == '-' || (*p->at >= '0' && *p->at <= '9')) {
    value = parse_number(p);
  } else {
    value = parse_word(p);
  }
  --p->depth;
  return value;
}

ffi_json_value *ffi_json_parse(const char *text, char *why)
{
  parser p = {.start = text, .at = text, .why = why};
  why[0] = '\0';
  ffi_json_value *value = parse_value(&p);
  skip_space(&p);
  if (value && *p.at) {
    refuse(&p, "something behind the value");
    ffi_json_free(value);
    return NULL;
  }
  return value;
}

const ffi_json_value *ffi_json_get(const ffi_json_value *value, const char *key)
{
  if (value->type != FFI_JSON_OBJECT)
    fail_msg("no object where '%s' should be", key);
  for (const ffi_json_value *child = value->first; child; child = child->next) {
    if (strcmp(child->key, key) == 0)
      return child;
  }
  fail_msg("no '%s' in the object", key);
  return NULL;
}

const ffi_json_value *ffi_json_at(const ffi_json_value *value, int index)
{
  const ffi_json_value *child = value->type == FFI_JSON_ARRAY ? value->first : NULL;
  for (; child && index > 0; --index)
    child = child->next;
  if (!child)
    fail_msg("no item %d in the array", index);
  return child;
}
