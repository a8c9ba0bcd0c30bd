// The impact map where the result is known: balls, cradles, plates, computed by hand; and properties of every impact:
// islands, forms, memory.
#include "support/alloc_counter.h"
#include "support/impact_case.h"
#include "support/near.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// T = 1e-12: impulses of about 1 N s are accurate to 1e-11. An interior point has fewer digits, so with the bound T =
// 1e-8: 1e-7.
static const double near_enough = 1e-11;

static ff_impact_def tight(ff_impact_law law)
{
  ff_impact_def def = ff_impact_def_default();
  def.law = law;
  def.relative_tolerance = def.absolute_tolerance = law == FF_IMPACT_BOUNDED ? 1e-8 : 1e-12;
  return def;
}

static double right_to(ff_impact_law law)
{
  return law == FF_IMPACT_BOUNDED ? 1e-7 : near_enough;
}

static double *writable(const double *x)
{
  return (double *)(uintptr_t)x;
}

static void run(const ff_impact_def *def, ffi_hard_case *c, const double *bounce)
{
  const ffi_hard_result result = ffi_impact_run(def, c, bounce);
  if (!result.converged)
    fail_msg("not converged, excess %g", result.excess);
}

static void options_have_names(void **state)
{
  (void)state;
  ff_impact_law law = FF_IMPACT_COULOMB;
  ff_impact_cone cone = FF_IMPACT_CONE;
  ff_impact_bounce bounce = FF_IMPACT_NEWTON;
  assert_true(ff_impact_law_find("bounded", &law) && law == FF_IMPACT_BOUNDED);
  assert_true(ff_impact_cone_find("polygon", &cone) && cone == FF_IMPACT_POLYGON);
  assert_true(ff_impact_bounce_find("poisson", &bounce) && bounce == FF_IMPACT_POISSON);
  assert_false(ff_impact_law_find("none", &law) || ff_impact_cone_find(NULL, &cone) ||
               ff_impact_bounce_find("", &bounce));
  assert_string_equal(ff_impact_law_name(FF_IMPACT_DISSIPATION), "dissipation");
  assert_string_equal(ff_impact_law_name((ff_impact_law)99), "unknown");
  assert_string_equal(ff_impact_cone_name((ff_impact_cone)99), "unknown");
  assert_string_equal(ff_impact_bounce_name((ff_impact_bounce)99), "unknown");
}

// ---- One ball ---------------------------------------------------------------------------------------------

// A particle that meets the ground with velocity v.
static ffi_hard_case *particle(double mass, double mu, const double v[3])
{
  ffi_hard_case *c = ffi_hard_case_begin(3, 1, (int[]){3});
  c->problem.block[0].law = FFI_HARD_LAW_CONTACT;
  c->problem.block[0].mu = mu;
  for (int k = 0; k < 3; ++k) {
    c->M[4 * k] = mass;
    c->W[4 * k] = 1;
    writable(c->problem.u_free)[k] = v[k];
  }
  ffi_hard_case_finish(c);
  return c;
}

// It sticks if |v_t| <= mu |v_n|. Else the least energy is at the projection of -m v onto the cone: it keeps (|v_t| -
// mu |v_n|) / (1 + mu^2) of sliding, and mu times that of lift. The bound (kappa = 0: without friction nothing opens)
// and Coulomb's law have no lift.
static void a_ball_sticks_or_slides(void **state)
{
  (void)state;
  static const double v[3] = {1.5, -2, -2}; // 2.5 along the ground
  for (int k = 0; k < 6; ++k)
    for (int law = 0; law < FF_IMPACT_LAW_COUNT; ++law) {
      const double mu = (double[]){0, 0.1, 0.8, 1.25, 3, 1000}[k], left = fmax(2.5 - mu * 2, 0);
      const double slide = law == FF_IMPACT_DISSIPATION ? left / (1 + mu * mu) : left,
                   lift = law == FF_IMPACT_DISSIPATION ? mu * slide : 0;
      const ff_impact_def def = tight((ff_impact_law)law);
      ffi_hard_case *c = particle(1.7, mu, v);
      run(&def, c, NULL);
      const double tolerance = 10 * right_to((ff_impact_law)law); // at a rim answers are steep
      ffi_check_near("sliding", c->problem.u[0], slide * 0.6, tolerance);
      ffi_check_near("sliding", c->problem.u[1], slide * -0.8, tolerance);
      ffi_check_near("lift", c->problem.u[2], lift, tolerance);
      ffi_check_near("impulse", c->problem.impulse[2], 1.7 * (2 + lift), 2 * tolerance);
      ffi_hard_case_destroy(c);
    }
}

