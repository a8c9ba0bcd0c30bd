// The force of one contact point and the relaxation of its anchor: against cases worked out by hand, against what defines them
// (nearest point of the disc, the differential equation itself), and against what they must never do (create energy).
#include "contact/law/contact_law.h"

#include "math/vec3.h"
#include "support/near.h"
#include "support/random_state.h"

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void assert_vector(const double got[3], double x, double y, double z, double tolerance)
{
  const double want[3] = {x, y, z};
  if (!(ffi_gap(3, got, want) <= tolerance))
    fail_msg("got (%.17g, %.17g, %.17g), want (%g, %g, %g)", got[0], got[1], got[2], x, y, z);
}

// ---- The force, by hand -----------------------------------------------------------------------------------

// K = 1000, B = 10. 1 cm deep, sinking at 0.1 m/s: push = 10 + 1 = 11 N. The point is 2 mm in +x of its anchor and moves at
// 0.3 m/s in +y: trial = (-2, -3, 0), |trial| = sqrt(13) = 3.606 N.
static const double K = 1000, B = 10;
static const double up[3] = {0, 0, 1}, offset[3] = {0.002, 0, -0.01}, velocity[3] = {0, 0.3, -0.1};

static void a_point_sticks(void **state)
{
  (void)state;
  ffi_contact_law_result law;
  ffi_contact_law(K, B, 0.5, up, offset, velocity, &law); // disc 5.5 N
  assert_int_equal(law.mode, FF_CONTACT_STICK);
  assert_true(fabs(law.push - 11) < 1e-13 && law.normal_force == law.push);
  assert_true(fabs(law.trial_norm - sqrt(13)) < 1e-14);
  assert_vector(law.trial, -2, -3, 0, 1e-14);
  assert_vector(law.force, -2, -3, 11, 1e-13);
}

static void a_point_slips(void **state)
{
  (void)state;
  ffi_contact_law_result law;
  ffi_contact_law(K, B, 0.2, up, offset, velocity, &law); // disc 2.2 N
  assert_int_equal(law.mode, FF_CONTACT_SLIP);
  assert_vector(law.trial, -2, -3, 0, 1e-14);
  assert_vector(law.force, -2 * 2.2 / sqrt(13), -3 * 2.2 / sqrt(13), 11, 1e-13);
}

static void without_friction_only_the_normal_remains(void **state)
{
  (void)state;
  ffi_contact_law_result law;
  ffi_contact_law(K, B, 0, up, offset, velocity, &law);
  assert_int_equal(law.mode, FF_CONTACT_SLIP);
  assert_vector(law.force, 0, 0, 11, 1e-13);
}

static void a_contact_never_pulls(void **state)
{
  (void)state;
  const double parting[3] = {0, 0.3, 2}; // push = 10 - 20
  ffi_contact_law_result law;
  ffi_contact_law(K, B, 0.5, up, offset, parting, &law);
  assert_int_equal(law.mode, FF_CONTACT_RELEASED);
  assert_true(fabs(law.push + 10) < 1e-13);
  assert_true(law.normal_force == 0);
  assert_vector(law.force, 0, 0, 0, 0);
  assert_vector(law.trial, -2, -3, 0, 1e-14); // still told: the anchor relaxes
}

static void what_is_not_a_number_is_not_hidden(void **state)
{
  (void)state;
  for (int i = 0; i < 6; ++i) {
    double x[3], u[3];
    ffi_v3_copy(offset, x);
    ffi_v3_copy(velocity, u);
    *(i < 3 ? x + i : u + i - 3) = (double)NAN;
    ffi_contact_law_result law;
    ffi_contact_law(K, B, 0.5, up, x, u, &law);
    assert_false(ffi_all_finite(law.force, 3));
  }
}

// ---- The force, by what defines it ------------------------------------------------------------------------

typedef struct draw {
  double K, B, mu, n[3], x[3], u[3];
  double e[3], u_t[3]; // tangential: elongation, velocity
} draw;

