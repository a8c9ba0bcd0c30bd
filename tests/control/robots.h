/// robots.h: the robots of the control tests and the controllers that drive them, set up as in the exponential paper's experiments.
#ifndef FFI_TESTS_CONTROL_ROBOTS_H
#define FFI_TESTS_CONTROL_ROBOTS_H

#include "support/must.h"
#include "support/near.h"
#include "support/random_state.h"

#include <footfall/control.h>
#include <footfall/load.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/// "solo12.urdf", "romeo.urdf", of models/. Destroy it.
ff_model *ffi_robot(const char *file);

/// q of a posture; it belongs to the model.
const double *ffi_robot_posture(const ff_model *model, const char *posture);

int ffi_robot_frame(const ff_model *model, const char *name); ///< one that is there

/// The controller of the squat: four point feet as weighted contacts, the centre of mass, the posture. References as at `squat`.
ff_whole_body_def ffi_squat_def(const ff_model *model, ff_contact_task feet[4]);

/// The contact of a sole of Romeo, four points; `side` 0 right, 1 left.
ff_contact_task ffi_romeo_sole(const ff_model *model, int side);

/// A controller; what does not succeed fails the test.
ff_whole_body *ffi_must_whole_body(const ff_model *model, const ff_whole_body_def *def);
void ffi_must_solve(ff_whole_body *body, const double *q, const double *v);

/// A robot, its dynamics and a state.
enum { FFI_MOST_NV = 40 };
typedef struct ffi_bench {
  ff_model *model;
  ff_dynamics *dynamics;
  int nq, nv;
  double q[FFI_MOST_NV + 1], v[FFI_MOST_NV];
} ffi_bench;

ffi_bench ffi_bench_make(const char *file);
void ffi_bench_free(ffi_bench *b);

/// To a random state near a posture: coordinates within +-away of it, velocities within +-speed.
void ffi_bench_shake(ffi_bench *b, ffi_random *random, const char *posture, double away, double speed);

#endif
