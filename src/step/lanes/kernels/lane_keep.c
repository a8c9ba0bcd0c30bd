// Which contacts a step without events has, and how their anchors move. As step/eval/evaluation.c and passivity.c.
#include "step/lanes/kernels/lane_rows.h"
#include "step/lanes/kernels/lane_variant.h"

#include "step/eval/passivity.h"

// step/eval/passivity.c unloads springs that a jump of the geometry has stretched. Between two looks a contact's
// springs are stretched by no more than its travel.
static real_bits is_loaded_by_motion(const ffi_lane_work *w, const ffi_lane_contact *c, double dt)
{
  const double known_share = 1e-3; // as there
  const vec3 x = load3(c->x);
  const real along = dot(x, w->normal[w->plan->feature[c->index].plane]), square = dot(x, x);
  const real stretch = select_bits(is_less(splat(0), along), square - along * along, square);
  const real known = c->limit + known_share * c->limit + 1e-12, more = dt * length3(load3(c->u));
  return is_within(stretch, known * known) | is_within(stretch, (known + more) * (known + more));
}

void FFI_KERNEL(lane_keep_contacts)(ffi_lane_work *w, double dt)
{
  for (int i = 0; i < w->contact_count; ++i) {
    ffi_lane_contact *c = &w->contact[i];
    const real_bits pushes = c->active & is_less(splat(0), c->push);
    c->slips = pushes & is_less(c->mu * c->push, c->trial);
    c->sticks = pushes & ~c->slips;
    // a contact lasts while its shapes overlap, and while its damper pushes
    c->stays = pushes | (c->active & is_within(w->gap[c->index], splat(0)));
    c->stretch = splat(FFI_PASSIVITY_UNKNOWN);
    w->slipping = w->slipping + select_bits(c->slips, splat(1), splat(0));
    w->elastic = w->elastic + select_bits(c->stays, lane_contact_energy(w, c), splat(0));
    lane_demand(w, FFI_LANE_STATE, is_loaded_by_motion(w, c, dt) | ~c->active);
  }
}

// - spin x r, tangential.                                                                     contact.md, section 5
vec3 FFI_KERNEL(lane_creep)(const ffi_lane_work *w, const ffi_lane_contact *c, double dt)
{
  const ffi_lane_feature *f = &w->plan->feature[c->index];
  const ffi_work *d = w->dynamics;
  if (f->radius == 0)
    return vec(splat(0), splat(0), splat(0));
  const vec3 n = w->normal[f->plane];
  const vec3 omega = mul3(d->pose[f->body].R, load3(d->motion[d->slot[f->body]].omega));
  return scale(splat(dt), across(n, cross(scale(splat(-f->radius), n), omega)));
}
