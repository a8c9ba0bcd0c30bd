// The broad phase of advancement: which pairs may touch within T. Their bounding balls, slabs and half spaces have to
// close the gap at the greatest speed that their centres can have.
#include "contact/advance/advance_memory.h"

#include "geometry/convex.h"
#include "math/mat3.h"
#include "model/model.h"

#include <float.h>
#include <math.h>

// How far the centre of x can move in y's frame.
static double travel(const ffi_advance *a, const ffi_pair_separation *w, double T)
{
  const ffi_advance_course *x = &a->now.course[w->x], *y = &a->now.course[w->y];
  const ffi_motion_bound *fx = &x->frame, *fy = &y->frame;
  double apart[3];
  const double straight = (fx->speed + fx->error_rate + fy->speed + fy->error_rate) * T;
  if (!(fy->turn > 0 || fy->angular_error > 0))
    return straight;
  ffi_v3_sub(x->pose.p, y->pose.p, apart);
  return straight + (fy->turn + fy->angular_error) * T * (ffi_v3_norm(apart) + straight);
}

// A lower bound of the gap between the ball about x and y now.
static double ball_gap(const ffi_colliders *colliders, const ffi_advance *a, const ffi_pair_separation *w)
{
  const ffi_solid *y = &colliders->items[w->y].solid;
  const ffi_pose *at = &a->now.course[w->y].pose;
  const double radius = colliders->items[w->x].solid.radius;
  double local[3];
  ffi_v3_sub(a->now.course[w->x].pose.p, at->p, local);
  ffi_m3_tmulv(at->R, local, local);
  switch ((ff_shape_type)y->type) {
  case FF_SHAPE_PLANE: return local[2] - radius;
  case FF_SHAPE_HEIGHTFIELD:
    return fmax(local[2] - y->field->high,
                fmax(fabs(local[0]) - y->size[0] / 2, fabs(local[1]) - y->size[1] / 2)) -
           radius;
  case FF_SHAPE_BOX:
    return fmax(fabs(local[2]) - y->size[2] / 2,
                fmax(fabs(local[0]) - y->size[0] / 2, fabs(local[1]) - y->size[1] / 2)) -
           radius;
  default: return ffi_v3_norm(local) - y->radius - radius;
  }
}

static int kind_of(const ffi_solid *solid)
{
  return solid->type == FF_SHAPE_PLANE         ? FFI_PAIR_SEPARATION_PLANE
         : solid->type == FF_SHAPE_HEIGHTFIELD ? FFI_PAIR_SEPARATION_FIELD
                                               : FFI_PAIR_SEPARATION_CONVEX;
}

// How far a collider moves at most. One that is not a ball to the broad phase and turns is close to everything.
static double growth(const ffi_colliders *colliders, const ffi_advance *a, int collider, double T)
{
  const ffi_motion_bound *f = &a->now.course[collider].frame;
  const ffi_collider *p = &colliders->items[collider];
  const int is_ball = p->ground < 0 && ffi_convex_has_core(&p->solid);
  if (!is_ball && (f->turn > 0 || f->angular_error > 0))
    return (double)INFINITY;
  const double way = (f->speed + f->error_rate) * T;
  return way <= DBL_MAX ? way : (double)INFINITY; // NaN, too
}

static int is_reached(const ffi_colliders *colliders, const ffi_advance *a, int pair, double T,
                      ffi_pair_separation *out)
{
  const ffi_collider *x = colliders->pairs[pair].a, *y = colliders->pairs[pair].b;
  if (!ffi_distance_is_known(&x->solid, &y->solid))
    return 0;
  if (!ffi_convex_has_core(&x->solid)) {
    x = colliders->pairs[pair].b;
    y = colliders->pairs[pair].a;
  }
  *out = (ffi_pair_separation){.pair = pair,
                               .kind = kind_of(&y->solid),
                               .x = (int)(x - colliders->items),
                               .y = (int)(y - colliders->items)};
  return !(ball_gap(colliders, a, out) > travel(a, out, T));
}

void ffi_advance_gather(ffi_advance *a, const ffi_advance_path *path)
{
  const ffi_colliders *colliders = path->colliders;
  const double T = path->T;
  const ffi_poses at = {.body = a->now.pose, .ground = a->now.pose + colliders->model->body_count};
  for (int i = 0; i < colliders->count; ++i)
    a->grow[i] = growth(colliders, a, i, T);
  const int count = ffi_detect_close_pairs(colliders, path->detection, &at, a->grow, a->close);
  a->pair_count = 0;
  for (int i = 0; i < count; ++i)
    a->pair_count += is_reached(colliders, a, a->close[i], T, &a->pairs[a->pair_count]);
}
