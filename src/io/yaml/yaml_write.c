// A tree as text again, for people.
#include "io/yaml/yaml.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct page {
  char *data; // NULL: only measured
  size_t used;
} page;

static void put_bytes(page *p, const char *text, size_t length)
{
  if (p->data)
    memcpy(p->data + p->used, text, length);
  p->used += length;
}

static void put_quoted(page *p, const char *text)
{
  put_bytes(p, "\"", 1);
  for (; *text; ++text) {
    char code[8];
    const unsigned char c = (unsigned char)*text;
    if (c == '"' || c == '\\')
      put_bytes(p, code, (size_t)snprintf(code, sizeof code, "\\%c", c));
    else if (c < 0x20 || c == 0x7f)
      put_bytes(p, code, (size_t)snprintf(code, sizeof code, "\\x%02x", c));
    else
      put_bytes(p, text, 1);
  }
  put_bytes(p, "\"", 1);
}

// Does a word mean itself without quotes, inside [] and {} too?
static int is_plain(const char *text)
{
  static const char first[] = "-?:,[]{}#&*!|>'\"%@` ";
  const size_t length = strlen(text);
  if (length == 0 || text[length - 1] == ' ' || text[length - 1] == ':')
    return 0;
  const int is_number = text[0] == '-' && length > 1 && strchr("0123456789.", text[1]);
  if (strchr(first, text[0]) && !is_number)
    return 0;
  for (; *text; ++text)
    if ((unsigned char)*text < 0x20 || *text == 0x7f || strchr(",[]{}", *text) ||
        (*text == ':' && text[1] == ' ') || (*text == ' ' && text[1] == '#'))
      return 0;
  return 1;
}

static void put_word(page *p, const char *text)
{
  if (is_plain(text))
    put_bytes(p, text, strlen(text));
  else
    put_quoted(p, text);
}

// Lists of words and empty things fit in a line.
static int is_short(const ffi_yaml_node *node)
{
  for (const ffi_yaml_node *child = node->first; child; child = child->next)
    if (node->kind == FFI_YAML_MAP || child->kind != FFI_YAML_SCALAR)
      return 0;
  return 1;
}

static void put_short(page *p, const ffi_yaml_node *node)
{
  put_bytes(p, node->kind == FFI_YAML_MAP ? "{" : "[", 1);
  for (const ffi_yaml_node *child = node->first; child; child = child->next) {
    put_word(p, child->text);
    put_bytes(p, ", ", child->next ? 2 : 0);
  }
  put_bytes(p, node->kind == FFI_YAML_MAP ? "}" : "]", 1);
}

static void put_indent(page *p, int depth)
{
  for (int i = 0; i < depth; ++i)
    put_bytes(p, "  ", 2);
}

// What a map or a list holds, each in lines of its own; the first goes on where the line is if that is after a dash.
static void put_lines(page *p, const ffi_yaml_node *node, int depth, int is_begun)
{
  for (const ffi_yaml_node *child = node->first; child; child = child->next) {
    put_indent(p, is_begun ? 0 : depth);
    is_begun = 0;
    if (child->key) {
      put_word(p, child->key);
      put_bytes(p, ":", 1);
    } else {
      put_bytes(p, "-", 1);
    }
    const int is_word = child->kind == FFI_YAML_SCALAR;
    if (is_word || is_short(child)) {
      put_bytes(p, " ", 1);
      if (is_word)
        put_word(p, child->text);
      else
        put_short(p, child);
      put_bytes(p, "\n", 1);
    } else {
      put_bytes(p, child->key ? "\n" : " ", 1);
      put_lines(p, child, depth + 1, !child->key);
    }
  }
}

char *ffi_yaml_write(const ffi_yaml_node *root, size_t *length)
{
  page p = {0};
  put_lines(&p, root, 0, 0);
  *length = p.used;
  p = (page){.data = malloc(p.used + 1)};
  if (!p.data)
    return NULL;
  put_lines(&p, root, 0, 0);
  p.data[p.used] = '\0';
  return p.data;
}
