/// flops.h: how many floating-point operations a kernel does, counted, not estimated (see counted.h).
#ifndef BENCH_FLOPS_H
#define BENCH_FLOPS_H

#include <footfall/dynamics.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct bench_flops {
  long additions, multiplications, divisions;
} bench_flops;

/// The work of the kernel called `metric` (as in kernels.c) for one robot in one state, which does not matter;
/// q [nq], x [nv] stands for velocities, accelerations and forces. 0 if it is not known: integrate and difference,
/// or a build without a C++ compiler.
int bench_flops_count(const char *metric, const ff_model *model, int point_count, const ff_point *points,
                      const double *q, const double *x, bench_flops *out);

#ifdef __cplusplus
}
#endif
#endif
