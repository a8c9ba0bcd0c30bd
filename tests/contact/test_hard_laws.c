// Hard contact where the answer is known: particles, rods, joints, worked out by hand; by every solver, in both forms.
#include "contact/hard/hard.h"

#include "support/alloc_counter.h"
#include "support/hard_problems.h"
#include "support/near.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { METHODS = FF_HARD_SOLVER_COUNT * 3 * 2 };

// Every solver, form and treatment of bilateral rows. T = 1e-12, so that impulses of about 1 N s are right to 1e-11: what an iteration still has to go
// is its last change times rate / (1 - rate), and the cases here converge at rates below 0.9.
static const double near_enough = 1e-11;

static ff_moreau_def method(int number)
{
  ff_moreau_def def = ffi_hard_test_def((ff_hard_solver)(number % FF_HARD_SOLVER_COUNT),
                                        (ff_hard_form)(number / FF_HARD_SOLVER_COUNT % 3),
                                        (ff_hard_bilateral)(number / FF_HARD_SOLVER_COUNT / 3));
  def.relative_tolerance = def.absolute_tolerance = 1e-12;
  def.max_iterations = 10000;
  return def;
}

static double *writable(const double *x)
{
  return (double *)(uintptr_t)x;
}

static void check(const char *what, int number, const ffi_hard_result *result, double got, double want)
{
  char name[200];
  snprintf(name, sizeof name, "%s, method %d (%s)", what, number,
           ff_hard_solver_name((ff_hard_solver)(number % FF_HARD_SOLVER_COUNT)));
  if (!result->converged)
    fail_msg("%s: not converged, residual %g", name, result->residual);
  ffi_check_near(name, got, want, near_enough);
}

// A particle of mass m that meets the ground with velocity v.
static ffi_hard_case *particle(double mass, double mu, double normal_restitution,
                               double tangential_restitution, const double v[3])
{
  ffi_hard_case *c = ffi_hard_case_begin(3, 1, (int[]){3});
  c->problem.block[0].law = FFI_HARD_LAW_CONTACT;
  c->problem.block[0].mu = mu;
  for (int k = 0; k < 3; ++k) {
    c->M[4 * k] = mass;
    c->W[4 * k] = 1;
    writable(c->problem.u_free)[k] = v[k];
    writable(c->problem.b)[k] = (k == 2 ? normal_restitution : tangential_restitution) * v[k];
  }
  ffi_hard_case_finish(c);
  return c;
}

// It bounces with -e_N v_n; friction takes what (1 + e_T) |v_t| needs, at most mu (1 + e_N) |v_n|.
static void a_particle_bounces(void **state)
{
  (void)state;
  static const double v[3] = {0.3, -0.4, -2};
  for (int number = 0; number < METHODS; ++number)
    for (int k = 0; k < 5; ++k) {
      const double mu = (double[]){0, 0.05, 0.2, 0.8, 10}[k], e_n = 0.5, e_t = k == 3 ? 0.3 : 0;
      ffi_hard_case *c = particle(1.7, mu, e_n, e_t, v);
      const ff_moreau_def def = method(number);
      ffi_hard_result result;
      ffi_hard_solve(&def, &c->problem, c->memory, &result);
      const double push = (1 + e_n) * 2, need = (1 + e_t) * 0.5, take = fmin(need, mu * push) / 0.5;
      check("normal velocity", number, &result, c->problem.u[2], 1);
      check("normal impulse", number, &result, c->problem.impulse[2], 1.7 * push);
      check("tangential velocity", number, &result, c->problem.u[0], 0.3 * (1 - take));
      check("tangential velocity", number, &result, c->problem.u[1], -0.4 * (1 - take));
      check("normal xi", number, &result, c->problem.xi[2], 0);
      ffi_hard_case_destroy(c);
    }
}

static void a_particle_that_leaves_gets_nothing(void **state)
{
  (void)state;
  for (int number = 0; number < METHODS; ++number) {
    ffi_hard_case *c = particle(2, 1, 0.5, 0.5, (double[]){1, 2, 3});
    const ff_moreau_def def = method(number);
    ffi_hard_result result;
    c->problem.impulse[0] = 3, c->problem.impulse[2] = 5; // a start from when it was there
    ffi_hard_solve(&def, &c->problem, c->memory, &result);
    for (int k = 0; k < 3; ++k) {
      check("impulse", number, &result, c->problem.impulse[k], 0);
      check("velocity", number, &result, c->problem.u[k], k + 1);
    }
    ffi_hard_case_destroy(c);
  }
}

