// Files that were kept while a robot or a scene was read give the same again when the originals are gone; and nothing
// else is read then.
#define _GNU_SOURCE
#include "logged_scene.h"
#include "support/alloc_counter.h"

#include <footfall/files.h>
#include <footfall/load.h>
#include <footfall/scene.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static void write_file(const char *name, const char *text)
{
  FILE *file = fopen(ffi_logged_path(name), "w");
  assert_non_null(file);
  fputs(text, file);
  fclose(file);
}

static const char *const names[] = {"main.xml", "part.xml", "more.xml", "wedge.obj"};

// An MJCF of three files and a mesh.
static void write_robot(void)
{
  write_file("main.xml", "<mujoco model='parts'><include file='part.xml'/><worldbody>"
                         "<include file='more.xml'/></worldbody></mujoco>");
  write_file("part.xml",
             "<mujoco><compiler meshdir='.'/><asset><mesh name='wedge' file='wedge.obj'/></asset></mujoco>");
  write_file("more.xml",
             "<mujoco><body name='a'><freejoint/><inertial pos='0 0 0' mass='1' diaginertia='1 1 1'/><geom "
             "type='mesh' mesh='wedge'/>"
             "<body name='b'><joint name='hinge'/><geom size='0.1'/></body></body></mujoco>");
  write_file("wedge.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n");
}

static void remove_robot(void)
{
  for (int i = 0; i < 4; ++i)
    unlink(ffi_logged_path(names[i]));
}

static void a_robot_is_read_again_from_what_was_kept(void **state)
{
  ff_load_def def = ff_load_def_default();
  ff_model *model, *again;
  ff_error error = {0};
  ff_shape_info a, b;
  char path[256];
  (void)state;
  write_robot();
  snprintf(path, sizeof path, "%s", ffi_logged_path("main.xml"));
  ff_files *files = def.keep = ff_files_create();
  if (ff_model_load(path, &def, &model, &error) != FF_OK)
    fail_msg("%s", error.message);
  assert_int_equal(ff_files_count(files), 4);
  assert_non_null(ff_files_find(files, FF_FILE_INCLUDE, "more.xml"));
  assert_string_equal(ff_files_find(files, FF_FILE_MODEL, NULL)->path, path);
  const ff_file *mesh = ff_files_find(files, FF_FILE_MESH, NULL);
  assert_ptr_equal(ff_files_at(files, mesh->path), mesh);
  assert_int_equal(strncmp(mesh->data, "v 0 0 0", 7), 0);
  remove_robot();

  def = ff_load_def_default();
  assert_int_equal(ff_model_load(path, &def, &again, &error), FF_ERROR_FILE);
  def.from = files;
  if (ff_model_load(path, &def, &again, &error) != FF_OK)
    fail_msg("%s", error.message);
  assert_int_equal(ff_model_get_size(again).nv, ff_model_get_size(model).nv);
  assert_int_equal(ff_model_get_size(again).shapes, ff_model_get_size(model).shapes);
  for (int i = 0; ff_model_shape(model, i, &a) == FF_OK; ++i) {
    assert_int_equal(ff_model_shape(again, i, &b), FF_OK);
    assert_int_equal(a.def.vertex_count, b.def.vertex_count);
    assert_memory_equal(a.def.vertices, b.def.vertices, 3 * (size_t)a.def.vertex_count * sizeof(double));
    assert_memory_equal(a.def.pose.position, b.def.pose.position, sizeof a.def.pose.position);
  }
  ff_model_destroy(model);
  ff_model_destroy(again);
  ff_files_destroy(files);
}

// Even where the disk has a file, what was not kept is not there.
static void nothing_else_is_read(void **state)
{
  ff_load_def def = ff_load_def_default();
  ff_model *model;
  ff_error error = {0};
  (void)state;
  write_robot();
  ff_files *files = ff_files_create();
  def.from = files;
  assert_int_equal(ff_model_load(ffi_logged_path("main.xml"), &def, &model, &error), FF_ERROR_FILE);
  assert_non_null(strstr(error.message, "not among the files that were kept"));
  const ff_file main_file = {.kind = FF_FILE_MODEL,
                             .name = "main.xml",
                             .path = "main.xml",
                             .data = "<mujoco><include file='part.xml'/></mujoco>",
                             .size = 43};
  assert_int_equal(ff_files_add(files, &main_file, &error), FF_OK);
  assert_int_equal(ff_model_load(ffi_logged_path("main.xml"), &def, &model, &error), FF_ERROR_FILE);
  assert_non_null(strstr(error.message, "part.xml"));
  ff_files_destroy(files);
  remove_robot();
}

