// soak: logs
// Damaged logs, finished and killed: 'info' and '--resume' answer within two seconds, in one line, and no number that
// has changed is given as if it had not. 60 copies are read, and every fourth is given to the command; with
// FOOTFALL_SAMPLES=34 that is 510.
#define _POSIX_C_SOURCE 200809L
#include "cli/log/known_log.h"
#include "cli/run_command.h"
#include "support/samples.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#define SCENE FFI_TEST_SOURCE_DIR "/scenes/solo-squat.yaml"

enum { COPIES = 60, EVERY = 4 };

static const double limit = 2; // [s] for an answer
enum { TRIES = 3 };            // a machine may be busy for a moment; who hangs, hangs each time

// ---- Sound logs -----------------------------------------------------------------------------------------------------

static void must_run(const char *prefix, const char *arguments, int status)
{
  ffi_output output = ffi_run(prefix, "%s", arguments);
  if (output.status != status)
    fail_msg("status %d of '%s': %s", output.status, arguments, output.err);
  ffi_output_free(&output);
}

static ffi_known_log finished_log(void)
{
  char arguments[1024];
  snprintf(arguments, sizeof arguments, "run '" SCENE "' --set dt=4ms --duration 2 --quiet --out '%s'",
           ffi_scratch_path("sound.h5"));
  must_run("", arguments, 0);
  return ffi_known_log_read(ffi_scratch_path("sound.h5"));
}

static long long rows_of(const char *path)
{
  ff_log *log;
  if (ff_log_open(path, &log, NULL) != FF_OK)
    return 0;
  const long long rows = ff_log_get_info(log)->states > 1 ? ff_log_get_info(log)->rows : 0;
  ff_log_close(log);
  return rows;
}

// Killed after a second or two, when it has written some rows at least twice.
static ffi_known_log killed_log(void)
{
  for (int seconds = 1; seconds < 20; seconds *= 2) {
    char line[1200];
    snprintf(
        line, sizeof line,
        "-c 'timeout -s KILL %d.2 \"$0\" run \"$1\" --set dt=4ms --duration 1e6 --quiet --log-every 40 --out "
        "\"$2\" || true' '%s' '" SCENE "' '%s'",
        seconds, ffi_command_path(), ffi_scratch_path("sound.h5"));
    ffi_output output = ffi_run_program("", "sh", line);
    ffi_output_free(&output);
    if (rows_of(ffi_scratch_path("sound.h5")) > 10)
      break;
  }
  return ffi_known_log_read(ffi_scratch_path("sound.h5"));
}

// ---- The command ----------------------------------------------------------------------------------------------------

static double now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// One line that names the file, or nothing.
static int is_line(const char *text, const char *path)
{
  char begin[600];
  const int length = snprintf(begin, sizeof begin, "footfall: %s: ", path);
  const char *end = strchr(text, '\n');
  return strncmp(text, begin, (size_t)length) == 0 && end && !end[1];
}

static ffi_output answer(const char *arguments, const char *path)
{
  ffi_output output = {0};
  double took = 2 * limit;
  for (int i = 0; i < TRIES && took > limit; ++i) {
    const double start = now();
    ffi_output_free(&output);
    output = ffi_run("timeout 20", arguments, path);
    took = now() - start;
  }
  if (took > limit)
    fail_msg("'%s' took %.1f s", arguments, took);
  if (output.status != 0 && output.status != 1)
    fail_msg("'%s': status %d, %s", arguments, output.status, output.err);
  if ((output.err[0] && !is_line(output.err, path)) || (output.status == 1 && !output.err[0]))
    fail_msg("'%s': %s", arguments, output.err);
  return output;
}

static char *text_of(const char *path)
{
  char *text = calloc(1, 1 << 20);
  FILE *file = fopen(path, "rb");
  assert_true(text && file);
  const size_t size = fread(text, 1, (1 << 20) - 1, file);
  assert_true(size > 100);
  fclose(file);
  return text;
}

// What '--resume' writes, as a table.
static ffi_output resume(const char *path)
{
  char arguments[1024];
  snprintf(arguments, sizeof arguments, "run --resume '%%s' --duration 8ms --quiet --out '%s'",
           ffi_scratch_path("resumed.csv"));
  return answer(arguments, path);
}

// The sound log's words, with this path in place of its own.
static int is_same_info(const char *sound, const char *bad)
{
  const char *a = strchr(sound, '\n'), *b = strchr(bad, '\n'); // the first lines are a bracket and the path
  a = a ? strchr(a + 1, '\n') : NULL;
  b = b ? strchr(b + 1, '\n') : NULL;
  return a && b && strcmp(a, b) == 0;
}

