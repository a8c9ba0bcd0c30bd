// Makes the message of a failed step: which joint, which contact, and what to try. It reads the state before the
// step, which is sound, and what can be read of the result.
#include "base/fail.h"
#include "math/vec3.h"
#include "model/model.h"
#include "sim/sim.h"

#include <stdio.h>

// The words of a cause, without the thing that they begin with.
static const char *without_thing(const ff_error *cause)
{
  const size_t length = strlen(cause->thing);
  const int has_thing = length > 0 && strncmp(cause->message, cause->thing, length) == 0 &&
                        strncmp(cause->message + length, ": ", 2) == 0;
  return has_thing ? cause->message + length + 2 : cause->message;
}

// ---- The body ----------------------------------------------------------------------------------------------

// The joint that is not finite, or the fastest one; its largest velocity, NaN if it is not finite.
static int fastest_joint(const ff_model *model, const ffi_state *x, int *component, double *speed)
{
  int worst = 0;
  *speed = -1;
  *component = 0;
  for (int i = 0; i < model->size.joints; ++i) {
    const ff_joint_info *joint = &model->joints[i];
    if (!ffi_all_finite(x->q + joint->q, joint->nq) || !ffi_all_finite(x->v + joint->v, joint->nv)) {
      *speed = (double)NAN;
      return i;
    }
    for (int k = 0; k < joint->nv; ++k)
      if (fabs(x->v[joint->v + k]) > *speed) {
        *speed = fabs(x->v[joint->v + k]);
        *component = k;
        worst = i;
      }
  }
  return worst;
}

// The joint that moved farthest in the step, by which coordinate, and how far [rad] or [m]; quaternions are not
// counted.
static int farthest_joint(const ff_sim *sim, int *component, double *travel)
{
  const ff_model *model = sim->system->model;
  int worst = 0;
  *travel = 0;
  *component = 0;
  for (int i = 0; i < model->size.joints; ++i) {
    const ff_joint_info *joint = &model->joints[i];
    const int linear = joint->type == FF_JOINT_SPHERICAL ? 0 : joint->nq > 3 ? 3 : joint->nq;
    for (int k = joint->q; k < joint->q + linear; ++k) {
      const double moved = fabs(sim->workspace->next->q[k] - sim->state->q[k]);
      if (moved > *travel) {
        *travel = moved;
        *component = k - joint->q;
        worst = i;
      }
    }
  }
  return worst;
}

static int is_length(const ff_joint_info *joint, int component)
{
  switch (joint->type) {
  case FF_JOINT_FREE: return component < 3;
  case FF_JOINT_PLANAR: return component < 2;
  case FF_JOINT_PRISMATIC: return 1;
  default: return 0;
  }
}

static const char *unit_of(const ff_joint_info *joint, int component)
{
  return is_length(joint, component) ? "m/s" : "rad/s";
}

// "would make joint 'knee' move at 2e+05 rad/s", and the link as the error's thing.
static void name_body(const ff_sim *sim, char *thing, size_t thing_size, char *text, size_t size)
{
  const ff_model *model = sim->system->model;
  int component, moved;
  double speed, travel;
  int number = fastest_joint(model, sim->workspace->next, &component, &speed);
  const int farthest = farthest_joint(sim, &moved, &travel);
  const double max_speed = sim->world->def.max_speed;
  const int is_travel = speed <= max_speed && travel > max_speed * sim->world->def.dt;
  if (is_travel)
    number = farthest;
  const ff_joint_info *joint = &model->joints[number];
  snprintf(thing, thing_size, "link '%.100s'", model->links[joint->link].name);
  if (isnan(speed))
    snprintf(text, size, "would not leave joint '%.80s' finite", joint->name);
  else if (is_travel)
    snprintf(text, size, "would move joint '%.80s' by %.3g %s, faster than max_speed, %g", joint->name,
             travel, is_length(joint, moved) ? "m" : "rad", sim->world->def.max_speed);
  else if (speed <= sim->world->def.max_speed)
    snprintf(text, size, "would not leave the contacts finite");
  else
    snprintf(text, size, "would make joint '%.80s' move at %.3g %s (max_speed is %g)", joint->name, speed,
             unit_of(joint, component), sim->world->def.max_speed);
}

