// Claims: their texts, their table on stdout and their rows.
#include "common/claim.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void bench_claim_make(bench_claim *c, const char *id, const char *words, const char *unit)
{
  *c = (bench_claim){.figure = NAN};
  snprintf(c->id, sizeof c->id, "%s", id);
  snprintf(c->claim, sizeof c->claim, "%s", words);
  snprintf(c->unit, sizeof c->unit, "%s", unit);
}

void bench_claim_because(bench_claim *c, const char *format, ...)
{
  va_list list;
  va_start(list, format);
  vsnprintf(c->why, sizeof c->why, format, list);
  va_end(list);
}

void bench_claim_where(bench_claim *c, const char *format, ...)
{
  const size_t used = strlen(c->where);
  va_list list;
  va_start(list, format);
  vsnprintf(c->where + used, sizeof c->where - used, format, list);
  va_end(list);
}

const char *bench_claim_verdict(const bench_claim *c)
{
  return !c->is_judged ? "not judged" : c->holds ? "holds" : "fails";
}

static void print(const bench_claim *c, const bench_table *table)
{
  char figure[32] = "", words[640];
  if (c->is_judged)
    snprintf(figure, sizeof figure, "%.3g", c->figure);
  snprintf(words, sizeof words, "  %s%s%s", c->claim, c->why[0] ? ": " : "", c->why);
  bench_table_row(table, c->id);
  bench_table_text(table, bench_claim_verdict(c));
  bench_table_text(table, figure);
  bench_table_text(table, words);
  bench_table_end(table);
}

static void add_rows(const bench_claim *c, bench_json_rows *rows)
{
  char metric[64];
  snprintf(metric, sizeof metric, "says:%s", c->id);
  bench_json_rows_add_word(rows, "paper", metric, c->claim);
  snprintf(metric, sizeof metric, "where:%s", c->id);
  if (c->where[0])
    bench_json_rows_add_word(rows, "paper", metric, c->where);
  if (!c->is_judged)
    return;
  snprintf(metric, sizeof metric, "claim:%s", c->id);
  bench_json_rows_add_word(rows, "paper", metric, bench_claim_verdict(c));
  snprintf(metric, sizeof metric, "decided:%s", c->id);
  bench_json_rows_add(rows, "paper", metric, c->figure, c->unit);
}

void bench_claim_report(const bench_claim *claims, int count, const bench_table *table, bench_json_rows *rows)
{
  char titles[3][24] = {"verdict", "figure", ""};
  bench_table_say(table, "Claims");
  bench_table_titles(table, "", 3, titles);
  for (int i = 0; i < count; ++i) {
    print(&claims[i], table);
    if (rows)
      add_rows(&claims[i], rows);
  }
  for (int i = 0; i < count; ++i)
    if (claims[i].where[0])
      bench_table_say(table, "%s: %s", claims[i].id, claims[i].where);
}
