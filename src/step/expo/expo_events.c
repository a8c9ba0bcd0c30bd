// Events of contacts in the frozen motion: lift-off, slip, stick. See expo_events.h.
#include "step/expo/expo_events.h"

#include "contact/law/flag_law.h"
#include "math/poles.h"
#include "math/vec3.h"
#include "step/eval/anchor.h"
#include "step/expo/expo_dense_output.h"

#include <math.h>
#include <string.h>

// Rounding of a speed near the least speed [m/s].
static const double speed_slack = 1e-12;

// Corners of one body that slides without turning reach the least speed together, but for rounding and for their
// springs. The first that sticks would take friction off the others, and they would slide on. So events nearer than
// this share of dt, the window of a step's first events, are one.
static const double tied = 1.0 / (1 << 20);

// Weights that give the integrals of J xi'' up to a fraction of the subinterval, as ffi_frozen.weight does for its end:
// docs/theory/exponential.md, section "Dense output".
static void place_weight(const ffi_frozen *z, double fraction, int sample, ffi_expo_events *w)
{
  double c[FFI_COMPLEX];
  if (fraction < 1)
    ffi_poles_inside(fraction, c);
  else
    memcpy(c, ffi_poles_c, sizeof c);
  for (int k = 0; k < FFI_POLES; ++k)
    for (int order = 1; order < 3; ++order) {
      double *out = (order == 1 ? w->velocity_weight : w->position_weight) + sample * FFI_COMPLEX;
      const double re = z->inverse[order][k], im = z->inverse[order][4 + k];
      out[k] = -2 * (c[k] * re - c[4 + k] * im);
      out[4 + k] = 2 * (c[k] * im + c[4 + k] * re);
    }
}

void ffi_expo_events_layout(const ffi_system *s, ffi_block *block, const ffi_frozen *z, ffi_expo_events *out)
{
  const size_t contacts = (size_t)s->max_contacts + 1;
  memset(out, 0, sizeof *out);
  for (int k = 0; k < FFI_EXPO_SAMPLES; ++k)
    place_weight(z, (k + 1.0) / FFI_EXPO_SAMPLES, k, out);
  out->elongation = ffi_block_take(block, contacts, sizeof *out->elongation);
  out->friction = ffi_block_take(block, contacts, sizeof *out->friction);
  out->lift = ffi_block_take(block, contacts, sizeof *out->lift);
  out->grip = ffi_block_take(block, contacts, sizeof *out->grip);
  out->when = ffi_block_take(block, contacts, sizeof *out->when);
  out->next = ffi_block_take(block, contacts, sizeof *out->next);
  ffi_expo_joint_events_layout(s, block, z, &out->joints);
}

void ffi_expo_events_begin(ffi_expo_events *w, const ffi_system *s, const ffi_evaluation *at,
                           const ffi_state *from, const ff_contact_mode *mode, const int *contact_block)
{
  w->at = at;
  w->mode = mode;
  w->contact_block = contact_block;
  w->time = INFINITY;
  w->has_flags = ffi_stepper_has_slip_flags(s->def);
  w->tie = w->has_flags ? tied * s->def->dt : 0;
  ffi_expo_joint_events_begin(&w->joints, s, at, from);
}

// With a flag: speed beyond the one at which the contact sticks. A contact that moves along with its friction has
// reversed. The least speed is below mu lambda_n/B as well, or it would slip again at once.
static double flagged_grip(const double n[3], const double d[3], double mu, double B, double push,
                           const double u[3])
{
  double ut[3];
  ffi_anchor_tangential(n, u, ut);
  const double back = ffi_v3_dot(ut, d), rim = mu * fmax(push, 0);
  const double least = B * FFI_FLAG_LAW_LEAST_SPEED > rim ? rim / B : FFI_FLAG_LAW_LEAST_SPEED;
  return (back < 0 ? ffi_v3_norm(ut) : -back) - least;
}

// At the start: a mode that rounding puts beyond its bounds counts as just within them.
static void first_sample(ffi_expo_events *w, const ffi_frozen_block *b, int i)
{
  const ffi_contact *c = &w->at->contact[i];
  const double limit = c->mu * c->law.normal_force;
  w->lift[i] = w->mode[i] == FF_CONTACT_RELEASED ? fmin(0, c->law.push) : fmax(0, c->law.push);
  w->grip[i] =
      fmax(0, w->mode[i] == FF_CONTACT_STICK ? limit - c->law.trial_norm : c->law.trial_norm - limit);
  if (b->slides && b->has_flag)
    w->grip[i] = fmax(0, flagged_grip(b->n, b->d, b->mu, b->B, c->law.push, c->u));
  ffi_anchor_tangential(c->near.normal, c->x, w->elongation[i]);
  ffi_v3_scale(-1, w->elongation[i], w->elongation[i]);
  ffi_anchor_tangential(c->near.normal, c->law.force, w->friction[i]);
}

