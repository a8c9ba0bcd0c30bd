/// ess.h: a robot on compliant contacts as an event-selected system. ess-robots.md.
///
/// Between events every contact has a *mode* (sticks, slips, or is released: known, and does not push) and every stop
/// and motor a *regime*. With constant modes and regimes the forces are smooth functions of the state, also a little
/// beyond the places where the law would change them. Dormand and Prince's method (ode/dopri5.h) integrates
///
///     y = (q, v, P, anchors, e, m)    P: impulse of each contact since the step began, over the robot's mass
///                                     e: elongations of dry friction
///                                     m: moments in the springs of turning and rolling, over that mass
///
/// with error control. The set of contacts is constant too, except that within a step it can grow.
///
/// Each possible change has a *guard*, a function of (t, y) in metres (radians) that rises through zero there
/// (ess-robots.md, section 2):
///
///     feature that is near     -gap                      touch-down: forces jump
///     contact, released        min(push / K, -gap)       pushes (again); if -gap is the smaller, another touch-down
///     contact, pushes          -push / K                 lift-off: released
///     contact, sticks          (|T| - mu push) / K       slips
///     contact, slips           (mu push - |T|) / K       sticks
///     stop, free               min(push / K, depth)      pushes: its force jumps
///     stop, pushes             -push / K                 free
///     motor, linear            (|force| - effort) / K    saturated
///     motor, saturated         (effort - |force|) / K    linear
///     friction, sticks         (|T| - friction) / K      slides, T the force of spring and damper
///     friction, slides         (friction - |T|) / K      sticks
///     turning, as friction     torsional and rolling friction of a contact, its limit by push: ess_turning.c
///
/// Guards are crossed as <footfall/ess.h> describes. An *armed* guard triggers when it enters its band, h > -epsilon.
/// The ordinary step is cut there, and from there the state moves along its velocity in a straight line to the guard
/// that is reached first. A guard that is in its band but moves away, or so slowly that the line would take long,
/// *waits*: it triggers at zero, which is located on the interpolant of the ordinary step that passes it. It is armed
/// again when it leaves its band. Guards that are reached at the same moment, to rounding, are crossed together.
/// Grazing is no error here. What changes to and fro too often in one step follows its law directly, and the error
/// control resolves the kinks.
///
/// Numbers of guards: 2 i and 2 i + 1 are push and grip of contact i, elements() + 2 e and + 1 lower and upper of
/// element e, turns() + 2 i and + 1 torsional and rolling friction of contact i, touches() + id the feature id of the
/// colliders.
///
/// A step needs nothing but the state that it starts from: modes at its start are those of the law.
#ifndef FFI_STEP_ESS_ESS_H
#define FFI_STEP_ESS_ESS_H

#include "ode/dopri5.h"
#include "step/eval/evaluation.h"

enum {
  FFI_ESS_BY_LAW = 3,    ///< in place of a mode or regime: follows its law, without guards
  FFI_ESS_FLIPS = 8,     ///< what changes more often than this in a step follows its law from then on
  FFI_ESS_WORK = 100,    ///< for each of max_steps, and for a hundred more: work beyond that ends the step
  FFI_ESS_NO_GUARD = -1, ///< value of a guard that cannot be reached [m]
};

typedef struct ffi_ess {
  ffi_system *s;
  const ffi_state *from; ///< where the sim's step began
  double dt;
  int touches;    ///< number of the first guard of a feature
  double mass;    ///< that impulses are divided by [kg]
  ffi_dopri5 ode; ///< time runs from 0 to dt

  ffi_state *x;         ///< of the last evaluation; its contacts are the present set
  ffi_evaluation *at;   ///< the same: the present evaluation of the system
  double *h;            ///< [touches] guards of contacts and elements, the same
  int *mode;            ///< [max_contacts] ff_contact_mode or FFI_ESS_BY_LAW
  int *flips;           ///< [max_contacts] changes of it in this step
  double (*impulse)[3]; ///< [max_contacts] since the step began, over the mass
  double (*moment)[3];  ///< [max_contacts] in springs of turning, over the mass; in the axes of anchors
  int *turn_mode;       ///< [2 max_contacts] of torsional and rolling friction, as `mode`
  int *turn_flips;      ///< [2 max_contacts]
  int *regime;          ///< [law_count]
  int *regime_flips;    ///< [law_count]

  double *level;      ///< where a guard triggers: -epsilon armed, >= 0 waiting
  signed char *waits; ///< [id_count] of touch-downs, whose level is then 0
  int triggered_count;
  int *triggered;          ///< [touches + max_candidates] the triggered guards: those above their levels
  double *triggered_value; ///< the same
  double excess;           ///< largest excess at the present state, <= 0: no guard triggers there
  double first_trigger;    ///< earliest stage time of the present step with a triggered guard; infinite: none

  double *y;      ///< [size] scratch
  double *f;      ///< [tangent]
  ff_error cause; ///< why there was no rate
  int has_cause;
} ffi_ess;

