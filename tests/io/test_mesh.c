// Meshes: the same box as STL in both forms, OBJ and COLLADA is the same hull; broken files are told by their name and
// line; robots touch the ground with their meshes' hulls.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE // mkdtemp
#endif

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "io/mesh/mesh.h"
#include "model_text.h"

#include <footfall/sim.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char folder[] = "/tmp/footfall-mesh-XXXXXX";

static const char *path_of(const char *name)
{
  static char path[4][300];
  static int next;
  char *out = path[next++ % 4];
  snprintf(out, sizeof path[0], "%s/%s", folder, name);
  return out;
}

static void write_bytes(const char *name, const void *bytes, size_t length)
{
  FILE *file = fopen(path_of(name), "wb");
  assert_non_null(file);
  assert_int_equal(fwrite(bytes, 1, length, file), length);
  assert_int_equal(fclose(file), 0);
}

static void write_text(const char *name, const char *text)
{
  write_bytes(name, text, strlen(text));
}

// ---- A box, 2 x 4 x 6, its lowest corner at (1, 1, 1), in every format ----------------------------------------

static const double box[8][3] = {{1, 1, 1}, {3, 1, 1}, {1, 5, 1}, {3, 5, 1},
                                 {1, 1, 7}, {3, 1, 7}, {1, 5, 7}, {3, 5, 7}};
static const int sides[12][3] = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                                 {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};

static void write_stl_text(const char *name)
{
  char text[8000] = "solid box\n";
  for (int i = 0; i < 12; ++i) {
    strcat(text, " facet normal 0 0 0\n  outer loop\n");
    for (int k = 0; k < 3; ++k) {
      const double *x = box[sides[i][k]];
      snprintf(text + strlen(text), 100, "\tvertex %g\t%.1e %g\r\n", x[0], x[1], x[2]);
    }
    strcat(text, "  endloop\n endfacet\n");
  }
  strcat(text, "endsolid box\n");
  write_text(name, text);
}

static void write_stl_bytes(const char *name)
{
  unsigned char bytes[84 + 12 * 50] = "solid, but binary";
  bytes[80] = 12;
  for (int i = 0; i < 12; ++i)
    for (int k = 0; k < 3; ++k)
      for (int c = 0; c < 3; ++c) {
        const float x = (float)box[sides[i][k]][c];
        memcpy(bytes + 84 + 50 * i + 12 + 12 * k + 4 * c, &x,
               sizeof x); // tests run where floats are little-endian
      }
  write_bytes(name, bytes, sizeof bytes);
}

static void write_obj(const char *name)
{
  char text[3000] = "# a box\nmtllib none.mtl\no box\n";
  for (int i = 0; i < 8; ++i)
    snprintf(text + strlen(text), 100, "v %g %g %g%s\n", box[i][0], box[i][1], box[i][2],
             i == 3 ? " 0.5 0.5 0.5" : "");
  strcat(text, "vn 0 0 99\nvt 77 0\nf 1//1 2//1 3//1\n");
  write_text(name, text);
}

#define COLLADA_HEAD                                                                                         \
  "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n"                                                             \
  "<COLLADA xmlns=\"http://www.collada.org/2005/11/COLLADASchema\" version=\"1.4.1\">\n"                     \
  "<asset><unit name=\"centimeter\" meter=\"0.01\"/><up_axis>Y_UP</up_axis></asset>\n"
#define COLLADA_BOX                                                                                          \
  "<library_geometries><geometry id=\"g\"><mesh><source id=\"p\">"                                           \
  "<float_array id=\"a\" count=\"24\">-1 -2 -3 1 -2 -3 -1 2 -3 1 2 -3\n"                                     \
  "-1 -2 3 1 -2 3 -1 2 3 1 2 3</float_array>"                                                                \
  "<technique_common><accessor source=\"#a\" count=\"8\" stride=\"3\"/></technique_common></source>"         \
  "<source id=\"n\"><float_array id=\"b\" count=\"3\">9 9 9</float_array></source>"                          \
  "<vertices id=\"v\"><input semantic=\"NORMAL\" source=\"#n\"/>"                                            \
  "<input semantic=\"POSITION\" source=\"#p\"/></vertices>"                                                  \
  "</mesh></geometry></library_geometries>\n"

// In centimetres, halved and put in place by nested nodes: translate(200, 300, 400) of a quarter turn and back of 100.
static void write_dae(const char *name)
{
  write_text(name, COLLADA_HEAD COLLADA_BOX
             "<library_nodes><node id=\"half\"><rotate>0 0 1 -90</rotate><instance_geometry url=\"#g\"/>"
             "</node></library_nodes>"
             "<library_visual_scenes><visual_scene id=\"s\"><node>"
             "<matrix>1 0 0 200  0 1 0 300  0 0 1 400  0 0 0 1</matrix>"
             "<node><rotate>0 0 2 90</rotate><scale>100 100 100</scale><instance_node url=\"#half\"/></node>"
             "</node></visual_scene></library_visual_scenes>"
             "<scene><instance_visual_scene url=\"#s\"/></scene></COLLADA>");
}

