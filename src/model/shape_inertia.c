// The mass of a solid shape of uniform density.
#include <footfall/shape.h>

#include "base/error.h"
#include "math/mat3.h"

static const double PI = 3.14159265358979323846264338327950288;

// Mass and principal moments (about the shape's centre, its axes) of one primitive.
typedef struct solid {
  double mass;
  double xx, yy, zz;
} solid;

static solid round_solid(double mass, double xx, double zz)
{
  return (solid){mass, xx, xx, zz};
}

static solid sphere(double density, double r)
{
  double m = density * 4 / 3 * PI * r * r * r;
  return round_solid(m, 0.4 * m * r * r, 0.4 * m * r * r);
}

static solid cylinder(double density, double r, double l)
{
  double m = density * PI * r * r * l;
  return round_solid(m, m * (3 * r * r + l * l) / 12, m * r * r / 2);
}

// A cylinder and two half spheres, whose centres of mass lie 3/8 r beyond its ends.
static solid capsule(double density, double r, double l)
{
  solid c = cylinder(density, r, l), s = sphere(density, r);
  double ends = s.xx + s.mass * (l * l / 4 + 3 * l * r / 8);
  return round_solid(c.mass + s.mass, c.xx + ends, c.zz + s.zz);
}

static solid box(double density, const double a[3])
{
  double m = density * a[0] * a[1] * a[2], x = a[0] * a[0], y = a[1] * a[1], z = a[2] * a[2];
  return (solid){m, m * (y + z) / 12, m * (x + z) / 12, m * (x + y) / 12};
}

static solid disk(double density, double r)
{
  double m = density * PI * r * r;
  return round_solid(m, m * r * r / 4, m * r * r / 2);
}

ff_status ff_inertia_from_shape(const ff_shape_def *shape, double density, ff_inertia *out, ff_error *error)
{
  const double *a = shape->size;
  solid s = {0};
  if (!(density >= 0) || isinf(density))
    return ffi_fail(error, FF_ERROR_MODEL, NULL, 0, "shape", "its density must be finite and >= 0 (it is %g)", density);
  switch (shape->type) {
  case FF_SHAPE_POINT:
  case FF_SHAPE_PLANE: break;
  case FF_SHAPE_SPHERE: s = sphere(density, a[0]); break;
  case FF_SHAPE_CAPSULE: s = capsule(density, a[0], a[1]); break;
  case FF_SHAPE_BOX: s = box(density, a); break;
  case FF_SHAPE_CYLINDER: s = cylinder(density, a[0], a[1]); break;
  case FF_SHAPE_DISK: s = disk(density, a[0]); break;
  case FF_SHAPE_HULL:
  case FF_SHAPE_MESH:
    return ffi_fail(error, FF_ERROR_UNSUPPORTED, NULL, 0, "shape",
                    "the geometry of a %s is not known here, so its inertia must be given",
                    ff_shape_type_name(shape->type));
  default: return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, "shape", "there is no shape type %d", (int)shape->type);
  }
  const ff_inertia own = {.mass = s.mass, .matrix = {s.xx, 0, 0, s.yy, 0, s.zz}};
  *out = ff_inertia_transform(&shape->pose, &own);
  return FF_OK;
}
