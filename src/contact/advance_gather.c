// The broad phase: which pairs may meet within the time asked for. Their balls, slabs and half spaces would have to close the gap at the greatest speed that their
// centres can have.
#include "contact/advance_parts.h"

#include "geometry/convex.h"
#include "math/mat3.h"

// How far the centre of x can come nearer to things fixed in y's frame.
static double travel(const ffi_advance *a, const ffi_vigil *w, double T)
{
  const ffi_course *x = &a->now.course[w->x], *y = &a->now.course[w->y];
  const ffi_motion_bound *fx = &x->frame, *fy = &y->frame;
  double apart[3];
  const double straight = (fx->speed + fx->doubt + fy->speed + fy->doubt) * T;
  if (!(fy->turn > 0 || fy->doubt_turn > 0))
    return straight;
  ffi_v3_sub(x->place.p, y->place.p, apart);
  return straight + (fy->turn + fy->doubt_turn) * T * (ffi_v3_norm(apart) + straight);
}

// Least gap between the ball about x and y now.
static double ball_gap(const ffi_scene *scene, const ffi_advance *a, const ffi_vigil *w)
{
  const ffi_solid *y = &scene->parties[w->y].solid;
  const ffi_place *at = &a->now.course[w->y].place;
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
  return solid->type == FF_SHAPE_PLANE         ? FFI_VIGIL_PLANE
         : solid->type == FF_SHAPE_HEIGHTFIELD ? FFI_VIGIL_FIELD
                                               : FFI_VIGIL_CONVEX;
}

void ffi_advance_gather(ffi_advance *a, const ffi_scene *scene, double T)
{
  a->vigil_count = 0;
  for (int i = 0; i < scene->pair_count; ++i) {
    const ffi_pair *pair = &scene->pairs[i];
    if (!ffi_distance_is_known(&pair->a->solid, &pair->b->solid))
      continue;
    const ffi_party *x = pair->a, *y = pair->b;
    if (!ffi_is_convex(&x->solid)) {
      x = pair->b;
      y = pair->a;
    }
    ffi_vigil w = {.pair = i,
                   .kind = kind_of(&y->solid),
                   .x = (int)(x - scene->parties),
                   .y = (int)(y - scene->parties)};
    if (!(ball_gap(scene, a, &w) > travel(a, &w, T)))
      a->vigil[a->vigil_count++] = w;
  }
}
