// ff_mesh_load(): a wedge as STL, OBJ and COLLADA has the same triangles, from disk and from memory; what cannot be
// read is an error, and nothing leaks.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE // mkdtemp
#endif

#include "support/alloc_counter.h"
#include "support/must.h"

#include <footfall/mesh.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

// Half of a box 2 x 1 x 3: two triangles and three rectangles, eight triangles in all.
#define OBJ                                                                                                  \
  "v 0 0 0\nv 2 0 0\nv 0 1 0\nv 0 0 3\nv 2 0 3\nv 0 1 3\n"                                                   \
  "f 1 3 2\nf 4 5 6\nf 1 2 5 4\nf 2 3 6 5\nf -4 -6 -3 -1\n"
#define STL_TRIANGLE(a, b, c)                                                                                \
  "facet normal 0 0 0\nouter loop\nvertex " a "\nvertex " b "\nvertex " c "\nendloop\nendfacet\n"
#define STL                                                                                                  \
  "solid wedge\n" STL_TRIANGLE("0 0 0", "0 1 0", "2 0 0") STL_TRIANGLE("0 0 3", "2 0 3", "0 1 3")            \
      STL_TRIANGLE("0 0 0", "2 0 0", "2 0 3") STL_TRIANGLE("0 0 0", "2 0 3", "0 0 3")                        \
          STL_TRIANGLE("2 0 0", "0 1 0", "0 1 3") STL_TRIANGLE("2 0 0", "0 1 3", "2 0 3")                    \
              STL_TRIANGLE("0 1 0", "0 0 0", "0 0 3")                                                        \
                  STL_TRIANGLE("0 1 0", "0 0 3", "0 1 3") "endsolid wedge\n"
#define DAE(faces)                                                                                           \
  "<COLLADA><asset><unit meter='0.5'/></asset><library_geometries><geometry><mesh><source id='s'>"           \
  "<float_array>0 0 0 4 0 0 0 2 0 0 0 6 4 0 6 0 2 6</float_array></source>"                                  \
  "<vertices id='v'><input semantic='POSITION' source='#s'/></vertices>" faces                               \
  "</mesh></geometry></library_geometries></COLLADA>"
#define POLYLIST                                                                                             \
  "<polylist><input semantic='VERTEX' source='#v' offset='0'/><vcount>3 3 4 4 4</vcount>"                    \
  "<p>0 2 1 3 4 5 0 1 4 3 1 2 5 4 2 0 3 5</p></polylist>"

static char folder[] = "/tmp/footfall-mesh-load-XXXXXX";

static const char *write_text(const char *name, const char *text)
{
  static char path[100];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *file = fopen(path, "wb");
  assert_non_null(file);
  assert_true(fputs(text, file) >= 0);
  assert_int_equal(fclose(file), 0);
  return path;
}

// Its surface, 2 * 1 + 3 (2 + 1 + sqrt 5), and by the divergence theorem its volume, 3.
static void check_wedge(const ff_mesh *mesh)
{
  double area = 0, volume = 0;
  assert_int_equal(mesh->triangle_count, 8);
  for (int i = 0; i < mesh->triangle_count; ++i) {
    const double *x[3];
    double n[3];
    for (int c = 0; c < 3; ++c) {
      assert_in_range(mesh->corners[3 * i + c], 0, mesh->point_count - 1);
      x[c] = mesh->points + 3 * (size_t)mesh->corners[3 * i + c];
    }
    for (int k = 0; k < 3; ++k) {
      const int a = (k + 1) % 3, b = (k + 2) % 3;
      n[k] = (x[1][a] - x[0][a]) * (x[2][b] - x[0][b]) - (x[1][b] - x[0][b]) * (x[2][a] - x[0][a]);
    }
    area += sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]) / 2;
    volume += (x[0][0] * n[0] + x[0][1] * n[1] + x[0][2] * n[2]) / 6;
  }
  if (fabs(area - 2 - 3 * (3 + sqrt(5))) > 1e-14 * 20 || fabs(volume - 3) > 1e-14 * 20)
    fail_msg("area %.17g, volume %.17g", area, volume);
}