// The square of four edges is around the disc: along its diagonal friction is sqrt(2) mu, along an axis mu.
static void a_square_gives_more_friction_between_its_axes(void **state)
{
  (void)state;
  ff_impact_def def = tight(FF_IMPACT_DISSIPATION);
  def.cone = FF_IMPACT_POLYGON;
  const double mu = 0.5;
  for (int is_diagonal = 0; is_diagonal < 2; ++is_diagonal) {
    const double speed = 3, m = is_diagonal ? sqrt(2) * mu : mu, share = is_diagonal ? sqrt(0.5) : 0;
    const double v[3] = {is_diagonal ? speed * share : speed, speed * share, -1};
    ffi_hard_case *c = particle(1, mu, v);
    run(&def, c, NULL);
    const double slide = (speed - m) / (1 + m * m);
    ffi_check_near("sliding", c->problem.u[0], is_diagonal ? slide * share : slide, near_enough);
    ffi_check_near("sliding", c->problem.u[1], slide * share, near_enough);
    ffi_check_near("lift", c->problem.u[2], m * slide, near_enough);
    ffi_hard_case_destroy(c);
  }
}

// A pyramid of n sides is 1/cos(pi/n) too wide at its corners: the error falls with n^2.
static void pyramids_tend_to_the_cone(void **state)
{
  (void)state;
  const double v[3] = {2, 0.7, -1};
  const ff_impact_def round_def = tight(FF_IMPACT_DISSIPATION);
  ffi_hard_case *exact = particle(1, 0.5, v), *c = particle(1, 0.5, v);
  run(&round_def, exact, NULL);
  double worst[5];
  for (int k = 0; k < 5; ++k) {
    ff_impact_def def = round_def;
    def.cone = FF_IMPACT_POLYGON;
    def.edges = (4 << k) / 2 + 2; // 4, 8, 16, 32, 64 sides
    worst[k] = 0;
    for (int turn = 0; turn < 64; ++turn) { // all directions, of which some are better than others
      const double angle = 0.1 * turn;
      writable(c->problem.u_free)[0] = hypot(v[0], v[1]) * cos(angle);
      writable(c->problem.u_free)[1] = hypot(v[0], v[1]) * sin(angle);
      run(&def, c, NULL);
      const double x = c->problem.u[0], y = c->problem.u[1];
      worst[k] = fmax(worst[k], fabs(hypot(x, y) - hypot(exact->problem.u[0], exact->problem.u[1])));
    }
    printf("%2d sides: %.3e m/s\n", 4 << k, worst[k]);
  }
  for (int k = 1; k < 5; ++k) // 4 each time, and nearer to it with more sides
    assert_in_range((int)(100 * worst[k - 1] / worst[k]), 300, 550);
  ffi_hard_case_destroy(exact);
  ffi_hard_case_destroy(c);
}

// ---- Many balls -------------------------------------------------------------------------------------------

// Balls of 1 kg in a row that touch; the first comes with 1 m/s. e: Newton's.
static ffi_hard_case *cradle(int balls, double e)
{
  int rows[8];
  for (int i = 0; i < balls - 1; ++i)
    rows[i] = 3;
  ffi_hard_case *c = ffi_hard_case_begin(balls, balls - 1, rows);
  writable(c->problem.u_free)[0] = 1;
  for (int i = 0; i < balls; ++i)
    c->M[i * balls + i] = 1;
  for (int i = 0; i < balls - 1; ++i) {
    c->problem.block[i].law = FFI_HARD_LAW_CONTACT;
    c->problem.block[i].mu = 0.3;
    c->W[(3 * i + 2) * balls + i] = -1; // nothing moves its tangents
    c->W[(3 * i + 2) * balls + i + 1] = 1;
  }
  writable(c->problem.b)[2] = -e;
  ffi_hard_case_finish(c);
  return c;
}

