// Planar mechanisms: nothing moves a contact across the plane, so one row of friction has no effect (or, with tangents
// at an angle, a combination of two). "exact" solves them like those in space: stacks of boxes, two contacts a face.
#include "support/hard_problems.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MOST = 20, EACH = 60 };

typedef struct body_point {
  int body;
  double x, z, sign;
} body_point;

// Velocity of the body's point at (x, z) along the plane's two axes: x' = vx + w z, z' = vz - w x.
static void put_point(ffi_hard_case *c, const ffi_hard_block *block, double angle, body_point p)
{
  const int nv = c->problem.nv;
  double *W = c->W + block->row * nv + 3 * p.body;
  for (int i = 0; i < 2;
       ++i) { // tangents turned by `angle` about the normal: the plane's axis has a share in both
    const double share = p.sign * (i == 0 ? cos(angle) : -sin(angle));
    W[i * nv] += share;
    W[i * nv + 2] += share * p.z;
  }
  W[2 * nv + 1] += p.sign;
  W[2 * nv + 2] -= p.sign * p.x;
}

// Boxes on each other on the ground, u_S at random, a hundredth of a second of gravity, one restitution for all.
static ffi_hard_case *make_stack(int bodies, double ratio, double angle, ffi_random *random)
{
  int rows[2 * MOST];
  for (int k = 0; k < 2 * bodies; ++k)
    rows[k] = 3;
  ffi_hard_case *c = ffi_hard_case_begin(3 * bodies, 2 * bodies, rows);
  const int nv = c->problem.nv;
  double *u = (double *)(uintptr_t)c->problem.u_free, *b = (double *)(uintptr_t)c->problem.b;
  for (int i = 0; i < bodies; ++i) {
    const double mass = pow(ratio, ffi_random_between(random, -0.5, 0.5));
    for (int k = 0; k < 3; ++k)
      c->M[(3 * i + k) * nv + 3 * i + k] = k < 2 ? mass : mass / 6;
    for (int side = 0; side < 2; ++side) {
      ffi_hard_block *block = &c->problem.block[2 * i + side];
      block->law = FFI_HARD_LAW_CONTACT;
      block->mu = ffi_random_between(random, 0.1, 1);
      put_point(c, block, angle, (body_point){i, side - 0.5, -0.5, 1});
      if (i > 0)
        put_point(c, block, angle, (body_point){i - 1, side - 0.5, 0.5, -1});
    }
  }
  const double restitution = ffi_random_chance(random, 0.5) ? 0 : ffi_random_between(random, 0, 1);
  ffi_random_vector(random, nv, ffi_random_chance(random, 0.5) ? 0 : 0.3, u);
  for (int i = 0; i < c->problem.rows; ++i)
    for (int v = 0; v < nv; ++v)
      b[i] += restitution * c->W[i * nv + v] * u[v];
  for (int i = 0; i < bodies; ++i)
    u[3 * i + 1] -= 0.0981;
  ffi_hard_case_finish(c);
  return c;
}

// Of each cell of 60: all with mass ratios up to 10^3; one may be unsolved at 10^6, as for stacks in space
// (test_hard_random.c).
static void check_cell(int bodies, double ratio, double angle, ff_hard_form form)
{
  int converged = 0;
  for (int i = 0; i < EACH; ++i) {
    ffi_random random = ffi_random_seed((uint64_t)(1000 * bodies + i));
    ffi_hard_case *c = make_stack(bodies, ratio, angle, &random);
    const ff_moreau_def def = ffi_hard_test_def(FF_HARD_EXACT, form, FF_HARD_DIRECT);
    ffi_hard_result result;
    ffi_hard_solve(&def, &c->problem, c->memory, &result);
    converged += result.converged;
    if (result.converged) // 1e-3: xi summed in another order
      assert_true(ffi_hard_violation(c, def.relative_tolerance, def.absolute_tolerance) <= 1 + 1e-3);
    ffi_hard_case_destroy(c);
  }
  printf("%2d boxes, mass ratio %5g, tangents at %.1f, form %-8s: %d of %d converged\n", bodies, ratio, angle,
         ff_hard_form_name(form), converged, EACH);
  assert_true(converged >= (ratio > 1e3 ? EACH - 1 : EACH));
}

static void with_tangents_at(double angle)
{
  static const int bodies[] = {1, 3, 6, MOST};
  static const double ratios[] = {1, 1e3, 1e6};
  for (int n = 0; n < 4; ++n)
    for (int r = 0; r < 3 - (bodies[n] == MOST); ++r) {
      check_cell(bodies[n], ratios[r], angle, FF_HARD_FORM_AUTO); // dense up to 48 rows, then by blocks
      if (bodies[n] < MOST)
        check_cell(bodies[n], ratios[r], angle, FF_HARD_FORM_VELOCITY); // by blocks
    }
}

static void one_tangent_is_without_effect(void **state)
{
  (void)state;
  with_tangents_at(0);
  with_tangents_at(acos(-1) / 2);
}

static void both_tangents_are_one(void **state)
{
  (void)state;
  with_tangents_at(0.7);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(one_tangent_is_without_effect),
      cmocka_unit_test(both_tangents_are_one),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
