// Height fields of MJCF: the heights of images and of MuJoCo's binary files are MuJoCo's own, whatever the image's
// kind, and balls that slide on vertical rails rest as high as in MuJoCo.
#define _GNU_SOURCE // mkdtemp
#include "support/must.h"

#include <footfall/footfall.h>
#include <footfall/load.h>

#include <mujoco/mujoco.h>

#include <zlib.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

enum { ROWS = 9, COLUMNS = 13 };

static char folder[64];

static int begin(void **state)
{
  (void)state;
  strcpy(folder, "/tmp/footfall-hfield.XXXXXX");
  return mkdtemp(folder) ? 0 : 1;
}

static int end(void **state)
{
  static const char *const names[] = {"hills.png", "hills.bin", "robot.xml"};
  (void)state;
  char path[128];
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
    snprintf(path, sizeof path, "%s/%s", folder, names[i]);
    unlink(path);
  }
  return rmdir(folder);
}

static void write_file(const char *name, const void *data, size_t size)
{
  char path[128];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *file = fopen(path, "wb");
  assert_non_null(file);
  assert_int_equal(fwrite(data, 1, size, file), size);
  assert_int_equal(fclose(file), 0);
}

// ---- PNG ------------------------------------------------------------------------------------------------------------

static size_t put_chunk(unsigned char *at, const char *kind, const unsigned char *body, size_t length)
{
  const uint32_t sum = (uint32_t)crc32(crc32(0, (const unsigned char *)kind, 4), body, (unsigned)length);
  for (int k = 0; k < 4; ++k) {
    at[k] = (unsigned char)(length >> (24 - 8 * k));
    at[4 + k] = (unsigned char)kind[k];
    at[8 + length + (size_t)k] = (unsigned char)(sum >> (24 - 8 * k));
  }
  if (length)
    memcpy(at + 8, body, length);
  return length + 12;
}

// A smooth bowl with a ridge; row 0 is the top of the image.
static int level(int row, int column)
{
  const double x = 2.0 * column / (COLUMNS - 1) - 1, y = 1 - 2.0 * row / (ROWS - 1);
  return (int)lround(40 + 90 * (x * x + 0.8 * y * y) + 12 * (x + 0.5 * y));
}

// Bytes of a filtered row (PNG specification, section 9): what the filter predicts is taken away.
static void filter_row(int filter, const unsigned char *raw, const unsigned char *above, int bytes, int pixel,
                       unsigned char *out)
{
  out[0] = (unsigned char)filter;
  for (int i = 0; i < bytes; ++i) {
    const int a = i >= pixel ? raw[i - pixel] : 0, b = above ? above[i] : 0,
              c = above && i >= pixel ? above[i - pixel] : 0;
    const int p = a + b - c, pa = abs(p - a), pb = abs(p - b), pc = abs(p - c);
    const int guess = filter == 1   ? a
                      : filter == 2 ? b
                      : filter == 3 ? (a + b) / 2
                      : filter == 4 ? (pa <= pb && pa <= pc ? a
                                       : pb <= pc           ? b
                                                            : c)
                                    : 0;
    out[1 + i] = (unsigned char)(raw[i] - guess);
  }
}

// All five filters, in turn.
static void write_png(int colour, int depth)
{
  static const unsigned char sign[8] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
  const int channels = colour == 2   ? 3
                       : colour == 4 ? 2
                       : colour == 6 ? 4
                                     : 1,
            pixel = channels * depth / 8, bytes = pixel * COLUMNS;
  unsigned char raw[ROWS][COLUMNS * 8], rows[ROWS * (COLUMNS * 8 + 1)], packed[4000], file[6000];
  for (int r = 0; r < ROWS; ++r) {
    memset(raw[r], 7, sizeof raw[r]); // other channels are not used
    for (int c = 0; c < COLUMNS; ++c)
      raw[r][c * pixel] = (unsigned char)level(r, c);
    filter_row(r % 5, raw[r], r ? raw[r - 1] : NULL, bytes, pixel, rows + r * (bytes + 1));
  }
  uLongf size = sizeof packed;
  assert_int_equal(compress(packed, &size, rows, (uLong)(ROWS * (bytes + 1))), Z_OK);
  const unsigned char head[13] = {
      0, 0, 0, COLUMNS, 0, 0, 0, ROWS, (unsigned char)depth, (unsigned char)colour};
  size_t n = sizeof sign;
  memcpy(file, sign, n);
  n += put_chunk(file + n, "IHDR", head, sizeof head);
  n += put_chunk(file + n, "IDAT", packed, size / 2); // in two chunks
  n += put_chunk(file + n, "IDAT", packed + size / 2, size - size / 2);
  n += put_chunk(file + n, "IEND", file, 0);
  write_file("hills.png", file, n);
}

