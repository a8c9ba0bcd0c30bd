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
  out->about = word_of(rows, "about", id, NULL);
  out->is_goal = word_of(rows, "goal", id, NULL) != NULL;
  return 1;
}

void bench_all_index_count(const bench_json_rows *rows, bench_all_index_verdicts *sum)
{
  bench_all_index_claim claim;
  for (int i = 0; i < bench_json_rows_count(rows); ++i)
    if (bench_all_index_claim_of(rows, i, &claim)) {
      const int kind = claim.is_goal ? BENCH_ALL_INDEX_GOAL
                       : claim.about ? BENCH_ALL_INDEX_OURS
                                     : BENCH_ALL_INDEX_PAPER;
      sum->holds[kind] += strcmp(claim.verdict, "holds") == 0;
      sum->fails[kind] += strcmp(claim.verdict, "fails") == 0;
      sum->undecided[kind] += strcmp(claim.verdict, "undecided") == 0;
      sum->open[kind] += strcmp(claim.verdict, "not judged") == 0;
    }
}

static int count_of(const bench_all_index_verdicts *v, int kind)
{
  return v->holds[kind] + v->fails[kind] + v->undecided[kind] + v->open[kind];
}

void bench_all_index_headline(const bench_all_index_verdicts *v, char *words, size_t size)
{
  static const char *const kinds[] = {"Of %d claims about the papers' methods",
                                      "; of %d about our own stepper expo", "; of %d goals of our own"};
  size_t used = 0;
  words[0] = '\0';
  for (int k = 0; k < BENCH_ALL_INDEX_KINDS; ++k)
    if (k == BENCH_ALL_INDEX_PAPER || count_of(v, k) > 0) {
      used += (size_t)snprintf(words + used, size - used, kinds[k], count_of(v, k));
      used = used < size ? used : size - 1;
      used += (size_t)snprintf(words + used, size - used, " %d hold, %d fail, %d undecided, %d not judged",
                               v->holds[k], v->fails[k], v->undecided[k], v->open[k]);
      used = used < size ? used : size - 1;
    }
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
  char words[400];
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
    const int fails = v.fails[BENCH_ALL_INDEX_PAPER] + v.fails[BENCH_ALL_INDEX_OURS];
    fprintf(
        f, "</td><td class=\"good\">%d</td><td class=\"%s\">%d</td><td>%d</td><td>%d</td><td>%.0f s</td><td>",
        v.holds[BENCH_ALL_INDEX_PAPER] + v.holds[BENCH_ALL_INDEX_OURS], fails ? "bad" : "", fails,
        v.undecided[BENCH_ALL_INDEX_PAPER] + v.undecided[BENCH_ALL_INDEX_OURS],
        v.open[BENCH_ALL_INDEX_PAPER] + v.open[BENCH_ALL_INDEX_OURS], e->seconds);
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
