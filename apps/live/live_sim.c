// The scene of a live page. It steps its sim itself, not by ff_scene_step(), because the user's push is added to the
// torques; the controller is a pure function of time and state, so the result is the same. To change a field it loads
// the scene again, and copies the full state from the old sim to the new one.
#include "cli/memory.h"
#include "cli/options/overrides.h"
#include "live/live.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---- Loading ----------------------------------------------------------------------------------------------

static ff_status load(const ffi_live_sim *live, ff_scene **out, ff_error *error)
{
  ff_scene_override *all =
      ffi_memory_need(NULL, ((size_t)live->given->count + FFI_LIVE_FIELDS) * sizeof *all);
  int count = live->given->count;
  if (count > 0)
    memcpy(all, live->given->list, (size_t)count * sizeof *all);
  for (int i = 0; i < live->field_count; ++i)
    all[count++] = (ff_scene_override){.path = live->fields[i], .value = live->values[i]};
  const ff_status status = ff_scene_load(live->path, all, count, out, error);
  free(all);
  return status;
}

static ffi_view_about about_scene(const ffi_live_sim *live, const ff_scene *scene)
{
  const ff_sim_def def = ff_scene_sim_def(scene);
  ffi_view_about about = {.model = ff_scene_model(scene),
                          .ground = def.ground,
                          .ground_count = def.ground_count,
                          .scene = scene,
                          .title = ff_scene_get_def(scene)->title,
                          .file = live->path,
                          .stepper = ff_stepper_name(def.stepper),
                          .dt = def.dt,
                          .spacing = def.dt,
                          .most = 1 << 20};
  if (def.ground_count < 0) {
    about.ground = &live->plane;
    about.ground_count = !ff_model_has_ground(about.model);
  }
  return about;
}

static void drop_scene(ffi_live_sim *live)
{
  ffi_run_motor_forces_end(&live->motor_forces);
  if (live->recorder)
    ffi_view_record_drop(live->recorder);
  ff_dynamics_destroy(live->dynamics);
  ff_scene_destroy(live->scene);
}

// Replaces the scene. On failure the old one stays, and the new one is destroyed.
static ff_status adopt(ffi_live_sim *live, ff_scene *scene, ff_error *error)
{
  const size_t nv = (size_t)ff_model_get_size(ff_scene_model(scene)).nv;
  const ffi_view_about about = about_scene(live, scene);
  ff_dynamics *dynamics = NULL;
  const ff_status status = ff_dynamics_create(about.model, NULL, &dynamics, error);
  ffi_view_recorder *recorder = status == FF_OK ? ffi_view_record_begin(&about) : NULL;
  if (!recorder) {
    ff_dynamics_destroy(dynamics);
    ff_scene_destroy(scene);
    return status != FF_OK ? status : FF_ERROR_MEMORY;
  }
  drop_scene(live);
  live->scene = scene;
  live->dynamics = dynamics;
  live->recorder = recorder;
  ffi_run_motor_forces_begin(&live->motor_forces, live->scene);
  live->tau = ffi_memory_need(live->tau, (nv + 1) * sizeof *live->tau);
  live->control = ffi_memory_need(live->control, (nv + 1) * sizeof *live->control);
  live->jacobian = ffi_memory_need(live->jacobian, (3 * nv + 1) * sizeof *live->jacobian);
  memset(live->control, 0, nv * sizeof *live->control);
  live->control_until = -INFINITY;
  return FF_OK;
}

int ffi_live_sim_open(ffi_live_sim *live, const char *path, const ffi_overrides *given, ff_error *error)
{
  ff_scene *scene;
  *live =
      (ffi_live_sim){.path = path, .given = given, .push = {.frame = -1}, .plane = ff_ground_def_default()};
  if (load(live, &scene, error) != FF_OK)
    return 0;
  if (!ff_scene_cut(scene))
    return adopt(live, scene, error) == FF_OK;
  ff_scene_destroy(scene);
  error->status = FF_ERROR_UNSUPPORTED;
  snprintf(error->message, sizeof error->message,
           "%s: '--live' does not support cut coordinates; add '--set coordinates=minimal'", path);
  return 0;
}

void ffi_live_sim_close(ffi_live_sim *live)
{
  drop_scene(live);
  free(live->tau);
  free(live->control);
  free(live->jacobian);
  *live = (ffi_live_sim){0};
}

// ---- Stepping ---------------------------------------------------------------------------------------------

// Spring and damper of the push along one axis, at a point of mobility u [1/kg]: half of critical damping for the
// robot's mass, limited to what is stable for a force that is constant over a step.
static void choose_hand(const ffi_live_sim *live, double u, double *k, double *b)
{
  const double dt = ff_sim_dt(ff_scene_sim(live->scene)), mass = ff_model_mass(ff_scene_model(live->scene));
  *k = fmin(live->push.stiffness, 0.1 / (dt * dt * u));
  *b = fmin(sqrt(*k * mass), 0.3 / (dt * u));
}