// The rows' offset x and velocity u, docs/theory/exponential.md, eq. 6, at a time tau into the subinterval.
static void position_at(const ffi_frozen_block *b, double t, double tau,
                        const ffi_expo_dense_output_integrals *i, double x[3], double u[3])
{
  for (int r = 0; r < 3; ++r) {
    const double c = b->c[r] + t * b->c1[r];
    x[r] = b->now_x[r] + tau * (b->now_u[r] + tau * (c / 2 + tau * b->c1[r] / 6)) + i->twice[r];
    u[r] = b->now_u[r] + tau * (c + tau * b->c1[r] / 2) + i->once[r];
  }
}

// Friction of a sliding contact is mu lambda_n along d; its small part across is neglected. The anchor follows,
// docs/theory/contact.md, eq. 4.
static double sliding_grip(ffi_expo_events *w, const ffi_frozen_block *b, int i, double h, double push,
                           const double u[3])
{
  double friction[3], ut[3], trial[3];
  if (b->has_flag)
    return flagged_grip(b->n, b->d, b->mu, b->B, push, u);
  ffi_v3_scale(b->mu * push, b->d, friction);
  ffi_contact_law_relax_anchor(b->K, b->B, h, w->friction[i], friction, w->elongation[i], w->elongation[i]);
  ffi_v3_copy(friction, w->friction[i]);
  ffi_anchor_tangential(b->n, u, ut);
  if (!(b->B > 0)) // without damping the trial force is on the disc while it slides: use the velocity itself
    return -b->K * h * ffi_v3_dot(ut, b->d);
  for (int k = 0; k < 3; ++k)
    trial[k] = b->K * w->elongation[i][k] - b->B * ut[k];
  // along the sliding only: a force across it changes the direction and does not end the sliding
  return ffi_v3_dot(trial, b->d) - b->mu * push;
}

static double sticking_grip(const ffi_contact *c, const ffi_frozen_block *b, double push, const double x[3],
                            const double u[3])
{
  double force[3], friction[3];
  for (int k = 0; k < 3; ++k)
    force[k] = -b->K * x[k] - b->B * u[k];
  ffi_anchor_tangential(c->near.normal, force, friction);
  return c->mu * push - sqrt(ffi_v3_dot(friction, friction));
}

// One contact over a subinterval that begins at t.
typedef struct contact_motion {
  const ffi_frozen *z;
  const ffi_frozen_block *block;
  const ffi_contact *contact;
  double t, h;
} contact_motion;

// Normal force, negative values included, at any time tau into the subinterval.
static double push_at(const void *user, double tau)
{
  const contact_motion *p = user;
  const double *n = p->contact->near.normal;
  ffi_expo_dense_output_integrals integrals;
  double x[3], u[3];
  ffi_expo_dense_output(p->z, p->h, tau, 3, p->block->J_alpha, &integrals);
  position_at(p->block, p->t, tau, &integrals, x, u);
  return -p->contact->K * ffi_v3_dot(x, n) - p->contact->B * ffi_v3_dot(u, n);
}

// Mode of a contact that begins to push again. It has no friction yet: it slides if it moves along the surface at
// all, or if its tangential spring is not at rest.
static ff_contact_mode engaging_mode(const ffi_contact *c, int has_flags)
{
  if (has_flags) { // by its flag; a contact that has just begun, or hardly moves, sticks
    double ut[3];
    ffi_anchor_tangential(c->near.normal, c->u, ut);
    return c->slips && ffi_v3_norm(ut) > FFI_FLAG_LAW_LEAST_SPEED ? FF_CONTACT_SLIP : FF_CONTACT_STICK;
  }
  return c->law.trial_norm > 0 || c->mu == 0 ? FF_CONTACT_SLIP : FF_CONTACT_STICK;
}

int ffi_expo_events_changes(const ffi_expo_events *w, int i, double time)
{
  return w->contact_block[i] >= 0 && w->when[i] <= time * (1 + 1e-9) + w->tie;
}

// Keep the earliest change of each contact, and of all.
static void note_at(ffi_expo_events *w, int i, ff_contact_mode next, double when)
{
  if (when >= w->when[i])
    return;
  w->when[i] = when;
  w->next[i] = next;
  w->time = fmin(w->time, when);
}

// When a value changes its sign, from `before` at time t to `after` < 0 at t + h, by linear interpolation.
static double linear_root(double t, double h, double before, double after)
{
  return t + h * (before > 0 ? before / (before - after) : 0);
}

