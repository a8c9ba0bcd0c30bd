// Stands in for flops.cpp in a build without a C++ compiler.
#ifndef BENCH_HAVE_FLOPS
#include "micro/flops.h"

int bench_flops_count(const char *metric, const ff_model *model, int point_count, const ff_point *points,
                      const double *q, const double *x, bench_flops *out)
{
  (void)metric, (void)model, (void)point_count, (void)points, (void)q, (void)x, (void)out;
  return 0;
}

#else
typedef int bench_flops_are_in_flops_cpp; // a file must declare something
#endif
