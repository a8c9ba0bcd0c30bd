// Reads the verdicts from the papers' rows and writes the index page.
#include "all_index.h"

#include "common/html.h"

#include <math.h>
#include <string.h>

int bench_all_index_claim_of(const bench_json_rows *rows, int index, bench_all_index_claim *out)
{
  const bench_json_rows_row says = bench_json_rows_get(rows, index);
  char metric[128];
  if (strcmp(says.which, "paper") != 0 || strncmp(says.metric, "says:", 5) != 0)
    return 0;
  *out = (bench_all_index_claim){
      .id = says.metric + 5, .says = says.word, .verdict = "not judged", .unit = "", .figure = NAN};
  snprintf(metric, sizeof metric, "claim:%s", out->id);
  const int verdict = bench_json_rows_find(rows, "paper", metric);
  snprintf(metric, sizeof metric, "decided:%s", out->id);
  const int decided = bench_json_rows_find(rows, "paper", metric);
  if (verdict >= 0)
    out->verdict = bench_json_rows_get(rows, verdict).word;
  if (decided >= 0) {
    out->figure = bench_json_rows_get(rows, decided).value;
    out->unit = bench_json_rows_get(rows, decided).unit;
  }
  return 1;
}

bench_all_index_verdicts bench_all_index_count(const bench_json_rows *rows)
{
  bench_all_index_verdicts sum = {0};
  bench_all_index_claim claim;
  for (int i = 0; i < bench_json_rows_count(rows); ++i)
    if (bench_all_index_claim_of(rows, i, &claim)) {
      sum.holds += strcmp(claim.verdict, "holds") == 0;
      sum.fails += strcmp(claim.verdict, "fails") == 0;
      sum.open += strcmp(claim.verdict, "not judged") == 0;
    }
  return sum;
}

static void write_link(FILE *f, const char *name, const char *ending, const char *words)
{
  fputs("<a href=\"", f);
  bench_plot_escape(f, name);
  fprintf(f, ".%s\">", ending);
  bench_plot_escape(f, words);
  fputs("</a>", f);
}

static void write_summary(FILE *f, const bench_all_index_entry *entries, int count)
{
  fputs("<table><tr><th>paper</th><th>hold</th><th>fail</th><th>not judged</th><th>took</th><th></th></tr>\n",
        f);
  for (int i = 0; i < count; ++i) {
    const bench_all_index_entry *e = &entries[i];
    const bench_all_index_verdicts v = bench_all_index_count(e->rows);
    fputs("<tr><td>", f);
    if (!e->is_done) {
      bench_plot_escape(f, e->title);
      fputs("</td><td class=\"bad\" colspan=\"5\">failed: see the messages of the run</td></tr>\n", f);
      continue;
    }
    write_link(f, e->name, "html", e->title);
    fprintf(f, "</td><td class=\"good\">%d</td><td class=\"%s\">%d</td><td>%d</td><td>%.0f s</td><td>",
            v.holds, v.fails ? "bad" : "", v.fails, v.open, e->seconds);
    write_link(f, e->name, "json", "rows");
    fputs("</td></tr>\n", f);
  }
  fputs("</table>\n", f);
}

static void write_claims(FILE *f, const bench_all_index_entry *e)
{
  bench_all_index_claim claim;
  fputs("<h2>", f);
  write_link(f, e->name, "html", e->title);
  fputs(
      "</h2>\n<table><tr><th></th><th class=\"text\">claim</th><th>verdict</th><th>figure</th><th></th></tr>\n",
      f);
  for (int i = 0; i < bench_json_rows_count(e->rows); ++i) {
    if (!bench_all_index_claim_of(e->rows, i, &claim))
      continue;
    const int holds = strcmp(claim.verdict, "holds") == 0, fails = strcmp(claim.verdict, "fails") == 0;
    fputs("<tr>", f);
    bench_html_text(f, "td", claim.id);
    bench_html_text(f, "td class=\"text\"", claim.says);
    fprintf(f, "<td class=\"%s\">%s</td>", holds ? "good" : fails ? "bad" : "soft", claim.verdict);
    bench_html_number(f, claim.figure);
    bench_html_text(f, "td", strcmp(claim.unit, "1") == 0 ? "" : claim.unit);
    fputs("</tr>\n", f);
  }
  fputs("</table>\n", f);
}

void bench_all_index_write(FILE *f, const bench_all_index_entry *entries, int count, int is_quick)
{
  bench_html_begin(f, "Published experiments, reproduced");
  fputs(
      "<h1>Published experiments, reproduced</h1>\n<p class=\"soft\">The claims of the papers behind Footfall's "
      "steppers, judged by measurements on one engine. A paper's page has its figures, its numbers beside ours, and "
      "the figure that decided each verdict.</p>\n",
      f);
  if (is_quick)
    fputs(
        "<p class=\"bad\">This is the quick variant, which measures less; some verdicts need the full run.</p>\n",
        f);
  write_summary(f, entries, count);
  for (int i = 0; i < count; ++i)
    if (entries[i].is_done)
      write_claims(f, &entries[i]);
  bench_html_end(f);
}
