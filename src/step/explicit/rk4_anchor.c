#include "step/explicit/rk4_anchor.h"

#include "math/vec3.h"
#include "step/eval/anchor.h"

// A contact's tangential elongation, anchor - point.
static void elongation_of(const ffi_contact *c, double e[3])
{
  ffi_anchor_tangential(c->near.normal, c->x, e);
  ffi_v3_scale(-1, e, e);
}

void ffi_rk4_anchor_begin(const ffi_system *s, const ffi_state *from, const ffi_evaluation *now, double dt,
                          ffi_rk4_anchor *anchor, ffi_state *to)
{
  ffi_anchor_store(s, from, now, NULL, NULL, to);
  for (int i = 0; i < now->count; ++i) {
    const ffi_contact *c = &now->contact[i];
    anchor[i] = (ffi_rk4_anchor){.is_stiff = !(dt * c->K <= c->B) && !ffi_stepper_has_slip_flags(s->def)};
    ffi_v3_copy(to->touching[i].anchor, anchor[i].start);
    elongation_of(c, anchor[i].elongation);
    ffi_anchor_tangential(c->near.normal, c->law.force, anchor[i].force);
  }
}

// Velocity of the anchor over b, in the anchor's frame.
static void anchor_rate(const ffi_system *s, const ffi_evaluation *now, const ffi_contact *c, int is_stiff,
                        double rate[3])
{
  double world[3];
  ffi_v3_copy(c->creep, world);
  if (c->law.mode != FF_CONTACT_STICK && !is_stiff && !ffi_stepper_has_slip_flags(s->def)) {
    double F[3];
    ffi_anchor_tangential(c->near.normal, c->law.force, F);
    for (int k = 0; k < 3; ++k)
      world[k] += (F[k] - c->law.trial[k]) / c->B;
  }
  ffi_anchor_to_frame(ffi_anchor_frame(s, &now->at, &c->near), world, rate);
}

void ffi_rk4_anchor_stage(const ffi_system *s, const ffi_evaluation *now, double weight,
                          ffi_rk4_anchor *anchor)
{
  for (int i = 0; i < now->count; ++i) {
    const ffi_contact *c = &now->contact[i];
    ffi_rk4_anchor *a = &anchor[i];
    ffi_v3_set(0, 0, 0, a->rate);
    if (c->near.pair < 0) // too far away by now to know
      continue;
    anchor_rate(s, now, c, a->is_stiff, a->rate);
    ffi_v3_add_scaled(weight, a->rate, a->rate_sum);
    ffi_v3_add_scaled(weight, c->law.force, a->mean_force);
    a->has_slipped |= c->law.mode != FF_CONTACT_STICK;
  }
}

static void displaced(const double start[3], double h, const double rate[3], double out[3])
{
  ffi_v3_copy(start, out);
  ffi_v3_add_scaled(h, rate, out);
}

void ffi_rk4_anchor_at(const ffi_rk4_anchor *anchor, double h, ffi_state *x)
{
  for (int i = 0; i < x->touching_count; ++i)
    displaced(anchor[i].start, h, anchor[i].rate, x->touching[i].anchor);
}

// From where the anchor was at the last stage to where its relaxed elongation puts it.
static void relax(const ffi_pose *frame, const ffi_contact *c, double dt, const ffi_rk4_anchor *a,
                  double anchor[3])
{
  double e[3], relaxed[3], F[3], local[3];
  elongation_of(c, e);
  ffi_anchor_tangential(c->near.normal, c->law.force, F);
  ffi_contact_law_relax_anchor(c->K, c->B, dt, a->force, F, a->elongation, relaxed);
  ffi_v3_sub(relaxed, e, relaxed);
  ffi_anchor_to_frame(frame, relaxed, local);
  ffi_v3_add(anchor, local, anchor);
}

void ffi_rk4_anchor_end(const ffi_system *s, const ffi_evaluation *last, double dt,
                        const ffi_rk4_anchor *anchor, const ffi_state *x, ffi_state *to)
{
  int slipping = 0;
  for (int i = 0; i < last->count; ++i) {
    const ffi_contact *c = &last->contact[i];
    const ffi_rk4_anchor *a = &anchor[i];
    ffi_state_contact *t = &to->touching[i];
    *t = x->touching[i];
    ffi_v3_copy(a->mean_force, t->mean_force);
    if (a->is_stiff && a->has_slipped && c->near.pair >= 0)
      relax(ffi_anchor_frame(s, &last->at, &c->near), c, dt, a, t->anchor);
    else
      displaced(a->start, dt, a->rate_sum, t->anchor);
    slipping += c->law.mode == FF_CONTACT_SLIP;
  }
  to->touching_count = s->info->contacts = last->count;
  s->info->slipping = slipping;
}
