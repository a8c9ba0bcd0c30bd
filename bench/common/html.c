// The page's style and the parts that all reports share.
#include "common/html.h"

#include <math.h>
#include <string.h>

static const char before_title[] =
    "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
    "<title>";

static const char after_title[] =
    "</title>\n<style>\n"
    ":root{color-scheme:light "
    "dark;--ink:#1c2026;--soft:#5b6472;--paper:#f6f7f9;--card:#fff;--line:#dfe3e8;--good:#00875f;--bad:#c43d00}\n"
    "@media (prefers-color-scheme: "
    "dark){:root{--ink:#e8eaee;--soft:#a9b2c0;--paper:#0e1116;--card:#15181e;--line:#2b313b;--good:#35c796;"
    "--bad:#ff8a4a}}\n"
    "body{margin:0;background:var(--paper);color:var(--ink);font:16px/1.5 system-ui,'Segoe "
    "UI',Helvetica,Arial,sans-serif}\n"
    "main{max-width:1010px;margin:0 auto;padding:32px 20px 64px}\n"
    "h1{font-size:30px;line-height:1.2;margin:0 0 8px}h2{font-size:21px;margin:44px 0 8px}p{margin:8px "
    "0;max-width:75ch}.soft{color:var(--soft)}\n"
    "table{border-collapse:collapse;background:var(--card);border:1px solid "
    "var(--line);border-radius:8px;margin:14px "
    "0;font-size:14px;display:block;overflow-x:auto;width:fit-content;max-width:100%}\n"
    "th,td{padding:6px 12px;text-align:right;border-bottom:1px solid "
    "var(--line);white-space:nowrap;font-variant-numeric:tabular-nums}\n"
    "th{color:var(--soft);font-weight:600;white-space:normal;vertical-align:bottom}tr:last-child "
    "td{border-bottom:0}th:first-child,td:first-child{text-align:left}td.text{text-align:left;white-space:normal;"
    "min-width:16em}th.text{text-align:left}tr.where td{white-space:pre-line;padding-top:0}tr.open "
    "td{border-bottom:0}\n"
    ".good{color:var(--good);font-weight:600}.bad{color:var(--bad);font-weight:600}.open{font-weight:600}\n"
    "details{background:var(--card);border:1px solid var(--line);border-radius:8px;margin:8px 0;padding:6px 12px}"
    "summary{cursor:pointer}details table{font-size:13px}nav{margin:14px 0;columns:18em}nav a{display:block}\n"
    "a{color:inherit;text-underline-offset:3px}figure{margin:16px 0;border:1px solid "
    "var(--line);border-radius:8px;overflow:hidden;background:var(--card)}figure svg{display:block}\n"
    "@media (max-width:560px){main{padding:20px 12px "
    "48px}th,td{padding:5px}td:first-child{white-space:normal;overflow-wrap:anywhere;min-width:3.2em}"
    "td.text{min-width:8em;overflow-wrap:anywhere}td.bad,td.good,td.soft{white-space:normal}}\n"
    "</style>\n</head>\n<body>\n<main>\n";

void bench_html_begin(FILE *f, const char *title)
{
  fputs(before_title, f);
  bench_plot_escape(f, title);
  fputs(after_title, f);
}

void bench_html_end(FILE *f)
{
  fputs("</main>\n</body>\n</html>\n", f);
}

// Links to all sections; none where there are fewer than three.
static void write_contents(FILE *f, const char *page)
{
  int count = 0;
  for (const char *at = page; (at = strstr(at, "<h2>")) != NULL; ++at)
    ++count;
  if (count < 3)
    return;
  fputs("<nav>\n", f);
  count = 0;
  for (const char *at = page; (at = strstr(at, "<h2>")) != NULL; at += 4) {
    const char *words = at + 4, *end = strstr(words, "</h2>");
    fprintf(f, "<a href=\"#section-%d\">", ++count);
    for (const char *c = words; c < end; ++c) { // without the links of a heading
      if (*c == '<')
        c = strchr(c, '>');
      else
        fputc(*c, f);
    }
    fputs("</a>\n", f);
  }
  fputs("</nav>\n", f);
}

void bench_html_add_contents(FILE *f, const char *page)
{
  int count = 0;
  const char *from = page;
  for (const char *at = page; (at = strstr(at, "<h2>")) != NULL; from = at += 4) {
    fwrite(from, 1, (size_t)(at - from), f);
    if (count == 0)
      write_contents(f, page);
    fprintf(f, "<h2 id=\"section-%d\">", ++count);
  }
  fputs(from, f);
}

void bench_html_paper(FILE *f, const char *title, const char *source, const char *quick)
{
  bench_html_begin(f, title);
  bench_html_text(f, "h1", title);
  fprintf(f, "\n<p class=\"soft\">%s, reproduced on Footfall: its numbers beside ours.</p>\n", source);
  if (quick)
    fprintf(f, "<p class=\"bad\">This is the quick variant: %s.</p>\n", quick);
}