// "failed: " and the words of the stepper. Most of its causes name no body: then the fastest one before the step is
// named, and its link is the error's thing.
static void name_cause(const ff_sim *sim, const ff_error *cause, char *thing, size_t thing_size, char *text,
                       size_t size)
{
  const ff_model *model = sim->system->model;
  const char *words = without_thing(cause);
  int component;
  double speed;
  snprintf(thing, thing_size, "%.100s", cause->thing);
  snprintf(text, size, "failed: %.300s", words);
  if (model->size.joints == 0 || strstr(words, "joint '") || strstr(words, "link '"))
    return;
  const ff_joint_info *joint = &model->joints[fastest_joint(model, sim->state, &component, &speed)];
  snprintf(thing, thing_size, "link '%.100s'", model->links[joint->link].name);
  snprintf(text, size, "failed: %.300s. Fastest before it: joint '%.80s', %.3g %s", words, joint->name, speed,
           unit_of(joint, component));
}

// ---- The contact -------------------------------------------------------------------------------------------

// The contact with the largest force at the state before the step; if none pushes, the deepest.
static const ffi_contact *hardest(const ffi_evaluation *report, double *force)
{
  const ffi_contact *worst = NULL;
  *force = 0;
  for (int i = 0; i < report->count; ++i) {
    const ffi_contact *c = &report->contact[i];
    const double size = ffi_v3_norm(c->law.force);
    if (c->near.pair >= 0 && (!worst || size > *force || (size == *force && c->near.gap < worst->near.gap))) {
      worst = c;
      *force = size;
    }
  }
  return worst;
}

static const ffi_collider_pair *pair_of_id(const ffi_colliders *colliders, int id)
{
  for (int i = 0; i < colliders->pair_count; ++i)
    if (id >= colliders->pairs[i].first_id && id < colliders->pairs[i].first_id + colliders->pairs[i].most)
      return &colliders->pairs[i];
  return NULL;
}

// At the state before the step, or if nothing touches there, the last contact.
static void name_contact(ff_sim *sim, char *text, size_t size)
{
  const ffi_colliders *colliders = sim->system->colliders;
  double force;
  const ffi_contact *c = hardest(ffi_sim_state_present(sim), &force);
  const ffi_collider_pair *last = pair_of_id(colliders, sim->last_push.id);
  const double deep = c ? 0 - 1e3 * c->near.gap : 0;
  if (c && force > 0)
    snprintf(text, size, "Hardest contact before it: %s, %.3g N, %.3g mm deep.",
             ffi_sim_contacts_label(sim, &colliders->pairs[c->near.pair]).text, force, deep);
  else if (c && deep > 0) // shapes that began inside each other, or part too fast to push
    snprintf(text, size, "No contact pushed before it; deepest: %s, %.3g mm.",
             ffi_sim_contacts_label(sim, &colliders->pairs[c->near.pair]).text, deep);
  else if (last)
    snprintf(text, size, "Last contact before it: %s, %.3g N, until t = %.9g s.",
             ffi_sim_contacts_label(sim, last).text, sim->last_push.force, sim->last_push.time);
  else
    snprintf(text, size, "Nothing was in contact before it.");
}

// ---- Advice ------------------------------------------------------------------------------------------------

// |1 + y + y^2/2 + y^3/6 + y^4/24| <= 1 for y = r exp(i angle), of which `cosine` is the cosine of the angle?
static int is_rk4_stable(double r, double cosine)
{
  const double re = r * cosine, im = r * sqrt(fmax(0, 1 - cosine * cosine));
  double sum[2] = {1, 0};
  for (int k = 4; k >= 1; --k) { // Horner
    const double a = sum[0] / k, b = sum[1] / k;
    sum[0] = 1 + a * re - b * im;
    sum[1] = a * im + b * re;
  }
  return sum[0] * sum[0] + sum[1] * sum[1] <= 1;
}

// The boundary of stability of Runge-Kutta 4 in the direction of the eigenvalue -z + i sqrt(1 - z^2): 2.83 on the
// imaginary axis, 2.95 at z = 0.1, 2.62 at z = 0.55, 2.79 on the real axis. A ray crosses it once.
static double rk4_bound(double z)
{
  double low = 2, high = 4;
  for (int k = 0; k < 40; ++k) {
    const double middle = 0.5 * (low + high);
    *(is_rk4_stable(middle, -fmin(z, 1)) ? &low : &high) = middle;
  }
  return low;
}

