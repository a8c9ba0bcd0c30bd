/// eigen3.h: eigenvalues of a symmetric 3 x 3 matrix.
#ifndef FFI_MATH_EIGEN3_H
#define FFI_MATH_EIGEN3_H

/// S is xx xy xz yy yz zz. Values ascending, each to a few eps of the largest one's size.
void ffi_eigen3(const double S[6], double values[3]);

#endif
