#include "step/expo/expo_new_contacts.h"

#include "contact/law/flag_law.h"
#include "dynamics/one_lane.h"
#include "math/vec3.h"
#include "step/eval/anchor.h"
#include "step/expo/expo_touchdown.h"

#include <math.h>
#include <string.h>

// Where an id is among those that touch, or belongs.
static int place_of(const ffi_state *x, int id)
{
  int at = 0;
  while (at < x->touching_count && x->touching[at].id < id)
    ++at;
  return at;
}

// Room for one more by giving up a contact that has vanished, the one that stored least. What it had stored is lost, which gains nothing. 0: there is none.
static int make_room(ffi_expo *e, ffi_state *x)
{
  int least = -1;
  for (int i = 0; i < x->touching_count; ++i)
    if (x->touching[i].stored < 0 && (least < 0 || x->touching[i].stored > x->touching[least].stored))
      least = i;
  if (least < 0)
    return 0;
  const size_t after = (size_t)(--x->touching_count - least);
  memmove(x->touching + least, x->touching + least + 1, after * sizeof *x->touching);
  memmove(e->forced + least, e->forced + least + 1, after * sizeof *e->forced);
  return 1;
}

ff_status ffi_expo_new_contacts_add(ffi_system *s, ffi_expo *e, const ffi_evaluation *seen,
                                    const ffi_detect_candidate *near, ffi_state *x, ff_error *error)
{
  int at = place_of(x, near->id);
  if (at < x->touching_count && x->touching[at].id == near->id)
    return FF_OK;
  if (x->touching_count == s->max_contacts) {
    if (!make_room(e, x))
      return ffi_evaluation_too_many_contacts(s, error);
    at = place_of(x, near->id);
  }
  const size_t after = (size_t)(x->touching_count - at);
  memmove(x->touching + at + 1, x->touching + at, after * sizeof *x->touching);
  memmove(e->forced + at + 1, e->forced + at, after * sizeof *e->forced);
  const ffi_pose *frame = ffi_anchor_frame(s, &seen->at, near);
  ffi_state_contact new = {.id = near->id,
                           .rest = s->def->normal_anchor == FF_ANCHOR_FIRST_TOUCH ? near->gap : 0.0};
  ffi_anchor_at(frame, near->point, new.anchor);
  x->touching[at] = new;
  e->forced[at] = FFI_MODE_BEGINS;
  ++x->touching_count;
  ++s->info->touchdowns;
  return FF_OK;
}

ff_status ffi_expo_new_contacts_add_overlaps(ffi_system *s, ffi_expo *e, ff_error *error)
{
  const int before = s->info->touchdowns;
  ff_status status = FF_OK;
  for (int n = 0; n < e->start->near_count && status == FF_OK; ++n)
    if (e->start->near[n].gap <= 0)
      status = ffi_expo_new_contacts_add(s, e, e->start, &e->start->near[n], e->now, error);
  if (status == FF_OK && s->info->touchdowns > before)
    status = ffi_evaluation_at(s, e->now, FFI_EVALUATION_SUBSTEP, e->start, error);
  return status;
}

void ffi_expo_new_contacts_place_anchors(ffi_system *s, ffi_expo *e)
{
  for (int i = 0; i < e->start->count; ++i) {
    ffi_contact *c = &e->start->contact[i];
    const int begins = e->forced[i] == FFI_MODE_BEGINS;
    if (!(begins || c->was_eased) || c->near.pair < 0)
      continue;
    if (begins) {
      ffi_v3_copy(c->near.point, c->anchor);
      ffi_v3_scale(c->near.gap - c->rest, c->near.normal, c->x);
      if (ffi_stepper_has_slip_flags(s->def)) {
        c->slips = 0;
        ffi_flag_law(c->K, c->B, c->mu, c->near.normal, c->x, c->u, NULL, &c->slips, &c->law);
      } else {
        ffi_contact_law(c->K, c->B, c->mu, c->near.normal, c->x, c->u, &c->law);
      }
    }
    const ffi_pose *frame = ffi_anchor_frame(s, &e->start->at, &c->near);
    ffi_anchor_at(frame, c->anchor, e->now->touching[i].anchor);
    e->now->touching[i].rest = c->rest;
  }
}

ff_status ffi_expo_new_contacts_add_touchdowns(ffi_system *s, ffi_expo *e, double h, double window,
                                               ff_error *error)
{
  ff_status status = FF_OK;
  for (int n = 0; n < e->end.near_count && status == FF_OK; ++n) {
    const ffi_detect_candidate *near = &e->end.near[n];
    const double sinking = (ffi_expo_touchdown_gap_at_start(e, near->id, near->gap) - near->gap) / h;
    if (near->gap <= fmax(1e-12, sinking * window))
      status = ffi_expo_new_contacts_add(s, e, &e->end, near, e->there, error);
  }
  return status;
}
