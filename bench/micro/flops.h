/// flops.h: floating-point operations of a kernel, counted, not estimated (see counted.h).
#ifndef BENCH_FLOPS_H
#define BENCH_FLOPS_H

#include <footfall/dynamics.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct bench_flops {
  long additions, multiplications, divisions;
} bench_flops;

/// What the kernels read. The state does not change the count.
typedef struct bench_flops_input {
  int point_count;
  const ff_point *points; ///< [point_count]
  const double *q;        ///< [nq]
  const double *x;        ///< [nv] serves as velocities, accelerations and forces
} bench_flops_input;

/// The operations of the kernel called `metric` (as in dynamics_kernels.c) for one robot. Returns 0 if the count is not
/// known: integrate and difference, or a build without a C++ compiler.
int bench_flops_count(const char *metric, const ff_model *model, const bench_flops_input *input,
                      bench_flops *out);

#ifdef __cplusplus
}
#endif
#endif
