#include "step/expo/expo_flags.h"

#include "contact/law/flag_law.h"
#include "dynamics/one_lane.h"
#include "math/vec3.h"
#include "step/eval/anchor.h"
#include "step/frozen/frozen_flag_slide.h"

void ffi_expo_flags_begin(const ffi_system *s, ffi_expo *e)
{
  for (int i = 0; i < e->start->count; ++i) {
    const ffi_contact *c = &e->start->contact[i];
    ffi_expo_flag *flag = &e->flag[i];
    flag->contact = *c;
    flag->touching = e->now->touching[i];
    if (c->near.pair >= 0)
      ffi_anchor_at(ffi_anchor_frame(s, &e->start->at, &c->near), c->near.point, flag->put_down);
  }
}

void ffi_expo_flags_restore(ffi_expo *e)
{
  for (int i = 0; i < e->start->count; ++i) {
    e->start->contact[i] = e->flag[i].contact;
    e->now->touching[i] = e->flag[i].touching;
  }
}

// P_0 where the point is.
static void put_down(ffi_expo *e, int i)
{
  ffi_contact *c = &e->start->contact[i];
  const double along = ffi_v3_dot(c->x, c->near.normal);
  ffi_v3_scale(along, c->near.normal, c->x);
  ffi_v3_copy(c->near.point, c->anchor);
  ffi_v3_copy(e->flag[i].put_down, e->now->touching[i].anchor);
}

void ffi_expo_flags_apply_modes(ffi_expo *e)
{
  for (int i = 0; i < e->start->count; ++i) {
    ffi_contact *c = &e->start->contact[i];
    const double *n = c->near.normal;
    if (c->near.pair < 0)
      continue;
    if (e->mode[i] == FF_CONTACT_STICK && c->slips) {
      put_down(e, i);
      ffi_flag_law_fixed(c->K, c->B, c->mu, n, c->x, c->u, 0, &c->law);
      c->slips = 0;
    } else if (e->mode[i] != FF_CONTACT_STICK) {
      if (e->mode[i] == FF_CONTACT_SLIP && !c->slips)
        ffi_flag_law_begin_slip(c->K, c->B, c->mu, n, c->x, c->u, &c->law);
      c->slips = c->slips || e->mode[i] == FF_CONTACT_SLIP || c->law.trial_norm > 0;
      put_down(e, i);
    }
    e->now->touching[i].slips = c->slips;
  }
}

void ffi_expo_flags_elongation(const ffi_expo *e, int i, double out[3])
{
  ffi_v3_set(0, 0, 0, out);
  if (e->mode[i] != FF_CONTACT_STICK)
    return;
  ffi_anchor_tangential(e->start->contact[i].near.normal, e->frozen.block[e->contact_block[i]].x_end, out);
  ffi_v3_scale(-1, out, out);
}

// Slower than 1 mm/s it has no direction of its own: that of the start, unless it is one that stops.
void ffi_expo_flags_sliding_law(const ffi_contact *c, const ffi_frozen_block *b, const double x[3],
                                ffi_contact_law_result *law)
{
  double ut[3];
  ffi_flag_law_fixed(c->K, c->B, c->mu, b->n, x, b->u_end, 1, law);
  ffi_anchor_tangential(b->n, b->u_end, ut);
  if (b->damper[0] > 0 || ffi_v3_norm(ut) > FFI_FLAG_LAW_LEAST_SPEED)
    return;
  for (int k = 0; k < 3; ++k)
    law->force[k] = law->normal_force * (b->n[k] + c->mu * b->d[k]);
}

static int find_stops(ffi_expo *e)
{
  int found = 0;
  for (int i = 0; i < e->start->count; ++i) {
    if (e->contact_block[i] < 0 || !ffi_frozen_flag_slide_has_reversed(&e->frozen.block[e->contact_block[i]]))
      continue;
    e->stops[i] =
        ffi_frozen_flag_slide_stopping_force(&e->start->contact[i], &e->frozen.block[e->contact_block[i]]);
    found += e->stops[i] > 0;
  }
  return found;
}

ff_status ffi_expo_flags_stop(ffi_system *s, ffi_expo *e, double h, ff_error *error)
{
  ff_status status = FF_OK;
  for (int k = 0;
       k < FFI_FROZEN_FLAG_SLIDE_MAX_STOPS && status == FF_OK && e->frozen.slides > 0 && find_stops(e) > 0;
       ++k) {
    ffi_expo_substep_freeze(s, e);
    status = ffi_expo_substep_predict(s, e, h, 0, error);
  }
  return status;
}
