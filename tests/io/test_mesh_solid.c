// What meshes weigh: an L-shaped bracket against two boxes, shells against plates, in every format; hulls of thin and
// flat meshes; by how much a hull is larger than its mesh.
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

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char folder[] = "/tmp/footfall-solid-XXXXXX";

static const char *path_of(const char *name)
{
  static char path[300];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  return path;
}

static void write_text(const char *name, const char *text)
{
  FILE *file = fopen(path_of(name), "w");
  assert_non_null(file);
  assert_true(fputs(text, file) >= 0);
  assert_int_equal(fclose(file), 0);
}

// ---- A bracket: 3 x 1 x 0.5 and on it 1 x 1 x 0.5 -----------------------------------------------------------------

static const double outline[6][2] = {{0, 0}, {3, 0}, {3, 1}, {1, 1}, {1, 2}, {0, 2}};

#define POINTS                                                                                               \
  "0 0 0  3 0 0  3 1 0  1 1 0  1 2 0  0 2 0  0 0 0.5  3 0 0.5  3 1 0.5  1 1 0.5  1 2 0.5  0 2 0.5"
#define TRIANGLES                                                                                            \
  "0 2 1  6 7 8  0 3 2  6 8 9  0 4 3  6 9 10  0 5 4  6 10 11  0 1 7  0 7 6  1 2 8  1 8 7  2 3 9  2 9 8  "    \
  "3 4 10  3 10 9  4 5 11  4 11 10  5 0 6  5 6 11"

// One box by its middle, its sizes and the middle of all: adds to volume and moments.
static void add_box(const double middle[3], const double size[3], const double centre[3],
                    ffi_hull_integrals *sum)
{
  static const int row[6] = {0, 0, 0, 1, 1, 2}, column[6] = {0, 1, 2, 1, 2, 2};
  const double volume = size[0] * size[1] * size[2];
  sum->volume += volume;
  for (int m = 0; m < 6; ++m) {
    const int i = row[m], k = column[m];
    sum->moments[m] +=
        volume * ((middle[i] - centre[i]) * (middle[k] - centre[k]) + (i == k ? size[i] * size[i] / 12 : 0));
  }
}

static ffi_hull_integrals bracket(void)
{
  const double low[3] = {1.5, 0.5, 0.25}, high[3] = {0.5, 1.5, 0.25};
  ffi_hull_integrals out = {.centre = {1.25, 0.75, 0.25}};
  add_box(low, (const double[]){3, 1, 0.5}, out.centre, &out);
  add_box(high, (const double[]){1, 1, 0.5}, out.centre, &out);
  return out;
}

static void check_solid(const char *what, const ffi_hull_integrals *got, const ffi_hull_integrals *want,
                        double tolerance)
{
  assert_close(&got->volume, &want->volume, 1, tolerance, what);
  assert_close(got->centre, want->centre, 3, tolerance, what);
  assert_close(got->moments, want->moments, 6, tolerance, what);
}

static void write_stl(const char *name)
{
  static const int sides[20][3] = {{0, 2, 1},  {6, 7, 8},  {0, 3, 2},   {6, 8, 9}, {0, 4, 3},
                                   {6, 9, 10}, {0, 5, 4},  {6, 10, 11}, {0, 1, 7}, {0, 7, 6},
                                   {1, 2, 8},  {1, 8, 7},  {2, 3, 9},   {2, 9, 8}, {3, 4, 10},
                                   {3, 10, 9}, {4, 5, 11}, {4, 11, 10}, {5, 0, 6}, {5, 6, 11}};
  char text[8000] = "solid bracket\n";
  for (int i = 0; i < 20; ++i) {
    strcat(text, "facet normal 0 0 0\nouter loop\n");
    for (int k = 0; k < 3; ++k) {
      const int c = sides[i][k];
      snprintf(text + strlen(text), 100, "vertex %g %g %g\n", outline[c % 6][0], outline[c % 6][1],
               c < 6 ? 0 : 0.5);
    }
    strcat(text, "endloop\nendfacet\n");
  }
  write_text(name, strcat(text, "endsolid\n"));
}

