// Compliant contacts inside the scheme: springs with a slip flag at (q^M, u^S), part of h (the paper's configuration
// Cm).
#include "contact/law/flag_law.h"
#include "dynamics/one_lane.h"
#include "math/vec3.h"
#include "step/eval/anchor.h"
#include "step/eval/passivity.h"
#include "step/hard/hard_step_problem.h"

// Offset of the springs from P_0: gap n less the tangential part of P_0 - point.
static void offset_from(const ffi_pose *frame, const double anchor[3], const ffi_detect_candidate *near,
                        double x[3])
{
  double e[3];
  for (int k = 0; k < 3; ++k)
    e[k] = frame->p[k] + frame->R[3 * k] * anchor[0] + frame->R[3 * k + 1] * anchor[1] +
           frame->R[3 * k + 2] * anchor[2] - near->point[k];
  ffi_anchor_tangential(near->normal, e, e);
  for (int k = 0; k < 3; ++k)
    x[k] = near->gap * near->normal[k] - e[k];
}

int ffi_hard_step_compliant(const ffi_system *s, const ffi_hard_step_request *request,
                            ffi_hard_step_problem *p)
{
  const ffi_state *from = request->from;
  int slipping = 0;
  for (int i = 0; i < s->model->size.nv; ++i)
    p->push[i] = 0;
  for (int i = 0, known = 0; i < p->count; ++i) {
    ffi_contact *c = &p->contact[i];
    ffi_state_contact *t = &p->touching[i];
    const ff_material *pair = &s->materials[c->near.pair];
    const ffi_pose *frame = ffi_hard_step_evaluation_frame(s, p->look, &c->near);
    ffi_hard_step_rows_contact(s, p, p->look->state->v, c);
    for (; known < from->touching_count && from->touching[known].id < c->near.id; ++known)
      ;
    const int is_known = known < from->touching_count && from->touching[known].id == c->near.id;
    *t = (ffi_state_contact){.id = c->near.id, .stored = FFI_PASSIVITY_UNKNOWN};
    if (is_known) {
      ffi_v3_copy(from->touching[known].anchor, t->anchor);
      t->slips = from->touching[known].slips;
    } else {
      ffi_anchor_at(frame, c->near.point, t->anchor);
    }
    offset_from(frame, t->anchor, &c->near, c->x);
    if (ffi_flag_law(pair->stiffness, pair->damping, pair->friction, c->near.normal, c->x, c->u,
                     is_known ? from->touching[known].mean_force : NULL, &t->slips, &c->law))
      ffi_anchor_at(frame, c->near.point, t->anchor);
    ffi_v3_copy(c->law.force, t->mean_force);
    double impulse[3];
    ffi_v3_scale(request->dt, c->law.force, impulse);
    ffi_rows3_add_transposed(&c->rows, p->stride, impulse, p->push);
    slipping += c->law.mode == FF_CONTACT_SLIP;
  }
  return slipping;
}
