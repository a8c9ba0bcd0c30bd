// A folder of bad files and what each must be refused with.
#include "corpus.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/alloc_counter.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// ---- The table ----------------------------------------------------------------------------------------------

typedef struct expectation {
  char file[128];
  ff_status status;
  int line;
  char fragment[256];
} expectation;

static ff_status status_named(const char *name)
{
  static const struct {
    const char *name;
    ff_status status;
  } names[] = {{"file", FF_ERROR_FILE},
               {"parse", FF_ERROR_PARSE},
               {"model", FF_ERROR_MODEL},
               {"unsupported", FF_ERROR_UNSUPPORTED},
               {"limit", FF_ERROR_LIMIT}};
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
    if (strcmp(names[i].name, name) == 0)
      return names[i].status;
  }
  fail_msg("the table has an unknown status '%s'", name);
  return FF_OK;
}

// Next row of the table; returns 0 at its end.
static int next_row(FILE *table, expectation *row)
{
  char line[600];
  while (fgets(line, sizeof line, table)) {
    char status[32];
    int at = 0;
    line[strcspn(line, "\r\n")] = 0;
    if (line[0] == '#' || line[0] == 0)
      continue;
    assert_int_equal(sscanf(line, "%127s %31s %d %n", row->file, status, &row->line, &at), 3);
    row->status = status_named(status);
    snprintf(row->fragment, sizeof row->fragment, "%s", line + at);
    return 1;
  }
  return 0;
}

static FILE *open_table(const corpus *c)
{
  char path[512];
  snprintf(path, sizeof path, "%s/expected.txt", c->folder);
  FILE *table = fopen(path, "r");
  assert_non_null(table);
  return table;
}

// "file:line: " at the start, in one line.
static int starts_right(const expectation *row, const ff_error *error)
{
  char start[600];
  snprintf(start, sizeof start, row->line ? "%s:%d: " : "%s: ", error->file, row->line);
  return strncmp(error->message, start, strlen(start)) == 0 && !strchr(error->message, '\n');
}

// The file of the row, unless the fragment, which is in the message, says which one.
static int names_its_file(const corpus *c, const expectation *row, const ff_error *error)
{
  char other[32];
  snprintf(other, sizeof other, "%s:", c->ending);
  return strstr(error->file, row->file) || strstr(row->fragment, other);
}

// Is the file refused as it should be? Prints what differs.
static int is_as_expected(const corpus *c, const expectation *row)
{
  char path[512];
  ff_error error = {0};
  ff_model *model = (ff_model *)(uintptr_t)1; // must become NULL
  snprintf(path, sizeof path, "%s/%s", c->folder, row->file);
  const ff_status status = ff_model_load(path, NULL, &model, &error);
  const int is_right = status == row->status && error.status == status && error.line == row->line && !model &&
                       strstr(error.message, row->fragment) && starts_right(row, &error) &&
                       names_its_file(c, row, &error);
  if (!is_right)
    print_error(
        "%s: expected status %d, line %d, '%s'\n    got status %d, line %d, model %p, file '%s', '%s'\n",
        row->file, (int)row->status, row->line, row->fragment, (int)status, error.line, (const void *)model,
        error.file, error.message);
  model = NULL;
  assert_int_equal(ff_model_load(path, NULL, &model, NULL), row->status); // without an ff_error
  assert_null(model);
  return is_right;
}

void every_file_is_refused_as_its_table_says(void **state)
{
  const corpus *c = *state;
  FILE *table = open_table(c);
  expectation row;
  int count = 0, wrong = 0;
  for (; next_row(table, &row); ++count)
    wrong += !is_as_expected(c, &row);
  fclose(table);
  print_message("%d malformed files\n", count);
  assert_int_equal(wrong, 0);
  assert_true(count >= c->least);
}

static int is_in_table(const corpus *c, const char *file)
{
  FILE *table = open_table(c);
  expectation row;
  int is_found = 0;
  while (!is_found && next_row(table, &row))
    is_found = strcmp(row.file, file) == 0;
  fclose(table);
  return is_found;
}

void no_file_is_left_out_of_the_table(void **state)
{
  const corpus *c = *state;
  DIR *folder = opendir(c->folder);
  assert_non_null(folder);
  for (const struct dirent *entry; (entry = readdir(folder));) {
    const char *ending = strrchr(entry->d_name, '.');
    if (ending && strcmp(ending, c->ending) == 0 && !is_in_table(c, entry->d_name))
      fail_msg("%s is not in expected.txt", entry->d_name);
  }
  closedir(folder);
}

// ---- Damage -------------------------------------------------------------------------------------------------

