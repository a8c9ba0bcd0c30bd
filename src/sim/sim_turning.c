// Torsional and rolling friction of a world.
#include "sim/sim_turning.h"

#include "base/fail.h"
#include "contact/law/pair_materials.h"
#include "dynamics/one_lane.h"
#include "math/eigen3.h"
#include "math/vec3.h"
#include "model/model.h"
#include "step/eval/state_kinematics.h"
#include "step/step_kernels.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

static const double unknown_inertia = 1e-3; // where M is singular at the neutral configuration [kg m^2]

// The compliant contact of moreau has no such springs.
static int knows_turning(const ff_sim_def *def)
{
  return !ff_stepper_is_hard(def->stepper) || ffi_stepper_has_hard_contacts(def);
}

static int turns(const ffi_collider_pair *pair)
{
  ff_material m = *pair->b->material;
  if (!pair->b->gives_pair)
    ffi_pair_materials_combine(pair->a->material, pair->b->material, &m);
  return m.torsional_friction > 0 || m.rolling_friction > 0;
}

static ff_status refuse(const ff_world *world, const ffi_collider_pair *pair, ff_error *error)
{
  const ff_shape_info *shape = &world->model->shapes[pair->shape_a];
  return ffi_fail(
      error, FF_ERROR_UNSUPPORTED, NULL, 0, "stepper",
      "%s with compliant contact has no torsional and rolling friction, which the material of shape "
      "%d%s%.64s%s or of what it touches has: choose hard contact or another stepper, or leave it out with "
      "turning_friction: false",
      ff_stepper_name(world->def.stepper), pair->shape_a, shape->def.name ? " '" : "",
      shape->def.name ? shape->def.name : "", shape->def.name ? "'" : "");
}

ff_status ffi_sim_turning_prepare(ff_world *world, ff_error *error)
{
  const ffi_colliders *colliders = &world->colliders;
  if (!world->def.turning_friction)
    return FF_OK;
  for (int i = 0; i < colliders->pair_count; ++i) {
    if (!turns(&colliders->pairs[i]))
      continue;
    if (!knows_turning(&world->def))
      return refuse(world, &colliders->pairs[i], error);
    world->has_turning = 1;
    if (ff_stepper_is_hard(world->def.stepper))
      return FF_OK;
    world->turning = calloc((size_t)world->model->body_count, sizeof *world->turning);
    return world->turning ? FF_OK
                          : ffi_fail(error, FF_ERROR_MEMORY, NULL, 0, "ff_world_create",
                                     "no memory for %d bodies", world->model->body_count);
  }
  return FF_OK;
}

typedef struct memory {
  ffi_work *work;
  double *q;       // [nq]
  double *J, *row; // [3][stride], [nv]
  int *points;     // [bodies + grounds]
} memory;

static memory layout(const ffi_system *s, int stride, ffi_block *block)
{
  memory m = {.work = ffi_state_kinematics_layout_work(s, block)};
  m.q = ffi_block_take(block, (size_t)s->model->size.nq, sizeof *m.q);
  m.J = ffi_block_take(block, 3 * (size_t)stride, sizeof *m.J);
  m.row = ffi_block_take(block, (size_t)s->model->size.nv, sizeof *m.row);
  m.points = ffi_block_take(block, (size_t)s->model->body_count + (size_t)s->colliders->ground_count,
                            sizeof *m.points);
  return m;
}

// The largest eigenvalue of J M^-1 J' of a body. Needs poses.
static double mobility_of(const ffi_system *s, const memory *m, int body, int stride)
{
  const ffi_body *b = &s->model->bodies[body];
  const int *dof = m->work->path + s->model->dof_row[b->v + b->nv - 1], columns = b->depth;
  double G[9] = {0}, values[3];
  s->step_k->path_rows(m->work, body, m->work->pose[body].p, 1, NULL, m->J, stride);
  for (int r = 0; r < 3; ++r) {
    memset(m->row, 0, (size_t)s->model->size.nv * sizeof *m->row);
    for (int k = 0; k < columns; ++k)
      m->row[dof[k]] = m->J[r * stride + k];
    s->k->solve(m->work, m->row);
    for (int c = 0; c < 3; ++c)
      for (int k = 0; k < columns; ++k)
        G[3 * r + c] += m->row[dof[k]] * m->J[c * stride + k];
  }
  ffi_eigen3((const double[6]){G[0], G[1], G[2], G[4], G[5], G[8]}, values);
  return values[2];
}

// The most contact points that this body has with one other body or one ground, all their shapes together.
//   points  [bodies + grounds]  scratch
static int most_points(const ff_world *world, int body, int *points)
{
  const int bodies = world->model->body_count;
  int most = 1;
  memset(points, 0, (size_t)(bodies + world->colliders.ground_count) * sizeof *points);
  for (int i = 0; i < world->colliders.pair_count; ++i) {
    const ffi_collider_pair *pair = &world->colliders.pairs[i];
    if (pair->body_a != body && pair->body_b != body)
      continue;
    const int other = pair->ground >= 0      ? bodies + pair->ground
                      : pair->body_a == body ? pair->body_b
                                             : pair->body_a;
    points[other] += pair->most;
    if (points[other] > most)
      most = points[other];
  }
  return most;
}

ff_status ffi_sim_turning_choose(ff_world *world, ff_error *error)
{
  if (!world->turning)
    return FF_OK;
  const ffi_system s = ffi_system_of(world);
  const int stride = (s.model->max_depth + 3) / 4 * 4;
  ffi_block measure = {0};
  layout(&s, stride, &measure);
  char *bytes = calloc(1, ffi_block_bytes(&measure));
  if (!bytes)
    return ffi_fail(error, FF_ERROR_MEMORY, NULL, 0, "ff_world_create", "no memory for springs of turning");
  ffi_block block = ffi_block_in(bytes, &measure);
  const memory m = layout(&s, stride, &block);
  assert(m.q && m.J && m.row && m.points);
  ff_model_neutral(s.model, m.q);
  s.k->transforms(m.work, m.q);
  s.k->kinematics(m.work, NULL, NULL);
  s.k->crba(m.work);
  const int is_regular = ffi_state_kinematics_factor_work(&s, m.work, NULL) == FF_OK;
  for (int body = 1; body < s.model->body_count; ++body) {
    const double mobility = is_regular ? mobility_of(&s, &m, body, stride) : 0;
    world->turning[body] = (mobility > 0 && isfinite(mobility) ? mobility : 1 / unknown_inertia) *
                           most_points(world, body, m.points);
  }
  free(bytes);
  return FF_OK;
}
