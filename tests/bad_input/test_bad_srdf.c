// Malformed SRDF: every file of tests/bad_input/srdf is refused as the table says; no truncation, wrong byte or missing
// piece of a good one does harm; and running out of memory anywhere is an error like another.
#include "support/alloc_counter.h"

#include <footfall/files.h>
#include <footfall/load.h>

#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define FOLDER FFI_TEST_SOURCE_DIR "/tests/bad_input/srdf/"

static const char robot[] =
    "<robot name='r'><link name='a'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1'/></inertial></link>"
    "<link name='b'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1'/></inertial></link>"
    "<joint name='j' type='continuous'><parent link='a'/><child link='b'/><axis xyz='0 1 0'/></joint></robot>";

static const char good[] = "<robot name='r'>\n"
                           "  <virtual_joint name='v' type='floating' parent_frame='world' child_link='a'/>\n"
                           "  <group name='g'><joint name='j'/></group>\n"
                           "  <group_state name='s' group='g'><joint name='j' value='0.5'/></group_state>\n"
                           "  <disable_collisions link1='a' link2='b' reason='Adjacent'/>\n"
                           "</robot>\n";

static const struct {
  const char *file;
  ff_status status;
  const char *message;
} table[] = {
    {"empty.srdf", FF_ERROR_PARSE, "empty.srdf:"},
    {"not_xml.srdf", FF_ERROR_PARSE, "not_xml.srdf:1: "},
    {"root.srdf", FF_ERROR_PARSE, "root.srdf:1: <semantics>: is no SRDF: the root element must be <robot>"},
    {"link1_missing.srdf", FF_ERROR_PARSE, "link1_missing.srdf:2: <disable_collisions>"},
    {"link2_empty.srdf", FF_ERROR_PARSE, "link2_empty.srdf:3: <disable_collisions>"},
    {"state_without_name.srdf", FF_ERROR_PARSE, "state_without_name.srdf:2: <group_state>"},
    {"state_name_long.srdf", FF_ERROR_LIMIT, "state_name_long.srdf:2: posture"},
    {"joint_without_name.srdf", FF_ERROR_PARSE, "joint_without_name.srdf:3: <joint>"},
    {"joint_without_value.srdf", FF_ERROR_PARSE, "joint_without_value.srdf:3: <joint> 'j'"},
    {"value_text.srdf", FF_ERROR_PARSE, "value_text.srdf:3: <joint> 'j': attribute 'value'"},
    {"value_nan.srdf", FF_ERROR_PARSE, "value_nan.srdf:3: <joint> 'j': attribute 'value'"},
    {"value_eight.srdf", FF_ERROR_PARSE, "value_eight.srdf:3: <joint> 'j': attribute 'value'"},
};

enum { FILES = sizeof table / sizeof table[0] };

static ff_status load(const char *srdf, ff_model **model, ff_error *error)
{
  ff_load_def def = ff_load_def_default();
  def.srdf = srdf;
  return ff_model_load_memory(robot, sizeof robot - 1, "robot.urdf", &def, model, error);
}

static void every_file_is_refused(void **state)
{
  (void)state;
  for (int i = 0; i < FILES; ++i) {
    char path[1024];
    ff_error error;
    ff_model *model;
    snprintf(path, sizeof path, "%s%s", FOLDER, table[i].file);
    const ff_status status = load(path, &model, &error);
    if (status != table[i].status || !strstr(error.message, table[i].message) || model)
      fail_msg("%s: status %d, '%s'", table[i].file, (int)status, error.message);
  }
}

static void no_file_is_left_out(void **state)
{
  (void)state;
  int found = 0;
  DIR *folder = opendir(FOLDER);
  assert_non_null(folder);
  for (struct dirent *entry = readdir(folder); entry; entry = readdir(folder))
    found += entry->d_name[0] != '.';
  closedir(folder);
  assert_int_equal(found, FILES);
}

// The robot with this SRDF, both from memory.
static ff_status load_text(const char *text, size_t length, ff_model **model, ff_error *error)
{
  ff_files *files = ff_files_create();
  const ff_file parts[2] = {
      {.kind = FF_FILE_MODEL, .name = "r.urdf", .path = "r.urdf", .data = robot, .size = sizeof robot - 1},
      {.kind = FF_FILE_INCLUDE, .name = "r.srdf", .path = "r.srdf", .data = text, .size = length}};
  ff_load_def def = ff_load_def_default();
  ff_status status = files ? FF_OK : FF_ERROR_MEMORY;
  *model = NULL;
  for (int i = 0; i < 2 && status == FF_OK; ++i)
    status = ff_files_add(files, &parts[i], error);
  def.from = files;
  if (status == FF_OK)
    status = ff_model_load("r.urdf", &def, model, error);
  ff_files_destroy(files);
  return status;
}

