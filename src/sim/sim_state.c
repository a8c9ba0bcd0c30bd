// The state of a sim for the user: start, resets, postures. sim_state_vector.c has the full state as one vector.
#include "base/fail.h"
#include "math/quaternion.h"
#include "model/followers.h"
#include "model/model.h"
#include "sim/sim.h"

#include <math.h>
#include <stdio.h>

void ffi_sim_state_changed(ff_sim *sim)
{
  sim->state->stamp = ++sim->stamps;
}

// With more contacts than max_contacts the next step fails; the contacts of the state can be reported all the same.
ffi_evaluation *ffi_sim_state_present(ff_sim *sim)
{
  if (ffi_evaluation_current(sim->system, sim->state, &sim->present, NULL) != FF_OK)
    ffi_evaluation_at(sim->system, sim->state, FFI_EVALUATION_FIXED, &sim->present, NULL);
  return &sim->present;
}

void ffi_sim_state_clear_inputs(ff_sim *sim)
{
  const size_t bytes = (size_t)sim->system->model->size.nv * sizeof *sim->push;
  if (sim->has_push)
    memset(sim->push, 0, bytes);
  if (sim->has_control)
    memset(sim->control, 0, bytes);
  sim->has_push = sim->has_control = 0;
}

// Set everything of a state but q and v to time 0.
static void rewind_world(ff_sim *sim, ffi_state *x)
{
  const ffi_system *s = sim->system;
  const ff_parameters *p = sim->parameters;
  x->time = 0;
  x->is_placed = 1;
  x->control_work = 0;
  x->next_length = x->log_error = 0;
  x->touching_count = x->pending_count = 0;
  if (x->element_force_count > 0)
    memset(x->element_force, 0, (size_t)x->element_force_count * sizeof *x->element_force);
  for (int i = 0; i < s->element_count; ++i) {
    x->reference[i] = s->elements[i].def.reference;
    x->reference_velocity[i] = s->elements[i].def.reference_velocity;
  }
  for (int g = 0; g < s->colliders->ground_count; ++g) {
    x->ground[g] = p->ground[g];
    memcpy(x->ground_velocity + 6 * g, p->ground_velocity + 6 * g, 6 * sizeof *x->ground_velocity);
  }
}

static void forget(ff_sim *sim)
{
  sim->info = (ff_step_info){.converged = 1};
  sim->history.count = 0;
  sim->totals = (ff_sim_totals){0};
  ffi_sim_judgement_forget(sim);
  sim->last_push.id = -1;
  ffi_sim_state_clear_inputs(sim);
  if (sim->system->model->size.nv > 0)
    memset(sim->tau, 0, (size_t)sim->system->model->size.nv * sizeof *sim->tau);
  ffi_sim_state_changed(sim);
}

void ffi_sim_state_place_followers(const ffi_system *s, double *q, double *v)
{
  int moves = s->world->coupling_count > 0;
  for (int round = 0; moves && round <= s->world->coupling_count; ++round) {
    moves = 0;
    for (int e = 0; e < s->element_count; ++e)
      if (s->elements[e].def.type == FF_ELEMENT_COUPLING && s->elements[e].def.is_rigid &&
          !s->elements[e].is_circular)
        moves |= ffi_followers_place(s->model, &s->elements[e].def, q, v);
  }
}

void ffi_sim_state_start(ff_sim *sim)
{
  const ff_model *model = sim->system->model;
  rewind_world(sim, sim->state);
  ff_model_neutral(model, sim->state->q);
  if (model->size.nv > 0)
    memset(sim->state->v, 0, (size_t)model->size.nv * sizeof *sim->state->v);
  ffi_sim_state_place_followers(sim->system, sim->state->q, sim->state->v);
  forget(sim);
}

