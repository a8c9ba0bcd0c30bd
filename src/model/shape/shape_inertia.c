// The mass of a solid shape of uniform density.
#include <footfall/shape.h>

#include "base/fail.h"
#include "math/hull.h"
#include "math/vec3.h"
#include "model/check.h"

static const double PI = 3.14159265358979323846264338327950288;

enum { MAX_HULL = 20000 }; // vertices; about a second

// Below, each in the shape's own frame, centred there.

static ff_inertia principal(double mass, double xx, double yy, double zz)
{
  return (ff_inertia){.mass = mass, .matrix = {xx, 0, 0, yy, 0, zz}};
}

static ff_inertia sphere(double density, double r)
{
  double m = density * 4 / 3 * PI * r * r * r;
  return principal(m, 0.4 * m * r * r, 0.4 * m * r * r, 0.4 * m * r * r);
}

static ff_inertia cylinder(double density, double r, double l)
{
  double m = density * PI * r * r * l;
  return principal(m, m * (3 * r * r + l * l) / 12, m * (3 * r * r + l * l) / 12, m * r * r / 2);
}

// A cylinder and two half spheres, whose centres of mass lie 3/8 r beyond its ends.
static ff_inertia capsule(double density, double r, double l)
{
  const ff_inertia c = cylinder(density, r, l), s = sphere(density, r);
  double xx = c.matrix[0] + s.matrix[0] + s.mass * (l * l / 4 + 3 * l * r / 8);
  return principal(c.mass + s.mass, xx, xx, c.matrix[5] + s.matrix[5]);
}

static ff_inertia box(double density, const double a[3])
{
  double m = density * a[0] * a[1] * a[2], x = a[0] * a[0], y = a[1] * a[1], z = a[2] * a[2];
  return principal(m, m * (y + z) / 12, m * (x + z) / 12, m * (x + y) / 12);
}

static ff_inertia ellipsoid(double density, const double a[3])
{
  double m = density * 4 / 3 * PI * a[0] * a[1] * a[2], x = a[0] * a[0], y = a[1] * a[1], z = a[2] * a[2];
  return principal(m, m * (y + z) / 5, m * (x + z) / 5, m * (x + y) / 5);
}

static ff_inertia disk(double density, double r)
{
  double m = density * PI * r * r;
  return principal(m, m * r * r / 4, m * r * r / 4, m * r * r / 2);
}

// From the integrals of r r' to the inertia: tr(S) 1 - S.
static ff_inertia from_solid(const ffi_hull_integrals *solid, double density)
{
  ff_inertia out = {.mass = density * solid->volume};
  const double *S = solid->moments, trace = S[0] + S[3] + S[5];
  ffi_v3_copy(solid->centre, out.com);
  for (int i = 0; i < 6; ++i)
    out.matrix[i] = density * ((i == 0 || i == 3 || i == 5 ? trace : 0) - S[i]);
  return out;
}

static ff_status hull(const ff_shape_def *shape, const char *thing, double density, ff_inertia *out,
                      ff_error *error)
{
  ffi_hull_integrals solid;
  if (shape->vertex_count > MAX_HULL)
    return ffi_fail(error, FF_ERROR_LIMIT, NULL, 0, thing,
                    "the inertia of a hull of %d vertices takes too long, the limit is %d",
                    shape->vertex_count, MAX_HULL);
  switch (ffi_hull_solid(shape->vertex_count, shape->vertices, &solid)) {
  case FFI_HULL_OK: *out = from_solid(&solid, density); return FF_OK;
  case FFI_HULL_NO_MEMORY:
    return ffi_fail(error, FF_ERROR_MEMORY, NULL, 0, thing, "there is not enough memory");
  case FFI_HULL_FLAT: break;
  }
  return ffi_fail(error, FF_ERROR_MODEL, NULL, 0, thing, "its vertices span no volume, so it has no inertia");
}

ff_status ff_inertia_from_shape(const ff_shape_def *shape, double density, ff_inertia *out, ff_error *error)
{
  if (!shape || !out)
    return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, "ff_inertia_from_shape", "an argument is NULL");
  const ffi_check_label thing = ffi_check_make_label("shape", shape->name);
  ff_shape_def def = *shape;
  ff_status status = ffi_check_shape_geometry(&(ffi_source){0}, thing.text, &def, error);
  if (status != FF_OK)
    return status;
  if (!(density >= 0) || isinf(density))
    return ffi_fail(error, FF_ERROR_MODEL, NULL, 0, thing.text,
                    "its density must be finite and >= 0 (it is %g)", density);
  ff_inertia own = ff_inertia_zero();
  const double *a = def.size;
  switch (def.type) {
  case FF_SHAPE_POINT:
  case FF_SHAPE_PLANE: break;
  case FF_SHAPE_SPHERE: own = sphere(density, a[0]); break;
  case FF_SHAPE_CAPSULE: own = capsule(density, a[0], a[1]); break;
  case FF_SHAPE_BOX: own = box(density, a); break;
  case FF_SHAPE_CYLINDER: own = cylinder(density, a[0], a[1]); break;
  case FF_SHAPE_ELLIPSOID: own = ellipsoid(density, a); break;
  case FF_SHAPE_DISK: own = disk(density, a[0]); break;
  case FF_SHAPE_HULL: status = hull(&def, thing.text, density, &own, error); break;
  case FF_SHAPE_MESH:
    return ffi_fail(error, FF_ERROR_UNSUPPORTED, NULL, 0, thing.text,
                    "the geometry of a mesh is not read, so its inertia must be given");
  case FF_SHAPE_HEIGHTFIELD:
    return ffi_fail(error, FF_ERROR_UNSUPPORTED, NULL, 0, thing.text,
                    "a height field has no bottom, so its inertia must be given");
  }
  if (status == FF_OK)
    *out = ff_inertia_transform(&def.pose, &own);
  return status;
}
