// The rational approximant of e^z behind the fast exponential: its poles and residues against Pade's two polynomials in
// long double, and the error bounds of its header by sampling all arguments.
#include "math/poles.h"

#include "math/near.h"
#include "support/samples.h"

#include <complex.h>

typedef long double complex number;

enum { TOP = 6, BOTTOM = 8, ORDER = TOP + BOTTOM };

static long double factorial(int n)
{
  long double f = 1;
  for (int i = 2; i <= n; ++i)
    f *= i;
  return f;
}

// Coefficients of Pade's numerator N and denominator Q of degrees 6 and 8.
static long double coefficient(int degree, int j)
{
  return factorial(ORDER - j) * factorial(degree) / (factorial(ORDER) * factorial(j) * factorial(degree - j));
}

static long double top[TOP + 1], bottom[BOTTOM + 1], beyond[61]; // beyond: of e^z Q - N, from z^15 on

static int fill_coefficients(void **state)
{
  (void)state;
  for (int j = 0; j <= TOP; ++j)
    top[j] = coefficient(TOP, j);
  for (int j = 0; j <= BOTTOM; ++j)
    bottom[j] = (j % 2 ? -1 : 1) * coefficient(BOTTOM, j);
  for (int m = ORDER + 1; m <= 60; ++m)
    for (int j = 0; j <= BOTTOM; ++j)
      beyond[m] += bottom[j] / factorial(m - j);
  return 0;
}

static number N(number z)
{
  number s = 0;
  for (int j = TOP; j >= 0; --j)
    s = s * z + top[j];
  return s;
}

static number Q(number z)
{
  number s = 0;
  for (int j = BOTTOM; j >= 0; --j)
    s = s * z + bottom[j];
  return s;
}

static number Q_slope(number z)
{
  number s = 0;
  for (int j = BOTTOM; j >= 1; --j)
    s = s * z + j * bottom[j];
  return s;
}

static number power(number z, int n)
{
  number p = 1;
  for (int i = 0; i < abs(n); ++i)
    p *= z;
  return n < 0 ? 1 / p : p;
}

static number at(const double a[8], int k)
{
  return (long double)a[k] + (long double)a[4 + k] * (number)I;
}

// The root of Q next to one, by Newton's method.
static number root_near(number z)
{
  for (int i = 0; i < 6; ++i)
    z -= Q(z) / Q_slope(z);
  return z;
}

// 2 Re sum of c / (x - z) for real x, and the same for complex ones: poles come in conjugate pairs.
static number fractions(const double c[8], number x)
{
  number s = 0;
  for (int k = 0; k < 4; ++k)
    s += at(c, k) / (x - at(ffi_poles_z, k)) + conjl(at(c, k)) / (x - conjl(at(ffi_poles_z, k)));
  return s;
}

static number on_ray(double radius, double angle)
{
  return (long double)radius * (cosl((long double)angle) + sinl((long double)angle) * (number)I);
}

static void poles_and_residues_are_those_of_the_quotient(void **state)
{
  (void)state;
  double worst = 0;
  for (int k = 0; k < 4; ++k) {
    const number z = root_near(at(ffi_poles_z, k)), c = N(z) / Q_slope(z);
    assert_true(creall(z) > 0 && cimagl(z) > 0);
    worst = fmax(worst, (double)(cabsl(at(ffi_poles_z, k) - z) / cabsl(z)));
    worst = fmax(worst, (double)(cabsl(at(ffi_poles_c, k) - c) / cabsl(c)));
    for (int j = 0; j < k; ++j) // four different ones: with their conjugates all that Q has
      assert_true(cabsl(at(ffi_poles_z, k) - at(ffi_poles_z, j)) > 1);
  }
  print_message("poles and residues are right to %.2g of their size\n", worst);
  assert_true(worst < EPS); // rounded numbers; the evaluation in long double loses some three digits of 19
}

// Moments of the residues: N/Q = sum of z^m/m! up to m = 14 at 0, N_6/Q_8 z^-2 at infinity.
static void sums_of_residues_give_the_series_of_the_exponential(void **state)
{
  (void)state;
  for (int m = -2; m <= ORDER; ++m) {
    long double sum = 0, size = 0;
    for (int k = 0; k < 4; ++k) {
      const number term = at(ffi_poles_c, k) * power(at(ffi_poles_z, k), -(m + 1));
      sum += 2 * creall(term);
      size += 2 * cabsl(term);
    }
    const long double want = m == -1 ? 0 : m == -2 ? top[TOP] / bottom[BOTTOM] : -1 / factorial(m);
    // the rounding of c and of z to the power m + 1
    assert_near(sum, want, (double)size * EPS * (2 + abs(m)));
  }
}

