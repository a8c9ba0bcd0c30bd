// Whatever the points are, their hull ends, is closed and holds them all, by a determinant in long numbers. Bytes
// become points in one of several ways, by the first one: small whole numbers, which fall together and into lines and
// planes; such numbers with rounding; any doubles.
#include "math/hull_corners.h"

#include "math/exact_sign.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 120 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

// A number from `width` bytes.
static double number(int kind, const uint8_t *bytes)
{
  double x = bytes[0] % 8;
  if (kind == 1)
    x = (bytes[0] - 128) / 3.0 + ldexp(bytes[1] - 128, -40 - bytes[1] % 16);
  if (kind == 2)
    x = ldexp((double)(int8_t)bytes[0], bytes[1] - 128);
  if (kind == 3)
    memcpy(&x, bytes, sizeof x);
  return isfinite(x) ? x : 0;
}

// Points as hulls see them: numbers far below the largest are rounded there, so they are left out here.
static int make_points(const uint8_t *data, size_t size, double *points)
{
  const int kind = data[0] % 4;
  const size_t width = kind == 0 ? 1 : kind == 3 ? 8 : 2;
  double largest = 0;
  int n = 0;
  for (size_t at = 1; at + 3 * width <= size && n < MOST; at += 3 * width, ++n)
    for (size_t k = 0; k < 3; ++k) {
      points[3 * n + (int)k] = number(kind, data + at + k * width);
      largest = fmax(largest, fabs(points[3 * n + (int)k]));
    }
  for (int i = 0; i < 3 * n; ++i)
    points[i] = fabs(points[i]) < 1e-40 * largest ? 0 : points[i];
  return n;
}

static void must(int is_true)
{
  if (!is_true)
    abort();
}

static void check_faces(int n, const double *points, const int *faces, int count)
{
  char edges[MOST][MOST] = {{0}};
  for (int i = 0; i < count; ++i)
    for (int k = 0; k < 3; ++k) {
      const int a = faces[3 * i + k], b = faces[3 * i + (k + 1) % 3];
      must(a >= 0 && a < n && b >= 0 && b < n && !edges[a][b]);
      edges[a][b] = 1;
    }
  for (int a = 0; a < n; ++a)
    for (int b = 0; b < n; ++b)
      must(edges[a][b] == edges[b][a]);
}

// Scaled by the largest number, so that no product is out of range.
static void check_inside(int n, double *points, const int *faces, int count)
{
  int exponent = -2000;
  for (int i = 0; i < 3 * n; ++i) {
    int e;
    if (points[i] != 0) {
      (void)frexp(points[i], &e);
      exponent = e > exponent ? e : exponent;
    }
  }
  for (int i = 0; i < 3 * n; ++i)
    points[i] = ldexp(points[i], -exponent);
  for (int i = 0; i < count; ++i)
    for (int k = 0; k < n; ++k)
      must(ffi_exact_sign(points + 3 * faces[3 * i], points + 3 * faces[3 * i + 1],
                          points + 3 * faces[3 * i + 2], points + 3 * k) <= 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  double points[3 * MOST];
  int corner[20], *faces = NULL, count = 0;
  ffi_hull_work work = {0};
  ffi_hull_corners c = {.corner = corner, .most = 20};
  if (size == 0)
    return 0;
  const int n = make_points(data, size, points);
  const ffi_hull_result result = ffi_hull_faces(n, points, &faces, &count, &work);
  must((result == FFI_HULL_OK && count >= 4) || (result == FFI_HULL_FLAT && count == 0));
  must(ffi_hull_corners_find(n, points, 0, &c, NULL) == result);
  must(result == FFI_HULL_FLAT || (c.count >= 4 && c.count <= 20));
  for (int i = 0; i < c.count; ++i)
    must(corner[i] >= 0 && corner[i] < n);
  if (result == FFI_HULL_OK) {
    must(work.most_faces <= 2 * n);
    check_faces(n, points, faces, count);
    check_inside(n, points, faces, count);
  }
  free(faces);
  return 0;
}
