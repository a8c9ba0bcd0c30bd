// Guards: their values at one state, and which of them trigger. ess-robots.md, section 2
#include "contact/law/flag_law.h"
#include "math/vec3.h"
#include "step/ess/ess.h"
#include "step/eval/anchor.h"

#include <math.h>

// Roots are located to within this [m], [rad]: far below any tolerance, above the rounding of positions of a hundred
// metres.
static const double at_zero = 1e-13;

// ---- Values ------------------------------------------------------------------------------------------------

static double push_guard(int mode, const ffi_contact *c)
{
  const double pushed = c->law.push / c->K;
  if (mode == FFI_ESS_BY_LAW)
    return FFI_ESS_NO_GUARD;
  if (c->near.pair < 0) // shapes are far apart
    return mode == FF_CONTACT_RELEASED ? -FFI_EVALUATION_NEAR_MARGIN : FFI_EVALUATION_NEAR_MARGIN;
  return mode == FF_CONTACT_RELEASED ? fmin(pushed, -c->near.gap) : -pushed;
}

// With a slip flag a slipping contact sticks where it is slow. Without a damper its elongation is on the rim of the
// friction disc, and it sticks where its anchor would have to be pushed. Velocities become metres by the time in
// which the spring would stop the mass of the robot.
static double slip_guard(int has_flag, const ffi_contact *c, double beyond, double mass)
{
  double d[3];
  if (has_flag) {
    ffi_anchor_tangential(c->near.normal, c->u, d);
    return (FFI_FLAG_LAW_LEAST_SPEED - ffi_v3_norm(d)) * sqrt(mass / c->K);
  }
  return c->B > 0 ? -beyond : ffi_ess_field_anchor_speed(c, d) * sqrt(mass / c->K);
}

static double grip_guard(int mode, int has_flag, const ffi_contact *c, double mass)
{
  const double beyond = (c->law.trial_norm - c->mu * c->law.push) / c->K;
  if (c->near.pair < 0 || !(c->mu > 0) || mode == FF_CONTACT_RELEASED || mode == FFI_ESS_BY_LAW)
    return FFI_ESS_NO_GUARD;
  return mode == FF_CONTACT_STICK ? beyond : slip_guard(has_flag, c, beyond, mass);
}

// h[0]: lower, h[1]: upper.
static void joint_guards(const ff_element_def *def, int regime, double q, const ffi_joint_law_row *row,
                         double h[2])
{
  const double scale = def->stiffness > 0 ? def->stiffness : fmax(def->damping, 1e-300);
  h[0] = h[1] = FFI_ESS_NO_GUARD;
  if (regime == FFI_ESS_BY_LAW)
    return;
  if (ffi_joint_law_saturates(def)) {
    const double force = -def->stiffness * row->x - def->damping * row->u;
    if (regime <= 0)
      h[0] = (regime == 0 ? -def->effort - force : force + def->effort) / scale;
    if (regime >= 0)
      h[1] = (regime == 0 ? force - def->effort : def->effort - force) / scale;
  } else {
    const double lower = def->lower - q, upper = q - def->upper, slide = def->damping * row->u;
    if (regime <= 0) {
      const double push = (def->stiffness * lower - slide) / scale;
      h[0] = regime == 0 ? fmin(push, lower) : -push;
    }
    if (regime >= 0) {
      const double push = (def->stiffness * upper + slide) / scale;
      h[1] = regime == 0 ? fmin(push, upper) : -push;
    }
  }
  for (int k = 0; k < 2; ++k) // without a limit they are infinite
    h[k] = fmax(h[k], FFI_ESS_NO_GUARD);
}

void ffi_ess_guards_evaluate(ffi_ess *e)
{
  const int has_flags = ffi_stepper_has_slip_flags(e->s->def);
  for (int i = 0; i < e->at->count; ++i) {
    e->h[2 * i] = push_guard(e->mode[i], &e->at->contact[i]);
    e->h[2 * i + 1] = grip_guard(e->mode[i], has_flags, &e->at->contact[i], e->mass);
  }
  double *h = e->h + ffi_ess_elements(e);
  for (int k = 0; k < e->s->law_count; ++k)
    h[2 * k] = h[2 * k + 1] = FFI_ESS_NO_GUARD; // far from its stops
  for (int r = 0; r < e->at->joint_row_count; ++r) {
    const int k = e->at->joint_row_element[r];
    joint_guards(&e->s->elements[k].def, e->regime[k], ffi_line_position(&e->s->elements[k].line, e->x->q),
                 &e->at->joint_row[r], h + 2 * k);
  }
  ffi_ess_turning_guards(e);
}

