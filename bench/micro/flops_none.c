// Replaces flops.cpp in a build without a C++ compiler.
#ifndef BENCH_HAVE_FLOPS
#include "micro/flops.h"

int bench_flops_count(const char *metric, const ff_model *model, const bench_flops_input *input,
                      bench_flops *out)
{
  (void)metric, (void)model, (void)input, (void)out;
  return 0;
}

#else
typedef int bench_flops_are_in_flops_cpp; // a file must declare something
#endif
