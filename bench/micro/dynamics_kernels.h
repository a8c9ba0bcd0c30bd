/// dynamics_kernels.h: the kernels that `footfall bench dynamics` measures on a bench_dynamics_robot.
#ifndef BENCH_DYNAMICS_KERNELS_H
#define BENCH_DYNAMICS_KERNELS_H

/// A kernel. Where `minus` is given, the kernel's time is the difference of two measurements: the sweep of `name`
/// includes `minus`, which is subtracted (factoring overwrites the matrix, so it cannot be repeated alone).
typedef struct bench_dynamics_kernel {
  const char *name; ///< the metric
  const char *what; ///< description
  void (*prepare)(void *robot);
  void (*sweep)(void *robot);
  const char *minus;
  int is_hidden; ///< measured only because another kernel subtracts it
  int has_lanes; ///< 0: there is no wide variant
} bench_dynamics_kernel;

extern const bench_dynamics_kernel bench_dynamics_kernels[];
extern const int bench_dynamics_kernels_count;

/// Index by name, -1 if there is none.
int bench_dynamics_kernels_find(const char *name);

#endif