double ffi_ess_guards_value(const ffi_ess *e, int guard)
{
  const int id = guard - ffi_ess_touches(e);
  if (id < 0)
    return e->h[guard];
  for (int n = 0; n < e->at->near_count; ++n)
    if (e->at->near[n].id == id)
      return -e->at->near[n].gap;
  return -FFI_EVALUATION_NEAR_MARGIN;
}

// ---- Triggered guards
// -------------------------------------------------------------------------------------------------

int ffi_ess_guards_is_waiting(const ffi_ess *e, int guard)
{
  const int id = guard - ffi_ess_touches(e);
  return id < 0 ? e->level[guard] >= 0 : e->waits[id];
}

double ffi_ess_guards_level(const ffi_ess *e, int guard)
{
  const int id = guard - ffi_ess_touches(e);
  return id < 0 ? e->level[guard] : e->waits[id] ? 0 : -e->s->def->ess.epsilon;
}

static void collect(ffi_ess *e, int guard, double h, double level, double slack, double *most)
{
  const double excess = h - level;
  *most = fmax(*most, excess);
  if (!(excess > -slack))
    return;
  e->triggered[e->triggered_count] = guard;
  e->triggered_value[e->triggered_count++] = h;
}

// Behind the guards of elements and of turning that are in use.
static int end_of_turns(const ffi_ess *e)
{
  return ffi_ess_turns(e) + (e->s->has_turning ? 2 * e->at->count : 0);
}

double ffi_ess_guards_collect(ffi_ess *e, double slack)
{
  const int elements = ffi_ess_elements(e), touches = ffi_ess_touches(e);
  double most = FFI_ESS_NO_GUARD;
  e->triggered_count = 0;
  for (int g = 0; g < 2 * e->at->count; ++g)
    collect(e, g, e->h[g], e->level[g], slack, &most);
  for (int g = elements, end = end_of_turns(e); g < end; ++g)
    collect(e, g, e->h[g], e->level[g], slack, &most);
  for (int n = 0, t = 0; n < e->at->near_count; ++n) { // both in order of ids
    const ffi_detect_candidate *near = &e->at->near[n];
    while (t < e->at->count && e->at->contact[t].near.id < near->id)
      ++t;
    if (t == e->at->count || e->at->contact[t].near.id != near->id)
      collect(e, touches + near->id, -near->gap, ffi_ess_guards_level(e, touches + near->id), slack, &most);
  }
  return most;
}

int ffi_ess_guards_can_cross(const ffi_ess *e)
{
  const double half = e->s->def->ess.epsilon / 2;
  for (int k = 0; k < e->triggered_count; ++k) {
    const double excess = e->triggered_value[k] - ffi_ess_guards_level(e, e->triggered[k]);
    if (excess > (ffi_ess_guards_is_waiting(e, e->triggered[k]) ? at_zero : half))
      return 0;
  }
  return e->triggered_count > 0;
}

// ---- Levels ------------------------------------------------------------------------------------------------

void ffi_ess_guards_wait(ffi_ess *e, int guard, double h)
{
  const int id = guard - ffi_ess_touches(e);
  if (id < 0)
    e->level[guard] = fmax(h, 0);
  else
    e->waits[id] = 1;
}

static void arm(ffi_ess *e, int first, int end)
{
  const double epsilon = e->s->def->ess.epsilon;
  for (int g = first; g < end; ++g)
    if (e->level[g] >= 0)
      e->level[g] = e->h[g] <= -epsilon ? -epsilon : fmin(e->level[g], fmax(e->h[g], 0));
}

void ffi_ess_guards_arm(ffi_ess *e)
{
  arm(e, 0, 2 * e->at->count);
  arm(e, ffi_ess_elements(e), end_of_turns(e));
  for (int n = 0; n < e->at->near_count; ++n)
    if (e->at->near[n].gap >= e->s->def->ess.epsilon)
      e->waits[e->at->near[n].id] = 0;
}

void ffi_ess_guards_reset(ffi_ess *e, int guard)
{
  const int is_one =
      guard >= ffi_ess_turns(e); // torsional and rolling friction have nothing to do with each other
  const int first = is_one ? guard : guard - guard % 2;
  for (int g = first; g < first + (is_one ? 1 : 2); ++g)
    e->level[g] = e->h[g] >= 0 ? e->h[g] : -e->s->def->ess.epsilon;
}
