// Hard contact of many bodies: pits, tall stacks, and worlds that fall apart into islands. Laws are judged from the mass matrix on, by support/hard_problems.c.
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

// Beyond the tolerances nothing is allowed but rounding, as in test_hard_random.c.
static const double honest = 1 + 1e-3;

typedef struct touch {
  int over, under; // under -1: ground or wall
  double arm[3], other[3], n[3];
} touch;

enum { MOST = 700 };
typedef struct world {
  int bodies, count;
  double mass, inertia;
  touch touch[MOST];
} world;

static void add_touch(world *w, int over, int under, const double arm[3], const double other[3],
                      const double n[3])
{
  assert_true(w->count < MOST);
  touch *t = &w->touch[w->count++];
  *t = (touch){.over = over, .under = under};
  memcpy(t->arm, arm, sizeof t->arm);
  memcpy(t->other, other, sizeof t->other);
  memcpy(t->n, n, sizeof t->n);
}

// Rows of one contact: two tangents and the normal, velocity of `over` less that of `under`.
static void put_rows(ffi_hard_case *c, const touch *t, int row)
{
  const int nv = c->problem.nv;
  double axes[3][3] = {{0}};
  const double *n = t->n;
  const int k = fabs(n[0]) < 0.6 ? 0 : 1;
  double length = 0;
  for (int i = 0; i < 3; ++i) {
    axes[0][i] = (i == k) - n[k] * n[i];
    length += axes[0][i] * axes[0][i];
  }
  for (int i = 0; i < 3; ++i) {
    axes[0][i] /= sqrt(length);
    axes[2][i] = n[i];
  }
  for (int i = 0; i < 3; ++i)
    axes[1][i] = n[(i + 1) % 3] * axes[0][(i + 2) % 3] - n[(i + 2) % 3] * axes[0][(i + 1) % 3];
  for (int r = 0; r < 3; ++r)
    for (int side = 0; side < 2; ++side) {
      const int body = side ? t->under : t->over;
      const double *arm = side ? t->other : t->arm, sign = side ? -1 : 1, *a = axes[r];
      for (int i = 0; body >= 0 && i < 3; ++i) {
        double *W = c->W + (row + r) * nv + 6 * body;
        W[i] += sign * a[i];
        W[3 + i] += sign * (arm[(i + 1) % 3] * a[(i + 2) % 3] - arm[(i + 2) % 3] * a[(i + 1) % 3]);
      }
    }
}

// u = 0 satisfies every inequality, so there is a solution.
static ffi_hard_case *make(const world *w, double mu, ffi_random *random)
{
  static int rows[MOST];
  for (int i = 0; i < w->count; ++i)
    rows[i] = 3;
  ffi_hard_case *c = ffi_hard_case_begin(6 * w->bodies, w->count, rows);
  const int nv = c->problem.nv;
  double *u_free = (double *)(uintptr_t)c->problem.u_free;
  for (int i = 0; i < nv; ++i) {
    c->M[i * nv + i] = i % 6 < 3 ? w->mass : w->inertia;
    u_free[i] = ffi_random_between(random, -0.02, 0.02) - (i % 6 == 2 ? 0.05 : 0); // gravity, 5 ms
  }
  for (int i = 0; i < w->count; ++i) {
    c->problem.block[i].law = FFI_HARD_LAW_CONTACT;
    c->problem.block[i].mu = mu;
    put_rows(c, &w->touch[i], 3 * i);
  }
  ffi_hard_case_finish(c);
  return c;
}

// Balls of 0.1 kg in layers of `side` x `side`, normals a little off the lattice's; floor and four walls.
static void fill_pit(world *w, int side, int layers, ffi_random *random)
{
  const double R = 0.05;
  *w = (world){.bodies = side * side * layers, .mass = 0.1, .inertia = 0.4 * 0.1 * R * R};
  for (int i = 0; i < w->bodies; ++i) {
    const int at[3] = {i % side, i / side % side, i / side / side}, step[3] = {1, side, side * side};
    for (int k = 0; k < 3; ++k) {
      double n[3], arm[3], other[3], length = 0;
      for (int j = 0; j < 3; ++j) {
        n[j] = at[k] > 0 ? (j == k) + ffi_random_between(random, -0.3, 0.3) : j == k;
        length += n[j] * n[j];
      }
      for (int j = 0; j < 3; ++j) {
        n[j] /= sqrt(length);
        arm[j] = -R * n[j];
        other[j] = R * n[j];
      }
      add_touch(w, i, at[k] > 0 ? i - step[k] : -1, arm, other, n);
      if (k < 2 && at[k] == side - 1) {
        const double back[3] = {-(k == 0), -(k == 1), 0}, far[3] = {R * (k == 0), R * (k == 1), 0};
        add_touch(w, i, -1, far, far, back);
      }
    }
  }
}

