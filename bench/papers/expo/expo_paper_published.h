/// expo_paper_published.h: numbers of the Expo paper (Hammoud, Olivieri, Righetti, Carpentier, Del Prete, Multibody
/// Syst. Dyn. 54, 2022).
#ifndef BENCH_EXPO_PAPER_PUBLISHED_H
#define BENCH_EXPO_PAPER_PUBLISHED_H

typedef struct bench_expo_paper_published_test {
  const char *name, *file, *what;
  double period;                                     ///< Table 1 [s]
  double stable_expo, stable_euler, stable_implicit; ///< Table 2 [s]
} bench_expo_paper_published_test;

/// In the order of bench_expo_paper_test.
extern const bench_expo_paper_published_test bench_expo_paper_published_tests[4];

/// Table 3 [us]: the scheme with the fast exponential, and the standard one in parentheses.
typedef struct bench_expo_paper_published_time {
  const char *operation;
  int phase; ///< ff_phase, -1: the whole step
  double fast, standard;
} bench_expo_paper_published_time;
extern const bench_expo_paper_published_time bench_expo_paper_published_times[4];
extern const double bench_expo_paper_published_euler_us;

/// Appendix: Solo squats, 10 ms.
/// Of its time, by ff_phase: line search, linear system set up, solved, the rest.
extern const double bench_expo_paper_published_implicit_share[4];
extern const double bench_expo_paper_published_implicit_iterations;
extern const double bench_expo_paper_published_implicit_us, bench_expo_paper_published_aba_derivatives_us,
    bench_expo_paper_published_expo_is_faster;

#endif
