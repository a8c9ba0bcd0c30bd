#include "step/frozen_sweep.h"

#include "step/frozen_case.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

enum { FORESTS = 24 };

static double largest(const ffi_frozen_gap *g)
{
  return fmax(g->velocity, fmax(g->mean, g->double_mean));
}

// The same interval again with slopes, as a corrector does it: same factors, same sub-steps.
static void solve_with_ramps(ffi_frozen_rig *r, const ffi_frozen_case *c, double tolerance,
                             ffi_frozen_quality *q)
{
  ffi_frozen_truth truth;
  r->frozen.f1 = c->f1;
  for (int b = 0; b < c->blocks; ++b)
    memcpy(r->frozen.block[b].c1, c->c1[b], sizeof c->c1[b]);
  ffi_frozen_again(&r->frozen, c->h);
  if (!ffi_frozen_case_solve(r, c, 1, 0, &truth))
    return;
  const ffi_frozen_gap gap = ffi_frozen_case_gap(r, c, &truth);
  ++q->ramps;
  q->off_ramp += fmax(gap.velocity, gap.mean) > 4 * tolerance;
}

static void add_system(ffi_frozen_rig *r, int number, double tolerance, ffi_frozen_quality *q)
{
  static ffi_frozen_case c;
  ffi_frozen_truth truth;
  ffi_frozen_case_random(r, (uint64_t)number, &c);
  ffi_frozen_solve(&r->frozen, c.h);
  assert_true(r->frozen.capped || r->frozen.error <= tolerance);
  for (int k = 0; k < r->frozen.n; ++k)
    assert_true(isfinite(r->frozen.delta_v[k]) && isfinite(r->frozen.delta_x[k]));
  if (!ffi_frozen_case_solve(r, &c, 0, 0, &truth))
    return;
  const ffi_frozen_gap gap = ffi_frozen_case_gap(r, &c, &truth);
  if (r->frozen.capped) {
    ++q->capped;
    assert_true(r->frozen.substeps * 2 > r->frozen.max_substeps);
    if (c.slides == 0)
      q->worst_capped = fmax(q->worst_capped, gap.velocity);
    return;
  }
  ++q->count;
  q->off += fmax(gap.velocity, gap.mean) > 4 * tolerance;
  q->worst = fmax(q->worst, largest(&gap) / tolerance);
  if (number % 4 == 0)
    solve_with_ramps(r, &c, tolerance, q);
}

ffi_frozen_quality ffi_frozen_sweep(double tolerance, int max_substeps, int first, int count)
{
  ffi_frozen_rig *rig[FORESTS];
  ffi_frozen_quality q = {0};
  for (int f = 0; f < FORESTS; ++f)
    rig[f] = ffi_frozen_rig_create(f, FF_EXPONENTIAL_AUTO, tolerance, max_substeps);
  for (int i = first; i < first + count; ++i)
    add_system(rig[i % FORESTS], i, tolerance, &q);
  for (int f = 0; f < FORESTS; ++f)
    ffi_frozen_rig_destroy(rig[f]);
  print_message(
      "tolerance %.0e, %2d sub-steps: of %d, %d are off by more than 4 times, worst %.1f times; with ramps %d of %d; "
      "%d capped, worst %.2g of the velocity\n",
      tolerance, max_substeps, q.count, q.off, q.worst, q.off_ramp, q.ramps, q.capped, q.worst_capped);
  assert_true(q.count > count / 4 && q.off * 100 <= q.count &&
              q.worst * tolerance < fmax(300 * tolerance, 1e-5));
  assert_true(q.ramps > count / 20 && q.off_ramp * 50 <= q.ramps);
  assert_true(q.worst_capped < 10);
  return q;
}
