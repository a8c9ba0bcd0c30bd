// Claims: verdicts, their table on stdout and their rows.
#include "common/claim.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const double run_to_run = 1.1;

double bench_claim_slower(double shortest, double second)
{
  return fmax(run_to_run * shortest, second);
}

void bench_claim_make(bench_claim *c, const bench_claim_rule *rule)
{
  *c = (bench_claim){.rule = rule, .figure = NAN, .low = NAN, .high = NAN};
}

void bench_claim_decide_between(bench_claim *c, double low, double figure, double high)
{
  c->figure = figure;
  c->low = fmin(low, figure);
  c->high = fmax(high, figure);
  c->is_judged = !isnan(figure);
}

void bench_claim_decide(bench_claim *c, double figure)
{
  bench_claim_decide_between(c, figure, figure, figure);
}

int bench_claim_decide_least(bench_claim *c, double low, double figure, double high)
{
  const int is_least = !c->is_judged || figure < c->figure;
  if (c->is_judged)
    bench_claim_decide_between(c, fmin(low, c->low), fmin(figure, c->figure), fmin(high, c->high));
  else
    bench_claim_decide_between(c, low, figure, high);
  return is_least;
}

// Numbers that are not there become dashes.
static void blank_missing(char *words)
{
  for (char *at = words; (at = strstr(at, "nan")) != NULL; ++at) {
    char *from = at > words && at[-1] == '-' ? at - 1 : at;
    const int begins = from == words || strchr("\t ,(", from[-1]) != NULL,
              ends = at[3] == '\0' || strchr("\t\n ,)", at[3]) != NULL;
    if (!begins || !ends)
      continue;
    *from = '-';
    memmove(from + 1, at + 3, strlen(at + 3) + 1);
    at = from;
  }
}

void bench_claim_because(bench_claim *c, const char *format, ...)
{
  va_list list;
  va_start(list, format);
  vsnprintf(c->why, sizeof c->why, format, list);
  va_end(list);
  blank_missing(c->why);
}

void bench_claim_detail(bench_claim *c, const char *format, ...)
{
  const int is_first = c->where[0] == '\0';
  size_t used = strlen(c->where);
  if (!is_first && used + 1 < sizeof c->where)
    c->where[used++] = '\n', c->where[used] = '\0';
  va_list list;
  va_start(list, format);
  vsnprintf(c->where + used, sizeof c->where - used, format, list);
  va_end(list);
  blank_missing(c->where + used);
}

bench_claim_verdict bench_claim_judge(const bench_claim *c)
{
  const bench_claim_rule *r = c->rule;
  if (!c->is_judged)
    return BENCH_CLAIM_OPEN;
  if (c->low >= r->least && c->high <= r->most)
    return BENCH_CLAIM_HOLDS;
  return c->high < r->least || c->low > r->most ? BENCH_CLAIM_FAILS : BENCH_CLAIM_UNDECIDED;
}

const char *bench_claim_verdict_word(bench_claim_verdict verdict)
{
  static const char *const words[BENCH_CLAIM_VERDICTS] = {"not judged", "holds", "fails", "undecided"};
  return words[verdict];
}

void bench_claim_bounds(const bench_claim_rule *r, char *words, size_t size)
{
  if (isfinite(r->least) && isfinite(r->most) && r->least != r->most)
    snprintf(words, size, "from %.4g to %.4g", r->least, r->most);
  else if (r->least == r->most)
    snprintf(words, size, "%.4g", r->least);
  else if (isfinite(r->least))
    snprintf(words, size, "at least %.4g", r->least);
  else
    snprintf(words, size, "at most %.4g", r->most);
}

const char *bench_claim_spread(const bench_claim_rule *r)
{
  return r->spread ? r->spread : "repeated timings and runs";
}

static int has_interval(const bench_claim *c)
{
  return c->low < c->high;
}

static void print(const bench_claim *c, const bench_table *table)
{
  char figure[32] = "", bounds[48], words[640];
  if (!isnan(c->figure))
    snprintf(figure, sizeof figure, "%.3g", c->figure);
  bench_claim_bounds(c->rule, bounds, sizeof bounds);
  snprintf(words, sizeof words, "  %s%s%s", c->rule->claim, c->why[0] ? ": " : "", c->why);
  bench_table_row(table, c->rule->id);
  bench_table_text(table, bench_claim_verdict_word(bench_claim_judge(c)));
  bench_table_text(table, figure);
  bench_table_text(table, bounds);
  bench_table_text(table, words);
  bench_table_end(table);
}

static void print_detail(const char *line, size_t length, const bench_table *table)
{
  char cell[1024];
  for (size_t at = 0; at <= length;) {
    const size_t size = strcspn(line + at, "\t\n"), end = at + size < length ? at + size : length;
    snprintf(cell, sizeof cell, "%.*s", (int)(end - at), line + at);
    if (at == 0)
      bench_table_row(table, cell);
    else
      bench_table_text(table, cell);
    at = end + 1;
  }
  bench_table_end(table);
}

static void print_details(const bench_claim *c, const bench_table *table)
{
  if (has_interval(c))
    bench_table_say(table, "%s: %s; between %.3g and %.3g over %s", c->rule->id, c->rule->claim, c->low,
                    c->high, bench_claim_spread(c->rule));
  else
    bench_table_say(table, "%s: %s", c->rule->id, c->rule->claim);
  for (const char *at = c->where; *at;) {
    const size_t length = strcspn(at, "\n");
    print_detail(at, length, table);
    at += length + (at[length] == '\n');
  }
}

static void add_word(const bench_claim *c, const char *what, const char *word, bench_json_rows *rows)
{
  char metric[64];
  snprintf(metric, sizeof metric, "%s:%s", what, c->rule->id);
  bench_json_rows_add_word(rows, "paper", metric, word);
}

static void add_number(const bench_claim *c, const char *what, double value, bench_json_rows *rows)
{
  char metric[64];
  snprintf(metric, sizeof metric, "%s:%s", what, c->rule->id);
  if (isfinite(value))
    bench_json_rows_add(rows, "paper", metric, value, c->rule->unit);
}

static void add_rows(const bench_claim *c, bench_json_rows *rows)
{
  add_word(c, "says", c->rule->claim, rows);
  add_word(c, "rule", c->rule->rule, rows);
  add_word(c, "bounds", c->rule->from, rows);
  add_number(c, "least", c->rule->least, rows);
  add_number(c, "most", c->rule->most, rows);
  if (c->rule->is_goal)
    add_word(c, "goal", "ours", rows);
  if (c->rule->about)
    add_word(c, "about", c->rule->about, rows);
  if (c->why[0])
    add_word(c, "why", c->why, rows);
  if (c->where[0])
    add_word(c, "where", c->where, rows);
  add_number(c, "decided", c->figure, rows);
  if (has_interval(c)) {
    add_number(c, "low", c->low, rows);
    add_number(c, "high", c->high, rows);
  }
  if (c->is_judged)
    add_word(c, "claim", bench_claim_verdict_word(bench_claim_judge(c)), rows);
}

void bench_claim_report(const bench_claim *claims, int count, const bench_table *table, bench_json_rows *rows)
{
  char titles[4][24] = {"verdict", "figure", "holds if", ""};
  bench_table_say(table, "Claims");
  bench_table_titles(table, "", 4, titles);
  for (int i = 0; i < count; ++i) {
    print(&claims[i], table);
    if (rows)
      add_rows(&claims[i], rows);
  }
  for (int i = 0; i < count; ++i)
    if (claims[i].where[0])
      print_details(&claims[i], table);
}
