// Hard contact against Siconos, which solves the same problem (Signorini, Coulomb's disc) by methods and code of its
// own: the same velocities.
//
// With friction the velocities need not be unique: a face on four corners leaves open how they share the load, hence
// how much friction each may give. Where the two differ, the other solution is put to the laws: if it satisfies them,
// there are two, and nobody is wrong. These are counted; without friction, and where contacts do not share a face,
// there must be hardly any.
#include "support/hard_problems.h"
#include "support/near.h"

#include <siconos/numerics/FrictionContactProblem.h>
#include <siconos/numerics/Friction_cst.h>
#include <siconos/numerics/NonSmoothDrivers.h>
#include <siconos/numerics/NumericsMatrix.h>
#include <siconos/numerics/SiconosNumerics.h>
#include <siconos/numerics/SolverOptions.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// Siconos keeps some of what it allocates in a solve; under LeakSanitizer that is not our leak.
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
  return "leak:libsiconos_numerics\n";
}

static const double tight = 1e-10; // T_abs, T_rel and Siconos' own, which is relative too

// Siconos orders a contact's rows n, t1, t2 and matrices by columns.
static int theirs(int row)
{
  return row / 3 * 3 + (row % 3 + 1) % 3;
}

// Siconos' impulses into c->problem.impulse; 0 if it did not converge.
static int solve_theirs(ffi_hard_case *c, int solver)
{
  const int n = c->problem.rows, nv = c->problem.nv, contacts = c->problem.block_count;
  double *G = calloc((size_t)(n * n), sizeof *G), *q = calloc((size_t)n, sizeof *q),
         *mu = calloc((size_t)contacts, sizeof *mu);
  double *reaction = calloc((size_t)n, sizeof *reaction), *velocity = calloc((size_t)n, sizeof *velocity);
  double *y = calloc((size_t)nv, sizeof *y);
  for (int j = 0; j < n; ++j) {
    memcpy(y, c->W + j * nv, (size_t)nv * sizeof *y);
    ffi_hard_solve_mass(c, y);
    q[theirs(j)] = c->problem.b[j];
    for (int v = 0; v < nv; ++v)
      q[theirs(j)] += c->W[j * nv + v] * c->problem.u_free[v];
    for (int i = 0; i < n; ++i)
      for (int v = 0; v < nv; ++v)
        G[theirs(j) * n + theirs(i)] += c->W[i * nv + v] * y[v];
  }
  for (int k = 0; k < contacts; ++k)
    mu[k] = c->problem.block[k].mu;
  NumericsMatrix *M = NM_create_from_data(NM_DENSE, n, n, G);
  FrictionContactProblem *problem = frictionContactProblem_new_with_data(3, contacts, M, q, mu);
  SolverOptions *options = solver_options_create(solver);
  options->dparam[SICONOS_DPARAM_TOL] = tight;
  options->iparam[SICONOS_IPARAM_MAX_ITER] = 3000;
  const int status = fc3d_driver(problem, reaction, velocity, options);
  for (int i = 0; i < n; ++i)
    c->problem.impulse[i] = reaction[theirs(i)];
  solver_options_delete(options);
  free(options);
  frictionContactProblem_free(problem); // and G, q, mu
  free(reaction);
  free(velocity);
  free(y);
  return status == 0;
}

// sqrt(d' M d) over sqrt(u' M u) of where it began: what part of the motion differs.
static double difference(const ffi_hard_case *c, const double *u, const double *other)
{
  const int nv = c->problem.nv;
  double square = 0, scale = 0;
  for (int i = 0; i < nv; ++i)
    for (int j = 0; j < nv; ++j) {
      square += (u[i] - other[i]) * c->M[i * nv + j] * (u[j] - other[j]);
      scale += c->problem.u_free[i] * c->M[i * nv + j] * c->problem.u_free[j];
    }
  return sqrt(fmax(square, 0) / scale);
}

typedef struct tally {
  int compared, same, other_solution, unsolved_there, unsolved_here;
  double worst; // of the same
} tally;

// Both are right to `tight` in impulses of about m |u|; velocities are then right to its root at worst (the energy of
// the difference is bounded by residual times impulse), 1e-5; G's smallest eigenvalues decide what is between.
static const double same_motion = 1e-5;

static void compare(ffi_hard_case *c, int solver, tally *t, int seed)
{
  const int nv = c->problem.nv;
  double *u = calloc((size_t)nv, sizeof *u), *other = calloc((size_t)nv, sizeof *other),
         *xi = calloc((size_t)c->problem.rows, sizeof *xi);
  ff_moreau_def def = ffi_hard_test_def(FF_HARD_EXACT, FF_HARD_FORM_AUTO, FF_HARD_DIRECT);
  def.relative_tolerance = def.absolute_tolerance = tight;
  ffi_hard_result result;
  ffi_hard_solve(&def, &c->problem, c->memory, &result);
  memcpy(u, c->problem.u, (size_t)nv * sizeof *u);
  const int is_theirs = solve_theirs(c, solver);
  t->unsolved_here += !result.converged;
  t->unsolved_there += !is_theirs;
  if (result.converged && is_theirs) {
    ffi_hard_velocities(c, other, xi);
    const double gap = difference(c, u, other);
    ++t->compared;
    if (gap <= same_motion) {
      ++t->same;
      t->worst = fmax(t->worst, gap);
    } else {
      const double violation = ffi_hard_violation(c, 100 * tight, 100 * tight);
      if (!(violation <= 1 && c->mu != 0))
        fail_msg("seed %d: motions differ by %g, and theirs violates the laws by %g tolerances", seed, gap,
                 violation);
      ++t->other_solution;
    }
  }
  free(u);
  free(other);
  free(xi);
}

static void run(ffi_hard_family family, double mu, double ratio, int solver, int count)
{
  tally t = {0};
  for (int i = 0; i < count; ++i) {
    const int seed = 1000 * (int)family + i;
    ffi_random random = ffi_random_seed((uint64_t)seed);
    ffi_hard_case *c = ffi_hard_case_create(family, mu, ratio, &random);
    compare(c, solver, &t, seed);
    ffi_hard_case_destroy(c);
  }
  printf(
      "%-6s mu %4g mass ratio %4g: %d compared, %d the same (within %.1e), %d with two solutions; unsolved: here "
      "%d, there %d\n",
      ffi_hard_family_name(family), mu, ratio, t.compared, t.same, t.worst, t.other_solution, t.unsolved_here,
      t.unsolved_there);
  assert_true(t.compared >= count / 2); // or it shows nothing
  assert_true(t.unsolved_here <= count / 50);
  assert_true((family == HARD_LOOSE ? 50 : 5) * t.other_solution <= t.compared);
}

static void the_same_velocities(void **state)
{
  (void)state;
  const ffi_hard_family families[] = {HARD_LOOSE, HARD_STACK, HARD_PLATE};
  for (int f = 0; f < 3; ++f) { // their Gauss-Seidel needs thousands of sweeps for a stack
    const int count = families[f] == HARD_STACK ? 25 : 60;
    run(families[f], 0, 1, SICONOS_FRICTION_3D_NSGS, count);
    run(families[f], 0.3, 1, SICONOS_FRICTION_3D_NSGS, count);
    run(families[f], 0.8, 10, SICONOS_FRICTION_3D_NSGS, count);
  }
  run(HARD_LOOSE, 0.3, 10, SICONOS_FRICTION_3D_NSN_AC, 60);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(the_same_velocities)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
