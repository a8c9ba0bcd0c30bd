/// ess.h: event-selected systems: motion through many guards at once, and its derivative. Knows nothing of robots.
///
/// A hybrid system here is a field that depends on which side of some guards the state is on:
///
///     dx/dt = f(t, x, side),    side[k] = -1 until h_k(x) rises through zero, +1 from then on,
///
/// and, if the user says so, a jump x := R_k(x) as guard k is crossed. Where all h_k rise with positive speed near their guards, whatever the sides, the system
/// is *event-selected*: every guard near the state will be crossed, each once, and the flow is continuous and piecewise smooth although the order of m guards
/// may be any of m!. An ff_ess integrates such a system by ordinary steps away from guards, and by projections near them: within `epsilon` of guards
/// it goes along the field in a straight line to the one that is met first, turns its side, and goes on from there. That takes one evaluation for each crossing,
/// and is of second order in epsilon. docs/theory/ess.md has the mathematics, docs/guide/ess.md a first program.
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
/// **Arming.** A guard that was crossed is out of play until the crossing of another *arms* it again (its side is -1 from then on). Without a list of who arms
/// whom the paper's rule holds: once all guards are crossed, those with h < 0 are armed together (and those that are at zero and fall). A guard that is armed while it moves away from zero
/// is left alone until it comes back.
///
/// **What is checked.** A guard that is to be crossed slower than `liveness` is grazing; more than `max_crossings` of them without the time moving on by `chatter_time`
/// is chattering, or Zeno: both are FF_ERROR_NUMERIC and name the guard and the time; the state is then the last good one. A guard that turns round
/// inside its band, or whose band is left sideways, is followed by ordinary steps and located as a root. ff_ess_info tells how often, and where the band was too wide for the field.
///
/// Guards depend on the state alone; a clock can be made part of it.
#ifndef FOOTFALL_ESS_H
#define FOOTFALL_ESS_H

#include <footfall/ode.h>
#include <footfall/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/// One motion of one system. For one thread; the caller destroys it.
typedef struct ff_ess ff_ess;

/// The system. Callbacks that return int return 0, or anything else where there is no value: the integration then stops there, and another call goes on from there.
typedef struct ff_ess_system {
  int size;    ///< numbers of a state
  int tangent; ///< of a velocity; 0: as many
  int guards;  ///< >= 0

  /// dx [tangent] for the given sides [guards], smooth in x up to the guards and beyond them by the width of the bands.
  int (*field)(double t, const double *x, const signed char *side, double *dx, void *user);
  void (*guard)(const double *x, double *h, void *user); ///< h [guards]

  /// Dh [guards][tangent]; NULL: by differences.
  void (*guard_slope)(const double *x, double *Dh, void *user);
  /// rate [guards] = Dh dx: how fast guards rise along a velocity; NULL: from guard_slope. With many guards it saves most of the time.
  void (*guard_rate)(const double *x, const double *dx, double *rate, void *user);
  /// Df [tangent][tangent], for derivatives; NULL: by differences.
  int (*field_slope)(double t, const double *x, const signed char *side, double *Df, void *user);

  /// The state after guard `guard` is crossed at x, with the sides from before; NULL: states do not jump.
  int (*reset)(int guard, double t, const double *x, const signed char *side, double *out, void *user);
  /// DR [tangent][tangent]; NULL: by differences.
  int (*reset_slope)(int guard, double t, const double *x, const signed char *side, double *DR, void *user);

  ff_ode_retract retract; ///< see ode.h; NULL where states are vectors
  ff_ode_pull pull;       ///< the same
  /// d [tangent] with x moved by d = y, for small d: for differences of resets; NULL: y - x.
  void (*difference)(const double *x, const double *y, double *d, void *user);
  void *user; ///< handed to all of these, and to ff_ess_def.record
} ff_ess_system;

/// Crossing guard `crossed` arms guard `armed`: one entry of the guard-reset matrix.
typedef struct ff_ess_rearm {
  int crossed; ///< guard, 0..guards - 1
  int armed;   ///< guard, which may be the same
} ff_ess_rearm;

/// How guards are met.
typedef enum ff_ess_method {
  FF_ESS_PROJECT, ///< the paper's: straight to the guard from within epsilon (default)
  FF_ESS_LOCATE, ///< ordinary steps, and the first root of h inside of them, by samples as in ff_ode_advance(); epsilon is not used
} ff_ess_method;

