// The page of verdicts and its rows. Every table but those of the data has two or three columns, so that the page can
// be read on a phone.
#include "verdicts.h"

#include "common/claim.h"
#include "common/machine.h"

#include <footfall/dynamics.h>
#include <footfall/version.h>

#include <ctype.h>
#include <math.h>
#include <string.h>

// ---- Parts of a page ------------------------------------------------------------------------------------------------

// What a heading can be linked by: small letters, digits, - and _, blanks as -.
static void write_anchor(FILE *f, const char *heading)
{
  for (const char *c = heading; *c; ++c)
    if (isalnum((unsigned char)*c) || *c == '-' || *c == '_' || *c == ' ')
      fputc(*c == ' ' ? '-' : tolower((unsigned char)*c), f);
}

static void write_link(FILE *f, const char *words, const char *heading)
{
  fprintf(f, "[%s](#", words);
  write_anchor(f, heading);
  fputc(')', f);
}

// A cell of a table; < begins no tag.
static void write_cell(FILE *f, const char *words, size_t length)
{
  for (size_t i = 0; i < length; ++i)
    if (words[i] == '|')
      fputs("\\|", f);
    else if (words[i] == '<')
      fputs("&lt;", f);
    else
      fputc(words[i], f);
}

static void write_figure(FILE *f, const bench_all_index_claim *c)
{
  const char *unit = strcmp(c->unit, "1") == 0 ? "" : c->unit;
  if (!isfinite(c->figure)) {
    fputs("none", f);
    return;
  }
  fprintf(f, "%.3g%s%s", c->figure, unit[0] ? " " : "", unit);
  if (isfinite(c->low))
    fprintf(f, " (%.3g to %.3g)", c->low, c->high);
}

static void write_bounds(FILE *f, const bench_all_index_claim *c)
{
  const bench_claim_rule rule = {.least = c->least, .most = c->most};
  char bounds[64];
  bench_claim_bounds(&rule, bounds, sizeof bounds);
  fputs(bounds, f);
}

static void heading_of(const bench_all_index_claim *c, char *words, size_t size)
{
  snprintf(words, size, "%s: %s", c->id, c->verdict);
}

// ---- One claim ------------------------------------------------------------------------------------------------------

// Of the table that begins here; an empty line ends it.
static int columns_of(const char *where)
{
  int most = 1, now = 1;
  for (const char *c = where; *c && !(c[0] == '\n' && c[1] == '\n'); ++c) {
    now = *c == '\n' ? 1 : now + (*c == '\t');
    most = now > most ? now : most;
  }
  return most;
}

static void begin_table(FILE *f, int columns)
{
  fputs("\n|", f);
  for (int i = 0; i < columns; ++i)
    fputs(" |", f);
  fputs("\n|", f);
  for (int i = 0; i < columns; ++i)
    fputs("---|", f);
}

static void write_row(FILE *f, const char *at, size_t line, int columns)
{
  int cells = 0;
  fputs("\n|", f);
  for (size_t from = 0; from <= line; ++cells) {
    size_t end = from + strcspn(at + from, "\t\n");
    end = end < line ? end : line;
    fputc(' ', f);
    write_cell(f, at + from, end - from);
    fputs(" |", f);
    from = end + 1;
  }
  for (; cells < columns; ++cells)
    fputs(" |", f);
}

static void write_data(FILE *f, const char *where)
{
  int columns = columns_of(where);
  fputs("\n<details><summary>Data</summary>\n", f);
  begin_table(f, columns);
  for (const char *at = where; *at;) {
    const size_t line = strcspn(at, "\n");
    if (line > 0)
      write_row(f, at, line, columns);
    at += line + (at[line] == '\n');
    if (line == 0) {
      columns = columns_of(at);
      fputc('\n', f);
      begin_table(f, columns);
    }
  }
  fputs("\n\n</details>\n", f);
}

static void write_claim(FILE *f, const bench_all_index_claim *c, const char *command)
{
  char heading[128];
  heading_of(c, heading, sizeof heading);
  fprintf(f, "\n### %s\n\n", heading);
  fputc(toupper((unsigned char)c->says[0]), f);
  write_cell(f, c->says + 1, strlen(c->says + 1));
  if (c->about)
    fprintf(f, " (judged on our own stepper `%s`)", c->about);
  fprintf(f, "%s.\n\n| | |\n|---|---|\n| figure | ", c->is_goal ? " (a goal of ours)" : "");
  write_figure(f, c);
  fputs(" |\n| holds if | ", f);
  write_bounds(f, c);
  fputs(" |\n| bounds | ", f);
  write_cell(f, c->from, strlen(c->from));
  if (c->why[0]) {
    fputs(" |\n| decided by | ", f);
    write_cell(f, c->why, strlen(c->why));
  }
  fputs(" |\n| rule | ", f);
  write_cell(f, c->rule, strlen(c->rule));
  fprintf(f, " |\n| command | `footfall bench %s` |\n", command);
  if (c->where[0])
    write_data(f, c->where);
}

// ---- The page -------------------------------------------------------------------------------------------------------

// The release of MuJoCo, in full, where a paper measured it.
static const char *mujoco_of(const bench_all_index_entry *entries, int count)
{
  for (int i = 0; i < count; ++i) {
    const int at = bench_json_rows_find(entries[i].rows, "run", "mujoco");
    if (at >= 0)
      return bench_json_rows_get(entries[i].rows, at).word;
  }
  return NULL;
}

