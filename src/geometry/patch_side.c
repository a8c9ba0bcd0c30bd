// The corners of a solid, seen from another one.  docs/theory/detection.md, sections 1 and 5
#include "geometry/cap.h"
#include "geometry/patch.h"

int ffi_patch_side_corner_count(const ffi_solid *solid)
{
  switch ((ff_shape_type)solid->type) {
  case FF_SHAPE_POINT:
  case FF_SHAPE_SPHERE: return 1;
  case FF_SHAPE_CAPSULE: return 2;
  case FF_SHAPE_BOX: return 8;
  case FF_SHAPE_CYLINDER: return 10;
  case FF_SHAPE_DISK: return 5;
  case FF_SHAPE_HULL: return solid->vertex_count;
  case FF_SHAPE_ELLIPSOID: // has one touch (ellipsoid/collide_ellipsoid.c)
  case FF_SHAPE_PLANE:
  case FF_SHAPE_MESH:
  case FF_SHAPE_HEIGHTFIELD: return 0;
  }
  return 0;
}

static int has_caps(const ffi_solid *solid)
{
  return solid->type == FF_SHAPE_CYLINDER || solid->type == FF_SHAPE_DISK;
}

// As in collide_caps.c. The rolling witness is above the rim's lowest point by tilt times its distance from the rim.
static void set_caps(ffi_patch_side *s)
{
  const double radius = s->convex.solid->size[0];
  double axis[3];
  ffi_axis(s->convex.R, 2, axis);
  ffi_v3_copy(s->towards, s->lowest);
  ffi_v3_add_scaled(-ffi_v3_dot(axis, s->towards), axis, s->lowest);
  // again: normal to the axis to the last bit, however small
  ffi_v3_add_scaled(-ffi_v3_dot(axis, s->lowest), axis, s->lowest);
  const double tilt = ffi_smaller(ffi_direction(s->lowest, s->lowest), 1);
  s->drawn = radius * ffi_cap_drawn(tilt);
  s->stand = radius * sqrt(1 - tilt * tilt);
  s->dip = tilt * (radius - s->drawn);
}

void ffi_patch_side_set(const ffi_solid *solid, const double p[3], const double R[9], const double towards[3],
                        ffi_patch_side *out)
{
  double far[3];
  *out = (ffi_patch_side){.corner_count = ffi_patch_side_corner_count(solid)};
  ffi_convex_set(solid, p, R, &out->convex);
  ffi_v3_copy(towards, out->towards);
  ffi_convex_support(&out->convex, towards, far);
  out->reach = ffi_v3_dot(far, towards) + out->convex.swept_radius;
  if (has_caps(solid))
    set_caps(out);
}

static void cap_corner(const ffi_patch_side *s, int number, ffi_patch_corner *out)
{
  const ffi_solid *solid = s->convex.solid;
  const int cap = number / 5, which = number % 5;
  const double z = solid->type == FF_SHAPE_DISK ? 0 : (cap ? -0.5 : 0.5) * solid->size[1];
  double along[3];
  ffi_to_world(s->convex.p, s->convex.R, (const double[]){0, 0, z}, out->core);
  if (which == 0) {
    out->roll = FFI_ROLL_AXIS;
    ffi_v3_copy(out->core, out->centre);
    ffi_axis(s->convex.R, 2, out->axis);
    ffi_v3_add_scaled(s->drawn, s->lowest, out->core);
    return;
  }
  ffi_axis(s->convex.R, which > 2, along);
  ffi_v3_add_scaled(which % 2 ? s->stand : -s->stand, along, out->core);
}

void ffi_patch_side_corner(const ffi_patch_side *s, int number, ffi_patch_corner *out)
{
  const ffi_solid *solid = s->convex.solid;
  const double *size = solid->size;
  double local[3] = {0};
  *out = (ffi_patch_corner){.number = number, .roll = FFI_ROLL_NONE};
  if (has_caps(solid)) {
    cap_corner(s, number, out);
  } else {
    if (solid->type == FF_SHAPE_HULL)
      ffi_v3_copy(solid->vertices + 3 * number, local);
    else if (solid->type == FF_SHAPE_CAPSULE)
      local[2] = (number ? -0.5 : 0.5) * size[1];
    else if (solid->type == FF_SHAPE_BOX)
      for (int k = 0; k < 3; ++k)
        local[k] = (number >> k & 1 ? 0.5 : -0.5) * size[k];
    ffi_to_world(s->convex.p, s->convex.R, local, out->core);
    if (s->convex.swept_radius > 0)
      out->roll = FFI_ROLL_SPHERE;
  }
  if (out->roll == FFI_ROLL_SPHERE)
    ffi_v3_copy(out->core, out->centre);
  out->height = ffi_larger(s->reach - s->convex.swept_radius - ffi_v3_dot(out->core, s->towards), 0);
}
