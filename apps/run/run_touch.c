// Contacts of a row, summed up: how many, how deep, and the force on each link.
#include "cli/complain.h"
#include "run/run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Does the link carry something that can touch?
static int can_touch(const ff_model *model, int link)
{
  const int count = ff_model_get_size(model).shapes;
  ff_link_info info;
  ff_model_link(model, link, &info);
  for (int i = 0; info.joint >= 0 && i < count; ++i) {
    ff_shape_info shape;
    ff_model_shape(model, i, &shape);
    if (shape.link == link && (shape.def.purpose & FF_SHAPE_COLLISION))
      return 1;
  }
  return 0;
}

void ffi_run_touch_begin(ffi_run_touch *t, const ff_model *model)
{
  const int links = ff_model_get_size(model).links;
  *t = (ffi_run_touch){0};
  t->links = ffi_need_memory(NULL, (size_t)links * sizeof *t->links);
  t->forces = ffi_need_memory(NULL, 3 * (size_t)links * sizeof *t->forces);
  for (int l = 0; l < links; ++l)
    if (can_touch(model, l))
      t->links[t->link_count++] = l;
}

void ffi_run_touch_end(ffi_run_touch *t)
{
  free(t->links);
  free(t->forces);
  *t = (ffi_run_touch){0};
}

static void add_force(double *force, const double f[3], double sign)
{
  for (int k = 0; k < 3; ++k)
    force[k] += sign * f[k];
}

void ffi_run_touch_sum(ffi_run_touch *t, const ffi_run_scene *scene)
{
  const int links = ff_model_get_size(scene->model).links;
  const ff_contact *contacts = ffi_run_contacts(scene, &t->count);
  t->slipping = 0;
  t->penetration = t->normal_force = 0;
  memset(t->forces, 0, 3 * (size_t)links * sizeof *t->forces);
  for (int i = 0; i < t->count; ++i) {
    const ff_contact *c = &contacts[i];
    t->slipping += c->mode == FF_CONTACT_SLIP;
    t->penetration = fmax(t->penetration, c->penetration);
    t->normal_force += c->force[0] * c->normal[0] + c->force[1] * c->normal[1] + c->force[2] * c->normal[2];
    if (c->link_a >= 0)
      add_force(t->forces + 3 * c->link_a, c->force, 1);
    if (c->link_b >= 0)
      add_force(t->forces + 3 * c->link_b, c->force, -1);
  }
}
