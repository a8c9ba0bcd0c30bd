// footfall view and files: what cannot be done is refused before anything is lost; where pages go; a full disk.
#include "cli/run_command.h"
#include "cli/view/view_page.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

#define TROT "'" FFI_TEST_SOURCE_DIR "/scenes/solo-trot.yaml'"
#define BLOCK "'" FFI_TEST_SOURCE_DIR "/models/sliding_block.urdf'"

static void what_cannot_be_is_refused(void **state)
{
  static const struct {
    const char *arguments;
    int status;
    const char *words;
  } cases[] = {
      {"view", 2, "needs a log, a scene or a model"},
      {"view --no-opne " TROT, 2, "did you mean '--no-open'?"},
      {"view --no-open --steppers , " TROT, 2, "names of steppers"},
      {"view --no-open --steppers a,b,c,d,e " TROT " " TROT, 2, "at most 8 runs"},
      {"view --no-open -o /tmp/x.html absent.yaml", 1, "absent.yaml"},
      {"view --no-open -o /tmp/x.html absent.h5", 1, "absent.h5"},
      {"view --no-open -o /tmp/x.html --duration=10kg " TROT, 2, "duration"},
      {"view --no-open -o /tmp/x.html --steppers nonsense " TROT, 2, "nonsense"},
      {"view --no-open -o /absent/folder/x.html --duration 0.01 " TROT, 1, "cannot be written"},
      {"view --no-open -o " TROT " " TROT, 1, "would overwrite"},
      {"view --no-open --stepper euler absent.h5", 2, "does not apply to a log"},
      {"view --no-open some.csv", 2, "HDF5 logs"},
      {"view --no-open --live absent.h5", 2, "does not apply to a log"},
      {"view --no-open --live --drop 1m " BLOCK, 2, "does not apply to '--live' with a model"},
      {"view --no-open --live absent.urdf", 1, "absent.urdf"},
      {"view --no-open -o /tmp/x.html --duration 0.01 " TROT " " BLOCK, 1, "must be of the same robot"},
      {"view --no-open --live " TROT " " TROT, 2, "takes one scene"},
      {"view --no-open --live -o /tmp/x.html " TROT, 2, "writes no file"},
      {"view --no-open --live absent.yaml", 1, "absent.yaml"},
      {"view --no-open --live --port 0 " TROT, 2, "must be a whole number from 1 to 65535"},
      {"view --no-open --live --port 8417x " TROT, 2, "must be a whole number from 1 to 65535"},
      {"view --no-open --port 8417 " TROT, 2, "needs '--live'"},
  };
  (void)state;
  ffi_page_need_viewer();
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
    ffi_output output = ffi_run("", "%s", cases[i].arguments);
    if (output.status != cases[i].status || !strstr(output.err, cases[i].words))
      fail_msg("%s: exit status %d, %s", cases[i].arguments, output.status, output.err);
    assert_int_equal(strncmp(output.err, "footfall: ", 10), 0);
    ffi_output_free(&output);
  }
}

static long long size_of(const char *path)
{
  struct stat status;
  return stat(path, &status) == 0 ? (long long)status.st_size : -1;
}

static char page_path[256];

// A full disk leaves no half page and costs none that was there; and where there is no display that is said.
static void disk_and_display(void **state)
{
  (void)state;
  ffi_page_need_viewer();
  ffi_output output = ffi_run("", "view --no-open -o /dev/full --duration 0.01 " TROT);
  assert_int_equal(output.status, 1);
  assert_non_null(strstr(output.err, "could not be written"));
  ffi_output_free(&output);
  snprintf(page_path, sizeof page_path, "%s", ffi_write_file("kept.html", "an older page", 13));
  output = ffi_run("ulimit -f 100;", "view --no-open -o '%s' --duration 0.01 " TROT, page_path);
  assert_int_equal(output.status, 1);
  assert_non_null(strstr(output.err, "kept.html: could not be written: File too large"));
  ffi_output_free(&output);
  assert_int_equal(size_of(page_path), 13);
  strcat(page_path, ".part");
  assert_int_equal(size_of(page_path), -1);
  snprintf(page_path, sizeof page_path, "%s/shown.html", ffi_scratch_folder());
  output = ffi_run("env -u DISPLAY -u WAYLAND_DISPLAY", "view -o '%s' --duration 0.01 " TROT, page_path);
  assert_int_equal(output.status, 0);
  assert_non_null(strstr(output.out, "open the file in one"));
  ffi_output_free(&output);
}

// Unless a place is said: in the folder that logs go to as well. What is said about it cannot disturb a terminal.
static void the_place_of_pages(void **state)
{
  char here[600];
  (void)state;
  ffi_page_need_viewer();
  snprintf(here, sizeof here, "cd '%s'; FOOTFALL_OUT=pages", ffi_scratch_folder());
  ffi_output output = ffi_run(here, "view --no-open --duration 0.01 " TROT);
  assert_int_equal(output.status, 0);
  assert_int_equal(strncmp(output.out, "pages/solo-trot.html (", 22), 0);
  ffi_output_free(&output);
  snprintf(here, sizeof here, "cd '%s'; test -s pages/solo-trot.html && rm -r pages;", ffi_scratch_folder());
  output = ffi_run(here, "view --no-open --duration 0.01 -o \"$(printf 'a\\033[31mb.html')\" " TROT);
  assert_int_equal(output.status, 0);
  assert_int_equal(strncmp(output.out, "a?[31mb.html (", 14), 0);
  ffi_output_free(&output);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_cannot_be_is_refused),
      cmocka_unit_test(disk_and_display),
      cmocka_unit_test(the_place_of_pages),
  };
  return cmocka_run_group_tests(tests, NULL, ffi_tear_down);
}
