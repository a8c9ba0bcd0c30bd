/// c2a_walker.h: strides of the passive walker by methods with fixed steps, and how well they keep its energy.
///
/// The walker (passive_walker.h) has no motors and rolls without slip: between two strikes its energy, that of its height on the slope included, is constant. It starts right after a strike, at the
/// fixed point of its gait, and goes on until the next one would come. The state has a ninth number: potential energy that the stance contact has given up so far.
#ifndef BENCH_C2A_WALKER_H
#define BENCH_C2A_WALKER_H

typedef enum bench_walk_method {
  BENCH_WALK_EULER,      ///< explicit
  BENCH_WALK_SYMPLECTIC, ///< rates first, then angles by the new rates
  BENCH_WALK_RK4,        ///< the classical one
} bench_walk_method;
enum { BENCH_WALK_METHODS = BENCH_WALK_RK4 + 1 };
extern const char *const bench_walk_names[BENCH_WALK_METHODS];

extern const double bench_walk_period; ///< of a stride

/// One stride in steps of dt, the last one cut to end with it. Returns the largest |E - E0| / E0 at the ends of steps, INFINITY if there is no motion any more; `evaluations`
/// (may be NULL) is how often the equations of motion were solved. `watches` 0: energies are not looked at, and the result is 0.
double bench_walk(bench_walk_method method, double dt, int watches, long long *evaluations);

/// The longest step whose energy stays within `tolerance`, and that of all shorter steps down to three quarters of it, to 0.1 %.
double bench_walk_longest(bench_walk_method method, double tolerance);

#endif
