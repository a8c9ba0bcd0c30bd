// Damaged files of every format, through the library and the command: each is read, or refused with a good message, in
// bounded time and memory, and nothing crashes. A case is a pure function of FOOTFALL_SEED and its number.
//
//     test_mutate                    the cases of FOOTFALL_SEED, FOOTFALL_SAMPLES times the usual number
//     test_mutate FORMAT FILE        judge one file
//     FOOTFALL_FORMAT=urdf           only this format
// soak: files
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "judge.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/samples.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { USUAL_CASES = 40, COMMAND_EVERY = 12, KEPT_MOST = 3 };

static const char *const verdicts[JUDGE_VERDICTS] = {"loaded", "refused", "mute", "slow", "large", "crash"};

typedef struct tally {
  int files, counts[JUDGE_VERDICTS], kept;
  double slowest; // [s]
  size_t largest; // bytes
} tally;

// A failing file, made small, goes to build/soak/files, with the command that repeats it.
static void keep(mutate_format format, uint64_t number, int command, judge_verdict verdict, bytes *b)
{
  char path[600];
  judge_shrink(format, command, verdict, b);
  mkdir(FFI_TEST_SOURCE_DIR "/build/soak", 0777);
  mkdir(FFI_TEST_SOURCE_DIR "/build/soak/files", 0777);
  snprintf(path, sizeof path, "%s/build/soak/files/%s-%s-%llu-%llu.%s", FFI_TEST_SOURCE_DIR,
           mutate_format_name(format), verdicts[verdict], (unsigned long long)ffi_samples_seed(),
           (unsigned long long)number, mutate_format_ending(format));
  bytes_write(b, path);
  const judge_report report = command < 0 ? judge_library(format, b) : judge_command(format, b, command);
  print_message("ERROR: %s: %s\n", verdicts[verdict], report.words);
  print_message("to repeat it, %zu bytes: %s/tests/mutate/test_mutate %s %s", b->count, FFI_TEST_BINARY_DIR,
                mutate_format_name(format), path);
  if (command >= 0)
    print_message(" %d", command);
  print_message("\n");
}

static int is_bad(judge_verdict verdict)
{
  return verdict != JUDGE_LOADED && verdict != JUDGE_REFUSED;
}

// A machine that is busy with something else can make any one run slow: three of them cannot be.
static judge_report judge_calmly(mutate_format format, const bytes *b, int command)
{
  judge_report report;
  for (int i = 0; i < 3; ++i) {
    report = command < 0 ? judge_library(format, b) : judge_command(format, b, command);
    if (report.verdict != JUDGE_SLOW)
      break;
  }
  return report;
}

static void try_case(mutate_format format, uint64_t number, tally *t)
{
  bytes b = mutate_case(format, number);
  const int commands[2] = {-1, number % COMMAND_EVERY == 0 ? (int)(number / COMMAND_EVERY) : -1};
  for (int i = 0; i < (commands[1] >= 0 && format <= MUTATE_SCENE ? 2 : 1); ++i) {
    const judge_report report = judge_calmly(format, &b, commands[i]);
    ++t->files;
    ++t->counts[report.verdict];
    t->slowest = report.seconds > t->slowest ? report.seconds : t->slowest;
    t->largest = report.peak > t->largest ? report.peak : t->largest;
    if (is_bad(report.verdict) && t->kept++ < KEPT_MOST)
      keep(format, number, commands[i], report.verdict, &b);
  }
  bytes_free(&b);
}

// ./dev soak adds these lines up.
static int print_tally(mutate_format format, const tally *t)
{
  int bad = 0;
  print_message("files %s", mutate_format_name(format));
  print_message(" %d", t->files);
  for (int v = 0; v < JUDGE_VERDICTS; ++v) {
    print_message(" %s %d", verdicts[v], t->counts[v]);
    bad += is_bad((judge_verdict)v) ? t->counts[v] : 0;
  }
  print_message(" slowest %.3f s largest %.1f MB\n", t->slowest, (double)t->largest / 1e6);
  return bad;
}

static void damaged_files_are_read_or_refused(void **state)
{
  (void)state;
  const char *only = getenv("FOOTFALL_FORMAT");
  const int count = ffi_samples(USUAL_CASES);
  int bad = 0, tried = 0;
  for (int f = 0; f < MUTATE_FORMATS; ++f) {
    tally t = {0};
    if (only && only[0] && strcmp(only, mutate_format_name((mutate_format)f)) != 0)
      continue;
    for (int i = 0; i < count; ++i)
      try_case((mutate_format)f, (uint64_t)i, &t);
    bad += print_tally((mutate_format)f, &t);
    tried += t.files;
  }
  ffi_samples_tried(tried, "damaged files");
  assert_int_equal(bad, 0);
}

static int are_same(const bytes *a, const bytes *b)
{
  return a->count == b->count && memcmp(a->at, b->at, a->count) == 0;
}

// Of so many cases one after the other. Two may be damaged alike, most are not.
enum { NEIGHBOURS = 20 };

// Nothing is asserted while files are held: what a failed test leaves behind, the leak checks of all later cases count
// as theirs.
static void a_case_depends_on_its_number_alone(void **state)
{
  (void)state;
  for (int f = 0; f < MUTATE_FORMATS - 1; ++f) { // logs have times in them
    const mutate_format format = (mutate_format)f;
    int repeated = 0, different = 0, damaged = 0;
    for (uint64_t i = 0; i < NEIGHBOURS; ++i) {
      bytes one = mutate_case(format, i), between = mutate_case(format, i + 1),
            again = mutate_case(format, i);
      repeated += are_same(&one, &again);
      different += !are_same(&one, &between);
      damaged += !mutate_seeds_has(format, &one);
      bytes_free(&one);
      bytes_free(&between);
      bytes_free(&again);
    }
    if (repeated != NEIGHBOURS || different < NEIGHBOURS / 2 || damaged < NEIGHBOURS * 3 / 4)
      fail_msg("%s: of %d cases %d came again, %d differ from the next, %d from the files they were made of",
               mutate_format_name(format), NEIGHBOURS, repeated, different, damaged);
  }
}

static int set_up(void **state)
{
  (void)state;
  return judge_open() ? 0 : -1;
}

static int tear_down(void **state)
{
  (void)state;
  judge_close();
  mutate_seeds_free();
  return 0;
}

static int judge_one(const char *name, const char *path, int command)
{
  const mutate_format format = mutate_format_named(name);
  if (format == MUTATE_FORMATS || !judge_open())
    return 2;
  bytes b = bytes_read(path);
  const judge_report report = command < 0 ? judge_library(format, &b) : judge_command(format, &b, command);
  printf("%s: %.3f s, %.1f MB: %s\n", verdicts[report.verdict], report.seconds, (double)report.peak / 1e6,
         report.words);
  bytes_free(&b);
  judge_close();
  return is_bad(report.verdict);
}

int main(int argc, char **argv)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_case_depends_on_its_number_alone),
      cmocka_unit_test(damaged_files_are_read_or_refused),
  };
  if (argc >= 3)
    return judge_one(argv[1], argv[2], argc > 3 ? atoi(argv[3]) : -1);
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
