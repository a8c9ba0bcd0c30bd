/// rows3.h: three rows of a Jacobian in world axes, sparse: only the velocities on the paths of its bodies have
/// columns.
#ifndef FFI_STEP_EVAL_ROWS3_H
#define FFI_STEP_EVAL_ROWS3_H

/// Velocity of a point of one body relative to another = sum over columns of J[.][k] v[dof[k]].
typedef struct ffi_rows3 {
  int columns;
  const int *dof; ///< [columns], increasing
  double *J;      ///< [3][stride]
  int is_path;    ///< dof is the path of one body: products J' J stay in the tree's sparsity
} ffi_rows3;

/// Memory for three rows.
typedef struct ffi_rows3_room {
  double *J; ///< [3][stride]
  int *dofs; ///< [stride]
  int stride;
} ffi_rows3_room;

/// On to the memory of the next three.
static inline void ffi_rows3_room_next(ffi_rows3_room *room)
{
  room->J += 3 * room->stride;
  room->dofs += room->stride;
}

/// f += J' force.
void ffi_rows3_add_transposed(const ffi_rows3 *rows, int stride, const double force[3], double *f);

/// out = J v.
void ffi_rows3_times(const ffi_rows3 *rows, int stride, const double *v, double out[3]);

#endif
