// Interpolation on the curves of error over speed.
#include "papers/expo/expo_paper_curves.h"

#include <math.h>
#include <string.h>

double bench_expo_paper_curves_error(const ff_comparison *c, int i)
{
  const ff_local_error *l = &c->common[i];
  return l->failures == 0 && isfinite(l->max_norm.mean)
             ? fmax(l->max_norm.mean, c->common_solution->tolerance_mean)
             : INFINITY;
}

// `name` NULL: with any options.
static int is_of(const ff_comparison *c, int i, ff_stepper stepper, const char *name)
{
  const ff_scheme *s = &c->common[i].scheme;
  return s->stepper == stepper && (!name || strcmp(s->name, name) == 0);
}

// Whether i and i + 1 are two valid points of one curve.
static int is_piece(const ff_comparison *c, int i)
{
  return i + 1 < c->count && strcmp(c->common[i].scheme.name, c->common[i + 1].scheme.name) == 0 &&
         isfinite(bench_expo_paper_curves_error(c, i)) && isfinite(bench_expo_paper_curves_error(c, i + 1));
}

// On the line through (log x0, log y0) and (log x1, log y1).
static double between(double x0, double y0, double x1, double y1, double x)
{
  return exp(log(y0) + (log(y1) - log(y0)) * (log(x) - log(x0)) / (log(x1) - log(x0)));
}

double bench_expo_paper_curves_best_error(const ff_comparison *c, ff_stepper stepper, const char *name,
                                          double speed)
{
  double best = INFINITY;
  for (int i = 0; i < c->count; ++i) {
    if (!is_of(c, i, stepper, name))
      continue;
    const double fast = c->common[i].speed;
    if (fast >= speed)
      best = fmin(best, bench_expo_paper_curves_error(c, i));
    if (is_piece(c, i) && (fast - speed) * (c->common[i + 1].speed - speed) < 0)
      best = fmin(best, between(fast, bench_expo_paper_curves_error(c, i), c->common[i + 1].speed,
                                bench_expo_paper_curves_error(c, i + 1), speed));
  }
  return best;
}

double bench_expo_paper_curves_best_speed(const ff_comparison *c, ff_stepper stepper, const char *name,
                                          double error)
{
  double best = 0;
  for (int i = 0; i < c->count; ++i) {
    if (!is_of(c, i, stepper, name))
      continue;
    const double own = bench_expo_paper_curves_error(c, i);
    if (own <= error && isfinite(own))
      best = fmax(best, c->common[i].speed);
    if (is_piece(c, i) && (own - error) * (bench_expo_paper_curves_error(c, i + 1) - error) < 0)
      best = fmax(best, between(own, c->common[i].speed, bench_expo_paper_curves_error(c, i + 1),
                                c->common[i + 1].speed, error));
  }
  return best;
}

int bench_expo_paper_curves_best(const ff_comparison *c, ff_stepper stepper, const char *name, double speed)
{
  int best = -1;
  for (int i = 0; i < c->count; ++i)
    if (is_of(c, i, stepper, name) && c->common[i].speed >= speed &&
        isfinite(bench_expo_paper_curves_error(c, i)) &&
        (best < 0 || bench_expo_paper_curves_error(c, i) < bench_expo_paper_curves_error(c, best)))
      best = i;
  return best;
}