static void random_draw(ffi_random *r, draw *d)
{
  d->K = pow(10, ffi_random_between(r, 2, 7));
  d->B = d->K * pow(10, ffi_random_between(r, -4, -1));
  d->mu = ffi_random_between(r, 0, 2);
  ffi_random_direction(r, d->n);
  ffi_random_vector(r, 3, 0.01, d->x);
  ffi_random_vector(r, 3, 1, d->u);
  ffi_v3_add_scaled(-fmax(0, ffi_v3_dot(d->x, d->n)) - 0.005, d->n,
                    d->x); // overlaps, most of the time pushes
  ffi_v3_scale(-1, d->x, d->e);
  ffi_v3_add_scaled(ffi_v3_dot(d->x, d->n), d->n, d->e);
  ffi_v3_copy(d->u, d->u_t);
  ffi_v3_add_scaled(-ffi_v3_dot(d->u, d->n), d->n, d->u_t);
}

// A unit vector in the plane of n.
static void random_tangent(ffi_random *r, const double n[3], double t[3])
{
  ffi_random_direction(r, t);
  ffi_v3_add_scaled(-ffi_v3_dot(t, n), n, t);
  ffi_v3_scale(1 / ffi_v3_norm(t), t, t);
}

static void friction_is_the_point_of_the_disc_nearest_to_the_trial(void **state)
{
  (void)state;
  ffi_random r = ffi_random_seed(1);
  ffi_margin normal = {.what = "normal force", .tolerance = 16 * DBL_EPSILON};
  ffi_margin nearest = {.what = "(trial - F).(G - F) for G in the disc", .tolerance = 64 * DBL_EPSILON};
  int modes[3] = {0};
  for (int i = 0; i < 20000; ++i) {
    draw d;
    ffi_contact_law_result law;
    random_draw(&r, &d);
    ffi_contact_law(d.K, d.B, d.mu, d.n, d.x, d.u, &law);
    ++modes[law.mode];
    double scale = d.K * ffi_v3_norm(d.x) + d.B * ffi_v3_norm(d.u);
    double lambda = fmax(0, -d.K * ffi_v3_dot(d.x, d.n) - d.B * ffi_v3_dot(d.u, d.n));
    ffi_margin_add(&normal, fabs(ffi_v3_dot(law.force, d.n) - lambda) / scale, i);

    double F[3], t[3], away[3], along[3];
    ffi_v3_copy(law.force, F);
    ffi_v3_add_scaled(-lambda, d.n, F);
    for (int k = 0; k < 3; ++k)
      away[k] = d.K * d.e[k] - d.B * d.u_t[k] - F[k];
    random_tangent(&r, d.n, t);
    for (int k = 0; k < 3; ++k)
      along[k] = d.mu * lambda * t[k] - F[k];
    ffi_margin_add(&nearest, fmax(0, ffi_v3_dot(away, along)) / (scale * scale * (1 + d.mu)), i);
    assert_true(ffi_v3_norm(F) <= d.mu * lambda + 16 * DBL_EPSILON * scale);
  }
  ffi_margin_check(&normal);
  ffi_margin_check(&nearest);
  for (int m = 0; m < 3; ++m)
    assert_true(modes[m] > 1000);
}

// The force is Lipschitz in (x, u): a small change of one gives a change at most (1 + mu) times the change of -K x - B u, across
// stick, slip and release alike. Cutting at zero, and going to the nearest point of a disc, shorten distances; the
// disc's radius changes by mu times the push.
static void force_is_continuous_across_modes(void **state)
{
  (void)state;
  ffi_random r = ffi_random_seed(2);
  ffi_margin lipschitz = {.what = "force change over (1 + mu) offset change - 1", .tolerance = 1e-6};
  int crossings = 0;
  for (int i = 0; i < 20000; ++i) {
    draw d;
    random_draw(&r, &d);
    double other[3], low = 0, high = 1;
    ffi_random_vector(&r, 3, 0.02, other);
    ffi_contact_law_result a, b;
    ffi_contact_law(d.K, d.B, d.mu, d.n, d.x, d.u, &a);
    ffi_contact_law(d.K, d.B, d.mu, d.n, other, d.u, &b);
    if (a.mode == b.mode)
      continue;
    const ff_contact_mode first = a.mode;
    for (int k = 0; k < 30; ++k) { // the place between the two where the mode changes, to 1e-9
      double mid = (low + high) / 2, x[3];
      for (int j = 0; j < 3; ++j)
        x[j] = d.x[j] + mid * (other[j] - d.x[j]);
      ffi_contact_law_result c;
      ffi_contact_law(d.K, d.B, d.mu, d.n, x, d.u, &c);
      *(c.mode == first ? &low : &high) = mid;
      *(c.mode == first ? &a : &b) = c;
    }
    double change[3], moved[3];
    ffi_v3_sub(a.force, b.force, change);
    ffi_v3_sub(other, d.x, moved);
    double bound = (1 + d.mu) * d.K * ffi_v3_norm(moved) * (high - low);
    ffi_margin_add(&lipschitz, ffi_v3_norm(change) / bound - 1, i);
    ++crossings;
  }
  assert_true(crossings > 2000);
  ffi_margin_check(&lipschitz);
}

