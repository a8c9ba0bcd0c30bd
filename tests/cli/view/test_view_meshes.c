// Meshes of pages: big ones lose triangles and keep their shape, and links that are fixed to the world are told from
// ground.
#define _POSIX_C_SOURCE 200809L
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

static const double pi = 3.141592653589793, radius = 0.3;
enum { RINGS = 300, SECTORS = 400 }; // of a sphere

static void point_of(int ring, int sector, float p[3])
{
  const double a = pi * ring / RINGS, b = 2 * pi * (sector % SECTORS) / SECTORS;
  p[0] = (float)(radius * sin(a) * cos(b));
  p[1] = (float)(radius * sin(a) * sin(b));
  p[2] = (float)(radius * cos(a));
}

static void put_triangle(FILE *file, const float *a, const float *b, const float *c)
{
  const float zero[3] = {0};
  const uint16_t none = 0;
  const float *const rows[] = {zero, a, b, c};
  for (int i = 0; i < 4; ++i)
    assert_int_equal(fwrite(rows[i], sizeof(float), 3, file), 3);
  fwrite(&none, 2, 1, file);
}

// Binary, 240,000 triangles: 12 MB. Machines that run tests are little-endian.
static void write_stl(void)
{
  const uint32_t count = 2 * RINGS * SECTORS;
  const char header[80] = {0};
  FILE *file = fopen(ffi_scratch_path("ball.stl"), "wb");
  assert_non_null(file);
  fwrite(header, sizeof header, 1, file);
  fwrite(&count, sizeof count, 1, file);
  for (int r = 0; r < RINGS; ++r)
    for (int s = 0; s < SECTORS; ++s) {
      float a[3], b[3], c[3], d[3];
      point_of(r, s, a), point_of(r + 1, s, b), point_of(r + 1, s + 1, c), point_of(r, s + 1, d);
      put_triangle(file, a, b, c);
      put_triangle(file, a, c, d);
    }
  assert_int_equal(fclose(file), 0);
}

// The same of quadrangles, with indices that count from the end, and with those of textures and normals.
static void write_obj(void)
{
  FILE *file = fopen(ffi_scratch_path("ball.obj"), "wb");
  assert_non_null(file);
  for (int r = 0; r <= RINGS; ++r)
    for (int s = 0; s < SECTORS; ++s) {
      float p[3];
      point_of(r, s, p);
      fprintf(file, "v %.7g %.7g %.7g\n", (double)p[0], (double)p[1], (double)p[2]);
    }
  const int all = (RINGS + 1) * SECTORS;
  for (int r = 0; r < RINGS; ++r)
    for (int s = 0; s < SECTORS; ++s) {
      const int next = (s + 1) % SECTORS, a = r * SECTORS;
      fprintf(file, "f %d/1/1 %d//2 %d %d\n", a + s + 1, a + SECTORS + s + 1, a + SECTORS + next - all,
              a + next + 1);
    }
  assert_int_equal(fclose(file), 0);
}

// The same in centimetres, its node turned, which a ball does not show.
static void write_dae(void)
{
  FILE *file = fopen(ffi_scratch_path("ball.dae"), "wb");
  assert_non_null(file);
  fprintf(file, "<COLLADA><asset><unit meter='0.01'/></asset><library_geometries><geometry id='g'><mesh>"
                "<source id='s'><float_array>");
  for (int r = 0; r <= RINGS; ++r)
    for (int s = 0; s < SECTORS; ++s) {
      float p[3];
      point_of(r, s, p);
      fprintf(file, "%.7g %.7g %.7g\n", 100 * (double)p[0], 100 * (double)p[1], 100 * (double)p[2]);
    }
  fprintf(file, "</float_array></source><vertices id='v'><input semantic='POSITION' source='#s'/></vertices>"
                "<triangles><input semantic='VERTEX' source='#v' offset='0'/><p>");
  for (int r = 0; r < RINGS; ++r)
    for (int s = 0; s < SECTORS; ++s) {
      const int a = r * SECTORS + s, d = r * SECTORS + (s + 1) % SECTORS;
      fprintf(file, "%d %d %d %d %d %d\n", a, a + SECTORS, d + SECTORS, a, d + SECTORS, d);
    }
  fprintf(
      file,
      "</p></triangles></mesh></geometry></library_geometries><library_visual_scenes><visual_scene id='w'>"
      "<node><rotate>0 0 1 30</rotate><instance_geometry url='#g'/></node></visual_scene>"
      "</library_visual_scenes><scene><instance_visual_scene url='#w'/></scene></COLLADA>");
  assert_int_equal(fclose(file), 0);
}

