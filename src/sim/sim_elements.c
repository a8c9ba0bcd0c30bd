// Elements and ground for the user: queries, references, forces, and moving ground.
#include "contact/element/element_rows.h"
#include "math/quaternion.h"
#include "sim/sim.h"

static int is_element(const ff_sim *sim, int element)
{
  return sim && element >= 0 && element < sim->system->element_count;
}

int ff_sim_element_count(const ff_sim *sim)
{
  return sim->system->element_count;
}

ff_status ff_sim_element(const ff_sim *sim, int element, ff_element_def *out)
{
  if (!is_element(sim, element) || !out)
    return FF_ERROR_ARGUMENT;
  *out = sim->system->elements[element].def;
  out->reference = sim->state->reference[element];
  out->reference_velocity = sim->state->reference_velocity[element];
  return FF_OK;
}

int ff_sim_find_element(const ff_sim *sim, const char *name)
{
  for (int i = 0; name && i < sim->system->element_count; ++i) {
    const char *other = sim->system->elements[i].def.name;
    if (other && strcmp(name, other) == 0)
      return i;
  }
  return -1;
}

int ff_sim_find_motor(const ff_sim *sim, int joint)
{
  return ffi_sim_controls_motor(sim->world, joint);
}

// Append a pending reference, or replace one given at the same time.
static ff_status queue_reference(ff_sim *sim, int element, double reference, double velocity)
{
  ffi_state *x = sim->state;
  const double due = x->time + sim->world->elements[element].def.delay;
  int at = x->pending_count;
  while (at > 0 && !(x->pending[at - 1].element == element && x->pending[at - 1].due == due))
    --at;
  if (at == 0 && x->pending_count == sim->world->max_pending)
    return FF_ERROR_LIMIT;
  at = at > 0 ? at - 1 : x->pending_count++;
  x->pending[at] = (ffi_state_pending){element, due, reference, velocity};
  return FF_OK;
}

// A reference that is due moves from its due time on. A millionth of a step is rounding of sums of dt.
int ffi_sim_elements_take_due(const ff_world *world, ffi_state *x)
{
  const double slack = 1e-6 * world->def.dt;
  int kept = 0;
  for (int i = 0; i < x->pending_count; ++i) {
    const ffi_state_pending *p = &x->pending[i];
    if (p->due > x->time + slack) {
      x->pending[kept++] = *p;
      continue;
    }
    x->reference[p->element] = p->reference + fmax(0, x->time - p->due) * p->velocity;
    x->reference_velocity[p->element] = p->velocity;
  }
  const int taken = x->pending_count - kept;
  x->pending_count = kept;
  return taken;
}

ff_status ff_sim_set_reference(ff_sim *sim, int element, double reference, double velocity)
{
  if (!is_element(sim, element) || sim->system->elements[element].def.type != FF_ELEMENT_JOINT_PD ||
      !isfinite(reference) || !isfinite(velocity))
    return FF_ERROR_ARGUMENT;
  if (sim->world->elements[element].def.delay > 0)
    return queue_reference(sim, element, reference, velocity);
  sim->state->reference[element] = reference;
  sim->state->reference_velocity[element] = velocity;
  const int is_evaluated = sim->present.stamp == sim->state->stamp;
  ffi_sim_state_changed(sim);
  if (is_evaluated) { // the evaluation of the state stays, but for this motor
    ffi_evaluation_set_motor(sim->system, sim->state, element, &sim->present);
    sim->present.stamp = sim->state->stamp;
  }
  return FF_OK;
}

// Force of a rigid constraint or stop: the mean over the last step, from its rows to world axes.
static void rigid_force(ff_sim *sim, int element, double *force)
{
  const ffi_system *s = sim->system;
  const double *mean = sim->state->element_force + s->elements[element].force_at;
  ffi_element_rows rows;
  const ffi_poses places = ffi_state_kinematics_places(&ffi_sim_state_present(sim)->at);
  ffi_element_rows_set(s->model, &s->elements[element].def, places.body, &rows);
  if (rows.count == 0)
    force[0] = mean[0];
  for (int r = 0; r < rows.count; ++r)
    ffi_v3_add_scaled(mean[r], rows.direction[r], force + (r < rows.linear ? 0 : 3));
}

ff_status ff_sim_element_force(ff_sim *sim, int element, double *force)
{
  if (!is_element(sim, element) || !force)
    return FF_ERROR_ARGUMENT;
  const ff_element_type type = sim->system->elements[element].def.type;
  const int is_joint = ff_element_type_is_joint(type) || type == FF_ELEMENT_COUPLING;
  const int rows = is_joint ? 1 : type == FF_ELEMENT_POINT ? 3 : 6;
  for (int i = 0; i < rows; ++i) // a stop that is far away has no row
    force[i] = 0;
  if (ff_stepper_is_hard(sim->world->def.stepper) && type != FF_ELEMENT_JOINT_PD) {
    rigid_force(sim, element, force);
    return FF_OK;
  }
  const ffi_evaluation *report = ffi_sim_state_present(sim);
  int row = element < report->joint_row_count ? element : report->joint_row_count - 1;
  while (row >= 0 && report->joint_row_element[row] > element) // in the order of elements, some left out
    --row;
  if (row >= 0 && report->joint_row_element[row] == element)
    force[0] = report->joint_row[row].force;
  for (int i = 0; i < report->constraint_count; ++i)
    if (report->constraint[i].element == element && is_joint)
      force[0] = report->constraint[i].force[0];
    else if (report->constraint[i].element == element)
      ffi_v3_copy(report->constraint[i].force, force + (report->constraint[i].angular ? 3 : 0));
  return FF_OK;
}

ff_status ff_sim_move_ground(ff_sim *sim, int ground, const ff_pose *pose, const double velocity[6])
{
  double quaternion[4];
  if (!sim || ground < 0 || ground >= sim->system->colliders->ground_count)
    return FF_ERROR_ARGUMENT;
  if (pose && (!ffi_all_finite(pose->position, 3) || !ffi_quat_normalize(pose->quaternion, quaternion)))
    return FF_ERROR_ARGUMENT;
  if (velocity && !ffi_sim_def_allows_velocity(&sim->world->def, velocity, 6))
    return FF_ERROR_ARGUMENT;
  if (pose) {
    ffi_quat_matrix(quaternion, sim->state->ground[ground].R);
    ffi_m3_snap(sim->state->ground[ground].R);
    ffi_v3_copy(pose->position, sim->state->ground[ground].p);
    sim->state->is_placed = 1; // the user who moves it does the work
  }
  if (velocity)
    memcpy(sim->state->ground_velocity + 6 * ground, velocity, 6 * sizeof *velocity);
  ffi_sim_state_changed(sim);
  return FF_OK;
}