static void corners_of(const char *name, const double scale[3], const double **corners, int *count,
                       ffi_arena *arena)
{
  ff_error error = {0};
  ffi_mesh_hull hull;
  if (ffi_mesh_corners(NULL, arena, path_of(name), scale, &hull, &error) != FF_OK)
    fail_msg("%s", error.message);
  *corners = hull.corners;
  *count = hull.count;
}

// Are the corners those of the box, each once?
static void check_box(const double *corners, int count, const double scale[3], double tolerance)
{
  int seen[8] = {0};
  assert_int_equal(count, 8);
  for (int i = 0; i < 8; ++i)
    for (int k = 0; k < 8; ++k) {
      double far = 0;
      for (int c = 0; c < 3; ++c)
        far = fmax(far, fabs(corners[3 * i + c] - scale[c] * box[k][c]));
      seen[k] += far <= tolerance;
    }
  for (int k = 0; k < 8; ++k)
    assert_int_equal(seen[k], 1);
}

static void one_box_in_every_format(void **state)
{
  (void)state;
  static const char *const names[] = {"text.stl", "bytes.STL", "box.obj", "box.dae"};
  static const double scales[][3] = {{1, 1, 1}, {0.001, -0.002, 0.5}};
  write_stl_text(names[0]);
  write_stl_bytes(names[1]);
  write_obj(names[2]);
  write_dae(names[3]);
  for (int i = 0; i < 4; ++i)
    for (int s = 0; s < 2; ++s) {
      ffi_arena arena = {0};
      const double *corners = NULL;
      int count = 0;
      corners_of(names[i], scales[s], &corners, &count, &arena);
      check_box(corners, count, scales[s], 1e-14 * 7);
      ffi_arena_free(&arena);
    }
}

// Without a scene geometries stand as they are, in their unit.
static void collada_without_a_scene(void **state)
{
  (void)state;
  ffi_arena arena = {0};
  const double *corners = NULL, one[3] = {1, 1, 1};
  int count = 0;
  write_text("bare.dae", COLLADA_HEAD COLLADA_BOX "</COLLADA>");
  corners_of("bare.dae", one, &corners, &count, &arena);
  assert_int_equal(count, 8);
  for (int i = 0; i < 24; ++i)
    assert_true(fabs(fabs(corners[i]) - 0.01 * (i % 3 + 1)) < 1e-16);
  ffi_arena_free(&arena);
}

// ---- A fine ball ----------------------------------------------------------------------------------------------

static void a_fine_mesh_keeps_few_corners(void **state)
{
  (void)state;
  enum { RINGS = 60, AROUND = 120 };
  FILE *file = fopen(path_of("ball.obj"), "w");
  assert_non_null(file);
  for (int i = 0; i <= RINGS; ++i)
    for (int k = 0; k < AROUND; ++k) {
      const double a = 3.14159265358979 * i / RINGS, b = 2 * 3.14159265358979 * k / AROUND;
      fprintf(file, "v %.17g %.17g %.17g\n", sin(a) * cos(b), sin(a) * sin(b), cos(a));
    }
  fclose(file);
  ffi_arena arena = {0};
  const double *corners = NULL, one[3] = {1, 1, 1};
  int count = 0;
  corners_of("ball.obj", one, &corners, &count, &arena);
  assert_true(count > 100 && count <= FFI_MESH_MAX_CORNERS);
  for (int i = 0; i < count; ++i) {
    const double *x = corners + 3 * i;
    assert_true(fabs(x[0] * x[0] + x[1] * x[1] + x[2] * x[2] - 1) < 1e-14);
  }
  ffi_arena_free(&arena);
}

// ---- Broken files ---------------------------------------------------------------------------------------------

