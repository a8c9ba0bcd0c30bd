/// height_field.h: terrain as heights over a rectangular grid, and its triangles.
///
/// A cell is named by the column and row of its corner of least x and y. It is split from that corner to the opposite
/// one: its lower triangle holds the corner of greatest x and least y, its upper triangle the opposite corner.
#ifndef FFI_GEOMETRY_HEIGHT_FIELD_H
#define FFI_GEOMETRY_HEIGHT_FIELD_H

/// Heights over a rectangle of the xy plane about the origin; everything below is solid. Heights [rows x columns],
/// row-major: column c lies at x = (c / (columns - 1) - 1/2) size[0], row r at y = (r / (rows - 1) - 1/2) size[1].
typedef struct ffi_height_field {
  int rows, columns;     ///< both >= 2
  double size[2];        ///< full extents along x and y [m]
  double high;           ///< the greatest height [m]
  const double *heights; ///< [rows x columns] [m], borrowed
} ffi_height_field;

/// The triangle above or below a point. The diagonal belongs to the lower triangle, a line between cells to the cell
/// beyond it.
typedef struct ffi_height_field_triangle {
  int column, row; ///< the cell
  int is_upper;    ///< the triangle
  double u, v;     ///< place in the cell along x and y, 0 .. 1
} ffi_height_field_triangle;

/// The triangle above or below (x, y); 0 outside the grid.
int ffi_height_field_find(const ffi_height_field *field, double x, double y, ffi_height_field_triangle *out);

/// Length of a cell along x (axis 0) or y (1).
double ffi_height_field_cell_size(const ffi_height_field *field, int axis);

/// How many cells a square around a ball covers, at most all of them.
double ffi_height_field_cells_under(const ffi_height_field *field, double radius);

/// dz/dx and dz/dy of a triangle.
void ffi_height_field_slope(const ffi_height_field *field, int column, int row, int is_upper,
                            double slope[2]);

/// The three corners of a triangle, counter-clockwise from above.
void ffi_height_field_corners(const ffi_height_field *field, int column, int row, int is_upper,
                              double out[3][3]);

/// Signed distance of x from the plane of the triangle above or below it, and that triangle's normal. Returns 0, and
/// sets nothing, outside the grid.  docs/theory/detection.md, section 6
int ffi_height_field_distance(const ffi_height_field *field, const double x[3], double normal[3],
                              double *distance);

#endif
