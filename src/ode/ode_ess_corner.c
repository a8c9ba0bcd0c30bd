// Across guards that are crossed together.
//
// Near a point where guards are crossed together the field is piecewise constant to first order, one constant for every set of crossed guards (Burden et al. 2016, Council et al. 2022). A
// motion that is off by y meets the guards at other times and in its own order: those that y is ahead of, before. So it is followed in this constant field from guard to guard, each
// time to the one that it meets first, and then brought back to the time of the unperturbed motion. That takes one evaluation for every guard and vector,
// though there are r! orders. For one guard it is the saltation matrix, DR + (f+ - DR f-) Dh / (Dh f-).
#include "ode/ode_ess_tangent.h"

#include "base/fail.h"

#include <math.h>
#include <string.h>

// ---- Jumps ------------------------------------------------------------------------------------------------

// out := the displacement from x to y.
static void difference(const ff_ess_system *system, const double *x, const double *y, double *out)
{
  if (system->difference) {
    system->difference(x, y, out, system->user);
    return;
  }
  for (int i = 0; i < system->tangent; ++i)
    out[i] = y[i] - x[i];
}

static ff_status no_reset(int guard, double t, ff_error *error)
{
  return ffi_fail(error, FF_ERROR_NUMERIC, NULL, 0, "ess",
                  "at t = %g the reset of guard %d, or its slope, has no value", t, guard);
}

// The state after the jump if that before is moved by s y, and the time by s time.
static int jump_from(ffi_ode_ess_tangent *c, int guard, double t, const double *x, const signed char *side,
                     const double *y, double time, double s, double *out)
{
  const ff_ess_system *system = &c->base->system;
  for (int i = 0; i < system->tangent; ++i)
    c->d[i] = (system->retract ? 0 : x[i]) + s * y[i];
  if (system->retract)
    system->retract(x, c->d, c->x_at, system->user);
  else
    memcpy(c->x_at, c->d, (size_t)system->size * sizeof *x);
  return system->reset(guard, t + s * time, c->x_at, side, out, system->user);
}

static ff_status jump_by_differences(ffi_ode_ess_tangent *c, int guard, double t, const double *x,
                                     const signed char *side, const double *y, double time, double *out,
                                     ff_error *error)
{
  const ff_ess_system *system = &c->base->system;
  const int n = system->tangent;
  double s = ffi_ode_ess_tangent_difference(system->size, x, n, y);
  s = fmin(s, fabs(time) > 0 ? 6e-6 * fmax(1, fabs(t)) / fabs(time) : s);
  if (jump_from(c, guard, t, x, side, y, time, -s, c->x_minus) != 0 ||
      jump_from(c, guard, t, x, side, y, time, s, c->x_plus) != 0 ||
      system->reset(guard, t, x, side, c->x_at, system->user) != 0)
    return no_reset(guard, t, error);
  difference(system, c->x_at, c->x_minus, c->f_minus);
  difference(system, c->x_at, c->x_plus, c->f_plus);
  for (int i = 0; i < n; ++i)
    out[i] = (c->f_plus[i] - c->f_minus[i]) / (2 * s);
  return FF_OK;
}

ff_status ffi_ode_ess_corner_jump(ffi_ode_ess_tangent *c, int guard, double t, const double *x,
                                  const signed char *side, const double *y, double time, double *out,
                                  ff_error *error)
{
  const ff_ess_system *system = &c->base->system;
  const int n = system->tangent;
  if (!system->reset) {
    memmove(out, y, (size_t)n * sizeof *y);
    return FF_OK;
  }
  if (!system->reset_slope)
    return jump_by_differences(c, guard, t, x, side, y, time, out, error);
  memset(c->f_plus, 0, (size_t)n * sizeof *c->f_plus); // the part of the time: with a displacement of zero
  ff_status status = FF_OK;
  if (time != 0)
    status = jump_by_differences(c, guard, t, x, side, c->f_plus, time, c->f, error);
  else
    memset(c->f, 0, (size_t)n * sizeof *c->f);
  if (status != FF_OK)
    return status;
  if (system->reset_slope(guard, t, x, side, c->matrix, system->user) != 0)
    return no_reset(guard, t, error);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      c->f[i] += c->matrix[(size_t)i * (size_t)n + (size_t)j] * y[j];
  memcpy(out, c->f, (size_t)n * sizeof *out);
  return FF_OK;
}