typedef struct sound_answers {
  char *info, *table;
} sound_answers;

static void check_command(const sound_answers *sound, const char *path, ffi_known_log_answer expected)
{
  ffi_output output = answer("info --json '%s'", path);
  if ((output.status == 0) != (expected == FFI_KNOWN_LOG_SOUND) ||
      (output.status == 0 && !is_same_info(sound->info, output.out)))
    fail_msg("info: status %d, %s%s", output.status, output.err, output.out);
  ffi_output_free(&output);
  output = resume(path);
  if (output.status == 0 && !output.err[0]) { // as if nothing were wrong
    char *table = text_of(ffi_scratch_path("resumed.csv"));
    assert_string_equal(table, sound->table);
    free(table);
  } else if (output.status == 0) {
    assert_non_null(strstr(output.err, "continues from the one at"));
  }
  ffi_output_free(&output);
}

// ---- Records of HDF5 ------------------------------------------------------------------------------------------------

// Of its object headers, heaps, trees and indexes of chunks.
static int is_record(const unsigned char *bytes)
{
  static const char *const signatures[] = {"OHDR", "OCHK", "FRHP", "FHDB", "FHIB", "BTHD", "BTIN",
                                           "BTLF", "EAHD", "EAIB", "EASB", "EADB", "FAHD", "FADB"};
  for (size_t i = 0; i < sizeof signatures / sizeof signatures[0]; ++i)
    if (memcmp(bytes, signatures[i], 4) == 0)
      return 1;
  return 0;
}

// The first record of the file says whether there is a writer: with a bit of it flipped HDF5 waited for the writer,
// twice as long each time. Others left memory that HDF5 complained about at the end of the program.
static void every_record_of_hdf5_may_be_damaged(void **state)
{
  enum { FIRST = 48, EVERY_RECORD = 9 };
  char path[512];
  int tried = 0;
  ffi_known_log known = finished_log();
  (void)state;
  snprintf(path, sizeof path, "%s", ffi_scratch_path("bad.h5"));
  for (size_t at = 0; at + 8 < known.size; ++at) {
    if (at >= FIRST && !is_record(known.bytes + at))
      continue;
    ffi_known_log_answer given;
    ffi_known_log_flip(&known, at < FIRST ? at : at + 6, path);
    const char *wrong = ffi_known_log_compare(&known, path, &given);
    if (wrong)
      fail_msg("byte %zu: %s", at, wrong);
    assert_int_not_equal(given, FFI_KNOWN_LOG_SOUND);
    if (++tried % EVERY_RECORD != 0)
      continue;
    ffi_output output = answer("info '%s'", path);
    assert_int_equal(output.status, 1);
    ffi_output_free(&output);
    output = resume(path);
    ffi_output_free(&output);
  }
  print_message("  %d records\n", tried);
  assert_true(tried > FIRST + 30);
  ffi_known_log_free(&known);
}

// ---- Tests ----------------------------------------------------------------------------------------------------------

static void check_copies(ffi_known_log *known, uint64_t seed)
{
  char path[512];
  int counts[3] = {0};
  const int copies = ffi_samples(COPIES) / 2;
  sound_answers sound = {0};
  snprintf(path, sizeof path, "%s", ffi_scratch_path("sound.h5"));
  ffi_output output = answer("info --json '%s'", path);
  assert_int_equal(output.status, 0);
  sound.info = output.out;
  free(output.err);
  output = resume(path);
  assert_int_equal(output.status, 0);
  ffi_output_free(&output);
  sound.table = text_of(ffi_scratch_path("resumed.csv"));
  snprintf(path, sizeof path, "%s", ffi_scratch_path("bad.h5"));
  for (int i = 0; i < copies; ++i) {
    ffi_random random = ffi_random_seed(seed + (uint64_t)i);
    size_t at;
    ffi_known_log_answer given;
    const char *what = ffi_known_log_damage(known, &random, path, &at);
    const char *wrong = ffi_known_log_compare(known, path, &given);
    if (wrong)
      fail_msg("copy %d: %s at %zu of %zu: %s", i, what, at, known->size, wrong);
    ++counts[given];
    if (i % EVERY == 0)
      check_command(&sound, path, given);
  }
  print_message("  %d copies: %d refused, %d damaged in part, %d not touched where it matters\n", copies,
                counts[0], counts[1], counts[2]);
  ffi_samples_tried(copies, "damaged logs");
  free(sound.info);
  free(sound.table);
  ffi_known_log_free(known);
}

