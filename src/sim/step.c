// One step of a sim, from top to bottom: inputs, the stepper, the check of its result, the counts, the new state.
#include "base/clock.h"
#include "base/fail.h"
#include "math/larger.h"
#include "math/vec3.h"
#include "model/model.h"
#include "sim/sim.h"

// In the order of ff_stepper.
static const ffi_stepper *const steppers[FF_STEPPER_COUNT] = {
    &ffi_expo_stepper, &ffi_expo_paper_stepper, &ffi_euler_stepper, &ffi_symplectic_stepper,
    &ffi_rk4_stepper,  &ffi_implicit_stepper,   &ffi_ess_stepper,   &ffi_moreau_stepper,
    &ffi_ca_stepper,   &ffi_c2a_stepper,
};

const ffi_stepper *ffi_step_find_stepper(ff_stepper stepper)
{
  return steppers[stepper];
}

// Pushes and controls, beside tau.
static void add_inputs(ff_sim *sim)
{
  const int nv = sim->system->model->size.nv;
  for (int i = 0; i < nv && sim->has_push; ++i)
    sim->tau[i] += sim->push[i];
  for (int i = 0; i < nv && sim->has_control; ++i)
    sim->tau[i] += sim->control[i];
}

// tau [nv] or NULL for none; the error names the joint.
static ff_status take_control(ff_sim *sim, const double *tau, ff_error *error)
{
  const ff_model *model = sim->system->model;
  if (!tau && model->size.nv > 0)
    memset(sim->tau, 0, (size_t)model->size.nv * sizeof *sim->tau);
  for (int i = 0; tau && i < model->size.nv; ++i) {
    const double value = tau[i];
    if (!isfinite(value))
      return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, "ff_sim_step",
                      "tau[%d], on joint '%.200s', is %g at t = %.9g s", i,
                      model->joints[model->dof_body[i] - 1].name, value, sim->state->time);
    sim->tau[i] = value;
  }
  add_inputs(sim);
  return FF_OK;
}

static int are_within(const double *x, int count, double most)
{
  int within = 1;
  for (int i = 0; i < count; ++i)
    within &= fabs(x[i]) <= most;
  return within;
}

// A coordinate moved far in this step: is it no faster than max_speed? Quaternions have no range, and change by less
// than 2; components of a velocity in body axes may add up to sqrt(3) of them.
static int is_travel_sound(const ff_sim *sim, const ffi_state *x)
{
  const ff_model *model = sim->system->model;
  const double most = 2 * sim->world->def.max_speed * sim->world->def.dt, *from = sim->state->q;
  int within = are_within(x->q, model->size.nq, FFI_SIM_LARGEST);
  for (int k = 0; k < model->size.nq; ++k)
    within &= fabs(x->q[k] - from[k]) <= FFI_SIM_LARGEST;
  for (int i = 0; i < model->size.joints; ++i) {
    const ff_joint_info *joint = &model->joints[i];
    const int linear = joint->type == FF_JOINT_SPHERICAL ? 0 : joint->nq > 3 ? 3 : joint->nq;
    for (int k = joint->q; k < joint->q + linear; ++k)
      within &= fabs(x->q[k] - from[k]) <= most;
  }
  return within;
}

// A state that ff_sim_set_state() would take: nothing is faster than max_speed or moved faster, and no number is beyond
// those that a state may have. Its tiny numbers become 0.
static int settle(const ff_sim *sim, ffi_state *x)
{
  const ff_sim_def *def = &sim->world->def;
  const double far = 1e-9 * FFI_SIM_LARGEST; // from a sound place it leads to another
  const ffi_state_bounds within = {.speed = fmin(def->max_speed, FFI_SIM_LARGEST),
                                   .travel = fmin(2 * def->max_speed * def->dt, far),
                                   .largest = FFI_SIM_LARGEST};
  int is_near;
  const int sound = ffi_state_settle(sim->system, sim->state, &within, x, &is_near);
  return sound && (is_near || is_travel_sound(sim, x));
}

// Remember the contact with the largest force, for the message of a later failure.
static void remember_push(ff_sim *sim)
{
  const ffi_state *x = sim->workspace->next;
  double most = -1;
  for (int i = 0; i < x->touching_count; ++i) {
    const double square = ffi_v3_dot(x->touching[i].mean_force, x->touching[i].mean_force);
    if (square > most) {
      most = square;
      sim->last_push.id = x->touching[i].id;
    }
  }
  if (most >= 0) {
    sim->last_push.force = sqrt(most);
    sim->last_push.time = x->time;
  }
}

// Work of tau, which is constant in the joints' own axes, over the displacement of the joints. Joints of one
// coordinate subtract; others (a floating base is seldom driven) need the logarithm of their group.
static double control_work(const ff_sim *sim)
{
  const ff_model *model = sim->system->model;
  const double *tau = sim->tau, *from = sim->state->q, *to = sim->workspace->next->q;
  double work = 0;
  int has_groups = 0;
  for (int b = 1; b < model->body_count; ++b) {
    const ffi_body *body = &model->bodies[b];
    if (body->nv == 1)
      work += tau[body->v] * (to[body->q] - from[body->q]);
    else
      for (int k = 0; k < body->nv; ++k)
        has_groups |= tau[body->v + k] != 0;
  }
  if (!has_groups)
    return work;
  ff_model_difference(model, from, to, sim->workspace->change);
  for (int b = 1; b < model->body_count; ++b)
    for (int k = 0; model->bodies[b].nv > 1 && k < model->bodies[b].nv; ++k)
      work += tau[model->bodies[b].v + k] * sim->workspace->change[model->bodies[b].v + k];
  return work;
}

