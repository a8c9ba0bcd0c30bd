/// c2a_walker.h: strides of the passive walker by fixed-step methods, and their energy errors.
///
/// The walker (passive_walker.h) has no motors and rolls without slip: between two strikes its energy, including that
/// of its height on the slope, is constant. It starts right after a strike, at the fixed point of its gait, and runs
/// until the next strike. The state has a ninth number: the potential energy lost by the stance contact so far.
#ifndef BENCH_C2A_WALKER_H
#define BENCH_C2A_WALKER_H

typedef enum bench_c2a_walker_method {
  BENCH_C2A_WALK_EULER,      ///< explicit
  BENCH_C2A_WALK_SYMPLECTIC, ///< rates first, then angles by the new rates
  BENCH_C2A_WALK_RK4,        ///< the classical one
} bench_c2a_walker_method;
enum { BENCH_C2A_WALK_METHODS = BENCH_C2A_WALK_RK4 + 1 };
extern const char *const bench_c2a_walker_names[BENCH_C2A_WALK_METHODS];

extern const double bench_c2a_walker_period; ///< of a stride

/// One stride in steps of dt, the last one shortened. Returns the largest |E - E0| / E0 at the ends of steps, INFINITY
/// if the motion is lost. `evaluations` (may be NULL): number of solutions of the equations of motion. `has_energy` 0:
/// do not compute energies, and return 0.
double bench_c2a_walker_stride(bench_c2a_walker_method method, double dt, int has_energy,
                               long long *evaluations);

/// The longest step, to 0.1 %, with which the energy error stays within `tolerance`, as it does with all shorter steps
/// down to three quarters of it.
double bench_c2a_walker_longest_step(bench_c2a_walker_method method, double tolerance);

/// Strides from the fixed point, by steps of dt and strikes where the swing foot meets the slope, until the walker
/// falls or is lost, at most `most`. The step before a strike is shortened to end there.
int bench_c2a_walker_strides(bench_c2a_walker_method method, double dt, int most);

#endif
