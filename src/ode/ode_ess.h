/// ess_parts.h: the parts of an ff_ess, and what its files do for each other.
///
/// ess.c           life and inquiries                ess_check.c    what a def may say
/// ess_advance.c   the loop: project, or step        ess_step.c     one ordinary step, cut short where it passes a limit
/// ess_look.c      what is known at a state          ess_locate.c   where a step first passes a limit
/// ess_band.c      which guards are near             ess_cross.c    the straight piece, the crossing, who is armed by it
///
/// **Stages of a guard.** A guard that is crossed is out of play. An armed one is *out* while it is farther than its width below zero; in its *band*, where it is a candidate
/// for a projection; *turned*, if it is in its band but was seen to move away, and then its root is looked for; *leaving*, if it was armed at or
/// above zero while falling and has to be seen below first; *waiting*, if it was armed above zero and rising, and is not to be crossed before it has been below. All but those out and crossed are in the list
/// `near`, which is short as a rule, so that a step costs one comparison for each guard.
///
/// **Limits.** A step ends where a guard exceeds its limit: minus its width if it is out, 0 in its band or turned, infinite else. FF_ESS_LOCATE is
/// the same with widths of zero: guards then go from out to above zero, and are crossed where they are found, which is by ode/roots.h.
///
/// Arrays over guards are `padded` long, a multiple of four, with a limit that is never exceeded behind the last guard.
#ifndef FFI_ODE_ESS_PARTS_H
#define FFI_ODE_ESS_PARTS_H

#include "ode/dopri5.h"
#include "ode/roots.h"

#include <footfall/ess.h>

typedef enum ffi_ode_ess_stage {
  FFI_ODE_ESS_CROSSED,
  FFI_ODE_ESS_OUT,
  FFI_ODE_ESS_BAND,
  FFI_ODE_ESS_TURNED,
  FFI_ODE_ESS_LEAVING,
  FFI_ODE_ESS_WAITING,
} ffi_ode_ess_stage;

enum { FFI_ODE_ESS_LANES = 4 };

struct ff_ess {
  ff_ess_system system;
  ff_ess_def def; ///< without its arrays, which are copied below
  ffi_dopri5 ode; ///< time and state are here; slope[0] is the field at them if has_slope
  int padded;
  int is_started;

  signed char *side;    ///< [guards]
  unsigned char *stage; ///< [guards] ffi_ode_ess_stage
  double *limit;        ///< [padded]
  double *width;        ///< [guards] of the band
  double *least_width;  ///< [guards] it had at the start
  int *near, near_count;
  int armed;             ///< how many guards are
  int arms_together;     ///< the paper's rule, as there is no list
  int *arms_from, *arms; ///< crossing j arms arms[arms_from[j]] .. arms[arms_from[j + 1] - 1]

  double *h, *rate;             ///< [padded] now, the latter along the present field
  double *h_other, *rate_other; ///< [padded] at the other end of the last ordinary step
  double *h_trial;              ///< [padded]
  double *Dh;                   ///< [guards][tangent], where rates come from slopes
  double *x_trial, *d_trial;    ///< [size], [tangent]
  ffi_roots roots;              ///< of guards where they are located, else of none
  signed char *direction;       ///< [roots.guards] which of them are looked for
  int has_h, has_rate;          ///< are h and rate those of the present state and field?
  double
      bend_time; ///< length of the last ordinary step if nothing else came after it, so that rate - rate_other tells how the field bends; else 0

  int unfinished; ///< the guard whose crossing was made, but not yet what it arms, as the field had no value there; -1: none
  int has_jumped;  ///< did it make the state jump?
  double h_before; ///< what the guard was then, before the jump

  double chatter_from; ///< when the crossings that are counted began
  int chatter_count;
  double last_crossing, last_interval; ///< its time, and the time before it without one
  int faster;                ///< how many crossings in a row came sooner after the one before than that did
  long long own_evaluations; ///< of the field, beside those of ordinary steps
  ff_ess_info info;
};

