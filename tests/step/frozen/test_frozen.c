// The fast path of the frozen system, and its reference path, against an exponential of their own (frozen_case.h) over random systems: K from 1e2 to
// 1e9, no damping to a hundred times critical, redundant and empty rows, rows between two branches, sliding contacts, springs on joints.
#include "step/frozen/frozen_case.h"

#include "math/vec3.h"
#include "step/frozen/frozen_sweep.h"
#include "support/samples.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static void the_fast_path_meets_its_tolerance(void **state)
{
  (void)state;
  for (double tolerance = 1e-3; tolerance > 0.5e-8; tolerance /= 10)
    ffi_frozen_sweep(tolerance, 8, 0, 2000);
}

// The more sub-steps are allowed, the fewer systems are capped, and the error falls with the tolerance.
static void more_substeps_cap_less(void **state)
{
  (void)state;
  const ffi_frozen_quality one = ffi_frozen_sweep(1e-4, 1, 0, 1000),
                           many = ffi_frozen_sweep(1e-4, 64, 0, 1000);
  assert_true(many.capped < one.capped / 2 && many.capped > 0);
}

// The reference path is exact, for sliding contacts too: what is left is the rounding of two exponentials of a matrix of up to 1e5.
static void the_reference_path_is_exact(void **state)
{
  (void)state;
  enum { FORESTS = 12 };
  const int each = ffi_samples(100);
  ffi_frozen_case c;
  ffi_frozen_truth truth;
  ffi_frozen_gap worst = {0};
  int count = 0, slides = 0;
  for (int f = 0; f < FORESTS; ++f) {
    ffi_frozen_rig *r = ffi_frozen_rig_create(f, FF_EXPONENTIAL_EXACT, 1e-4, 8);
    for (int i = 0; i < each; ++i) {
      ff_error error;
      ffi_frozen_case_random(r, (uint64_t)(100 * f + i), &c);
      r->frozen.f1 = i % 2 ? c.f1 : NULL;
      for (int b = 0; b < c.blocks && i % 2; ++b)
        memcpy(r->frozen.block[b].c1, c.c1[b], sizeof c.c1[b]);
      const int is_known = ffi_frozen_case_solve(r, &c, i % 2, &truth);
      assert_int_equal(ffi_frozen_exact_solve(&r->system, &r->reference, &r->frozen, c.h, &error), FF_OK);
      if (!is_known)
        continue;
      const ffi_frozen_gap gap = ffi_frozen_case_gap(r, &c, &truth);
      worst.velocity = fmax(worst.velocity, gap.velocity);
      if (!(gap.velocity <= gap.floor_exact))
        fail_msg("system %d: velocity off by %.3g, rounding of forces that nearly cancel makes %.3g",
                 100 * f + i, gap.velocity, gap.floor_exact);
      if (!(fmax(gap.mean, gap.double_mean) <= gap.floor_forces))
        fail_msg("system %d: mean forces off by %.3g and %.3g, rounding makes %.3g", 100 * f + i, gap.mean,
                 gap.double_mean, gap.floor_forces);
      slides += c.slides > 0;
      worst.mean = fmax(worst.mean, gap.mean);
      worst.double_mean = fmax(worst.double_mean, gap.double_mean);
      worst.end = fmax(worst.end, gap.end);
      ++count;
    }
    ffi_frozen_rig_destroy(r);
  }
  print_message(
      "reference path, %d systems, %d slide: off by velocity %.2g, mean %.2g, double mean %.2g, end %.2g\n",
      count, slides, worst.velocity, worst.mean, worst.double_mean, worst.end);
  assert_true(count > 10 * each && slides > 3 * each);
  assert_true(worst.mean < 1e-8 && worst.double_mean < 1e-8 && worst.end < 1e-8);
}

// Sliding contacts as those with a slip flag are: friction along d, a damper of mu lambda_n over the speed across; or, of those that stop, the same damper both ways.
static void slide_by_flags(ffi_frozen_rig *r, uint64_t seed)
{
  ffi_frozen *z = &r->frozen;
  ffi_random random = ffi_random_seed(seed);
  z->slides = 0;
  for (int i = 0; i < z->block_count; ++i) {
    const ffi_frozen_block b = z->block[i];
    if (!b.slides)
      continue;
    const double force = ffi_random_between(&random, 1, 100),
                 speed = pow(10, ffi_random_between(&random, -3, 0));
    const int stops = ffi_random_chance(&random, 0.3);
    const double damper[2] = {stops ? b.mu * force / 1e-3 : 0, b.mu * force / (stops ? 1e-3 : speed)};
    ffi_frozen_slide_plain(z, &z->block[i], b.n, b.d, stops ? 0 : b.mu, damper);
  }
  ffi_frozen_prepare(&r->system, z, &r->at);
}