// All at once: the first ball bounces off the others together, which do not separate, by Newton's law and by Poisson's.
// With epsilon below 1, momentum is conserved and each compression impulse (n - i) / n is scaled by 1 + epsilon.
static void cradles_swing(void **state)
{
  (void)state;
  for (int law = 0; law < FF_IMPACT_LAW_COUNT; ++law)
    for (int balls = 2; balls <= 5; balls += 3)
      for (int k = 0; k < 3; ++k) {
        const double epsilon = (double[]){0, 0.5, 1}[k], n = balls;
        for (int is_poisson = 0; is_poisson < 2; ++is_poisson) {
          const double bounce[4] = {epsilon, epsilon, epsilon, epsilon};
          ff_impact_def def = tight((ff_impact_law)law);
          def.bounce = is_poisson ? FF_IMPACT_POISSON : FF_IMPACT_NEWTON;
          ffi_hard_case *c = cradle(balls, is_poisson ? 0 : epsilon);
          run(&def, c, bounce);
          const double tolerance = right_to((ff_impact_law)law);
          ffi_check_near("the first", c->problem.u[0], 1 - (1 + epsilon) * (n - 1) / n, tolerance);
          for (int i = 1; i < balls; ++i) // (1 + epsilon) / n by both laws
            ffi_check_near("the others", c->problem.u[i], (1 + epsilon) / n, tolerance);
          ffi_hard_case_destroy(c);
        }
      }
}

// Of five balls only the first bounces: it flies back with -3/5; the second, pushed by it alone, would run into the
// third, so the four go on together.
static void who_is_hit_by_a_bounce_has_a_second_impact(void **state)
{
  (void)state;
  const double bounce[4] = {1, 0, 0, 0};
  ff_impact_def def = tight(FF_IMPACT_DISSIPATION);
  def.bounce = FF_IMPACT_POISSON;
  ffi_hard_case *c = cradle(5, 0);
  run(&def, c, bounce);
  ffi_check_near("the first", c->problem.u[0], -0.6, near_enough);
  for (int i = 1; i < 5; ++i)
    ffi_check_near("the others", c->problem.u[i], 0.4, near_enough);
  for (int i = 0; i < 4; ++i)
    ffi_check_near("impulse", c->problem.impulse[3 * i + 2], (double[]){1.6, 1.2, 0.8, 0.4}[i], near_enough);
  ffi_hard_case_destroy(c);
}

// A plate of 2 kg that falls flat on four feet, which G does not tell apart: it stops, and they carry 2 N s together.
static void a_plate_stops_on_four_feet(void **state)
{
  (void)state;
  for (int law = 0; law < FF_IMPACT_LAW_COUNT; ++law) {
    ffi_hard_case *c = ffi_hard_case_begin(6, 4, (int[]){3, 3, 3, 3});
    const ff_impact_def def = tight((ff_impact_law)law);
    for (int k = 0; k < 6; ++k)
      c->M[7 * k] = k < 3 ? 2 : 0.1;
    for (int i = 0; i < 4; ++i) {
      c->problem.block[i].law = FFI_HARD_LAW_CONTACT;
      c->problem.block[i].mu = 0.7;
      const double x = i & 1 ? 0.5 : -0.5, y = i & 2 ? 0.3 : -0.3;
      double *W = c->W + 18 * i; // velocity of the point (x, y, 0): v + omega x p
      W[0] = 1, W[5] = -y;
      W[6 + 1] = 1, W[6 + 5] = x;
      W[12 + 2] = 1, W[12 + 3] = y, W[12 + 4] = -x;
    }
    writable(c->problem.u_free)[2] = -1;
    ffi_hard_case_finish(c);
    run(&def, c, NULL);
    double sum = 0;
    for (int i = 0; i < 4; ++i)
      sum += c->problem.impulse[3 * i + 2];
    ffi_check_near("all feet", sum, 2, right_to((ff_impact_law)law));
    for (int k = 0; k < 6; ++k)
      ffi_check_near("velocity", c->problem.u[k], 0, right_to((ff_impact_law)law));
    ffi_hard_case_destroy(c);
  }
}

