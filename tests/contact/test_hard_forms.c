// Hard contact without friction is a convex program: its velocities are unique. So every solver, form and treatment of
// bilateral rows must find the same ones, and so must the enumeration of all combinations of open and closed contacts.
// With friction: the rows of one contact, against a fine search over its modes.
#include "contact/hard/hard_local.h"
#include "support/hard_problems.h"
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

enum { MOST = 128 };

// G of the whole problem, [rows][MOST], and c = W'u_free + b, from M and W.
static void delassus(const ffi_hard_case *c, double *G, double *rest)
{
  const int n = c->problem.rows, nv = c->problem.nv;
  double y[MOST];
  assert_true(n <= MOST && nv <= MOST);
  for (int j = 0; j < n; ++j) {
    memcpy(y, c->W + j * nv, (size_t)nv * sizeof *y);
    ffi_hard_solve_mass(c, y);
    rest[j] = c->problem.b[j];
    for (int v = 0; v < nv; ++v)
      rest[j] += c->W[j * nv + v] * c->problem.u_free[v];
    for (int i = 0; i < n; ++i) {
      G[i * MOST + j] = i == j ? c->problem.softness[i] : 0;
      for (int v = 0; v < nv; ++v)
        G[i * MOST + j] += c->W[i * nv + v] * y[v];
    }
  }
}

// ---- All combinations -------------------------------------------------------------------------------------

// x = -A^-1 q with full pivoting; 0 if A is singular to 1e-9 of its largest entry (another combination carries the same
// load then).
static int solve_dense(int n, double A[][MOST], double *x)
{
  int column[MOST];
  double largest = 0;
  for (int i = 0; i < n; ++i) {
    column[i] = i;
    for (int j = 0; j < n; ++j)
      largest = fmax(largest, fabs(A[i][j]));
  }
  for (int k = 0; k < n; ++k) {
    int row = k, best = k;
    for (int i = k; i < n; ++i)
      for (int j = k; j < n; ++j)
        if (fabs(A[i][j]) > fabs(A[row][best]))
          row = i, best = j;
    if (!(fabs(A[row][best]) > 1e-9 * largest))
      return 0;
    for (int j = 0; j <= n; ++j) {
      const double swap = A[k][j];
      A[k][j] = A[row][j];
      A[row][j] = swap;
    }
    for (int i = 0; i < n; ++i) {
      const double swap = A[i][k];
      A[i][k] = A[i][best];
      A[i][best] = swap;
    }
    const int swap = column[k];
    column[k] = column[best];
    column[best] = swap;
    for (int i = 0; i < n; ++i)
      for (int j = n; i != k && j >= k; --j)
        A[i][j] -= A[i][k] / A[k][k] * A[k][j];
  }
  for (int i = 0; i < n; ++i)
    x[column[i]] = A[i][n] / A[i][i];
  return 1;
}

// The first combination of closed contacts whose impulses push and whose open contacts separate, to `slack`; 0 if there
// is none.
static int enumerate(const ffi_hard_case *c, double slack, double *impulse)
{
  double G[MOST * MOST], rest[MOST], A[16][MOST], x[16];
  const int contacts = c->problem.block_count;
  delassus(c, G, rest);
  for (int set = 0; set < 1 << contacts; ++set) {
    int row[16], n = 0, fits = 1;
    for (int b = 0; b < contacts; ++b)
      if (set >> b & 1)
        row[n++] = c->problem.block[b].row + 2;
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j)
        A[i][j] = G[row[i] * MOST + row[j]];
      A[i][n] = -rest[row[i]];
    }
    if (!solve_dense(n, A, x))
      continue;
    memset(impulse, 0, (size_t)c->problem.rows * sizeof *impulse);
    for (int i = 0; i < n; ++i) {
      fits &= x[i] >= -slack;
      impulse[row[i]] = x[i];
    }
    for (int b = 0; fits && b < contacts; ++b) {
      const int normal = c->problem.block[b].row + 2;
      double xi = rest[normal];
      for (int i = 0; i < n; ++i)
        xi += G[normal * MOST + row[i]] * x[i];
      fits &= xi >= -slack;
    }
    if (fits)
      return 1;
  }
  return 0;
}

