// Prints a table's cells.
#include "common/table.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

void bench_table_say(const bench_table *s, const char *format, ...)
{
  if (s->is_silent)
    return;
  va_list list;
  va_start(list, format);
  printf("\n");
  vprintf(format, list);
  printf(s->is_markdown ? "\n\n" : "\n");
  va_end(list);
}

void bench_table_titles(const bench_table *s, const char *corner, int count, char titles[][24])
{
  if (s->is_silent)
    return;
  bench_table_row(s, corner);
  for (int i = 0; i < count; ++i)
    bench_table_text(s, titles[i]);
  printf("\n");
  for (int i = 0; i < count + 1 && s->is_markdown; ++i)
    printf(i < count ? "|---" : "|---|\n");
}

void bench_table_row(const bench_table *s, const char *name)
{
  if (s->is_silent)
    return;
  if (s->is_markdown)
    printf("| %s |", name);
  else
    printf("%-*s", s->first_width, name);
}

void bench_table_text(const bench_table *s, const char *text)
{
  if (s->is_silent)
    return;
  if (s->is_markdown)
    printf(" %s |", text);
  else
    printf(" %*s", s->width - 1, text); // a longer one is apart from the cell before it
}

void bench_table_error(const bench_table *s, double value)
{
  char text[32] = "";
  if (isfinite(value))
    snprintf(text, sizeof text, "%.1e", value);
  bench_table_text(s, text);
}

void bench_table_number(const bench_table *s, double value)
{
  char text[32] = "";
  if (isfinite(value))
    snprintf(text, sizeof text, "%.*f", value < 10 ? 2 : value < 100 ? 1 : 0, value);
  bench_table_text(s, text);
}

void bench_table_end(const bench_table *s)
{
  if (!s->is_silent) {
    printf("\n");
    fflush(stdout);
  }
}
