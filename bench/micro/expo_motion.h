/// expo_motion.h: one motion, taken by one method at one step length, and how far it ends from another.
#ifndef BENCH_EXPO_MOTION_H
#define BENCH_EXPO_MOTION_H

#include <footfall/sim.h>

enum { BENCH_MOTION_MOST = 32 }; ///< coordinates or velocities

/// Where it starts, and a sim's def but for stepper, dt and the parts of expo.
typedef struct bench_motion {
  ff_model *model;
  ff_sim_def def;
  ff_ground_def ground;
  ff_element_def motors[BENCH_MOTION_MOST];
  double q[BENCH_MOTION_MOST], v[BENCH_MOTION_MOST];
  double duration; ///< [s]
} bench_motion;

/// A way to take steps.
typedef struct bench_method {
  const char *name;
  ff_stepper stepper;
  int order, events; ///< of expo
} bench_method;

typedef struct bench_motion_end {
  double q[BENCH_MOTION_MOST], v[BENCH_MOTION_MOST];
  double us;     ///< per step, the least of the repeats
  double pieces; ///< per step
} bench_motion_end;

/// Run it `repeats` times. A failed step fails it; `error` then has the reason.
ff_status bench_motion_run(const bench_motion *motion, const bench_method *method, int steps, int repeats,
                           bench_motion_end *end, ff_error *error);

/// The largest difference of a coordinate (in the tangent space) or of a velocity.
double bench_motion_distance(const bench_motion *motion, const bench_motion_end *a,
                             const bench_motion_end *b);

/// A length of time in ms or us, three digits.
void bench_motion_dt(double dt, char text[24]);

#endif
