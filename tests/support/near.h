/// near.h: how far numbers are from what they should be, remembered and judged.
///
///     ffi_margin mass = {.what = "mass matrix", .tolerance = 1e-12};
///     for (each case)
///       ffi_margin_add(&mass, ffi_gap(n, got, want) / scale, number_of_the_case);
///     ffi_margin_check(&mass);   // prints the worst and where it was; fails if it is above the tolerance
#ifndef FFI_TESTS_NEAR_H
#define FFI_TESTS_NEAR_H

/// |got - want| <= tolerance, or a failed test that tells its name.
void ffi_check_near(const char *what, double got, double want, double tolerance);

/// The largest |got - want| of n numbers; infinite if any of them is not finite.
double ffi_gap(int n, const double *got, const double *want);

/// The largest |x| of n numbers; 0 for none.
double ffi_size(int n, const double *x);

typedef struct ffi_margin {
  const char *what;
  double tolerance; ///< with a reason, where it is set
  double worst;
  int where; ///< case of the worst, such as a seed
  int count; ///< how many were added
} ffi_margin;

void ffi_margin_add(ffi_margin *margin, double error, int where);

/// Also fails if nothing was ever added: a test that tests nothing is none.
void ffi_margin_check(const ffi_margin *margin);

#endif
