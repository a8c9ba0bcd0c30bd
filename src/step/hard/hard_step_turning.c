// Torsional and rolling friction of hard contacts: three more rows of a contact's block, and what is kept of their
// impulses for the next step.  docs/theory/turning-friction.md, section 3
#include "math/mat3.h"
#include "math/vec3.h"
#include "step/eval/anchor.h"
#include "step/eval/contact_jacobian.h"
#include "step/hard/hard_step_problem.h"

#include <assert.h>
#include <string.h>

// The axes of the three moments, each times its radius: a moment over the radius is an impulse [N s].
static void scaled_axes(const ffi_system *s, const ffi_hard_step_problem *p, int i, double out[9])
{
  const ff_material *material = &s->materials[p->contact[i].near.pair];
  const double radius[3] = {material->rolling_friction, material->rolling_friction,
                            material->torsional_friction};
  for (int r = 0; r < 3; ++r)
    ffi_v3_scale(radius[r], p->axes[i] + 3 * r, out + 3 * r);
}

int ffi_hard_step_turning_rows(const ffi_system *s, const ffi_contact *c)
{
  const ff_material *material = &s->materials[c->near.pair];
  return s->has_turning && (material->rolling_friction > 0 || material->torsional_friction > 0)
             ? FFI_TURNING_CONE_ROWS
             : 3;
}

void ffi_hard_step_turning_fill(const ffi_system *s, const ffi_hard_step_problem *p, int i,
                                const ffi_hard_block *block, double *W)
{
  const ffi_contact *c = &p->contact[i];
  const ffi_contact_jacobian_points points = {c->near.a, c->near.b, c->near.point, c->near.point};
  const ffi_rows3_room room = {p->J, p->dofs + p->dofs_used, p->stride};
  double axes[9];
  ffi_rows3 rows;
  scaled_axes(s, p, i, axes);
  ffi_contact_jacobian_relative(s, &p->evaluation->at, &points, 1, &room, &rows); // the same velocities
  assert(rows.columns == block->columns);
  s->step_k->turn_rows(3, axes, block->columns, p->J, p->stride, W);
}

// The mean moment of the last step [N m]; zero if the contact is new. Kept in the axes of what an anchor would lie on,
// as the springs of soft steppers are.
static void last_moment(const ffi_system *s, const ffi_state *from, const ffi_hard_step_problem *p,
                        const ffi_detect_candidate *near, double out[3])
{
  const double *slot = from->element_force + s->turning_at;
  ffi_v3_set(0, 0, 0, out);
  for (int i = 0; i < s->max_contacts && slot[0] != 0; ++i, slot += FFI_STATE_TURNING)
    if (slot[0] == near->id + 1.0)
      ffi_m3_mulv(ffi_hard_step_evaluation_frame(s, p->evaluation, near)->R, slot + 1, out);
}

void ffi_hard_step_turning_begin(const ffi_system *s, const ffi_hard_step_request *request,
                                 const ffi_hard_step_problem *p, int i, const ffi_hard_block *block)
{
  const ffi_detect_candidate *near = &p->contact[i].near;
  const int ground = s->colliders->pairs[near->pair].ground, from = block->row + 3;
  const ffi_state_kinematics *at = &p->evaluation->at;
  double axes[9], moment[3] = {0, 0, 0};
  scaled_axes(s, p, i, axes);
  if (request->solver.hard->warm_start)
    last_moment(s, request->from, p, near, moment);
  for (int r = 0; r < 3; ++r) {
    const double *axis = axes + 3 * r, square = ffi_v3_dot(axis, axis);
    p->b[from + r] = p->softness[from + r] = 0;
    if (ground >= 0 && at->ground_moves)
      p->b[from + r] = (near->flipped ? 1 : -1) * ffi_v3_dot(axis, at->ground_velocity + 6 * ground + 3);
    p->hard.impulse[from + r] = square > 0 ? request->dt * ffi_v3_dot(axis, moment) / square : 0;
  }
}

void ffi_hard_step_turning_store(const ffi_system *s, double span, const ffi_hard_step_problem *p,
                                 ffi_state *to)
{
  double *slot = to->element_force + s->turning_at, axes[9];
  if (!s->has_turning)
    return;
  memset(slot, 0, FFI_STATE_TURNING * (size_t)s->max_contacts * sizeof *slot);
  for (int k = 0; k < p->hard.block_count && p->owner[k] < s->max_contacts; ++k) {
    const ffi_hard_block *block = &p->hard.block[k];
    const ffi_detect_candidate *near = &p->contact[p->owner[k]].near;
    const double *impulse = p->hard.impulse + block->row;
    if (block->rows != FFI_TURNING_CONE_ROWS || !(impulse[2] > 0))
      continue;
    scaled_axes(s, p, p->owner[k], axes);
    double moment[3] = {0, 0, 0};
    for (int r = 0; r < 3; ++r)
      ffi_v3_add_scaled(impulse[3 + r] / span, axes + 3 * r, moment);
    slot[0] = near->id + 1.0;
    ffi_anchor_to_frame(ffi_hard_step_evaluation_frame(s, p->evaluation, near), moment, slot + 1);
    slot += FFI_STATE_TURNING;
  }
}