static void broken_files_are_told(void **state)
{
  (void)state;
  static const struct {
    const char *name, *text, *expected;
  } rows[] = {
      {"a.stl", "", "is not STL: it neither begins with 'solid' nor has a header"},
      {"a.stl", "solid x\nendsolid x\n", "there are no points in it"},
      {"a.stl", "solid x\n\nvertex 1 2\n", ":3: a vertex has only 2 numbers"},
      {"a.stl", "solid x\nvertex 1 2 0x10\n", ":2: '0x10' is not a number"},
      {"a.stl", "solid x\nvertex 1 2 nan\n", ":2: 'nan' is not a number"},
      {"a.stl", "solid x\nvertex 1 2 1e999\n", ":2: point 1 is not finite"},
      {"a.obj", "# nothing\n", "there are no points in it"},
      {"a.obj", "v 1 2 3\nv 1 2 x3\n", ":2: 'x3' is not a number"},
      {"a.obj", "v 1 2 3\nv 1\n", ":2: a vertex has only 1 numbers"},
      {"a.dae", "<COLLADA>", "not well-formed XML"},
      {"a.dae", "<robot/>", ":1: <robot>: is no COLLADA document"},
      {"a.dae", "<COLLADA/>", "there are no points in it"},
      {"a.dae", "<COLLADA>\n<asset><unit meter='-1'/></asset></COLLADA>",
       ":2: <unit>: attribute 'meter' must be > 0"},
      {"a.dae", "<COLLADA><scene>\n<instance_visual_scene url='#x'/></scene></COLLADA>",
       ":2: <instance_visual_scene>: there is no <visual_scene> '#x' in this file"},
      {"a.dae",
       COLLADA_HEAD "<library_geometries><geometry><mesh/></geometry></library_geometries></COLLADA>",
       "there is no <input> of semantic POSITION"},
      {"a.dae",
       "<COLLADA><library_geometries><geometry><mesh><source id='p'>\n<float_array>1 2 three</float_array></source>"
       "<vertices><input semantic='POSITION' source='#p'/></vertices></mesh></geometry></library_geometries></COLLADA>",
       ":2: <float_array>"},
      {"a.dae",
       "<COLLADA><library_geometries><geometry><mesh><source id='p'><float_array>1 2 3</float_array>"
       "<technique_common>\n<accessor count='2' stride='3'/></technique_common></source>"
       "<vertices><input semantic='POSITION' source='#p'/></vertices></mesh></geometry></library_geometries></COLLADA>",
       ":2: <accessor>"},
      {"a.dae",
       "<COLLADA><library_nodes><node id='n'><instance_node url='#n'/></node></library_nodes><library_visual_scenes>"
       "<visual_scene id='s'><instance_node url='#n'/></visual_scene></library_visual_scenes>"
       "<scene><instance_visual_scene url='#s'/></scene></COLLADA>",
       "nested more than 64 deep"},
      {"a.ply", "ply", "meshes are read from .stl, .obj and .dae"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
    ffi_arena arena = {0};
    ff_error error = {0};
    const double one[3] = {1, 1, 1};
    ffi_mesh_hull hull;
    write_text(rows[i].name, rows[i].text);
    assert_int_not_equal(ffi_mesh_corners(NULL, &arena, path_of(rows[i].name), one, &hull, &error), FF_OK);
    if (!strstr(error.message, rows[i].expected) || !strstr(error.message, path_of(rows[i].name)))
      fail_msg("'%s' where '%s' should be", error.message, rows[i].expected);
    ffi_arena_free(&arena);
  }
}

static void binary_files_of_the_wrong_length(void **state)
{
  (void)state;
  ffi_arena arena = {0};
  ff_error error = {0};
  const double one[3] = {1, 1, 1};
  ffi_mesh_hull hull;
  char bytes[100] = {0};
  bytes[80] = bytes[81] = bytes[82] = bytes[83] = (char)255;
  write_bytes("short.stl", bytes, sizeof bytes);
  assert_int_equal(ffi_mesh_corners(NULL, &arena, path_of("short.stl"), one, &hull, &error), FF_ERROR_PARSE);
  assert_non_null(strstr(error.message, "it has 100 bytes, but its 4294967295 triangles need"));
  assert_int_equal(ffi_mesh_corners(NULL, &arena, path_of("gone.stl"), one, &hull, &error), FF_ERROR_FILE);
  assert_non_null(strstr(error.message, "gone.stl"));
  ffi_arena_free(&arena);
}

// ---- Robots -----------------------------------------------------------------------------------------------------

#define MESH_ROBOT(file)                                                                                     \
  "<robot name='r'><link name='a'>" INERTIAL "<visual><geometry><mesh filename='" file                       \
  "'/></geometry></visual><collision><geometry><mesh filename='" file                                        \
  "' scale='0.1 0.1 0.1'/></geometry></collision></link></robot>"

static ff_model *load_file(const char *name)
{
  ff_model *model = NULL;
  ff_error error = {0};
  if (ff_model_load(path_of(name), NULL, &model, &error) != FF_OK)
    fail_msg("%s", error.message);
  return model;
}

static void what_touches_is_a_hull_and_what_is_seen_a_name(void **state)
{
  (void)state;
  ff_shape_info seen, touching;
  write_obj("box.obj");
  write_text("robot.urdf", MESH_ROBOT("box.obj"));
  ff_model *model = load_file("robot.urdf");
  assert_int_equal(ff_model_shape(model, 0, &seen), FF_OK);
  assert_int_equal(ff_model_shape(model, 1, &touching), FF_OK);
  assert_int_equal(seen.def.type, FF_SHAPE_MESH);
  assert_int_equal(touching.def.type, FF_SHAPE_HULL);
  assert_string_equal(touching.def.mesh_file, path_of("box.obj"));
  check_box(touching.def.vertices, touching.def.vertex_count, touching.def.scale, 1e-15);
  ff_model_destroy(model);
}

static void broken_and_flat_meshes_of_robots(void **state)
{
  (void)state;
  ff_model *model = NULL;
  ff_error error = {0};
  ff_shape_info shape;
  write_text("bad.obj", "v 1 2 3\nv 4 five 6\n");
  write_text("robot.urdf", MESH_ROBOT("bad.obj"));
  assert_int_equal(ff_model_load(path_of("robot.urdf"), NULL, &model, &error), FF_ERROR_PARSE);
  assert_non_null(strstr(error.message, "bad.obj:2: 'five' is not a number"));
  write_text("flat.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\n");
  write_text("robot.urdf", MESH_ROBOT("flat.obj"));
  model = load_file("robot.urdf");
  assert_int_equal(ff_model_shape(model, 1, &shape), FF_OK);
  assert_int_equal(shape.def.type, FF_SHAPE_HULL);
  assert_int_equal(warnings_with(model, "lie in a plane: it touches as a thin plate"), 1);
  ff_model_destroy(model);
  write_text(
      "robot.xml",
      "<mujoco><asset><mesh name='m' file='bad.obj'/></asset><worldbody><body><freejoint/>"
      "<inertial pos='0 0 0' mass='1' diaginertia='1 1 1'/><geom type='mesh' mesh='m'/></body></worldbody></mujoco>");
  assert_int_equal(ff_model_load(path_of("robot.xml"), NULL, &model, &error), FF_ERROR_PARSE);
  assert_non_null(strstr(error.message, "bad.obj:2: 'five' is not a number"));
}

// A box of the same size as a primitive comes to rest at the same height, to the springs' rounding.
static double height_after(const char *robot)
{
  write_text("robot.xml", robot);
  ff_model *model = load_file("robot.xml");
  ff_sim_def def = ff_sim_def_default();
  def.dt = 2e-3;
  ff_sim *sim = NULL;
  ff_error error = {0};
  if (ff_sim_create(model, &def, &sim, &error) != FF_OK)
    fail_msg("%s", error.message);
  for (int i = 0; i < 500; ++i)
    if (ff_sim_step(sim, NULL, &error) != FF_OK)
      fail_msg("%s", error.message);
  const double z = ff_sim_q(sim)[2];
  ff_sim_destroy(sim);
  ff_model_destroy(model);
  return z;
}

#define MJCF_BOX(geom)                                                                                       \
  "<mujoco><asset><mesh name='m' file='box.obj' scale='0.1 0.1 0.1'/></asset><worldbody>"                    \
  "<geom type='plane' size='9 9 9'/><body pos='0 0 0.05'><freejoint/>"                                       \
  "<inertial pos='0.2 0.3 0.4' mass='1' diaginertia='0.05 0.05 0.05'/>" geom "</body></worldbody></mujoco>"

static void a_hull_rests_where_its_box_would(void **state)
{
  (void)state;
  write_obj("box.obj");
  const double mesh = height_after(MJCF_BOX("<geom type='mesh' mesh='m'/>"));
  const double primitive = height_after(MJCF_BOX("<geom type='box' size='0.1 0.2 0.3' pos='0.2 0.3 0.4'/>"));
  assert_true(fabs(mesh + 0.1) < 1e-3); // its lowest face is 0.1 above the origin
  assert_true(fabs(mesh - primitive) < 1e-12);
}

static int make_folder(void **state)
{
  (void)state;
  return mkdtemp(folder) ? 0 : 1;
}

static int remove_folder(void **state)
{
  (void)state;
  static const char *const names[] = {"text.stl",  "bytes.STL",  "box.obj", "box.dae",  "bare.dae",
                                      "ball.obj",  "a.stl",      "a.obj",   "a.dae",    "a.ply",
                                      "short.stl", "robot.urdf", "bad.obj", "flat.obj", "robot.xml"};
  for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i)
    unlink(path_of(names[i]));
  return rmdir(folder);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(one_box_in_every_format),
      cmocka_unit_test(collada_without_a_scene),
      cmocka_unit_test(a_fine_mesh_keeps_few_corners),
      cmocka_unit_test(broken_files_are_told),
      cmocka_unit_test(binary_files_of_the_wrong_length),
      cmocka_unit_test(what_touches_is_a_hull_and_what_is_seen_a_name),
      cmocka_unit_test(broken_and_flat_meshes_of_robots),
      cmocka_unit_test(a_hull_rests_where_its_box_would),
  };
  return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
