// Signs of determinants: rounded first, with a bound on the rounding, and as whole numbers where that does not decide.
#include "math/orient.h"

#include "math/vec3.h"

#include <assert.h>
#include <stdint.h>
#include <string.h>

__extension__ typedef unsigned __int128 uint128;
__extension__ typedef __int128 int128;

// Whole numbers, two's complement, lowest word first: differences, products of two of them, and determinants.
enum { WORDS = 3, WORDS_2 = 2 * WORDS, WORDS_3 = 3 * WORDS };

double ffi_orient_snap(double x)
{
  // From 2^-136 on the spacing of doubles is the grid's or a multiple of it; added to that, smaller ones are rounded.
  const double shift = copysign(0x1p-136, x);
  static_assert(FFI_ORIENT_BITS == 136 + 52, "the shift has the grid's spacing");
  if (fabs(x) >= 0x1p-136)
    return x;
  return (x + shift) - shift;
}

// ---- Whole numbers ----------------------------------------------------------------------------------------

// out += s a, with s = 1 or -1. `n` words of both.
static inline void accumulate(int n, int is_minus, const uint64_t *a, uint64_t *out)
{
  const uint64_t flip = is_minus ? ~(uint64_t)0 : 0;
  uint64_t carry = is_minus ? 1 : 0;
  for (int i = 0; i < n; ++i) {
    const uint128 sum = (uint128)out[i] + (a[i] ^ flip) + carry;
    out[i] = (uint64_t)sum;
    carry = (uint64_t)(sum >> 64);
  }
}

// x 2^BITS, a whole number.
static inline void from_double(double x, uint64_t out[WORDS])
{
  uint64_t bits, magnitude[WORDS] = {0};
  memset(out, 0, WORDS * sizeof *out);
  memcpy(&bits, &x, sizeof bits);
  const int exponent = (int)(bits >> 52 & 0x7ff);
  if (exponent == 0)
    return; // zero: numbers without an exponent are below the grid
  const uint64_t digits = (bits & 0xfffffffffffff) | (uint64_t)1 << 52;
  const int shift = exponent - 1075 + FFI_ORIENT_BITS; // x = digits 2^(exponent - 1075)
  if (shift < 0) {
    magnitude[0] = digits >> -shift; // zeros go: x is on the grid
  } else {
    const int word = shift / 64, within = shift % 64;
    const uint128 moved = (uint128)digits << within;
    magnitude[word] = (uint64_t)moved;
    if (word + 1 < WORDS)
      magnitude[word + 1] = (uint64_t)(moved >> 64);
  }
  accumulate(WORDS, (int)(bits >> 63), magnitude, out);
}

static inline void difference(const double a[3], const double b[3], uint64_t out[3][WORDS])
{
  for (int k = 0; k < 3; ++k) {
    uint64_t other[WORDS];
    from_double(a[k], out[k]);
    from_double(b[k], other);
    accumulate(WORDS, 1, other, out[k]);
  }
}

static int is_negative(int n, const uint64_t *a)
{
  return (int)(a[n - 1] >> 63);
}

// |a|; returns whether a < 0.
static int magnitude(int n, const uint64_t *a, uint64_t *out)
{
  const int is_minus = is_negative(n, a);
  memset(out, 0, (size_t)n * sizeof *out);
  accumulate(n, is_minus, a, out);
  return is_minus;
}

// a b, of n and WORDS words. Of an a < 0 the words read a + 2^(64 n), which adds b 2^(64 n) to the product; of b alike.
static inline void multiply(int n, const uint64_t *a, const uint64_t b[WORDS], uint64_t *out)
{
  memset(out, 0, (size_t)(n + WORDS) * sizeof *out);
  for (int i = 0; i < n; ++i) {
    uint64_t carry = 0;
    for (int j = 0; j < WORDS; ++j) {
      const uint128 sum = (uint128)a[i] * b[j] + out[i + j] + carry;
      out[i + j] = (uint64_t)sum;
      carry = (uint64_t)(sum >> 64);
    }
    out[i + WORDS] = carry;
  }
  if (is_negative(n, a))
    accumulate(WORDS, 1, b, out + n);
  if (is_negative(WORDS, b))
    accumulate(n, 1, a, out + WORDS);
}

static inline void cross(uint64_t u[3][WORDS], uint64_t v[3][WORDS], uint64_t out[3][WORDS_2])
{
  for (int k = 0; k < 3; ++k) {
    const int i = (k + 1) % 3, j = (k + 2) % 3;
    uint64_t other[WORDS_2];
    multiply(WORDS, u[i], v[j], out[k]);
    multiply(WORDS, u[j], v[i], other);
    accumulate(WORDS_2, 1, other, out[k]);
  }
}