// The caps as polygons of which the first corner sees all, sides as quadrilaterals that count backwards.
static void write_obj(const char *name)
{
  char text[3000] = "";
  for (int i = 0; i < 12; ++i)
    snprintf(text + strlen(text), 100, "v %g %g %g\n", outline[i % 6][0], outline[i % 6][1], i < 6 ? 0 : 0.5);
  strcat(text, "f 4 3 2 1 6 5\nf 10/1 11/2 12/3 7/4 8/5 9/6\r\n");
  for (int i = 0; i < 6; ++i)
    snprintf(text + strlen(text), 100, "f %d//1 %d//1 %d %d\n", i - 12, (i + 1) % 6 - 12, (i + 1) % 6 - 6,
             i - 6);
  write_text(name, text);
}

// Half of it by each of three kinds of faces, in two geometries, of which the second is mirrored by its node.
static void write_dae(const char *name)
{
  write_text(
      name,
      "<COLLADA xmlns=\"http://www.collada.org/2005/11/COLLADASchema\" version=\"1.4.1\"><library_geometries>"
      "<geometry id=\"g\"><mesh><source id=\"p\"><float_array id=\"a\" count=\"36\">" POINTS "</float_array>"
      "<technique_common><accessor source=\"#a\" count=\"12\" stride=\"3\"/></technique_common></source>"
      "<vertices id=\"v\"><input semantic=\"POSITION\" source=\"#p\"/></vertices>"
      "<triangles count=\"8\"><input semantic=\"NORMAL\" source=\"#n\" offset=\"0\"/>"
      "<input semantic=\"VERTEX\" source=\"#v\" offset=\"1\"/>"
      "<p>9 0 9 2 9 1  9 6 9 7 9 8  9 0 9 3 9 2  9 6 9 8 9 9  9 0 9 4 9 3  9 6 9 9 9 10  9 0 9 5 9 4  9 6 9 10 9 11</p>"
      "</triangles><polylist count=\"4\"><input semantic=\"VERTEX\" source=\"#v\" offset=\"0\"/>"
      "<vcount>4 4 3 3</vcount><p>0 1 7 6  1 2 8 7  2 3 9  2 9 8</p></polylist>"
      "<polygons><input semantic=\"VERTEX\" source=\"#v\" offset=\"0\"/><p>3 4 10 9</p><p>4 5 11 10</p><p>5 0 6 11</p>"
      "</polygons></mesh></geometry></library_geometries>"
      "<library_visual_scenes><visual_scene id=\"s\"><node><scale>-1 1 1</scale><instance_geometry url=\"#g\"/></node>"
      "</visual_scene></library_visual_scenes><scene><instance_visual_scene url=\"#s\"/></scene></COLLADA>");
}

static ffi_mesh_points read_mesh(const char *name, const double scale[3])
{
  static char path[300];
  ff_error error = {0};
  snprintf(path, sizeof path, "%s", path_of(name));
  ffi_mesh_points points = {.file = path, .error = &error};
  if (ffi_mesh_read(NULL, scale, &points) != FF_OK)
    fail_msg("%s", error.message);
  points.error = NULL;
  return points;
}

static void one_bracket_in_every_format(void **state)
{
  (void)state;
  static const char *const names[] = {"bracket.stl", "bracket.obj", "bracket.dae"};
  write_stl(names[0]);
  write_obj(names[1]);
  write_dae(names[2]);
  for (int i = 0; i < 3; ++i) {
    const double scale[3] = {i == 2 ? -1 : 1, 1, 1};
    const ffi_hull_integrals want = bracket();
    ffi_mesh_points points = read_mesh(names[i], scale);
    const ffi_mesh_solid_triangles triangles = ffi_mesh_triangles(&points);
    const ffi_hull_integrals got = ffi_mesh_solid(&triangles, FFI_MESH_SOLID_EXACT);
    assert_int_equal(triangles.count, 20);
    assert_true(ffi_mesh_solid_is_closed(&triangles));
    check_solid(names[i], &got, &want, 64 * DBL_EPSILON);
    ffi_mesh_free(&points);
  }
}

