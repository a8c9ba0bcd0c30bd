// footfall bench all: papers that are made up, and what becomes of them: their files, the page that leads to them,
// verdicts as rows, and failures.
#define _POSIX_C_SOURCE 200809L
#include "all.h"
#include "all_index.h"
#include "cli/program.h"
#include "common/claim.h"

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

// One claim holds, one fails, one is not judged.
static int perform_fine(const void *context, const bench_command_request *r, bench_json_rows *rows)
{
  (void)context;
  bench_claim claims[3];
  bench_output_file html = {0};
  const bench_table table = bench_command_table(r, &html);
  if (!bench_command_check_html(r, &html))
    return FFI_EXIT_FAILED;
  bench_claim_make(&claims[0], "A1", "the sky is <blue>", "nm");
  bench_claim_make(&claims[1], "A2", "pigs fly", "m");
  bench_claim_make(&claims[2], "A3", "nobody knows", "1");
  claims[0].is_judged = claims[0].holds = claims[1].is_judged = 1;
  claims[0].figure = 470;
  claims[1].figure = 0.25;
  bench_claim_report(claims, 3, &table, rows);
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
  assert_int_equal(bench_json_rows_count(rows), 2 * 2 * 3);
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
  const bench_all_index_verdicts sum = bench_all_index_count(rows);
  assert_int_equal(sum.holds, 1);
  assert_int_equal(sum.fails, 1);
  assert_int_equal(sum.open, 1);
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