static void nothing_grows_on_the_imaginary_axis(void **state)
{
  (void)state;
  double most = 0;
  for (double y = 0; y < 1e6; y = y * 1.003 + 1e-3) {
    const number r = fractions(ffi_poles_c, (long double)y * (number)I);
    most = fmax(most, (double)cabsl(r) - 1);
    const number quotient = N((long double)y * (number)I) / Q((long double)y * (number)I);
    assert_true((double)cabsl(r - quotient) <
                3e-13); // residues of some 5,000, rounded, at a distance of 9 or more
  }
  print_message("|N/Q| on the imaginary axis is at most 1 + %.2g\n", most);
  assert_true(most < 3e-13);
  for (double angle = PI / 2; angle < PI + 0.01; angle += PI / 16) { // falls like z^-2
    const double far = (double)cabsl(fractions(ffi_poles_c, on_ray(1e5, angle)));
    assert_near(far * 1e10, top[TOP] / bottom[BOTTOM], 0.01 * (double)(top[TOP] / bottom[BOTTOM]));
  }
}

// e^z - N/Q; near 0 by the series of e^z Q - N, which begins with z^15.
static number error_at(number z)
{
  if (cabsl(z) > 1.5L)
    return cexpl(z) - N(z) / Q(z);
  number sum = 0;
  for (int m = 60; m > ORDER; --m)
    sum = sum * z + beyond[m];
  return sum * power(z, ORDER + 1) / Q(z);
}

static void residues_show_what_is_not_resolved(void **state)
{
  (void)state;
  double c[4][8];
  for (int m = 0; m < 4; ++m)
    ffi_poles_unresolved(m, c[m]);
  for (double angle = PI / 2; angle < PI + 0.01; angle += PI / 16)
    for (double radius = 0.1; radius < 1e6; radius *= 1.7) {
      const number z = on_ray(radius, angle), top_of = bottom[BOTTOM] / Q(z);
      // residues of some 1e3, rounded, some 10 from z at least: differences of 1e-12 and less
      assert_true(cabsl(fractions(c[0], z) - (1 - top_of * power(z, 8))) < 1e-11L);
      assert_true(cabsl(fractions(c[1], z) - top_of * power(z, 7)) < 1e-11L);
      assert_true(cabsl(fractions(c[2], z) - top_of * power(z, 6)) < 1e-11L);
      assert_true(cabsl(fractions(c[3], z) - top_of * power(z, 5)) < 1e-11L);
    }
}

// z^(k - 1) (e^z - N/Q) / (q z^8/Q) e^(later z), q the leading coefficient of Q: what the bounds are for.
static number beside(int k, int later, number z)
{
  const number scale = cexpl(later * z) * Q(z) / bottom[BOTTOM];
  return error_at(z) * scale / power(z, 9 - k);
}

// One mass on a spring, in the norm of its energy: A = [0, w; -w, -w^2/lightness]. f(A) = f(a) + f[a, b](A - a), a
// and b its eigenvalues, f[a, b] the divided difference; the larger norm of its two rows.
static long double row_norm(int k, int later, long double w, long double lightness)
{
  const long double c = w * w / lightness;
  const number root = csqrtl(c * c / 4 - w * w), a = -c / 2 - root, b = w * w / a; // no cancellation
  const number f = beside(k, later, a), slope = (f - beside(k, later, b)) / (a - b);
  const long double position = hypotl(cabsl(f - slope * a), cabsl(slope * w)),
                    velocity = hypotl(cabsl(slope * w), cabsl(f - slope * (c + a)));
  return fmaxl(position, velocity);
}

enum { PLACES = 600 };

static long double place(int i) // 0.25 to 1e5, no round numbers: eigenvalues are never equal
{
  return 0.2503L * powl(4e5L, (long double)i / PLACES);
}

static int stride(void) // over the places
{
  const int places = ffi_samples(PLACES);
  return places < PLACES ? PLACES / places : 1;
}

static double largest_of_one_damping(int k, int later, double lightness)
{
  long double most = 0;
  for (int i = 0; i <= PLACES; i += stride())
    most = fmaxl(most, row_norm(k, later, place(i), lightness));
  return (double)most;
}