/// A system and how its motion is found. Start from ff_ess_def_default().
typedef struct ff_ess_def {
  ff_ess_system system;   ///< what moves; needed
  ff_ess_method method;   ///< default FF_ESS_PROJECT
  double epsilon;         ///< half width of the bands, in the guards' units, default 1e-3
  const double *epsilons; ///< [guards], one for each; default NULL
  /// > 0: widths follow the field, each guard's fastest approach so far times this [s]: the
  /// rescaling of section 2.2 of the paper, whose unit of time is 1; default 0
  double band_time;
  const ff_ess_rearm *rearm; ///< [rearm_count], which may be none; default NULL: the paper's rule
  int rearm_count;           ///< default 0
  double liveness;           ///< slower crossings are grazing, in the guards' units per second, default 1e-9
  double chatter_time;       ///< default 1e-9 s
  int max_crossings;         ///< within it, default 0: 100 and 10 for each guard
  double relative_tolerance; ///< of ordinary steps, as in ode.h, default 1e-6
  double absolute_tolerance; ///< the same, default 1e-9
  double max_step;           ///< longest ordinary step [s], default 0: any
  double fixed_step; ///< > 0: every ordinary step has this length [s] and no error is controlled; default 0
  int max_steps;     ///< of one ff_ess_advance(), default 10000000
  /// Called at the start, after every ordinary step and after every crossing (guard >= 0; the state after its jump); may be NULL.
  void (*record)(double t, const double *x, int guard, void *user);
} ff_ess_def;

/// Projections within 1e-3, tolerances as in ode.h; the system is still to be given.
ff_ess_def ff_ess_def_default(void);

/// All memory is taken here, but for that of derivatives, and `rearm` and `epsilons` are copied. FF_ERROR_ARGUMENT names the field that is wrong.
ff_status ff_ess_create(const ff_ess_def *def, ff_ess **out, ff_error *error);
void ff_ess_destroy(ff_ess *ess); ///< NULL is fine

/// Begin at (t, x [size]). side [guards] says which guards are crossed (+1) and which are to be (-1); NULL: by the signs of h, zero counting as crossed.
ff_status ff_ess_start(ff_ess *ess, double t, const double *x, const signed char *side, ff_error *error);

/// On to t_end >= the present time, exactly.
ff_status ff_ess_advance(ff_ess *ess, double t_end, ff_error *error);

/// On to t_end or through the next crossing; `guard` is its number, or -1.
ff_status ff_ess_next(ff_ess *ess, double t_end, int *guard, ff_error *error);

double ff_ess_time(const ff_ess *ess); ///< where the motion is now [s], or in the system's unit
/// [size] at that time; belongs to `ess`, valid until it moves on
const double *ff_ess_state(const ff_ess *ess);
const signed char *ff_ess_side(const ff_ess *ess); ///< [guards] -1: to be crossed, +1: crossed; the same

/// Counts since ff_ess_start().
typedef struct ff_ess_info {
  long long steps;       ///< ordinary ones that were taken
  long long rejected;    ///< ordinary ones whose error was too large
  long long evaluations; ///< of the field, projections' too
  long long crossings;   ///< of guards: projections and located roots together
  long long projections; ///< crossings in a straight line
  long long located;     ///< crossings found as roots
  long long turned;      ///< guards that turned round inside their band
  /// Projections along ways that bend so much that a straight line misses the guard by more than a tenth: epsilon is too large there.
  long long wide;
  /// Projections to guards that rise by more than their band's width in a second, or in band_time: the paper advises |Dh f| <= epsilon (section 2.2). That
  /// is about guards' units, so it is no error; `wide` tells what it costs.
  long long hasty;
  double slowest; ///< crossing [guard's unit/s]; INFINITY before the first
  double fastest; ///< the same; 0
} ff_ess_info;
/// A copy of the counts so far; they cost nothing to ask for.
ff_ess_info ff_ess_get_info(const ff_ess *ess);

// ---- Derivatives ------------------------------------------------------------------------------------------

/// The B-derivative of the flow from (t0, x0, side0) to t1, applied to `count` tangent vectors: out[c] [tangent] is how x(t1) moves, one-sided, as x0 moves along
/// direction[c] [tangent]. Guards are located, the variational equation is integrated between them, and saltation carries vectors across. Where guards
/// are crossed together (within `together` seconds) each vector goes through them in the order in which its own perturbed motion does; there the derivative is not linear, only
/// piecewise so. x1 [size], out may be NULL. The ff_ess is then at t1. side0 as in ff_ess_start().
ff_status ff_ess_derivative(ff_ess *ess, double t0, const double *x0, const signed char *side0, double t1,
                            double together, int count, const double *direction, double *x1, double *out,
                            ff_error *error);

/// The map from a state to the state right after the next crossing of guard `section` (after its jump), at most max_time later: x1 [size], its time `period`
/// and its derivative D [tangent][tangent], which takes into account that the crossing time moves with the start. For a periodic motion that begins on the section
/// D is the derivative of the Poincare map, with a zero (or trivial) direction along the flow. Such a motion has just crossed the section, by rounding on either side of it, and has to leave
/// it first; where side0 is NULL it is as after that crossing. x1, period, D may be NULL.
ff_status ff_ess_return_map(ff_ess *ess, double t0, const double *x0, const signed char *side0, int section,
                            double max_time, double *x1, double *period, double *D, ff_error *error);

/// The monodromy matrix [tangent][tangent] of a motion of known period that returns to x0: the derivative of the flow over the period.
ff_status ff_ess_monodromy(ff_ess *ess, double t0, const double *x0, const signed char *side0, double period,
                           double *D, ff_error *error);

#ifdef __cplusplus
}
#endif
#endif
