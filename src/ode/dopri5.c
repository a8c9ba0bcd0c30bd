// Dormand and Prince's steps: stages, error estimate, interpolant, step length. ode.md, sections 1 to 3
#include "ode/dopri5.h"

#include "base/fail.h"
#include "ode/step_control.h"

#include <float.h>
#include <math.h>
#include <string.h>

void ffi_dopri5_layout(ffi_dopri5 *d, ffi_block *block)
{
  const size_t n = (size_t)d->size, m = (size_t)d->tangent;
  d->x = ffi_block_take(block, n, sizeof *d->x);
  d->x_from = ffi_block_take(block, n, sizeof *d->x_from);
  d->trial_x = ffi_block_take(block, n, sizeof *d->trial_x);
  d->trial_d = ffi_block_take(block, m, sizeof *d->trial_d);
  d->velocity = ffi_block_take(block, m, sizeof *d->velocity);
  for (int i = 0; i < FFI_DOPRI5_STAGES; ++i)
    d->slope[i] = ffi_block_take(block, m, sizeof **d->slope);
  for (int i = 0; i < 4; ++i)
    d->dense[i] = ffi_block_take(block, m, sizeof **d->dense);
}

void ffi_dopri5_begin(ffi_dopri5 *d, double t, const double *x)
{
  d->info = (ff_ode_info){0};
  d->h = d->first_step;
  d->log_error = ffi_step_control_first_log_error;
  ffi_dopri5_go_on(d, t, x);
  d->from = d->to = t;
  memcpy(d->x_from, d->x, (size_t)d->size * sizeof *d->x);
  for (int i = 0; i < 4; ++i)
    memset(d->dense[i], 0, (size_t)d->tangent * sizeof **d->dense);
}

void ffi_dopri5_go_on(ffi_dopri5 *d, double t, const double *x)
{
  d->t = t;
  if (x != d->x)
    memcpy(d->x, x, (size_t)d->size * sizeof *x);
  d->has_slope = 0;
}

// ---- One trial --------------------------------------------------------------------------------------------

// The slope at stage s on a manifold: of the displacement trial_d, whose state becomes trial_x (ode.md, eq. 1). 0:
// there is none.
static int curved_slope(ffi_dopri5 *d, int s, double t)
{
  double *velocity = d->pull ? d->velocity : d->slope[s];
  d->retract(d->x, d->trial_d, d->trial_x, d->user);
  if (d->rate(t, d->trial_x, velocity, d->user) != 0 || !ffi_dopri5_all_finite(d->tangent, velocity))
    return 0;
  if (!d->pull)
    return 1;
  d->pull(d->x, d->trial_d, velocity, d->slope[s], d->user);
  return ffi_dopri5_all_finite(d->tangent, d->slope[s]);
}

static inline int slope(ffi_dopri5 *d, int s, double t)
{
  ++d->info.evaluations;
  if (d->retract)
    return curved_slope(d, s, t);
  return d->rate(t, d->trial_x, d->slope[s], d->user) == 0 && ffi_dopri5_all_finite(d->tangent, d->slope[s]);
}

// Number i of trial_d, and of the state where states are vectors.
static inline void displace(const ffi_dopri5 *d, int i, double step)
{
  d->trial_d[i] = step;
  if (!d->retract)
    d->trial_x[i] = d->x[i] + step;
}

// The slopes of one step from (t, x) to t_to; trial_x and trial_d are then its end. 0: a rate was refused. Dormand
// and Prince's tableau, Hairer table II.5.2.
static int stages(ffi_dopri5 *d, double h, double t_to)
{
  const double *a = d->slope[0], *b = d->slope[1], *c = d->slope[2], *e = d->slope[3], *f = d->slope[4],
               *g = d->slope[5];
  const int n = d->tangent;
  for (int i = 0; i < n; ++i)
    displace(d, i, h * (1. / 5 * a[i]));
  if (!slope(d, 1, d->t + 1. / 5 * h))
    return 0;
  for (int i = 0; i < n; ++i)
    displace(d, i, h * (3. / 40 * a[i] + 9. / 40 * b[i]));
  if (!slope(d, 2, d->t + 3. / 10 * h))
    return 0;
  for (int i = 0; i < n; ++i)
    displace(d, i, h * (44. / 45 * a[i] - 56. / 15 * b[i] + 32. / 9 * c[i]));
  if (!slope(d, 3, d->t + 4. / 5 * h))
    return 0;
  for (int i = 0; i < n; ++i)
    displace(d, i,
             h * (19372. / 6561 * a[i] - 25360. / 2187 * b[i] + 64448. / 6561 * c[i] - 212. / 729 * e[i]));
  if (!slope(d, 4, d->t + 8. / 9 * h))
    return 0;
  for (int i = 0; i < n; ++i)
    displace(d, i,
             h * (9017. / 3168 * a[i] - 355. / 33 * b[i] + 46732. / 5247 * c[i] + 49. / 176 * e[i] -
                  5103. / 18656 * f[i]));
  if (!slope(d, 5, t_to))
    return 0;
  for (int i = 0; i < n; ++i)
    displace(d, i,
             h * (35. / 384 * a[i] + 500. / 1113 * c[i] + 125. / 192 * e[i] - 2187. / 6784 * f[i] +
                  11. / 84 * g[i]));
  return slope(d, 6, t_to);
}

