// Points and welds as springs and dampers: offset, velocity, force and rows of each block.
#include "step/eval/constraint.h"

#include "contact/element/element_rows.h"
#include "math/lie.h"
#include "math/mat3.h"
#include "math/quaternion.h"
#include "math/vec3.h"
#include "step/eval/contact_jacobian.h"
#include "step/eval/coupling.h"
#include "step/eval/turning.h"
#include "step/step_kernels.h"

// The rotation from b's axes to a's as a vector in world axes: Rb log(Rb' Ra).
static void rotation_offset(const double Ra[9], const double Rb[9], double out[3])
{
  double relative[9], q[4], local[3];
  ffi_m3_tmul(Rb, Ra, relative);
  ffi_quat_from_matrix(relative, q);
  ffi_lie_so3_log(q, local);
  ffi_m3_mulv(Rb, local, out);
}

// f = -K x - B u, and the rows of u.
static void place_constraint(const ffi_system *s, const ffi_state_kinematics *at, const double *v,
                             const ffi_rows3_room *room, ffi_constraint *c)
{
  const ff_element_def *def = &s->elements[c->element].def;
  const ffi_pose *poses = ffi_state_kinematics_places(at).body;
  double xa[3], xb[3], Ra[9], Rb[9];
  ffi_step_kernels_motion ma, mb;
  const int a = ffi_element_rows_end(s->model, poses, &def->a, xa, Ra),
            b = ffi_element_rows_end(s->model, poses, &def->b, xb, Rb);
  const ffi_contact_jacobian_points points = {a, b, xa, xb};
  ffi_contact_jacobian_relative(s, at, &points, c->angular, room, &c->rows);
  ffi_rows3_times(&c->rows, room->stride, v, c->u);
  ffi_contact_jacobian_motion(s, at, a, xa, &ma);
  ffi_contact_jacobian_motion(s, at, b, xb, &mb);
  c->K = c->angular ? def->angular_stiffness : def->stiffness;
  c->B = c->angular ? def->angular_damping : def->damping;
  if (c->angular) {
    rotation_offset(Ra, Rb, c->x);
    ffi_v3_sub(ma.alpha, mb.alpha, c->c);
  } else {
    ffi_v3_sub(xa, xb, c->x);
    ffi_v3_sub(ma.acceleration, mb.acceleration, c->c);
  }
  for (int k = 0; k < 3; ++k)
    c->force[k] = -c->K * c->x[k] - c->B * c->u[k];
}

// How many blocks a type of element has: 0 if it is no compliant constraint.
static int block_count(ff_element_type type)
{
  return type == FF_ELEMENT_POINT || type == FF_ELEMENT_COUPLING ? 1 : type == FF_ELEMENT_WELD ? 2 : 0;
}

int ffi_constraint_most(const ffi_system *s)
{
  int most = s->turning ? 2 * s->max_contacts : 0;
  for (int e = 0; e < s->element_count; ++e)
    most += block_count(s->elements[e].def.type);
  return most;
}

void ffi_constraint_place_all(const ffi_system *s, const ffi_state *x, ffi_rows3_room room,
                              ffi_evaluation *out)
{
  out->constraint_count = 0;
  for (int e = 0; e < s->element_count && s->constraint_count > 0; ++e) {
    const ff_element_def *def = &s->elements[e].def;
    const int blocks = block_count(def->type);
    for (int k = 0; k < blocks; ++k, ffi_rows3_room_next(&room)) {
      ffi_constraint *c = &out->constraint[out->constraint_count++];
      c->element = e;
      c->angular = k;
      c->is_rigid = 0;
      if (def->type == FF_ELEMENT_COUPLING)
        ffi_coupling_place(s, &out->at, x, &room, c);
      else
        place_constraint(s, &out->at, x->v, &room, c);
    }
  }
  ffi_turning_place(s, x, room, out);
}
