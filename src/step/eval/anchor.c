#include "step/eval/anchor.h"

#include "dynamics/one_lane.h"
#include "math/vec3.h"

void ffi_anchor_tangential(const double n[3], const double a[3], double out[3])
{
  const double along = ffi_v3_dot(n, a);
  for (int k = 0; k < 3; ++k)
    out[k] = a[k] - along * n[k];
}

void ffi_anchor_to_frame(const ffi_pose *frame, const double a[3], double out[3])
{
  const double *R = frame->R;
  for (int k = 0; k < 3; ++k)
    out[k] = R[k] * a[0] + R[3 + k] * a[1] + R[6 + k] * a[2];
}

void ffi_anchor_at(const ffi_pose *frame, const double point[3], double anchor[3])
{
  double arm[3];
  ffi_v3_sub(point, frame->p, arm);
  ffi_anchor_to_frame(frame, arm, anchor);
}

// Nothing is added where nothing moves: not even a zero of the other sign.
static void displace(const ffi_pose *frame, const double shift[3], double anchor[3])
{
  double local[3];
  if (shift[0] == 0 && shift[1] == 0 && shift[2] == 0)
    return;
  ffi_anchor_to_frame(frame, shift, local);
  ffi_v3_add(anchor, local, anchor);
}

void ffi_anchor_store(const ffi_system *s, const ffi_state *known, const ffi_evaluation *at,
                      const double (*shift)[3], const double (*force)[3], ffi_state *to)
{
  int t = 0, count = 0, slipping = 0, vanished = 0;
  const int known_count = known->touching_count;
  for (int i = 0; i < at->count; ++i) {
    const ffi_contact *c = &at->contact[i];
    while (t < known_count && known->touching[t].id < c->near.id)
      ++t;
    const int is_known = t < known_count && known->touching[t].id == c->near.id;
    if (c->near.pair < 0) {
      if (is_known && c->stored < 0) { // vanished under load: only what it stored is of interest
        to->touching[count] = known->touching[t];
        ffi_v3_set(0, 0, 0, to->touching[count].mean_force);
        to->touching[count++].stored = c->stored;
        ++vanished;
      }
      continue;
    }
    const ffi_pose *frame = ffi_anchor_frame(s, &at->at, &c->near);
    ffi_state_contact next = {.id = c->near.id, .rest = c->rest, .stored = c->stored, .slips = c->slips};
    if (is_known && !c->was_eased) // its bits
      ffi_v3_copy(known->touching[t].anchor, next.anchor);
    else
      ffi_anchor_at(frame, c->anchor, next.anchor);
    if (shift)
      displace(frame, shift[i], next.anchor);
    if (force)
      ffi_v3_copy(force[i], next.mean_force);
    to->touching[count++] = next;
    slipping += c->law.mode == FF_CONTACT_SLIP;
  }
  to->touching_count = count;
  s->info->contacts = count - vanished;
  s->info->slipping = slipping;
}