static double number_at(const unsigned char *bytes)
{
  float value;
  memcpy(&value, bytes, sizeof value);
  return (double)value;
}

// A binary STL of a ball: all corners near its surface, and its volume by the divergence theorem.
static void check_ball(const ffi_page_run *run, const ffi_json_value *shape)
{
  const ffi_json_value *piece = ffi_json_get(shape, "mesh");
  const unsigned char *stl = run->bytes[0] + (size_t)ffi_json_at(piece, 0)->number;
  const size_t size = (size_t)ffi_json_at(piece, 1)->number, count = (size - 84) / 50;
  double volume = 0, worst = 0;
  assert_int_equal(ffi_json_get(shape, "decimated")->type, FFI_JSON_TRUE);
  assert_int_equal(size, 84 + 50 * count);
  assert_true(count > 10000 && count < 120000);
  for (size_t i = 0; i < count; ++i) {
    double x[3][3];
    for (size_t c = 0; c < 3; ++c) {
      for (size_t k = 0; k < 3; ++k)
        x[c][k] = number_at(stl + 84 + 50 * i + 12 + 12 * c + 4 * k);
      worst = fmax(worst, fabs(sqrt(x[c][0] * x[c][0] + x[c][1] * x[c][1] + x[c][2] * x[c][2]) - radius));
    }
    volume += (x[0][0] * (x[1][1] * x[2][2] - x[1][2] * x[2][1]) -
               x[0][1] * (x[1][0] * x[2][2] - x[1][2] * x[2][0]) +
               x[0][2] * (x[1][0] * x[2][1] - x[1][1] * x[2][0])) /
              6;
  }
  const double want = 4 * pi / 3 * radius * radius * radius;
  // 10,000 triangles on a ball have edges of some 0.035 r: means of points so near to each other are off by 0.035^2 r.
  if (!(worst < 2e-3 * radius) || !(fabs(volume / want - 1) < 5e-3))
    fail_msg("%zu triangles: corners off by %g m, volume %g of %g", count, worst, volume, want);
}

static void big_meshes_lose_triangles(void **state)
{
  static const char robot[] =
      "<robot name='r'><link name='a'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1'/></inertial>"
      "<visual><geometry><mesh filename='ball.stl'/></geometry></visual>"
      "<visual><geometry><mesh filename='ball.obj'/></geometry></visual>"
      "<visual><geometry><mesh filename='ball.dae'/></geometry></visual></link></robot>";
  struct stat about;
  (void)state;
  ffi_page_need_viewer();
  write_stl();
  write_obj();
  write_dae();
  char path[512];
  strcpy(path, ffi_write_file("balls.urdf", robot, (int)strlen(robot)));
  ffi_output output =
      ffi_run("", "view '%s' --no-open --duration 10ms -o '%s'", path, ffi_scratch_path("balls.html"));
  assert_int_equal(output.status, 0);
  ffi_output_free(&output);
  assert_int_equal(stat(ffi_scratch_path("balls.html"), &about), 0);
  assert_true(about.st_size < 8 << 20);
  ffi_page page = ffi_page_read(ffi_scratch_path("balls.html"));
  const ffi_json_value *shapes =
      ffi_json_get(ffi_json_at(ffi_json_get(page.runs[0].header, "links"), 0), "shapes");
  assert_true(shapes->count >= 3);
  for (int i = 0; i < 3; ++i)
    check_ball(&page.runs[0], ffi_json_at(shapes, i));
  ffi_page_free(&page);
}

// The base of an arm is scenery, since it does not move, but not ground.
static void fixed_links_are_told_from_ground(void **state)
{
  (void)state;
  ffi_page_need_viewer();
  ffi_output output = ffi_run("", "view '%s' --fixed-base --no-open --duration 10ms -o '%s'",
                              FFI_TEST_SOURCE_DIR "/tests/new_user/robots/arm_without_world.urdf",
                              ffi_scratch_path("arm.html"));
  assert_int_equal(output.status, 0);
  ffi_output_free(&output);
  ffi_page page = ffi_page_read(ffi_scratch_path("arm.html"));
  const ffi_json_value *scenery = ffi_json_get(page.runs[0].header, "scenery");
  assert_true(scenery->count >= 1);
  for (int i = 0; i < scenery->count; ++i)
    assert_true(ffi_json_get(ffi_json_at(scenery, i), "link")->number >= 0);
  ffi_page_free(&page);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(big_meshes_lose_triangles),
      cmocka_unit_test(fixed_links_are_told_from_ground),
  };
  return cmocka_run_group_tests(tests, NULL, ffi_tear_down);
}
