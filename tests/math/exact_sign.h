/// exact_sign.h: the sign of the determinant | 1 a; 1 b; 1 c; 1 d |, for any finite numbers whose products are no
/// smaller than 2^-1500. Unless it is plain, the 24 products are added up digit by digit in one long number. Slow, and
/// with nothing of math/orient.c.
#ifndef FFI_TESTS_MATH_EXACT_SIGN_H
#define FFI_TESTS_MATH_EXACT_SIGN_H

/// 1: d is above the plane in which a, b and c run counter-clockwise seen from above. -1: below, 0: in it.
int ffi_exact_sign(const double a[3], const double b[3], const double c[3], const double d[3]);

#endif
