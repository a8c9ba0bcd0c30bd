/// ode.h: ordinary differential equations with events. Independent of robots.
///
/// An ff_ode integrates dx/dt = rate(t, x) by Dormand and Prince's method of order 5 with an error estimate of
/// order 4. It chooses its steps by error tolerances, interpolates inside them to order 4, and stops where a
/// guard, a function of time and state, passes zero.
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
/// **States on manifolds.** An orientation has four numbers but three velocities. For such states, `tangent` is the
/// number of components of a velocity, `retract` moves a state by a displacement, and `pull` converts a velocity at
/// the displaced state to the rate of the displacement. Each step integrates the displacement from the state at its
/// start. For vector states both functions are NULL.
///
/// **Failure.** FF_ERROR_NUMERIC, with the time, if a rate cannot be evaluated or steps become too short or too many.
/// The state is then the last good one.
#ifndef FOOTFALL_ODE_H
#define FOOTFALL_ODE_H

#include <footfall/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/// An integration of one equation. Use it from one thread at a time; the caller destroys it.
typedef struct ff_ode ff_ode;

/// Compute rate [tangent] at x [size]. A nonzero return value means that there is none at this state; the integrator
/// tries a shorter step.
typedef int (*ff_ode_rate)(double t, const double *x, double *rate, void *user);
/// Compute the guards value [guards] at x [size].
typedef void (*ff_ode_guard)(double t, const double *x, double *value, void *user);
/// Compute out [size]: x moved by the displacement d [tangent].
typedef void (*ff_ode_retract)(const double *x, const double *d, double *out, void *user);
/// Compute rate [tangent] of the displacement d from x, given the `velocity` [tangent] at the displaced state.
typedef void (*ff_ode_pull)(const double *x, const double *d, const double *velocity, double *rate,
                            void *user);

/// An equation, its guards and its error tolerances. Start from ff_ode_def_default().
typedef struct ff_ode_def {
  int size;               ///< numbers in a state, >= 1
  int tangent;            ///< numbers in a velocity; 0 (default): size
  ff_ode_rate rate;       ///< required
  ff_ode_retract retract; ///< default NULL: x + d
  ff_ode_pull pull;       ///< default NULL: the velocity itself
  void *user;             ///< passed to all callbacks

  /// Of a step's error, relative to |x|, or to 1 if `retract` is given; >= 0, default 1e-6
  double relative_tolerance;
  double absolute_tolerance; ///< of a step's error, default 1e-9
  double first_step;         ///< default 0: chosen automatically
  double max_step;           ///< default 0: unlimited
  double fixed_step;         ///< > 0: every step has this length, without error control; default 0
  int max_steps;             ///< in one ff_ode_advance(), rejected ones included, default 1000000

  int guards;         ///< number of values of `guard`, default 0
  ff_ode_guard guard; ///< NULL if there are none
  /// [guards] +1: stop where it rises through zero, -1: where it falls, 0: both; NULL: both. Rising and falling are
  /// along the direction of integration, also backwards in time.
  const signed char *direction;
} ff_ode_def;

/// Tolerances 1e-6 and 1e-9, steps of any length, no guards. The caller must set size and rate.
ff_ode_def ff_ode_def_default(void);

/// Create an integrator; all memory is allocated here. FF_ERROR_ARGUMENT names the invalid field.
ff_status ff_ode_create(const ff_ode_def *def, ff_ode **out, ff_error *error);
void ff_ode_destroy(ff_ode *ode); ///< NULL is fine

/// Start at time t in state x [size]. The length of the next step is chosen anew. FF_ERROR_ARGUMENT if a number is
/// not finite.
ff_status ff_ode_start(ff_ode *ode, double t, const double *x, ff_error *error);

/// Integrate to t_end, which may be before the present time, or to where a guard first passes zero. `guard` (may be
/// NULL) returns the index of that guard, else -1. The state is then just past the guard, at most by rounding. A
/// guard that is zero at the start must leave zero before it can stop the integration. If several guards pass at the
/// same time, the call reports the first; each further call reports the next one without moving.
ff_status ff_ode_advance(ff_ode *ode, double t_end, int *guard, ff_error *error);

/// Take one accepted step, not beyond t_end; guards are not evaluated.
ff_status ff_ode_step(ff_ode *ode, double t_end, ff_error *error);

double ff_ode_time(const ff_ode *ode); ///< present time
/// Present state [size]; belongs to `ode`, valid until the next step.
const double *ff_ode_state(const ff_ode *ode);
/// The state at a time inside the last step, by interpolation; outside of the step the interpolant is extrapolated.
void ff_ode_at(const ff_ode *ode, double t, double *x);
void ff_ode_last_step(const ff_ode *ode, double *from, double *to); ///< start and end time of the last step

/// Counts since ff_ode_start().
typedef struct ff_ode_info {
  long long steps;             ///< accepted steps
  long long rejected;          ///< steps rejected: error too large, or a rate could not be evaluated
  long long evaluations;       ///< calls of rate
  long long guard_evaluations; ///< calls of guard
  long long events;            ///< guards that stopped the integration
  double last_step;            ///< length of the last accepted step
} ff_ode_info;
/// A copy of the counts so far.
ff_ode_info ff_ode_get_info(const ff_ode *ode);

#ifdef __cplusplus
}
#endif
#endif