static void without_friction_all_combinations_agree(void **state)
{
  (void)state;
  ffi_margin gap = {.what = "velocities against enumeration",
                    .tolerance = 1e-7}; // the root of T = 1e-12, at worst, of velocities of 0.1 m/s
  for (int seed = 0; seed < 300; ++seed) {
    ffi_random random = ffi_random_seed((uint64_t)seed);
    ffi_hard_case *c = ffi_hard_case_create(seed % 3 ? HARD_PLATE : HARD_LOOSE, 0, 10, &random);
    double impulse[MOST], u[MOST], xi[MOST];
    ffi_hard_result result;
    ff_moreau_def def = ffi_hard_test_def((ff_hard_solver)(seed % 4), FF_HARD_FORM_AUTO, FF_HARD_DIRECT);
    def.relative_tolerance = def.absolute_tolerance = 1e-12;
    def.max_iterations = 100000;
    if (c->problem.block_count <= 10 && enumerate(c, 1e-11, impulse)) {
      ffi_hard_solve(&def, &c->problem, c->memory, &result);
      if (!result.converged)
        fail_msg("seed %d: %s not converged, residual %g", seed, ff_hard_solver_name(def.solver),
                 result.residual);
      double solved[MOST];
      memcpy(solved, c->problem.u, (size_t)c->problem.nv * sizeof *solved);
      memcpy(c->problem.impulse, impulse, (size_t)c->problem.rows * sizeof *impulse);
      ffi_hard_velocities(c, u, xi);
      ffi_margin_add(&gap, ffi_gap(c->problem.nv, solved, u) / (1 + ffi_size(c->problem.nv, u)), seed);
    }
    ffi_hard_case_destroy(c);
  }
  ffi_margin_check(&gap);
  assert_true(gap.count > 100);
}

// ---- Every method against every other ---------------------------------------------------------------------

// One result of a problem, [rows] each.
typedef struct impulse_and_xi {
  const double *impulse, *xi;
} impulse_and_xi;

// For two pairs within tolerances t of the laws, the projections being firmly non-expansive,
//
//     |u - u'|_M^2 = sum of (xi - xi') (Lambda - Lambda') <= sum over rows of (t + t') (G_ll |Lambda - Lambda'| + |xi -
//     xi'|)
//
// (softness only helps). So what may differ is known from the two results themselves.
static double allowed(const ffi_hard_case *c, const double *G, double tolerance, const impulse_and_xi *one,
                      const impulse_and_xi *two)
{
  double sum = 0;
  for (int b = 0; b < c->problem.block_count; ++b) {
    const ffi_hard_block *block = &c->problem.block[b];
    double size = 0;
    for (int i = block->row; i < block->row + block->rows; ++i)
      size = fmax(size, fmax(fabs(one->impulse[i]), fabs(two->impulse[i])));
    for (int i = block->row; i < block->row + block->rows; ++i)
      sum += 2 * tolerance * (1 + size) *
             (G[i * MOST + i] * fabs(one->impulse[i] - two->impulse[i]) + fabs(one->xi[i] - two->xi[i]));
  }
  return sum;
}

static double energy_of(const ffi_hard_case *c, const double *one, const double *two)
{
  const int nv = c->problem.nv;
  double sum = 0;
  for (int i = 0; i < nv; ++i)
    for (int j = 0; j < nv; ++j)
      sum += (one[i] - two[i]) * c->M[i * nv + j] * (one[j] - two[j]);
  return sum;
}

