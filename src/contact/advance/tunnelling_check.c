// Widths of pairs against bounds of motion.
#include "contact/advance/tunnelling_check.h"

#include "geometry/distance.h"
#include "math/vec3.h"
#include "model/model.h"

#include <math.h>

static double least_width(const ffi_colliders *colliders)
{
  double least = INFINITY;
  for (int i = 0; i < colliders->pair_count; ++i) {
    const ffi_collider_pair *pair = &colliders->pairs[i];
    if (ffi_distance_is_known(&pair->a->solid, &pair->b->solid))
      least = fmin(least, ffi_solid_width(&pair->a->solid) + ffi_solid_width(&pair->b->solid));
  }
  return 0.5 * least;
}

void ffi_tunnelling_check_layout(const ffi_colliders *colliders, ffi_block *block, ffi_tunnelling_check *out)
{
  const size_t bodies = (size_t)colliders->model->body_count;
  out->own = ffi_block_keep(block, bodies, sizeof *out->own);
  out->reach = ffi_block_take(block, bodies, sizeof *out->reach);
  out->motion = ffi_block_take(block, bodies, sizeof *out->motion);
  if (!out->own)
    return;
  out->least = least_width(colliders);
  for (int i = 0; i < colliders->count; ++i) {
    const ffi_collider *collider = &colliders->items[i];
    double *own = &out->own[collider->body];
    if (collider->body > 0 && collider->solid.type != FF_SHAPE_PLANE)
      *own = fmax(*own, ffi_v3_norm(collider->in.p) + collider->solid.radius);
  }
}

// Angle between two unit quaternions: a chord c of the unit sphere is an angle of 2 asin(c / 2), twice that in space.
static double turn_between(const double *a, const double *b)
{
  double near = 0, far = 0;
  for (int k = 0; k < 4; ++k) {
    near += (a[k] - b[k]) * (a[k] - b[k]);
    far += (a[k] + b[k]) * (a[k] + b[k]);
  }
  return 4 * asin(fmin(1, 0.5 * sqrt(fmin(near, far))));
}

static double length_between(const double *a, const double *b, int count)
{
  double square = 0;
  for (int k = 0; k < count; ++k)
    square += (a[k] - b[k]) * (a[k] - b[k]);
  return sqrt(square);
}

// The translation and rotation of a joint. *travel: greatest distance of the child's origin from its place at q = 0.
static void joint_motion(const ffi_body *body, const double *q, const double *to, double *along, double *turn,
                         double *travel)
{
  const double *a = q + body->q, *b = to + body->q;
  *along = *turn = *travel = 0;
  switch (body->kind) {
  case FFI_KIND_FREE:
    *along = length_between(a, b, 3);
    *turn = turn_between(a + 3, b + 3);
    break;
  case FFI_KIND_SPHERICAL: *turn = turn_between(a, b); break;
  case FFI_KIND_PLANAR:
    *along = length_between(a, b, 2);
    *turn = fabs(a[2] - b[2]);
    *travel = fmax(hypot(a[0], a[1]), hypot(b[0], b[1]));
    break;
  case FFI_KIND_PRISMATIC_X:
  case FFI_KIND_PRISMATIC_Y:
  case FFI_KIND_PRISMATIC_Z:
  case FFI_KIND_PRISMATIC_G:
    *along = fabs(a[0] - b[0]);
    *travel = fmax(fabs(a[0]), fabs(b[0]));
    break;
  default: *turn = fabs(a[0] - b[0]);
  }
}

// The farthest that a point of any shape moves: reaches of subtrees from the leaves up, motions from the roots down.
static double farthest(ffi_tunnelling_check *check, const ff_model *model, const double *q, const double *to)
{
  double most = 0, along, turn, travel;
  for (int b = 0; b < model->body_count; ++b)
    check->reach[b] = check->own[b];
  for (int b = model->body_count - 1; b > 0; --b) {
    const ffi_body *body = &model->bodies[b];
    if (body->parent == 0)
      continue;
    joint_motion(body, q, to, &along, &turn, &travel);
    check->reach[body->parent] =
        fmax(check->reach[body->parent], ffi_v3_norm(body->p) + travel + check->reach[b]);
  }
  check->motion[0] = 0;
  for (int b = 1; b < model->body_count; ++b) {
    const ffi_body *body = &model->bodies[b];
    joint_motion(body, q, to, &along, &turn, &travel);
    check->motion[b] = check->motion[body->parent] + along + (turn > 0 ? turn * check->reach[b] : 0);
    most = fmax(most, check->motion[b]);
  }
  return most;
}

static double ground_motion(const ffi_colliders *colliders, const double *ground_velocity, double dt)
{
  double most = 0;
  for (int i = 0; i < colliders->count; ++i) {
    const ffi_collider *collider = &colliders->items[i];
    if (collider->ground < 0 || collider->solid.type == FF_SHAPE_PLANE)
      continue;
    const double *velocity = ground_velocity + 6 * collider->ground;
    const double turn = ffi_v3_norm(velocity + 3);
    most = fmax(most, dt * (ffi_v3_norm(velocity) + (turn > 0 ? turn * collider->solid.radius : 0)));
  }
  return most;
}

int ffi_tunnelling_check_may_pass(ffi_tunnelling_check *check, const ffi_colliders *colliders,
                                  const double *q, const double *to, const double *ground_velocity, double dt)
{
  if (check->least == INFINITY)
    return 0;
  const double most = farthest(check, colliders->model, q, to);
  // written so that NaN gives yes
  return !(most + fmax(most, ground_motion(colliders, ground_velocity, dt)) < check->least);
}
