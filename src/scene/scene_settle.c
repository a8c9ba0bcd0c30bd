// Observations of contacts, floating bodies and steps: penetration of contacts that had time to settle, bodies that
// fell or moved, and the sim's own counts.
#include "scene/scene.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { USUAL_CONTACTS = 512 }; // of a sim whose def does not say how many

// ---- Contacts with the links of the model ---------------------------------------------------------------------------

const ff_contact *ff_scene_contacts(ff_scene *scene, int *count)
{
  ffi_scene_watch *w = &scene->watch;
  const ff_contact *contacts = ff_sim_contacts(scene->sim, count);
  if (!scene->cut)
    return contacts;
  for (int i = 0; i < *count && i < w->most_contacts;
       ++i) { // shapes have the same numbers in all coordinates
    w->contacts[i] = contacts[i];
    w->contacts[i].link_a = w->shape_link[contacts[i].shape_a];
    w->contacts[i].link_b = contacts[i].shape_b < 0 ? -1 : w->shape_link[contacts[i].shape_b];
  }
  return w->contacts;
}

ff_status ffi_scene_settle_make(ff_scene *scene, ff_error *error)
{
  ffi_scene_watch *w = &scene->watch;
  const int shapes = ff_model_get_size(scene->model).shapes;
  ff_shape_info shape;
  w->most_contacts = scene->def->sim.max_contacts > 0 ? scene->def->sim.max_contacts : USUAL_CONTACTS;
  const size_t room = (size_t)w->most_contacts + 1;
  w->shape_link = calloc((size_t)shapes + 1, sizeof *w->shape_link);
  w->contacts = scene->cut ? calloc(room, sizeof *w->contacts) : NULL;
  w->age[0] = calloc(room, sizeof *w->age[0]);
  w->age[1] = calloc(room, sizeof *w->age[1]);
  if (!w->shape_link || (scene->cut && !w->contacts) || !w->age[0] || !w->age[1])
    return ffi_scene_no_memory(scene, error);
  for (int i = 0; ff_model_shape(scene->model, i, &shape) == FF_OK; ++i)
    w->shape_link[i] = shape.link;
  return FF_OK;
}

void ffi_scene_settle_end(ff_scene *scene)
{
  free(scene->watch.shape_link);
  free(scene->watch.contacts);
  free(scene->watch.age[0]);
  free(scene->watch.age[1]);
}

// A contact touches down when its gap goes from above zero to zero or below; a stepper may list it earlier. Contacts
// are in the order of their ids.
void ffi_scene_settle(ff_scene *scene)
{
  ffi_scene_watch *w = &scene->watch;
  const double now = (double)scene->step * scene->def->sim.dt;
  const ffi_scene_age *before = w->age[w->turn];
  ffi_scene_age *after = w->age[!w->turn];
  int count, b = 0, overlaps = 0;
  const ff_contact *contacts = ff_sim_contacts(scene->sim, &count);
  count = count < w->most_contacts ? count : w->most_contacts;
  for (int i = 0; i < count; ++i) {
    if (contacts[i].penetration < 0)
      continue;
    while (b < w->age_count && before[b].id < contacts[i].id)
      ++b;
    const int is_known = b < w->age_count && before[b].id == contacts[i].id;
    const double since = is_known ? before[b].since : now;
    after[overlaps++] = (ffi_scene_age){contacts[i].id, since};
    if (now - since > FF_SCENE_GRACE * (1 + 1e-9))
      w->result.penetration = fmax(w->result.penetration, contacts[i].penetration);
  }
  w->age_count = overlaps;
  w->turn = !w->turn;
  w->result.contacts = count;
}

// ---- Bodies that float ----------------------------------------------------------------------------------------------

static void z_axis(const double *q, double z[3])
{
  z[0] = 2 * (q[3] * q[5] + q[4] * q[6]);
  z[1] = 2 * (q[4] * q[5] - q[3] * q[6]);
  z[2] = 1 - 2 * (q[3] * q[3] + q[4] * q[4]);
}

void ffi_scene_settle_bodies(const ff_scene *scene, ff_scene_result *out)
{
  const double *now = ff_scene_now_q(scene);
  ff_joint_info joint;
  out->fallen = 0;
  out->moved = 0;
  for (int j = 0; ff_model_joint(scene->model, j, &joint) == FF_OK; ++j) {
    if (joint.type != FF_JOINT_FREE)
      continue;
    const double *a = scene->q + joint.q, *b = now + joint.q;
    double za[3], zb[3];
    z_axis(a, za);
    z_axis(b, zb);
    out->fallen += za[0] * zb[0] + za[1] * zb[1] + za[2] * zb[2] < cos(FFI_SCENE_FALLEN);
    out->moved = fmax(out->moved, hypot(hypot(b[0] - a[0], b[1] - a[1]), b[2] - a[2]));
  }
}

ffi_scene_past ffi_scene_settle_past(const ff_scene *scene)
{
  const ff_sim_totals now = ff_sim_get_totals(scene->sim);
  const ffi_scene_past *past = &scene->watch.past;
  return (ffi_scene_past){.passed = past->passed + (double)now.passed,
                          .drift = fmax(past->drift, now.worst_drift),
                          .unconverged = past->unconverged + (double)now.unconverged,
                          .steps = past->steps + (double)now.steps};
}

void ffi_scene_settle_steps(const ff_scene *scene, ff_scene_result *out)
{
  const ffi_scene_past all = ffi_scene_settle_past(scene);
  out->drift = all.drift;
  out->unconverged = all.steps > 0 ? all.unconverged / all.steps : 0;
  out->passed = (long long)all.passed;
  ff_sim_describe_passing(scene->sim, out->passing);
  if (scene->watch.past.passed > 0) // whose words are not kept
    snprintf(out->passing, sizeof out->passing,
             "shapes passed through each other before the run was resumed");
}
