// Internal frames: how each body's axes are chosen, and where links sit in them. See model.h for the rule.
//
// A pose (p, R) below places a frame in a body's internal frame: x_body = R x_frame + p.
#include "math/quaternion.h"
#include "model/compile.h"

// A product of rotations, exact where it is a quarter turn and a rotation to rounding where it is not.
static void rotate_exactly(const double A[9], const double B[9], double out[9])
{
  ffi_m3_mul(A, B, out);
  if (!ffi_m3_snap(out))
    ffi_m3_polish(out);
}

// The cardinal axis that a unit vector is: 0, 1, 2 for +x, +y, +z, 3, 4, 5 for the negative ones, -1 for
// none. Within 4 eps counts: that is what quarter turns given as angles lose.
static int cardinal(const double a[3])
{
  for (int k = 0; k < 6; ++k) {
    int is_near = 1;
    for (int i = 0; i < 3; ++i)
      is_near &= fabs(a[i] - (i == k % 3 ? (k < 3 ? 1 : -1) : 0)) <= 4 * DBL_EPSILON;
    if (is_near)
      return k;
  }
  return -1;
}

// A rotation whose third column is the unit vector a. A signed permutation for cardinal axes, the identity
// for +z.
static void turn_z_to(const double a[3], double R[9])
{
  double z[3], x[3] = {0, 0, 0}, y[3];
  int k = cardinal(a);
  if (k == 2) {
    ffi_m3_identity(R);
    return;
  }
  if (k >= 0) {
    ffi_v3_set(0, 0, 0, z);
    z[k % 3] = k < 3 ? 1 : -1;
    x[(k + 1) % 3] = 1;
  } else {
    ffi_v3_scale(1 / ffi_v3_norm(a), a, z);
    int least = 0; // the cardinal axis farthest from a gives the best conditioned cross product
    for (int i = 1; i < 3; ++i)
      if (fabs(z[i]) < fabs(z[least]))
        least = i;
    double e[3] = {0, 0, 0};
    e[least] = 1;
    ffi_v3_cross(e, z, x);
    ffi_v3_scale(1 / ffi_v3_norm(x), x, x);
  }
  ffi_v3_cross(z, x, y);
  for (int i = 0; i < 3; ++i) {
    R[3 * i] = x[i] + 0.0;
    R[3 * i + 1] = y[i] + 0.0;
    R[3 * i + 2] = z[i] + 0.0;
  }
}

// The internal frame of a joint with one coordinate. J is the joint's rotation in the parent's internal
// frame.
static void choose_axis(const ff_joint_def *joint, const double J[9], ffi_body *body)
{
  int is_prismatic = joint->type == FF_JOINT_PRISMATIC;
  double a[3];
  ffi_m3_mulv(J, joint->axis, a);
  int k = cardinal(a);
  if (k >= 0 && k < 3) {
    body->kind = (is_prismatic ? FFI_KIND_PRISMATIC_X : FFI_KIND_REVOLUTE_X) + k;
    ffi_m3_identity(body->R0);
  } else {
    // From the joint's own axes, not the parent's: an axis x, y or z there leaves a permutation of them, in which
    // the axes of the joints behind it are simple again.
    double turn[9];
    body->kind = is_prismatic ? FFI_KIND_PRISMATIC_G : FFI_KIND_REVOLUTE_G;
    turn_z_to(joint->axis, turn);
    rotate_exactly(J, turn, body->R0);
  }
}

// The internal frame of a body: kind and R0. J as above.
static void choose_frame(const ff_joint_def *joint, const double J[9], ffi_body *body)
{
  double turn[9];
  switch (joint->type) {
  case FF_JOINT_FREE:
    body->kind = FFI_KIND_FREE;
    ffi_m3_identity(body->R0);
    ffi_v3_set(0, 0, 0, body->p);
    break;
  case FF_JOINT_SPHERICAL:
    body->kind = FFI_KIND_SPHERICAL;
    ffi_m3_copy(J, body->R0);
    break;
  case FF_JOINT_PLANAR:
    body->kind = FFI_KIND_PLANAR;
    turn_z_to(joint->axis, turn);
    rotate_exactly(J, turn, body->R0);
    break;
  case FF_JOINT_REVOLUTE:
  case FF_JOINT_CONTINUOUS:
  case FF_JOINT_PRISMATIC: choose_axis(joint, J, body); break;
  case FF_JOINT_FIXED: break; // has no body of its own
  }
}

// The link's rotation in its body's internal frame, R0' J, exact where it can be.
static void link_rotation(const ff_joint_def *joint, const double J[9], const ffi_body *body, double R[9])
{
  double back[9], turn[9];
  switch (body->kind) {
  case FFI_KIND_FREE:
  case FFI_KIND_SPHERICAL: ffi_m3_identity(R); break;
  case FFI_KIND_PLANAR:
  case FFI_KIND_REVOLUTE_G:
  case FFI_KIND_PRISMATIC_G:
    turn_z_to(joint->axis, turn);
    ffi_m3_transpose(turn, R);
    break;
  default: ffi_m3_transpose(body->R0, back); rotate_exactly(back, J, R);
  }
}

void ffi_compile_frames(ffi_compile_plan *plan)
{
  static const double zero[3] = {0, 0, 0}, one[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  plan->bodies[0] = (ffi_body){.kind = FFI_KIND_WORLD, .parent = -1};
  ffi_m3_identity(plan->bodies[0].R0);
  for (int k = 0; k < plan->size.links; ++k) {
    ffi_compile_link *link = &plan->links[k];
    const ffi_compile_link *parent = link->parent < 0 ? NULL : &plan->links[link->parent];
    const ff_joint_def *joint = &ffi_compile_source(plan, k)->def.joint;
    double p[3], given[9], J[9];
    ff_pose_rotation(&joint->pose, given);
    rotate_exactly(parent ? parent->R : one, given, J);
    ffi_m3_mulv(parent ? parent->R : one, joint->pose.position, p);
    ffi_v3_add(p, parent ? parent->p : zero, p);
    if (joint->type == FF_JOINT_FIXED) {
      ffi_v3_copy(p, link->p);
      ffi_m3_copy(J, link->R);
      continue;
    }
    ffi_body *body = &plan->bodies[link->body];
    body->parent = parent ? parent->body : 0;
    ffi_v3_copy(p, body->p);
    choose_frame(joint, J, body);
    link_rotation(joint, J, body, link->R);
  }
}