// On the imaginary axis, or on the parabola Im^2 = -4 lightness Re that holds the numerical range of any springs and
// dampers. The largest value there bounds the norm; on the parabola times 1 + sqrt 2, by Crouzeix and Palencia.
static double largest_of_any_damping(int k, int later, double lightness)
{
  long double axis = 0, parabola = 0;
  for (int i = 0; i <= PLACES; i += stride()) {
    const long double y = place(i);
    axis = fmaxl(axis, cabsl(beside(k, later, I * y)));
    parabola = fmaxl(parabola, cabsl(beside(k, later, -y * y / (4 * (long double)lightness) + I * y)));
  }
  parabola *= 1 + sqrtl(2);
  return (double)(k < 2 && axis < parabola ? axis : parabola); // from k = 2 on there is no bound on the axis
}

static void the_error_is_within_its_bounds(void **state)
{
  (void)state;
  for (int later = 0; later < 5; ++later)
    for (int is_uniform = 0; is_uniform < 2; ++is_uniform) {
      double least = INFINITY, most = 0;
      for (double lightness = 0.05; lightness < 2e4; lightness *= 1.37) {
        double bound[4];
        ffi_poles_bounds(lightness, is_uniform, later, bound);
        for (int k = 0; k < 4; ++k) {
          const double largest = is_uniform ? largest_of_one_damping(k, later, lightness)
                                            : largest_of_any_damping(k, later, lightness);
          least = fmin(least, bound[k] / largest);
          if (isfinite(bound[k]) && (later == 0 || lightness > 16))
            most = fmax(most, bound[k] / largest);
          else if (isinf(bound[k]))
            assert_true(k > 1 && lightness > 4095);
        }
      }
      print_message("%d later, %s damping: bound over largest error %.3f..%.2f\n", later,
                    is_uniform ? "one" : "any", least, most);
      assert_true(least >= 1);
      if (later < 2)
        assert_true(most < 2);
    }
  double bound[4];
  ffi_poles_bounds(INFINITY, 1, 0, bound);
  assert_true(bound[1] >= 1.25 && bound[1] < 1.3 && isinf(bound[2]) && isinf(bound[3]));
  ffi_poles_bounds(0, 1, 0, bound);
  assert_true(bound[1] < 0.01);
}

// N_x(z_k)/Q'(z_k) with N_x from the series, in long double; *size: the sum of its terms' sizes.
static number inside_residue(double x, int k, double *size)
{
  const number z = root_near(at(ffi_poles_z, k)), slope = Q_slope(z);
  number n = 0;
  long double terms = 0;
  for (int d = BOTTOM - 1; d >= 0; --d) {
    long double c = 0, absolute = 0;
    for (int j = 0; j <= d; ++j) {
      const long double term = bottom[j] * powl((long double)x, d - j) / factorial(d - j);
      c += term;
      absolute += fabsl(term);
    }
    n = n * z + c;
    terms = terms * cabsl(z) + absolute;
  }
  *size = (double)(terms / cabsl(slope));
  return n / slope;
}

static void values_inside_the_step_are_those_of_the_exponential(void **state)
{
  (void)state;
  double c[8], resolved = 0;
  for (int i = 0; i <= 16; ++i) {
    const double x = i / 16.0;
    ffi_poles_inside(x, c);
    for (int k = 0; k < 4; ++k) {
      double size;
      const number want = inside_residue(x, k, &size);
      assert_true((double)cabsl(at(c, k) - want) < 20 * EPS * size); // some 16 roundings
    }
    for (double angle = PI / 2; angle < PI + 0.01; angle += PI / 16) {
      // Of order 8: what is left out begins with z^8, and falls by 2^8 when z is halved.
      double error[2];
      for (int half = 0; half < 2; ++half) {
        const number z = on_ray(half ? 0.5 : 1, angle);
        error[half] = (double)cabsl(fractions(c, z) - cexpl((long double)x * z));
      }
      assert_true(error[0] < 1e-8 && error[1] < error[0] / 150 + 1e-12);
      const number z = on_ray(2, angle);
      if (x > 0.1)
        resolved = fmax(resolved, (double)cabsl(fractions(c, z) - cexpl((long double)x * z)));
    }
    assert_near((double)creall(fractions(c, 0)), 1, 1e-12);
  }
  print_message("from an eighth of a step on, |z| = 2: off by %.2g at most\n", resolved);
  assert_true(resolved < 1e-6);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(poles_and_residues_are_those_of_the_quotient),
      cmocka_unit_test(sums_of_residues_give_the_series_of_the_exponential),
      cmocka_unit_test(nothing_grows_on_the_imaginary_axis),
      cmocka_unit_test(residues_show_what_is_not_resolved),
      cmocka_unit_test(the_error_is_within_its_bounds),
      cmocka_unit_test(values_inside_the_step_are_those_of_the_exponential),
  };
  return cmocka_run_group_tests(tests, fill_coefficients, NULL);
}