// Both paths against the oracle, with ramps in every other system; the fast one where it says that it met its tolerance.
static void contacts_slide_by_flags(void **state)
{
  (void)state;
  enum { FORESTS = 12 };
  const int each = ffi_samples(150);
  static const double tolerance = 1e-6;
  ffi_frozen_case c;
  ffi_frozen_truth truth;
  double worst[2] = {0};
  int count[2] = {0};
  for (int k = 0; k < 2 * FORESTS; ++k) {
    const int is_exact = k % 2;
    ffi_frozen_rig *r =
        ffi_frozen_rig_create(k / 2, is_exact ? FF_EXPONENTIAL_EXACT : FF_EXPONENTIAL_AUTO, tolerance, 64);
    for (int i = 0; i < each; ++i) {
      ff_error error;
      const int number = 50000 + 150 * k + i;
      ffi_frozen_case_random(r, (uint64_t)number, &c);
      if (c.slides == 0)
        continue;
      slide_by_flags(r, (uint64_t)number);
      r->frozen.f1 = i % 2 ? c.f1 : NULL;
      for (int b = 0; b < c.blocks && i % 2; ++b)
        memcpy(r->frozen.block[b].c1, c.c1[b], sizeof c.c1[b]);
      if (!ffi_frozen_case_solve(r, &c, i % 2, &truth) || truth.grows)
        continue; // friction that feeds on the force it makes
      if (is_exact)
        assert_int_equal(ffi_frozen_exact_solve(&r->system, &r->reference, &r->frozen, c.h, &error), FF_OK);
      else
        ffi_frozen_solve(&r->frozen, c.h);
      if (r->frozen.capped)
        continue;
      const ffi_frozen_gap gap = ffi_frozen_case_gap(r, &c, &truth);
      const double velocity = is_exact ? gap.floor_exact : tolerance + gap.floor_velocity,
                   forces = is_exact ? gap.floor_forces : tolerance + gap.floor_mean;
      worst[is_exact] = fmax(worst[is_exact], fmax(gap.velocity, gap.mean));
      if (!(gap.velocity <= velocity) || !(fmax(gap.mean, gap.double_mean) <= forces))
        fail_msg("system %d: velocity off by %.3g of %.3g, mean forces by %.3g and %.3g of %.3g", number,
                 gap.velocity, velocity, gap.mean, gap.double_mean, forces);
      ++count[is_exact];
    }
    ffi_frozen_rig_destroy(r);
  }
  print_message("by flags: fast path %d systems, off by %.2g; reference path %d, %.2g\n", count[0], worst[0],
                count[1], worst[1]);
  assert_true(3 * count[0] > 4 * each && 3 * count[1] > 4 * each);
}

