/// paper_stated.h: numbers that the exponential paper states (Hammoud, Olivieri, Righetti, Carpentier, Del Prete, Multibody Syst. Dyn. 54, 2022).
#ifndef BENCH_PAPER_STATED_H
#define BENCH_PAPER_STATED_H

typedef struct bench_stated_test {
  const char *name, *file, *what;
  double period;                                     ///< Table 1 [s]
  double stable_expo, stable_euler, stable_implicit; ///< Table 2 [s]
} bench_stated_test;

/// In the order of bench_test.
extern const bench_stated_test bench_stated_tests[4];

/// Table 3 [us]: the scheme with the fast exponential, and the standard one in parentheses.
typedef struct bench_stated_time {
  const char *operation;
  int phase; ///< ff_phase, -1: the whole step
  double fast, standard;
} bench_stated_time;
extern const bench_stated_time bench_stated_times[4];
extern const double bench_stated_euler_us;

/// Appendix: Solo squats, 10 ms.
extern const double bench_stated_implicit_share
    [4]; ///< of its time, by ff_phase: line search, linear system prepared, solved, the rest
extern const double bench_stated_implicit_iterations;
extern const double bench_stated_implicit_us, bench_stated_aba_derivatives_us, bench_stated_expo_is_faster;

#endif
