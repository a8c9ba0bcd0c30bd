// Support functions of the solids that have a core.
#include "geometry/convex.h"

#include "geometry/ellipsoid/ellipsoid.h"
#include "geometry/narrow_phase.h"
#include "math/vec3.h"

#include <math.h>

int ffi_convex_has_core(const ffi_solid *solid)
{
  switch ((ff_shape_type)solid->type) {
  case FF_SHAPE_POINT:
  case FF_SHAPE_SPHERE:
  case FF_SHAPE_CAPSULE:
  case FF_SHAPE_BOX:
  case FF_SHAPE_CYLINDER:
  case FF_SHAPE_DISK:
  case FF_SHAPE_ELLIPSOID:
  case FF_SHAPE_HULL: return 1;
  case FF_SHAPE_PLANE:
  case FF_SHAPE_MESH:
  case FF_SHAPE_HEIGHTFIELD: return 0;
  }
  return 0;
}

double ffi_convex_swept_radius(const ffi_solid *solid)
{
  if (solid->type == FF_SHAPE_ELLIPSOID)
    return ffi_ellipsoid_inner_radius(solid->size);
  return solid->type == FF_SHAPE_SPHERE || solid->type == FF_SHAPE_CAPSULE ? solid->size[0] : 0;
}

void ffi_convex_set(const ffi_solid *solid, const double p[3], const double R[9], ffi_convex *out)
{
  *out = (ffi_convex){.solid = solid, .p = p, .R = R, .swept_radius = ffi_convex_swept_radius(solid)};
}

void ffi_convex_set_prism(const double corner[6][3], ffi_convex *out)
{
  *out = (ffi_convex){.prism = corner};
}

static const double *farthest(const double *vertices, int count, const double d[3])
{
  int best = 0;
  double most = -(double)INFINITY;
  for (int i = 0; i < count; ++i) {
    const double along = ffi_v3_dot(vertices + 3 * i, d);
    if (along > most) {
      most = along;
      best = i;
    }
  }
  return vertices + 3 * best;
}

// The support point along d, both in the solid's frame.
static void support_local(const ffi_solid *s, const double d[3], double out[3])
{
  ffi_v3_set(0, 0, 0, out);
  const double across = hypot(d[0], d[1]), *size = s->size;
  switch ((ff_shape_type)s->type) {
  case FF_SHAPE_CAPSULE: out[2] = copysign(0.5 * size[1], d[2]); break;
  case FF_SHAPE_BOX:
    for (int k = 0; k < 3; ++k)
      out[k] = copysign(0.5 * size[k], d[k]);
    break;
  case FF_SHAPE_CYLINDER: out[2] = copysign(0.5 * size[1], d[2]); // fall through
  case FF_SHAPE_DISK:
    if (across > 0) {
      out[0] = size[0] * d[0] / across;
      out[1] = size[0] * d[1] / across;
    }
    break;
  case FF_SHAPE_ELLIPSOID: ffi_ellipsoid_support_core(size, d, out); break;
  case FF_SHAPE_HULL: ffi_v3_copy(farthest(s->vertices, s->vertex_count, d), out); break;
  case FF_SHAPE_POINT:
  case FF_SHAPE_SPHERE:
  case FF_SHAPE_PLANE:
  case FF_SHAPE_MESH:
  case FF_SHAPE_HEIGHTFIELD: break;
  }
}

void ffi_convex_support(const ffi_convex *c, const double direction[3], double out[3])
{
  if (c->prism) {
    ffi_v3_copy(farthest(c->prism[0], 6, direction), out);
    return;
  }
  const double *R = c->R, d[3] = {R[0] * direction[0] + R[3] * direction[1] + R[6] * direction[2],
                                  R[1] * direction[0] + R[4] * direction[1] + R[7] * direction[2],
                                  R[2] * direction[0] + R[5] * direction[1] + R[8] * direction[2]};
  double local[3];
  support_local(c->solid, d, local);
  ffi_to_world(c->p, R, local, out);
}

void ffi_convex_middle(const ffi_convex *c, double out[3])
{
  const int is_hull = !c->prism && c->solid->type == FF_SHAPE_HULL;
  const int count = c->prism ? 6 : is_hull ? c->solid->vertex_count : 0;
  const double *vertices = c->prism ? c->prism[0] : is_hull ? c->solid->vertices : NULL;
  ffi_v3_set(0, 0, 0, out);
  for (int i = 0; i < count; ++i)
    ffi_v3_add_scaled(1.0 / count, vertices + 3 * i, out);
  if (!c->prism)
    ffi_to_world(c->p, c->R, out, out);
}

void ffi_convex_difference_support(const ffi_convex *a, const ffi_convex *b, const double direction[3],
                                   ffi_convex_vertex *out)
{
  double back[3];
  ffi_v3_scale(-1, direction, back);
  ffi_convex_support(a, direction, out->a);
  ffi_convex_support(b, back, out->b);
  ffi_v3_sub(out->a, out->b, out->w);
}
