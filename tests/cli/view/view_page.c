// Reads pages back: script elements, base64, zlib, and the viewer's own layout of arrays.
#include "cli/view/view_page.h"

#include "cli/run_command.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

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

static size_t decode(const char *text, unsigned char *bytes)
{
  unsigned bits = 0;
  int have = 0;
  size_t count = 0;
  assert_int_equal(strlen(text) % 4, 0);
  for (; *text && *text != '='; ++text) {
    const int value = digit_value(*text);
    assert_true(value >= 0);
    bits = bits << 6 | (unsigned)value;
    have += 6;
    if (have >= 8)
      bytes[count++] = (unsigned char)(bits >> (have -= 8) & 255);
  }
  return count;
}

// The bytes of the next element of that name.
static void take_bytes(const char **at, const char *name, ffi_page_run *run, int which)
{
  char open[80];
  snprintf(open, sizeof open, "<script type=\"text/plain\" class=\"%s\">", name);
  char *text = next_script(at, open);
  assert_non_null(text);
  unsigned char *small = malloc(strlen(text) + 1);
  uLongf room = 40000000;
  run->bytes[which] = malloc(room);
  assert_true(small && run->bytes[which]);
  assert_int_equal(uncompress(run->bytes[which], &room, small, (uLong)decode(text, small)), Z_OK);
  run->count[which] = room;
  free(small);
  free(text);
}

ffi_page ffi_page_read(const char *path)
{
  ffi_page page = {.text = read_all(path)};
  const char *at = page.text;
  char *header, why[200];
  while ((header = next_script(&at, "<script type=\"application/json\" class=\"run-header\">")) != NULL) {
    assert_true(page.run_count < FFI_PAGE_RUNS);
    ffi_page_run *run = &page.runs[page.run_count++];
    run->header = ffi_json_parse(header, why);
    if (!run->header)
      fail_msg("%s: run %d: %s", path, page.run_count, why);
    take_bytes(&at, "run-arrays", run, 0);
    free(header);
  }
  for (int i = 0; i < page.run_count; ++i)
    take_bytes(&at, "run-rows", &page.runs[i], 1);
  return page;
}

void ffi_page_free(ffi_page *page)
{
  for (int i = 0; i < page->run_count; ++i) {
    ffi_json_free(page->runs[i].header);
    free(page->runs[i].bytes[0]);
    free(page->runs[i].bytes[1]);
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

// Numbers of a row, of which the array has many.
static size_t width(const ffi_page_run *run, const char *array)
{
  return strcmp(array, "poses") == 0      ? 7 * (size_t)ffi_json_get(run->header, "links")->count
         : strcmp(array, "contacts") == 0 ? 12
         : strcmp(array, "rows") == 0     ? (size_t)ffi_json_get(run->header, "signals")->count
                                          : 1;
}

// Column after column; of a column byte after byte, each of all rows.
double ffi_page_number(const ffi_page_run *run, const char *array, int index)
{
  const size_t begin = (size_t)ffi_json_at(piece(run, array), 0)->number, columns = width(run, array);
  const size_t rows = (size_t)ffi_page_count(run, array) / columns, row = (size_t)index / columns;
  const int which = strncmp(array, "row", 3) == 0;
  uint32_t bits = 0;
  assert_true(index >= 0 && index < ffi_page_count(run, array));
  for (size_t k = 0; k < 4; ++k) {
    const size_t at = begin + ((size_t)index % columns * 4 + k) * rows + row;
    assert_true(at < run->count[which]);
    bits |= (uint32_t)run->bytes[which][at] << 8 * k;
  }
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

void ffi_page_need_viewer(void)
{
  static int is_there = -1;
  if (is_there < 0) {
    ffi_output output = ffi_run("",
                                "view --no-open -o '%s/any.html' --duration 0 '" FFI_TEST_SOURCE_DIR
                                "/models/sliding_block.urdf'",
                                ffi_scratch_folder());
    is_there = output.status == 0;
    if (!is_there)
      assert_non_null(strstr(output.err, "built without its viewer"));
    ffi_output_free(&output);
  }
  if (!is_there)
    skip();
}
