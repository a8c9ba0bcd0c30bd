// Who writes a log, and what happens to the one that was there before: two programs cannot write the same file, and
// neither a full disk nor a kill destroys an older log.
#define _POSIX_C_SOURCE 200809L
#include "cli/run_command.h"

#include <footfall/log.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define BALL "'" FFI_TEST_SOURCE_DIR "/models/ball.urdf'"

static const char *const formats[] = {"h5", "csv", "mcap"};

static char *bytes_of(const char *name, size_t *size)
{
  FILE *file = fopen(ffi_scratch_path(name), "rb");
  if (!file)
    fail_msg("there is no %s", name);
  fseek(file, 0, SEEK_END);
  *size = (size_t)ftell(file);
  rewind(file);
  char *bytes = malloc(*size + 1);
  assert_non_null(bytes);
  assert_int_equal(fread(bytes, 1, *size, file), *size);
  fclose(file);
  return bytes;
}

static int is_there(const char *name)
{
  return access(ffi_scratch_path(name), F_OK) == 0;
}

static void must_run(const char *arguments, const char *name)
{
  ffi_output output = ffi_run("", arguments, ffi_scratch_path(name));
  if (output.status != 0)
    fail_msg("status %d: %s", output.status, output.err);
  ffi_output_free(&output);
}

// A shell script in which "$0" is the command and "$1" the log.
static ffi_output script(const char *text, const char *name)
{
  char line[3000];
  snprintf(line, sizeof line, "-c '%s' '%s' '%s'", text, ffi_command_path(), ffi_scratch_path(name));
  return ffi_run_program("", "sh", line);
}

// Waits until the log "$1" is there and has its first rows.
#define BEGIN                                                                                                 \
  "\"$0\" run \"$MODEL\" --duration 1e6 --log-every 1000 --quiet --out \"$1\" & "                             \
  "p=$!; n=0; until [ -s \"$1\" ] && [ ! -e \"$1.part\" ] || [ $n = 100 ]; do sleep 0.05; n=$((n+1)); done; " \
  "sleep 0.1; "

static void the_second_writer_is_refused(void **state)
{
  (void)state;
  for (int f = 0; f < 3; ++f) {
    char name[64];
    snprintf(name, sizeof name, "two.%s", formats[f]);
    ffi_output output = script(BEGIN "\"$0\" run \"$MODEL\" --duration 1ms --out \"$1\" --quiet; s=$?; "
                                     "kill -INT $p; wait $p; echo $? $s",
                               name);
    assert_string_equal(output.out, "130 1\n");
    assert_non_null(strstr(output.err, "another program is writing"));
    assert_non_null(strstr(output.err, name));
    assert_string_equal(strchr(output.err, '\n'), "\n");
    ffi_output_free(&output);
    size_t size;
    free(bytes_of(name, &size));
    assert_true(size > 1000); // the first one's
    char part[80];
    snprintf(part, sizeof part, "%s.part", name);
    assert_false(is_there(part));
  }
  ff_log *log;
  assert_int_equal(ff_log_open(ffi_scratch_path("two.h5"), &log, NULL), FF_OK);
  assert_string_equal(ff_log_get_info(log)->outcome, "interrupted");
  ff_log_close(log);
}

// Twelve begin at the same moment. As many say that they wrote it as have written it: one at a time.
static void of_many_writers_one_wins(void **state)
{
  (void)state;
  for (int f = 0; f < 3; ++f) {
    char name[64];
    snprintf(name, sizeof name, "many.%s", formats[f]);
    ffi_output output =
        script("n=0; while [ $n -lt 12 ]; do n=$((n+1)); (\"$0\" run \"$MODEL\" --duration 1 --dt 5ms "
               "--quiet --out \"$1\"; echo $?) & done; wait",
               name);
    int good = 0, bad = 0;
    for (const char *c = output.out; *c; ++c) {
      good += *c == '0';
      bad += *c == '1';
    }
    assert_int_equal(good + bad, 12);
    assert_true(good >= 1);
    int told = 0;
    for (const char *c = output.err; (c = strstr(c, "another program is writing")); ++c)
      ++told;
    assert_int_equal(told, bad);
    ffi_output_free(&output);
    ffi_output kept = script("ls \"$1\"*", name);
    if (strchr(kept.out, '\n')[1])
      fail_msg("more than the log is left: %s", kept.out);
    ffi_output_free(&kept);
  }
  must_run("info '%s' --quiet", "many.h5");
}

