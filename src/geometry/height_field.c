// Triangles of a height field, and the distance of a point from the triangle above or below it.
#include "geometry/height_field.h"

#include "math/vec3.h"

#include <math.h>
#include <stddef.h>

int ffi_height_field_find(const ffi_height_field *field, double x, double y, ffi_height_field_triangle *out)
{
  const double u = (x / field->size[0] + 0.5) * (field->columns - 1);
  const double v = (y / field->size[1] + 0.5) * (field->rows - 1);
  if (!(u >= 0 && u <= field->columns - 1 && v >= 0 && v <= field->rows - 1))
    return 0;
  const int c = (int)u, r = (int)v;
  out->column = c < field->columns - 2 ? c : field->columns - 2; // the last line belongs to the last cell
  out->row = r < field->rows - 2 ? r : field->rows - 2;
  out->u = u - out->column;
  out->v = v - out->row;
  out->is_upper = out->v > out->u;
  return 1;
}

double ffi_height_field_cell_size(const ffi_height_field *f, int axis)
{
  return f->size[axis] / ((axis == 0 ? f->columns : f->rows) - 1);
}

double ffi_height_field_cells_under(const ffi_height_field *field, double radius)
{
  double cells = 1;
  for (int k = 0; k < 2; ++k) {
    const double most = (k == 0 ? field->columns : field->rows) - 1;
    cells *= fmin(2 * radius / ffi_height_field_cell_size(field, k), most);
  }
  return cells;
}

// A point of the grid, in the field's frame.
static void grid_point(const ffi_height_field *f, int column, int row, double out[3])
{
  ffi_v3_set(column * ffi_height_field_cell_size(f, 0) - 0.5 * f->size[0],
             row * ffi_height_field_cell_size(f, 1) - 0.5 * f->size[1], f->heights[row * f->columns + column],
             out);
}

void ffi_height_field_corners(const ffi_height_field *field, int column, int row, int is_upper,
                              double out[3][3])
{
  grid_point(field, column, row, out[0]);
  grid_point(field, column + 1, row + is_upper, out[1]);
  grid_point(field, column + 1 - is_upper, row + 1, out[2]);
}

void ffi_height_field_slope(const ffi_height_field *field, int column, int row, int is_upper, double slope[2])
{
  const double *z = field->heights + (size_t)row * (size_t)field->columns + column;
  const double *next = z + field->columns;
  const double du = is_upper ? next[1] - next[0] : z[1] - z[0];
  const double dv = is_upper ? next[0] - z[0] : next[1] - z[1];
  slope[0] = du * (field->columns - 1) / field->size[0];
  slope[1] = dv * (field->rows - 1) / field->size[1];
}

int ffi_height_field_distance(const ffi_height_field *field, const double x[3], double normal[3],
                              double *distance)
{
  ffi_height_field_triangle at;
  double slope[2];
  if (!ffi_height_field_find(field, x[0], x[1], &at))
    return 0;
  ffi_height_field_slope(field, at.column, at.row, at.is_upper, slope);
  const double z = field->heights[(size_t)at.row * (size_t)field->columns + (size_t)at.column] +
                   at.u * slope[0] * field->size[0] / (field->columns - 1) +
                   at.v * slope[1] * field->size[1] / (field->rows - 1);
  const double up = 1 / sqrt(1 + slope[0] * slope[0] + slope[1] * slope[1]);
  ffi_v3_set(-up * slope[0], -up * slope[1], up, normal);
  *distance = up * (x[2] - z);
  return 1;
}
