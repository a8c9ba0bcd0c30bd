#include "step/frozen/frozen_sweep.h"

#include "step/frozen/frozen_case.h"
#include "support/samples.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

enum { FORESTS = 24 };

// By how much an error exceeds what is allowed; the tolerance alone, or with rounding where that shows.
static int is_within(const ffi_frozen_gap *g, double allowed, int may_round)
{
  return g->velocity <= allowed + (may_round ? g->floor_velocity : 0) &&
         fmax(g->mean, g->double_mean) <= allowed + (may_round ? g->floor_mean : 0);
}

static double error_of(const ffi_frozen_gap *g)
{
  return fmax(g->velocity, g->mean);
}

static void assert_within(const ffi_frozen_gap *g, int number, double tolerance, const char *what)
{
  if (is_within(g, tolerance, tolerance < 5e-7))
    return;
  fail_msg("system %d%s: velocity off by %.3g, mean force by %.3g, tolerance %.0e (rounding %.2g, %.2g)",
           number, what, g->velocity, g->mean, tolerance, g->floor_velocity, g->floor_mean);
}

// What it reports is a bound, and a tight one where nothing slides.
static void check_bound(const ffi_frozen *z, const ffi_frozen_gap *g, int number, int slides,
                        ffi_frozen_quality *q)
{
  if (!is_within(g, z->error, 1))
    fail_msg("system %d: velocity off by %.3g, mean force by %.3g, bound %.3g (rounding %.2g, %.2g)", number,
             g->velocity, g->mean, z->error, g->floor_velocity, g->floor_mean);
  if (!slides && error_of(g) > 1e3 * fmax(g->floor_velocity, g->floor_mean))
    q->tightest = fmin(q->tightest, z->error / error_of(g));
  if (!slides && !(g->reached <= 1))
    fail_msg("system %d: it reaches %.3g times what springs can give", number, g->reached);
}

// Capped and sliding: what it reports is a bound for the motion of any law, and errors cannot be beyond all measure.
static void check_capped_slide(const ffi_frozen *z, const ffi_frozen_gap *g, int number,
                               ffi_frozen_quality *q)
{
  const double error = error_of(g), rounding = fmax(g->floor_velocity, g->floor_mean);
  ++q->capped_slides;
  q->worst_slide = fmax(q->worst_slide, error);
  if (!(error <= z->error + rounding) || !(error <= g->limit + rounding) || !(z->error < INFINITY))
    fail_msg(
        "system %d slides and is capped: velocity off by %.3g, mean force by %.3g, bound %.3g, limit %.3g",
        number, g->velocity, g->mean, z->error, g->limit);
}

// The same interval again with slopes, as a corrector does it: same factors, same sub-steps.
static void solve_with_ramps(ffi_frozen_rig *r, const ffi_frozen_case *c, int number, double tolerance,
                             ffi_frozen_quality *q)
{
  ffi_frozen_truth truth;
  r->frozen.f1 = c->f1;
  for (int b = 0; b < c->blocks; ++b)
    memcpy(r->frozen.block[b].c1, c->c1[b], sizeof c->c1[b]);
  ffi_frozen_solve_again(&r->frozen, c->h);
  if (!ffi_frozen_case_solve(r, c, 1, &truth))
    return;
  const ffi_frozen_gap gap = ffi_frozen_case_gap(r, c, &truth);
  if (r->frozen.capped) { // a runaway by its ramps
    assert_true(c->slides > 0);
    check_capped_slide(&r->frozen, &gap, number, q);
    return;
  }
  ++q->ramps;
  q->worst_ramp = fmax(q->worst_ramp, error_of(&gap) / tolerance);
  assert_within(&gap, number, tolerance, " with ramps");
}

// Some have a damper without spring.
static void take_a_spring_away(ffi_frozen_rig *r, const ffi_frozen_case *c)
{
  ffi_frozen_block *b = r->frozen.block;
  if (c->blocks == 0 || c->slides > 0 || !(b->B > 0))
    return;
  b->K = 0;
  ffi_frozen_prepare(&r->system, &r->frozen, &r->at);
}

static void add_system(ffi_frozen_rig *r, int number, double tolerance, ffi_frozen_quality *q)
{
  static ffi_frozen_case c;
  ffi_frozen_truth truth;
  ffi_frozen_case_random(r, (uint64_t)number, &c);
  if (number % 16 == 5)
    take_a_spring_away(r, &c);
  ffi_frozen_solve(&r->frozen, c.h);
  q->substeps += r->frozen.substeps;
  assert_true(r->frozen.capped || r->frozen.error <= tolerance);
  for (int k = 0; k < r->frozen.n; ++k)
    assert_true(isfinite(r->frozen.delta_v[k]) && isfinite(r->frozen.delta_x[k]));
  if (!ffi_frozen_case_solve(r, &c, 0, &truth)) {
    ++q->unknown;
    assert_true(c.slides > 0 && r->frozen.capped);
    return;
  }
  const ffi_frozen_gap gap = ffi_frozen_case_gap(r, &c, &truth);
  q->grows += truth.grows;
  if (r->frozen.capped) {
    ++q->capped;
    assert_true(truth.grows || r->frozen.substeps * 2 > r->frozen.max_substeps);
    if (c.slides > 0)
      check_capped_slide(&r->frozen, &gap, number, q);
    else
      check_bound(&r->frozen, &gap, number, 0, q);
    return;
  }
  if (truth.grows && !is_within(&gap, tolerance, 1)) {
    ++q->hidden;
    return;
  }
  check_bound(&r->frozen, &gap, number, c.slides > 0, q);
  ++q->count;
  q->rounded += error_of(&gap) > tolerance;
  q->worst = fmax(q->worst, error_of(&gap) / tolerance);
  assert_within(&gap, number, tolerance, "");
  if (number % 4 == 0)
    solve_with_ramps(r, &c, number, tolerance, q);
}

ffi_frozen_quality ffi_frozen_sweep(double tolerance, int max_substeps, int first, int count)
{
  ffi_frozen_rig *rig[FORESTS];
  ffi_frozen_quality q = {.tightest = INFINITY};
  for (int f = 0; f < FORESTS; ++f)
    rig[f] = ffi_frozen_rig_create(f, FF_EXPONENTIAL_AUTO, tolerance, max_substeps);
  for (int i = first; i < first + count; ++i)
    add_system(rig[i % FORESTS], i, tolerance, &q);
  for (int f = 0; f < FORESTS; ++f)
    ffi_frozen_rig_destroy(rig[f]);
  q.substeps /= count;
  print_message(
      "tolerance %.0e, up to %2d sub-steps, %.2f taken: of %d none is off by more than the tolerance, worst "
      "%.2f times (%d by rounding), %.2f times with ramps; %d capped, %d of them slide and are off by up to %.2f; %d "
      "grow, %d beyond all numbers, %d unseen; bounds are %.3f times the error or more\n",
      tolerance, max_substeps, q.substeps, q.count, q.worst, q.rounded, q.worst_ramp, q.capped,
      q.capped_slides, q.worst_slide, q.grows, q.unknown, q.hidden, q.tightest);
  assert_true(q.count > count / 4 && q.ramps > count / 20);
  assert_true(q.grows < count / 50 || !ffi_samples_are_usual());
  const int is_usual = ffi_samples_are_usual();
  assert_true(
      q.hidden <=
      (is_usual
           ? 1
           : 2 + count / 10000)); // friction-fed oscillations far faster than the step: two in all of 10^5
  assert_true(q.capped_slides > count / 50);
  assert_true(q.tightest < 2 || !is_usual); // else the systems are too tame to show anything
  return q;
}
