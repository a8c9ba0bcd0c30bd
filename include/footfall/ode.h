/// ode.h: ordinary differential equations, and what happens on the way. Knows nothing of robots.
///
/// An ff_ode carries one state along dx/dt = rate(t, x) by Dormand and Prince's method of order 5 with an error estimate of order 4, chooses its steps by
/// tolerances, interpolates inside them to order 4, and stops where a function of the state passes zero.
///
///     ff_ode_def def = ff_ode_def_default();
///     def.size = 2, def.rate = falling, def.user = &ball;
///     def.guards = 1, def.guard = height;                  // stop where height() passes zero
///     ff_ode *ode;
///     if (ff_ode_create(&def, &ode, &error) != FF_OK) ...
///     ff_ode_start(ode, 0, x, &error);
///     int guard;
///     if (ff_ode_advance(ode, 10, &guard, &error) == FF_OK && guard == 0)
///       printf("down after %g s\n", ff_ode_time(ode));
///     ff_ode_destroy(ode);
///
/// **States that are no vectors.** An orientation has four numbers and three velocities. `tangent` is then how many numbers a velocity has, `retract`
/// moves a state along a displacement, and `pull` turns a velocity at the displaced state into the rate of the displacement; steps are taken in displacements
/// from the state at their beginning. Both may be NULL where states are vectors.
///
/// **Failure.** A rate that cannot be had, steps that become too short or too many are FF_ERROR_NUMERIC with the time; the state is then the last good one.
#ifndef FOOTFALL_ODE_H
#define FOOTFALL_ODE_H

#include <footfall/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/// One state on its way along one equation. For one thread; the caller destroys it.
typedef struct ff_ode ff_ode;

/// rate [tangent] at x [size]. Not 0: there is none at this state; a shorter step is tried.
typedef int (*ff_ode_rate)(double t, const double *x, double *rate, void *user);
/// value [guards] at x [size].
typedef void (*ff_ode_guard)(double t, const double *x, double *value, void *user);
/// out [size] = x moved by the displacement d [tangent].
typedef void (*ff_ode_retract)(const double *x, const double *d, double *out, void *user);
/// rate [tangent] of the displacement d from x, where the state, x moved by d, has `velocity` [tangent].
typedef void (*ff_ode_pull)(const double *x, const double *d, const double *velocity, double *rate,
                            void *user);

/// An equation, its guards and how exactly it is solved. Start from ff_ode_def_default().
typedef struct ff_ode_def {
  int size;               ///< numbers of a state, >= 1
  int tangent;            ///< of a velocity; 0 (default): as many
  ff_ode_rate rate;       ///< needed
  ff_ode_retract retract; ///< default NULL: x + d
  ff_ode_pull pull;       ///< default NULL: the velocity itself
  void *user;             ///< handed to all of these

  double relative_tolerance; ///< of a step's error, in velocities' numbers, default 1e-6
  double absolute_tolerance; ///< default 1e-9
  double first_step;         ///< default 0: chosen
  double max_step;           ///< default 0: any
  double fixed_step;         ///< > 0: every step has this length and no error is controlled; default 0
  int max_steps;             ///< of one ff_ode_advance(), rejected ones too, default 1000000

  int guards;         ///< how many values `guard` gives, default 0
  ff_ode_guard guard; ///< NULL if there are none
  const signed char
      *direction; ///< [guards] +1: stop where it rises through zero, -1: falls, 0: both; NULL: both. As it is
                  ///< travelled: going back in time, what rises is what fell on the way there
} ff_ode_def;

/// Tolerances 1e-6 and 1e-9, steps of any length, no guards; size and rate are still to be given.
ff_ode_def ff_ode_def_default(void);

/// All memory is taken here. FF_ERROR_ARGUMENT names the field that is wrong.
ff_status ff_ode_create(const ff_ode_def *def, ff_ode **out, ff_error *error);
void ff_ode_destroy(ff_ode *ode); ///< NULL is fine

/// Begin at time t in state x [size]. The length of the next step is chosen anew. FF_ERROR_ARGUMENT if a number is not finite.
ff_status ff_ode_start(ff_ode *ode, double t, const double *x, ff_error *error);

/// On to t_end, which may lie before the present time, or to where a guard first passes zero. `guard` (may be NULL) is then its number, else -1. The
/// state is on the far side of the guard, by rounding at most. A guard that is zero at the start does not stop, it has to leave first. Of several at the
/// same instant the first is told; the next call tells the next, without moving.
ff_status ff_ode_advance(ff_ode *ode, double t_end, int *guard, ff_error *error);

/// One step that its tolerances accept, not beyond t_end; guards are not looked at.
ff_status ff_ode_step(ff_ode *ode, double t_end, ff_error *error);

double ff_ode_time(const ff_ode *ode); ///< where it is now
/// [size] at that time; belongs to `ode`, valid until it moves on
const double *ff_ode_state(const ff_ode *ode);
/// The state at a time inside the last step, by its interpolant; outside of it, what the interpolant gives there.
void ff_ode_at(const ff_ode *ode, double t, double *x);
void ff_ode_last_step(const ff_ode *ode, double *from, double *to); ///< its times

/// Counts since ff_ode_start().
typedef struct ff_ode_info {
  long long steps;             ///< that were taken
  long long rejected;          ///< whose error was too large, or whose rate could not be had
  long long evaluations;       ///< calls of rate
  long long guard_evaluations; ///< calls of guard
  long long events;            ///< guards that stopped it
  double last_step;            ///< length of the last one taken
} ff_ode_info;
/// A copy of the counts so far.
ff_ode_info ff_ode_get_info(const ff_ode *ode);

#ifdef __cplusplus
}
#endif
#endif