// Longest stable step on x'' = -w^2 x - 2 z w x' (steppers.md, sections 2 and 3): explicit and semi-implicit Euler by
// Jury's test.
static double stable_dt(ff_stepper stepper, double w, double z)
{
  const double fastest = z < 1 ? w : w * (z + sqrt(z * z - 1));
  switch (stepper) {
  case FF_STEPPER_EULER: return fmin(4 * z, 1 / z) / w;
  case FF_STEPPER_SYMPLECTIC: return 2 / w * (sqrt(z * z + 1) - z);
  default: return rk4_bound(z) / fastest;
  }
}

// The next lower of 1, 2, 5 times a power of ten.
static double round_down(double x)
{
  const double power = pow(10, floor(log10(x))), digit = x / power;
  return power * (digit >= 5 ? 5 : digit >= 2 ? 2 : 1);
}

// For an explicit stepper: half of the longest step that contacts and elements allow.
static void advise_explicit(ff_sim *sim, char *text, size_t size)
{
  double stiffness, damping, dt = 0;
  ffi_sim_stiffness(sim, &stiffness, &damping);
  if (stiffness > 0)
    dt = 0.5 * stable_dt(sim->world->def.stepper, sqrt(stiffness), 0.5 * damping / sqrt(stiffness));
  else if (damping > 0)
    dt = 0.5 * 2 / damping;
  if (stiffness > 0 && dt == 0) {
    snprintf(text, size, "'%s' has no stable dt on springs without damping: try the stepper 'expo'",
             ff_stepper_name(sim->world->def.stepper));
    return;
  }
  // The known springs are not the cause, or they change too fast.
  if (!(dt > 0) || dt > sim->world->def.dt / 2)
    dt = sim->world->def.dt / 4;
  snprintf(text, size, "Try dt = %g ms or less, or the stepper 'expo', which stays stable in stiff contact",
           1e3 * round_down(dt));
}

// Torques from outside, and no motors inside the step.
static int has_control(const ff_sim *sim)
{
  if (sim->world->element_count > 0)
    return 0;
  for (int i = 0; i < sim->system->model->size.nv; ++i)
    if (sim->tau[i] != 0)
      return 1;
  return 0;
}

static const char feedback_advice[] =
    ", or hold the joints with motors inside the step (in a scene the controller posture-pd, in C "
    "FF_ELEMENT_JOINT_PD) instead of torques";

static void advise(ff_sim *sim, char *text, size_t size)
{
  const double shorter = 1e3 * round_down(sim->world->def.dt / 2);
  switch (sim->world->def.stepper) {
  case FF_STEPPER_EULER:
  case FF_STEPPER_SYMPLECTIC:
  case FF_STEPPER_RK4: advise_explicit(sim, text, size); break;
  case FF_STEPPER_IMPLICIT:
    snprintf(text, size, "%sTry dt = %g ms, or the stepper 'expo'",
             sim->info.converged ? "" : "Newton's method did not converge. ", shorter);
    break;
  case FF_STEPPER_ESS:
    snprintf(text, size, "Try the stepper 'expo', which takes long steps in stiff contact");
    break;
  case FF_STEPPER_MOREAU:
  case FF_STEPPER_CA:
  case FF_STEPPER_C2A:
    snprintf(text, size, "%sTry dt = %g ms%s",
             sim->info.converged ? "" : "The contact solver did not converge. ", shorter,
             has_control(sim) ? feedback_advice : "");
    break;
  case FF_STEPPER_EXPO_PAPER: snprintf(text, size, "Try the stepper 'expo', or dt = %g ms", shorter); break;
  case FF_STEPPER_EXPO:
    snprintf(text, size, "Try dt = %g ms%s", shorter, has_control(sim) ? feedback_advice : "");
    break;
  }
}

ff_status ffi_sim_failure(ff_sim *sim, const ff_error *cause, ff_error *error)
{
  char thing[128] = "", body[480], contact[400], advice[240] = "";
  const ff_status status = cause ? cause->status : FF_ERROR_NUMERIC;
  if (!error)
    return status;
  const double milli = 1e3 * sim->world->def.dt;
  const char *stepper = ff_stepper_name(sim->world->def.stepper);
  if (cause)
    name_cause(sim, cause, thing, sizeof thing, body, sizeof body);
  else
    name_body(sim, thing, sizeof thing, body, sizeof body);
  name_contact(sim, contact, sizeof contact);
  if (status != FF_ERROR_LIMIT) // its cause says which limit to raise
    advise(sim, advice, sizeof advice);
  return ffi_fail(error, status, NULL, 0, thing, "at t = %.9g s a step of %g ms with '%s' %s. %s%s%s",
                  sim->state->time, milli, stepper, body, contact, advice[0] ? " " : "", advice);
}