// Contacts that share their stiffness among copies are one contact.
static void copies_of_a_block_are_one(void **state)
{
  (void)state;
  ffi_frozen_case c;
  double delta_v[FFI_CASE_NV], delta_x[FFI_CASE_NV];
  int count = 0;
  for (int f = 0; f < 12; ++f) {
    ffi_frozen_rig *r = ffi_frozen_rig_create(f, FF_EXPONENTIAL_AUTO, 1e-6, 8);
    ffi_frozen *z = &r->frozen;
    const size_t bytes = (size_t)z->n * sizeof(double);
    for (int i = 0; i < 50; ++i) {
      ffi_frozen_case_random(r, (uint64_t)(7000 + 50 * f + i), &c);
      if (c.blocks != 1 || c.slides != 0)
        continue;
      ffi_frozen_solve(z, c.h);
      memcpy(delta_v, z->delta_v, bytes);
      memcpy(delta_x, z->delta_x, bytes);
      const ffi_frozen_block one = z->block[0];
      const int joints = z->joint_count, substeps = z->substeps;
      z->tolerance = 0; // the same number of sub-steps: the bound of the error counts each copy
      z->max_substeps = substeps;
      ffi_frozen_begin(z);
      for (int k = 0; k < FFI_CASE_BLOCKS; ++k)
        ffi_frozen_add(z, one.rows, one.K / FFI_CASE_BLOCKS, one.B / FFI_CASE_BLOCKS, one.x, one.u, one.c);
      z->joint_count = joints; // still there
      z->f = c.f;
      ffi_frozen_prepare(&r->system, z, &r->at);
      ffi_frozen_solve(z, c.h);
      assert_int_equal(z->substeps, substeps);
      z->tolerance = 1e-6;
      z->max_substeps = 8;
      double size = z->gravity * c.h;
      for (int k = 0; k < z->n; ++k)
        size = fmax(size, fabs(delta_v[k]));
      for (int k = 0; k < z->n; ++k) {
        assert_true(fabs(z->delta_v[k] - delta_v[k]) < 1e-10 * size);
        assert_true(fabs(z->delta_x[k] - delta_x[k]) < 1e-10 * size * c.h);
      }
      for (int k = 0; k < FFI_CASE_BLOCKS; ++k)
        for (int w = 0; w < 3; ++w)
          assert_true(fabs(FFI_CASE_BLOCKS * z->block[k].mean[w] - one.mean[w]) <
                      1e-9 * (fabs(one.mean[w]) + one.K * ffi_v3_norm(one.x) + one.B * ffi_v3_norm(one.u)));
      ++count;
    }
    ffi_frozen_rig_destroy(r);
  }
  assert_true(count > 50);
}

// Nothing holds it: it falls.
static void without_springs_it_falls(void **state)
{
  (void)state;
  ffi_frozen_rig *r = ffi_frozen_rig_create(5, FF_EXPONENTIAL_AUTO, 1e-4, 8);
  ffi_frozen *z = &r->frozen;
  ffi_frozen_case c;
  ffi_frozen_truth truth;
  ffi_frozen_case_random(r, 1, &c);
  ffi_frozen_begin(z);
  z->f = c.f;
  z->f1 = c.f1;
  c.blocks = c.joints = c.slides = 0;
  ffi_frozen_prepare(&r->system, z, &r->at);
  ffi_frozen_solve(z, c.h);
  assert_true(ffi_frozen_case_solve(r, &c, 1, &truth));
  assert_int_equal(z->substeps, 1);
  assert_int_equal(z->capped, 0);
  for (int k = 0; k < z->n; ++k) {
    assert_true(fabs(z->delta_v[k] - truth.delta_v[k]) < 1e-11 * (1 + fabs(truth.delta_v[k])));
    assert_true(fabs(z->delta_x[k] - truth.delta_x[k]) < 1e-11 * c.h * (1 + fabs(truth.delta_v[k])));
  }
  ffi_frozen_rig_destroy(r);
}

// Springs that hold each other at rest, without gravity: only rounding moves, and it is no reason for sub-steps.
static void springs_that_balance_rest(void **state)
{
  (void)state;
  ffi_frozen_rig *r = ffi_frozen_rig_create(5, FF_EXPONENTIAL_AUTO, 1e-8, 8);
  ffi_frozen *z = &r->frozen;
  static ffi_frozen_case c;
  const double part[3] = {0.1, 0.2, -0.3}, none[3] = {0, 0, 0};
  double f[FFI_CASE_NV] = {0};
  int count = 0;
  for (int seed = 0; seed < 100; ++seed) {
    ffi_frozen_case_random(r, (uint64_t)seed, &c);
    if (c.blocks == 0)
      continue;
    ffi_frozen_begin(z);
    for (int i = 0; i < 3; ++i) {
      const double x[3] = {part[i] * 1e-3, part[i] * 3e-3, part[i] * 7e-3};
      ffi_frozen_add(z, &c.rows[0], 1e7, 1e3, x, none, none);
    }
    z->f = f;
    ffi_frozen_prepare(&r->system, z, &r->at);
    z->gravity = 0;
    ffi_frozen_solve(z, 0.01);
    assert_int_equal(z->capped, 0);
    assert_int_equal(z->substeps, 1);
    ++count;
  }
  assert_true(count > 50);
  ffi_frozen_rig_destroy(r);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_fast_path_meets_its_tolerance), cmocka_unit_test(more_substeps_cap_less),
      cmocka_unit_test(the_reference_path_is_exact),       cmocka_unit_test(contacts_slide_by_flags),
      cmocka_unit_test(copies_of_a_block_are_one),         cmocka_unit_test(without_springs_it_falls),
      cmocka_unit_test(springs_that_balance_rest),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