static inline int ffi_ess_elements(const ffi_ess *e)
{
  return 2 * e->s->max_contacts;
}

static inline int ffi_ess_turns(const ffi_ess *e)
{
  return ffi_ess_elements(e) + 2 * e->s->law_count;
}

static inline int ffi_ess_touches(const ffi_ess *e)
{
  return e->touches;
}

// ---- ess_field.c ----

/// y from e->x, and the sizes of y for its set.
void ffi_ess_field_pack(ffi_ess *e, double *y);
/// to->element_force: the springs of dry friction, from their elongations in y. Returns what is behind these.
const double *ffi_ess_field_unpack_springs(const ffi_ess *e, const double *springs, ffi_state *to);
/// The evaluation and the guards at (t, y): e->x, e->at, e->h.
ff_status ffi_ess_field_evaluate(ffi_ess *e, double t, const double *y, ff_error *error);
/// Callbacks of the ode; user is the ffi_ess.
int ffi_ess_field_rate(double t, const double *y, double *rate, void *user);
void ffi_ess_field_retract(const double *y, const double *d, double *out, void *user);
void ffi_ess_field_pull(const double *y, const double *d, const double *velocity, double *rate, void *user);
/// Without a damper: unit direction of friction, and the velocity of the anchor along it that keeps the elongation on
/// the rim of the friction disc; negative while it slips.
double ffi_ess_field_anchor_speed(const ffi_contact *c, double d[3]);

// ---- ess_turning.c: nothing where the world has no such friction ----

/// The moments in a state, and modes by the law, of the contacts of e->at.
void ffi_ess_turning_begin(ffi_ess *e, const ffi_state *from);
/// Numbers of y: returns how many; e->moment and e->x from them; those of a state from them.
int ffi_ess_turning_pack(const ffi_ess *e, double *y);
void ffi_ess_turning_unpack(ffi_ess *e, const double *y);
void ffi_ess_turning_store(const ffi_ess *e, const double *y, ffi_state *to);
/// A contact is inserted before `after` others; one begins anew, without moments.
void ffi_ess_turning_insert(ffi_ess *e, int i, size_t after);
void ffi_ess_turning_release(ffi_ess *e, int i);
/// Modes of contact i by the law, at e->at; a guard turns() + k is crossed; guards; moments and their rates in y.
void ffi_ess_turning_choose(ffi_ess *e, int i);
void ffi_ess_turning_cross(ffi_ess *e, int k);
void ffi_ess_turning_guards(ffi_ess *e);
void ffi_ess_turning_rates(ffi_ess *e, double *rate);

// ---- ess_guards.c ----

/// Guards of contacts and elements of e->at, to e->h.
void ffi_ess_guards_evaluate(ffi_ess *e);
double ffi_ess_guards_value(const ffi_ess *e, int guard);
/// List the guards above their levels, or less than `slack` below: e->triggered. Returns the largest excess; if
/// negative, none is above, and it is the least distance to one.
double ffi_ess_guards_collect(ffi_ess *e, double slack);
/// Where a guard triggers.
double ffi_ess_guards_level(const ffi_ess *e, int guard);
/// Can every triggered guard be crossed from here: armed and still before zero, or waiting and at it?
int ffi_ess_guards_can_cross(const ffi_ess *e);
int ffi_ess_guards_is_waiting(const ffi_ess *e, int guard);
/// Let a guard of this value wait.
void ffi_ess_guards_wait(ffi_ess *e, int guard, double h);
/// Guards that wait and have left their bands are armed.
void ffi_ess_guards_arm(ffi_ess *e);
/// Guards of a contact or element after a change: those beyond zero already wait.
void ffi_ess_guards_reset(ffi_ess *e, int guard);

// ---- ess_modes.c ----

/// The set of contacts, its modes and the integrator at the start of a step.
ff_status ffi_ess_modes_begin(ffi_ess *e, const ffi_state *from, double dt, ff_error *error);
/// What crossing a guard changes, at the state of the last evaluation. The integrator goes on from there.
ff_status ffi_ess_modes_cross(ffi_ess *e, int guard, ff_error *error);

// ---- ess_crossing.c ----

/// After an ordinary step: back to where the first guard triggers, if one does.
ff_status ffi_ess_crossing_locate(ffi_ess *e, ff_error *error);
/// Cross all triggered guards, along straight lines. Those that are left wait.
ff_status ffi_ess_crossing_all(ffi_ess *e, ff_error *error);

#endif
