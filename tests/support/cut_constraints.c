// Jacobians and gaps of the constraints, and random cuts.
#include "support/cut_constraints.h"

#include "contact/element/element_rows.h"
#include "math/mat3.h"
#include "model/model.h"
#include "support/must.h"

#include <stdlib.h>

int ffi_cut_constraints_count(const ff_model *model)
{
  int rows = 0;
  for (int e = 0; e < model->size.elements; ++e)
    rows += ffi_element_rows_count(model->elements[e].type);
  return rows;
}

// Poses of bodies from those of the links that begin them.
static ffi_pose *body_poses(ff_dynamics *dynamics, const ff_model *model, const double *q)
{
  ffi_pose *poses = calloc((size_t)model->body_count, sizeof *poses);
  ff_dynamics_kinematics(dynamics, q, NULL, NULL);
  ffi_m3_identity(poses[0].R);
  for (int b = 1; b < model->body_count; ++b) {
    const int frame = model->links[model->joints[b - 1].link].frame;
    const ffi_frame *in = &model->frames[frame];
    double p[3], R[9], back[9];
    ff_dynamics_frame_pose(dynamics, frame, p, R);
    ffi_m3_transpose(in->R, back);
    ffi_m3_mul(R, back, poses[b].R);
    ffi_m3_mulv(poses[b].R, in->p, poses[b].p);
    ffi_v3_sub(p, poses[b].p, poses[b].p);
  }
  return poses;
}

typedef struct row_direction {
  const double *x, *d; // [3] each
  int is_linear;
} row_direction;

// out [nv] += sign * d . (velocity at x, or angular velocity) of a frame.
static void add_side(ff_dynamics *dynamics, int frame, int nv, const row_direction *row, double sign,
                     double *out)
{
  const double *d = row->d;
  double p[3], R[9], arm[3], moment[3];
  double *J = calloc(6 * (size_t)nv, sizeof *J);
  ff_dynamics_frame_pose(dynamics, frame, p, R);
  ff_dynamics_frame_jacobian(dynamics, frame, FF_AXES_LOCAL_ALIGNED, J);
  ffi_v3_sub(row->x, p, arm);
  ffi_v3_cross(arm, d, moment); // d . (w x arm) = w . (arm x d)
  for (int k = 0; k < nv; ++k)
    for (int i = 0; i < 3; ++i)
      out[k] += sign * (row->is_linear ? d[i] * J[i * nv + k] + moment[i] * J[(3 + i) * nv + k]
                                       : d[i] * J[(3 + i) * nv + k]);
  free(J);
}

void ffi_cut_constraints_place(ff_dynamics *dynamics, const ff_model *model, const double *q, double *J,
                               double *gap)
{
  const int nv = model->size.nv;
  ffi_pose *poses = body_poses(dynamics, model, q);
  int row = 0;
  for (int e = 0; e < model->size.elements; ++e) {
    const ff_element_def *def = &model->elements[e];
    ffi_element_rows rows;
    ffi_element_rows_set(model, def, poses, &rows);
    for (int i = 0; i < rows.count; ++i, ++row) {
      if (gap)
        gap[row] = rows.gap[i];
      if (!J)
        continue;
      double *out = J + (size_t)row * (size_t)nv;
      for (int k = 0; k < nv; ++k)
        out[k] = 0;
      const row_direction along = {rows.point, rows.direction[i], i < rows.linear};
      add_side(dynamics, def->a.frame, nv, &along, 1, out);
      add_side(dynamics, def->b.frame, nv, &along, -1, out);
    }
  }
  free(poses);
}

static ff_cut *cut_by(const ff_model *model, ff_cut_set set, int at_joints)
{
  ff_cut_def def = ff_cut_def_default();
  ff_error error;
  ff_cut *cut;
  def.set = set;
  def.place = at_joints ? FF_CUT_AT_JOINTS : FF_CUT_AT_CENTRES;
  def.drop_armature = def.drop_limits = def.drop_damping = def.drop_friction = def.drop_springs =
      def.drop_servos = 1;
  ffi_must(ff_cut_create(model, &def, &cut, &error), &error);
  return cut;
}

ff_cut *ffi_cut_constraints_cut(const ff_model *model, ff_cut_set set)
{
  return cut_by(model, set, 0);
}

ff_cut *ffi_cut_constraints_cut_at_joints(const ff_model *model, ff_cut_set set)
{
  return cut_by(model, set, 1);
}

ff_cut *ffi_cut_constraints_cut_some(const ff_model *model, ffi_random *random, double probability,
                                     int drop_damping)
{
  enum { MOST = 256 };
  const char *names[MOST];
  ff_cut_def def = ff_cut_def_default();
  ff_joint_info joint;
  ff_error error;
  ff_cut *cut;
  def.set = FF_CUT_LISTED;
  def.joints = names;
  def.drop_limits = def.drop_friction = def.drop_springs =
      1; // no part of the rigid-body dynamics; armature is
  def.drop_damping = drop_damping;
  for (int j = 0; ff_model_joint(model, j, &joint) == FF_OK && def.joint_count < MOST; ++j)
    if (joint.type != FF_JOINT_FREE && joint.armature == 0 && (drop_damping || joint.damping == 0) &&
        ffi_random_chance(random, probability))
      names[def.joint_count++] = joint.name;
  if (def.joint_count == 0)
    return NULL;
  ffi_must(ff_cut_create(model, &def, &cut, &error), &error);
  return cut;
}