// Far from the origin only the place is lost to rounding: eps times the distance, in moments times the size.
static void far_away_and_inside_out(void **state)
{
  (void)state;
  const double shift[3] = {300, -200, 100};
  const ffi_hull_integrals want = bracket();
  ffi_mesh_points points = read_mesh("bracket.obj", (const double[]){1, 1, 1});
  for (int i = 0; i < 3 * points.count; ++i)
    points.xyz[i] += shift[i % 3];
  for (int i = 0; i < points.triangle_count; ++i) {
    const int swap = points.corner[3 * i];
    points.corner[3 * i] = points.corner[3 * i + 1];
    points.corner[3 * i + 1] = swap;
  }
  const ffi_mesh_solid_triangles triangles = ffi_mesh_triangles(&points);
  const ffi_hull_integrals got = ffi_mesh_solid(&triangles, FFI_MESH_SOLID_EXACT);
  assert_true(ffi_mesh_solid_is_closed(&triangles));
  assert_close(&got.volume, &want.volume, 1, 64 * 300 * DBL_EPSILON, "volume far away");
  assert_close(got.moments, want.moments, 6, 64 * 300 * 9 * DBL_EPSILON, "moments far away");
  ffi_mesh_free(&points);
}

// The surface of a box, from its six plates; the tetrahedron with legs a b c along the axes.
static void shells_and_a_tetrahedron(void **state)
{
  (void)state;
  static const double cube[8][3] = {{0, 0, 0}, {1, 0, 0}, {1, 2, 0}, {0, 2, 0},
                                    {0, 0, 3}, {1, 0, 3}, {1, 2, 3}, {0, 2, 3}};
  static const int faces[36] = {0, 2, 1, 0, 3, 2, 4, 5, 6, 4, 6, 7, 0, 1, 5, 0, 5, 4,
                                1, 2, 6, 1, 6, 5, 2, 3, 7, 2, 7, 6, 3, 0, 4, 3, 4, 7};
  const ffi_mesh_solid_triangles box = {&cube[0][0], faces, 12};
  ffi_hull_integrals want = {.centre = {0.5, 1, 1.5}};
  for (int k = 0; k < 3; ++k)
    for (int side = 0; side < 2; ++side) {
      const double all[3] = {1, 2, 3};
      double middle[3] = {0.5, 1, 1.5}, size[3] = {1, 2, 3};
      middle[k] = side * all[k];
      size[k] = 1e-9; // a thin box of this thickness has area times it: off by its square
      ffi_hull_integrals plate = {0};
      add_box(middle, size, want.centre, &plate);
      want.volume += plate.volume / 1e-9;
      for (int m = 0; m < 6; ++m)
        want.moments[m] += plate.moments[m] / 1e-9;
    }
  const ffi_hull_integrals got = ffi_mesh_solid(&box, FFI_MESH_SOLID_SHELL);
  check_solid("shell", &got, &want, 1e-13);

  // The integral of x^2 over it is V a^2 / 10, of x y V a b / 20, about the corner; its centre is at a quarter.
  static const double corners[4][3] = {{0, 0, 0}, {2, 0, 0}, {0, 3, 0}, {0, 0, 5}};
  static const int sides[12] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};
  const ffi_mesh_solid_triangles tetrahedron = {&corners[0][0], sides, 4};
  ffi_hull_integrals t = {.volume = 5, .centre = {0.5, 0.75, 1.25}};
  const double a[3] = {2, 3, 5};
  for (int i = 0, m = 0; i < 3; ++i)
    for (int k = i; k < 3; ++k, ++m)
      t.moments[m] = 5 * (a[i] * a[k] / (i == k ? 10 : 20) - t.centre[i] * t.centre[k]);
  for (int rule = FFI_MESH_SOLID_EXACT; rule <= FFI_MESH_SOLID_LEGACY; ++rule) { // convex: both rules agree
    const ffi_hull_integrals solid = ffi_mesh_solid(&tetrahedron, (ffi_mesh_solid_rule)rule);
    check_solid("tetrahedron", &solid, &t, 64 * DBL_EPSILON * 5);
  }
}