static ff_status load(const char *data, size_t length, ff_error *error)
{
  ff_model *model = NULL;
  const ff_status status = ff_model_load_memory(data, length, "damaged", NULL, &model, error);
  assert_true((status == FF_OK) == (model != NULL));
  ff_model_destroy(model);
  return status;
}

// Room for a damaged text: no byte more than asked for, so that reading beyond the end is seen.
static char *new_copy(const char *data, size_t length)
{
  char *copy = malloc(length ? length : 1);
  assert_non_null(copy);
  memcpy(copy, data, length);
  return copy;
}

void the_good_file_is_good(void **state)
{
  const corpus *c = *state;
  ff_error error = {0};
  if (load(c->good, c->length, &error) != FF_OK)
    fail_msg("%s", error.message);
}

void every_truncation_is_refused(void **state)
{
  const corpus *c = *state;
  const size_t whole = c->length - strlen(">\n"); // without the very last '>' it is not a document yet
  for (size_t n = 0; n <= whole; ++n) {
    ff_error error = {0};
    char *copy = new_copy(c->good, n);
    const ff_status status = load(copy, n, &error);
    free(copy);
    if (status != FF_ERROR_PARSE)
      fail_msg("the first %zu bytes: status %d, %s", n, (int)status, error.message);
  }
}

void no_single_wrong_byte_does_harm(void **state)
{
  const corpus *c = *state;
  for (size_t at = 0; at < c->length; ++at) {
    ff_error error = {0};
    char *copy = new_copy(c->good, c->length);
    copy[at] = c->wrong[at % c->wrong_count];
    const ff_status status = load(copy, c->length, &error);
    free(copy);
    assert_in_range(status, FF_OK, FF_ERROR_NUMERIC);
    assert_true(status == FF_OK || error.message[0]);
  }
}

void no_missing_piece_does_harm(void **state)
{
  const corpus *c = *state;
  for (size_t at = 0; at + c->cut_longest + 2 < c->length; at += c->cut_step) {
    const size_t cut = 1 + at % c->cut_longest;
    ff_error error = {0};
    char *copy = new_copy(c->good, c->length - cut);
    memcpy(copy + at, c->good + at + cut, c->length - at - cut);
    load(copy, c->length - cut, &error);
    free(copy);
  }
}

void fail_in_turn(const corpus *c, const char *path)
{
  for (long n = 1;; ++n) {
    ff_error error = {0};
    ff_model *model = NULL;
    ffi_test_alloc_fail_at(n);
    const ff_status status = path ? ff_model_load(path, NULL, &model, &error)
                                  : ff_model_load_memory(c->good, c->length, "good", NULL, &model, &error);
    const int has_failed = ffi_test_alloc_failed();
    // Where a thing comes from is remembered as well as memory allows; that alone is no failure.
    if (status != FF_OK && (status != FF_ERROR_MEMORY || !has_failed))
      fail_msg("allocation %ld: status %d, %s", n, (int)status, error.message);
    assert_true((status == FF_OK) == (model != NULL));
    ff_model_destroy(model);
    if (!has_failed) {
      print_message("%ld allocations failed in turn\n", n - 1);
      return;
    }
  }
}

// ---- Giants -------------------------------------------------------------------------------------------------

void append(text *t, const char *format, ...)
{
  va_list arguments;
  if (t->room - t->length < 4096) {
    t->room = 2 * t->room + 8192;
    t->data = realloc(t->data, t->room);
    assert_non_null(t->data);
  }
  va_start(arguments, format);
  t->length += (size_t)vsnprintf(t->data + t->length, 4096, format, arguments);
  va_end(arguments);
}

void append_times(text *t, int count, const char *piece)
{
  const size_t length = strlen(piece);
  t->room = t->length + (size_t)count * length + 8192;
  t->data = realloc(t->data, t->room);
  assert_non_null(t->data);
  for (int i = 0; i < count; ++i, t->length += length)
    memcpy(t->data + t->length, piece, length);
}

void refuse(text *t, ff_status expected, const char *fragment)
{
  ff_error error = {0};
  ff_model *model = NULL;
  struct timespec begin, end;
  timespec_get(&begin, TIME_UTC);
  const ff_status status = ff_model_load_memory(t->data, t->length, "giant", NULL, &model, &error);
  timespec_get(&end, TIME_UTC);
  free(t->data);
  if (status != expected || !strstr(error.message, fragment))
    fail_msg("expected %d with '%s', got %d: %s", (int)expected, fragment, (int)status, error.message);
  assert_null(model);
  assert_true(end.tv_sec - begin.tv_sec < 120);
}
