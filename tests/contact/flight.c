// Sets up advancement for a model and ground, and measures distances along its path from scratch.
#include "contact/flight.h"

#include "dynamics/one_lane.h"
#include "dynamics/straight_path.h"
#include "math/mat3.h"
#include "model/model.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

static void lay_out(flight *f, ffi_block *block)
{
  f->work = ffi_block_keep(block, 1, f->k->work_size);
  void *arrays = ffi_block_keep(block, 1, f->k->layout(f->model, 8, NULL, NULL));
  if (block->base)
    f->k->layout(f->model, 8, arrays, f->work);
  f->advance = ffi_advance_layout(&f->colliders, block);
  f->ground_velocity =
      ffi_block_take(block, (size_t)f->colliders.ground_count + 1, sizeof *f->ground_velocity);
}

void flight_begin(const ff_model *model, const ff_sim_def *def, flight *out)
{
  *out = (flight){
      .model = model, .colliders = collider_case_create(model, def), .k = ffi_isa_kernels(FF_ISA_AUTO, 1)};
  out->room = collider_case_room_create(&out->colliders);
  ffi_block measure = {0};
  lay_out(out, &measure);
  out->memory = malloc(ffi_block_bytes(&measure));
  assert_non_null(out->memory);
  ffi_block block = ffi_block_in(out->memory, &measure);
  lay_out(out, &block);
  for (int g = 0; g < out->colliders.ground_count; ++g)
    memcpy(out->ground_velocity[g], out->colliders.grounds[g].def.velocity, sizeof out->ground_velocity[g]);
}

void flight_begin_over(const ff_model *model, const ff_ground_def *ground, flight *out)
{
  const ff_sim_def def = collider_case_def(ground, 1, 0);
  flight_begin(model, &def, out);
}

void flight_end(flight *f)
{
  collider_case_room_free(&f->room);
  ffi_colliders_free(&f->colliders);
  free(f->memory);
}

static void compose(const ffi_pose *a, const ffi_pose *b, ffi_pose *out)
{
  ffi_m3_mul(a->R, b->R, out->R);
  ffi_m3_mulv(a->R, b->p, out->p);
  ffi_v3_add(a->p, out->p, out->p);
}

void flight_places(const flight *f, const double *q, const double *v, double t, ffi_pose *out)
{
  double to[400], turned[400], way[400];
  assert_true(f->model->size.nq <= 400);
  for (int i = 0; i < f->model->size.nv; ++i)
    way[i] = t * v[i];
  ffi_straight_path_move(f->model, q, way, v, to, turned);
  f->k->transforms(f->work, to);
  f->k->kinematics(f->work, NULL, NULL);
  for (int i = 0; i < f->colliders.count; ++i) {
    const ffi_collider *collider = &f->colliders.items[i];
    ffi_pose body = {.R = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
    if (collider->body > 0) {
      ffi_m3_copy(f->work->pose[collider->body].R, body.R);
      ffi_v3_copy(f->work->pose[collider->body].p, body.p);
    }
    if (collider->ground >= 0)
      ffi_ground_move(&f->room.ground[collider->ground], f->ground_velocity[collider->ground], t, &body);
    compose(&body, &collider->in, &out[i]);
  }
}

// Distance to a height field by brute force: the least signed distance to the prisms below its triangles, each a hull
// of six corners.
static double field_distance(const ffi_solid *x, const ffi_pose *px, const ffi_solid *y, const ffi_pose *py)
{
  const ffi_height_field *f = y->field;
  double least = (double)INFINITY, corner[6][3];
  ffi_solid prism = {.type = FF_SHAPE_HULL, .vertices = corner[0], .vertex_count = 6};
  ffi_distance d;
  for (int i = 0; i < 2 * (f->rows - 1) * (f->columns - 1); ++i) {
    const int upper = i % 2, c = i / 2 % (f->columns - 1), r = i / 2 / (f->columns - 1);
    const int column[3] = {c, c + 1, c + 1 - upper}, row[3] = {r, r + upper, r + 1};
    for (int k = 0; k < 3; ++k) {
      const double z = f->heights[row[k] * f->columns + column[k]];
      ffi_v3_set(((double)column[k] / (f->columns - 1) - 0.5) * f->size[0],
                 ((double)row[k] / (f->rows - 1) - 0.5) * f->size[1], z, corner[k]);
      ffi_v3_set(corner[k][0], corner[k][1], -100, corner[3 + k]);
    }
    ffi_distance_measure(&(ffi_solid_at){x, px->p, px->R}, &(ffi_solid_at){&prism, py->p, py->R}, NULL, &d);
    least = fmin(least, d.value);
  }
  return least;
}

double flight_distance(const flight *f, const double *q, const double *v, double t, int pair,
                       ffi_distance *out)
{
  ffi_pose places[COLLIDER_CASE_SHAPES];
  const ffi_collider_pair *p = &f->colliders.pairs[pair];
  assert_true(f->colliders.count <= COLLIDER_CASE_SHAPES);
  flight_places(f, q, v, t, places);
  const ffi_pose *a = &places[p->a - f->colliders.items], *b = &places[p->b - f->colliders.items];
  ffi_distance found;
  if (!out && p->b->solid.type == FF_SHAPE_HEIGHTFIELD)
    return field_distance(&p->a->solid, a, &p->b->solid, b);
  if (!ffi_distance_measure(&(ffi_solid_at){&p->a->solid, a->p, a->R},
                            &(ffi_solid_at){&p->b->solid, b->p, b->R}, NULL, &found))
    return (double)INFINITY;
  if (out)
    *out = found;
  return found.value;
}

ffi_advance_path flight_path(const flight *f, const double *q, const double *v, const double *error, double T)
{
  return (ffi_advance_path){.colliders = &f->colliders,
                            .k = f->k,
                            .work = f->work,
                            .detection = f->room.detection,
                            .ground = f->room.ground,
                            .ground_velocity = f->ground_velocity[0],
                            .q = q,
                            .v = v,
                            .error = error,
                            .T = T};
}

double flight_free(flight *f, const double *q, const double *v, flight_query query, ffi_advance_report *out)
{
  const ffi_advance_path path = flight_path(f, q, v, NULL, query.T);
  return ffi_advance_free(f->advance, &path, query.shortest, query.slack, out);
}

ff_model *flight_thing(ff_shape_type type, double s0, double s1, double s2)
{
  ff_builder *b = collider_case_builder();
  collider_case_shape(b, collider_case_link(b, "thing", FF_WORLD, FF_JOINT_FREE),
                      &(collider_case_solid){.type = type, .size = {s0, s1, s2}});
  return collider_case_finish(b);
}
