// The result of a scene: what was observed, and which of its expectations are missed.
#include "scene/scene.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static void judge(ff_scene_result *r, int is_good, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static void judge(ff_scene_result *r, int is_good, const char *format, ...)
{
  const size_t used = strlen(r->misses);
  va_list list;
  ++r->expected;
  if (is_good)
    return;
  snprintf(r->misses + used, sizeof r->misses - used, "%s", r->missed++ > 0 ? "; " : "");
  const size_t from = strlen(r->misses);
  va_start(list, format);
  vsnprintf(r->misses + from, sizeof r->misses - from, format, list);
  va_end(list);
}

static void judge_contacts(const ff_scene_expect *e, ff_scene_result *r)
{
  if (!isnan(e->penetration))
    judge(r, r->penetration <= e->penetration, "%.3g mm deep %g ms after touching, expected at most %.3g mm",
          1e3 * r->penetration, 1e3 * FF_SCENE_GRACE, 1e3 * e->penetration);
  if (!isnan(e->drift))
    judge(r, r->drift <= e->drift, "joints %.3g mm apart, expected at most %.3g mm", 1e3 * r->drift,
          1e3 * e->drift);
  if (!isnan(e->unconverged))
    judge(r, r->unconverged <= e->unconverged, "%.3g %% of the steps not converged, expected at most %.3g %%",
          1e2 * r->unconverged, 1e2 * e->unconverged);
  if (!isnan(e->contacts))
    judge(r, r->contacts >= e->contacts, "%d contact%s at the end, expected at least %g", r->contacts,
          r->contacts == 1 ? "" : "s", e->contacts);
  if (!isnan(e->fallen[0]))
    judge(r, r->fallen >= e->fallen[0] && r->fallen <= e->fallen[1], "%d fallen, expected %g to %g",
          r->fallen, e->fallen[0], e->fallen[1]);
  if (!isnan(e->moved))
    judge(r, r->moved <= e->moved, "moved by %.3g m, expected at most %.3g m", r->moved, e->moved);
}

static void judge_passing(const ff_scene_expect *e, ff_scene_result *r)
{
  if (!isnan(e->passed))
    judge(r, (double)r->passed <= e->passed, "%s (%lld time%s, expected at most %g)", r->passing, r->passed,
          r->passed == 1 ? "" : "s", e->passed);
}

static void judge_all(const ff_scene_expect *e, ff_scene_result *r)
{
  judge_passing(e, r);
  if (!isnan(e->com_error))
    judge(r, r->com_error <= e->com_error, "the centre of mass is off by %.3g mm, expected at most %.3g mm",
          1e3 * r->com_error, 1e3 * e->com_error);
  if (!isnan(e->steps))
    judge(r, r->steps >= e->steps, "%d step%s, expected at least %g", r->steps, r->steps == 1 ? "" : "s",
          e->steps);
  if (!isnan(e->flight))
    judge(r, r->flight >= e->flight, "%.3g s of flight, expected at least %.3g s", r->flight, e->flight);
  if (!isnan(e->speed[0]))
    judge(r, r->speed >= e->speed[0] && r->speed <= e->speed[1], "%.3g m/s, expected %.3g to %.3g m/s",
          r->speed, e->speed[0], e->speed[1]);
  if (!isnan(e->advance))
    judge(r, r->advance >= e->advance, "%.3g m ahead, expected at least %.3g m", r->advance, e->advance);
  if (!isnan(e->rise))
    judge(r, r->rise >= e->rise, "%.3g m higher, expected at least %.3g m", r->rise, e->rise);
  if (!isnan(e->final_speed))
    judge(r, r->final_speed <= e->final_speed, "%.3g m/s at the end, expected at most %.3g m/s",
          r->final_speed, e->final_speed);
  if (e->upright)
    judge(r, r->is_upright, "not upright");
  judge_contacts(e, r);
}

void ff_scene_get_result(const ff_scene *scene, ff_scene_result *out)
{
  const ffi_scene_watch *w = &scene->watch;
  const double *q = ff_scene_now_q(scene), time = (double)scene->step * scene->def->sim.dt;
  double momentum[6];
  *out = w->result;
  out->advance = out->speed = out->rise = out->height = NAN;
  out->is_upright = 1;
  if (w->base >= 0) {
    const double *before = scene->q + w->base_q, *after = q + w->base_q;
    out->advance = after[0] - before[0];
    out->rise = after[2] - before[2];
    out->speed = time > 0 ? out->advance / time : NAN;
    out->height = w->stood > 0 ? (after[2] - w->floor) / w->stood : NAN;
    out->is_upright = out->tilt_most <= FFI_SCENE_FALLEN && !(out->height <= 0.5);
  }
  ff_dynamics_kinematics(w->dynamics, q, ff_scene_now_v(scene), NULL);
  ff_dynamics_momentum(w->dynamics, momentum);
  out->final_speed = hypot(hypot(momentum[0], momentum[1]), momentum[2]) / ff_model_mass(scene->model);
  ffi_scene_settle_bodies(scene, out);
  ffi_scene_settle_steps(scene, out);
  judge_all(&scene->def->expect, out);
  if (scene->step == 0 && out->expected > 0) { // a start meets no expectation
    out->missed = out->expected;
    snprintf(out->misses, sizeof out->misses, "nothing was simulated");
  }
}
