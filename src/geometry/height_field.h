/// height_field.h: the triangles of a height field. A cell is named by the column and row of its corner of least x and y;
/// its lower triangle holds the corner of greatest x and least y, its upper one the opposite.
#ifndef FFI_GEOMETRY_HEIGHT_FIELD_H
#define FFI_GEOMETRY_HEIGHT_FIELD_H

#include "geometry/collide.h"

/// A place on the grid. The diagonal belongs to the lower triangle, a line between cells to the one beyond it.
typedef struct ffi_height_field_triangle {
  int column, row; ///< the cell
  int is_upper;    ///< the triangle
  double u, v;     ///< in the cell along x and y, 0 .. 1
} ffi_height_field_triangle;

/// Which triangle lies above or below (x, y); 0 outside the grid.
int ffi_height_field_find(const ffi_height_field *field, double x, double y, ffi_height_field_triangle *out);

/// Length of a cell along x (axis 0) or y (1).
double ffi_height_field_cell_size(const ffi_height_field *field, int axis);

/// A point of the grid, in the field's frame.
void ffi_height_field_point(const ffi_height_field *field, int column, int row, double out[3]);

/// dz/dx and dz/dy of a triangle.
void ffi_height_field_slope(const ffi_height_field *field, int column, int row, int is_upper,
                            double slope[2]);

#endif