static void a_wedge_in_every_format(void **state)
{
  (void)state;
  static const char *const files[][2] = {{"a.stl", STL}, {"a.OBJ", OBJ}, {"a.dae", DAE(POLYLIST)}};
  for (int i = 0; i < 3; ++i) {
    const char *path = write_text(files[i][0], files[i][1]);
    ff_mesh *mesh;
    ff_error error;
    ffi_must(ff_mesh_load(path, NULL, &mesh, &error), &error);
    check_wedge(mesh);
    ff_mesh_destroy(mesh);
    ff_files *kept = ff_files_create();
    const ff_file file = {FF_FILE_MESH, files[i][0], path, files[i][1], strlen(files[i][1])};
    ffi_must(ff_files_add(kept, &file, &error), &error);
    unlink(path);
    ffi_must(ff_mesh_load(path, kept, &mesh, &error), &error);
    check_wedge(mesh);
    ff_mesh_destroy(mesh);
    ff_files_destroy(kept);
  }
  ff_mesh_destroy(NULL);
}

// Points alone, and faces of which only some are of a kind that is read: no triangles rather than holes.
static void files_without_triangles(void **state)
{
  (void)state;
  static const char *const files[][2] = {
      {"a.obj", "v 0 0 0\nv 1 0 0\n"},
      {"a.dae",
       DAE(POLYLIST "<tristrips><input semantic='VERTEX' source='#v' offset='0'/><p>0 1 2</p></tristrips>")}};
  for (int i = 0; i < 2; ++i) {
    const char *path = write_text(files[i][0], files[i][1]);
    ff_mesh *mesh;
    ff_error error;
    ffi_must(ff_mesh_load(path, NULL, &mesh, &error), &error);
    assert_int_equal(mesh->triangle_count, 0);
    assert_int_equal(mesh->point_count, i == 0 ? 2 : 6);
    ff_mesh_destroy(mesh);
    unlink(path);
  }
}

static void refuse(const char *path, ff_status expected)
{
  ff_mesh *mesh = (ff_mesh *)(uintptr_t)1;
  ff_error error = {0};
  const ff_status status = ff_mesh_load(path, NULL, &mesh, &error);
  if (status != expected || mesh || !strstr(error.message, strrchr(path, '/') + 1))
    fail_msg("%s: status %d: %s", path, (int)status, error.message);
  unlink(path);
}

static void bad_files_are_errors(void **state)
{
  (void)state;
  ff_mesh *mesh;
  refuse("/nowhere/a.stl", FF_ERROR_FILE);
  refuse(write_text("a.ply", "ply\n"), FF_ERROR_UNSUPPORTED);
  refuse(write_text("a.obj", "v 0 0\n"), FF_ERROR_PARSE);
  refuse(write_text("a.dae", "<COLLADA>"), FF_ERROR_PARSE);
  assert_int_equal(ff_mesh_load(NULL, NULL, &mesh, NULL), FF_ERROR_ARGUMENT);
  assert_int_equal(ff_mesh_load("a.stl", NULL, NULL, NULL), FF_ERROR_ARGUMENT);
}

static void every_allocation_may_fail(void **state)
{
  (void)state;
  static const char *const files[][2] = {{"a.stl", STL}, {"a.obj", OBJ}};
  for (int i = 0; ffi_test_alloc_works() && i < 2; ++i) {
    const char *path = write_text(files[i][0], files[i][1]);
    for (long n = 1;; ++n) {
      ff_mesh *mesh;
      ffi_test_alloc_fail_at(n);
      const ff_status status = ff_mesh_load(path, NULL, &mesh, NULL);
      if (!ffi_test_alloc_failed()) {
        assert_int_equal(status, FF_OK);
        ff_mesh_destroy(mesh);
        break;
      }
      assert_int_equal(status, FF_ERROR_MEMORY);
    }
    unlink(path);
  }
}

static int make_folder(void **state)
{
  (void)state;
  return mkdtemp(folder) ? 0 : 1;
}

static int remove_folder(void **state)
{
  (void)state;
  return rmdir(folder);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_wedge_in_every_format),
      cmocka_unit_test(files_without_triangles),
      cmocka_unit_test(bad_files_are_errors),
      cmocka_unit_test(every_allocation_may_fail),
  };
  return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
