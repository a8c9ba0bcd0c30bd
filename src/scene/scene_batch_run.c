// One run of a batch: each step is observed, torques are computed, and what became of it is noted.
#include "scene/scene_batch.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---- A view becomes a run -------------------------------------------------------------------------------------------

void ffi_scene_batch_run_enter(ff_scene_batch *b, ffi_scene_view *view, int racer, ff_sim *sim)
{
  const ffi_scene_racer *r = &b->racers[racer];
  ff_scene *s = &view->scene;
  ff_dynamics *dynamics = s->watch.dynamics;
  s->q = r->q;
  s->v = r->v;
  s->tau = r->tau;
  s->pushes = r->pushes;
  s->sim = sim;
  s->step = r->step > 0 ? r->step : 0;
  s->watch = r->watch;
  s->watch.dynamics = dynamics;
}

void ffi_scene_batch_run_leave(ff_scene_batch *b, ffi_scene_view *view, int racer)
{
  b->racers[racer].watch = view->scene.watch;
  b->racers[racer].step = view->scene.step;
}

// ---- What became of it ----------------------------------------------------------------------------------------------

// A floating base that carries others is a robot's, which can fall.
static int is_robot(const ff_scene *scene)
{
  ff_joint_info next;
  const int base = scene->watch.base;
  return base >= 0 && ff_model_joint(scene->model, base + 1, &next) == FF_OK && next.parent == base;
}

static ff_scene_outcome judge(const ff_scene *scene, const ff_scene_result *result, ff_status status)
{
  if (status != FF_OK)
    return FF_SCENE_FAILED;
  if (!result->is_upright && (scene->def->expect.upright || is_robot(scene)))
    return FF_SCENE_FELL;
  return result->missed > 0 ? FF_SCENE_MISSED : FF_SCENE_FINISHED;
}

void ffi_scene_batch_run_end(ff_scene_batch *b, const ffi_scene_view *view, int racer, ff_status status,
                             const char *why)
{
  const ff_scene *scene = &view->scene;
  const int run = b->wave + racer;
  ff_scene_run *out = &b->runs[run];
  ff_scene_result result;
  ff_scene_get_result(scene, &result);
  const ff_energy energy = ff_sim_energy(scene->sim);
  *out = (ff_scene_run){.outcome = judge(scene, &result, status),
                        .status = status,
                        .time = ff_sim_time(scene->sim),
                        .position = {NAN, NAN, NAN},
                        .tilt = result.tilt_most,
                        .speed = result.speed,
                        .final_speed = result.final_speed,
                        .energy = energy.kinetic + energy.potential + energy.elastic,
                        .penetration = result.penetration};
  if (scene->watch.base >= 0)
    memcpy(out->position, ff_scene_now_q(scene) + scene->watch.base_q, sizeof out->position);
  why = status != FF_OK ? why : result.missed > 0 ? result.misses : "";
  if (out->outcome == FF_SCENE_FELL && !*why)
    why = "not upright";
  b->why[run] = *why ? malloc(strlen(why) + 1) : NULL; // without memory nothing is said
  if (b->why[run])
    strcpy(b->why[run], why);
  out->why = b->why[run] ? b->why[run] : "";
  b->racers[racer].has_ended = 1;
}

// ---- The controller of the batch ------------------------------------------------------------------------------------

// Any view that no other thread has: there is one for each.
static ffi_scene_view *take_view(ff_scene_batch *b)
{
  for (int i = 0;; i = (i + 1) % b->view_count) {
    int nobody = 0;
    if (atomic_compare_exchange_strong(&b->views[i].is_taken, &nobody, 1))
      return &b->views[i];
  }
}

// After a step, or at the start.
static void observe(ff_scene *scene, int is_start)
{
  if (is_start) {
    ffi_scene_watch_start(scene);
    return;
  }
  ++scene->step;
  ff_scene_watch(scene);
}

// The controller at the start of a period; torques are held over it.
static ff_status compute(ff_scene *scene, ff_error *error)
{
  if (!ffi_scene_has_forces(scene) || scene->step % scene->substeps != 0)
    return FF_OK;
  const long long periods = scene->step / scene->substeps;
  const double time = (double)periods * scene->period;
  return ff_scene_control(scene, time, ff_scene_now_q(scene), ff_scene_now_v(scene), scene->tau, error);
}

// Returns 0 once the run has ended.
static int go_on(ff_scene_batch *b, ffi_scene_view *view, int racer, ff_sim *sim, double *tau)
{
  ff_scene *scene = &view->scene;
  ffi_scene_racer *r = &b->racers[racer];
  ff_error error;
  ff_status status = FF_OK;
  ffi_scene_batch_run_enter(b, view, racer, sim);
  observe(scene, r->step < 0);
  if (scene->step >= ff_scene_steps(scene))
    ffi_scene_batch_run_end(b, view, racer, FF_OK, "");
  else if ((status = compute(scene, &error)) != FF_OK)
    ffi_scene_batch_run_end(b, view, racer, status, error.message);
  else
    memcpy(tau, scene->tau, (size_t)scene->nv * sizeof *tau);
  ffi_scene_batch_run_leave(b, view, racer);
  return !r->has_ended;
}

ff_batch_written ffi_scene_batch_run_control(const ff_batch_group *group, void *user)
{
  ff_scene_batch *b = user;
  ffi_scene_view *view = take_view(b);
  int going = 0;
  for (int k = 0; k < group->count; ++k) {
    const int racer = group->first + k;
    if (group->status[k] != FF_OK || b->racers[racer].has_ended)
      continue;
    going +=
        go_on(b, view, racer, ff_batch_group_sim(group, k), group->tau + (size_t)k * (size_t)b->scene->nv);
  }
  atomic_store(&view->is_taken, 0);
  return going > 0 ? FF_BATCH_TAU : FF_BATCH_STOP;
}