static void account(ff_sim *sim)
{
  sim->info.contacts = 0;
  for (int i = 0; i < sim->workspace->next->touching_count; ++i)
    sim->info.contacts += sim->workspace->next->touching[i].stored >= 0; // others have vanished
  ffi_sim_info_add(&sim->info, &sim->totals);
  remember_push(sim);
}

// What follows the physics: checks `next` of the workspace, judges and counts the step, and makes `next` the present
// state. Of a step in lanes ffi_sim_robot_step_finish() does the same.
static ff_status finish(ff_sim *sim, int has_tau, ff_error *error)
{
  ff_error cause;
  double judging = 0;

  // A state that no robot can be in is refused; the one before the step stays.
  const double start = sim->world->def.timing ? ffi_clock_seconds() : 0;
  if (!settle(sim, sim->workspace->next))
    return ffi_sim_failure(sim, NULL, error);

  // Hard steppers couple velocities; positions follow exactly.
  if (ff_stepper_is_hard(sim->world->def.stepper))
    ffi_sim_state_place_followers(sim->system, sim->workspace->next->q, NULL);

  // Tunnelling, which the step may have overlooked.
  if (sim->world->def.watch_passing)
    ffi_sim_tunnelling(sim);

  // Energy from nowhere: reported, or refused if it is absurd.
  if (has_tau || sim->has_push || sim->has_control)
    sim->workspace->next->control_work += control_work(sim);
  if (!are_within(&sim->workspace->next->control_work, 1, FFI_SIM_LARGEST))
    return ffi_sim_failure(sim, NULL, error);
  sim->workspace->next->stamp = ++sim->stamps;
  judging -= sim->world->def.timing ? ffi_clock_seconds() : 0;
  if (ffi_sim_judgement_end(sim, &cause) != FF_OK)
    return ffi_sim_failure(sim, &cause, error);
  judging += sim->world->def.timing ? ffi_clock_seconds() : 0;

  // Counts.
  account(sim);
  ffi_sim_state_clear_inputs(sim); // they were for this step

  // Pending references of motors with a delay that are due.
  if (sim->world->max_pending > 0 && ffi_sim_elements_take_due(sim->world, sim->workspace->next))
    sim->workspace->next->stamp = ++sim->stamps; // its evaluation was with the references before

  // The new state becomes the present one, in its place.
  ffi_state_copy(sim->system, sim->workspace->next, sim->state);
  if (sim->world->def.timing)
    sim->info.seconds[FF_PHASE_UPDATE] += ffi_clock_seconds() - start;
  sim->info.judging = judging;
  return FF_OK;
}

ff_status ff_sim_step(ff_sim *sim, const double *tau, ff_error *error)
{
  if (!sim)
    return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, "ff_sim_step", "the sim is NULL");

  // The inputs of the user for this step.
  ff_status status = take_control(sim, tau, error);
  if (status != FF_OK)
    return status;

  sim->info = (ff_step_info){.converged = 1};
  sim->history.count = 0;

  // The energy that the judgement compares with.
  ffi_sim_judgement_begin(sim);

  // The physics: contacts, rows, forces, and the state one dt later. See step/system/stepper.h and the stepper's own
  // file.
  ff_error cause;
  sim->system->has_motion = 0;
  ffi_early_stop_begin(&sim->interrupt, sim->world->def.time_limit);
  if (!ffi_early_stop_found(&sim->interrupt))
    status =
        sim->world->stepper->step(sim->system, sim->state, sim->world->def.dt, sim->workspace->next, &cause);
  if (sim->interrupt.cause != FFI_EARLY_STOP_NONE) // whatever it returned
    return ffi_sim_interrupt_failure(sim, error);
  if (status != FF_OK)
    return ffi_sim_failure(sim, &cause, error);

  // Checks, counts; the new state becomes the present one.
  return finish(sim, tau != NULL, error);
}

ff_status ff_sim_run(ff_sim *sim, int steps, ff_control control, void *user, int *done, ff_error *error)
{
  int taken = 0;
  ff_status status = FF_OK;
  if (done)
    *done = 0;
  if (!sim)
    return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, "ff_sim_run", "the sim is NULL");
  if (steps < 0)
    return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, "ff_sim_run", "steps is %d; it must be 0 or more",
                    steps);
  const int nv = sim->system->model->size.nv;
  for (; taken < steps; ++taken) {
    double *tau = NULL;
    if (control) {
      tau = sim->workspace->tau;
      for (int i = 0; i < nv; ++i)
        tau[i] = 0;
      if (!control(sim, tau, user))
        break;
    }
    status = ff_sim_step(sim, tau, error);
    if (status != FF_OK)
      break;
  }
  if (done)
    *done = taken;
  return status;
}