// A rod in its plane: velocities x, z, turn; mass 3, inertia I about its middle; contacts at both ends, a = 0.5 away.
static ffi_hard_case *rod(double inertia, const double v[3], double restitution)
{
  ffi_hard_case *c = ffi_hard_case_begin(3, 2, (int[]){3, 3});
  c->M[0] = c->M[4] = 3;
  c->M[8] = inertia;
  for (int b = 0; b < 2; ++b) {
    c->problem.block[b].law = FFI_HARD_LAW_CONTACT;
    double *W = c->W + 9 * b; // t1 along x; nothing moves along t2
    W[0] = 1;
    W[6 + 1] = 1;
    W[6 + 2] = b ? 0.5 : -0.5;
  }
  for (int k = 0; k < 3; ++k)
    writable(c->problem.u_free)[k] = v[k];
  for (int i = 0; i < 6; ++i)
    for (int k = 0; k < 3; ++k)
      writable(c->problem.b)[i] += restitution * c->W[3 * i + k] * v[k];
  ffi_hard_case_finish(c);
  return c;
}

// Flat: both ends share. Turning so that only one end comes down: it gets m v_end / (1 + m a^2 / I), which moves the other end by 1/m - a^2/I times
// that: up if I > m a^2 = 0.75, and if not, down, so that it gets its share too and all stops.
static void a_rod_falls(void **state)
{
  (void)state;
  for (int number = 0; number < METHODS; ++number) {
    const ff_moreau_def def = method(number);
    ffi_hard_result result;
    ffi_hard_case *flat = rod(0.2, (double[]){0, -2, 0}, 0.25);
    ffi_hard_solve(&def, &flat->problem, flat->memory, &result);
    check("one end's impulse", number, &result, flat->problem.impulse[2], 3 * 2 * 1.25 / 2);
    check("bounce", number, &result, flat->problem.u[1], 0.5);
    ffi_hard_case_destroy(flat);

    ffi_hard_case *heavy = rod(3, (double[]){0, -1, 2}, 0); // ends at -2 and 0 m/s
    ffi_hard_solve(&def, &heavy->problem, heavy->memory, &result);
    check("the lower end", number, &result, heavy->problem.impulse[2], 4.8); // 3 * 2 / (1 + 0.75 / 3)
    check("the upper end", number, &result, heavy->problem.impulse[5], 0);
    check("the upper end rises", number, &result, heavy->problem.xi[5], 4.8 * (1 / 3.0 - 0.25 / 3));
    ffi_hard_case_destroy(heavy);

    ffi_hard_case *light = rod(0.25, (double[]){0, -1, 2}, 0);
    ffi_hard_solve(&def, &light->problem, light->memory, &result);
    check("stops", number, &result, light->problem.u[1], 0);
    check("turns no more", number, &result, light->problem.u[2], 0);
    check("momentum", number, &result, light->problem.impulse[2] + light->problem.impulse[5], 3);
    check("angular momentum", number, &result, light->problem.impulse[2] - light->problem.impulse[5],
          0.25 * 2 / 0.5);
    ffi_hard_case_destroy(light);
  }
}

