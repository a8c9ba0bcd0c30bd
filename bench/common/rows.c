#include "common/rows.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct row {
  char which[48], metric[112], unit[16];
  char *word; // owned; NULL: the value is a number
  double value;
} row;

struct bench_rows {
  row *rows;
  int count, room;
  int is_short; // a row was lost
};

bench_rows *bench_rows_create(void)
{
  return calloc(1, sizeof(bench_rows));
}

void bench_rows_destroy(bench_rows *r)
{
  for (int i = 0; r && i < r->count; ++i)
    free(r->rows[i].word);
  if (r)
    free(r->rows);
  free(r);
}

// NULL if there is no room.
static row *append(bench_rows *r, const char *which, const char *metric, const char *unit)
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

void bench_rows_add(bench_rows *r, const char *which, const char *metric, double value, const char *unit)
{
  row *own = append(r, which, metric, unit);
  if (own)
    own->value = value;
}

void bench_rows_add_word(bench_rows *r, const char *which, const char *metric, const char *word)
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

int bench_rows_count(const bench_rows *r)
{
  return r->count;
}

bench_row bench_rows_get(const bench_rows *r, int index)
{
  const row *own = &r->rows[index];
  return (bench_row){own->which, own->metric, own->unit, own->word, own->value};
}

int bench_rows_find(const bench_rows *r, const char *which, const char *metric)
{
  for (int i = 0; i < r->count; ++i)
    if (strcmp(r->rows[i].which, which) == 0 && strcmp(r->rows[i].metric, metric) == 0)
      return i;
  return -1;
}

// The names are our own and plain; quotes and control characters would still come out right.
static void write_string(FILE *file, const char *text)
{
  fputc('"', file);
  for (const char *c = text; *c; ++c)
    if (*c == '"' || *c == '\\')
      fprintf(file, "\\%c", *c);
    else if ((unsigned char)*c < 32)
      fprintf(file, "\\u%04x", (unsigned)(unsigned char)*c);
    else
      fputc(*c, file);
  fputc('"', file);
}

static void write_row(FILE *file, const row *r)
{
  fputs("  {\"case\": ", file);
  write_string(file, r->which);
  fputs(", \"metric\": ", file);
  write_string(file, r->metric);
  fputs(", \"value\": ", file);
  if (r->word)
    write_string(file, r->word);
  else if (isfinite(r->value))
    fprintf(file, "%.6g", r->value);
  else
    fputs("null", file);
  fputs(", \"unit\": ", file);
  write_string(file, r->unit);
  fputc('}', file);
}

void bench_rows_write(const bench_rows *r, FILE *file)
{
  fputs("[\n", file);
  for (int i = 0; i < r->count; ++i) {
    write_row(file, &r->rows[i]);
    fputs(i + 1 < r->count ? ",\n" : "\n", file);
  }
  fputs("]\n", file);
}

int bench_rows_save(const bench_rows *r, bench_late_file *late)
{
  if (!r || r->is_short) {
    bench_late_file_forget(late);
    errno = ENOMEM;
    return 0;
  }
  FILE *file = bench_late_file_begin(late);
  if (file)
    bench_rows_write(r, file);
  return file && bench_late_file_end(late);
}