static int whole_sign(const double a[3], const double b[3], const double c[3], const double d[3])
{
  uint64_t u[3][WORDS], v[3][WORDS], w[3][WORDS], n[3][WORDS_2], sum[WORDS_3] = {0};
  difference(b, a, u);
  difference(c, a, v);
  difference(d, a, w);
  cross(u, v, n);
  for (int k = 0; k < 3; ++k) {
    uint64_t product[WORDS_3];
    multiply(WORDS_2, n[k], w[k], product);
    accumulate(WORDS_3, 0, product, sum);
  }
  if (is_negative(WORDS_3, sum))
    return -1;
  for (int i = 0; i < WORDS_3; ++i)
    if (sum[i])
      return 1;
  return 0;
}

// ---- Numbers of one word ----------------------------------------------------------------------------------

// The digits of points of a mesh are in some 60 places, so that one word holds a coordinate. Scaled to 2^60 at most, as
// whole numbers; returns 0 if some are not whole.
static int to_words(const double *const points[4], int64_t out[4][3])
{
  double largest = 0;
  int exponent;
  for (int i = 0; i < 4; ++i)
    for (int k = 0; k < 3; ++k)
      largest = fmax(largest, fabs(points[i][k]));
  (void)frexp(largest, &exponent);
  const double scale = ldexp(1, 60 - exponent);
  for (int i = 0; i < 4; ++i)
    for (int k = 0; k < 3; ++k) {
      const double x = scale * points[i][k];
      out[i][k] = (int64_t)x;
      if ((double)out[i][k] != x)
        return 0;
    }
  return 1;
}

// Differences are below 2^61, products of two of them below 2^123. A product with a third is made in two parts, of the
// low word and of the rest; sums of three parts are below 2^127.
static int word_sign(int64_t p[4][3])
{
  int64_t d[3][3];
  int128 high = 0, low = 0;
  for (int i = 0; i < 3; ++i)
    for (int k = 0; k < 3; ++k)
      d[i][k] = p[i + 1][k] - p[0][k];
  for (int k = 0; k < 3; ++k) {
    const int i = (k + 1) % 3, j = (k + 2) % 3;
    const int128 n = (int128)d[0][i] * d[1][j] - (int128)d[0][j] * d[1][i];
    high += (n >> 64) * d[2][k];
    low += (int128)(uint64_t)n * d[2][k];
  }
  high += low >> 64;
  return high != 0 ? (high > 0 ? 1 : -1) : (uint64_t)low != 0;
}

// ---- Signs ------------------------------------------------------------------------------------------------

int ffi_orient_sign(const double a[3], const double b[3], const double c[3], const double d[3])
{
  double u[3], v[3], w[3], det = 0, all = 0;
  ffi_v3_sub(b, a, u);
  ffi_v3_sub(c, a, v);
  ffi_v3_sub(d, a, w);
  for (int k = 0; k < 3; ++k) {
    const int i = (k + 1) % 3, j = (k + 2) % 3;
    const double x = u[i] * v[j], y = u[j] * v[i];
    det += w[k] * (x - y);
    all += fabs(w[k]) * (fabs(x) + fabs(y));
  }
  // Each of the six products of three differences passes at most 8 roundings of 2^-53 (3 differences, 2 products, 3
  // sums), and `all` is the sum of their magnitudes less as many. Nothing underflows: all are whole multiples of
  // 2^(-3 BITS). Fused multiply-adds only leave roundings out.
  const double bound = 0x1p-49 * all;
  if (det > bound)
    return 1;
  if (det < -bound)
    return -1;
  int64_t words[4][3];
  if (!(all > 0))
    return 0;
  return to_words((const double *const[4]){a, b, c, d}, words) ? word_sign(words) : whole_sign(a, b, c, d);
}

// The highest bit that is set, or -1.
static int highest_bit(const uint64_t a[WORDS_2])
{
  for (int i = WORDS_2 - 1; i >= 0; --i)
    if (a[i])
      return 64 * i + 63 - __builtin_clzll(a[i]);
  return -1;
}

void ffi_orient_normal(const double a[3], const double b[3], const double c[3], double out[3])
{
  uint64_t u[3][WORDS], v[3][WORDS], n[3][WORDS_2], size[3][WORDS_2];
  int top = -1, is_minus[3];
  difference(b, a, u);
  difference(c, a, v);
  cross(u, v, n);
  for (int k = 0; k < 3; ++k) {
    is_minus[k] = magnitude(WORDS_2, n[k], size[k]);
    const int bit = highest_bit(size[k]);
    top = bit > top ? bit : top;
  }
  ffi_v3_set(0, 0, 0, out);
  if (top < 0)
    return;
  // Words that begin below bit `top` - 191 are left out: they are less than 2^-127 of the longest.
  for (int k = 0; k < 3; ++k) {
    double sum = 0;
    for (int i = 0; i < WORDS_2; ++i)
      if (size[k][i] && 64 * i - top > -192)
        sum += ldexp((double)size[k][i], 64 * i - top);
    out[k] = is_minus[k] ? -sum : sum;
  }
  ffi_v3_scale(1 / ffi_v3_norm(out), out, out);
}