// Power that goes in and is not stored: -F.u - d/dt (K e^2 / 2) - the same of the normal spring. Never negative.
static void a_contact_dissipates(void **state)
{
  (void)state;
  ffi_random r = ffi_random_seed(3);
  ffi_margin gain = {.what = "power created", .tolerance = 64 * DBL_EPSILON};
  ffi_margin rest = {.what = "speed of an anchor that sticks", .tolerance = 64 * DBL_EPSILON};
  for (int i = 0; i < 20000; ++i) {
    draw d;
    ffi_contact_law_result law;
    random_draw(&r, &d);
    ffi_contact_law(d.K, d.B, d.mu, d.n, d.x, d.u, &law);
    double F[3], rate[3], anchor[3];
    ffi_v3_copy(law.force, F);
    ffi_v3_add_scaled(-law.normal_force, d.n, F);
    for (int k = 0; k < 3; ++k) { // K e + B edot = F; the anchor moves at edot + u
      rate[k] = (F[k] - d.K * d.e[k]) / d.B;
      anchor[k] = rate[k] + d.u_t[k];
    }
    double depth = ffi_v3_dot(d.x, d.n), sinking = ffi_v3_dot(d.u, d.n);
    double stored =
        d.K * ffi_v3_dot(d.e, rate) + (law.mode == FF_CONTACT_RELEASED ? 0 : d.K * depth * sinking);
    double given = -ffi_v3_dot(law.force, d.u);
    double scale = d.K * ffi_v3_norm(d.x) + d.B * ffi_v3_norm(d.u);
    ffi_margin_add(&gain, fmax(0, stored - given) / (scale * scale / d.B), i);
    if (law.mode == FF_CONTACT_STICK)
      ffi_margin_add(&rest, ffi_v3_norm(anchor) * d.B / scale, i);
  }
  ffi_margin_check(&gain);
  ffi_margin_check(&rest);
}

// ---- The anchor -------------------------------------------------------------------------------------------

// One component of the exact solution by quadrature in extended precision: exp(-a) e + h/B integral of exp(-a (1 - s)) F(s), with
// five-point Gauss in 400 panels: for a <= 40 the panel's exponent is <= 0.1, its error below 1e-20.
static long double quadrature(double k, double b, double h, double F0, double F1, double e)
{
  static const long double node[3] = {0, 0.538469310105683091036314420700L,
                                      0.906179845938663992797626878299L};
  static const long double weight[3] = {0.568888888888888888888888888889L, 0.478628670499366468041291514836L,
                                        0.236926885056189087514264040720L};
  const long double a = (long double)h * k / b;
  const int panels = 400;
  long double sum = 0;
  for (int i = 0; i < panels; ++i)
    for (int j = -2; j <= 2; ++j) {
      long double s = (i + (1 + (j < 0 ? -node[-j] : node[j])) / 2) / panels;
      sum += weight[j < 0 ? -j : j] / (2 * panels) * expl(-a * (1 - s)) * (F0 + ((long double)F1 - F0) * s);
    }
  return expl(-a) * e + h / (long double)b * sum;
}

