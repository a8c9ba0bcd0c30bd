// Where meshes are looked for: around the description, in ROS_PACKAGE_PATH, in the caller's folders.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "io/mesh/mesh_path.h"

#include <footfall/load.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// A workspace in a temporary folder:
//   ws/arm/urdf/robot.urdf      the description
//   ws/arm/meshes/base.stl      in its own package
//   ws/arm/urdf/near.stl        beside it
//   ws/hand/meshes/palm.stl     in the package next to it
//   ros/gripper/jaw.stl         in a folder of ROS_PACKAGE_PATH
//   more/extra.stl, more/tool/bit.stl
static char top[64];

static const char *at(const char *path)
{
  static char buffer[8][200];
  static int next;
  char *out = buffer[next++ % 8];
  snprintf(out, sizeof buffer[0], "%s/%s", top, path);
  return out;
}

static void put(const char *path, const char *text)
{
  FILE *file = fopen(at(path), "w");
  assert_non_null(file);
  fputs(text, file);
  fclose(file);
}

static const char *const folders[] = {"ws",      "ws/arm",         "ws/arm/urdf", "ws/arm/meshes",
                                      "ws/hand", "ws/hand/meshes", "ros",         "ros/gripper",
                                      "more",    "more/tool"};
static const char *const files[] = {"ws/arm/meshes/base.stl",  "ws/arm/urdf/near.stl",
                                    "ws/hand/meshes/palm.stl", "ros/gripper/jaw.stl",
                                    "more/extra.stl",          "more/tool/bit.stl"};
enum { FOLDERS = sizeof folders / sizeof folders[0], FILES = sizeof files / sizeof files[0] };

static int set_up(void **state)
{
  (void)state;
  strcpy(top, "/tmp/footfall_meshes_XXXXXX");
  if (!mkdtemp(top))
    return -1;
  for (int i = 0; i < FOLDERS; ++i)
    mkdir(at(folders[i]), 0777);
  for (int i = 0; i < FILES; ++i)
    put(files[i], "solid");
  unsetenv("ROS_PACKAGE_PATH");
  return 0;
}

static int tear_down(void **state)
{
  (void)state;
  for (int i = 0; i < FILES; ++i)
    unlink(at(files[i]));
  unlink(at("ws/arm/urdf/robot.urdf"));
  for (int i = FOLDERS - 1; i >= 0; --i)
    rmdir(at(folders[i]));
  unsetenv("ROS_PACKAGE_PATH");
  return rmdir(top);
}

// Does a reference lead to this file (compared as files, not as names)? `expected` NULL: to none.
static void check(const char *reference, const char *const *paths, const char *expected)
{
  ffi_arena arena = {0};
  const char *found = "unset";
  struct stat a;
  struct stat b;
  assert_int_equal(ffi_mesh_path_find(&arena, at("ws/arm/urdf/robot.urdf"), paths, reference, &found), FF_OK);
  if (!expected && found)
    fail_msg("'%s' was found at %s", reference, found);
  if (expected && (!found || stat(found, &a) || stat(at(expected), &b) || a.st_ino != b.st_ino))
    fail_msg("'%s' was found at %s instead of %s", reference, found ? found : "no place", expected);
  ffi_arena_free(&arena);
}

static void meshes_around_the_description_are_found(void **state)
{
  (void)state;
  check("near.stl", NULL, "ws/arm/urdf/near.stl");
  check("../meshes/base.stl", NULL, "ws/arm/meshes/base.stl");
  check("..\\meshes\\base.stl", NULL, "ws/arm/meshes/base.stl");
  check("package://arm/meshes/base.stl", NULL, "ws/arm/meshes/base.stl");
  check("package://renamed/meshes/base.stl", NULL, "ws/arm/meshes/base.stl");
  check("package://hand/meshes/palm.stl", NULL, "ws/hand/meshes/palm.stl");
  check("model://hand/meshes/palm.stl", NULL, "ws/hand/meshes/palm.stl");
  check("file://near.stl", NULL, "ws/arm/urdf/near.stl");
}

static void absolute_paths_are_taken_as_they_are(void **state)
{
  (void)state;
  char url[200];
  check(at("more/extra.stl"), NULL, "more/extra.stl");
  snprintf(url, sizeof url, "file://%s", at("more/extra.stl"));
  check(url, NULL, "more/extra.stl");
  check("/nowhere/extra.stl", NULL, NULL);
}

static void what_is_not_there_is_not_found(void **state)
{
  (void)state;
  static const char *const absent[] = {"gone.stl",
                                       "package://arm/gone.stl",
                                       "package://arm",
                                       "package://",
                                       "package:///x",
                                       "http://localhost/near.stl",
                                       "",
                                       "file://",
                                       "://near.stl",
                                       "../urdf",
                                       "package://arm/meshes",
                                       ":/",
                                       "ftp://near.stl"};
  for (size_t i = 0; i < sizeof absent / sizeof absent[0]; ++i)
    check(absent[i], NULL, NULL);
  char *longer = malloc(100001);
  assert_non_null(longer);
  memset(longer, 'x', 100000);
  longer[100000] = 0;
  check(longer, NULL, NULL);
  free(longer);
}

static void the_callers_folders_are_searched(void **state)
{
  (void)state;
  const char *const paths[] = {"/nowhere", at("more"), NULL};
  check("extra.stl", NULL, NULL);
  check("extra.stl", paths, "more/extra.stl");
  check("package://tool/bit.stl", paths, "more/tool/bit.stl");
  check("package://anything/extra.stl", paths, "more/extra.stl");
  check("near.stl", paths, "ws/arm/urdf/near.stl");
}

static void ros_package_path_is_searched(void **state)
{
  (void)state;
  char list[300];
  check("package://gripper/jaw.stl", NULL, NULL);
  snprintf(list, sizeof list, "/nowhere::%s:", at("ros"));
  setenv("ROS_PACKAGE_PATH", list, 1);
  check("package://gripper/jaw.stl", NULL, "ros/gripper/jaw.stl");
  unsetenv("ROS_PACKAGE_PATH");
}

static void a_model_holds_the_path_that_was_found(void **state)
{
  (void)state;
  put("ws/arm/urdf/robot.urdf",
      "<robot name='r'><link name='a'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1'/></inertial>"
      "<visual><geometry><mesh filename='package://arm/meshes/base.stl'/></geometry></visual></link></robot>");
  ff_model *model = NULL;
  ff_error error;
  ff_shape_info shape;
  assert_int_equal(ff_model_load(at("ws/arm/urdf/robot.urdf"), NULL, &model, &error), FF_OK);
  assert_int_equal(ff_model_get_size(model).warnings, 0);
  assert_int_equal(ff_model_shape(model, 0, &shape), FF_OK);
  assert_int_equal(access(shape.def.mesh_file, R_OK), 0);
  ff_model_destroy(model);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(meshes_around_the_description_are_found),
      cmocka_unit_test(absolute_paths_are_taken_as_they_are),
      cmocka_unit_test(what_is_not_there_is_not_found),
      cmocka_unit_test(the_callers_folders_are_searched),
      cmocka_unit_test(ros_package_path_is_searched),
      cmocka_unit_test(a_model_holds_the_path_that_was_found),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
