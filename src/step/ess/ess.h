/// ess.h: a robot on compliant contacts as an event-selected system. docs/theory/ess-robots.md.
///
/// Between events every contact has a *mode* (it sticks, slips, or is released: known, and does not push) and every stop and motor a *regime*. With these held the
/// forces are smooth functions of the state, a little beyond the places where the law would change them too, and Dormand and Prince's method (ode/dopri5.h) integrates
///
///     y = (q, v, P, anchors),    P: impulse of each contact since the step began, over the robot's mass
///
/// with error control. The set of contacts is held too; within a step it only grows.
///
/// Each change that can come has a *guard*, a function of (t, y) in metres (radians) that rises through zero there:
///
///     feature that is near     -gap                      touch-down: forces jump
///     contact, released        min(push / K, -gap)       pushes (again); if -gap is the smaller, another touch-down
///     contact, pushes          -push / K                 lift-off: released
///     contact, sticks          (|T| - mu push) / K       slips
///     contact, slips           (mu push - |T|) / K       sticks
///     stop, free               min(push / K, way beyond) pushes: its force jumps
///     stop, pushes             -push / K                 free
///     motor, linear            (|force| - effort) / K    saturated
///     motor, saturated         (effort - |force|) / K    linear
///
/// Guards are met as the public ess.h tells. An *armed* one calls when it enters its band, h > -epsilon: the ordinary step is cut there, and from there the state goes
/// along its velocity in a straight line to the guard that is met first. One that is in its band but moves away, or so slowly that the line would
/// take long, *waits*: it calls at zero, which is found on the interpolant of the ordinary step that passes it. It is armed again when it leaves its band.
/// Guards that are met at the same moment, to rounding, are crossed together.
/// Nothing that grazes is an error here, and what changes to and fro too often in one step is left to its law, and its kinks to the error control.
///
/// Numbers of guards: 2 i and 2 i + 1 are push and grip of contact i, elements() + 2 e and + 1 lower and upper of element e, touches() + id the feature id of the scene.
///
/// All that a step needs is in the state that it starts from: modes at its start are those of the law.
#ifndef FFI_STEP_ESS_H
#define FFI_STEP_ESS_H

#include "ode/dopri5.h"
#include "step/eval/evaluation.h"

enum {
  FFI_ESS_BY_LAW = 3,    ///< beside the modes and regimes: nothing is held and there are no guards
  FFI_ESS_FLIPS = 8,     ///< what changes more often than this in a step is left to its law
  FFI_ESS_NO_GUARD = -1, ///< value of a guard that cannot be met [m]
};

typedef struct ffi_ess {
  ffi_system *s;
  const ffi_state *from; ///< where the sim's step began
  double dt;
  double mass;    ///< that impulses are told in [kg]
  ffi_dopri5 ode; ///< time runs from 0 to dt

  ffi_state *x;         ///< of the last look; its contacts are the set that is held
  ffi_evaluation *at;   ///< the same: the system's present instant
  double *h;            ///< [touches] guards of contacts and elements, the same
  int *mode;            ///< [max_contacts] ff_contact_mode or FFI_ESS_BY_LAW
  int *flips;           ///< [max_contacts] changes of it in this step
  double (*impulse)[3]; ///< [max_contacts] since the step began, over the mass
  int *regime;          ///< [element_count]
  int *regime_flips;    ///< [element_count]

  double *level;      ///< [touches] where a guard calls: -epsilon armed, >= 0 waiting
  signed char *waits; ///< [id_count] of touch-downs, whose level is then 0
  int call_count;
  int *call;          ///< [touches + most_near] guards above their levels
  double *call_value; ///< the same
  double quiet;       ///< excess at the present state, <= 0: no guard calls there
  double alarm;       ///< a stage of the present step had a call at this time; infinite: none did

  double *y;      ///< [size] scratch
  double *f;      ///< [tangent]
  ff_error cause; ///< why there was no rate
  int has_cause;
} ffi_ess;

static inline int ffi_ess_elements(const ffi_ess *e)
{
  return 2 * e->s->max_contacts;
}

static inline int ffi_ess_touches(const ffi_ess *e)
{
  return ffi_ess_elements(e) + 2 * e->s->element_count;
}

// ---- ess_field.c ----

/// y from e->x, and the sizes of y for its set.
void ffi_ess_field_pack(ffi_ess *e, double *y);
/// The instant and the guards at (t, y): e->x, e->at, e->h.
ff_status ffi_ess_field_evaluate(ffi_ess *e, double t, const double *y, ff_error *error);
/// Callbacks of the ode; user is the ffi_ess.
int ffi_ess_field_rate(double t, const double *y, double *rate, void *user);
void ffi_ess_field_retract(const double *y, const double *d, double *out, void *user);
void ffi_ess_field_pull(const double *y, const double *d, const double *velocity, double *rate, void *user);
/// Where there is no damper: unit direction of friction, and the velocity of the anchor along it that keeps the elongation on the rim; negative while it slips.
double ffi_ess_field_anchor_speed(const ffi_contact *c, double d[3]);

// ---- ess_guards.c ----

/// Guards of contacts and elements of e->at, to e->h.
void ffi_ess_guards_evaluate(ffi_ess *e);
double ffi_ess_guards_value(const ffi_ess *e, int guard);
/// List the guards above their levels, or less than `slack` below: e->call. Returns the largest excess; negative: none is above, and the least distance to one that is.
double ffi_ess_guards_collect(ffi_ess *e, double slack);
/// Where a guard calls.
double ffi_ess_guards_level(const ffi_ess *e, int guard);
/// Is every call one that can be answered: armed and still before zero, or waiting and at it?
int ffi_ess_guards_can_cross(const ffi_ess *e);
int ffi_ess_guards_is_waiting(const ffi_ess *e, int guard);
/// Let a guard of this value wait.
void ffi_ess_guards_wait(ffi_ess *e, int guard, double h);
/// Guards that wait and have left their bands are armed.
void ffi_ess_guards_arm(ffi_ess *e);
/// Guards of a contact or element are new ones: those beyond zero already wait.
void ffi_ess_guards_reset(ffi_ess *e, int guard);

// ---- ess_change.c ----

/// The set, its modes and the ode at the start of a step.
ff_status ffi_ess_modes_begin(ffi_ess *e, const ffi_state *from, double dt, ff_error *error);
/// What crossing a guard changes, at the state of the last look; the ode goes on from there.
ff_status ffi_ess_modes_cross(ffi_ess *e, int guard, ff_error *error);

// ---- ess_meet.c ----

/// After an ordinary step: back to where the first guard calls, if one does.
ff_status ffi_ess_crossing_locate(ffi_ess *e, ff_error *error);
/// Cross all guards that call, along straight lines; those that are left wait.
ff_status ffi_ess_crossing_all(ffi_ess *e, ff_error *error);

#endif