// ---- Without friction -------------------------------------------------------------------------------------

// H_AA x = -c_A of the contacts in `set` by elimination with pivots; 0 if it is singular.
static int solve_set(int n, int set, int rows, const double *H, const double *rest, double *x)
{
  double A[8][9];
  int index[8], count = 0;
  for (int i = 0; i < n; ++i)
    if (set >> i & 1)
      index[count++] = 3 * i + 2;
  for (int i = 0; i < count; ++i) {
    for (int j = 0; j < count; ++j)
      A[i][j] = H[index[i] * rows + index[j]];
    A[i][count] = -rest[index[i]];
  }
  for (int k = 0; k < count; ++k) {
    if (!(fabs(A[k][k]) > 1e-9))
      return 0;
    for (int i = k + 1; i < count; ++i)
      for (int j = count; j >= k; --j)
        A[i][j] -= A[i][k] / A[k][k] * A[k][j];
  }
  memset(x, 0, (size_t)rows * sizeof *x);
  for (int i = count - 1; i >= 0; --i) {
    double sum = A[i][count];
    for (int j = i + 1; j < count; ++j)
      sum -= A[i][j] * x[index[j]];
    x[index[i]] = sum / A[i][i];
  }
  return 1;
}

static int is_solution(int n, int rows, const double *H, const double *rest, const double *x, double *xi)
{
  for (int i = 2; i < 3 * n; i += 3) {
    xi[i] = rest[i];
    for (int j = 0; j < rows; ++j)
      xi[i] += H[i * rows + j] * x[j];
    if (x[i] < -1e-10 || xi[i] < -1e-10)
      return 0;
  }
  return 1;
}

// All sets of contacts that may press, one after the other; velocities of the right one are the answer's.
static void frictionless_is_what_enumeration_finds(void **state)
{
  (void)state;
  int compared = 0;
  for (int seed = 0; seed < 400; ++seed) {
    ffi_random random = ffi_random_seed((uint64_t)70000 + (uint64_t)seed);
    ffi_hard_case *c =
        ffi_impact_case_create(seed % 2 ? HARD_PLATE : HARD_LOOSE, 0, 10, seed % 4 > 1, &random);
    const int n = c->problem.block_count, rows = c->problem.rows;
    if (n > 8) {
      ffi_hard_case_destroy(c);
      continue;
    }
    const ff_impact_def def = tight(seed % 3 ? FF_IMPACT_DISSIPATION : FF_IMPACT_COULOMB);
    double *H, *rest, x[24] = {0}, xi[24] = {0};
    ffi_impact_matrix(c, &H, &rest);
    run(&def, c, NULL);
    for (int set = 0; set < 1 << n; ++set)
      if (solve_set(n, set, rows, H, rest, x) && is_solution(n, rows, H, rest, x, xi)) {
        for (int i = 2; i < rows; i += 3)
          ffi_check_near("opening", c->problem.xi[i], xi[i], 1e-9); // impulses of 10 to 100 N s, G to 10
        ++compared;
        break;
      }
    free(H);
    free(rest);
    ffi_hard_case_destroy(c);
  }
  assert_true(compared > 150);
}

// ---- What must hold for any -------------------------------------------------------------------------------

