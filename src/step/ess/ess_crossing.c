// Crossing guards: where an ordinary step is cut, and straight lines from there. ess-robots.md, section 3
#include "step/ess/ess.h"

#include <math.h>
#include <string.h>

// The longest straight line, as a share of the step. A guard that takes longer is slow for its band; its root is
// located.
static const double longest_line = 0.02;

// How far guards are followed along the velocity to find their rates, as a share of the step: far enough for
// rounding, near enough for curvature.
static const double feeler = 1e-4;

// Of one search; bisection alone down to rounding would need this many.
enum { MOST_EVALUATIONS = 80 };

// A time in which accelerations of 100 m/s^2 do not show, or that rounding takes [s].
static double unseen_time(const ffi_ess *e, double rounding)
{
  return fmax(rounding * e->dt, 0.01 * (e->ode.relative_tolerance + e->ode.absolute_tolerance));
}

// ---- The first trigger of a step ------------------------------------------------------------------------------

static ff_status excess_at(ffi_ess *e, double t, double *excess, ff_error *error)
{
  ffi_dopri5_at(&e->ode, t, e->y);
  const ff_status status = ffi_ess_field_evaluate(e, t, e->y, error);
  *excess = status == FF_OK ? ffi_ess_guards_collect(e, 0) : 0;
  return status;
}

// The excess to aim for: inside the bands of armed guards, past the zeros of waiting ones by rounding.
static double aim(const ffi_ess *e)
{
  for (int k = 0; k < e->triggered_count; ++k)
    if (ffi_ess_guards_is_waiting(e, e->triggered[k]))
      return 0;
  return e->s->def->ess.epsilon / 4;
}

// From a time without triggered guards and a later one with some, at which e is, to a time whose guards can be
// crossed. The secant of the excess, the weight of an end that stays halved (Illinois), and every third time the
// middle: features of boxes begin at a depth, and then there is no root.
static ff_status enclose(ffi_ess *e, double low, double high, double at_low, double at_high, ff_error *error)
{
  const double shortest = unseen_time(e, 1e-12);
  int last = 0, is_at_high = 1;
  for (int k = 0;
       k < MOST_EVALUATIONS && high - low > shortest && !(is_at_high && ffi_ess_guards_can_cross(e)); ++k) {
    const double target = is_at_high ? aim(e) : 0, below = fmin(at_low - target, 0),
                 above = fmax(at_high - target, 0);
    const double share =
        k % 3 == 2 || !(above - below > 0) ? 0.5 : fmin(fmax(-below / (above - below), 1e-3), 0.999);
    const double t = low + share * (high - low);
    double excess;
    if (!(t > low && t < high))
      break;
    const ff_status status = excess_at(e, t, &excess, error);
    if (status != FF_OK)
      return status;
    is_at_high = excess > 0;
    if (is_at_high) {
      high = t, at_high = excess;
      at_low *= last > 0 ? 0.5 : 1;
    } else {
      low = t, at_low = excess;
      at_high *= last < 0 ? 0.5 : 1;
    }
    last = is_at_high ? 1 : -1;
  }
  ffi_dopri5_cut(&e->ode, high);
  return FF_OK;
}

ff_status ffi_ess_crossing_locate(ffi_ess *e, ff_error *error)
{
  double high = e->ode.t, excess = ffi_ess_guards_collect(e, 0); // the last stage was the end
  if (!(excess > 0)) {
    if (!(e->first_trigger < high && e->first_trigger > e->ode.from))
      return FF_OK;
    high = e->first_trigger;
    e->ode.has_slope = 0;
    const ff_status status = excess_at(e, high, &excess, error);
    if (status != FF_OK || !(excess > 0))
      return status;
  }
  return enclose(e, e->ode.from, high, e->excess, excess, error);
}

// ---- Straight lines ----------------------------------------------------------------------------------------

// The state after a straight line, to e->y, and its evaluation.
static ff_status evaluate_along(ffi_ess *e, double time, ff_error *error)
{
  for (int i = 0; i < e->ode.tangent; ++i)
    e->f[i] = time * e->ode.slope[0][i];
  ffi_ess_field_retract(e->ode.x, e->f, e->y, e);
  return ffi_ess_field_evaluate(e, e->ode.t + time, e->y, error);
}

// Guards that are reached within this time of the first are crossed together [s]. A robot whose feet stop together
// stops as one: where forces jump, one foot after the other would be another motion.
static double same_moment(const ffi_ess *e)
{
  return unseen_time(e, 1e-9);
}

// What rises in that time at 1 m/s [m], above rounding.
static double same_place(const ffi_ess *e)
{
  return fmax(1e-12, same_moment(e));
}

static double rate_of(const ffi_ess *e, int k)
{
  return (ffi_ess_guards_value(e, e->triggered[k]) - e->triggered_value[k]) / (feeler * e->dt);
}

