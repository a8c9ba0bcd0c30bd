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
    ".good{color:var(--good);font-weight:600}.bad{color:var(--bad);font-weight:600}\n"
    "a{color:inherit;text-underline-offset:3px}figure{margin:16px 0;border:1px solid "
    "var(--line);border-radius:8px;overflow:hidden;background:var(--card)}figure svg{display:block}\n"
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

static void write_claim(FILE *f, const bench_claim *c)
{
  fputs(c->where[0] ? "<tr class=\"open\">" : "<tr>", f);
  bench_html_text(f, "td", c->id);
  bench_html_text(f, "td class=\"text\"", c->claim);
  fprintf(f, "<td class=\"%s\">%s</td>",
          !c->is_judged ? "soft"
          : c->holds    ? "good"
                        : "bad",
          bench_claim_verdict(c));
  bench_html_number(f, c->figure);
  bench_html_text(f, "td class=\"text\"", c->why);
  fputs("</tr>\n", f);
  if (c->where[0]) {
    fputs("<tr class=\"where\"><td></td>", f);
    bench_html_text(f, "td class=\"text soft\" colspan=\"4\"", c->where);
    fputs("</tr>\n", f);
  }
}

void bench_html_claims(FILE *f, const char *words, const bench_claim *claims, int count)
{
  fprintf(f, "<h2>Claims</h2>\n<p>%s</p>\n", words);
  fputs(
      "<table><tr><th></th><th class=\"text\">claim</th><th>verdict</th><th>figure</th><th class=\"text\">decided "
      "by</th></tr>\n",
      f);
  for (int i = 0; i < count; ++i)
    write_claim(f, &claims[i]);
  fputs("</table>\n", f);
}

void bench_html_rules(FILE *f, const bench_claim *claims, const char *const *rules, int count)
{
  fputs("<p class=\"soft\">The rules of the verdicts, written before the first run:</p>\n<table>\n", f);
  for (int i = 0; i < count; ++i) {
    fputs("<tr>", f);
    bench_html_text(f, "td", claims[i].id);
    bench_html_text(f, "td class=\"text\"", rules[i]);
    fputs("</tr>\n", f);
  }
  fputs("</table>\n", f);
}
