// MJCF of several files: meshes and includes. The guide's table of attributes is that of the reader.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE // mkdtemp
#endif

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <dirent.h>

#include "model_text.h"

#include <footfall/footfall.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void write_text(const char *folder, const char *name, const char *text)
{
  char path[300];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  fputs(text, file);
  fclose(file);
}

static void remove_files(const char *folder, const char *const *names)
{
  char path[300];
  for (; *names; ++names) {
    snprintf(path, sizeof path, "%s/%s", folder, *names);
    assert_int_equal(remove(path), 0);
  }
  assert_int_equal(rmdir(folder), 0);
}

static const char *mesh_of(const ff_model *model, const char *name)
{
  static ff_shape_info shape;
  for (int i = 0; ff_model_shape(model, i, &shape) == FF_OK; ++i)
    if (shape.def.name && strcmp(shape.def.name, name) == 0)
      return shape.def.mesh_file;
  fail_msg("there is no shape '%s'", name);
  return NULL;
}

// Meshes are found in meshdir or assetdir beside the main file, else in the caller's folders, else kept as written.
static void meshes_are_found_or_kept_by_name(void **state)
{
  (void)state;
  char folder[] = "/tmp/footfall-mjcf-XXXXXX", path[300], here[400], elsewhere[300];
  assert_non_null(mkdtemp(folder));
  snprintf(path, sizeof path, "%s/meshes", folder);
  assert_int_equal(mkdir(path, 0700), 0);
  snprintf(elsewhere, sizeof elsewhere, "%s/more", folder);
  assert_int_equal(mkdir(elsewhere, 0700), 0);
  static const char wedge[] = "solid\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nvertex 0 0 1\nendsolid\n";
  write_text(folder, "meshes/here.stl", wedge);
  write_text(folder, "more/there.stl", wedge);
  write_text(
      folder, "robot.xml",
      "<mujoco><compiler assetdir='meshes' strippath='true'/><asset><mesh file='lost/here.stl' scale='2 2 2'/>"
      "<mesh name='t' file='there.stl'/><mesh file='nowhere.obj'/></asset><worldbody><body><freejoint/>"
      "<inertial pos='0 0 0' mass='1' diaginertia='1 1 1'/><geom name='a' type='mesh' mesh='here'/>"
      "<geom name='b' type='mesh' mesh='t'/><geom name='c' type='mesh' mesh='nowhere'/></body></worldbody></mujoco>");
  const char *const folders[] = {elsewhere, NULL};
  ff_load_def def = ff_load_def_default();
  ff_model *model = NULL;
  ff_error error = {0};
  def.mesh_paths = folders;
  snprintf(path, sizeof path, "%s/robot.xml", folder);
  if (ff_model_load(path, &def, &model, &error) != FF_OK)
    fail_msg("%s", error.message);
  snprintf(here, sizeof here, "%s/meshes/here.stl", folder);
  assert_string_equal(mesh_of(model, "a"), here);
  snprintf(here, sizeof here, "%s/there.stl", elsewhere);
  assert_string_equal(mesh_of(model, "b"), here);
  assert_string_equal(mesh_of(model, "c"), "nowhere.obj");
  assert_warning(
      model,
      "robot.xml:1: the mesh 'nowhere.obj' was not found; only its name is kept, so it touches nothing");
  ff_model_destroy(model);
  remove_files(folder, (const char *const[]){"meshes/here.stl", "more/there.stl", "robot.xml", "meshes",
                                             "more", NULL});
}

// An error or warning in an included file names that file; its own includes are relative to the main file.
static void what_is_included_is_told_by_its_own_file(void **state)
{
  (void)state;
  char folder[] = "/tmp/footfall-mjcf-XXXXXX", path[300], want[400];
  ff_model *model = NULL;
  ff_error error = {0};
  assert_non_null(mkdtemp(folder));
  snprintf(path, sizeof path, "%s/deep", folder);
  assert_int_equal(mkdir(path, 0700), 0);
  write_text(folder, "deep/a.xml", "<x>\n<include file='deep/b.xml'/>\n<include file='deep/empty.xml'/></x>");
  write_text(folder, "deep/b.xml", "<x>\n\n<camera/>\n" ARM "</x>");
  write_text(folder, "deep/empty.xml", "<x/>");
  write_text(folder, "main.xml", "<mujoco><worldbody><include file='deep/a.xml'/></worldbody></mujoco>");
  snprintf(path, sizeof path, "%s/main.xml", folder);
  if (ff_model_load(path, NULL, &model, &error) != FF_OK)
    fail_msg("%s", error.message);
  snprintf(want, sizeof want, "%s/deep/b.xml:3: ignored without effect on the motion: <camera>", folder);
  assert_warning(model, want);
  link_named(model, "arm");
  ff_model_destroy(model);
  remove_files(folder,
               (const char *const[]){"deep/a.xml", "deep/b.xml", "deep/empty.xml", "main.xml", "deep", NULL});
}