static void write_made_by(FILE *f, const bench_all_index_entry *entries, int count, int is_quick)
{
  char machine[128], date[32];
  const char *commit = bench_machine_commit(), *mujoco = mujoco_of(entries, count);
  bench_machine_name(machine, sizeof machine);
  bench_machine_date(date, sizeof date);
  fprintf(f, "Made by `footfall bench all%s`, Footfall %s%s%s, %s with %s, %s.\n", is_quick ? " --quick" : "",
          ff_version(), commit[0] ? " of commit " : "", commit, machine, ff_isa_name(ff_isa_best()), date);
  if (mujoco)
    fprintf(f, "Beside it: %s.\n", mujoco);
}

static void write_head(FILE *f, const bench_all_index_entry *entries, int count, int is_quick)
{
  bench_all_index_verdicts all = {0};
  char words[400];
  for (int i = 0; i < count; ++i)
    bench_all_index_count(entries[i].rows, &all);
  bench_all_index_headline(&all, words, sizeof words);
  fprintf(f, "# Verdicts\n\n**%s.**\n\n", words);
  write_made_by(f, entries, count, is_quick);
  fputs(
      "\nEach claim has a rule that was written before the run: one figure, and bounds. A figure that comes from\n"
      "timing has an interval, of repeated timings and at least the tenth by which times change from run to run; a\n"
      "claim whose bound lies within its interval is *undecided*.\n\n",
      f);
  for (int i = 0; i < count; ++i) {
    fputs("- ", f);
    write_link(f, entries[i].title, entries[i].title);
    fputc('\n', f);
  }
}

static void write_summary(FILE *f, const bench_all_index_entry *e)
{
  bench_all_index_claim claim;
  char heading[128];
  fputs("\n| | figure | holds if |\n|---|---|---|\n", f);
  for (int r = 0; r < bench_json_rows_count(e->rows); ++r) {
    if (!bench_all_index_claim_of(e->rows, r, &claim))
      continue;
    heading_of(&claim, heading, sizeof heading);
    fputs("| ", f);
    write_link(f, heading, heading);
    fputs(" | ", f);
    write_figure(f, &claim);
    fputs(" | ", f);
    write_bounds(f, &claim);
    fputs(" |\n", f);
  }
}

void bench_verdicts_write(FILE *f, const bench_all_index_entry *entries, int count, int is_quick)
{
  write_head(f, entries, count, is_quick);
  for (int i = 0; i < count; ++i) {
    const bench_all_index_entry *e = &entries[i];
    bench_all_index_claim claim;
    fprintf(f, "\n## %s\n", e->title);
    if (!e->is_done) {
      fputs("\nIt failed; there are no verdicts.\n", f);
      continue;
    }
    write_summary(f, e);
    for (int r = 0; r < bench_json_rows_count(e->rows); ++r)
      if (bench_all_index_claim_of(e->rows, r, &claim))
        write_claim(f, &claim, e->name);
  }
}

// ---- Its rows -------------------------------------------------------------------------------------------------------

void bench_verdicts_add_rows(const bench_all_index_entry *entries, int count, int is_quick,
                             bench_json_rows *out)
{
  bench_all_index_verdicts all = {0};
  char words[400];
  for (int i = 0; i < count; ++i)
    bench_all_index_count(entries[i].rows, &all);
  bench_all_index_headline(&all, words, sizeof words);
  bench_json_rows_add_word(out, "run", "headline", words);
  bench_json_rows_add_word(out, "run", "command",
                           is_quick ? "footfall bench all --quick" : "footfall bench all");
  bench_json_rows_add_word(out, "run", "version", ff_version());
  if (bench_machine_commit()[0])
    bench_json_rows_add_word(out, "run", "commit", bench_machine_commit());
  if (mujoco_of(entries, count))
    bench_json_rows_add_word(out, "run", "mujoco", mujoco_of(entries, count));
  bench_machine_name(words, sizeof words);
  bench_json_rows_add_word(out, "run", "machine", words);
  bench_json_rows_add_word(out, "run", "instructions", ff_isa_name(ff_isa_best()));
  bench_machine_date(words, sizeof words);
  bench_json_rows_add_word(out, "run", "date", words);
  for (int i = 0; i < count; ++i) {
    bench_all_index_verdicts v = {0};
    bench_all_index_count(entries[i].rows, &v);
    bench_json_rows_add(out, entries[i].name, "holds",
                        v.holds[BENCH_ALL_INDEX_PAPER] + v.holds[BENCH_ALL_INDEX_OURS], "claims");
    bench_json_rows_add(out, entries[i].name, "seconds", ceil(entries[i].seconds), "s");
    for (int r = 0; entries[i].is_done && r < bench_json_rows_count(entries[i].rows); ++r) {
      const bench_json_rows_row row = bench_json_rows_get(entries[i].rows, r);
      char which[160];
      snprintf(which, sizeof which, "%s/%s", entries[i].name, row.which);
      if (row.word)
        bench_json_rows_add_word(out, which, row.metric, row.word);
      else
        bench_json_rows_add(out, which, row.metric, row.value, row.unit);
    }
  }
}
