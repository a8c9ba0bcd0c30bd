/// ess.h: event-selected systems: trajectories through many guards at once, and their derivatives. Independent of
/// robots.
///
/// A hybrid system here has a vector field that depends on which side of some guards the state is on:
///
///     dx/dt = f(t, x, side),    side[k] = -1 until h_k(x) rises through zero, +1 from then on,
///
/// and, optionally, a jump x := R_k(x) when guard k is crossed. The system is *event-selected* if all h_k rise with
/// positive speed near their guards, whatever the sides. Then the trajectory crosses every nearby guard once. The
/// flow is continuous and piecewise smooth, although m guards may be crossed in any of m! orders.
///
/// An ff_ess takes ordinary integrator steps away from guards and projects near them. Within `epsilon` of guards it
/// moves along the field in a straight line to the guard that is met first, changes its side, and continues from
/// there. A crossing takes one evaluation of the field; the error is of second order in epsilon. docs/theory/ess.md
/// has the mathematics, docs/guide/ess.md a first program.
///
///     static int hop(double t, const double *x, const signed char *side, double *dx, void *user)
///     {
///       int stands = side[0] > 0;                         // touched down, and not yet lifted off
///       dx[0] = x[1], dx[1] = -9.81 + (stands ? 400 * (1 - x[0]) : 0);
///       return 0;
///     }
///     static void guards(const double *x, double *h, void *user) { h[0] = 1 - x[0], h[1] = x[0] - 1; }
///
///     const ff_ess_rearm rearm[] = {{0, 1}, {1, 0}};       // touch-down arms lift-off, lift-off arms touch-down
///     ff_ess_def def = ff_ess_def_default();
///     def.system = (ff_ess_system){.size = 2, .guards = 2, .field = hop, .guard = guards};
///     def.rearm = rearm, def.rearm_count = 2, def.epsilon = 1e-3;
///     ff_ess *ess;
///     if (ff_ess_create(&def, &ess, &error) != FF_OK) ...
///     ff_ess_start(ess, 0, (double[]){2, 0}, NULL, &error);
///     ff_ess_advance(ess, 2, &error);                      // ff_ess_state(ess), ff_ess_get_info(ess).crossings
///     ff_ess_destroy(ess);
///
/// **Arming.** A crossed guard is inactive until the crossing of another guard *arms* it: its side is then -1 again.
/// Without a list of such pairs the paper's rule holds: once all guards are crossed, those with h < 0, and those at
/// zero and falling, are armed together. A guard that moves away from zero when it is armed is ignored until it
/// returns.
///
/// **Checks.** Both failures below are FF_ERROR_NUMERIC; the message names the guard and the time, and the state is
/// the last good one.
/// - Grazing: a guard is crossed slower than `liveness`.
/// - Chattering (Zeno): more than `max_crossings` crossings within `chatter_time`.
///
/// If a guard turns round inside its band, or the state leaves the band sideways, ordinary steps follow the guard and
/// locate its root. ff_ess_info counts these cases, and where the band was too wide for the field.
///
/// Guards depend on the state only. For a guard that depends on time, make time part of the state.
#ifndef FOOTFALL_ESS_H
#define FOOTFALL_ESS_H

#include <footfall/ode.h>
#include <footfall/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/// One trajectory of one system. Use it from one thread at a time; the caller destroys it.
typedef struct ff_ess ff_ess;

