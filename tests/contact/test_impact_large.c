// slow: under sanitizers. The impact map of many bodies, of islands, and of problems with a given G: results are
// checked from the mass matrix on, by support/hard_laws.c.
#include "support/hard_world.h"
#include "support/impact_case.h"
#include "support/near.h"
#include "support/samples.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const double honest = 1 + 1e-3; // rounding, as in test_impact_random.c

static ff_impact_def by(ff_impact_law law)
{
  ff_impact_def def = ff_impact_def_default();
  def.law = law;
  return def;
}

static void must_hold(ffi_hard_case *c, const char *what)
{
  const ff_impact_def def = ff_impact_def_default();
  const ffi_hard_result result = ffi_impact_run(&def, c, NULL);
  ffi_impact_state_law(c, FFI_HARD_LAW_CONE, 0);
  const double violation = ffi_hard_violation(c, def.relative_tolerance, def.absolute_tolerance);
  ffi_impact_state_law(c, FFI_HARD_LAW_CONTACT, 0);
  printf("%-12s %4d rows: %3d iterations, %.2g of the tolerance\n", what, c->problem.rows, result.iterations,
         violation);
  assert_true(result.converged);
  assert_true(violation <= honest);
}

// Up to 600 rows dense factors may help in the end; the larger ones have sweeps and sparse factors only.
static void pits_and_stacks_are_solved(void **state)
{
  (void)state;
  static ffi_hard_world w;
  for (int i = 0; i < 3; ++i) {
    ffi_random random = ffi_random_seed((uint64_t)80000 + (uint64_t)i);
    ffi_hard_world_pit(&w, 4, 3 + i % 2, &random);
    ffi_hard_case *c = ffi_hard_world_case(&w, (double[]){0, 0.5, 1}[i], &random);
    must_hold(c, "a pit");
    ffi_hard_case_destroy(c);
  }
  for (int boxes = 5; boxes <= 60; boxes += 55) {
    ffi_random random = ffi_random_seed((uint64_t)81000 + (uint64_t)boxes);
    w = (ffi_hard_world){.bodies = boxes, .mass = 1, .inertia = 1.0 / 6};
    ffi_hard_world_pile(&w, 0, boxes);
    ffi_hard_case *c = ffi_hard_world_case(&w, 0.8, &random);
    must_hold(c, "a stack");
    ffi_hard_case_destroy(c);
  }
}

// Beyond 600 rows the bound is judged, not enforced: who says converged is within it.
static void a_large_bound_is_told_honestly(void **state)
{
  (void)state;
  static ffi_hard_world w;
  int said[2] = {0};
  for (int i = 0; i < 2; ++i) {
    ffi_random random = ffi_random_seed((uint64_t)84000 + (uint64_t)i);
    w = (ffi_hard_world){.bodies = 55, .mass = 1, .inertia = 1.0 / 6};
    ffi_hard_world_pile(&w, 0, w.bodies);
    ffi_hard_case *c = ffi_hard_world_case(&w, i ? 0.8 : 0, &random);
    for (int body = 0; body < w.bodies; ++body) // the whole stack slides
      ((double *)(uintptr_t)c->problem.u_free)[6 * body] += 1;
    assert_true(c->problem.rows > FFI_HARD_DENSE_ROWS);
    const ff_impact_def def = by(FF_IMPACT_BOUNDED);
    double kappa = 0, sum = 0;
    said[i] = ffi_impact_run(&def, c, NULL).converged;
    for (int k = 2; k < c->problem.rows; k += 3)
      sum += c->problem.xi[k];
    for (int k = 0; k < c->problem.block_count; ++k)
      c->problem.block[k].mu = 0;
    const ff_impact_def least = by(FF_IMPACT_DISSIPATION);
    assert_true(ffi_impact_run(&least, c, NULL).converged);
    for (int k = 2; k < c->problem.rows; k += 3)
      kappa += c->problem.xi[k];
    printf("mu %g: opens %.4g m/s in all, kappa %.4g, converged %d\n", i ? 0.8 : 0., sum, kappa, said[i]);
    assert_true(said[i] ? sum <= kappa + 1e-3 : sum > kappa + 1e-3);
    ffi_hard_case_destroy(c);
  }
  assert_true(said[0] && !said[1]); // without friction there is nothing to hold back
}

