// A start is tried: the scene is written beside its place, loaded as a user's is, and run to its end.
#include "complain.h"
#include "interrupt.h"
#include "new.h"
#include "put_file.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A robot stays where it is if in the end it is slower than this [m/s], has turned by less [rad], and has sunk by less than this part of the height
// of its centre of mass.
static const double still = 0.02, turned_most = 0.2, sunk_most = 0.25;

// The base gets a nudge, linear and angular, so that nothing balances on its tip: far less than what counts as moving.
static const ff_scene_override nudge = {
    .path = "start.velocity", .value = "[0.01, 0.006, 0, 0.02, 0.03, 0]", .said = NULL};

static const long long crowd_steps =
    4; // of a crowd only the first ones are looked at: the whole may take a minute

// Angle between two orientations of the base.
static double turn_between(const double *a, const double *b)
{
  double dot = 0;
  for (int k = 0; k < 4; ++k)
    dot += a[k] * b[k];
  return 2 * acos(fmin(1, fabs(dot)));
}

static double height_of_mass(const ff_model *model, const double *q)
{
  ff_dynamics *dynamics = NULL;
  double com[3] = {0};
  if (ff_dynamics_create(model, NULL, &dynamics, NULL) == FF_OK) {
    ff_dynamics_kinematics(dynamics, q, NULL, NULL);
    ff_dynamics_com(dynamics, com);
  }
  ff_dynamics_destroy(dynamics);
  return com[2];
}

static int stays(const ffi_new *n, const ff_scene *scene, const ff_scene_result *result)
{
  const double *now = ff_scene_now_q(scene);
  ff_joint_info base;
  if (!(result->final_speed < still))
    return 0;
  if (n->base < 0)
    return 1;
  ff_model_joint(n->model, n->base, &base);
  const double turned = turn_between(now + base.q + 3, n->q + base.q + 3);
  const double sunk = n->q[base.q + 2] - now[base.q + 2];
  return turned < turned_most && sunk < n->stray;
}

static void find_feet(ffi_new *n, ff_scene *scene)
{
  int count;
  const ff_contact *contacts = ff_scene_contacts(scene, &count);
  n->foot_count = 0;
  for (int i = 0; i < count; ++i) {
    int is_known = 0;
    for (int k = 0; k < n->foot_count; ++k)
      is_known |= n->feet[k] == contacts[i].link_a;
    if (!is_known && n->foot_count < (int)(sizeof n->feet / sizeof n->feet[0]))
      n->feet[n->foot_count++] = contacts[i].link_a;
  }
}

static void run(ffi_new *n, ff_scene *scene, double *q)
{
  ff_scene_result result;
  ff_error error;
  const long long steps = n->crowd > 0 ? crowd_steps : ff_scene_steps(scene);
  ff_status status = FF_OK;
  char what[64];
  snprintf(what, sizeof what, "trying start %d", ++n->tries);
  for (long long k = 0; k < steps && status == FF_OK && !ffi_interrupt_got(); ++k) {
    status = ff_scene_step(scene, &error);
    ff_scene_watch(scene);
    ffi_progress_show(&n->progress, (double)(k + 1) / (double)steps, what);
  }
  ff_scene_get_result(scene, &result);
  find_feet(n, scene);
  memcpy(q, ff_scene_now_q(scene), (size_t)ff_model_get_size(n->model).nq * sizeof *q);
  n->has_run_away = status != FF_OK;
  n->stray = sunk_most * fabs(height_of_mass(n->model, n->q)) + 1e-3;
  n->is_stable = status == FF_OK && n->crowd == 0 && stays(n, scene, &result);
  n->expects_upright = n->is_stable && n->base >= 0 && result.is_upright && result.tilt_most < turned_most &&
                       result.height > 1 - sunk_most;
}

int ffi_new_try(ffi_new *n, double *q)
{
  ff_scene *scene = NULL;
  ff_error error;
  size_t length;
  char *text = ffi_new_text(n, &length), *part = ffi_part_of(n->out);
  int is_tried = ffi_put_part(n->out, text, length);
  if (is_tried && ff_scene_load(part, &nudge, n->base >= 0, &scene, &error) != FF_OK) {
    ffi_complain("%s: no scene can be made of it: %s", n->path, error.message);
    ffi_put_drop(n->out);
    is_tried = 0;
  }
  if (is_tried) {
    ffi_progress_begin(&n->progress, !n->is_quiet && !n->as_json);
    run(n, scene, q);
    ffi_progress_end(&n->progress);
  }
  if (is_tried && ffi_interrupt_got()) {
    ffi_put_drop(n->out);
    is_tried = 0;
  }
  ff_scene_destroy(scene);
  free(part);
  free(text);
  return is_tried;
}
