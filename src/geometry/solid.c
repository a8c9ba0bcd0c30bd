// Solids from the shapes of a model, and what lies on their surface.
#include "geometry/meeting.h"
#include "geometry/surface.h"

static void describe_field(const ff_shape_def *shape, ffi_heightfield *out)
{
  *out = (ffi_heightfield){
      .rows = shape->rows,
      .columns = shape->columns,
      .size = {shape->size[0], shape->size[1]},
      .high = shape->heights[0],
      .heights = shape->heights,
  };
  for (int i = 1; i < shape->rows * shape->columns; ++i)
    out->high = fmax(out->high, shape->heights[i]);
}

void ffi_solid_set(const ff_shape_def *shape, ffi_heightfield *field, ffi_solid *out)
{
  *out = (ffi_solid){
      .type = (int)shape->type,
      .size = {shape->size[0], shape->size[1], shape->size[2]},
      .vertices = shape->vertices,
      .vertex_count = shape->vertex_count,
  };
  if (shape->type == FF_SHAPE_HEIGHTFIELD) {
    describe_field(shape, field);
    out->field = field;
  }
  out->radius = ffi_solid_radius(out);
}

int ffi_surface_distance(const ffi_solid *solid, const double x[3], const double *centre, double normal[3],
                         double *distance)
{
  if (solid->type == FF_SHAPE_HEIGHTFIELD)
    return ffi_field_distance(solid->field, x, normal, distance);
  if (solid->type == FF_SHAPE_BOX) {
    const double half[3] = {0.5 * solid->size[0], 0.5 * solid->size[1], 0.5 * solid->size[2]};
    *distance = ffi_box_distance(half, x, centre, normal);
    return 1;
  }
  ffi_v3_set(0, 0, 1, normal);
  *distance = x[2];
  return 1;
}
