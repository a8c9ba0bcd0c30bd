// Conservative advancement with the error of velocities and control of the error of energies, Algorithm 2 of the c2a
// paper. Where the listing has slips:
//   line 17   f at q''_{i+1}, where the second half ends, as in lines 9 and 11
//   line 22   |e_E|
//   line 30   v* goes through the impact map at the extrapolated position
// Beyond the listing: the last accepted length is the first guess for the next (the listing begins each with dt), and
// the path to the extrapolated position, which no bound of the listing covers, is checked too. c2a.md, section 3
#include "step/hard/c2a.h"
#include "model/model.h"

#include <math.h>

void *ffi_c2a_layout(const ffi_system *s, ffi_block *block)
{
  const size_t nv = (size_t)s->model->size.nv;
  ffi_c2a *c = ffi_block_keep(block, 1, sizeof *c);
  ffi_c2a p = {.substep = ffi_hard_step_memory_layout(s, block),
               .advance = ffi_advance_layout(s->colliders, block)};
  p.now = ffi_state_layout(s, block);
  p.one = ffi_state_layout(s, block);
  p.half = ffi_state_layout(s, block);
  p.two = ffi_state_layout(s, block);
  double **const by_velocity[] = {&p.displacement, &p.velocity_error, &p.delta, &p.turned, &p.change};
  for (size_t i = 0; i < sizeof by_velocity / sizeof *by_velocity; ++i)
    *by_velocity[i] = ffi_block_take(block, nv, sizeof(double));
  p.at = ffi_block_take(block, (size_t)s->model->size.nq, sizeof *p.at);
  p.rate = ffi_block_take(block, (size_t)s->model->body_count, sizeof *p.rate);
  p.push = ffi_block_take(block, (size_t)s->max_contacts, sizeof *p.push);
  p.element_impulse =
      ffi_block_take(block, (size_t)s->world->shape.element_force_count, sizeof *p.element_impulse);
  if (!c)
    return NULL;
  *c = p;
  return c;
}

// The listing's 0.9 eps/|e_E| (line 23). The error is of second order in h, so its root would do. At most ten times
// shorter at once, since the first try may be far off.
static double shorter(double tolerance, double error)
{
  return fmax(0.1, 0.9 * tolerance / error);
}

// And the next step after one that was taken: at most twice as long. A step that the end of the sim's step cut short
// says nothing against the last length.
static double next_length(double h, int is_cut, double last, double tolerance, double error)
{
  const double next = error > 0 ? h * fmin(2, fmax(0.5, 0.9 * sqrt(tolerance / error))) : 2 * h;
  return is_cut ? fmax(next, last) : next;
}

static double kinetic_of(const ffi_system *s, const double *q, const double *v)
{
  double height;
  return ffi_state_kinematics_energy(s, q, v, &height);
}

static double tolerance_of(const ffi_system *s, double energy)
{
  const ff_c2a_def *def = &s->def->c2a;
  return def->absolute_error + (s->def->accuracy > 0 ? s->def->accuracy : def->relative_error) * energy;
}

// Below this energy the absolute tolerance is the larger part, and a share says nothing.
static double least_energy(const ffi_system *s)
{
  const double share = s->def->accuracy > 0 ? s->def->accuracy : s->def->c2a.relative_error;
  return fmax(s->def->c2a.absolute_error / fmax(share, 1e-6), 1e-12);
}

/// The outcome of a try.
typedef struct outcome {
  ff_c2a_reason reason;
  double free_time; // known free time, where that was too short [s]
  double error;     // |e_E| [J]
  double energy;    // E''
  double tolerance;
  ffi_hard_step_evaluation_errors errors; // of its evaluations
} outcome;

// Is a time shorter than asked for? Advancement is exact to rounding where nothing is near.
static int is_short(double time, double asked)
{
  return time < asked * (1 - 1e-12);
}

// An Euler step of a try, which is to be extrapolated.
static ff_status trial_step(ffi_system *s, const ffi_state *from, double h, ffi_state *to, outcome *out,
                            ff_error *error)
{
  ffi_hard_step_request request = ffi_c2a_substep_request(s, from, h, h);
  request.keeps_distance = 1;
  const ff_status status = ffi_c2a_substep_euler(s, &request, to, error);
  ffi_hard_step_evaluation_add_errors(&((const ffi_c2a *)s->memory)->substep->evaluation.errors,
                                      &out->errors);
  return status;
}

// One try of h, lines 8-28.
static ff_status attempt(ffi_system *s, double h, outcome *out, ff_error *error)
{
  ffi_c2a *c = s->memory;
  const ff_c2a_def *def = &s->def->c2a;
  ff_status status;
  *out = (outcome){.reason = FF_C2A_HALFWAY};
  if ((status = trial_step(s, c->now, h, c->one, out, error)) != FF_OK ||
      (status = trial_step(s, c->now, h / 2, c->half, out, error)) != FF_OK)
    return status;
  out->free_time = 2 * ffi_c2a_advance_free_time(s, c->half, c->half->v, NULL, h / 2);
  if (is_short(out->free_time, h))
    return FF_OK;
  if ((status = trial_step(s, c->half, h / 2, c->two, out, error)) != FF_OK)
    return status;
  out->reason = FF_C2A_ENERGY;
  ffi_c2a_substep_extrapolate(s, h);
  out->energy = kinetic_of(s, c->two->q, c->two->v);
  out->error = fabs(kinetic_of(s, c->one->q, c->one->v) - out->energy);
  // What bounced in only one of the two has the same energy, and there is nothing to extrapolate. For smooth motion
  // this is of fourth order.
  out->error = fmax(out->error, kinetic_of(s, c->now->q, c->velocity_error));
  out->tolerance = tolerance_of(s, out->energy);
  if (def->error_control && !(out->error <= out->tolerance))
    return FF_OK;
  out->reason = FF_C2A_DOUBT;
  out->free_time = ffi_c2a_advance_free_time(s, c->now, c->now->v, c->velocity_error, h);
  if (is_short(out->free_time, h))
    return FF_OK;
  out->reason = FF_C2A_PATH;
  double *mean_velocity = c->turned; // scratch
  for (int i = 0; i < s->model->size.nv; ++i)
    mean_velocity[i] = c->displacement[i] / h;
  out->free_time = ffi_c2a_advance_free_time(s, c->now, mean_velocity, NULL, h);
  if (!is_short(out->free_time, h))
    out->reason = FF_C2A_TAKEN;
  return FF_OK;
}

