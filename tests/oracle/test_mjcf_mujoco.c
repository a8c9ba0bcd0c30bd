// Every file of tests/oracle/mjcf, read by MuJoCo's own reader and by ours, must be one and the same robot.
#include "mjcf_compare.h"

#include <footfall/load.h>

#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define FOLDER FFI_TEST_SOURCE_DIR "/tests/oracle/mjcf"

static int ends_with(const char *text, const char *end)
{
  const size_t n = strlen(text), k = strlen(end);
  return n >= k && strcmp(text + n - k, end) == 0;
}

static void every_file_is_the_same_robot(void **unused)
{
  (void)unused;
  DIR *folder = opendir(FOLDER);
  int count = 0;
  assert_non_null(folder);
  for (struct dirent *entry = readdir(folder); entry; entry = readdir(folder)) {
    char path[1024], message[1000] = "";
    ff_error error;
    ff_model *ff = NULL;
    if (!ends_with(entry->d_name, ".xml"))
      continue;
    snprintf(path, sizeof path, "%s/%s", FOLDER, entry->d_name);
    mjModel *mj = mj_loadXML(path, NULL, message, sizeof message);
    if (!mj)
      fail_msg("%s: MuJoCo: %s", path, message);
    if (ff_model_load(path, NULL, &ff, &error) != FF_OK)
      fail_msg("%s", error.message);
    ffi_mjcf_compare(entry->d_name, mj, ff);
    ++count;
  }
  closedir(folder);
  print_message("%d files agree\n", count);
  assert_true(count >= 30);
}

// Without this MuJoCo writes its warnings to a file in the working folder.
static void say_nothing(const char *message)
{
  (void)message;
}

int main(void)
{
  mju_user_warning = say_nothing;
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_file_is_the_same_robot)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
