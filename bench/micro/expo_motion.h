/// expo_motion.h: a motion integrated by one method with one step length, and the distance between two end states.
#ifndef BENCH_EXPO_MOTION_H
#define BENCH_EXPO_MOTION_H

#include <footfall/sim.h>

enum { BENCH_EXPO_MOTION_MOST = 32 }; ///< coordinates or velocities

/// The start, and a sim's def except stepper, dt and the parts of expo.
typedef struct bench_expo_motion {
  ff_model *model;
  ff_sim_def def;
  ff_ground_def ground;
  ff_element_def motors[BENCH_EXPO_MOTION_MOST];
  double q[BENCH_EXPO_MOTION_MOST], v[BENCH_EXPO_MOTION_MOST];
  double duration; ///< [s]
} bench_expo_motion;

/// A stepper with its options.
typedef struct bench_expo_motion_method {
  const char *name;
  ff_stepper stepper;
  int order, events; ///< of expo
} bench_expo_motion_method;

typedef struct bench_expo_motion_end {
  double q[BENCH_EXPO_MOTION_MOST], v[BENCH_EXPO_MOTION_MOST];
  double us;       ///< per step, minimum of the repeats
  double substeps; ///< per step
} bench_expo_motion_end;

/// Run it `repeats` times. Fails if a step fails; `error` then has the reason.
ff_status bench_expo_motion_run(const bench_expo_motion *motion, const bench_expo_motion_method *method,
                                int steps, int repeats, bench_expo_motion_end *end, ff_error *error);

/// The largest difference of a coordinate (in the tangent space) or of a velocity.
double bench_expo_motion_distance(const bench_expo_motion *motion, const bench_expo_motion_end *a,
                                  const bench_expo_motion_end *b);

/// A duration in ms or us, three digits.
void bench_expo_motion_dt(double dt, char text[24]);

#endif
