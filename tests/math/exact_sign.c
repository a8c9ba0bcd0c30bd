// A determinant in one long number: digits of 32 bits, each in a word of 64 that takes carries later.
#include "math/exact_sign.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

enum { LOWEST = -1600, DIGITS = 200 }; // digit i counts 2^(LOWEST + 32 i): up to 2^4800

// sum += s x y z
static void add_product(int s, double x, double y, double z, int64_t sum[DIGITS])
{
  const double factors[3] = {x, y, z};
  uint64_t digits[6] = {1};
  int exponent = 0;
  for (int i = 0; i < 3; ++i) {
    int e;
    const int64_t m = (int64_t)ldexp(frexp(factors[i], &e), 53); // the factor is m 2^(e - 53)
    const uint64_t size = (uint64_t)(m < 0 ? -m : m), halves[2] = {size & 0xffffffff, size >> 32};
    uint64_t product[6] = {0};
    if (m == 0)
      return;
    s = m < 0 ? -s : s;
    exponent += e - 53;
    for (int a = 0; a < 6; ++a)
      for (int b = 0; b < 2 && a + b < 6; ++b) {
        uint64_t carry = digits[a] * halves[b];
        for (int k = a + b; k < 6 && carry; ++k) {
          carry += product[k];
          product[k] = carry & 0xffffffff;
          carry >>= 32;
        }
      }
    for (int k = 0; k < 6; ++k)
      digits[k] = product[k];
  }
  const int at = (exponent - LOWEST) / 32, shift = (exponent - LOWEST) % 32;
  if (exponent < LOWEST || at + 7 >= DIGITS)
    abort();
  for (int k = 0; k < 6; ++k) {
    const uint64_t moved = digits[k] << shift;
    sum[at + k] += s * (int64_t)(moved & 0xffffffff);
    sum[at + k + 1] += s * (int64_t)(moved >> 32);
  }
}

// The determinant of rows a, b, c, times s.
static void add_rows(int s, const double a[3], const double b[3], const double c[3], int64_t sum[DIGITS])
{
  for (int k = 0; k < 3; ++k) {
    const int i = (k + 1) % 3, j = (k + 2) % 3;
    add_product(s, a[k], b[i], c[j], sum);
    add_product(-s, a[k], b[j], c[i], sum);
  }
}

// The sign where it is plain: rounding is some 8 x 2^-53 of the products, and 2^-40 of them is asked for. Else 0.
static int plain_sign(const double a[3], const double b[3], const double c[3], const double d[3])
{
  double det = 0, all = 0;
  for (int k = 0; k < 3; ++k) {
    const int i = (k + 1) % 3, j = (k + 2) % 3;
    const double x = (b[i] - a[i]) * (c[j] - a[j]), y = (b[j] - a[j]) * (c[i] - a[i]);
    det += (x - y) * (d[k] - a[k]);
    all += (fabs(x) + fabs(y)) * fabs(d[k] - a[k]);
  }
  return fabs(det) > 0x1p-40 * all && all > 1e-250 ? (det > 0 ? 1 : -1) : 0;
}

int ffi_exact_sign(const double a[3], const double b[3], const double c[3], const double d[3])
{
  const int plain = plain_sign(a, b, c, d);
  if (plain != 0)
    return plain;
  int64_t sum[DIGITS] = {0};
  add_rows(1, b, c, d, sum);
  add_rows(-1, a, c, d, sum);
  add_rows(1, a, b, d, sum);
  add_rows(-1, a, b, c, sum);
  int sign = 0;
  for (int i = 0; i < DIGITS - 1; ++i) { // carry, so that all digits but the last are in [0, 2^32)
    const int64_t low = sum[i] & 0xffffffff;
    sum[i + 1] += (sum[i] - low) / ((int64_t)1 << 32);
    sum[i] = low;
    sign |= low != 0;
  }
  return sum[DIGITS - 1] < 0 ? -1 : sum[DIGITS - 1] > 0 ? 1 : sign;
}
