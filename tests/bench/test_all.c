// footfall bench all: papers that are made up, and what becomes of them: their files, the page that leads to them,
// verdicts as rows, and failures.
#define _POSIX_C_SOURCE 200809L
#include "all.h"
#include "all_index.h"
#include "cli/program.h"
#include "common/claim.h"
#include "common/machine.h"

#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static char folder[] = "/tmp/footfall-all-XXXXXX";

static int write_page(const void *words, FILE *file)
{
  return fputs(words, file) >= 0;
}

static const bench_claim_rule rules[5] = {
    {"A1", "the sky is <blue>", "wavelength of its light", "nm", 450, 495, "the paper's", NULL, NULL, 0, 0},
    {"A2", "pigs fly", "their largest height", "m", 1, INFINITY, "ours", NULL, NULL, 0, 0},
    {"A3", "nobody knows", "what nobody knows", "1", 0, 1, "ours", NULL, NULL, 0, 0},
    {"A4", "faster", "ratio of times", "x", 1, INFINITY, "the paper's", NULL, "expo", 0, 0},
    {"goal", "ours", "ours", "x", 1, INFINITY, "ours", NULL, NULL, 1, 0},
};

// Of a paper's claims one holds, one fails, one is not judged; one on our own stepper is undecided, and a goal of ours
// is met.
static int perform_fine(const void *context, const bench_command_request *r, bench_json_rows *rows)
{
  (void)context;
  bench_claim claims[5];
  bench_output_file html = {0};
  const bench_table table = bench_command_table(r, &html);
  if (!bench_command_check_html(r, &html))
    return FFI_EXIT_FAILED;
  for (int i = 0; i < 5; ++i)
    bench_claim_make(&claims[i], &rules[i]);
  bench_claim_decide(&claims[0], 470);
  bench_claim_decide(&claims[1], 0.25);
  bench_claim_decide_between(&claims[3], 0.9, 1.05, 1.2);
  bench_claim_decide(&claims[4], 2);
  bench_claim_because(&claims[1], "measured at the farm");
  bench_claim_detail(&claims[1], "high\t1\t2|3");
  bench_claim_detail(&claims[1], "low\t4");
  bench_claim_detail(&claims[1], "%s", ""); // another table
  bench_claim_detail(&claims[1], "wide\t5");
  bench_claim_report(claims, 5, &table, rows);
  return bench_command_save_html(&html, write_page, r->is_quick ? "a quick page" : "a page")
             ? FFI_EXIT_OK
             : FFI_EXIT_FAILED;
}

static int perform_badly(const void *context, const bench_command_request *r, bench_json_rows *rows)
{
  (void)context, (void)r, (void)rows;
  return FFI_EXIT_DIVERGED;
}

static const bench_command fine = {.name = "fine", .perform = perform_fine},
                           bad = {.name = "bad", .perform = perform_badly};
static const bench_all_paper papers[] = {
    {"bad-paper", "A paper that fails", &bad},
    {"fine-paper", "A paper that is fine", &fine},
    {"third-paper", "One more", &fine},
};

// The text of a file below the folder; "" if it is not there.
static const char *text_of(const char *name)
{
  static char text[1 << 16];
  char path[256];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *file = fopen(path, "r");
  const size_t length = file ? fread(text, 1, sizeof text - 1, file) : 0;
  if (file)
    fclose(file);
  text[length] = '\0';
  return text;
}

static int perform(const char *below, const char *chosen, int count, bench_json_rows *rows)
{
  char path[256];
  snprintf(path, sizeof path, "%s/%s", folder, below);
  const bench_command_request request = {.html = path, .chosen = chosen, .is_silent = 1, .is_quick = 1};
  return bench_all_perform(papers, count, &request, rows);
}

static void has_word(const bench_json_rows *rows, const char *which, const char *metric, const char *word)
{
  const int index = bench_json_rows_find(rows, which, metric);
  assert_true(index >= 0);
  assert_string_equal(bench_json_rows_get(rows, index).word, word);
}