// tau += J' f of the push.
static void add_push(ffi_live_sim *live, const double *q, const double *v)
{
  const int nv = ff_model_get_size(ff_scene_model(live->scene)).nv;
  const ff_point point = {.frame = live->push.frame,
                          .offset = {live->push.point[0], live->push.point[1], live->push.point[2]}};
  double position[3], R[9], U[9], k, b;
  ff_error error;
  ff_dynamics_kinematics(live->dynamics, q, v, NULL);
  ff_dynamics_frame_pose(live->dynamics, point.frame, position, R);
  ff_dynamics_point_jacobian(live->dynamics, 1, &point, live->jacobian);
  ff_dynamics_crba(live->dynamics, NULL);
  if (ff_dynamics_factor(live->dynamics, &error) != FF_OK)
    return;
  ff_dynamics_delassus(live->dynamics, 1, &point, U);
  for (int i = 0; i < 3; ++i) {
    double at = position[i], speed = 0;
    for (int j = 0; j < 3; ++j)
      at += R[3 * i + j] * point.offset[j];
    for (int j = 0; j < nv; ++j)
      speed += live->jacobian[i * nv + j] * v[j];
    choose_hand(live, fmax(U[4 * i], 1e-9), &k, &b);
    const double force = k * (live->push.target[i] - at) - b * speed;
    for (int j = 0; j < nv; ++j)
      live->tau[j] += live->jacobian[i * nv + j] * force;
  }
}

// Under a push a controller can ask for any torque; motors have limits.
static void limit_control(const ffi_live_sim *live)
{
  const ff_model *model = ff_scene_model(live->scene);
  const int joints = ff_model_get_size(model).joints;
  for (int j = 0; j < joints; ++j) {
    ff_joint_info joint;
    ff_model_joint(model, j, &joint);
    if (joint.nv == 1 && joint.effort > 0)
      live->control[joint.v] = fmax(-joint.effort, fmin(joint.effort, live->control[joint.v]));
  }
}

ff_status ffi_live_sim_step(ffi_live_sim *live, ff_error *error)
{
  ff_sim *sim = ff_scene_sim(live->scene);
  const double time = ff_sim_time(sim), *q = ff_sim_q(sim), *v = ff_sim_v(sim);
  const size_t nv = (size_t)ff_model_get_size(ff_scene_model(live->scene)).nv;
  if (time >= live->control_until - 1e-9) {
    memset(live->control, 0, nv * sizeof *live->control);
    const ff_status status = ff_scene_control(live->scene, time, q, v, live->control, error);
    if (status != FF_OK)
      return status;
    limit_control(live);
    live->control_until = time + ff_scene_period(live->scene);
  }
  memcpy(live->tau, live->control, nv * sizeof *live->tau);
  if (live->push.frame >= 0)
    add_push(live, q, v);
  return ff_sim_step(sim, live->tau, error);
}

ff_status ffi_live_sim_reset(ffi_live_sim *live, ff_error *error)
{
  live->control_until = -INFINITY;
  return ff_scene_reset_sim(live->scene, ff_scene_sim(live->scene), error);
}

// ---- Changes ----------------------------------------------------------------------------------------------

// The index of a field among those that were changed, a new one if need be; -1: there is no room.
static int place_of(ffi_live_sim *live, const char *field)
{
  for (int i = 0; i < live->field_count; ++i)
    if (strcmp(live->fields[i], field) == 0)
      return i;
  if (live->field_count == FFI_LIVE_FIELDS)
    return -1;
  snprintf(live->fields[live->field_count], FFI_LIVE_VALUE_SIZE, "%s", field);
  live->values[live->field_count][0] = '\0';
  return live->field_count++;
}

// Copies the state of the present sim to another scene's.
static ff_status carry_over(const ffi_live_sim *live, ff_scene *to, ff_error *error)
{
  const ff_sim *sim = ff_scene_sim(live->scene);
  double *state = ffi_memory_need(NULL, ((size_t)ff_sim_state_size(sim) + 1) * sizeof *state);
  ff_sim_get_state(sim, state);
  const ff_status status = ff_sim_set_state(ff_scene_sim(to), state, error);
  free(state);
  return status;
}

ff_status ffi_live_sim_set(ffi_live_sim *live, const char *field, const char *value, ff_error *error)
{
  char before[FFI_LIVE_VALUE_SIZE];
  ff_scene *scene = NULL;
  const int count = live->field_count, at = place_of(live, field);
  if (at < 0) {
    snprintf(error->message, sizeof error->message, "%s: too many fields were changed", field);
    return error->status = FF_ERROR_ARGUMENT;
  }
  memcpy(before, live->values[at], sizeof before);
  snprintf(live->values[at], FFI_LIVE_VALUE_SIZE, "%s", value);
  ff_status status = load(live, &scene, error);
  if (status == FF_OK && (status = carry_over(live, scene, error)) != FF_OK)
    ff_scene_destroy(scene);
  if (status == FF_OK)
    status = adopt(live, scene, error);
  if (status == FF_OK)
    return FF_OK;
  memcpy(live->values[at], before, sizeof before);
  live->field_count = count;
  return status;
}

// ---- What it is -------------------------------------------------------------------------------------------

ffi_view_about ffi_live_sim_about(const ffi_live_sim *live)
{
  return about_scene(live, live->scene);
}

ff_record_state ffi_live_sim_state(ffi_live_sim *live)
{
  ff_sim *sim = ff_scene_sim(live->scene);
  ff_record_state state = {.time = ff_sim_time(sim),
                           .q = ff_sim_q(sim),
                           .v = ff_sim_v(sim),
                           .tau = live->control,
                           .motor = ffi_run_motor_forces_get(&live->motor_forces, live->scene)};
  state.energy = ff_sim_energy(sim);
  state.contacts = ff_scene_contacts(live->scene, &state.contact_count);
  return state;
}

ff_material ffi_live_sim_material(const ffi_live_sim *live)
{
  const ff_sim_def def = ff_scene_sim_def(live->scene);
  ff_material material = ff_material_default();
  if (def.ground_count > 0 && def.ground[0].gives_pair)
    return def.ground[0].shape.material;
  ff_model_common_material(ff_scene_model(live->scene), &material);
  return material;
}