// Stacks side by side give the same bits as each alone; so do Poisson's second impacts, and kappa is each island's own.
static void islands_are_solved_as_if_alone(void **state)
{
  (void)state;
  static const int boxes[] = {1, 4, 2, 3};
  enum { STACKS = 4, CONTACTS = 40 };
  static ffi_hard_world all, one;
  const double bounce[CONTACTS] = {0.5, 0.1, 0.3, 0.9, 0.5, 0.1, 0.3, 0.9, 0.5, 0.1, 0.3, 0.9};
  for (int law = 0; law < FF_IMPACT_LAW_COUNT; ++law) {
    ff_impact_def def = by((ff_impact_law)law);
    def.bounce = FF_IMPACT_POISSON;
    int first = 0, contact = 0;
    all = (ffi_hard_world){.mass = 1, .inertia = 1.0 / 6};
    for (int s = 0; s < STACKS; ++s) {
      ffi_hard_world_pile(&all, all.bodies, boxes[s]);
      all.bodies += boxes[s];
    }
    ffi_random random = ffi_random_seed(82000);
    ffi_hard_case *together = ffi_hard_world_case(&all, 0.6, &random);
    assert_true(ffi_impact_run(&def, together, bounce).converged);
    for (int s = 0; s < STACKS; ++s) {
      one = (ffi_hard_world){.bodies = boxes[s], .mass = 1, .inertia = 1.0 / 6};
      ffi_hard_world_pile(&one, 0, boxes[s]);
      ffi_hard_case *alone = ffi_hard_world_case(&one, 0.6, &random);
      memcpy((double *)(uintptr_t)alone->problem.u_free, together->problem.u_free + 6 * first,
             (size_t)alone->problem.nv * sizeof(double));
      assert_true(ffi_impact_run(&def, alone, bounce + contact).converged);
      assert_memory_equal(alone->problem.impulse, together->problem.impulse + 3 * contact,
                          (size_t)alone->problem.rows * sizeof(double));
      assert_memory_equal(alone->problem.u, together->problem.u + 6 * first,
                          (size_t)alone->problem.nv * sizeof(double));
      first += boxes[s];
      contact += 4 * boxes[s];
      ffi_hard_case_destroy(alone);
    }
    ffi_hard_case_destroy(together);
  }
}

// ---- G given ----------------------------------------------------------------------------------------------

// The same problem with G as a matrix (kind 1) or as a list of its blocks (2). The velocities of all three must agree;
// impulses of redundant contacts need not.
static void give_matrix(ffi_hard_case *c, int kind, double *G, ffi_hard_link *link)
{
  ffi_hard *p = &c->problem;
  p->link = NULL;
  p->G = NULL;
  p->G_stride = p->rows;
  p->link_count = 0;
  for (int a = 0; kind == 2 && a < p->block_count; ++a)
    for (int b = 0; b <= a; ++b) {
      ffi_hard_link *to = &link[p->link_count++];
      *to = (ffi_hard_link){.a = a, .b = b};
      for (int i = 0; i < p->block[a].rows; ++i)
        for (int j = 0; j < p->block[b].rows; ++j)
          to->G[6 * i + j] = G[(p->block[a].row + i) * p->rows + p->block[b].row + j];
    }
  if (kind == 1)
    p->G = G;
  if (kind == 2)
    p->link = link;
}

static void forms_agree(void **state)
{
  (void)state;
  ffi_margin gap = {.what = "xi, given and not", .tolerance = 1e-5}; // T = 1e-9 of impulses to 1e3, G to 10
  for (int i = 0; i < ffi_samples(90); ++i) {
    ffi_random random = ffi_random_seed((uint64_t)83000 + (uint64_t)i);
    ffi_hard_case *c = ffi_impact_case_create((ffi_hard_family)(i % HARD_FAMILIES), 0.7, 10, i % 2, &random);
    ffi_hard *p = &c->problem;
    const size_t rows = (size_t)p->rows, blocks = (size_t)p->block_count;
    double *xi = ffi_hard_room(rows, sizeof *xi), *G, *rest, *bounce = ffi_hard_room(blocks, sizeof *bounce);
    ffi_hard_link *link = ffi_hard_room(blocks * (blocks + 1) / 2, sizeof *link);
    const double *softness = p->softness;
    ffi_impact_matrix(c, &G, &rest);
    for (int k = 0; k < p->rows; ++k)
      G[k * p->rows + k] -= softness[k];
    for (int k = 0; k < p->block_count; ++k)
      bounce[k] = 0.25 * (k % 4);
    ff_impact_def def = by(i % 3 ? FF_IMPACT_DISSIPATION : FF_IMPACT_BOUNDED);
    def.bounce = i % 4 > 1 && def.law == FF_IMPACT_DISSIPATION ? FF_IMPACT_POISSON : FF_IMPACT_NEWTON;
    def.relative_tolerance = def.absolute_tolerance = def.law == FF_IMPACT_BOUNDED ? 1e-6 : 1e-9;
    // Poisson's needs impulses, which redundant contacts share in many ways
    if (def.bounce == FF_IMPACT_POISSON && i % HARD_FAMILIES != HARD_TREE)
      def.bounce = FF_IMPACT_NEWTON;
    for (int kind = 0; kind < 3; ++kind) {
      give_matrix(c, kind, G, link);
      memset(p->impulse, 0, rows * sizeof *p->impulse);
      p->u[0] = 12345;
      assert_true(ffi_impact_run(&def, c, bounce).converged);
      assert_true(kind == 0 || p->u[0] == 12345); // left alone
      if (kind == 0)
        memcpy(xi, p->xi, rows * sizeof *xi);
      else if (def.law == FF_IMPACT_DISSIPATION)
        ffi_margin_add(&gap, ffi_gap(p->rows, p->xi, xi), i);
    }
    free(xi);
    free(G);
    free(rest);
    free(bounce);
    free(link);
    ffi_hard_case_destroy(c);
  }
  ffi_margin_check(&gap);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(pits_and_stacks_are_solved),
      cmocka_unit_test(a_large_bound_is_told_honestly),
      cmocka_unit_test(islands_are_solved_as_if_alone),
      cmocka_unit_test(forms_agree),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
