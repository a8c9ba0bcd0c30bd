/// implicit_columns.h: arrays of three rows, [3][stride], worked on by columns: one column for each velocity of some
/// rows.
#ifndef FFI_STEP_IMPLICIT_IMPLICIT_COLUMNS_H
#define FFI_STEP_IMPLICIT_IMPLICIT_COLUMNS_H

#include "step/eval/rows3.h"

/// Which columns.
typedef struct ffi_implicit_columns {
  int n, stride;
  const int *dof; ///< [n] velocity of each
  int nv;         ///< of the robot
} ffi_implicit_columns;

static inline ffi_implicit_columns ffi_implicit_columns_of(const ffi_rows3 *rows, int stride, int nv)
{
  return (ffi_implicit_columns){.n = rows->columns, .stride = stride, .dof = rows->dof, .nv = nv};
}

void ffi_implicit_columns_clear(int stride, double *rows);
void ffi_implicit_columns_get(const double *rows, int stride, int k, double out[3]);
void ffi_implicit_columns_set(const double a[3], int stride, int k, double *rows);

/// The k-th column of rows += scale a.
void ffi_implicit_columns_add(double scale, const double a[3], int stride, int k, double *rows);

/// out = G a + H b by columns; H NULL: G a.
void ffi_implicit_columns_transform(const ffi_implicit_columns *c, const double G[9], const double *a,
                                    const double *H, const double *b, double *out);

/// out_k += scale (rows_k x a)
void ffi_implicit_columns_add_cross(const ffi_implicit_columns *c, double scale, const double *rows,
                                    const double a[3], double *out);

/// matrix[dof i][dof k] -= scale (left_i . right_k); matrix [nv][nv].
void ffi_implicit_columns_subtract_product(const ffi_implicit_columns *c, double scale, const double *left,
                                           const double *right, double *matrix);

#endif