// Boxes of 1 kg on each other, four contacts a face; bodies first .. first + boxes - 1.
static void pile_up(world *w, int first, int boxes)
{
  const double up[3] = {0, 0, 1};
  for (int i = 0; i < boxes; ++i)
    for (int k = 0; k < 4; ++k) {
      const double x = k & 1 ? 0.5 : -0.5, y = k & 2 ? 0.5 : -0.5;
      const double low[3] = {x, y, -0.5}, high[3] = {x, y, 0.5};
      add_touch(w, first + i, i == 0 ? -1 : first + i - 1, low, high, up);
    }
}

static ffi_hard_result solve(ffi_hard_case *c, ff_hard_form form)
{
  const ff_moreau_def def = ffi_hard_test_def(FF_HARD_EXACT, form, FF_HARD_DIRECT);
  ffi_hard_result result;
  memset(c->problem.impulse, 0, (size_t)c->problem.rows * sizeof(double));
  ffi_hard_solve(&def, &c->problem, c->memory, &result);
  return result;
}

static void must_hold(ffi_hard_case *c, ffi_hard_result result, const char *what)
{
  const double violation = ffi_hard_violation(c, 1e-6, 1e-6);
  printf("%-22s %4d rows: %3d iterations, residual %.2g, %.2g of the tolerance\n", what, c->problem.rows,
         result.iterations, result.residual, violation);
  assert_true(result.converged);
  assert_true(violation <= honest);
}

static void pits_and_stacks_converge(void **state)
{
  (void)state;
  static const double frictions[] = {0, 0.3, 0.5, 1};
  static world w;
  for (int i = 0; i < 8; ++i) {
    ffi_random random = ffi_random_seed((uint64_t)(70000 + i));
    fill_pit(&w, 4, 3 + i % 2, &random);
    ffi_hard_case *c = make(&w, frictions[i / 2], &random);
    must_hold(c, solve(c, FF_HARD_FORM_AUTO), "a pit");
    ffi_hard_case_destroy(c);
  }
  for (int boxes = 5; boxes <= 40; boxes *= 2) {
    ffi_random random = ffi_random_seed((uint64_t)(71000 + boxes));
    w = (world){.bodies = boxes, .mass = 1, .inertia = 1.0 / 6};
    pile_up(&w, 0, boxes);
    ffi_hard_case *c = make(&w, 0.8, &random);
    must_hold(c, solve(c, FF_HARD_FORM_AUTO), "a stack");
    ffi_hard_case_destroy(c);
  }
}

