/// orient.h: on which side of a plane through three points a fourth one lies, without any rounding.
///
/// Points are on a grid: every coordinate is a whole multiple of 2^-FFI_ORIENT_BITS, and none is beyond [-1, 1].
/// ffi_orient_snap puts them there. For points within a power of two of the largest coordinate, all doubles are on the
/// grid but those smaller than 2^(52 - FFI_ORIENT_BITS): whatever is measured in metres is left as it is.
#ifndef FFI_MATH_ORIENT_H
#define FFI_MATH_ORIENT_H

/// A difference of two coordinates is a whole number below 2^189, a determinant of three such vectors one below
/// 6 x 2^567 < 2^570, which fits into 9 words.
enum { FFI_ORIENT_BITS = 188 };

/// x in [-1, 1] on the grid, moved by 2^-189 at most.
double ffi_orient_snap(double x);

/// 1 if d is above the plane through a, b and c, the side from which they run counter-clockwise; -1 if it is below; 0
/// if it is on the plane, or if a, b and c are on a line.
int ffi_orient_sign(const double a[3], const double b[3], const double c[3], const double d[3]);

/// The unit vector along (b - a) x (c - a), however thin the triangle is: off by 8 x 2^-53 at most. Zero if a, b and c
/// are on a line.
void ffi_orient_normal(const double a[3], const double b[3], const double c[3], double out[3]);

#endif
