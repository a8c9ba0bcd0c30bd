#include "common/sheet.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

void bench_sheet_say(const bench_sheet *s, const char *format, ...)
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

void bench_sheet_titles(const bench_sheet *s, const char *corner, int count, char titles[][24])
{
  if (s->is_silent)
    return;
  bench_sheet_row(s, corner);
  for (int i = 0; i < count; ++i)
    bench_sheet_text(s, titles[i]);
  printf("\n");
  for (int i = 0; i < count + 1 && s->is_markdown; ++i)
    printf(i < count ? "|---" : "|---|\n");
}

void bench_sheet_row(const bench_sheet *s, const char *name)
{
  if (s->is_silent)
    return;
  if (s->is_markdown)
    printf("| %s |", name);
  else
    printf("%-*s", s->first_width, name);
}

void bench_sheet_text(const bench_sheet *s, const char *text)
{
  if (s->is_silent)
    return;
  if (s->is_markdown)
    printf(" %s |", text);
  else
    printf("%*s", s->width, text);
}

void bench_sheet_error(const bench_sheet *s, double value)
{
  char text[32] = "";
  if (isfinite(value))
    snprintf(text, sizeof text, "%.1e", value);
  bench_sheet_text(s, text);
}

void bench_sheet_number(const bench_sheet *s, double value)
{
  char text[32] = "";
  if (isfinite(value))
    snprintf(text, sizeof text, "%.*f", value < 10 ? 2 : value < 100 ? 1 : 0, value);
  bench_sheet_text(s, text);
}

void bench_sheet_end(const bench_sheet *s)
{
  if (!s->is_silent) {
    printf("\n");
    fflush(stdout);
  }
}
