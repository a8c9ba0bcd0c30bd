// What is observed while a sim runs. Looking must stay cheap beside stepping: counts come from the step's own info, contacts are
// looked at only while some slip, and the energy a thousand times in all.
#include "cli/complain.h"
#include "run/run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LOOKS = 1000 }; // at the energy

static void axis_z(const double *quaternion, double z[3])
{
  ff_pose pose = ff_pose_identity();
  double R[9];
  memcpy(pose.quaternion, quaternion, sizeof pose.quaternion);
  ff_pose_rotation(&pose, R);
  for (int k = 0; k < 3; ++k)
    z[k] = R[3 * k + 2];
}

static double height_above(const ff_pose *plane, const double *position)
{
  double n[3];
  axis_z(plane->quaternion, n);
  return n[0] * (position[0] - plane->position[0]) + n[1] * (position[1] - plane->position[1]) +
         n[2] * (position[2] - plane->position[2]);
}

static const double *base_of(const ffi_run_scene *scene, const double *q)
{
  ff_joint_info joint;
  ff_model_joint(scene->model, scene->base, &joint);
  return q + joint.q;
}

static void look_at_energy(const ffi_run_scene *scene, ffi_run_result *result)
{
  const ff_energy energy = ff_sim_energy(scene->sim);
  result->energy_end = energy.total;
  result->energy_most = fmax(result->energy_most, energy.total);
  result->work = energy.control_work;
}

void ffi_run_watch_begin(const ffi_run_scene *scene, long long steps, ffi_run_watch *watch,
                         ffi_run_result *result)
{
  *watch = (ffi_run_watch){.dt = ff_sim_dt(scene->sim)};
  watch->energy_every = steps / LOOKS > 0 ? steps / LOOKS : 1;
  result->energy_start = ff_sim_energy(scene->sim).total;
  result->energy_most = result->energy_end = result->energy_start;
  ff_sim_contacts(scene->sim, &result->contacts_most);
  if (scene->base >= 0) {
    memcpy(result->base_start, base_of(scene, scene->q), sizeof result->base_start);
    result->height_start = height_above(&scene->plane, result->base_start);
  }
}

const double *ffi_run_q(const ffi_run_scene *scene)
{
  return scene->file ? ff_scene_now_q(scene->file) : ff_sim_q(scene->sim);
}

const double *ffi_run_v(const ffi_run_scene *scene)
{
  return scene->file ? ff_scene_now_v(scene->file) : ff_sim_v(scene->sim);
}

const ff_contact *ffi_run_contacts(const ffi_run_scene *scene, int *count)
{
  return scene->file ? ff_scene_contacts(scene->file, count) : ff_sim_contacts(scene->sim, count);
}

// Way of a slipping contact in one step. On the ground it is that of its anchor, which is right for every stepper, even for
// one whose anchors lag behind the points; `before` is NULL if it is new or was not looked at.
static double slip_of(const ff_contact *now, const ff_contact *before, double dt)
{
  double square = 0;
  if (!before || now->link_b >= 0)
    return dt * hypot(now->slip[0], now->slip[1]);
  for (int k = 0; k < 3; ++k)
    square += (now->anchor[k] - before->anchor[k]) * (now->anchor[k] - before->anchor[k]);
  return sqrt(square);
}

// While some slip: the way of those that do. Contacts are in the order of their ids, now and before.
static void watch_slip(ff_sim *sim, long long step, ffi_run_watch *w, double *slip)
{
  const int has_before = w->contact_step == step - 1 && step > 1;
  int count, b = 0;
  const ff_contact *now = ff_sim_contacts(sim, &count);
  for (int i = 0; i < count; ++i) {
    while (b < w->contact_count && w->contacts[b].id < now[i].id)
      ++b;
    const int is_known = has_before && b < w->contact_count && w->contacts[b].id == now[i].id;
    if (now[i].mode == FF_CONTACT_SLIP)
      *slip += slip_of(&now[i], is_known ? &w->contacts[b] : NULL, w->dt);
  }
  if (count > w->contact_room) {
    w->contact_room = 2 * count;
    w->contacts = ffi_need_memory(w->contacts, (size_t)w->contact_room * sizeof *w->contacts);
  }
  if (count > 0)
    memcpy(w->contacts, now, (size_t)count * sizeof *now);
  w->contact_count = count;
  w->contact_step = step;
}

void ffi_run_watch_step(const ffi_run_scene *scene, ffi_run_watch *watch, ffi_run_result *result)
{
  const ff_step_info *info = ff_sim_info(scene->sim);
  result->contacts_most = info->contacts > result->contacts_most ? info->contacts : result->contacts_most;
  result->events_capped += info->events_capped != 0;
  result->iterations += info->iterations;
  result->iterations_most =
      info->iterations > result->iterations_most ? info->iterations : result->iterations_most;
  result->fallbacks += info->fallbacks;
  if (info->slipping > 0)
    watch_slip(scene->sim, result->steps, watch, &result->slip);
  if (result->steps % watch->energy_every == 0)
    look_at_energy(scene, result);
  if (scene->file)
    ff_scene_watch(scene->file);
}

void ffi_run_watch_end(const ffi_run_scene *scene, ffi_run_watch *watch, ffi_run_result *result)
{
  free(watch->contacts);
  watch->contacts = NULL;
  look_at_energy(scene, result);
  if (scene->file)
    ff_scene_get_result(scene->file, &result->task);
  result->penetration = ff_sim_get_totals(scene->sim).worst_penetration;
  if (scene->base < 0)
    return;
  double before[3], after[3];
  const double *base = base_of(scene, ffi_run_q(scene));
  memcpy(result->base_end, base, sizeof result->base_end);
  result->height_end = height_above(&scene->plane, base);
  axis_z(base_of(scene, scene->q) + 3, before);
  axis_z(base + 3, after);
  const double c = before[0] * after[0] + before[1] * after[1] + before[2] * after[2];
  result->tilt = acos(fmin(1, fmax(-1, c)));
}

int ffi_run_has_fallen(const ffi_run_scene *scene, const ffi_run_result *result)
{
  const int has_limbs = ff_model_get_size(scene->model).actuated > 0;
  const double stood = result->height_start - (scene->gap > 0 ? scene->gap : 0); // once it had landed
  return scene->base >= 0 && has_limbs && scene->posture != NULL &&
         (result->tilt > 0.7853981633974483 ||
          (scene->file ? result->task.height < 0.5
                       : result->height_end < 0.5 * stood)); // a scene's ground may be anywhere
}
