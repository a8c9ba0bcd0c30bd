#include "view_page.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static char *read_all(const char *path)
{
  FILE *file = fopen(path, "rb");
  if (!file)
    fail_msg("%s cannot be read", path);
  fseek(file, 0, SEEK_END);
  const size_t size = (size_t)ftell(file);
  rewind(file);
  char *text = malloc(size + 1);
  assert_non_null(text);
  assert_int_equal(fread(text, 1, size, file), size);
  fclose(file);
  text[size] = '\0';
  return text;
}

// What stands between `open` and the end of that element; *at goes behind it. NULL: there is no more. Free it.
static char *next_script(const char **at, const char *open)
{
  const char *begin = strstr(*at, open);
  const char *end = begin ? strstr(begin, "</script>") : NULL;
  if (!end)
    return NULL;
  begin += strlen(open);
  const size_t length = (size_t)(end - begin);
  char *text = malloc(length + 1);
  assert_non_null(text);
  memcpy(text, begin, length);
  text[length] = '\0';
  *at = end;
  return text;
}

static int digit_value(char c)
{
  return c >= 'A' && c <= 'Z'   ? c - 'A'
         : c >= 'a' && c <= 'z' ? c - 'a' + 26
         : c >= '0' && c <= '9' ? c - '0' + 52
         : c == '+'             ? 62
         : c == '/'             ? 63
                                : -1;
}

static void decode(const char *text, ffi_page_run *run)
{
  unsigned bits = 0;
  int have = 0;
  run->bytes = malloc(strlen(text) + 1);
  assert_non_null(run->bytes);
  assert_int_equal(strlen(text) % 4, 0);
  for (; *text && *text != '='; ++text) {
    const int value = digit_value(*text);
    assert_true(value >= 0);
    bits = bits << 6 | (unsigned)value;
    have += 6;
    if (have >= 8)
      run->bytes[run->count++] = (unsigned char)(bits >> (have -= 8) & 255);
  }
}

ffi_page ffi_page_read(const char *path)
{
  ffi_page page = {.text = read_all(path)};
  const char *at = page.text;
  char *header, *arrays, why[200];
  while ((header = next_script(&at, "<script type=\"application/json\" class=\"run-header\">")) != NULL) {
    assert_true(page.run_count < FFI_PAGE_RUNS);
    ffi_page_run *run = &page.runs[page.run_count++];
    run->header = ffi_json_parse(header, why);
    if (!run->header)
      fail_msg("%s: run %d: %s", path, page.run_count, why);
    arrays = next_script(&at, "<script type=\"text/plain\" class=\"run-arrays\">");
    assert_non_null(arrays);
    decode(arrays, run);
    free(header);
    free(arrays);
  }
  return page;
}

void ffi_page_free(ffi_page *page)
{
  for (int i = 0; i < page->run_count; ++i) {
    ffi_json_free(page->runs[i].header);
    free(page->runs[i].bytes);
  }
  free(page->text);
}

static const ffi_json_value *piece(const ffi_page_run *run, const char *array)
{
  return ffi_json_get(ffi_json_get(run->header, "arrays"), array);
}

int ffi_page_count(const ffi_page_run *run, const char *array)
{
  return (int)ffi_json_at(piece(run, array), 1)->number / 4;
}

double ffi_page_number(const ffi_page_run *run, const char *array, int index)
{
  const size_t begin = (size_t)ffi_json_at(piece(run, array), 0)->number + 4 * (size_t)index;
  assert_true(index >= 0 && index < ffi_page_count(run, array));
  assert_true(begin + 4 <= run->count);
  const unsigned char *b = run->bytes + begin;
  const uint32_t bits = b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
  float value;
  memcpy(&value, &bits, sizeof value);
  return (double)value;
}

int ffi_page_signal(const ffi_page_run *run, const char *group, const char *name)
{
  int index = 0;
  for (const ffi_json_value *s = ffi_json_get(run->header, "signals")->first; s; s = s->next, ++index)
    if (strcmp(ffi_json_get(s, "group")->text, group) == 0 &&
        strcmp(ffi_json_get(s, "name")->text, name) == 0)
      return index;
  fail_msg("there is no signal '%s' in '%s'", name, group);
  return -1;
}

double ffi_page_value(const ffi_page_run *run, int row, int signal)
{
  return ffi_page_number(run, "rows", row * ffi_json_get(run->header, "signals")->count + signal);
}