static void try(const char *text, size_t length)
{
  ff_error error;
  ff_model *model;
  const ff_status status = load_text(text, length, &model, &error);
  if ((status == FF_OK) != (model != NULL) || (status != FF_OK && !error.message[0]))
    fail_msg("status %d: %.*s", (int)status, (int)length, text);
  ff_model_destroy(model);
}

static ff_status load_beside(const char *urdf, ff_model **model)
{
  ff_load_def def = ff_load_def_default();
  def.srdf = "";
  return ff_model_load(urdf, &def, model, NULL);
}

// One that was found beside its URDF: the message says how to go without it.
static void a_bad_neighbour_can_be_left_out(void **state)
{
  (void)state;
  char folder[] = "/tmp/footfall-srdf-XXXXXX", urdf[100], srdf[100];
  ff_error error;
  ff_model *model = NULL;
  assert_non_null(mkdtemp(folder));
  snprintf(urdf, sizeof urdf, "%s/r.urdf", folder);
  snprintf(srdf, sizeof srdf, "%s/r.srdf", folder);
  FILE *file = fopen(urdf, "w");
  assert_non_null(file);
  fputs(robot, file);
  fclose(file);
  file = fopen(srdf, "w");
  assert_non_null(file);
  fputs("<robot name='r'><disable", file);
  fclose(file);
  const ff_status status = ff_model_load(urdf, NULL, &model, &error), without = load_beside(urdf, &model);
  unlink(urdf);
  unlink(srdf);
  rmdir(folder);
  assert_int_equal(status, FF_ERROR_PARSE);
  assert_non_null(strstr(error.message, "/r.srdf:1: "));
  assert_non_null(strstr(error.message, "lies beside the URDF: mend it, or leave it out by --srdf ''"));
  assert_int_equal(without, FF_OK);
  ff_model_destroy(model);
}

static void the_good_file_is_good(void **state)
{
  (void)state;
  ff_error error;
  ff_model *model;
  if (load_text(good, sizeof good - 1, &model, &error) != FF_OK)
    fail_msg("%s", error.message);
  assert_int_equal(ff_model_get_size(model).exclusions, 1);
  assert_int_equal(ff_model_get_size(model).postures, 1);
  ff_model_destroy(model);
}

static void no_damage_does_harm(void **state)
{
  (void)state;
  static const char wrong[] = {'\0', '<', '"', '\'', '-', '9', 'e', '\xff', ' '};
  const size_t length = sizeof good - 1;
  char text[sizeof good];
  for (size_t i = 0; i < length; ++i) {
    try(good, i);
    memcpy(text, good, sizeof text);
    text[i] = wrong[i % sizeof wrong];
    try(text, length);
    for (size_t cut = 1; cut < 14 && i + cut <= length; cut += 4) {
      memcpy(text, good, i);
      memcpy(text + i, good + i + cut, length - i - cut);
      try(text, length - cut);
    }
  }
}

static void running_out_of_memory_is_an_error(void **state)
{
  (void)state;
  for (long n = 1;; ++n) {
    ff_error error = {0};
    ff_model *model = NULL;
    ffi_test_alloc_fail_at(n);
    const ff_status status = load_text(good, sizeof good - 1, &model, &error);
    const int has_failed = ffi_test_alloc_failed();
    if (status != FF_OK && (status != FF_ERROR_MEMORY || !has_failed))
      fail_msg("allocation %ld: status %d, %s", n, (int)status, error.message);
    ff_model_destroy(model);
    if (!has_failed) {
      assert_true(n > 10 || !ffi_test_alloc_works());
      return;
    }
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_file_is_refused),
      cmocka_unit_test(no_file_is_left_out),
      cmocka_unit_test(a_bad_neighbour_can_be_left_out),
      cmocka_unit_test(the_good_file_is_good),
      cmocka_unit_test(no_damage_does_harm),
      cmocka_unit_test(running_out_of_memory_is_an_error),
  };
  return cmocka_run_group_tests_name("bad_input/srdf", tests, NULL, NULL);
}
