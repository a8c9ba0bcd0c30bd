/// impact_scaling.h: products of round cones and half lines, as an interior point method needs them.
///
/// A point is [3 * cones + lines] numbers: x, y, n of each cone x^2 + y^2 <= n^2, n >= 0, then the lines. For two points w and y inside, the scaling of Nesterov and Todorov is
/// the symmetric W with W y = W^-1 w: of a line sqrt(w / y), of a cone beta (2 v v' - J), J = diag(-1, -1, 1), v'Jv = 1. Products o are those of Jordan algebras:
/// of lines x y, of cones (n_x y_t + n_y x_t, x'y).
#ifndef FFI_CONTACT_IMPACT_SCALING_H
#define FFI_CONTACT_IMPACT_SCALING_H

/// W of one cone, and W^-2 = (2 g g' - J) / beta^2.
typedef struct ffi_nt_scaling_cone {
  double beta, v[3], g[3];
} ffi_nt_scaling_cone;

typedef struct ffi_nt_scaling {
  int cones, lines;
  ffi_nt_scaling_cone *cone; ///< [cones]
  double *line;              ///< [lines] sqrt(w / y)
} ffi_nt_scaling;

/// Where the two points are the scaling; 0 if one of them is not inside.
int ffi_nt_scaling_set(ffi_nt_scaling *s, const double *w, const double *y);
void ffi_nt_scaling_apply(const ffi_nt_scaling *s, const double *x, double *out);  ///< W x; out may be x
void ffi_nt_scaling_remove(const ffi_nt_scaling *s, const double *x, double *out); ///< W^-1 x; out may be x
void ffi_nt_scaling_square(const ffi_nt_scaling_cone *c, double out[9]);           ///< W^-2 of a cone

void ffi_nt_scaling_jordan_product(const ffi_nt_scaling *s, const double *x, const double *y, double *out);
void ffi_nt_scaling_jordan_divide(const ffi_nt_scaling *s, const double *l, const double *d,
                                  double *out); ///< l o out = d; out may be d

/// The largest length <= 1 for which x + length d is still inside or on the rim.
double ffi_nt_scaling_length(const ffi_nt_scaling *s, const double *x, const double *d);
/// How far x is outside, along (0, 0, 1) and 1: negative if it is inside.
double ffi_nt_scaling_outside(const ffi_nt_scaling *s, const double *x);
void ffi_nt_scaling_shift(const ffi_nt_scaling *s, double by, double *x); ///< x += by (0, 0, 1) and 1

#endif
