// Meeting guards: where an ordinary step is cut, and straight lines from there.
#include "step/ess/ess.h"

#include <math.h>
#include <string.h>

// The longest straight line, in parts of the step: a guard that is farther in time is slow for its band, and its root is searched.
static const double longest_line = 0.02;

// How far guards are followed along the velocity to see how fast they rise, in parts of the step: far enough for rounding, near enough for curvature.
static const double feeler = 1e-4;

// Of one search; bisection alone down to rounding would need this many.
enum { MOST_LOOKS = 80 };

// A time in which accelerations of 100 m/s^2 are not seen, or that rounding takes [s].
static double unseen_time(const ffi_ess *e, double rounding)
{
  return fmax(rounding * e->dt, 0.01 * (e->ode.relative_tolerance + e->ode.absolute_tolerance));
}

// ---- The first call of a step ------------------------------------------------------------------------------

static ff_status listen_at(ffi_ess *e, double t, double *excess, ff_error *error)
{
  ffi_dopri5_at(&e->ode, t, e->y);
  const ff_status status = ffi_ess_field_evaluate(e, t, e->y, error);
  *excess = status == FF_OK ? ffi_ess_guards_collect(e, 0) : 0;
  return status;
}

// What the excess is to be at the end of a search: inside the bands of armed guards, past the zeros of waiting ones by rounding.
static double aim(const ffi_ess *e)
{
  for (int k = 0; k < e->call_count; ++k)
    if (ffi_ess_guards_is_waiting(e, e->call[k]))
      return 0;
  return e->s->def->ess.epsilon / 4;
}

// From a silent time and a later one with calls, at which e is, to a time whose calls can be answered: the secant of the excess, the weight of an end that stays
// halved (Illinois), and every third time the middle: features of boxes come into being at a depth, and there is no root.
static ff_status enclose(ffi_ess *e, double low, double high, double at_low, double at_high, ff_error *error)
{
  const double shortest = unseen_time(e, 1e-12);
  int last = 0, is_at_high = 1;
  for (int k = 0; k < MOST_LOOKS && high - low > shortest && !(is_at_high && ffi_ess_guards_can_cross(e));
       ++k) {
    const double target = is_at_high ? aim(e) : 0, below = fmin(at_low - target, 0),
                 above = fmax(at_high - target, 0);
    const double share =
        k % 3 == 2 || !(above - below > 0) ? 0.5 : fmin(fmax(-below / (above - below), 1e-3), 0.999);
    const double t = low + share * (high - low);
    double excess;
    if (!(t > low && t < high))
      break;
    const ff_status status = listen_at(e, t, &excess, error);
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
    if (!(e->alarm < high && e->alarm > e->ode.from))
      return FF_OK;
    high = e->alarm;
    e->ode.has_slope = 0;
    const ff_status status = listen_at(e, high, &excess, error);
    if (status != FF_OK || !(excess > 0))
      return status;
  }
  return enclose(e, e->ode.from, high, e->quiet, excess, error);
}

// ---- Straight lines ----------------------------------------------------------------------------------------

// The state after a straight line, to e->y, and a look at it.
static ff_status look_along(ffi_ess *e, double time, ff_error *error)
{
  for (int i = 0; i < e->ode.tangent; ++i)
    e->f[i] = time * e->ode.slope[0][i];
  ffi_ess_field_retract(e->ode.x, e->f, e->y, e);
  return ffi_ess_field_evaluate(e, e->ode.t + time, e->y, error);
}

// How much later than the first guard another one is met at the same moment [s]. A robot whose feet stop together does so as one: where forces jump, one foot
// after the other would be another motion.
static double same_moment(const ffi_ess *e)
{
  return unseen_time(e, 1e-9);
}

// What rises in such a time, at 1 m/s [m], above rounding.
static double same_place(const ffi_ess *e)
{
  return fmax(1e-12, same_moment(e));
}

static double rate_of(const ffi_ess *e, int k)
{
  return (ffi_ess_guards_value(e, e->call[k]) - e->call_value[k]) / (feeler * e->dt);
}

