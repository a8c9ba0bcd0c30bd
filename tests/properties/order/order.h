/// order.h: orders of convergence, measured: a scene, a method, errors at a row of step lengths, and the slope through
/// them.
#ifndef FFI_TESTS_ORDER_H
#define FFI_TESTS_ORDER_H

#include <footfall/sim.h>

enum { FFI_ORDER_MOST = 64 };

/// A model at its start; the sim's def is `def` but for stepper, dt and the options of expo.
typedef struct ffi_order_scene {
  const ff_model *model;
  ff_sim_def def;
  double q[FFI_ORDER_MOST], v[FFI_ORDER_MOST];
  double duration; ///< [s]
} ffi_order_scene;

/// One way to take steps.
typedef struct ffi_order_method {
  const char *name;
  ff_stepper stepper;
  int order, events; ///< of `expo`
} ffi_order_method;

extern const ffi_order_method ffi_order_expo, ffi_order_first, ffi_order_no_events, ffi_order_paper,
    ffi_order_rk4;

/// q and v at the end, after `steps` steps, to end [nq + nv].
void ffi_order_run(const ffi_order_scene *scene, const ffi_order_method *method, int steps, double *end);

/// The same, with what happened on the way.
void ffi_order_run_counted(const ffi_order_scene *scene, const ffi_order_method *method, int steps,
                           double *end, ff_sim_totals *totals);

/// The largest difference of a coordinate (in the tangent space) or of a velocity.
double ffi_order_distance(const ffi_order_scene *scene, const double *a, const double *b);

/// The order in the last three of a row of errors, each with half the step of the last: what it tends to, where the
/// first ones have not got there yet.
double ffi_order_tail(int count, const double *error);

/// Errors against `truth` with `first` steps, twice as many, ... [count]: printed and kept. Returns the slope of a line
/// through their logarithms.
double ffi_order_measure(const ffi_order_scene *scene, const ffi_order_method *method, const double *truth,
                         int first, int count, double *error);

#endif