// The next length to try. Bounds that hardly tighten would take for ever, so every second rejection at least halves.
static double retry(double h, int tries, const outcome *o)
{
  const double next = o->reason == FF_C2A_ENERGY ? h * shorter(o->tolerance, o->error) : o->free_time;
  return fmin(next, (tries % 2 ? 0.5 : 0.95) * h);
}

static ff_status force(ffi_system *s, double h, double left, ff_error *error)
{
  ffi_c2a *c = s->memory;
  const ffi_hard_step_request request = ffi_c2a_substep_request(s, c->now, h, h);
  const ff_status status = ffi_c2a_substep_euler(s, &request, c->one, error);
  ffi_hard_step_evaluation_report_errors(&c->substep->evaluation.errors, s->info);
  if (status != FF_OK)
    return status;
  ffi_c2a_tries_record(s, h, FF_C2A_FORCED);
  ffi_c2a_forces_add(s, c->one, h);
  ffi_c2a_close(s, &request, c->one);
  const double next = 2 * fmax(h, s->def->c2a.h_min);
  c->one->next_length = h < left ? next : fmax(next, c->now->next_length);
  ffi_state_copy(s, c->one, c->now);
  return FF_OK;
}

static ff_status take(ffi_system *s, double h, double left, const outcome *o, ff_error *error)
{
  ffi_c2a *c = s->memory;
  ff_step_info *info = s->info;
  ffi_c2a_forces_add(s, c->half, h); // impulse = 2 (h/2 F_half + h/2 F_two) - h F_one, as 2 v'' - v'
  ffi_c2a_forces_add(s, c->two, h);
  ffi_c2a_forces_add(s, c->one, -h);
  const ffi_hard_step_request request = ffi_c2a_substep_request(s, c->two, h, 0);
  const ff_status status = ffi_c2a_substep_finish(s, &request, c->one, error);
  ffi_hard_step_evaluation_report_errors(&o->errors, info);
  ffi_hard_step_evaluation_report_errors(&c->substep->evaluation.errors, info);
  if (status != FF_OK)
    return status;
  ffi_c2a_tries_record(s, h, FF_C2A_TAKEN);
  info->energy_error = fmax(info->energy_error, o->error);
  info->energy_share = fmax(info->energy_share, o->error / fmax(o->energy, least_energy(s)));
  ffi_c2a_forces_add_impact(s, h, c->one);
  ffi_c2a_close(s, &request, c->one);
  c->one->next_length = next_length(h, h == left, c->now->next_length, o->tolerance, o->error);
  ffi_state_copy(s, c->one, c->now);
  return FF_OK;
}

// One substep, at most as long as `left`; its length.
static ff_status simulate(ffi_system *s, double left, double *length, ff_error *error)
{
  ffi_c2a *c = s->memory;
  const double h_min = s->def->c2a.h_min, last = c->now->next_length;
  // Over a longer step Euler loses the energy of a spin in both tries alike, and the error of the energy does not show
  // it: half the gyroscopic time is the limit.
  const double spin = s->def->c2a.error_control ? 0.5 * ffi_hard_step_gyro_time(s, c->now->v) : left;
  const double wish = fmin(spin, last > 0 && s->def->c2a.error_control ? fmin(last, left) : left);
  const double asked = fmax(wish, h_min),
               free_time =
                   h_min < left ? ffi_c2a_advance_free_time(s, c->now, c->now->v, NULL, asked) : asked;
  double h = fmin(free_time, wish);
  for (int tries = 0; h >= h_min && h_min < left; ++tries) {
    outcome o;
    if (ffi_system_is_interrupted(s))
      return FF_ERROR_INTERRUPTED;
    h = left - h < 1e-9 * left ? left : h;
    const ff_status status = attempt(s, h, &o, error);
    if (status != FF_OK)
      return status;
    *length = h;
    if (o.reason == FF_C2A_TAKEN)
      return take(s, h, left, &o, error);
    ffi_c2a_tries_record(s, h, o.reason);
    h = retry(h, tries, &o);
  }
  *length = ffi_c2a_advance_forced_length(s, left, free_time);
  return force(s, *length, left, error);
}

static ff_status step(ffi_system *s, const ffi_state *from, double dt, ffi_state *to, ff_error *error)
{
  ffi_c2a *c = s->memory;
  double left = dt, length = 0;
  ffi_c2a_tries_begin(s, from);
  ff_status status = ffi_c2a_start(s, error);
  while (left > 0) {
    if (ffi_system_is_interrupted(s))
      return FF_ERROR_INTERRUPTED;
    if (status != FF_OK || (status = simulate(s, left, &length, error)) != FF_OK)
      return status;
    left = left - length > 1e-9 * dt && !ffi_c2a_close_is_runaway(s, c->now)
               ? left - length
               : 0; // a rest of rounding is no substep
  }
  ffi_c2a_close_step(s, from, dt, to);
  return FF_OK;
}

const ffi_stepper ffi_c2a_stepper = {.layout = ffi_c2a_layout, .step = step};