static void write_binary(void)
{
  struct {
    int32_t head[2];
    float data[ROWS * COLUMNS];
  } file = {{ROWS, COLUMNS}, {0}};
  for (int r = 0; r < ROWS; ++r)
    for (int c = 0; c < COLUMNS; ++c)
      file.data[r * COLUMNS + c] = (float)(0.3 * level(r, c) - 11.7);
  write_file("hills.bin", &file, sizeof file);
}

// ---- Both programs --------------------------------------------------------------------------------------------------

#define BALL(name, xy, radius)                                                                               \
  "<body pos='" xy " 0.9'><joint name='" name "' type='slide' axis='0 0 1' damping='9'/>"                    \
  "<geom size='" radius "' mass='1'/></body>"
#define BALLS                                                                                                \
  BALL("a", "0.25 -0.1", "0.1")                                                                              \
  BALL("b", "0.52 0.05", "0.12")                                                                             \
  BALL("c", "-0.3 -0.3", "0.08") BALL("d", "0.1 0.11", "0.15") BALL("e", "0.75 -0.2", "0.1")

typedef struct pair {
  mjModel *mj;
  ff_model *ff;
} pair;

static pair load(const char *file, const char *balls)
{
  char text[3000], path[128], message[1000] = "";
  ff_error error;
  pair p;
  const int size =
      snprintf(text, sizeof text,
               "<mujoco><asset><hfield name='hills' file='%s' size='0.9 0.6 0.4 0.1'/></asset><worldbody>"
               "<geom type='hfield' hfield='hills' pos='0.1 -0.2 0.3' euler='0 0 20'/>"
               "%s</worldbody></mujoco>",
               file, balls);
  write_file("robot.xml", text, (size_t)size);
  snprintf(path, sizeof path, "%s/robot.xml", folder);
  p.mj = mj_loadXML(path, NULL, message, sizeof message);
  if (!p.mj)
    fail_msg("MuJoCo: %s", message);
  if (ff_model_load(path, NULL, &p.ff, &error) != FF_OK)
    fail_msg("%s", error.message);
  return p;
}

static void unload(const pair *p)
{
  mj_deleteModel(p->mj);
  ff_model_destroy(p->ff);
}

static void compare_heights(const pair *p)
{
  ff_shape_info shape;
  assert_int_equal(ff_model_shape(p->ff, 0, &shape), FF_OK);
  assert_int_equal(shape.def.type, FF_SHAPE_HEIGHTFIELD);
  assert_int_equal(shape.def.rows, p->mj->hfield_nrow[0]);
  assert_int_equal(shape.def.columns, p->mj->hfield_ncol[0]);
  assert_true(shape.def.size[0] == 2 * p->mj->hfield_size[0] &&
              shape.def.size[1] == 2 * p->mj->hfield_size[1]);
  for (int i = 0; i < ROWS * COLUMNS; ++i) {
    const double want = (double)p->mj->hfield_data[i] * p->mj->hfield_size[2]; // single precision
    if (!(fabs(shape.def.heights[i] - want) < 1e-6))
      fail_msg("height %d is %.9g, MuJoCo's %.9g", i, shape.def.heights[i], want);
  }
}

static void heights_are_mujocos(void **state)
{
  (void)state;
  static const int kinds[][2] = {{0, 8}, {2, 8}, {4, 8}, {6, 8}, {0, 16}, {2, 16}, {6, 16}};
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; ++i) {
    write_png(kinds[i][0], kinds[i][1]);
    const pair p = load("hills.png", BALLS);
    compare_heights(&p);
    unload(&p);
  }
  write_binary();
  const pair p = load("hills.bin", BALLS);
  compare_heights(&p);
  unload(&p);
}

// MuJoCo's contacts with a height field are those of prisms, which are flat between its points, as ours are; its floor
// gives by less than a millimetre.
static void balls_rest_as_high_as_in_mujoco(void **state)
{
  (void)state;
  write_png(0, 8);
  const pair p = load("hills.png", BALLS);
  mjData *data = mj_makeData(p.mj);
  ff_sim *sim = ffi_must_sim(p.ff, NULL);
  while (data->time < 3)
    mj_step(p.mj, data);
  while (ff_sim_time(sim) < 3)
    ffi_must_step(sim, NULL);
  for (int k = 0; k < p.mj->nq; ++k)
    if (!(fabs(ff_sim_q(sim)[k] - data->qpos[k]) < 1e-3))
      fail_msg("ball %d is %.5f m lower, MuJoCo's %.5f", k, -ff_sim_q(sim)[k], -data->qpos[k]);
  ff_sim_destroy(sim);
  mj_deleteData(data);
  unload(&p);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(heights_are_mujocos, begin, end),
      cmocka_unit_test_setup_teardown(balls_rest_as_high_as_in_mujoco, begin, end),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