/// The system. Callbacks that return int return 0. A nonzero value means that there is no result: the integration
/// stops there, and another call continues from there.
typedef struct ff_ess_system {
  int size;    ///< numbers in a state
  int tangent; ///< numbers in a velocity; 0: size
  int guards;  ///< number of guards, >= 0

  /// Compute dx [tangent] for the given sides [guards]. It must be smooth in x up to the guards, and beyond them by
  /// the width of the bands.
  int (*field)(double t, const double *x, const signed char *side, double *dx, void *user);
  void (*guard)(const double *x, double *h, void *user); ///< compute h [guards]

  /// Compute Dh [guards][tangent]; NULL: by differences.
  void (*guard_slope)(const double *x, double *Dh, void *user);
  /// Compute rate [guards] = Dh dx, the rate of the guards along a velocity; NULL: from guard_slope. With many guards
  /// it saves most of the time.
  void (*guard_rate)(const double *x, const double *dx, double *rate, void *user);
  /// Compute Df [tangent][tangent], for derivatives; NULL: by differences.
  int (*field_slope)(double t, const double *x, const signed char *side, double *Df, void *user);

  /// Compute the state after crossing guard `guard` at x; `side` is from before the crossing. NULL: states do not
  /// jump.
  int (*reset)(int guard, double t, const double *x, const signed char *side, double *out, void *user);
  /// Compute DR [tangent][tangent]; NULL: by differences.
  int (*reset_slope)(int guard, double t, const double *x, const signed char *side, double *DR, void *user);

  ff_ode_retract retract; ///< see ode.h; NULL for vector states
  ff_ode_pull pull;       ///< see ode.h; NULL for vector states
  /// Compute d [tangent] such that x moved by d is y, for small d; used for differences of resets. NULL: y - x.
  void (*difference)(const double *x, const double *y, double *d, void *user);
  void *user; ///< passed to all callbacks, and to ff_ess_def.record
} ff_ess_system;

/// Crossing guard `crossed` arms guard `armed`: one entry of the guard-reset matrix.
typedef struct ff_ess_rearm {
  int crossed; ///< guard, 0..guards - 1
  int armed;   ///< guard, which may be the same
} ff_ess_rearm;

/// How guards are crossed.
typedef enum ff_ess_method {
  FF_ESS_PROJECT, ///< the paper's: straight to the guard from within epsilon (default)
  /// Ordinary steps, and the first root of h inside them, by sampling as in ff_ode_advance(); epsilon is not used
  FF_ESS_LOCATE,
} ff_ess_method;

/// A system and how it is integrated. Start from ff_ess_def_default().
typedef struct ff_ess_def {
  ff_ess_system system;   ///< required
  ff_ess_method method;   ///< default FF_ESS_PROJECT
  double epsilon;         ///< half width of the bands, in the guards' units, default 1e-3
  const double *epsilons; ///< [guards], one for each guard; default NULL: epsilon
  /// > 0: band widths follow the field: each guard's fastest approach so far times this [s]. This is the rescaling of
  /// section 2.2 of the paper, whose unit of time is 1; default 0
  double band_time;
  const ff_ess_rearm *rearm; ///< [rearm_count], may be empty; default NULL: the paper's rule
  int rearm_count;           ///< default 0
  double liveness;           ///< slower crossings are grazing, in the guards' units per second, default 1e-9
  double chatter_time;       ///< time for max_crossings [s], default 1e-9
  int max_crossings;         ///< most crossings within chatter_time, default 0: 100 + 10 per guard
  double relative_tolerance; ///< of ordinary steps, as in ode.h, default 1e-6
  double absolute_tolerance; ///< of ordinary steps, as in ode.h, default 1e-9
  double max_step;           ///< longest ordinary step [s], default 0: unlimited
  double fixed_step; ///< > 0: every ordinary step has this length [s], without error control; default 0
  int max_steps;     ///< in one ff_ess_advance(), default 10000000
  /// Called at the start, after every ordinary step and after every crossing (guard >= 0, with the state after its
  /// jump); may be NULL.
  void (*record)(double t, const double *x, int guard, void *user);
} ff_ess_def;

/// Projection within 1e-3, tolerances as in ode.h. The caller must set the system.
ff_ess_def ff_ess_def_default(void);

/// Create an integrator. It allocates all memory here, except that of derivatives, and copies `rearm` and `epsilons`.
/// FF_ERROR_ARGUMENT names the invalid field.
ff_status ff_ess_create(const ff_ess_def *def, ff_ess **out, ff_error *error);
void ff_ess_destroy(ff_ess *ess); ///< NULL is fine