static void without_friction_all_methods_agree(void **state)
{
  (void)state;
  enum { METHODS = FF_HARD_SOLVER_COUNT * 2 * 2 };
  const double tolerance = 1e-9;
  ffi_margin margin = {.what = "energy of the difference over what may be", .tolerance = 1};
  int compared[METHODS] = {0};
  static double G[MOST * MOST];
  for (int seed = 0; seed < 150; ++seed) {
    ffi_random random = ffi_random_seed((uint64_t)(9000 + seed));
    ffi_hard_case *c = ffi_hard_case_create((ffi_hard_family)(seed % HARD_FAMILIES), 0, 10, &random);
    const int n = c->problem.rows, nv = c->problem.nv;
    double rest[MOST], first[MOST], impulse[MOST], xi[MOST];
    delassus(c, G, rest);
    for (int number = METHODS - 1; number >= 0; --number) { // the first is exact
      ff_moreau_def def = ffi_hard_test_def((ff_hard_solver)(number / 4), (ff_hard_form)(1 + number % 2),
                                            (ff_hard_bilateral)(number / 2 % 2));
      def.relative_tolerance = def.absolute_tolerance = tolerance;
      def.max_iterations = 3000;
      ffi_hard_result result;
      if (number == METHODS - 1)
        def.form = FF_HARD_FORM_IMPULSE;
      memset(c->problem.impulse, 0, (size_t)n * sizeof(double));
      ffi_hard_solve(&def, &c->problem, c->memory, &result);
      compared[number] += result.converged;
      if (number == METHODS - 1) {
        assert_true(result.converged);
        memcpy(first, c->problem.u, (size_t)nv * sizeof *first);
        memcpy(impulse, c->problem.impulse, (size_t)n * sizeof *impulse);
        memcpy(xi, c->problem.xi, (size_t)n * sizeof *xi);
      } else if (result.converged) {
        const double may = allowed(c, G, tolerance, &(impulse_and_xi){impulse, xi},
                                   &(impulse_and_xi){c->problem.impulse, c->problem.xi});
        // rounding: energies of 1e-13 of the motion's cannot be told apart
        const double rounding = 1e-26 * (energy_of(c, first, (double[MOST]){0}) + 1e-6);
        ffi_margin_add(&margin, energy_of(c, first, c->problem.u) / (may + rounding), seed);
      }
    }
    ffi_hard_case_destroy(c);
  }
  ffi_margin_check(&margin);
  for (int number = 0; number < METHODS; ++number) {
    printf("%-9s form %d bilateral %d: %d of 150 converged\n",
           ff_hard_solver_name((ff_hard_solver)(number / 4)), 1 + number % 2, number / 2 % 2,
           compared[number]);
    assert_true(compared[number] >= 75); // or nothing was compared
  }
}

// ---- One contact with friction ----------------------------------------------------------------------------

static void one_contact_is_solved_exactly(void **state)
{
  (void)state;
  ffi_random random = ffi_random_seed(11);
  ffi_margin law = {.what = "one contact's laws",
                    .tolerance = 1e-10}; // bisection ends at 1e-15 of s; K's condition is below 1e4
  int modes[3] = {0};
  for (int k = 0; k < 20000; ++k) {
    double A[9], K[9], q[3], x[3], xi[3];
    ffi_random_vector(&random, 9, 1, A);
    ffi_random_vector(&random, 3, 1, q);
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j)
        K[3 * i + j] =
            (i == j) * 0.05 + A[3 * i] * A[3 * j] + A[3 * i + 1] * A[3 * j + 1] + A[3 * i + 2] * A[3 * j + 2];
    // friction that cannot jam: mu |K_nt| < K_nn, else a sliding contact may have no solution or three
    const double jam = K[8] / hypot(K[6], K[7]), mu = ffi_random_between(&random, 0, 0.9) * jam;
    const ffi_hard_part part = {.law = FFI_HARD_LAW_CONTACT, .rows = 3, .mu = mu};
    ffi_hard_local(&part, K, q, x);
    for (int i = 0; i < 3; ++i)
      xi[i] = q[i] + K[3 * i] * x[0] + K[3 * i + 1] * x[1] + K[3 * i + 2] * x[2];
    const double force = hypot(x[0], x[1]), speed = hypot(xi[0], xi[1]);
    double error = fmax(fmax(-x[2], -xi[2]), fabs(x[2] * xi[2]) / (1 + x[2]));
    error = fmax(error, force - mu * x[2]);
    error = fmax(error, (mu * x[2] * speed + x[0] * xi[0] + x[1] * xi[1]) / (1 + mu * x[2]));
    ffi_margin_add(&law, error / (1 + force + x[2]), k);
    ++modes[x[2] <= 0 ? 0 : force < mu * x[2] * (1 - 1e-9) ? 1 : 2];
  }
  ffi_margin_check(&law);
  printf("open %d, sticking %d, sliding %d\n", modes[0], modes[1], modes[2]);
  assert_true(modes[0] > 1000 && modes[1] > 1000 && modes[2] > 1000);
}