static void relaxation_solves_its_equation(void **state)
{
  (void)state;
  ffi_random r = ffi_random_seed(4);
  ffi_margin exact = {.what = "elongation after a step", .tolerance = 8 * DBL_EPSILON};
  for (int i = 0; i < 1500; ++i) {
    double h = pow(10, ffi_random_between(&r, -6, 0)), k = pow(10, ffi_random_between(&r, 1, 8));
    double a = pow(10, ffi_random_between(&r, -14, 1.6)), b = h * k / a;
    double F0[3], F1[3], e[3], out[3];
    ffi_random_vector(&r, 3, 100, F0);
    ffi_random_vector(&r, 3, 100, F1);
    ffi_random_vector(&r, 3, 1000 / k, e);
    ffi_contact_law_relax_anchor(k, b, h, F0, F1, e, out);
    for (int j = 0; j < 3; ++j) {
      double want = (double)quadrature(k, b, h, F0[j], F1[j], e[j]);
      // Terms that may cancel: what is left of e, what the forces add.
      double scale = fabs(e[j]) * exp(-a) + (fabs(F0[j]) + fabs(F1[j])) * fmin(h / b, 1 / k);
      ffi_margin_add(&exact, fabs(out[j] - want) / scale, i);
    }
  }
  ffi_margin_check(&exact);
}

// What the forces add must be accurate in itself, however small: from rest under a force ramp, near a = 0, e = h F1 / (2 B).
static void small_steps_keep_their_digits(void **state)
{
  (void)state;
  const double zero[3] = {0}, F1[3] = {1, -2, 3};
  for (double h = 1e-3; h > 1e-300; h *= 1e-3) {
    double e[3];
    ffi_contact_law_relax_anchor(1e-3, 7, h, zero, F1, zero, e); // a <= 1.5e-7, next order a/3
    for (int j = 0; j < 3; ++j)
      assert_true(fabs(e[j] / (h * F1[j] / 14) - 1) <= h * 1e-3 / 7 + 8 * DBL_EPSILON);
  }
}

// Far beyond the relaxation time only the last force counts, and how fast it came: e = F1/K - (F1 - F0)/(K a).
static void long_steps_follow_the_force(void **state)
{
  (void)state;
  const double F0[3] = {10, 20, -5}, F1[3] = {-3, 4, 8}, e[3] = {1, 1, 1};
  for (double b = 1; b > 0; b *= 1e-5) { // to zero through the subnormal numbers
    const double k = 1e6, h = 1e-2, a = h * k / b;
    double out[3];
    ffi_contact_law_relax_anchor(k, b, h, F0, F1, e, out);
    for (int j = 0; j < 3; ++j)
      assert_true(fabs(out[j] - (F1[j] - (F1[j] - F0[j]) / a) / k) <= 8 * DBL_EPSILON * 25 / k);
  }
  double out[3];
  ffi_contact_law_relax_anchor(1e6, 0, 1e-2, F0, F1, e, out);
  for (int j = 0; j < 3; ++j)
    assert_true(fabs(out[j] - F1[j] / 1e6) <= DBL_EPSILON * fabs(out[j]));
  ffi_contact_law_relax_anchor(1e6, 0, 0, F0, F1, e, out);
  for (int j = 0; j < 3; ++j)
    assert_true(fabs(out[j] - F1[j] / 1e6) <= DBL_EPSILON * fabs(out[j]));
}

static void no_time_changes_nothing(void **state)
{
  (void)state;
  const double F0[3] = {10, 20, -5}, F1[3] = {-3, 4, 8}, e[3] = {1, -2, 3};
  double out[3];
  ffi_contact_law_relax_anchor(1e5, 300, 0, F0, F1, e, out);
  assert_memory_equal(out, e, sizeof e);
  ffi_contact_law_relax_anchor(1e5, 5e-324, 0, F0, F1, e, out);
  assert_memory_equal(out, e, sizeof e);
}

