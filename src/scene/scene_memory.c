// The observations of a scene as numbers, so that a resumed run has the result of one that was never stopped.
//
//     0 layout   1 in_flight  2 floor       3 com_error  4 steps         5 flight      6 tilt_most
//     7 settled penetration   8 passed      9 drift     10 unconverged  11 steps taken 12 contacts whose age is known
//     then for each link how long it is in the air and where it touched last, and the contacts: id, since when.
#include "base/fail.h"
#include "scene/scene.h"

#include <math.h>
#include <string.h>

enum { LAYOUT = 1, HEAD = 13, OF_LINK = 4, OF_CONTACT = 2 };

int ff_scene_memory_size(const ff_scene *scene)
{
  return HEAD + OF_LINK * ff_model_get_size(scene->model).links + OF_CONTACT * scene->watch.most_contacts;
}

void ff_scene_get_memory(const ff_scene *scene, double *out)
{
  const ffi_scene_watch *w = &scene->watch;
  const ff_scene_result *r = &w->result;
  const ffi_scene_past past = ffi_scene_settle_past(scene);
  const int links = ff_model_get_size(scene->model).links;
  const double head[HEAD] = {
      LAYOUT,         w->in_flight, w->floor,   r->com_error,     r->steps,   r->flight,    r->tilt_most,
      r->penetration, past.passed,  past.drift, past.unconverged, past.steps, w->age_count,
  };
  memset(out, 0, (size_t)ff_scene_memory_size(scene) * sizeof *out);
  memcpy(out, head, sizeof head);
  out += HEAD;
  for (int l = 0; l < links; ++l, out += OF_LINK) {
    out[0] = w->feet[l].air;
    memcpy(out + 1, w->feet[l].left_from, sizeof w->feet[l].left_from);
  }
  for (int i = 0; i < w->age_count; ++i, out += OF_CONTACT) {
    out[0] = w->age[w->turn][i].id;
    out[1] = w->age[w->turn][i].since;
  }
}

// Counts are in range; numbers that were not observed may be NAN.
static int is_sound(const ff_scene *scene, const double *memory)
{
  static const int counts[] = {4, 8, 10, 11, 12};
  for (size_t i = 0; i < sizeof counts / sizeof counts[0]; ++i)
    if (!(memory[counts[i]] >= 0 && memory[counts[i]] < 1e15))
      return 0;
  return memory[0] == LAYOUT && memory[4] < 1e9 && memory[12] <= scene->watch.most_contacts;
}

ff_status ff_scene_set_memory(ff_scene *scene, const double *memory, int size, ff_error *error)
{
  if (!scene || !memory || size != ff_scene_memory_size(scene) || !is_sound(scene, memory))
    return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, "ff_scene_set_memory",
                    "the saved observations belong to another scene");
  ffi_scene_watch *w = &scene->watch;
  ff_scene_result *r = &w->result;
  const int links = ff_model_get_size(scene->model).links;
  w->in_flight = memory[1];
  w->floor = memory[2];
  r->com_error = memory[3];
  r->steps = (int)memory[4];
  r->flight = memory[5];
  r->tilt_most = memory[6];
  r->penetration = memory[7];
  w->past = (ffi_scene_past){memory[8], memory[9], memory[10], memory[11]};
  w->age_count = (int)memory[12];
  memory += HEAD;
  for (int l = 0; l < links; ++l, memory += OF_LINK) {
    w->feet[l].air = memory[0];
    memcpy(w->feet[l].left_from, memory + 1, sizeof w->feet[l].left_from);
  }
  for (int i = 0; i < w->age_count; ++i, memory += OF_CONTACT)
    w->age[w->turn][i] = (ffi_scene_age){(int)fmax(-1, fmin(memory[0], 1e9)), memory[1]};
  return FF_OK;
}