// ---- Corners ----------------------------------------------------------------------------------------------

static ff_status field_at(ffi_ode_ess_tangent *c, const double *x, const signed char *side, double *f,
                          ff_error *error)
{
  const ff_ess_system *system = &c->base->system;
  if (system->field(c->t, x, side, f, system->user) == 0)
    return FF_OK;
  return ffi_fail(error, FF_ERROR_NUMERIC, NULL, 0, "ess",
                  "at t = %g there is no field on a side that a perturbed motion passes", c->t);
}

// Is guard k still to be crossed, and armed? What the paper's rule arms within a corner is once nothing else is left.
static int is_next(const ffi_ode_ess_tangent *c, int k)
{
  if (!c->is_left[k] || c->side_at[k] < 0)
    return c->is_left[k];
  for (int i = 0; i < c->crossed_count; ++i)
    if (c->is_left[c->crossed[i]] && c->side_at[c->crossed[i]] < 0)
      return 0;
  return 1;
}

static double largest(int n, const double *v)
{
  double most = 0;
  for (int i = 0; i < n; ++i)
    most = fmax(most, fabs(v[i]));
  return most;
}

// A guard that is armed within the corner, while y is beyond it, is left alone until it comes back: neighbours however near do not cross it. dt < 0 is how long ago y was at it; what y is long in f is
// the corner's unit of time, and 1e-7 of that is what rates by differences may be off by.
static ff_status check_armed_in_time(const ffi_ode_ess_tangent *c, const double *y, const double *f,
                                     int guard, double dt, ff_error *error)
{
  const int n = c->base->system.tangent;
  if (dt * largest(n, f) >= -1e-7 * largest(n, y))
    return FF_OK;
  return ffi_fail(
      error, FF_ERROR_NUMERIC, NULL, 0, "ess",
      "at t = %g guard %d is crossed as soon as another arms it, and a perturbed motion is beyond "
      "it by then: there is no derivative",
      c->t, guard);
}

// The guard that y meets first along the field f at x, and when.
static ff_status first_met(ffi_ode_ess_tangent *c, const double *x, const double *y, const double *f,
                           int *guard, double *dt, ff_error *error)
{
  *guard = -1;
  *dt = HUGE_VAL;
  ffi_ode_ess_evaluate_rates(c->base, x, y, c->rate_of_y);
  ffi_ode_ess_evaluate_rates(c->base, x, f, c->rate_of_f);
  for (int i = 0; i < c->crossed_count; ++i) {
    const int k = c->crossed[i];
    if (!is_next(c, k))
      continue;
    if (!(c->rate_of_f[k] > c->base->def.liveness))
      return ffi_fail(
          error, FF_ERROR_NUMERIC, NULL, 0, "ess",
          "at t = %g guard %d does not rise on a side that a perturbed motion passes: the system is not "
          "event-selected there, and has no derivative",
          c->t, k);
    const double after = -c->rate_of_y[k] / c->rate_of_f[k];
    if (after < *dt) {
      *dt = after;
      *guard = k;
    }
  }
  return FF_OK;
}