// Five masses in line on one track: 0 and 1 joined (bilateral), 2 with dry friction, 3 at a stop, 4 soft dry (a motor that gives way).
static void joints_by_hand(void **state)
{
  (void)state;
  for (int number = 0; number < METHODS; ++number) {
    const ff_moreau_def def = method(number);
    ffi_hard_result result;
    ffi_hard_case *c = ffi_hard_case_begin(5, 4, (int[]){1, 1, 1, 1});
    static const double mass[5] = {1, 3, 2, 5, 4}, v[5] = {2, -1, 0.7, -0.6, 1};
    static const ffi_hard_law law[4] = {FFI_HARD_LAW_BILATERAL, FFI_HARD_LAW_DRY, FFI_HARD_LAW_STOP,
                                        FFI_HARD_LAW_DRY};
    for (int k = 0; k < 5; ++k) {
      c->M[6 * k] = mass[k];
      writable(c->problem.u_free)[k] = v[k];
    }
    for (int b = 0; b < 4; ++b) {
      c->problem.block[b].law = law[b];
      c->W[5 * b + b + 1] = 1;
    }
    c->W[0] = -1;
    c->problem.block[1].bound = 1;
    c->problem.block[3].bound = 100;
    writable(c->problem.softness)[3] = 0.75;
    ffi_hard_case_finish(c);
    ffi_hard_solve(&def, &c->problem, c->memory, &result);
    check("joined", number, &result, c->problem.u[0], (2 - 3) / 4.0);
    check("joined", number, &result, c->problem.u[1], (2 - 3) / 4.0);
    check("dry", number, &result, c->problem.u[2], 0.7 - 1.0 / 2);
    check("stop", number, &result, c->problem.u[3], 0);
    check("stop's impulse", number, &result, c->problem.impulse[2], 3);
    check("soft", number, &result, c->problem.impulse[3],
          -1 / (0.25 + 0.75)); // xi = 1 + (1/4 + 3/4) Lambda = 0
    ffi_hard_case_destroy(c);
  }
}

// One problem, told three ways: W and Y, G instead of Y, and G with rows in another order of blocks.
static void a_given_delassus_matrix_is_used(void **state)
{
  (void)state;
  ffi_random random = ffi_random_seed(7);
  for (int k = 0; k < 40; ++k) {
    ffi_hard_case *c = ffi_hard_case_create((ffi_hard_family)(k % HARD_FAMILIES), 0, 10, &random);
    const int n = c->problem.rows, nv = c->problem.nv;
    double G[128 * 128], y[128], u[128], first[128];
    assert_true(n <= 128 && nv <= 128);
    for (int j = 0; j < n; ++j) {
      memcpy(y, c->W + j * nv, (size_t)nv * sizeof *y);
      ffi_hard_solve_mass(c, y);
      for (int i = 0; i < n; ++i) {
        G[i * 128 + j] = 0;
        for (int v = 0; v < nv; ++v)
          G[i * 128 + j] += c->W[i * nv + v] * y[v];
      }
    }
    ff_moreau_def def = ffi_hard_test_def(FF_HARD_EXACT, FF_HARD_FORM_AUTO, FF_HARD_DIRECT);
    def.relative_tolerance = def.absolute_tolerance = 1e-10;
    ffi_hard_result result;
    ffi_hard_solve(&def, &c->problem, c->memory, &result);
    assert_true(result.converged);
    memcpy(first, c->problem.u, (size_t)nv * sizeof *first);
    memset(c->problem.impulse, 0, (size_t)n * sizeof(double));
    c->problem.G = G;
    c->problem.G_stride = 128;
    for (int b = 0; b < c->problem.block_count; ++b)
      c->problem.block[b].Y = NULL; // nobody may look
    ffi_hard_solve(&def, &c->problem, c->memory, &result);
    assert_true(result.converged);
    double xi[128];
    ffi_hard_velocities(c, u, xi);
    // velocities of the same convex program, each right to about the root of 1e-10 times impulses of about 1
    assert_true(ffi_gap(nv, u, first) <= 1e-4 * (1 + ffi_size(nv, u)));
    assert_true(ffi_gap(n, c->problem.xi, xi) <= 1e-9 * (1 + ffi_size(n, xi)));
    // blocks in another order than their rows: the same problem
    const int last = c->problem.block_count - 1;
    const ffi_hard_block swap = c->problem.block[0];
    c->problem.block[0] = c->problem.block[last];
    c->problem.block[last] = swap;
    memset(c->problem.impulse, 0, (size_t)n * sizeof(double));
    ffi_hard_solve(&def, &c->problem, c->memory, &result);
    assert_true(result.converged);
    double again[128], again_xi[128];
    ffi_hard_velocities(c, again, again_xi);
    assert_true(ffi_gap(nv, again, first) <= 1e-4 * (1 + ffi_size(nv, u)));
    assert_true(ffi_gap(n, c->problem.xi, again_xi) <= 1e-9 * (1 + ffi_size(n, xi)));
    ffi_hard_case_destroy(c);
  }
}

