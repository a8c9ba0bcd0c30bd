#include "contact/advance/tunnelling_check.h"

#include "geometry/distance.h"
#include "math/vec3.h"
#include "model/model.h"

#include <math.h>

// ---- How thick things are ----------------------------------------------------------------------------------

static double cell_width(const ffi_height_field *field)
{
  return fmin(field->size[0] / (field->columns - 1), field->size[1] / (field->rows - 1));
}

double ffi_solid_width(const ffi_solid *solid)
{
  const double *size = solid->size;
  switch (solid->type) {
  case FF_SHAPE_PLANE: return INFINITY;
  case FF_SHAPE_HEIGHTFIELD: return cell_width(solid->field);
  case FF_SHAPE_SPHERE:
  case FF_SHAPE_CAPSULE: return 2 * size[0];
  case FF_SHAPE_BOX: return fmin(size[0], fmin(size[1], size[2]));
  case FF_SHAPE_CYLINDER: return fmin(2 * size[0], size[1]);
  default: return 0; // points, disks; hulls have no faces to tell it from
  }
}

static double least_width(const ffi_colliders *scene)
{
  double least = INFINITY;
  for (int i = 0; i < scene->pair_count; ++i) {
    const ffi_collider_pair *pair = &scene->pairs[i];
    if (ffi_distance_is_known(&pair->a->solid, &pair->b->solid))
      least = fmin(least, ffi_solid_width(&pair->a->solid) + ffi_solid_width(&pair->b->solid));
  }
  return 0.5 * least;
}

void ffi_tunnelling_check_layout(const ffi_colliders *scene, ffi_block *block, ffi_tunnelling_check *out)
{
  const size_t bodies = (size_t)scene->model->body_count;
  out->own = ffi_block_keep(block, bodies, sizeof *out->own);
  out->reach = ffi_block_take(block, bodies, sizeof *out->reach);
  out->way = ffi_block_take(block, bodies, sizeof *out->way);
  if (!out->own)
    return;
  out->least = least_width(scene);
  for (int i = 0; i < scene->party_count; ++i) {
    const ffi_collider *party = &scene->parties[i];
    double *own = &out->own[party->body];
    if (party->body > 0 && party->solid.type != FF_SHAPE_PLANE)
      *own = fmax(*own, ffi_v3_norm(party->in.p) + party->solid.radius);
  }
}

// ---- How far things move -----------------------------------------------------------------------------------

// Between two unit quaternions; a chord c of the unit sphere is an angle of 2 asin(c / 2), and of twice that in space.
static double turn_between(const double *a, const double *b)
{
  double near = 0, far = 0;
  for (int k = 0; k < 4; ++k) {
    near += (a[k] - b[k]) * (a[k] - b[k]);
    far += (a[k] + b[k]) * (a[k] + b[k]);
  }
  return 4 * asin(fmin(1, 0.5 * sqrt(fmin(near, far))));
}

static double way_between(const double *a, const double *b, int count)
{
  double square = 0;
  for (int k = 0; k < count; ++k)
    square += (a[k] - b[k]) * (a[k] - b[k]);
  return sqrt(square);
}

// What a joint adds: a move along, a turn. *travel: how far the child's origin gets from where it is at q = 0.
static void joint_way(const ffi_body *body, const double *q, const double *to, double *along, double *turn,
                      double *travel)
{
  const double *a = q + body->q, *b = to + body->q;
  *along = *turn = *travel = 0;
  switch (body->kind) {
  case FFI_KIND_FREE:
    *along = way_between(a, b, 3);
    *turn = turn_between(a + 3, b + 3);
    break;
  case FFI_KIND_SPHERICAL: *turn = turn_between(a, b); break;
  case FFI_KIND_PLANAR:
    *along = way_between(a, b, 2);
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

// The farthest that a point of any shape moves: subtrees' reaches from the leaves up, ways from the roots down.
static double farthest(ffi_tunnelling_check *skip, const ff_model *model, const double *q, const double *to)
{
  double most = 0, along, turn, travel;
  for (int b = 0; b < model->body_count; ++b)
    skip->reach[b] = skip->own[b];
  for (int b = model->body_count - 1; b > 0; --b) {
    const ffi_body *body = &model->bodies[b];
    if (body->parent == 0)
      continue;
    joint_way(body, q, to, &along, &turn, &travel);
    skip->reach[body->parent] =
        fmax(skip->reach[body->parent], ffi_v3_norm(body->p) + travel + skip->reach[b]);
  }
  skip->way[0] = 0;
  for (int b = 1; b < model->body_count; ++b) {
    const ffi_body *body = &model->bodies[b];
    joint_way(body, q, to, &along, &turn, &travel);
    skip->way[b] = skip->way[body->parent] + along + (turn > 0 ? turn * skip->reach[b] : 0);
    most = fmax(most, skip->way[b]);
  }
  return most;
}

static double ground_way(const ffi_colliders *scene, const double *ground_velocity, double dt)
{
  double most = 0;
  for (int i = 0; i < scene->party_count; ++i) {
    const ffi_collider *party = &scene->parties[i];
    if (party->ground < 0 || party->solid.type == FF_SHAPE_PLANE)
      continue;
    const double *velocity = ground_velocity + 6 * party->ground;
    const double turn = ffi_v3_norm(velocity + 3);
    most = fmax(most, dt * (ffi_v3_norm(velocity) + (turn > 0 ? turn * party->solid.radius : 0)));
  }
  return most;
}

int ffi_tunnelling_check_may_pass(ffi_tunnelling_check *skip, const ffi_colliders *scene, const double *q,
                                  const double *to, const double *ground_velocity, double dt)
{
  if (skip->least == INFINITY)
    return 0;
  const double way = farthest(skip, scene->model, q, to);
  return !(way + fmax(way, ground_way(scene, ground_velocity, dt)) <
           skip->least); // what is no number may have
}
