// Poisson's restitution on random problems: nothing closes, nothing gains energy, whatever the epsilons; and a closed
// form without friction.
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

static double end_energy(const ffi_hard_case *c, double *closing)
{
  double *u = ffi_hard_room((size_t)c->problem.nv, sizeof *u),
         *xi = ffi_hard_room((size_t)c->problem.rows + 1, sizeof *xi);
  ffi_hard_velocities(c, u, xi);
  const double energy = ffi_impact_kinetic(c, u);
  for (int b = 0; b < c->problem.block_count; ++b)
    if (c->problem.block[b].law == FFI_HARD_LAW_CONTACT)
      *closing = fmax(*closing, -xi[c->problem.block[b].row + 2]);
  free(u);
  free(xi);
  return energy;
}

// Softness takes energy too, which is not kinetic: families without it.
static const ffi_hard_family families[] = {HARD_LOOSE, HARD_STACK, HARD_PLATE, HARD_JOINTS};

static void nothing_closes_and_nothing_gains_energy(void **state)
{
  (void)state;
  ffi_margin gain = {.what = "kinetic energy gained, of that before", .tolerance = 1e-8}, // T = 1e-9
      close = {.what = "closing after all [m/s]", .tolerance = 1e-5};
  int bounced = 0;
  for (int i = 0; i < 900; ++i) {
    ffi_random random = ffi_random_seed((uint64_t)95000 + (uint64_t)i);
    ffi_hard_case *c = ffi_impact_case_create(families[i % 4], (double[]){0, 0.3, 1, 10}[i / 4 % 4],
                                              (double[]){1, 100}[i / 16 % 2], 0, &random);
    ff_impact_def def = ff_impact_def_default();
    double bounce[128], closing = 0, lost;
    def.bounce = FF_IMPACT_POISSON;
    def.relative_tolerance = def.absolute_tolerance = 1e-9;
    for (int b = 0; b < c->problem.block_count; ++b)
      bounce[b] = i % 3 ? ffi_random_between(&random, 0, 1) : 1;
    const double before = ffi_impact_kinetic(c, c->problem.u_free);
    assert_true(ffi_impact_run(&def, c, NULL).converged);
    lost = before - end_energy(c, &closing);
    assert_true(ffi_impact_run(&def, c, bounce).converged);
    closing = 0;
    const double after = end_energy(c, &closing);
    bounced += after > before - lost + 1e-3 * lost;
    ffi_margin_add(&gain, fmax(after - before, 0) / before, i);
    ffi_margin_add(&close, fmax(closing, 0), i);
    ffi_hard_case_destroy(c);
  }
  ffi_margin_check(&gain);
  ffi_margin_check(&close);
  printf("%d of 900 have more energy than without restitution\n", bounced);
  assert_true(bounced > 300);
}

// Does anyone close when all impulses are (1 + epsilon) times what they are? xi then is (1 + epsilon) xi - epsilon c.
static int is_pushed(const ffi_hard_case *c, double epsilon)
{
  double *H, *rest;
  int pushed = 0;
  ffi_impact_matrix(c, &H, &rest);
  for (int i = 2; i < c->problem.rows; i += 3)
    pushed |= (1 + epsilon) * c->problem.xi[i] - epsilon * rest[i] < 0;
  free(H);
  free(rest);
  return pushed;
}

// Without friction and with one epsilon, epsilon^2 of the energy of compression comes back: exactly, since contacts
// that press do not open, unless a body is pushed into another one.
static void one_epsilon_gives_its_square_back(void **state)
{
  (void)state;
  ffi_margin share = {.what = "energy given back over epsilon^2 of that taken", .tolerance = 1e-6};
  for (int i = 0; i < 300; ++i) {
    ffi_random random = ffi_random_seed((uint64_t)97000 + (uint64_t)i);
    ffi_hard_case *c = ffi_impact_case_create(HARD_PLATE, 0, 1, 0, &random);
    ff_impact_def def = ff_impact_def_default();
    const double epsilon = ffi_random_between(&random, 0.2, 1),
                 before = ffi_impact_kinetic(c, c->problem.u_free);
    double bounce[128], closing = 0;
    def.bounce = FF_IMPACT_POISSON;
    def.relative_tolerance = def.absolute_tolerance = 1e-11;
    for (int b = 0; b < c->problem.block_count; ++b)
      bounce[b] = epsilon;
    assert_true(ffi_impact_run(&def, c, NULL).converged);
    const double least = end_energy(c, &closing);
    const int is_simple = before - least > 1e-6 * before && !is_pushed(c, epsilon);
    assert_true(ffi_impact_run(&def, c, bounce).converged);
    if (is_simple)
      ffi_margin_add(&share,
                     fabs((end_energy(c, &closing) - least) / (epsilon * epsilon * (before - least)) - 1), i);
    ffi_hard_case_destroy(c);
  }
  ffi_margin_check(&share);
  assert_true(share.count > 100);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(nothing_closes_and_nothing_gains_energy),
      cmocka_unit_test(one_epsilon_gives_its_square_back),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
