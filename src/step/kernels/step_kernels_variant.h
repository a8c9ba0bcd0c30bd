/// step_kernels_variant.h: the kernels of this variant, as functions.
///
/// Kernels are named after what they compute, not after their file: they are reached through the table alone.
#ifndef FFI_STEP_STEP_KERNELS_VARIANT_H
#define FFI_STEP_STEP_KERNELS_VARIANT_H

#include "dynamics/lanes.h"

#include "step/step_kernels.h"

void FFI_KERNEL(path_rows)(const ffi_work *w, int body, const double x[3], double sign, double *linear,
                           double *angular, int stride);
void FFI_KERNEL(point_bias)(const ffi_work *w, int body, const double x[3], ffi_step_kernels_motion *out);
void FFI_KERNEL(point_contact)(const ffi_work *w, int body, const double x[3], const double *v, double *J,
                               int stride, double u[3], double c[3]);
void FFI_KERNEL(sample_sticking)(const ffi_step_kernels_samples *k, const double *J_alpha,
                                 const double *start, double *force);
void FFI_KERNEL(gram)(int columns, const int *dof, const double *J, int stride, int is_path,
                      const ffi_pattern *p, double *G);
void FFI_KERNEL(spread)(int entries, const double *M, int classes, const double *G, const double *kappa,
                        double *S);
void FFI_KERNEL(add_row)(int columns, const int *dof, const double *j, const double z[FFI_COMPLEX],
                         const ffi_pattern *p, double *S);
void FFI_KERNEL(frozen_factor)(const ffi_pattern *p, double *S);
void FFI_KERNEL(frozen_solve)(const ffi_pattern *p, const double *S, double *x);
void FFI_KERNEL(mix)(int n, int groups, const int *terms, const double *coefficient, const double *vector,
                     double *x);
void FFI_KERNEL(rows_transposed4)(int columns, const int *dof, const double *J, int stride, const double *X,
                                  double *V);
void FFI_KERNEL(combine)(int n, const double *x, const double *weight, double *out);
void FFI_KERNEL(energies)(const ffi_pattern *p, const double *M, const double *v, double out[4]);
void FFI_KERNEL(mobilities)(const ffi_pattern *p, const double *L, int columns, const int *dof,
                            const double *J, int stride, int is_path, double *y, double out[3]);
void FFI_KERNEL(rows_times4)(int columns, const int *dof, const double *J, int stride, const double *A,
                             double *out);
void FFI_KERNEL(advance)(int columns, const int *dof, const double *J, int stride, const double *A,
                         const ffi_step_kernels_interval *over);
void FFI_KERNEL(rows_times8)(int columns, const int *dof, const double *J, int stride, const double *A,
                             double *out);
void FFI_KERNEL(row_times8)(int columns, const int *dof, const double *j, const double *A, double *out);
void FFI_KERNEL(add_product8)(int n, const double z[FFI_COMPLEX], const double *y, double *x);

void FFI_KERNEL(turn_rows)(int rows, const double *axes, int columns, const double *J, int stride, double *W);
void FFI_KERNEL(impulse_rows)(const ffi_work *w, int rows, int columns, const int *dof, const double *W,
                              int count, const int *path, const ffi_step_kernels_trees *trees, double *room,
                              double *Y);

void FFI_KERNEL(half_rows)(const ffi_work *w, const double *W, int columns, const int *dof,
                           const ffi_step_kernels_half *h, double *room);
void FFI_KERNEL(couple_rows)(const ffi_work *w, int blocks, const ffi_step_kernels_half *half, double *G,
                             int stride);
int FFI_KERNEL(couple_blocks)(const ffi_work *w, int blocks, const ffi_step_kernels_half *half,
                              ffi_hard_link *link);

void FFI_KERNEL(energy)(const ffi_work *w, const double *v, double *above, double out[2]);
void FFI_KERNEL(energy_factored)(const ffi_work *w, const double *v, double *above, double out[2]);
int FFI_KERNEL(is_zero)(const double *x, int count);
int FFI_KERNEL(settle)(double *x, int count, double least, double most);
int FFI_KERNEL(settle_moved)(double *x, const double *from, int count, double least, double most);
int FFI_KERNEL(settle_records)(double *x, int records, int stride, const double least[8], double most);

extern const ffi_newton_kernels FFI_KERNEL(newton_kernels);

#endif