static void an_empty_problem_is_solved(void **state)
{
  (void)state;
  for (int number = 0; number < METHODS; ++number) {
    ffi_hard_case *c = ffi_hard_case_begin(3, 0, NULL);
    writable(c->problem.u_free)[1] = 4;
    const ff_moreau_def def = method(number);
    ffi_hard_result result;
    ffi_hard_solve(&def, &c->problem, c->memory, &result);
    assert_true(result.converged && result.residual == 0 && c->problem.u[1] == 4);
    ffi_hard_case_destroy(c);
  }
}

static void what_is_not_a_number_never_converges(void **state)
{
  (void)state;
  for (int number = 0; number < METHODS; ++number)
    for (int k = 0; k < 3; ++k) {
      ffi_hard_case *c = particle(1, 0.5, 0, 0, (double[]){1, 0, -1});
      writable(c->problem.u_free)[k] = k == 1 ? (double)INFINITY : (double)NAN;
      ff_moreau_def def = method(number);
      def.max_iterations = 50;
      ffi_hard_result result;
      ffi_hard_solve(&def, &c->problem, c->memory, &result);
      assert_false(result.converged);
      assert_false(result.residual < 1);
      ffi_hard_case_destroy(c);
    }
}

static void solving_allocates_nothing(void **state)
{
  (void)state;
  ffi_random random = ffi_random_seed(3);
  ffi_hard_case *c = ffi_hard_case_create(HARD_JOINTS, 0.8, 100, &random);
  for (int number = 0; number < METHODS; ++number) {
    const ff_moreau_def def = method(number);
    ffi_hard_result result;
    const long before = ffi_test_alloc_count();
    ffi_hard_solve(&def, &c->problem, c->memory, &result);
    assert_int_equal(ffi_test_alloc_count(), before);
  }
  ffi_hard_case_destroy(c);
}

// A particle between two plates that close on it: no impulse helps, and however large impulses grow nobody may say that it converged.
static void what_contradicts_itself_never_converges(void **state)
{
  (void)state;
  for (int solver = 0; solver < FF_HARD_SOLVER_COUNT; ++solver)
    for (int form = 0; form < 3; ++form) {
      ffi_hard_case *c = ffi_hard_case_begin(3, 2, (int[]){3, 3});
      for (int i = 0; i < 2; ++i) {
        c->problem.block[i].law = FFI_HARD_LAW_CONTACT;
        c->problem.block[i].mu = 0.5;
        for (int k = 0; k < 3; ++k)
          c->W[9 * i + 4 * k] = i == 0 ? 1 : -1;
        writable(c->problem.b)[3 * i + 2] = i == 0 ? -0.5 : 0;
      }
      for (int k = 0; k < 3; ++k)
        c->M[4 * k] = 4;
      ffi_hard_case_finish(c);
      const ff_moreau_def def = ffi_hard_test_def((ff_hard_solver)solver, (ff_hard_form)form, FF_HARD_DIRECT);
      ffi_hard_result result;
      ffi_hard_solve(&def, &c->problem, c->memory, &result);
      if (result.converged)
        fail_msg("%s, form %d: converged with %g N s", ff_hard_solver_name((ff_hard_solver)solver), form,
                 c->problem.impulse[2]);
      ffi_hard_case_destroy(c);
    }
}

static void solvers_have_names(void **state)
{
  (void)state;
  for (int i = 0; i < FF_HARD_SOLVER_COUNT; ++i) {
    ff_hard_solver found = (ff_hard_solver)((i + 1) % FF_HARD_SOLVER_COUNT);
    assert_true(ff_hard_solver_find(ff_hard_solver_name((ff_hard_solver)i), &found) && (int)found == i);
  }
  ff_hard_solver found = FF_HARD_SOR;
  assert_false(ff_hard_solver_find("jacobi", &found) || ff_hard_solver_find("", &found) ||
               ff_hard_solver_find(NULL, &found));
  assert_string_equal(ff_hard_solver_name((ff_hard_solver)99), "unknown");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_particle_bounces),
      cmocka_unit_test(a_particle_that_leaves_gets_nothing),
      cmocka_unit_test(a_rod_falls),
      cmocka_unit_test(joints_by_hand),
      cmocka_unit_test(a_given_delassus_matrix_is_used),
      cmocka_unit_test(an_empty_problem_is_solved),
      cmocka_unit_test(what_is_not_a_number_never_converges),
      cmocka_unit_test(what_contradicts_itself_never_converges),
      cmocka_unit_test(solving_allocates_nothing),
      cmocka_unit_test(solvers_have_names),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