static void one_of_a_name_is_kept_once(void **state)
{
  ff_file file = {.kind = FF_FILE_MESH, .name = "a", .path = "/a", .data = "one", .size = 3};
  ff_error error = {0};
  (void)state;
  ff_files *files = ff_files_create();
  assert_int_equal(ff_files_add(files, &file, &error), FF_OK);
  file.data = "two";
  assert_int_equal(ff_files_add(files, &file, &error), FF_OK);
  file.kind = FF_FILE_INCLUDE;
  assert_int_equal(ff_files_add(files, &file, &error), FF_OK);
  assert_int_equal(ff_files_count(files), 2);
  assert_string_equal(ff_files_find(files, FF_FILE_MESH, "a")->data, "one");
  assert_string_equal(ff_files_find(files, FF_FILE_INCLUDE, "a")->data, "two");
  assert_null(ff_files_find(files, FF_FILE_SCENE, NULL));
  assert_null(ff_files_get(files, 2));
  file.name = NULL;
  assert_int_equal(ff_files_add(files, &file, &error), FF_ERROR_ARGUMENT);
  ff_files_destroy(files);
}

// The text of a scene with its changes, read again, is the same scene; so is every scene that comes with Footfall.
static void scenes_are_the_same_again(void **state)
{
  static const char *const scenes[] = {"solo-squat", "romeo-walk", "starleth-push", "stack", "plate"};
  const ff_scene_override changes[] = {{.path = "dt", .value = "2.5ms"},
                                       {.path = "controller.period", .value = "10ms"},
                                       {.path = "title", .value = "'a: \"b\" #c'"}};
  (void)state;
  for (size_t i = 0; i < sizeof scenes / sizeof scenes[0]; ++i) {
    char path[512];
    ff_error error = {0};
    ff_scene *scene = NULL, *again = NULL;
    ff_files *files = ff_files_create(), *second = ff_files_create();
    snprintf(path, sizeof path, "%s/scenes/%s.yaml", FFI_TEST_SOURCE_DIR, scenes[i]);
    if (ff_scene_load_files(path, changes, 3, files, NULL, &scene, &error) != FF_OK ||
        ff_scene_load_files("gone.yaml", NULL, 0, second, files, &again, &error) != FF_OK)
      fail_msg("%s", error.message);
    const ff_scene_def *a = ff_scene_get_def(scene), *b = ff_scene_get_def(again);
    assert_string_equal(b->title, "a: \"b\" #c");
    assert_true(a->sim.dt == b->sim.dt && a->sim.dt == 0.0025 && a->duration == b->duration);
    assert_int_equal(a->ground_count, b->ground_count);
    assert_int_equal(a->controller.type, b->controller.type);
    assert_memory_equal(&a->sim, &b->sim, sizeof a->sim);
    assert_memory_equal(&a->controller.tasks, &b->controller.tasks, sizeof a->controller.tasks);
    const int nq = ff_model_get_size(ff_scene_model(scene)).nq;
    assert_memory_equal(ff_scene_q(scene), ff_scene_q(again), (size_t)nq * sizeof(double));
    // and its text does not change any more
    assert_string_equal(ff_files_find(files, FF_FILE_SCENE, NULL)->data,
                        ff_files_find(second, FF_FILE_SCENE, NULL)->data);
    ff_scene_destroy(scene);
    ff_scene_destroy(again);
    ff_files_destroy(files);
    ff_files_destroy(second);
  }
}

// Every allocation fails once: FF_ERROR_MEMORY, and nothing leaks.
static void memory_may_be_short(void **state)
{
  char path[256];
  (void)state;
  if (!ffi_test_alloc_works())
    skip();
  write_robot();
  snprintf(path, sizeof path, "%s", ffi_logged_path("main.xml"));
  int failed = 0;
  for (long n = 1; n < 100000; ++n) {
    ff_load_def def = ff_load_def_default();
    ff_model *model = NULL;
    ff_error error = {0};
    def.keep = ff_files_create();
    assert_non_null(def.keep);
    ffi_test_alloc_fail_at(n);
    const ff_status status = ff_model_load(path, &def, &model, &error);
    const int has_failed = ffi_test_alloc_failed();
    ff_model_destroy(model);
    ff_files_destroy(def.keep);
    if (!has_failed)
      break;
    assert_int_equal(status, FF_ERROR_MEMORY);
    ++failed;
  }
  assert_true(failed > 20);
  remove_robot();
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_robot_is_read_again_from_what_was_kept),
      cmocka_unit_test(nothing_else_is_read),
      cmocka_unit_test(one_of_a_name_is_kept_once),
      cmocka_unit_test(scenes_are_the_same_again),
      cmocka_unit_test(memory_may_be_short),
  };
  return cmocka_run_group_tests(tests, NULL, ffi_logged_tear_down);
}