// Allowed error of number i, from |x| at the ends of the step.                              ode.md, eq. 2
static inline double allowed(const ffi_dopri5 *d, int i)
{
  if (d->retract)
    return d->absolute_tolerance + d->relative_tolerance;
  const double a = fabs(d->x[i]), b = fabs(d->trial_x[i]);
  return d->absolute_tolerance + d->relative_tolerance * (a > b ? a : b);
}

// The largest error over the allowed one; infinite if the end is not finite.                ode.md, eq. 2
static double error_of(const ffi_dopri5 *d, double h)
{
  const double *a = d->slope[0], *c = d->slope[2], *e = d->slope[3], *f = d->slope[4], *g = d->slope[5],
               *last = d->slope[6];
  double worst = 0;
  for (int i = 0; i < d->tangent; ++i) {
    const double error = 71. / 57600 * a[i] - 71. / 16695 * c[i] + 71. / 1920 * e[i] -
                         17253. / 339200 * f[i] + 22. / 525 * g[i] - 1. / 40 * last[i];
    const double ratio = fabs(h * error) / allowed(d, i);
    if (!(ratio <= worst))
      worst = ratio;
    if (!(worst < HUGE_VAL)) // not a number counts as too large
      return HUGE_VAL;
  }
  return ffi_dopri5_all_finite(d->size, d->trial_x) ? worst : HUGE_VAL;
}

// ---- The accepted step ------------------------------------------------------------------------------------

// The interpolant of order 4, in displacements: Hairer II.6, (6.12), nested as in Hairer's code, so that its ends are
// exact.
static void interpolate(ffi_dopri5 *d, double h)
{
  const double *a = d->slope[0], *c = d->slope[2], *e = d->slope[3], *f = d->slope[4], *g = d->slope[5],
               *last = d->slope[6];
  const double *whole = d->trial_d;
  double *p = d->dense[0], *q = d->dense[1], *r = d->dense[2], *s = d->dense[3];
  for (int i = 0; i < d->tangent; ++i) {
    const double bend = h * a[i] - whole[i];
    p[i] = whole[i];
    q[i] = bend;
    r[i] = whole[i] - h * last[i] - bend;
    s[i] = h * (-12715105075. / 11282082432 * a[i] + 87487479700. / 32700410799 * c[i] -
                10690763975. / 1880347072 * e[i] + 701980252875. / 199316789632 * f[i] -
                1453857185. / 822651844 * g[i] + 69997945. / 29380423 * last[i]);
  }
}

static void accept(ffi_dopri5 *d, double h, double t_to)
{
  interpolate(d, h);
  double **last = d->pull ? &d->velocity : &d->slope[FFI_DOPRI5_STAGES - 1];
  double *swapped = d->slope[0];
  d->slope[0] = *last;
  *last = swapped;
  memcpy(d->x_from, d->x, (size_t)d->size * sizeof *d->x);
  memcpy(d->x, d->trial_x, (size_t)d->size * sizeof *d->x);
  d->from = d->t;
  d->t = d->to = t_to;
  ++d->info.steps;
  d->info.last_step = fabs(h);
}

void ffi_dopri5_at(const ffi_dopri5 *d, double t, double *x)
{
  const double length = d->to - d->from;
  const double s = length != 0 ? (t - d->from) / length : 0, r = 1 - s;
  double *out = d->retract ? d->trial_d : x;
  for (int i = 0; i < d->tangent; ++i)
    out[i] = s * (d->dense[0][i] + r * (d->dense[1][i] + s * (d->dense[2][i] + r * d->dense[3][i])));
  if (d->retract) {
    d->retract(d->x_from, d->trial_d, x, d->user);
    return;
  }
  for (int i = 0; i < d->size; ++i)
    x[i] += d->x_from[i];
}

void ffi_dopri5_cut(ffi_dopri5 *d, double t)
{
  ffi_dopri5_at(d, t, d->trial_x);
  ffi_dopri5_go_on(d, t, d->trial_x);
  d->info.last_step = fabs(t - d->from);
}

// ---- How long ---------------------------------------------------------------------------------------------