static double time_to(const ffi_ess *e, int k)
{
  const double rate = rate_of(e, k);
  return rate > 0 ? -e->call_value[k] / rate : INFINITY;
}

// Of the calls, all armed, those that are met first become e->call; *time is when. Those that move away or are slow wait. e is at the end of the feeler.
static void choose_met(ffi_ess *e, double left, double *time)
{
  const double longest = fmin(longest_line * e->dt, left);
  int count = 0;
  *time = INFINITY;
  for (int k = 0; k < e->call_count; ++k) {
    const double takes = time_to(e, k);
    if (!(takes < longest))
      ffi_ess_guards_wait(e, e->call[k], e->call_value[k]);
    else
      *time = fmin(*time, takes);
  }
  for (int k = 0; k < e->call_count && *time < longest; ++k)
    if (time_to(e, k) <= *time + same_moment(e))
      e->call[count++] = e->call[k];
  e->call_count = count;
}

static int is_beyond(const ffi_ess *e, int k)
{
  return (ffi_ess_guards_is_waiting(e, e->call[k]) &&
          e->call_value[k] > ffi_ess_guards_level(e, e->call[k])) ||
         e->call_value[k] >= 0;
}

static int has_beyond(const ffi_ess *e)
{
  for (int k = 0; k < e->call_count; ++k)
    if (is_beyond(e, k))
      return 1;
  return 0;
}

// The calls that are beyond their levels, and those that are about to be, become e->call. e is at the end of the feeler.
static void choose_beyond(ffi_ess *e)
{
  int count = 0;
  for (int k = 0; k < e->call_count; ++k)
    if (is_beyond(e, k) || (e->call_value[k] >= -same_place(e) && time_to(e, k) <= same_moment(e)))
      e->call[count++] = e->call[k];
  e->call_count = count;
}

static int is_called(const ffi_ess *e, int guard)
{
  for (int k = 0; k < e->call_count; ++k)
    if (e->call[k] == guard)
      return 1;
  return 0;
}

// Cross all calls. Touch-downs come last, as they number contacts anew; of a contact's or element's two guards the first changes the other.
static ff_status cross_calls(ffi_ess *e, int *counter, ff_error *error)
{
  const int touches = ffi_ess_touches(e);
  for (int pass = 0; pass < 2; ++pass)
    for (int k = 0; k < e->call_count; ++k) {
      const int guard = e->call[k];
      if ((guard >= touches) != pass || (!pass && guard % 2 == 1 && is_called(e, guard - 1)))
        continue;
      const ff_status status = ffi_ess_modes_cross(e, guard, error);
      if (status != FF_OK)
        return status;
      ++*counter;
    }
  return FF_OK;
}

// The guards of one moment are crossed, or none is left: *is_done.
static ff_status settle_once(ffi_ess *e, int *is_done, ff_error *error)
{
  const int is_located = has_beyond(e);
  double time = 0;
  if (is_located)
    ffi_ess_guards_collect(e, same_place(e));
  ff_status status = look_along(e, feeler * e->dt, error);
  if (status != FF_OK)
    return status;
  if (is_located)
    choose_beyond(e);
  else
    choose_met(e, e->dt - e->ode.t, &time);
  if (e->call_count == 0 || is_located) {
    status = ffi_ess_field_evaluate(e, e->ode.t, e->ode.x, error);
    if (status != FF_OK || is_located)
      return status == FF_OK ? cross_calls(e, &e->s->info->located, error) : status;
    *is_done = 1;
    e->quiet = fmin(ffi_ess_guards_collect(e, 0), 0);
    return FF_OK;
  }
  status = look_along(e, time, error);
  if (status != FF_OK)
    return status;
  ffi_dopri5_go_on(&e->ode, e->ode.t + time, e->y);
  return cross_calls(e, &e->s->info->projections, error);
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
    e->quiet = ffi_ess_guards_collect(e, 0);
    if (!(e->quiet > 0))
      return FF_OK;
    const ff_status status = settle_once(e, &is_done, error);
    if (status != FF_OK)
      return status;
  }
  return FF_OK;
}
