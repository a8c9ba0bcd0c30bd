// The broad phase: which pairs may meet within the time asked for. Their balls, slabs and half spaces would have to close the gap at the greatest speed that their
// centres can have.
#include "contact/advance/advance_memory.h"

#include "geometry/convex.h"
#include "math/mat3.h"
#include "model/model.h"

#include <float.h>
#include <math.h>

// How far the centre of x can come nearer to things fixed in y's frame.
static double travel(const ffi_advance *a, const ffi_pair_separation *w, double T)
{
  const ffi_advance_course *x = &a->now.course[w->x], *y = &a->now.course[w->y];
  const ffi_motion_bound *fx = &x->frame, *fy = &y->frame;
  double apart[3];
  const double straight = (fx->speed + fx->doubt + fy->speed + fy->doubt) * T;
  if (!(fy->turn > 0 || fy->doubt_turn > 0))
    return straight;
  ffi_v3_sub(x->place.p, y->place.p, apart);
  return straight + (fy->turn + fy->doubt_turn) * T * (ffi_v3_norm(apart) + straight);
}

// Least gap between the ball about x and y now.
static double ball_gap(const ffi_colliders *scene, const ffi_advance *a, const ffi_pair_separation *w)
{
  const ffi_solid *y = &scene->parties[w->y].solid;
  const ffi_pose *at = &a->now.course[w->y].place;
  const double radius = scene->parties[w->x].solid.radius;
  double local[3];
  ffi_v3_sub(a->now.course[w->x].place.p, at->p, local);
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

// How far a party moves at most. What is not a ball to the broad phase turns about its origin, too: such a one that turns is close to everything.
static double growth(const ffi_colliders *scene, const ffi_advance *a, int party, double T)
{
  const ffi_motion_bound *f = &a->now.course[party].frame;
  const ffi_collider *p = &scene->parties[party];
  const int is_ball = p->ground < 0 && ffi_convex_has_core(&p->solid);
  if (!is_ball && (f->turn > 0 || f->doubt_turn > 0))
    return (double)INFINITY;
  const double way = (f->speed + f->doubt) * T;
  return way <= DBL_MAX ? way : (double)INFINITY; // no number, too
}

static int is_reached(const ffi_colliders *scene, const ffi_advance *a, int pair, double T,
                      ffi_pair_separation *out)
{
  const ffi_collider *x = scene->pairs[pair].a, *y = scene->pairs[pair].b;
  if (!ffi_distance_is_known(&x->solid, &y->solid))
    return 0;
  if (!ffi_convex_has_core(&x->solid)) {
    x = scene->pairs[pair].b;
    y = scene->pairs[pair].a;
  }
  *out = (ffi_pair_separation){.pair = pair,
                               .kind = kind_of(&y->solid),
                               .x = (int)(x - scene->parties),
                               .y = (int)(y - scene->parties)};
  return !(ball_gap(scene, a, out) > travel(a, out, T));
}

void ffi_advance_gather(ffi_advance *a, const ffi_advance_path *path)
{
  const ffi_colliders *scene = path->scene;
  const double T = path->T;
  const ffi_poses at = {.body = a->now.pose, .ground = a->now.pose + scene->model->body_count};
  for (int i = 0; i < scene->party_count; ++i)
    a->grow[i] = growth(scene, a, i, T);
  const int count = ffi_detect_close_pairs(scene, path->detection, &at, a->grow, a->close);
  a->vigil_count = 0;
  for (int i = 0; i < count; ++i)
    a->vigil_count += is_reached(scene, a, a->close[i], T, &a->vigil[a->vigil_count]);
}
