// Reads the verdicts from the papers' rows and writes the index page.
#include "all_index.h"

#include "common/html.h"

#include <math.h>
#include <string.h>

// The value of a claim's row; `other` if there is none.
static const char *word_of(const bench_json_rows *rows, const char *what, const char *id, const char *other)
{
  char metric[128];
  snprintf(metric, sizeof metric, "%s:%s", what, id);
  const int at = bench_json_rows_find(rows, "paper", metric);
  return at >= 0 ? bench_json_rows_get(rows, at).word : other;
}

static double number_of(const bench_json_rows *rows, const char *what, const char *id, const char **unit)
{
  char metric[128];
  snprintf(metric, sizeof metric, "%s:%s", what, id);
  const int at = bench_json_rows_find(rows, "paper", metric);
  if (at >= 0 && unit)
    *unit = bench_json_rows_get(rows, at).unit;
  return at >= 0 ? bench_json_rows_get(rows, at).value : NAN;
}

int bench_all_index_claim_of(const bench_json_rows *rows, int index, bench_all_index_claim *out)
{
  const bench_json_rows_row says = bench_json_rows_get(rows, index);
  if (strcmp(says.which, "paper") != 0 || strncmp(says.metric, "says:", 5) != 0)
    return 0;
  const char *id = says.metric + 5;
  *out = (bench_all_index_claim){.id = id, .says = says.word, .unit = ""};
  out->rule = word_of(rows, "rule", id, "");
  out->from = word_of(rows, "bounds", id, "");
  out->why = word_of(rows, "why", id, "");
  out->where = word_of(rows, "where", id, "");
  out->verdict = word_of(rows, "claim", id, "not judged");
  out->figure = number_of(rows, "decided", id, &out->unit);
  out->low = number_of(rows, "low", id, NULL);
  out->high = number_of(rows, "high", id, NULL);
  const double least = number_of(rows, "least", id, NULL), most = number_of(rows, "most", id, NULL);
  out->least = isnan(least) ? -INFINITY : least;
  out->most = isnan(most) ? INFINITY : most;
  out->is_goal = word_of(rows, "goal", id, NULL) != NULL;
  return 1;
}

void bench_all_index_count(const bench_json_rows *rows, bench_all_index_verdicts *sum)
{
  bench_all_index_claim claim;
  for (int i = 0; i < bench_json_rows_count(rows); ++i)
    if (bench_all_index_claim_of(rows, i, &claim)) {
      sum->holds[claim.is_goal] += strcmp(claim.verdict, "holds") == 0;
      sum->fails[claim.is_goal] += strcmp(claim.verdict, "fails") == 0;
      sum->undecided[claim.is_goal] += strcmp(claim.verdict, "undecided") == 0;
      sum->open[claim.is_goal] += strcmp(claim.verdict, "not judged") == 0;
    }
}

void bench_all_index_headline(const bench_all_index_verdicts *v, char *words, size_t size)
{
  const int claims = v->holds[0] + v->fails[0] + v->undecided[0] + v->open[0],
            goals = v->holds[1] + v->fails[1] + v->undecided[1] + v->open[1];
  const int used = snprintf(words, size, "%d of %d claims hold, %d fail, %d undecided, %d not judged",
                            v->holds[0], claims, v->fails[0], v->undecided[0], v->open[0]);
  if (goals > 0 && used > 0 && (size_t)used < size)
    snprintf(words + used, size - (size_t)used, "; of %d goals of our own %d hold", goals, v->holds[1]);
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
  bench_all_index_verdicts all = {0};
  char words[200];
  for (int i = 0; i < count; ++i)
    bench_all_index_count(entries[i].rows, &all);
  bench_all_index_headline(&all, words, sizeof words);
  fputs("<p><b>", f);
  bench_plot_escape(f, words);
  fputs(".</b></p>\n<table><tr><th>paper</th><th>hold</th><th>fail</th><th>undecided</th><th>not judged</th>"
        "<th>took</th><th></th></tr>\n",
        f);
  for (int i = 0; i < count; ++i) {
    const bench_all_index_entry *e = &entries[i];
    bench_all_index_verdicts v = {0};
    bench_all_index_count(e->rows, &v);
    fputs("<tr><td class=\"text\">", f);
    if (!e->is_done) {
      bench_plot_escape(f, e->title);
      fputs("</td><td class=\"bad\" colspan=\"6\">failed: see the messages of the run</td></tr>\n", f);
      continue;
    }
    write_link(f, e->name, "html", e->title);
    fprintf(
        f, "</td><td class=\"good\">%d</td><td class=\"%s\">%d</td><td>%d</td><td>%d</td><td>%.0f s</td><td>",
        v.holds[0], v.fails[0] ? "bad" : "", v.fails[0], v.undecided[0], v.open[0], e->seconds);
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
    bench_html_text(f, claim.is_goal ? "td class=\"text soft\"" : "td class=\"text\"", claim.says);
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