static void what_is_not_closed(void **state)
{
  (void)state;
  ffi_mesh_points points = read_mesh("bracket.obj", (const double[]){1, 1, 1});
  ffi_mesh_solid_triangles triangles = ffi_mesh_triangles(&points);
  --triangles.count;
  assert_false(ffi_mesh_solid_is_closed(&triangles)); // a triangle is missing
  ++triangles.count;
  const int swap = points.corner[0];
  points.corner[0] = points.corner[1];
  points.corner[1] = swap;
  assert_false(ffi_mesh_solid_is_closed(&triangles)); // one faces inwards
  ffi_mesh_free(&points);
}

// ---- Hulls --------------------------------------------------------------------------------------------------------

static uint64_t seed = 1;

static double uniform(void)
{
  seed = seed * 6364136223846793005u + 1442695040888963407u;
  return (double)(seed >> 11) / 9007199254740992.0;
}

// A disk of 60 sides and radius 1 with points inside, `thickness` high, turned, as floats far from the origin.
static void make_disk(double thickness, double noise, ffi_mesh_points *out)
{
  const double pi = 3.14159265358979, R[9] = {0.36, 0.48, -0.8, -0.8, 0.6, 0, 0.48, 0.64, 0.6};
  *out = (ffi_mesh_points){.file = "disk"};
  for (int i = 0; i < 600; ++i) {
    const double angle = 2 * pi * (i % 60) / 60, radius = i < 120 ? 1 : uniform();
    const double x[3] = {radius * cos(angle), radius * sin(angle),
                         (i / 60) % 2 * thickness + noise * uniform()};
    double y[3];
    for (int k = 0; k < 3; ++k)
      y[k] = (double)(float)(R[3 * k] * x[0] + R[3 * k + 1] * x[1] + R[3 * k + 2] * x[2] + 2);
    assert_int_equal(ffi_mesh_add(out, 0, y), FF_OK);
  }
}

// However thin, the hull has the area of the disk to the tolerance of hulls, 1e-4 of its size.
static void thin_and_flat_meshes(void **state)
{
  (void)state;
  static const double thickness[] = {0.5, 0.03, 0.02, 5e-3, 1e-3, 3e-4, 1e-4, 0};
  const double pi = 3.14159265358979, area = 30 * sin(2 * pi / 60);
  for (size_t i = 0; i < sizeof thickness / sizeof *thickness; ++i) {
    ffi_arena arena = {0};
    ffi_mesh_points points;
    ffi_mesh_hull hull;
    ffi_hull_integrals solid;
    make_disk(thickness[i], thickness[i] > 0 ? 0 : 1e-6, &points);
    assert_int_equal(ffi_mesh_hull_of(&arena, &points, &hull), FF_OK);
    assert_int_equal(hull.is_flat, thickness[i] == 0);
    assert_in_range(hull.count, 60, FFI_MESH_MAX_CORNERS);
    assert_int_equal(ffi_hull_solid(hull.count, hull.corners, &solid), FFI_HULL_OK);
    const double size = sqrt(8) * 1.001;
    const double high = hull.is_flat ? 2 * FFI_MESH_TOLERANCE * size : thickness[i];
    // Around it pi diameters times the tolerance are lost at most, and floats round the thickness to 3e-7.
    const double allowed = area * (4 * FFI_MESH_TOLERANCE * size + (hull.is_flat ? 0.3 : 6e-7 / high));
    if (fabs(solid.volume / high - area) > allowed)
      fail_msg("thickness %g: area %.6g, not %.6g", thickness[i], solid.volume / high, area);
    ffi_mesh_free(&points);
    ffi_arena_free(&arena);
  }
}

static void points_on_a_line_have_no_hull(void **state)
{
  (void)state;
  ffi_arena arena = {0};
  ffi_mesh_hull hull;
  ffi_mesh_points points = {.file = "line"};
  for (int i = 0; i < 10; ++i)
    assert_int_equal(ffi_mesh_add(&points, 0, (const double[]){0.1 * i, 0.2 * i, 0.3 * i}), FF_OK);
  assert_int_equal(ffi_mesh_hull_of(&arena, &points, &hull), FF_OK);
  assert_int_equal(hull.count, 0);
  points.count = 1;
  assert_int_equal(ffi_mesh_hull_of(&arena, &points, &hull), FF_OK);
  assert_int_equal(hull.count, 0);
  ffi_mesh_free(&points);
  ffi_arena_free(&arena);
}

