// Solids from the shapes of a model, and how wide they are.
#include "geometry/solid.h"

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

static double cell_width(const ffi_height_field *field)
{
  return fmin(field->size[0] / (field->columns - 1), field->size[1] / (field->rows - 1));
}

double ffi_solid_width(const ffi_solid *solid)
{
  const double *size = solid->size;
  switch (solid->type) {
  case FF_SHAPE_PLANE: return INFINITY;
  case FF_SHAPE_HEIGHTFIELD: return cell_width(solid->field);
  case FF_SHAPE_SPHERE:
  case FF_SHAPE_CAPSULE: return 2 * size[0];
  case FF_SHAPE_BOX: return fmin(size[0], fmin(size[1], size[2]));
  case FF_SHAPE_ELLIPSOID: return 2 * fmin(size[0], fmin(size[1], size[2]));
  case FF_SHAPE_CYLINDER: return fmin(2 * size[0], size[1]);
  default: return 0; // points, disks; hulls come without faces
  }
}
