/// landings.h: many landings of a robot, and the order of convergence of their errors taken together.
///
/// The error of one landing falls unevenly: an event falls here or there in a step. Of many, the median and the geometric mean at each step length are what has an
/// order. Starts are drawn at random, always the same ones: height or hop, tilt, velocity, turning.
#ifndef FFI_TESTS_LANDINGS_H
#define FFI_TESTS_LANDINGS_H

/// `hops`: starts on the ground, feet 0.1 to 0.3 mm deep, moving up: feet lift off, and land again. Else above it, moving down.
typedef struct landings {
  const char *robot; ///< model in models/
  int hops, count;
  double friction;
  int coarsest, rows; ///< steps of the first row, each further one has twice as many
  int truth;          ///< steps of the truth, see ladder.h
} landings;

typedef struct landings_order {
  double median, mean; ///< slopes through the logarithms of the medians, and of the geometric means
  double doubt;        ///< largest distance of the truth from `expo` in half as many steps: two methods
  long long touchdowns, liftoffs, slips, sticks; ///< of those
} landings_order;

/// Prints a table.
landings_order landings_measure(const landings *l);

#endif