// Check q and v: finite, quaternions with a direction, no runaway. The error names the joint.
static ff_status check_motion(const ff_sim *sim, const double *q, const double *v, ff_error *error)
{
  const ff_model *model = sim->system->model;
  for (int i = 0; i < model->size.joints; ++i) {
    const ff_joint_info *joint = &model->joints[i];
    const int has_quaternion = joint->type == FF_JOINT_FREE || joint->type == FF_JOINT_SPHERICAL;
    double unit[4];
    if (q && !ffi_all_finite(q + joint->q, joint->nq))
      return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, "ff_sim_reset", "q of joint '%.200s' is not finite",
                      joint->name);
    const int places = joint->nq - 4 * has_quaternion;
    for (int k = 0; q && k < places; ++k)
      if (fabs(q[joint->q + k]) > FFI_SIM_LARGEST)
        return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, "ff_sim_reset",
                        "q of joint '%.200s' is %g, beyond %g", joint->name, q[joint->q + k],
                        FFI_SIM_LARGEST);
    if (q && has_quaternion && !ffi_quat_normalize(q + joint->q + joint->nq - 4, unit))
      return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, "ff_sim_reset",
                      "the quaternion of joint '%.200s' is zero, so it has no direction", joint->name);
    if (v && !ffi_all_finite(v + joint->v, joint->nv))
      return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, "ff_sim_reset", "v of joint '%.200s' is not finite",
                      joint->name);
    if (v && !ffi_sim_def_allows_velocity(&sim->world->def, v + joint->v, joint->nv))
      return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, "ff_sim_reset",
                      "v of joint '%.200s' is beyond max_speed, %g", joint->name, sim->world->def.max_speed);
    for (int k = 0; v && k < joint->nv; ++k) // max_speed may be infinite
      if (fabs(v[joint->v + k]) > FFI_SIM_LARGEST)
        return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, "ff_sim_reset",
                        "v of joint '%.200s' is %g, beyond %g", joint->name, v[joint->v + k],
                        FFI_SIM_LARGEST);
  }
  return FF_OK;
}

ff_status ff_sim_reset(ff_sim *sim, const double *q, const double *v, ff_error *error)
{
  if (!sim)
    return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, "ff_sim_reset", "the sim is NULL");
  const ff_model *model = sim->system->model;
  const ff_status status = check_motion(sim, q, v, error);
  if (status != FF_OK)
    return status;
  // Through the spare state: q and v may be the sim's own.
  if (q)
    memcpy(sim->workspace->next->q, q, (size_t)model->size.nq * sizeof *q);
  else
    ff_model_neutral(model, sim->workspace->next->q);
  ff_model_normalize(model, sim->workspace->next->q);
  for (int i = 0; i < model->size.nv; ++i)
    sim->workspace->next->v[i] = v ? v[i] : 0;
  ffi_sim_state_place_followers(sim->system, sim->workspace->next->q, sim->workspace->next->v);
  rewind_world(sim, sim->workspace->next);
  ffi_state_copy(sim->system, sim->workspace->next, sim->state);
  forget(sim);
  return FF_OK;
}

// "there is no posture 'x'; there are 'standing', 'lying'", as many as fit.
static ff_status unknown_posture(const ff_model *model, const char *posture, ff_error *error)
{
  char list[400] = "";
  size_t used = 0;
  for (int i = 0; i < model->size.postures && used < sizeof list - 1; ++i)
    used += (size_t)snprintf(list + used, sizeof list - used, "%s'%.60s'", i ? ", " : "",
                             model->postures[i].name);
  if (used >= sizeof list)
    memcpy(list + sizeof list - 4, "...", 4);
  return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, "ff_sim_set_posture",
                  "model '%.60s' has no posture '%.100s'; %s%s", model->name, posture ? posture : "(NULL)",
                  list[0] ? "it has " : "it has none", list);
}

ff_status ff_sim_set_posture(ff_sim *sim, const char *posture, ff_error *error)
{
  if (!sim)
    return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, "ff_sim_set_posture", "the sim is NULL");
  const ff_model *model = sim->system->model;
  const int number = ff_model_find_posture(model, posture);
  if (number < 0)
    return unknown_posture(model, posture, error);
  return ff_sim_reset(sim, ff_model_posture(model, number), NULL, error);
}

double ff_sim_time(const ff_sim *sim)
{
  return sim->state->time;
}

const double *ff_sim_q(const ff_sim *sim)
{
  return sim->state->q;
}

const double *ff_sim_v(const ff_sim *sim)
{
  return sim->state->v;
}
