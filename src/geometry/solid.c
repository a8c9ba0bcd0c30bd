// Solids from the shapes of a model.
#include "geometry/collide.h"

#include <math.h>

static void describe_field(const ff_shape_def *shape, ffi_height_field *out)
{
  *out = (ffi_height_field){
      .rows = shape->rows,
      .columns = shape->columns,
      .size = {shape->size[0], shape->size[1]},
      .high = shape->heights[0],
      .heights = shape->heights,
  };
  for (int i = 1; i < shape->rows * shape->columns; ++i)
    out->high = fmax(out->high, shape->heights[i]);
}

void ffi_solid_set(const ff_shape_def *shape, ffi_height_field *field, ffi_solid *out)
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