/// FF_ERROR_ARGUMENT, if a def cannot be meant; names the field.
ff_status ffi_ode_ess_check(const ff_ess_def *def, ff_error *error);

/// Evaluate what is not known at the present state: the field, guards, rates. Where widths follow rates they do so here.
ff_status ffi_ode_ess_evaluate(ff_ess *e, ff_error *error);

/// x moved by s dx, into x_trial. Returns whether that is finite.
int ffi_ode_ess_evaluate_move(ff_ess *e, const double *x, const double *dx, double s);

/// Are all numbers finite?
int ffi_ode_ess_evaluate_is_finite(int n, const double *x);

/// How fast guards rise at x along dx.
void ffi_ode_ess_evaluate_rates(ff_ess *e, const double *x, const double *dx, double *rate);

/// What arms a guard. At zero and rising it is crossed at once if another guard's crossing has armed it, not before it has been below if its own has.
typedef enum ffi_ode_ess_armer {
  FFI_ODE_ESS_BY_START,
  FFI_ODE_ESS_BY_ITSELF,
  FFI_ODE_ESS_BY_OTHER
} ffi_ode_ess_armer;

/// Begin as ff_ess_start() does, without a record.
ff_status ffi_ode_ess_begin(ff_ess *e, double t, const double *x, const signed char *side, ff_error *error);

/// Put a guard whose side is -1 into its stage, by h and rate.
void ffi_ode_ess_band_arm(ff_ess *e, int guard, ffi_ode_ess_armer armer);
/// A guard that is armed, at zero, and has just been crossed: it waits until it has been below.
void ffi_ode_ess_band_wait(ff_ess *e, int guard);
/// Is this value of a guard zero, but for rounding and the errors of projections?
int ffi_ode_ess_band_is_zero(const ff_ess *e, int guard, double h);
/// The stages of all guards, by side, h and rate.
void ffi_ode_ess_band_arm_all(ff_ess *e);
/// Guards that were out and exceed their limit are near from now on.
void ffi_ode_ess_band_enter(ff_ess *e);
/// The paper's rule: once none is armed, those below zero are, or at zero and falling.
ff_status ffi_ode_ess_band_arm_together(ff_ess *e, ff_error *error);

/// The guard to be crossed next, `dt` >= 0 from now along a straight line; -1 if none is near enough to tell. FF_ERROR_NUMERIC: one grazes.
ff_status ffi_ode_ess_band_choose(ff_ess *e, int *guard, double *dt, ff_error *error);

/// Go straight on for dt and cross the guard.
ff_status ffi_ode_ess_cross(ff_ess *e, int guard, double dt, ff_error *error);
/// Look at the present state, and end the crossing or the step that a failure came in: it goes on from there as if there had been none.
ff_status ffi_ode_ess_cross_finish(ff_ess *e, ff_error *error);
/// Turn the sides as crossing `guard` does; the stages are not touched. Returns by how much the number of armed guards grows.
int ffi_ode_ess_cross_turn_sides(const ff_ess *e, int guard, signed char *side);

/// One ordinary step.
ff_status ffi_ode_ess_step(ff_ess *e, double t_end, ff_error *error);

/// The first time in (from, to] of the last step of `ode` at which a guard exceeds its limit; one must at `to`, and none at `from`. h_trial is then that there.
double ffi_ode_ess_locate_excess(ff_ess *e, double from, double to);
/// FF_ESS_LOCATE: the first time from the beginning of the last step until `to` inside of it at which an armed guard rises through zero. 0: none does, *t = to. h_trial is that at *t.
int ffi_ode_ess_locate_rise(ff_ess *e, double to, double *t);
/// The present state is where ffi_ode_ess_locate_rise() has found guards: these can be crossed now.
void ffi_ode_ess_band_take_risen(ff_ess *e);
/// Guards at time t of the last step, into h_trial. Is one above its limit?
int ffi_ode_ess_locate_exceeds(ff_ess *e, double t);

/// On to t_end, or through one crossing, whose number is then in `guard`.
ff_status ffi_ode_ess_advance(ff_ess *e, double t_end, int is_one, int *guard, ff_error *error);

#endif