// y, before the corner, to y after it. corner_x is then where jumps have led to on its way.
static ff_status pass(ffi_ode_ess_tangent *c, double *y, ff_error *error)
{
  const ff_ess_system *system = &c->base->system;
  double *x = c->corner_x, *f = c->corner_f;
  const int n = system->tangent;
  double clock = 0;
  memcpy(x, c->x, (size_t)system->size * sizeof *x);
  memcpy(c->side_at, c->side, (size_t)system->guards);
  for (int i = 0; i < c->crossed_count; ++i)
    c->is_left[c->crossed[i]] = 1;
  ff_status status = field_at(c, x, c->side_at, f, error);
  for (int i = 0; i < c->crossed_count && status == FF_OK; ++i) {
    int guard;
    double dt;
    if ((status = first_met(c, x, y, f, &guard, &dt, error)) != FF_OK ||
        (i > 0 && (status = check_armed_in_time(c, y, f, guard, dt, error)) != FF_OK))
      break;
    clock += dt;
    for (int j = 0; j < n; ++j)
      y[j] += dt * f[j];
    if ((status = ffi_ode_ess_corner_jump(c, guard, c->t, x, c->side_at, y, clock, y, error)) != FF_OK)
      break;
    if (system->reset && system->reset(guard, c->t, x, c->side_at, c->corner_jump, system->user) != 0)
      return no_reset(guard, c->t, error);
    if (system->reset)
      memcpy(x, c->corner_jump, (size_t)system->size * sizeof *x);
    c->is_left[guard] = 0;
    ffi_ode_ess_cross_turn_sides(c->base, guard, c->side_at);
    const int is_last = i == c->crossed_count - 1; // and then the sides are those of the motion itself
    status = field_at(c, x, is_last ? c->joint->side : c->side_at, f, error);
  }
  for (int j = 0; j < n && status == FF_OK; ++j)
    y[j] -= clock * f[j];
  return status;
}

// Where jumps in another order lead elsewhere the flow has no derivative, as it is not continuous. What the motion itself does within `together` is no jump.
static ff_status check_end(const ffi_ode_ess_tangent *c, const double *x, ff_error *error)
{
  const ff_ess *joint = c->joint;
  double size = 1, speed = 0;
  for (int i = 0; i < c->base->system.size; ++i)
    size = fmax(size, fabs(x[i]));
  for (int i = 0; i < c->base->system.tangent; ++i)
    speed = fmax(speed, fabs(joint->ode.slope[0][i]));
  const double allowed = 1e-6 * size + 10 * speed * (joint->ode.t - c->t);
  for (int i = 0; i < c->base->system.size; ++i)
    if (!(fabs(x[i] - joint->ode.x[i]) <= allowed))
      return ffi_fail(error, FF_ERROR_NUMERIC, NULL, 0, "ess",
                      "at t = %g guard %d and others are crossed together, and their jumps lead elsewhere in "
                      "another order: there is no derivative",
                      c->t, c->crossed[0]);
  return FF_OK;
}

// A guard that is crossed twice together with others has no order.
static ff_status check_once(ffi_ode_ess_tangent *c, ff_error *error)
{
  const int guards = c->base->system.guards;
  memset(c->is_left, 0, (size_t)guards);
  for (int i = 0; i < c->crossed_count; ++i) {
    const int k = c->crossed[i < guards ? i : 0];
    if (i >= guards || c->is_left[k])
      return ffi_fail(error, FF_ERROR_NUMERIC, NULL, 0, "ess",
                      "at t = %g guard %d is crossed more than once within the time that counts as together",
                      c->t, k);
    c->is_left[k] = 1;
  }
  return FF_OK;
}

// The vectors are those right after the first crossing, and the motion has gone on by what counts as together: so do they, along their rates.
static ff_status catch_up(ffi_ode_ess_tangent *c, ff_error *error)
{
  ffi_dopri5 *d = &c->joint->ode;
  d->has_slope = 0;
  const ff_status status = ffi_ode_ess_evaluate(c->joint, error);
  const double late = d->t - c->t;
  if (status != FF_OK || !(late > 0))
    return status;
  for (int i = 0; i < c->count * c->base->system.tangent; ++i)
    d->x[c->base->system.size + i] += late * d->slope[0][c->base->system.tangent + i];
  d->has_slope = 0;
  return ffi_ode_ess_evaluate(c->joint, error);
}

ff_status ffi_ode_ess_corner_pass(ffi_ode_ess_tangent *c, ff_error *error)
{
  const ff_ess_system *system = &c->base->system;
  const size_t n = (size_t)system->tangent;
  ff_status status = check_once(c, error);
  for (int k = 0; k < c->count && status == FF_OK; ++k) {
    double *y = c->delta + (size_t)k * n;
    status = pass(c, y, error);
    if (status == FF_OK && system->reset)
      status = check_end(c, c->corner_x, error);
    memcpy(ffi_ode_ess_tangent_vector(c, k), y, n * sizeof *y);
  }
  if (status != FF_OK)
    return status;
  c->crossed_count = 0;
  return catch_up(c, error);
}