void bench_html_number(FILE *f, double value)
{
  if (!isfinite(value))
    fputs("<td></td>", f);
  else if (value != 0 && (fabs(value) < 1e-2 || fabs(value) >= 1e5))
    fprintf(f, "<td>%.1e</td>", value);
  else if (fabs(value) >= 1e3)
    fprintf(f, "<td>%.0f</td>", value);
  else
    fprintf(f, "<td>%.3g</td>", value);
}

void bench_html_text(FILE *f, const char *tag, const char *words)
{
  char end[16];
  snprintf(end, sizeof end, "%s", tag);
  end[strcspn(end, " ")] = '\0';
  fprintf(f, "<%s>", tag);
  bench_plot_escape(f, words);
  fprintf(f, "</%s>", end);
}

void bench_html_draw(FILE *f, const bench_plot_figure *figure)
{
  fputs("<figure>", f);
  bench_plot_write(f, figure);
  fputs("</figure>\n", f);
}

static const char *const verdict_classes[BENCH_CLAIM_VERDICTS] = {"soft", "good", "bad", "open"};

// A line of details: a row of cells separated by tabs.
static void write_detail(FILE *f, const char *line, size_t length)
{
  fputs("<tr>", f);
  for (size_t at = 0; at <= length;) {
    char cell[1024];
    const size_t size = strcspn(line + at, "\t\n"), end = at + size < length ? at + size : length;
    snprintf(cell, sizeof cell, "%.*s", (int)(end - at), line + at);
    bench_html_text(f, "td class=\"text\"", cell);
    at = end + 1;
  }
  fputs("</tr>\n", f);
}

static void write_details(FILE *f, const bench_claim *c)
{
  fputs("<table>\n", f);
  for (const char *at = c->where; *at;) {
    const size_t length = strcspn(at, "\n");
    if (length == 0)
      fputs("</table>\n<table>\n", f);
    else
      write_detail(f, at, length);
    at += length + (at[length] == '\n');
  }
  fputs("</table>\n", f);
}

static void write_figure(FILE *f, const bench_claim *c)
{
  char bounds[64];
  bench_claim_bounds(c->rule, bounds, sizeof bounds);
  if (!isnan(c->figure))
    fprintf(f, "<b>%.3g</b>%s%s", c->figure, strcmp(c->rule->unit, "1") == 0 ? "" : " ",
            strcmp(c->rule->unit, "1") == 0 ? "" : c->rule->unit);
  if (c->low < c->high)
    fprintf(f, " (%.3g to %.3g over %s)", c->low, c->high, bench_claim_spread(c->rule));
  fprintf(f, "; holds if %s (", bounds);
  bench_plot_escape(f, c->rule->from);
  fputs(").", f);
}

static void write_claim(FILE *f, const bench_claim *c)
{
  const bench_claim_verdict verdict = bench_claim_judge(c);
  fprintf(f, "<details id=\"claim-%s\"><summary><span class=\"%s\">%s</span> <b>%s</b> ", c->rule->id,
          verdict_classes[verdict], bench_claim_verdict_word(verdict), c->rule->id);
  bench_plot_escape(f, c->rule->claim);
  fputs("</summary>\n<p>", f);
  write_figure(f, c);
  if (c->why[0]) {
    fputs(" ", f);
    bench_plot_escape(f, c->why);
    fputs(".", f);
  }
  fputs("</p>\n<p class=\"soft\">Rule: ", f);
  bench_plot_escape(f, c->rule->rule);
  fputs(".</p>\n", f);
  if (c->where[0])
    write_details(f, c);
  fputs("</details>\n", f);
}

void bench_html_claims(FILE *f, const char *words, const bench_claim *claims, int count)
{
  int sum[BENCH_CLAIM_VERDICTS] = {0}, goals = 0;
  for (int i = 0; i < count; ++i) {
    goals += claims[i].rule->is_goal;
    if (!claims[i].rule->is_goal)
      ++sum[bench_claim_judge(&claims[i])];
  }
  fprintf(f, "<h2>Claims</h2>\n<p><b>%d of %d hold</b>, %d fail, %d undecided, %d not judged",
          sum[BENCH_CLAIM_HOLDS], count - goals, sum[BENCH_CLAIM_FAILS], sum[BENCH_CLAIM_UNDECIDED],
          sum[BENCH_CLAIM_OPEN]);
  fprintf(f, goals > 0 ? "; and %d of our own. %s</p>\n" : ".%.0d %s</p>\n", goals, words);
  for (int i = 0; i < count; ++i)
    write_claim(f, &claims[i]);
}