static void all_are_done_and_led_to(void **state)
{
  (void)state;
  bench_json_rows *rows = bench_json_rows_create();
  assert_int_equal(perform("deep/er", NULL, 3, rows), FFI_EXIT_DIVERGED); // of the first that failed
  assert_string_equal(text_of("deep/er/fine-paper.html"), "a quick page");
  assert_string_equal(text_of("deep/er/third-paper.html"), "a quick page");
  assert_non_null(strstr(text_of("deep/er/fine-paper.json"), "\"says:A2\""));
  const char *index = text_of("deep/er/index.html");
  assert_non_null(strstr(index, "<a href=\"fine-paper.html\">A paper that is fine</a>"));
  assert_non_null(strstr(index, "<a href=\"third-paper.json\">"));
  assert_null(strstr(index, "bad-paper.html"));
  assert_non_null(strstr(index, "A paper that fails</td><td class=\"bad\""));
  assert_non_null(strstr(index, "the sky is &lt;blue&gt;</td><td class=\"good\">holds</td><td>470</td>"));
  assert_non_null(strstr(index, "pigs fly</td><td class=\"bad\">fails</td><td>0.25</td>"));
  assert_non_null(strstr(index, "nobody knows</td><td class=\"soft\">not judged</td><td></td>"));
  assert_non_null(strstr(index, "quick variant"));
  has_word(rows, "fine-paper", "claim:A1", "holds");
  has_word(rows, "third-paper", "claim:A2", "fails");
  has_word(rows, "fine-paper", "claim:A3", "not judged");
  assert_int_equal(bench_json_rows_find(rows, "bad-paper", "claim:A1"), -1);
  assert_true(bench_json_rows_get(rows, bench_json_rows_find(rows, "fine-paper", "decided:A2")).value ==
              0.25);
  has_word(rows, "fine-paper", "claim:A4", "undecided");
  const char *page = text_of("deep/er/verdicts.md");
  assert_non_null(strstr(
      page,
      "**Of 6 claims about the papers' methods 2 hold, 2 fail, 0 undecided, 2 not judged; of 2 about our own "
      "stepper expo 0 hold, 0 fail, 2 undecided, 0 not judged; of 2 goals of our own 2 hold, 0 fail, "
      "0 undecided, 0 not judged.**"));
  assert_non_null(strstr(page, "Faster (judged on our own stepper `expo`)."));
  if (bench_machine_commit()[0]) { // of a package of the sources nobody knows it
    assert_non_null(strstr(page, " of commit "));
    assert_true(strspn(bench_machine_commit(), "0123456789abcdef") == strlen(bench_machine_commit()));
    assert_non_null(strstr(page, bench_machine_commit()));
  }
  assert_non_null(strstr(page, "### A2: fails\n\nPigs fly.\n\n| | |\n|---|---|\n| figure | 0.25 m |\n"
                               "| holds if | at least 1 |\n| bounds | ours |\n"
                               "| decided by | measured at the farm |\n"
                               "| rule | their largest height |\n"));
  assert_non_null(strstr(page, "The sky is &lt;blue>.")); // begins no tag
  assert_non_null(
      strstr(page, "| figure | 1.05 x (0.9 to 1.2) |\n| holds if | at least 1 |\n| bounds | the paper's |"));
  assert_non_null(strstr(page, "| [A4: undecided](#a4-undecided) | 1.05 x (0.9 to 1.2) | at least 1 |"));
  assert_non_null(strstr(page, "- [A paper that is fine](#a-paper-that-is-fine)"));
  assert_non_null(
      strstr(page, "<summary>Data</summary>\n\n| | | |\n|---|---|---|\n| high | 1 | 2\\|3 |\n| low | 4 | |\n"
                   "\n| | |\n|---|---|\n| wide | 5 |\n\n</details>"));
  assert_non_null(strstr(page, "| command | `footfall bench third-paper` |"));
  const char *all = text_of("deep/er/verdicts.json");
  assert_non_null(
      strstr(all, "{\"case\": \"run\", \"metric\": \"command\", \"value\": \"footfall bench all --quick\""));
  assert_non_null(
      strstr(all, "{\"case\": \"third-paper/paper\", \"metric\": \"claim:A2\", \"value\": \"fails\""));
  assert_null(strstr(all, "bad-paper/paper"));
  bench_json_rows_destroy(rows);
}

static void one_can_be_chosen(void **state)
{
  (void)state;
  assert_int_equal(perform("one", "third-paper", 3, NULL), FFI_EXIT_OK);
  assert_non_null(strstr(text_of("one/index.html"), "third-paper.html"));
  assert_null(strstr(text_of("one/index.html"), "fine-paper"));
  assert_string_equal(text_of("one/fine-paper.html"), "");
}

static void verdicts_are_counted(void **state)
{
  (void)state;
  bench_json_rows *rows = bench_json_rows_create();
  const bench_command_request request = {.is_silent = 1};
  assert_int_equal(perform_fine(NULL, &request, rows), FFI_EXIT_OK);
  bench_all_index_verdicts sum = {0};
  bench_all_index_count(rows, &sum);
  static const int holds[] = {1, 0, 1}, fails[] = {1, 0, 0}, undecided[] = {0, 1, 0}, open[] = {1, 0, 0};
  for (int kind = 0; kind < BENCH_ALL_INDEX_KINDS; ++kind) {
    assert_int_equal(sum.holds[kind], holds[kind]);
    assert_int_equal(sum.fails[kind], fails[kind]);
    assert_int_equal(sum.undecided[kind], undecided[kind]);
    assert_int_equal(sum.open[kind], open[kind]);
  }
  bench_json_rows_destroy(rows);
}

// A file stands where the folder should, or where the index should: a folder.
static void places_that_cannot_be_written(void **state)
{
  (void)state;
  assert_int_equal(perform("file", "third-paper", 3, NULL), FFI_EXIT_OK);
  assert_int_equal(perform("file/index.html", "third-paper", 3, NULL), FFI_EXIT_FAILED);
  assert_int_equal(perform("file/index.html/below", "third-paper", 3, NULL), FFI_EXIT_FAILED);
  assert_int_equal(perform("taken/index.html", "third-paper", 3, NULL), FFI_EXIT_OK); // a folder of this name
  assert_int_equal(perform("taken", "third-paper", 3, NULL), FFI_EXIT_FAILED);
  assert_string_equal(text_of("taken/third-paper.html"), ""); // told before the work, not after it
}

static int make_folder(void **state)
{
  (void)state;
  return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
  char line[128];
  (void)state;
  snprintf(line, sizeof line, "rm -rf '%s'", folder);
  return system(line); // NOLINT(cert-env33-c): our own folder
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(all_are_done_and_led_to),
      cmocka_unit_test(one_can_be_chosen),
      cmocka_unit_test(verdicts_are_counted),
      cmocka_unit_test(places_that_cannot_be_written),
  };
  return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
