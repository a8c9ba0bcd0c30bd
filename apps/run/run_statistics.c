// Statistics of a run. They must cost little compared with a step: counts come from the step's own info, contacts are
// read only while some slip, and the energy is computed a thousand times per run.
#include "cli/memory.h"
#include "run/run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ENERGY_SAMPLES = 1000 }; // per run

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

static const double *base_of(const ffi_run_scene *scene, int which, const double *q)
{
  ff_joint_info joint;
  ff_model_joint(scene->model, scene->bases[which], &joint);
  return q + joint.q;
}

static void sample_energy(const ffi_run_scene *scene, ffi_run_result *result)
{
  const ff_energy energy = ff_sim_energy(scene->sim);
  result->energy_end = energy.total;
  result->energy_most = fmax(result->energy_most, energy.total);
  result->work = energy.control_work;
}

void ffi_run_statistics_begin(const ffi_run_scene *scene, long long steps, ffi_run_statistics *statistics,
                              ffi_run_result *result)
{
  *statistics = (ffi_run_statistics){.dt = ff_sim_dt(scene->sim)};
  statistics->energy_every = steps / ENERGY_SAMPLES > 0 ? steps / ENERGY_SAMPLES : 1;
  result->energy_start = ff_sim_energy(scene->sim).total;
  result->energy_most = result->energy_end = result->energy_start;
  ff_sim_contacts(scene->sim, &result->contacts_most);
  for (int i = 0; i < scene->base_count; ++i) {
    ffi_run_base *base = &result->bases[i];
    memcpy(base->start, base_of(scene, i, scene->q), sizeof base->start);
    base->height_start = height_above(&scene->plane, base->start);
  }
}

// Path length of a slipping contact in one step. On the ground it is that of its anchor, which is right for every
// stepper, even for one whose anchors lag behind the points. `before` is NULL if it is new or was not read.
static double slip_of(const ff_contact *now, const ff_contact *before, double dt)
{
  double square = 0;
  if (!before || now->link_b >= 0)
    return dt * hypot(now->slip[0], now->slip[1]);
  for (int k = 0; k < 3; ++k)
    square += (now->anchor[k] - before->anchor[k]) * (now->anchor[k] - before->anchor[k]);
  return sqrt(square);
}

// Adds the path length of slipping contacts. Contacts are in the order of their ids, now and before.
static void add_slip(ff_sim *sim, long long step, ffi_run_statistics *s, double *slip)
{
  const int has_before = s->contact_step == step - 1 && step > 1;
  int count, b = 0;
  const ff_contact *now = ff_sim_contacts(sim, &count);
  for (int i = 0; i < count; ++i) {
    while (b < s->contact_count && s->contacts[b].id < now[i].id)
      ++b;
    const int is_known = has_before && b < s->contact_count && s->contacts[b].id == now[i].id;
    if (now[i].mode == FF_CONTACT_SLIP)
      *slip += slip_of(&now[i], is_known ? &s->contacts[b] : NULL, s->dt);
  }
  if (count > s->contact_room) {
    s->contact_room = 2 * count;
    s->contacts = ffi_memory_need(s->contacts, (size_t)s->contact_room * sizeof *s->contacts);
  }
  if (count > 0)
    memcpy(s->contacts, now, (size_t)count * sizeof *now);
  s->contact_count = count;
  s->contact_step = step;
}

void ffi_run_statistics_step(const ffi_run_scene *scene, ffi_run_statistics *statistics,
                             ffi_run_result *result)
{
  const ff_step_info *info = ff_sim_info(scene->sim);
  result->contacts_most = info->contacts > result->contacts_most ? info->contacts : result->contacts_most;
  result->events_capped += info->events_capped != 0;
  result->iterations += info->iterations;
  result->iterations_most =
      info->iterations > result->iterations_most ? info->iterations : result->iterations_most;
  result->fallbacks += info->fallbacks;
  if (info->slipping > 0)
    add_slip(scene->sim, result->steps, statistics, &result->slip);
  if (result->steps % statistics->energy_every == 0)
    sample_energy(scene, result);
  if (scene->has_task && !scene->batch) // a batch observes its runs itself
    ff_scene_watch(scene->scene);
}

void ffi_run_statistics_end(const ffi_run_scene *scene, ffi_run_statistics *statistics,
                            ffi_run_result *result)
{
  free(statistics->contacts);
  statistics->contacts = NULL;
  sample_energy(scene, result);
  ff_scene_get_result(scene->scene, &result->task);
  result->penetration = ff_sim_get_totals(scene->sim).worst_penetration;
  for (int i = 0; i < scene->base_count; ++i) {
    double before[3], after[3];
    ffi_run_base *base = &result->bases[i];
    const double *pose = base_of(scene, i, ff_scene_now_q(scene->scene));
    memcpy(base->end, pose, sizeof base->end);
    base->height_end = height_above(&scene->plane, pose);
    axis_z(base_of(scene, i, scene->q) + 3, before);
    axis_z(pose + 3, after);
    const double c = before[0] * after[0] + before[1] * after[1] + before[2] * after[2];
    base->tilt = acos(fmin(1, fmax(-1, c)));
  }
}

// At less than half its height. A scene's ground may be anywhere, and a base frame may lie on it: the scene itself
// watches the one robot that it has.
static int is_down(const ffi_run_scene *scene, const ffi_run_result *result, const ffi_run_base *base)
{
  const double stood = base->height_start - (scene->gap > 0 ? scene->gap : 0); // its height after landing
  if (scene->has_task)
    return scene->base >= 0 && result->task.height < 0.5;
  return stood > 1e-3 && base->height_end < 0.5 * stood;
}

int ffi_run_statistics_has_fallen(const ffi_run_scene *scene, const ffi_run_result *result, int which)
{
  ff_joint_info next;
  const int joint = scene->bases[which];
  const int has_limbs = ff_model_joint(scene->model, joint + 1, &next) == FF_OK && next.parent == joint;
  const ffi_run_base *base = &result->bases[which];
  return has_limbs && (base->tilt > 0.7853981633974483 || is_down(scene, result, base));
}