/// Start at (t, x [size]). side [guards] is +1 for a crossed guard and -1 for one to be crossed; NULL: by the sign of
/// h, where zero counts as crossed.
ff_status ff_ess_start(ff_ess *ess, double t, const double *x, const signed char *side, ff_error *error);

/// Integrate exactly to t_end, which is not before the present time.
ff_status ff_ess_advance(ff_ess *ess, double t_end, ff_error *error);

/// Integrate to t_end or through the next crossing. `guard` returns the crossed guard, or -1.
ff_status ff_ess_next(ff_ess *ess, double t_end, int *guard, ff_error *error);

double ff_ess_time(const ff_ess *ess); ///< present time [s], or in the system's unit
/// Present state [size]; belongs to `ess`, valid until the next call that integrates.
const double *ff_ess_state(const ff_ess *ess);
/// Present sides [guards], -1: to be crossed, +1: crossed; belong to `ess`, valid as the state is.
const signed char *ff_ess_side(const ff_ess *ess);

/// Counts since ff_ess_start().
typedef struct ff_ess_info {
  long long steps;       ///< ordinary steps taken
  long long rejected;    ///< ordinary steps rejected because of their error
  long long evaluations; ///< of the field, those of projections included
  long long crossings;   ///< of guards: projections and located roots together
  long long projections; ///< crossings by projection
  long long located;     ///< crossings located as roots
  long long turned;      ///< guards that turned round inside their band
  /// Projections where the trajectory is so curved that a straight line misses the guard by more than a tenth:
  /// epsilon is too large there.
  long long wide;
  /// Projections to guards that rise by more than their band's width in a second, or in band_time. The paper advises
  /// |Dh f| <= epsilon (section 2.2). This depends on the guards' units, so it is not an error; `wide` counts the
  /// cases where it costs accuracy.
  long long hasty;
  double slowest; ///< slowest crossing [guard's unit/s]; INFINITY before the first
  double fastest; ///< fastest crossing [guard's unit/s]; 0 before the first
} ff_ess_info;
/// A copy of the counts so far, without computation.
ff_ess_info ff_ess_get_info(const ff_ess *ess);

// ---- Derivatives ------------------------------------------------------------------------------------------

/// Apply the B-derivative of the flow from (t0, x0, side0) to t1 to `count` tangent vectors: out[c] [tangent] is the
/// one-sided change of x(t1) as x0 moves along direction[c] [tangent]. Guards are located, the variational equation
/// is integrated between them, and saltation carries vectors across.
///
/// Guards crossed within `together` seconds count as simultaneous: each vector crosses them in the order of its own
/// perturbed trajectory. The derivative is then piecewise linear, not linear. x1 [size] and out may be NULL. The
/// ff_ess is at t1 afterwards. side0 as in ff_ess_start().
ff_status ff_ess_derivative(ff_ess *ess, double t0, const double *x0, const signed char *side0, double t1,
                            double together, int count, const double *direction, double *x1, double *out,
                            ff_error *error);

/// Compute the return map: the state x1 [size] just after the next crossing of guard `section` (after its jump), at
/// most max_time later; the time `period` until then; and the derivative D [tangent][tangent], which includes the
/// change of the crossing time with the start. x1, period, D may be NULL.
///
/// For a periodic trajectory that starts on the section, D is the derivative of the Poincare map, with a zero (or
/// trivial) direction along the flow. Such a trajectory has just crossed the section and, by rounding, starts on
/// either side of it; it must leave the section first. side0 NULL: the sides just after that crossing.
ff_status ff_ess_return_map(ff_ess *ess, double t0, const double *x0, const signed char *side0, int section,
                            double max_time, double *x1, double *period, double *D, ff_error *error);

/// Compute the monodromy matrix D [tangent][tangent] of a trajectory of known period that returns to x0: the
/// derivative of the flow over the period.
ff_status ff_ess_monodromy(ff_ess *ess, double t0, const double *x0, const signed char *side0, double period,
                           double *D, ff_error *error);

#ifdef __cplusplus
}
#endif
#endif