// A name is looked for beside the main file, then beside the file that includes it; also among kept files.
static void an_include_stands_beside_its_file(void **state)
{
  (void)state;
  char folder[] = "/tmp/footfall-mjcf-XXXXXX", path[300];
  ff_error error = {0};
  assert_non_null(mkdtemp(folder));
  snprintf(path, sizeof path, "%s/deep", folder);
  assert_int_equal(mkdir(path, 0700), 0);
  write_text(folder, "main.xml", "<mujoco><worldbody><include file='deep/a.xml'/></worldbody></mujoco>");
  write_text(folder, "deep/a.xml", "<x><include file='b.xml'/><include file='c.xml'/></x>");
  write_text(folder, "deep/b.xml", "<x>" ARM "</x>");
  write_text(folder, "deep/c.xml", "<x>no</x>");
  write_text(folder, "c.xml", "<x><body name='main c' pos='0 0 1'/></x>");
  snprintf(path, sizeof path, "%s/main.xml", folder);
  ff_files *kept = ff_files_create();
  for (int again = 0; again < 2; ++again) {
    ff_model *model = NULL;
    ff_load_def def = ff_load_def_default();
    def.keep = again ? NULL : kept;
    def.from = again ? kept : NULL;
    if (ff_model_load(path, &def, &model, &error) != FF_OK)
      fail_msg("%s", error.message);
    link_named(model, "arm");
    link_named(model, "main c");
    ff_model_destroy(model);
    if (!again)
      remove_files(folder, (const char *const[]){"main.xml", "deep/a.xml", "deep/b.xml", "deep/c.xml",
                                                 "c.xml", "deep", NULL});
  }
  assert_non_null(ff_files_find(kept, FF_FILE_INCLUDE, "deep/b.xml"));
  ff_files_destroy(kept);
}

// ---- The guide ------------------------------------------------------------------------------------------------------

static char *read_all(const char *path)
{
  FILE *file = fopen(path, "rb");
  if (!file)
    fail_msg("cannot read %s", path);
  char *text = calloc(1, 400000);
  assert_non_null(text);
  assert_true(fread(text, 1, 399999, file) < 399999);
  fclose(file);
  return text;
}

// Solver settings that the guide sums up.
static int is_summed_up(const char *word)
{
  static const char *const ends[] = {"_tolerance", "_iterations", "_initpoints", NULL};
  for (int i = 0; ends[i]; ++i) {
    const size_t length = strlen(word), end = strlen(ends[i]);
    if (length > end && strcmp(word + length - end, ends[i]) == 0)
      return 1;
  }
  return 0;
}

// A row of the guide that names the word and says that it is ignored.
static int is_ignored_in(const char *guide, const char *quoted)
{
  for (const char *at = guide; (at = strstr(at, quoted)); ++at) {
    const char *end = strchr(at, '\n'), *ignored = strstr(at, "ignored");
    if (end && ignored && ignored < end)
      return 1;
  }
  return 0;
}

// Words are listed as {"word", FFI_MJCF_FATE, ...}, from `at` to `end`.
static int check_table(const char *at, const char *end, const char *path, const char *guide)
{
  int count = 0;
  for (; (at = strstr(at, "{\"")) && at < end; ++at) {
    char word[64], fate[32], quoted[80];
    if (sscanf(at, "{\"%63[a-z_A-Z0-9]\", FFI_MJCF_%31[A-Z]", word, fate) != 2 || is_summed_up(word))
      continue;
    snprintf(quoted, sizeof quoted, "`%s`", word);
    ++count;
    if (strcmp(word, "name") == 0 || strcmp(word, "class") == 0)
      continue;
    if (!strstr(guide, quoted))
      fail_msg("%s: docs/guide/mjcf-attributes.md does not name '%s'", path, word);
    if (strcmp(fate, "PHYSICS") == 0 && !is_ignored_in(guide, quoted))
      fail_msg("%s: docs/guide/mjcf-attributes.md does not say that '%s' is ignored", path, word);
  }
  return count;
}

static int check_file(const char *path, const char *guide)
{
  char *text = read_all(path);
  int count = 0;
  for (const char *at = text; (at = strstr(at, "_words[] = {")); ++at)
    count += check_table(at, strstr(at, "};"), path, guide);
  free(text);
  return count;
}

static void every_attribute_is_in_the_guide(void **state)
{
  (void)state;
  static const char folder[] = FFI_TEST_SOURCE_DIR "/src/io/mjcf";
  char *guide = read_all(FFI_TEST_SOURCE_DIR "/docs/guide/mjcf-attributes.md");
  DIR *files = opendir(folder);
  int count = 0;
  assert_non_null(files);
  for (const struct dirent *entry; (entry = readdir(files));) {
    char path[1000];
    const size_t length = strlen(entry->d_name);
    snprintf(path, sizeof path, "%s/%.200s", folder, entry->d_name);
    if (length > 2 && strcmp(entry->d_name + length - 2, ".c") == 0)
      count += check_file(path, guide);
  }
  closedir(files);
  free(guide);
  assert_true(count > 200); // the tables were found
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(meshes_are_found_or_kept_by_name),
      cmocka_unit_test(what_is_included_is_told_by_its_own_file),
      cmocka_unit_test(an_include_stands_beside_its_file),
      cmocka_unit_test(every_attribute_is_in_the_guide),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