// A first length, Hairer II.4: an Euler step of it would change the state by a hundredth, and its change of slope
// fits the tolerances. At most `most`.
static double first_length(ffi_dopri5 *d, double sign, double most)
{
  double state = 0, speed = 0, bend = 0;
  memcpy(d->trial_x, d->x, (size_t)d->size * sizeof *d->x); // for allowed()
  for (int i = 0; i < d->tangent; ++i) {
    const double scale = allowed(d, i);
    state = fmax(state, (d->retract ? 1 : fabs(d->x[i])) / scale);
    speed = fmax(speed, fabs(d->slope[0][i]) / scale);
  }
  double h = state < 1e-5 || speed < 1e-5 ? 1e-6 : 0.01 * (state / speed);
  h = fmin(h, most);
  for (int i = 0; i < d->tangent; ++i)
    displace(d, i, sign * h * d->slope[0][i]);
  if (!slope(d, 1, d->t + sign * h))
    return 0.1 * h; // the step finds out
  for (int i = 0; i < d->tangent; ++i)
    bend = fmax(bend, fabs(d->slope[1][i] - d->slope[0][i]) / (h * allowed(d, i)));
  const double largest = fmax(speed, bend);
  const double fits = largest <= 1e-15 ? fmax(1e-6, 1e-3 * h) : pow(0.01 / largest, 0.2);
  return fmin(fmin(100 * h, fits), most);
}

// Hairer's constants for this pair.
static const ffi_step_control control = {.inverse_order = 0.2, .beta = 0.04};

// The length of the next trial: as wanted, unless that leaves less than a hundredth of it before t_end.
static double clipped(const ffi_dopri5 *d, double left)
{
  const double stretch = d->fixed_step > 0 ? 1e-6 : d->max_step > 0 && d->h >= d->max_step ? 1e-6 : 0.01;
  return left <= d->h * (1 + stretch) ? left : d->h;
}

static ff_status no_step(ffi_dopri5 *d, double h, int is_lost, ff_error *error)
{
  d->h = d->first_step;
  if (d->fixed_step > 0)
    return ffi_fail(error, FF_ERROR_NUMERIC, NULL, 0, "ode",
                    "at t = %g the rate cannot be computed, or the state is not finite, within a step of %g",
                    d->t, h);
  if (is_lost)
    return ffi_fail(
        error, FF_ERROR_NUMERIC, NULL, 0, "ode",
        "at t = %g the rate cannot be computed, or the state is not finite, however short the step", d->t);
  return ffi_fail(error, FF_ERROR_NUMERIC, NULL, 0, "ode",
                  "at t = %g steps have become too short (%g) and their error is still above the tolerances",
                  d->t, h);
}

// The slope at the beginning and a length to try, where these are not known yet.
static ff_status prepare(ffi_dopri5 *d, double sign, double left, ff_error *error)
{
  if (!d->has_slope) {
    ++d->info.evaluations;
    if (d->rate(d->t, d->x, d->slope[0], d->user) != 0 || !ffi_dopri5_all_finite(d->tangent, d->slope[0]))
      return ffi_fail(error, FF_ERROR_NUMERIC, NULL, 0, "ode",
                      "at t = %g the rate cannot be computed, or is not finite", d->t);
    d->has_slope = 1;
  }
  if (d->fixed_step > 0)
    d->h = d->fixed_step;
  else if (!(d->h > 0))
    d->h = first_length(d, sign, d->max_step > 0 ? fmin(left, d->max_step) : left);
  if (d->max_step > 0 && d->h > d->max_step)
    d->h = d->max_step;
  return FF_OK;
}

// The wanted length of the next step after one of length h with this error. Hairer II.4, PI control
static void wish(ffi_dopri5 *d, double h, double log_error, int was_rejected)
{
  const double change = ffi_step_control_factor(&control, d->log_error, log_error);
  const double next = h * (was_rejected ? fmin(change, 1) : change);
  if (h < 0.99 * d->h) { // cut by t_end: says little about the wanted length
    d->h = fmax(d->h, next);
    return;
  }
  d->h = next;
  d->log_error = fmax(log_error, ffi_step_control_first_log_error);
}

ff_status ffi_dopri5_step(ffi_dopri5 *d, double t_end, ff_error *error)
{
  const double sign = t_end > d->t ? 1 : -1, left = fabs(t_end - d->t);
  if (left == 0)
    return FF_OK;
  const ff_status status = prepare(d, sign, left, error);
  if (status != FF_OK)
    return status;
  int is_lost = 0;
  for (int rejected = 0;; ++rejected) {
    const double length = clipped(d, left), t_to = length == left ? t_end : d->t + sign * length;
    const double h = t_to - d->t;
    if (h == 0 || (rejected > 0 && length < 16 * DBL_EPSILON * fabs(d->t)))
      return no_step(d, length, is_lost, error);
    double ratio = HUGE_VAL;
    if (stages(d, h, t_to))
      ratio =
          d->fixed_step > 0 ? (ffi_dopri5_all_finite(d->size, d->trial_x) ? 0 : HUGE_VAL) : error_of(d, h);
    if (ratio <= 1) {
      accept(d, h, t_to);
      if (d->fixed_step <= 0)
        wish(d, length, log(ratio > 1e-12 ? ratio : 1e-12), rejected > 0);
      return FF_OK;
    }
    ++d->info.rejected;
    is_lost = !(ratio < HUGE_VAL);
    if (d->fixed_step > 0 || (is_lost && length < 1e-100))
      return no_step(d, length, 1, error);
    // As Hairer II.4, without the memory of the step before.
    d->h = length * (is_lost ? 0.1 : ffi_step_control_factor_rejected(&control, log(ratio)));
  }
}
