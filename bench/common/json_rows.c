// Rows in a growing array, and their JSON.
#include "common/json_rows.h"

#include "cli/text/json.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct row {
  char which[48], metric[112], unit[16];
  char *word; // owned; NULL: the value is a number
  double value;
} row;

struct bench_json_rows {
  row *rows;
  int count, room;
  int is_short; // a row was lost
};

bench_json_rows *bench_json_rows_create(void)
{
  return calloc(1, sizeof(bench_json_rows));
}

void bench_json_rows_destroy(bench_json_rows *r)
{
  for (int i = 0; r && i < r->count; ++i)
    free(r->rows[i].word);
  if (r)
    free(r->rows);
  free(r);
}

// NULL if there is no room.
static row *append(bench_json_rows *r, const char *which, const char *metric, const char *unit)
{
  if (r->count == r->room) {
    const int room = r->room ? 2 * r->room : 128;
    row *more = realloc(r->rows, (size_t)room * sizeof *more);
    if (!more) {
      r->is_short = 1;
      return NULL;
    }
    r->rows = more;
    r->room = room;
  }
  row *own = &r->rows[r->count++];
  *own = (row){0};
  snprintf(own->which, sizeof own->which, "%s", which);
  snprintf(own->metric, sizeof own->metric, "%s", metric);
  snprintf(own->unit, sizeof own->unit, "%s", unit);
  return own;
}

void bench_json_rows_add(bench_json_rows *r, const char *which, const char *metric, double value,
                         const char *unit)
{
  row *own = append(r, which, metric, unit);
  if (own)
    own->value = value;
}

void bench_json_rows_add_word(bench_json_rows *r, const char *which, const char *metric, const char *word)
{
  const size_t size = strlen(word) + 1;
  char *copy = malloc(size);
  row *own = copy ? append(r, which, metric, "") : NULL;
  if (!own) {
    r->is_short = 1;
    free(copy);
    return;
  }
  memcpy(copy, word, size);
  own->word = copy;
}

int bench_json_rows_count(const bench_json_rows *r)
{
  return r->count;
}

bench_json_rows_row bench_json_rows_get(const bench_json_rows *r, int index)
{
  const row *own = &r->rows[index];
  return (bench_json_rows_row){own->which, own->metric, own->unit, own->word, own->value};
}

int bench_json_rows_find(const bench_json_rows *r, const char *which, const char *metric)
{
  for (int i = 0; i < r->count; ++i)
    if (strcmp(r->rows[i].which, which) == 0 && strcmp(r->rows[i].metric, metric) == 0)
      return i;
  return -1;
}

static void write_row(FILE *file, const row *r)
{
  fputs("  {\"case\": ", file);
  ffi_json_quote(r->which, file);
  fputs(", \"metric\": ", file);
  ffi_json_quote(r->metric, file);
  fputs(", \"value\": ", file);
  if (r->word)
    ffi_json_quote(r->word, file);
  else if (isfinite(r->value))
    fprintf(file, "%.6g", r->value);
  else
    fputs("null", file);
  fputs(", \"unit\": ", file);
  ffi_json_quote(r->unit, file);
  fputc('}', file);
}

static void write_rows(const bench_json_rows *r, FILE *file)
{
  fputs("[\n", file);
  for (int i = 0; i < r->count; ++i) {
    write_row(file, &r->rows[i]);
    fputs(i + 1 < r->count ? ",\n" : "\n", file);
  }
  fputs("]\n", file);
}

int bench_json_rows_save(const bench_json_rows *r, bench_output_file *late)
{
  if (!r || r->is_short) {
    bench_output_file_forget(late);
    errno = ENOMEM;
    return 0;
  }
  FILE *file = bench_output_file_begin(late);
  if (file)
    write_rows(r, file);
  return file && bench_output_file_end(late);
}
