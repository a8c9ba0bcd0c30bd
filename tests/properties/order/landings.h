/// landings.h: many landings of a robot, and the order of convergence of their errors taken together.
///
/// The error of one landing falls unevenly: an event falls here or there in a step. Of many, the median and the
/// geometric mean at each step length are what has an order. Starts are drawn at random, always the same ones: height
/// or depth, tilt, velocity, turning.
///
/// **How far a truth goes.** Each landing has two: rk4 that searches touch-downs (landing_reference.h), and `expo` in
/// as many steps. Their distance holds the errors of both. Rows of a table end before the first whose median or
/// geometric mean is not ten times that of these distances. An error of a tenth in the last of r rows moves a slope by
/// log2(1.1) 6 / (r (r + 1)): 0.03 of five rows, 0.015 of seven.
#ifndef FFI_TESTS_LANDINGS_H
#define FFI_TESTS_LANDINGS_H

#include "properties/order/order.h"

#include <stdint.h>

static const double ffi_landings_room = 10; ///< least error of a row, in distances of the two truths

/// `hops`: starts 1 to 2 mm deep in the ground, moving up: feet push off, and land again. Else above it, moving down.
typedef struct ffi_landings {
  const char *robot; ///< model in models/
  int hops, count;
  double friction;
  int coarsest, rows; ///< steps of the first row, each further one has twice as many
  int truth;          ///< steps of the truth
} ffi_landings;

typedef struct ffi_landings_order {
  double median, mean; ///< slopes through the logarithms of the medians, and of the geometric means
  int rows;            ///< that the two truths are good enough for
  long long touchdowns, liftoffs, slips, sticks; ///< of all landings
} ffi_landings_order;

enum { FFI_LANDINGS_MOST_MOTORS = 64 };

/// The robot and its surroundings: `scene` is that of the present landing.
typedef struct ffi_landings_robot {
  ff_model *model;
  ffi_order_scene scene;
  ff_element_def motor[FFI_LANDINGS_MOST_MOTORS];
  ff_ground_def ground;
  uint64_t random;
} ffi_landings_robot;

void ffi_landings_begin(const ffi_landings *l, ffi_landings_robot *robot);
void ffi_landings_draw(const ffi_landings *l, ffi_landings_robot *robot); ///< the next start
void ffi_landings_end(ffi_landings_robot *robot);

/// Prints a table; rows that are not used have a dash.
ffi_landings_order ffi_landings_measure(const ffi_landings *l);

#endif