// "coulomb" is the law and the solver of hard.h, bit for bit.
static void coulomb_is_hard_contact(void **state)
{
  (void)state;
  for (int i = 0; i < 100; ++i) {
    ffi_random random = ffi_random_seed((uint64_t)76000 + (uint64_t)i);
    ffi_hard_case *c =
        ffi_hard_case_create((ffi_hard_family)(i % HARD_FAMILIES), 0.6, i % 2 ? 1 : 1e3, &random);
    const ff_moreau_def hard = ffi_hard_test_def(FF_HARD_EXACT, FF_HARD_FORM_AUTO, FF_HARD_DIRECT);
    ff_impact_def def = ff_impact_def_default();
    def.law = FF_IMPACT_COULOMB;
    const size_t rows = (size_t)c->problem.rows, bytes = rows * sizeof(double);
    double *impulse = ffi_hard_room(rows, sizeof *impulse);
    ffi_hard_result result;
    ffi_hard_solve(&hard, &c->problem, c->memory, &result);
    memcpy(impulse, c->problem.impulse, bytes);
    memset(c->problem.impulse, 0, bytes);
    assert_int_equal(ffi_impact_run(&def, c, NULL).converged, result.converged);
    assert_memory_equal(impulse, c->problem.impulse, bytes);
    free(impulse);
    ffi_hard_case_destroy(c);
  }
}

// A ball between two plates that close, and one whose velocity is not a number: no answer, and soon.
static void what_cannot_be_is_not_converged(void **state)
{
  (void)state;
  for (int law = 0; law < FF_IMPACT_LAW_COUNT; ++law)
    for (int is_squeezed = 0; is_squeezed < 2; ++is_squeezed) {
      const ff_impact_def def = {.law = (ff_impact_law)law,
                                 .edges = 4,
                                 .relative_tolerance = 1e-6,
                                 .absolute_tolerance = 1e-6,
                                 .max_iterations = 1000};
      ffi_hard_case *c = ffi_hard_case_begin(3, 2, (int[]){3, 3});
      for (int b = 0; b < 2; ++b) {
        c->problem.block[b].law = FFI_HARD_LAW_CONTACT;
        c->problem.block[b].mu = 0.5;
        for (int k = 0; k < 3; ++k) {
          c->M[4 * k] = 1;
          c->W[9 * b + 4 * k] = b ? -1 : 1;
        }
        writable(c->problem.b)[3 * b + 2] = is_squeezed ? -1 : 0;
      }
      writable(c->problem.u_free)[0] = is_squeezed ? 0.1 : (double)NAN;
      ffi_hard_case_finish(c);
      assert_false(ffi_impact_run(&def, c, NULL).converged);
      ffi_hard_case_destroy(c);
    }
}

static void nothing_is_allocated(void **state)
{
  (void)state;
  for (int law = 0; law < FF_IMPACT_LAW_COUNT; ++law)
    for (int seed = 0; seed < 20; ++seed) {
      ffi_random random = ffi_random_seed((uint64_t)seed);
      ffi_hard_case *c = ffi_impact_case_create(HARD_STACK, 0.8, 1e3, 1, &random);
      const ffi_hard *p = &c->problem;
      double bounce[128];
      for (int i = 0; i < p->block_count; ++i)
        bounce[i] = 0.5;
      ffi_block measure = {0};
      ffi_impact_layout(p->nv, p->rows, p->block_count, &measure);
      void *room = ffi_hard_room(1, ffi_block_bytes(&measure));
      ffi_block block = ffi_block_in(room, &measure);
      ffi_impact_memory *memory = ffi_impact_layout(p->nv, p->rows, p->block_count, &block);
      ff_impact_def def = ff_impact_def_default();
      def.law = (ff_impact_law)law;
      def.bounce = FF_IMPACT_POISSON;
      ffi_hard_result result;
      const long before = ffi_test_alloc_count();
      ffi_impact_solve(&def, p, bounce, memory, &result);
      assert_int_equal(ffi_test_alloc_count(), before);
      free(room);
      ffi_hard_case_destroy(c);
    }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(options_have_names),
      cmocka_unit_test(a_ball_sticks_or_slides),
      cmocka_unit_test(a_square_gives_more_friction_between_its_axes),
      cmocka_unit_test(pyramids_tend_to_the_cone),
      cmocka_unit_test(cradles_swing),
      cmocka_unit_test(who_is_hit_by_a_bounce_has_a_second_impact),
      cmocka_unit_test(a_plate_stops_on_four_feet),
      cmocka_unit_test(frictionless_is_what_enumeration_finds),
      cmocka_unit_test(coulomb_is_hard_contact),
      cmocka_unit_test(what_cannot_be_is_not_converged),
      cmocka_unit_test(nothing_is_allocated),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