static void finished_logs_may_be_damaged(void **state)
{
  (void)state;
  ffi_known_log known = finished_log();
  check_copies(&known, 1000000);
}

static void killed_logs_may_be_damaged(void **state)
{
  (void)state;
  ffi_known_log known = killed_log();
  assert_false(ff_log_get_info(known.log)->is_whole);
  check_copies(&known, 2000000);
}

// One bit of the stored motion costs the motion, not the rows: who reads them is told which file is gone.
static void a_damaged_file_is_named(void **state)
{
  char path[512], arguments[700];
  ff_error error;
  ff_log *log;
  (void)state;
  snprintf(path, sizeof path, "%s", ffi_scratch_path("trot.h5"));
  snprintf(arguments, sizeof arguments,
           "run '" FFI_TEST_SOURCE_DIR "/scenes/solo-trot.yaml' --duration 0.1 --quiet --out '%s'", path);
  must_run("", arguments, 4); // too short for its task
  ffi_known_log known = ffi_known_log_read(path);
  snprintf(path, sizeof path, "%s", ffi_scratch_path("bad.h5"));
  int named = 0;
  for (int i = 0; i < 40 && !named; ++i) { // most of the file is the motion
    ffi_known_log_flip(&known, known.size / 2 + (size_t)(997 * i), path);
    if (ff_log_open(path, &log, &error) != FF_OK)
      continue;
    named = strstr(ff_log_get_info(log)->damaged_file, "solo-trot.txt") != NULL;
    ff_log_row row;
    const ff_model *model;
    for (long long k = 0; named && k < ff_log_get_info(log)->rows; ++k)
      assert_int_equal(ff_log_read(log, k, &row, &error), FF_OK);
    assert_int_equal(ff_log_model(log, &model, &error), FF_OK);
    ff_log_close(log);
  }
  assert_true(named);
  ffi_output output = answer("info '%s'", path);
  assert_int_equal(output.status, 1);
  assert_non_null(
      strstr(output.err, "solo-trot.txt' of the run cannot be read as written; the rest can; it cannot"));
  ffi_output_free(&output);
  output = resume(path);
  assert_int_equal(output.status, 1);
  assert_non_null(strstr(output.err, "cannot be resumed: the log is damaged: '"));
  assert_non_null(strstr(output.err, "solo-trot.txt'"));
  ffi_output_free(&output);
  ffi_known_log_free(&known);
}

// Nothing reads tables and MCAP again: damaged or not, they are refused at once.
static void other_formats_are_refused(void **state)
{
  static const char *const names[] = {"sound.csv", "sound.mcap"};
  (void)state;
  for (int f = 0; f < 2; ++f) {
    char path[512], arguments[1024];
    snprintf(path, sizeof path, "%s", ffi_scratch_path(names[f]));
    snprintf(arguments, sizeof arguments, "run '" SCENE "' --duration 0.2 --quiet --out '%s'", path);
    must_run("", arguments, 0);
    for (int i = 0; i < ffi_samples(4); ++i) {
      FILE *file = fopen(path, "r+b");
      ffi_random random = ffi_random_seed(3000000 + (uint64_t)(2 * i + f));
      assert_non_null(file);
      fseek(file, 0, SEEK_END);
      fseek(file, ffi_random_below(&random, (int)ftell(file)), SEEK_SET);
      fputc(ffi_random_below(&random, 256), file);
      fclose(file);
      ffi_output output = ffi_run("timeout 20", "info '%s'", path);
      assert_int_equal(output.status, 1);
      assert_string_equal(output.out, "");
      assert_string_equal(strchr(output.err, '\n'), "\n");
      ffi_output_free(&output);
      output = answer("run --resume '%s'", path);
      assert_int_equal(output.status, 1);
      assert_non_null(strstr(output.err, "is not a log"));
      ffi_output_free(&output);
    }
  }
}

// The command may be built with a sanitizer: what HDF5 does not free after a damaged record is not our leak.
static void suppress_hdf5(void)
{
  char options[700];
  snprintf(options, sizeof options, "suppressions=%s:print_suppressions=0",
           ffi_write_file("lsan", "leak:libhdf5\n", 13));
  setenv("LSAN_OPTIONS", options, 1);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_record_of_hdf5_may_be_damaged), cmocka_unit_test(finished_logs_may_be_damaged),
      cmocka_unit_test(killed_logs_may_be_damaged),          cmocka_unit_test(a_damaged_file_is_named),
      cmocka_unit_test(other_formats_are_refused),
  };
  suppress_hdf5();
  return cmocka_run_group_tests(tests, NULL, ffi_tear_down);
}
