#include "geometry/surface.h"

#include "math/vec3.h"

int ffi_surface_distance(const ffi_solid *solid, const double x[3], const double *centre, double normal[3],
                         double *distance)
{
  if (solid->type == FF_SHAPE_HEIGHTFIELD)
    return ffi_height_field_distance(solid->field, x, normal, distance);
  if (solid->type == FF_SHAPE_BOX) {
    const double half[3] = {0.5 * solid->size[0], 0.5 * solid->size[1], 0.5 * solid->size[2]};
    *distance = ffi_box_distance(half, x, centre, normal);
    return 1;
  }
  ffi_v3_set(0, 0, 1, normal);
  *distance = x[2];
  return 1;
}