// The disk is full after the new log has begun: the old one has its bytes, and the message says where.
static void a_full_disk_keeps_the_old_log(void **state)
{
  static const int blocks[] = {400, 60, 200}; // of 512 bytes: more than the head of a log
  (void)state;
  for (int f = 0; f < 3; ++f) {
    char name[64], kept[70], prefix[64];
    size_t size, size_after;
    snprintf(name, sizeof name, "full.%s", formats[f]);
    snprintf(kept, sizeof kept, "%s~", name);
    snprintf(prefix, sizeof prefix, "ulimit -f %d;", blocks[f]);
    must_run("run " BALL " --duration 0.1 --quiet --out '%s'", name);
    char *before = bytes_of(name, &size);
    ffi_output output =
        ffi_run(prefix, "run " BALL " --duration 20 --quiet --out '%s'", ffi_scratch_path(name));
    if (output.status != 1 || !strstr(output.err, "that was there before is now ") ||
        !strstr(output.err, kept) || !strstr(output.err, "File too large"))
      fail_msg("status %d: %s", output.status, output.err);
    assert_string_equal(strchr(output.err, '\n'), "\n");
    ffi_output_free(&output);
    char *after = bytes_of(kept, &size_after);
    assert_int_equal(size, size_after);
    assert_memory_equal(before, after, size);
    free(after);
    assert_true(is_there(name)); // what was written of the new one

    // Once more: the complete one stays, not the partial one.
    output = ffi_run(prefix, "run " BALL " --duration 20 --quiet --out '%s'", ffi_scratch_path(name));
    assert_int_equal(output.status, 1);
    ffi_output_free(&output);
    after = bytes_of(kept, &size_after);
    assert_int_equal(size, size_after);
    assert_memory_equal(before, after, size);
    free(after);
    free(before);

    must_run("run " BALL " --duration 0.1 --quiet --out '%s'", name);
    assert_true(is_there(kept)); // it was there before this run, so it may be somebody's
  }
}

static void a_kill_keeps_the_old_log(void **state)
{
  (void)state;
  size_t size, size_after;
  must_run("run " BALL " --duration 0.1 --quiet --out '%s'", "killed.h5");
  char *before = bytes_of("killed.h5", &size);
  ffi_output output =
      script("timeout -s KILL 1.5 \"$0\" run \"$MODEL\" --duration 1e6 --log-every 1000 --quiet "
             "--out \"$1\"; true",
             "killed.h5");
  ffi_output_free(&output);
  char *after = bytes_of("killed.h5~", &size_after);
  assert_int_equal(size, size_after);
  assert_memory_equal(before, after, size);
  free(before);
  free(after);
  char arguments[1024];
  snprintf(arguments, sizeof arguments, "run --resume '%%s' --duration 10ms --quiet --out '%s'",
           ffi_scratch_path("killed-2.h5"));
  must_run(arguments, "killed.h5");
}

// Somebody removes the log while it is written: the program does not say that it is there.
static void a_removed_log_is_told(void **state)
{
  (void)state;
  for (int f = 0; f < 3; ++f) {
    char name[64];
    snprintf(name, sizeof name, "gone.%s", formats[f]);
    ffi_output output = script(BEGIN "rm \"$1\"; kill -INT $p; wait $p", name);
    assert_non_null(strstr(output.err, "removed or replaced while it was written"));
    ffi_output_free(&output);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_second_writer_is_refused),  cmocka_unit_test(of_many_writers_one_wins),
      cmocka_unit_test(a_full_disk_keeps_the_old_log), cmocka_unit_test(a_kill_keeps_the_old_log),
      cmocka_unit_test(a_removed_log_is_told),
  };
  setenv("MODEL", FFI_TEST_SOURCE_DIR "/models/ball.urdf", 1); // of the scripts
  return cmocka_run_group_tests(tests, NULL, ffi_tear_down);
}