// Without friction end velocities are unique, and two answers within the tolerances differ by no more than docs/theory/hard-solvers.md (6).
static void sparse_and_dense_end_alike(void **state)
{
  (void)state;
  static world w;
  for (int i = 0; i < 4; ++i) {
    ffi_random random = ffi_random_seed((uint64_t)(72000 + i));
    fill_pit(&w, 3, 2, &random); // 198 rows: above 200 the dense form begins with sweeps
    ffi_hard_case *c = make(&w, 0, &random);
    const int nv = c->problem.nv, rows = c->problem.rows;
    assert_true(rows <= FFI_HARD_DENSE_ROWS);
    double *u = malloc((size_t)nv * sizeof *u), *Lambda = malloc((size_t)rows * sizeof *u),
           *xi = malloc((size_t)rows * sizeof *u);
    must_hold(c, solve(c, FF_HARD_FORM_VELOCITY), "sparse");
    memcpy(u, c->problem.u, (size_t)nv * sizeof *u);
    memcpy(Lambda, c->problem.impulse, (size_t)rows * sizeof *u);
    memcpy(xi, c->problem.xi, (size_t)rows * sizeof *u);
    must_hold(c, solve(c, FF_HARD_FORM_IMPULSE), "dense");
    double apart = 0, bound = 0;
    for (int v = 0; v < nv; ++v)
      apart += c->M[v * nv + v] * (u[v] - c->problem.u[v]) * (u[v] - c->problem.u[v]);
    for (int k = 2; k < rows; k += 3) {
      const double t = 1e-6 * (1 + fmax(fabs(Lambda[k]), fabs(c->problem.impulse[k])));
      double G = 0;
      for (int v = 0; v < nv; ++v)
        G += c->W[k * nv + v] * c->W[k * nv + v] / c->M[v * nv + v];
      bound += 2 * t * (G * fabs(Lambda[k] - c->problem.impulse[k]) + fabs(xi[k] - c->problem.xi[k]));
    }
    printf("apart by %.3g m/s sqrt(kg), allowed %.3g\n", sqrt(apart), sqrt(bound));
    assert_true(apart <= bound * (1 + 1e-9) + 1e-24);
    free(u);
    free(Lambda);
    free(xi);
    ffi_hard_case_destroy(c);
  }
}

// Stacks beside each other: each gets the impulses that it gets alone, bit for bit.
static void islands_are_solved_as_if_alone(void **state)
{
  (void)state;
  static const int boxes[] = {1, 6, 2, 8, 3, 1, 7, 4};
  enum { STACKS = 8 };
  static world all;
  all = (world){.mass = 1, .inertia = 1.0 / 6};
  int first[STACKS], contact[STACKS];
  for (int s = 0; s < STACKS; ++s) {
    first[s] = all.bodies;
    contact[s] = all.count;
    pile_up(&all, all.bodies, boxes[s]);
    all.bodies += boxes[s];
  }
  ffi_random random = ffi_random_seed(73000);
  ffi_hard_case *together = make(&all, 0.6, &random);
  must_hold(together, solve(together, FF_HARD_FORM_AUTO), "eight stacks");
  for (int s = 0; s < STACKS; ++s) {
    static world one;
    one = (world){.bodies = boxes[s], .mass = 1, .inertia = 1.0 / 6};
    pile_up(&one, 0, boxes[s]);
    ffi_hard_case *alone = make(&one, 0.6, &random);
    memcpy((double *)(uintptr_t)alone->problem.u_free, together->problem.u_free + 6 * first[s],
           (size_t)alone->problem.nv * sizeof(double));
    must_hold(alone, solve(alone, FF_HARD_FORM_AUTO), "one alone");
    assert_memory_equal(alone->problem.impulse, together->problem.impulse + 3 * contact[s],
                        (size_t)alone->problem.rows * sizeof(double));
    assert_memory_equal(alone->problem.u, together->problem.u + 6 * first[s],
                        (size_t)alone->problem.nv * sizeof(double));
    ffi_hard_case_destroy(alone);
  }
  ffi_hard_case_destroy(together);
}

// The same start gives the same bits, whatever the memory was used for between.
static void nothing_lingers(void **state)
{
  (void)state;
  static world w;
  ffi_random random = ffi_random_seed(74000);
  fill_pit(&w, 4, 3, &random);
  ffi_hard_case *c = make(&w, 0.5, &random);
  const size_t bytes = (size_t)c->problem.rows * sizeof(double);
  double *once = malloc(bytes);
  (void)solve(c, FF_HARD_FORM_AUTO);
  memcpy(once, c->problem.impulse, bytes);
  const int count = c->problem.block_count, rows = c->problem.rows;
  c->problem.block_count = count / 2; // something else, in the same memory
  c->problem.rows = 3 * (count / 2);
  (void)solve(c, FF_HARD_FORM_AUTO);
  c->problem.block_count = count;
  c->problem.rows = rows;
  (void)solve(c, FF_HARD_FORM_AUTO);
  assert_memory_equal(once, c->problem.impulse, bytes);
  free(once);
  ffi_hard_case_destroy(c);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(pits_and_stacks_converge),
      cmocka_unit_test(sparse_and_dense_end_alike),
      cmocka_unit_test(islands_are_solved_as_if_alone),
      cmocka_unit_test(nothing_lingers),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
