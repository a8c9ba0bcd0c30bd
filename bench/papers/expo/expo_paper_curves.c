// Interpolation on the curves of error over speed.
#include "papers/expo/expo_paper_curves.h"

#include "common/claim.h"

#include <math.h>
#include <string.h>

static const ff_local_error *point(const bench_expo_paper_curves *c, int i)
{
  return c->is_own ? &c->comparison->own[i] : &c->comparison->common[i];
}

double bench_expo_paper_curves_error(const bench_expo_paper_curves *c, int i)
{
  const ff_local_error *l = point(c, i);
  if (l->failures > 0 || !isfinite(l->max_norm.mean) ||
      c->comparison->trial->period / l->substeps < c->finest * (1 - 1e-9))
    return INFINITY;
  return c->is_own ? l->max_norm.mean
                   : fmax(l->max_norm.mean, c->comparison->common_solution->tolerance_mean);
}

double bench_expo_paper_curves_speed(const bench_expo_paper_curves *c, int i)
{
  const ff_local_error *l = ff_comparison_timed(c->comparison, i);
  return c->is_slow ? 1 / bench_claim_slower(1 / l->speed, 1 / l->slower) : l->speed;
}

double bench_expo_paper_curves_common_step(const ff_comparison *c)
{
  double longest = 0;
  for (int i = 0; i < c->count; ++i)
    if (i + 1 == c->count || strcmp(c->common[i].scheme.name, c->common[i + 1].scheme.name) != 0)
      longest = fmax(longest, c->trial->period / c->common[i].substeps);
  return longest;
}

static int is_of(const bench_expo_paper_curves *c, int i, bench_expo_paper_curves_scheme scheme)
{
  const ff_scheme *s = &point(c, i)->scheme;
  return s->stepper == scheme.stepper && (!scheme.name || strcmp(s->name, scheme.name) == 0);
}

// Whether i and i + 1 are two valid points of one curve.
static int is_piece(const bench_expo_paper_curves *c, int i)
{
  return i + 1 < c->comparison->count &&
         strcmp(point(c, i)->scheme.name, point(c, i + 1)->scheme.name) == 0 &&
         isfinite(bench_expo_paper_curves_error(c, i)) && isfinite(bench_expo_paper_curves_error(c, i + 1));
}

// On the line through (log x0, log y0) and (log x1, log y1).
static double between(double x0, double y0, double x1, double y1, double x)
{
  return exp(log(y0) + (log(y1) - log(y0)) * (log(x) - log(x0)) / (log(x1) - log(x0)));
}

double bench_expo_paper_curves_best_error(const bench_expo_paper_curves *c,
                                          bench_expo_paper_curves_scheme scheme, double speed)
{
  double best = INFINITY;
  for (int i = 0; i < c->comparison->count; ++i) {
    if (!is_of(c, i, scheme))
      continue;
    const double fast = bench_expo_paper_curves_speed(c, i);
    if (fast >= speed)
      best = fmin(best, bench_expo_paper_curves_error(c, i));
    if (is_piece(c, i) && (fast - speed) * (bench_expo_paper_curves_speed(c, i + 1) - speed) < 0)
      best = fmin(best,
                  between(fast, bench_expo_paper_curves_error(c, i), bench_expo_paper_curves_speed(c, i + 1),
                          bench_expo_paper_curves_error(c, i + 1), speed));
  }
  return best;
}

double bench_expo_paper_curves_best_speed(const bench_expo_paper_curves *c,
                                          bench_expo_paper_curves_scheme scheme, double error)
{
  double best = 0;
  for (int i = 0; i < c->comparison->count; ++i) {
    if (!is_of(c, i, scheme))
      continue;
    const double own = bench_expo_paper_curves_error(c, i), fast = bench_expo_paper_curves_speed(c, i);
    if (own <= error && isfinite(own))
      best = fmax(best, fast);
    if (is_piece(c, i) && (own - error) * (bench_expo_paper_curves_error(c, i + 1) - error) < 0)
      best = fmax(best, between(own, fast, bench_expo_paper_curves_error(c, i + 1),
                                bench_expo_paper_curves_speed(c, i + 1), error));
  }
  return best;
}

int bench_expo_paper_curves_best(const bench_expo_paper_curves *c, bench_expo_paper_curves_scheme scheme,
                                 double speed)
{
  int best = -1;
  for (int i = 0; i < c->comparison->count; ++i)
    if (is_of(c, i, scheme) && bench_expo_paper_curves_speed(c, i) >= speed &&
        isfinite(bench_expo_paper_curves_error(c, i)) &&
        (best < 0 || bench_expo_paper_curves_error(c, i) < bench_expo_paper_curves_error(c, best)))
      best = i;
  return best;
}
