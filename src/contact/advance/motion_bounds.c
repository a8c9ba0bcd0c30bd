// Bounds from the root of the tree to its leaves.  docs/theory/advancement.md, section 2
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

// Lengths of the linear and the angular part of the errors of a joint's velocities.
static void error_of(const ffi_body *b, const double *error, double *shift, double *turn)
{
  const double *e = error + b->v;
  const int linear = !has_shift(b->kind) ? 0 : !has_turn(b->kind) ? b->nv : b->kind == FFI_KIND_FREE ? 3 : 2;
  *shift = norm_of(e, linear);
  *turn = norm_of(e + linear, b->nv - linear);
}

// A body, its parent and the velocities of both at the start.
typedef struct joint {
  const ffi_body *body;
  const double *parent, *own; // [6]
  const ffi_motion_bound *up; // of the parent
  double l[3];                // origin, from the parent's
  double T;
} joint;

// Eqs 2 and 3: angular acceleration alpha + w x u and velocity w + u of a body that turns in its parent with u, which
// is fixed in the parent.
static void bound_turning(const joint *j, ffi_motion_bound *out)
{
  double u[3] = {0};
  if (has_turn(j->body->kind))
    ffi_v3_sub(j->own + 3, j->parent + 3, u);
  const double rate = ffi_v3_norm(u);
  out->alpha = j->up->alpha + cross_norm(j->parent + 3, u) + j->up->alpha * rate * j->T;
  out->turn = fmin(j->up->turn + rate, ffi_v3_norm(j->own + 3) + out->alpha * j->T);
}

// Eqs 4 and 5: the origin lies at l in its parent and moves there with the constant velocity s,
//   a + alpha x l + w x (w x l) + 2 w x s
// Returns the greatest |l| on the path.
static double bound_moving(const joint *j, ffi_motion_bound *out)
{
  const ffi_motion_bound *up = j->up;
  double s[3] = {0}, far[3], carried[3], longest = ffi_v3_norm(j->l);
  double across = fmin(up->turn * longest, cross_norm(j->parent + 3, j->l) + up->alpha * longest * j->T);
  if (has_shift(j->body->kind)) {
    ffi_v3_cross(j->parent + 3, j->l, carried);
    ffi_v3_add(carried, j->parent, carried);
    ffi_v3_sub(j->own, carried, s);
    ffi_v3_copy(j->l, far);
    ffi_v3_add_scaled(j->T, s, far);
    longest = fmax(longest, ffi_v3_norm(far));
    across = up->turn * longest;
  }
  const double slide = ffi_v3_norm(s);
  out->accel = up->accel + up->alpha * longest + up->turn * across +
               2 * (cross_norm(j->parent + 3, s) + up->alpha * slide * j->T);
  out->speed = fmin(up->speed + up->turn * longest + slide, ffi_v3_norm(j->own) + out->accel * j->T);
  return longest;
}

void ffi_motion_bounds(const ff_model *model, const ffi_motion_start *start, double T, ffi_motion_bound *out)
{
  out[0] = (ffi_motion_bound){0};
  for (int i = 1; i < model->body_count; ++i) {
    const ffi_body *b = &model->bodies[i];
    const int up = b->parent;
    double shift = 0, turn = 0;
    joint j = {b, start->velocity[up], start->velocity[i], &out[up], {0}, T};
    ffi_v3_sub(start->pose[i].p, start->pose[up].p, j.l);
    bound_turning(&j, &out[i]);
    const double longest = bound_moving(&j, &out[i]);
    if (start->error)
      error_of(b, start->error, &shift, &turn);
    out[i].error_rate =
        out[up].error_rate + out[up].angular_error * (longest + shift * (start->since + T)) + shift;
    out[i].angular_error = out[up].angular_error + turn;
  }
}