// The hull of the bracket has the area 5, the bracket 4.
static void a_hull_is_larger_than_a_bracket(void **state)
{
  (void)state;
  ffi_arena arena = {0};
  ffi_mesh_hull hull;
  ffi_mesh_points points = read_mesh("bracket.stl", (const double[]){1, 1, 1});
  assert_int_equal(ffi_mesh_hull_of(&arena, &points, &hull), FF_OK);
  assert_true(fabs(hull.excess - 0.25) < 1e-12);
  points.count -= 3; // open: its volume is not known
  assert_int_equal(ffi_mesh_hull_of(&arena, &points, &hull), FF_OK);
  assert_true(hull.excess == 0);
  ffi_mesh_free(&points);
  ffi_arena_free(&arena);
}

// ---- Robots -------------------------------------------------------------------------------------------------------

#define INLINE(settings, mesh, geom)                                                                         \
  "<mujoco><compiler " settings "/><asset><mesh name='m' vertex='" POINTS "' " mesh "/></asset><worldbody>"  \
  "<body name='arm'><freejoint/><geom type='mesh' mesh='m' " geom "/></body></worldbody></mujoco>"

static ff_inertia inertia_of(const char *text)
{
  ff_model *model = load_text(text, NULL);
  const ff_inertia inertia = link_named(model, "arm").inertia;
  ff_model_destroy(model);
  return inertia;
}

static void check_mass(const char *what, const char *text, double mass, double xx, double com)
{
  const ff_inertia got = inertia_of(text);
  assert_close(&got.mass, &mass, 1, 1e-12 * mass, what);
  if (xx > 0)
    assert_close(&got.matrix[0], &xx, 1, 1e-12 * mass * 9, what);
  if (com > 0)
    assert_close(&got.com[0], &com, 1, 1e-12 * 3, what);
}

static void rules_of_mjcf(void **state)
{
  (void)state;
  const ffi_hull_integrals b = bracket();
  const double xx = b.moments[3] + b.moments[5]; // integral of y^2 + z^2
  check_mass("exact", INLINE("", "inertia='exact' face='" TRIANGLES "'", "density='10'"), 20, 10 * xx, 1.25);
  check_mass("exact by the compiler", INLINE("exactmeshinertia='true'", "face='" TRIANGLES "'", "mass='2'"),
             2, xx, 1.25);
  check_mass("hull of all points", INLINE("", "inertia='convex' face='" TRIANGLES "'", "density='2'"), 5, 0,
             0);
  check_mass("hull without faces", INLINE("", "", "density='2'"), 5, 0, 0);
  // 2 x 4 for the caps, and the perimeter 10 times 0.5 around.
  check_mass("shell", INLINE("", "inertia='shell' face='" TRIANGLES "'", "density='1'"), 13, 0, 0);
  check_mass("shell of a geom", INLINE("", "face='" TRIANGLES "'", "density='1' shellinertia='true'"), 13, 0,
             0);
}

// Shells of primitives, by hand: a box from its plates, the others from areas and, for the cylinder and the capsule,
// rings: 2/3 r^2 for a sphere.
static void shells_of_primitives(void **state)
{
  (void)state;
  const double pi = 3.14159265358979323846;
#define SHELL(geom)                                                                                          \
  "<mujoco><worldbody><body name='arm'><freejoint/><geom " geom " density='1' shellinertia='true'/></body>"  \
  "</worldbody></mujoco>"
  check_mass("sphere", SHELL("size='2'"), 16 * pi, 16 * pi * 4 * 2 / 3, 0);
  check_mass(
      "box", SHELL("type='box' size='0.5 1 1.5'"), 22,
      2 * 2 * (1 * 1.0 / 3 + 1.5 * 1.5) + 2 * 3 * (1 + 1.5 * 1.5 / 3) + 2 * 6 * (1.0 / 3 + 1.5 * 1.5 / 3), 0);
  // Rings of the side at height z: integral of (r^2/2 + z^2) 2 pi r dz.
  check_mass("cylinder", SHELL("type='cylinder' size='1 2'"), 2 * pi * 4 + 2 * pi,
             2 * pi * (4 * 0.5 + 2 * 8.0 / 3) + 2 * pi * (0.25 + 4), 0);
  // And of the ends, z = 2 + s for s in 0..1, whose rings have the area 2 pi ds: integral of ((1 - s^2)/2 + (2 + s)^2).
  check_mass("capsule", SHELL("type='capsule' size='1 2'"), 2 * pi * 4 + 4 * pi,
             2 * pi * (4 * 0.5 + 2 * 8.0 / 3) + 2 * 2 * pi * (1.0 / 3 + 4 + 2 + 1.0 / 3), 0);
}

