#include "contact/advance/motion_bounds.h"

#include "math/vec3.h"
#include "model/model.h"

#include <math.h>

static double cross_norm(const double a[3], const double b[3])
{
  double c[3];
  ffi_v3_cross(a, b, c);
  return ffi_v3_norm(c);
}

static int has_shift(int kind)
{
  return (kind >= FFI_KIND_PRISMATIC_X && kind <= FFI_KIND_PLANAR) || kind == FFI_KIND_FREE;
}

static int has_turn(int kind)
{
  return kind <= FFI_KIND_REVOLUTE_G || kind >= FFI_KIND_PLANAR;
}

static double norm_of(const double *x, int count)
{
  double square = 0;
  for (int i = 0; i < count; ++i)
    square += x[i] * x[i];
  return sqrt(square);
}

// Lengths of the linear and the angular part of what a joint's velocities are wrong by.
static void error_of(const ffi_body *b, const double *error, double *shift, double *turn)
{
  const double *e = error + b->v;
  const int linear = !has_shift(b->kind) ? 0 : !has_turn(b->kind) ? b->nv : b->kind == FFI_KIND_FREE ? 3 : 2;
  *shift = norm_of(e, linear);
  *turn = norm_of(e + linear, b->nv - linear);
}

// Angular acceleration alpha + w x u and velocity w + u of a body that turns in its parent with u, which is fixed in the parent.
static void bound_turning(const ffi_body *b, const double parent[6], const double own[6],
                          const ffi_motion_bound *up, double T, ffi_motion_bound *out)
{
  double u[3] = {0};
  if (has_turn(b->kind))
    ffi_v3_sub(own + 3, parent + 3, u);
  const double rate = ffi_v3_norm(u);
  out->twist = up->twist + cross_norm(parent + 3, u) + up->twist * rate * T;
  out->turn = fmin(up->turn + rate, ffi_v3_norm(own + 3) + out->twist * T);
}

// The origin lies at l in its parent and moves there with the constant velocity s:
//   a + alpha x l + w x (w x l) + 2 w x s
static void bound_moving(const ffi_body *b, const double l[3], const double parent[6], const double own[6],
                         const ffi_motion_bound *up, double T, double *longest, ffi_motion_bound *out)
{
  double s[3] = {0}, far[3], carried[3];
  *longest = ffi_v3_norm(l);
  double across = fmin(up->turn * *longest, cross_norm(parent + 3, l) + up->twist * *longest * T);
  if (has_shift(b->kind)) {
    ffi_v3_cross(parent + 3, l, carried);
    ffi_v3_add(carried, parent, carried);
    ffi_v3_sub(own, carried, s);
    ffi_v3_copy(l, far);
    ffi_v3_add_scaled(T, s, far);
    *longest = fmax(*longest, ffi_v3_norm(far));
    across = up->turn * *longest;
  }
  const double slide = ffi_v3_norm(s);
  out->bend = up->bend + up->twist * *longest + up->turn * across +
              2 * (cross_norm(parent + 3, s) + up->twist * slide * T);
  out->speed = fmin(up->speed + up->turn * *longest + slide, ffi_v3_norm(own) + out->bend * T);
}

void ffi_motion_bounds(const ff_model *model, const ffi_pose *pose, const double (*velocity)[6],
                       const double *error, double since, double T, ffi_motion_bound *out)
{
  out[0] = (ffi_motion_bound){0};
  for (int i = 1; i < model->body_count; ++i) {
    const ffi_body *b = &model->bodies[i];
    const int up = b->parent;
    double l[3], longest, shift = 0, turn = 0;
    ffi_v3_sub(pose[i].p, pose[up].p, l);
    bound_turning(b, velocity[up], velocity[i], &out[up], T, &out[i]);
    bound_moving(b, l, velocity[up], velocity[i], &out[up], T, &longest, &out[i]);
    if (error)
      error_of(b, error, &shift, &turn);
    out[i].doubt = out[up].doubt + out[up].doubt_turn * (longest + shift * (since + T)) + shift;
    out[i].doubt_turn = out[up].doubt_turn + turn;
  }
}