// Two halves are the whole, in place, and nothing jumps where the formulas change, at h K/B = 1.
static void parts_make_the_whole(void **state)
{
  (void)state;
  ffi_random r = ffi_random_seed(5);
  ffi_margin halves = {.what = "two half steps", .tolerance = 16 * DBL_EPSILON};
  ffi_margin seam = {.what = "jump at h K/B = 1", .tolerance = 16 * DBL_EPSILON};
  for (int i = 0; i < 2000; ++i) {
    double k = 1e5, h = 1e-3, b = h * k / pow(10, ffi_random_between(&r, -3, 2));
    double F0[3], F1[3], mid[3], e[3], whole[3], low[3], high[3];
    ffi_random_vector(&r, 3, 100, F0);
    ffi_random_vector(&r, 3, 100, F1);
    ffi_random_vector(&r, 3, 1e-3, e);
    for (int j = 0; j < 3; ++j)
      mid[j] = (F0[j] + F1[j]) / 2;
    ffi_contact_law_relax_anchor(k, b, h, F0, F1, e, whole);
    ffi_contact_law_relax_anchor(k, nextafter(100, 200), h, F0, F1, e, low);
    ffi_contact_law_relax_anchor(k, nextafter(100, 0), h, F0, F1, e, high);
    ffi_margin_add(&seam, ffi_gap(3, low, high) / 1e-3, i);
    ffi_contact_law_relax_anchor(k, b, h / 2, F0, mid, e, e);
    ffi_contact_law_relax_anchor(k, b, h / 2, mid, F1, e, e);
    ffi_margin_add(&halves, ffi_gap(3, e, whole) / 1e-3, i);
  }
  ffi_margin_check(&halves);
  ffi_margin_check(&seam);
}

// Law and relaxation together: a point dragged around a closed path under a constant load. The differential equation is integrated by
// force law, relax, in steps; the loss must be that of dry friction alone when the motion is slow, mu N times the length
// of the anchor's way, and halving the step must bring the elongation to a limit.
static double drag(int steps, double e[3])
{
  const double k = 1e5, b = 300, mu = 0.5, load = 100, radius = 0.05, period = 20;
  const double h = period / steps, two_pi = 6.283185307179586;
  double work = 0;
  ffi_v3_set(0, 0, 0, e);
  for (int i = 0; i < steps; ++i) {
    double at = two_pi * (i + 0.5) / steps, speed = radius * two_pi / period;
    const double u[3] = {-speed * sin(at), speed * cos(at), 0};
    const double x[3] = {-e[0], -e[1], -load / k};
    ffi_contact_law_result law;
    ffi_contact_law(k, b, mu, up, x, u, &law);
    const double F[3] = {law.force[0], law.force[1], 0};
    work -= h * ffi_v3_dot(law.force, u);
    ffi_contact_law_relax_anchor(k, b, h, F, F, e, e);
  }
  return work;
}

static void dragging_costs_what_dry_friction_costs(void **state)
{
  (void)state;
  double e1[3], e2[3], e3[3];
  double work = drag(20000, e1);
  drag(40000, e2);
  drag(80000, e3);
  // 2 pi 5 cm at 50 N, less the first K e = mu N: 0.5 mm of 314 mm.
  double dry = 50 * 6.283185307179586 * 0.05;
  assert_true(work < dry && work > dry * (1 - 2 * 0.5 / 314));
  assert_true(fabs(ffi_v3_norm(e3) * 1e5 - 50) < 0.05);
  assert_true(ffi_gap(3, e3, e2) < 0.6 * ffi_gap(3, e2, e1));
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_point_sticks),
      cmocka_unit_test(a_point_slips),
      cmocka_unit_test(without_friction_only_the_normal_remains),
      cmocka_unit_test(a_contact_never_pulls),
      cmocka_unit_test(what_is_not_a_number_is_not_hidden),
      cmocka_unit_test(friction_is_the_point_of_the_disc_nearest_to_the_trial),
      cmocka_unit_test(force_is_continuous_across_modes),
      cmocka_unit_test(a_contact_dissipates),
      cmocka_unit_test(relaxation_solves_its_equation),
      cmocka_unit_test(small_steps_keep_their_digits),
      cmocka_unit_test(long_steps_follow_the_force),
      cmocka_unit_test(no_time_changes_nothing),
      cmocka_unit_test(parts_make_the_whole),
      cmocka_unit_test(dragging_costs_what_dry_friction_costs),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
