// Where a step first passes a limit. With FF_ESS_LOCATE that is the first root of all, by the samples of ode/roots.h. For bands it is told already that there is something to be found,
// and an edge need not be found to rounding.
#include "ode/ode_ess.h"

#include <float.h>
#include <math.h>
#include <string.h>

// How far the guards in h_trial are beyond their limits: the largest excess, in widths where there are widths. is_root: one that is beyond has no width, so
// that its time is wanted to rounding.
static double excess(const ff_ess *e, const double *h, int *is_root)
{
  double most = -HUGE_VAL;
  *is_root = 0;
  for (int k = 0; k < e->system.guards; ++k) {
    const double beyond = h[k] - e->limit[k];
    const int is_band = e->limit[k] < 0;
    *is_root |= beyond > 0 && !is_band;
    const double scaled = is_band ? beyond / e->width[k] : beyond;
    if (scaled > most)
      most = scaled;
  }
  return most;
}

static void evaluate(ff_ess *e, double t)
{
  ffi_dopri5_at(&e->ode, t, e->x_trial);
  e->system.guard(e->x_trial, e->h_trial, e->system.user);
}

// The guards at t. At the ends of the step they are known.
static const double *values(ff_ess *e, double t)
{
  if (t == e->ode.from)
    return e->h;
  if (t == e->ode.to)
    return e->h_other;
  evaluate(e, t);
  return e->h_trial;
}

int ffi_ode_ess_locate_exceeds(ff_ess *e, double t)
{
  int is_root;
  evaluate(e, t);
  return excess(e, e->h_trial, &is_root) > 0;
}

// The largest excess over all guards is continuous in time, and the Illinois method needs no more. A band is entered where the excess is within a twentieth of its
// width, and the middle of that is aimed at, so that one trial will do as a rule; a root is enclosed to rounding.
double ffi_ode_ess_locate_excess(ff_ess *e, double from, double to)
{
  const double enough = 0.05;
  int is_root, is_root_below;
  double a = from, fa = fmin(excess(e, values(e, from), &is_root_below), 0);
  double b = to, fb = excess(e, values(e, to), &is_root), at_b = fb, last = a;
  for (int i = 0, side = 0; i < 200; ++i) {
    if (!is_root && at_b <= enough)
      break;
    if (b - a <= 2 * DBL_EPSILON * fabs(b))
      break;
    const double aim = is_root ? 0 : 0.5 * enough;
    double t = fb > fa && i < 60 ? b - (b - a) * ((fb - aim) / (fb - fa)) : 0.5 * (a + b);
    if (!(t > a && t < b))
      t = 0.5 * (a + b);
    if (!(t > a && t < b))
      break;
    evaluate(e, t);
    last = t;
    int is_root_here;
    const double f = excess(e, e->h_trial, &is_root_here);
    if (f > 0) {
      b = t;
      fb = at_b = f;
      is_root = is_root_here;
      fa *= side > 0 ? 0.5 : 1;
      side = 1;
    } else {
      a = t;
      fa = f;
      fb *= side < 0 ? 0.5 : 1;
      side = -1;
    }
  }
  if (last != b)
    evaluate(e, b);
  return b;
}

// ---- Roots ------------------------------------------------------------------------------------------------

// How guards begin a step: those that are to rise are below, but for rounding. Those that have to be seen below first are above, or at zero and have to leave it.
static void see_sides(ff_ess *e)
{
  ffi_roots *r = &e->roots;
  memcpy(r->value, e->h, (size_t)r->guards * sizeof *r->value);
  ffi_roots_begin(r);
  for (int k = 0; k < r->guards; ++k) {
    e->direction[k] = e->stage[k] == FFI_ODE_ESS_CROSSED ? FFI_ROOTS_IGNORE : 1;
    if (e->limit[k] <= 0)
      r->side[k] = -1;
    else if (r->side[k] < 0)
      r->side[k] = 0;
  }
}

int ffi_ode_ess_locate_rise(ff_ess *e, double to, double *t)
{
  see_sides(e);
  const int rises = ffi_roots_find(&e->roots, e->ode.from, to, t);
  memcpy(e->h_trial, e->roots.value, (size_t)e->roots.guards * sizeof *e->h_trial);
  return rises;
}