static double time_to(const ffi_ess *e, int k)
{
  const double rate = rate_of(e, k);
  return rate > 0 ? -e->triggered_value[k] / rate : INFINITY;
}

// Of the triggered guards, all armed, those that are reached first stay in e->triggered; *time is when. Guards that
// move away or are slow wait. e is at the end of the feeler.
static void choose_reached(ffi_ess *e, double left, double *time)
{
  const double longest = fmin(longest_line * e->dt, left);
  int count = 0;
  *time = INFINITY;
  for (int k = 0; k < e->triggered_count; ++k) {
    const double takes = time_to(e, k);
    if (!(takes < longest))
      ffi_ess_guards_wait(e, e->triggered[k], e->triggered_value[k]);
    else
      *time = fmin(*time, takes);
  }
  for (int k = 0; k < e->triggered_count && *time < longest; ++k)
    if (time_to(e, k) <= *time + same_moment(e))
      e->triggered[count++] = e->triggered[k];
  e->triggered_count = count;
}

static int is_beyond(const ffi_ess *e, int k)
{
  return (ffi_ess_guards_is_waiting(e, e->triggered[k]) &&
          e->triggered_value[k] > ffi_ess_guards_level(e, e->triggered[k])) ||
         e->triggered_value[k] >= 0;
}

static int has_beyond(const ffi_ess *e)
{
  for (int k = 0; k < e->triggered_count; ++k)
    if (is_beyond(e, k))
      return 1;
  return 0;
}

// Triggered guards beyond their levels, and those about to be, stay in e->triggered. e is at the end of the feeler.
static void choose_beyond(ffi_ess *e)
{
  int count = 0;
  for (int k = 0; k < e->triggered_count; ++k)
    if (is_beyond(e, k) || (e->triggered_value[k] >= -same_place(e) && time_to(e, k) <= same_moment(e)))
      e->triggered[count++] = e->triggered[k];
  e->triggered_count = count;
}

static int is_triggered(const ffi_ess *e, int guard)
{
  for (int k = 0; k < e->triggered_count; ++k)
    if (e->triggered[k] == guard)
      return 1;
  return 0;
}

// Cross all triggered guards. Touch-downs come last, as they renumber contacts. Of the two guards of a contact or
// element the first changes the other; those of turning are of two different laws.
static ff_status cross_triggered(ffi_ess *e, int *counter, ff_error *error)
{
  const int turns = ffi_ess_turns(e), touches = ffi_ess_touches(e);
  for (int pass = 0; pass < 2; ++pass)
    for (int k = 0; k < e->triggered_count; ++k) {
      const int guard = e->triggered[k];
      if ((guard >= touches) != pass || (guard < turns && guard % 2 == 1 && is_triggered(e, guard - 1)))
        continue;
      const ff_status status = ffi_ess_modes_cross(e, guard, error);
      if (status != FF_OK)
        return status;
      ++*counter;
    }
  return FF_OK;
}

// Cross the guards of one moment. *is_done: none is left.
static ff_status cross_once(ffi_ess *e, int *is_done, ff_error *error)
{
  const int is_located = has_beyond(e);
  double time = 0;
  if (is_located)
    ffi_ess_guards_collect(e, same_place(e));
  ff_status status = evaluate_along(e, feeler * e->dt, error);
  if (status != FF_OK)
    return status;
  if (is_located)
    choose_beyond(e);
  else
    choose_reached(e, e->dt - e->ode.t, &time);
  if (e->triggered_count == 0 || is_located) {
    status = ffi_ess_field_evaluate(e, e->ode.t, e->ode.x, error);
    if (status != FF_OK || is_located)
      return status == FF_OK ? cross_triggered(e, &e->s->info->located, error) : status;
    *is_done = 1;
    e->excess = fmin(ffi_ess_guards_collect(e, 0), 0);
    return FF_OK;
  }
  status = evaluate_along(e, time, error);
  if (status != FF_OK)
    return status;
  ffi_dopri5_go_on(&e->ode, e->ode.t + time, e->y);
  return cross_triggered(e, &e->s->info->projections, error);
}

ff_status ffi_ess_crossing_all(ffi_ess *e, ff_error *error)
{
  for (int is_done = 0; !is_done;) {
    if (!e->ode.has_slope) {
      ++e->ode.info.evaluations;
      if (ffi_ess_field_rate(e->ode.t, e->ode.x, e->ode.slope[0], e) != 0) {
        if (error)
          *error = e->cause;
        return e->cause.status;
      }
      e->ode.has_slope = 1;
    }
    ffi_ess_guards_arm(e);
    e->excess = ffi_ess_guards_collect(e, 0);
    if (!(e->excess > 0))
      return FF_OK;
    const ff_status status = cross_once(e, &is_done, error);
    if (status != FF_OK)
      return status;
  }
  return FF_OK;
}