// Does a sticking contact push and stay within its cone at all four samples? The common case, checked at once. 0: it
// may have an event.
static int keeps_sticking(ffi_expo_events *w, const ffi_frozen *z, const ffi_frozen_block *b, int i, double t,
                          double h)
{
  const ffi_contact *c = &w->at->contact[i];
  const double *n = c->near.normal;
  double start[12], force[12];
  ffi_step_kernels_samples samples = {.position_weight = w->position_weight,
                                      .velocity_weight = w->velocity_weight,
                                      .h = h,
                                      .K = b->K,
                                      .B = b->B};
  for (int r = 0; r < 3; ++r) {
    start[r] = b->now_x[r];
    start[3 + r] = b->now_u[r];
    start[6 + r] = b->c[r] + t * b->c1[r];
    start[9 + r] = b->c1[r];
  }
  for (int k = 0; k < FFI_EXPO_SAMPLES; ++k)
    samples.tau[k] = (k + 1) * (h / FFI_EXPO_SAMPLES);
  z->kernels->sample_sticking(&samples, b->J_alpha, start, force);
  double push = 0, square = 0;
  for (int k = 0; k < FFI_EXPO_SAMPLES; ++k) {
    const double x = force[k], y = force[4 + k], f = force[8 + k];
    push = x * n[0] + y * n[1] + f * n[2];
    square = x * x + y * y + f * f - push * push;
    if (!(push > 0 && square < c->mu * c->mu * push * push))
      return 0;
  }
  w->lift[i] = push;
  w->grip[i] = c->mu * push - sqrt(square > 0 ? square : 0);
  return 1;
}

// The sample at tau, x and u there: note an event since the last one, at tau - part. Returns whether the contact has
// one.
static int check_sample(ffi_expo_events *w, const contact_motion *p, int i, double tau, const double x[3],
                        const double u[3])
{
  const ffi_contact *c = p->contact;
  const ffi_frozen_block *b = p->block;
  const double part = p->h / FFI_EXPO_SAMPLES, t = p->t;
  const double push = -c->K * ffi_v3_dot(x, c->near.normal) - c->B * ffi_v3_dot(u, c->near.normal);
  const double slack = 1e-9 * (fabs(push) + fabs(w->lift[i])); // rounding of forces that cancel at rest
  if (w->mode[i] == FF_CONTACT_RELEASED) {
    if (push > slack && ffi_v3_dot(x, c->near.normal) + c->rest <= 0)
      note_at(w, i, engaging_mode(c, w->has_flags),
              t + ffi_expo_dense_output_root(push_at, p, tau - part, tau, w->lift[i], push));
    w->lift[i] = push;
    return w->when[i] < INFINITY;
  }
  if (push < -slack)
    note_at(w, i, FF_CONTACT_RELEASED,
            t + ffi_expo_dense_output_root(push_at, p, tau - part, tau, w->lift[i], push));
  // a sliding contact may have stopped, or been driven back by its own friction, before it lifted off between two
  // samples
  const double grip =
      b->slides ? sliding_grip(w, b, i, part, fmax(0, push), u) : sticking_grip(c, b, push, x, u);
  const double give = b->slides && b->has_flag ? speed_slack : slack;
  if ((push > 0 || b->slides) && grip < -give && c->mu > 0)
    note_at(w, i, b->slides ? FF_CONTACT_STICK : FF_CONTACT_SLIP,
            linear_root(t + tau - part, part, w->grip[i], grip));
  w->lift[i] = push;
  w->grip[i] = grip;
  return w->when[i] < INFINITY;
}

static void search_contact(ffi_expo_events *w, const ffi_frozen *z, const ffi_frozen_block *b, int i,
                           double t, double h)
{
  if (w->mode[i] == FF_CONTACT_STICK && keeps_sticking(w, z, b, i, t, h))
    return;
  double once[3 * FFI_EXPO_SAMPLES], twice[3 * FFI_EXPO_SAMPLES];
  z->kernels->combine(3, b->J_alpha, w->position_weight, twice);
  z->kernels->combine(3, b->J_alpha, w->velocity_weight, once);
  const double part = h / FFI_EXPO_SAMPLES;
  const contact_motion p = {z, b, &w->at->contact[i], t, h};
  for (int k = 0; k < FFI_EXPO_SAMPLES; ++k) {
    const double tau = (k + 1) * part;
    ffi_expo_dense_output_integrals integrals;
    double x[3], u[3];
    for (int r = 0; r < 3; ++r) {
      integrals.twice[r] = h * twice[FFI_EXPO_SAMPLES * r + k];
      integrals.once[r] = once[FFI_EXPO_SAMPLES * r + k];
    }
    position_at(b, t, tau, &integrals, x, u);
    if (check_sample(w, &p, i, tau, x, u))
      return;
  }
}

void ffi_expo_events_search(ffi_frozen *z, double t, double h, void *user)
{
  ffi_expo_events *w = user;
  if (t == 0) // each attempt of a solve, with other subintervals, begins anew
    w->time = INFINITY;
  else if (w->time < INFINITY)
    return;
  for (int i = 0; i < w->at->count; ++i) {
    if (w->contact_block[i] < 0)
      continue;
    if (t == 0) {
      w->when[i] = INFINITY;
      first_sample(w, &z->block[w->contact_block[i]], i);
    }
    search_contact(w, z, &z->block[w->contact_block[i]], i, t, h);
  }
  if (w->joints.system->law_count > 0) {
    ffi_expo_joint_events_search(&w->joints, z, w->position_weight, w->velocity_weight, t, h);
    w->time = fmin(w->time, w->joints.time);
  }
}