static void meshes_of_robots_say_what_they_touch_as(void **state)
{
  (void)state;
  ff_model *model = load_text(
      "<mujoco><asset><mesh name='l' file='bracket.obj'/><mesh name='f' file='flat.obj'/></asset><worldbody>"
      "<body name='arm'><freejoint/><geom type='mesh' mesh='l'/><geom type='mesh' mesh='f' mass='0'/></body>"
      "</worldbody></mujoco>",
      &(ff_load_def){.size = sizeof(ff_load_def),
                     .mimic = FF_MIMIC_COUPLE,
                     .mesh_paths = (const char *[]){folder, NULL}});
  assert_warning(model, "1 mesh touches as a hull of more volume: 'l' by 25 %; nothing enters its hollows");
  assert_warning(model, "the points of mesh 'f' lie in a plane: it touches as a thin plate");
  ff_shape_info shape;
  assert_int_equal(ff_model_shape(model, 1, &shape), FF_OK);
  assert_int_equal(shape.def.type, FF_SHAPE_HULL);
  ff_model_destroy(model);
}

static void faces_that_are_wrong(void **state)
{
  (void)state;
  static const char *const faces[][2] = {
      {"f 1 2 5\n", "wrong.obj:5: a face names a point that is not there (there are 4)"},
      {"f 1 2 -5\n", "wrong.obj:5: a face names a point that is not there"},
      {"f 1 2 0\n", "wrong.obj:5: a face names a point that is not there"},
      {"f 1 2 x\n", "wrong.obj:5: a face must name its corners by whole numbers, from 1"},
      {"f 1 2 99999999999999999999\n", "wrong.obj:5: a face names a point that is not there"},
  };
  for (size_t i = 0; i < sizeof faces / sizeof *faces; ++i) {
    char text[200];
    ff_error error = {0};
    snprintf(text, sizeof text, "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n%s", faces[i][0]);
    write_text("wrong.obj", text);
    ffi_mesh_points points = {.file = path_of("wrong.obj"), .error = &error};
    assert_int_equal(ffi_mesh_read(NULL, (const double[]){1, 1, 1}, &points), FF_ERROR_PARSE);
    if (!strstr(error.message, faces[i][1]))
      fail_msg("%s", error.message);
    ffi_mesh_free(&points);
  }
}

static int make_folder(void **state)
{
  (void)state;
  if (!mkdtemp(folder))
    return 1;
  write_text("flat.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\n");
  return 0;
}

static int remove_folder(void **state)
{
  (void)state;
  static const char *const names[] = {"bracket.stl", "bracket.obj", "bracket.dae", "flat.obj", "wrong.obj"};
  for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i)
    unlink(path_of(names[i]));
  return rmdir(folder);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(one_bracket_in_every_format),
      cmocka_unit_test(far_away_and_inside_out),
      cmocka_unit_test(shells_and_a_tetrahedron),
      cmocka_unit_test(what_is_not_closed),
      cmocka_unit_test(thin_and_flat_meshes),
      cmocka_unit_test(points_on_a_line_have_no_hull),
      cmocka_unit_test(a_hull_is_larger_than_a_bracket),
      cmocka_unit_test(rules_of_mjcf),
      cmocka_unit_test(shells_of_primitives),
      cmocka_unit_test(meshes_of_robots_say_what_they_touch_as),
      cmocka_unit_test(faces_that_are_wrong),
  };
  return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