// ---- Many contacts ----------------------------------------------------------------------------------------

// A row of 1,000 particles on the ground, more rows than G is formed for: solved without it, and each as if it were
// alone.
static void a_thousand_contacts_need_no_matrix(void **state)
{
  (void)state;
  enum { COUNT = 1000 };
  ffi_block measure = {0};
  ffi_hard_layout(3 * COUNT, 3 * COUNT, COUNT, &measure);
  void *room = calloc(1, ffi_block_bytes(&measure));
  ffi_block block = ffi_block_in(room, &measure);
  ffi_hard_memory *memory = ffi_hard_layout(3 * COUNT, 3 * COUNT, COUNT, &block);
  assert_true(measure.used < 64u << 20); // not 3,000 squared doubles, 72 MB
  static ffi_hard_block blocks[COUNT];
  static int dof[3 * COUNT];
  static double u_free[3 * COUNT], b[3 * COUNT], impulse[3 * COUNT], u[3 * COUNT], xi[3 * COUNT];
  static const double W[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, Y[9] = {0.5, 0, 0, 0, 0.5, 0, 0, 0, 0.5};
  ffi_hard problem = {.nv = 3 * COUNT,
                      .rows = 3 * COUNT,
                      .block_count = COUNT,
                      .block = blocks,
                      .u_free = u_free,
                      .b = b,
                      .impulse = impulse,
                      .u = u,
                      .xi = xi};
  for (int i = 0; i < COUNT; ++i) {
    blocks[i] = (ffi_hard_block){.law = FFI_HARD_LAW_CONTACT,
                                 .row = 3 * i,
                                 .rows = 3,
                                 .mu = 0.5,
                                 .columns = 3,
                                 .reach = 3,
                                 .dof = dof + 3 * i,
                                 .reached = dof + 3 * i,
                                 .W = W,
                                 .Y = Y};
    for (int k = 0; k < 3; ++k)
      dof[3 * i + k] = 3 * i + k;
    u_free[3 * i] = 1;
    u_free[3 * i + 2] = -0.1 - i * 1e-3;
  }
  for (int s = 0; s < FF_HARD_SOLVER_COUNT; ++s) {
    ff_moreau_def def = ffi_hard_test_def((ff_hard_solver)s, FF_HARD_FORM_AUTO, FF_HARD_DIRECT);
    def.relative_tolerance = def.absolute_tolerance = 1e-13;
    ffi_hard_result result;
    memset(impulse, 0, sizeof impulse);
    ffi_hard_solve(&def, &problem, memory, &result);
    assert_true(result.converged);
    for (int i = 0; i < COUNT; ++i) {
      const double push = 0.1 + i * 1e-3;
      ffi_check_near("sliding", u[3 * i], fmax(0, 1 - 0.5 * push), 1e-12);
      ffi_check_near("falling", u[3 * i + 2], 0, 1e-12);
    }
  }
  free(room);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(without_friction_all_combinations_agree),
      cmocka_unit_test(without_friction_all_methods_agree),
      cmocka_unit_test(one_contact_is_solved_exactly),
      cmocka_unit_test(a_thousand_contacts_need_no_matrix),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
