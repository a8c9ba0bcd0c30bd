/// robots.h: what control tests do with robots (support/robots.h): feet of Romeo, random states near a posture.
#ifndef FFI_TESTS_CONTROL_ROBOTS_H
#define FFI_TESTS_CONTROL_ROBOTS_H

#include "support/must.h"
#include "support/near.h"
#include "support/random_state.h"
#include "support/robots.h"

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

/// The contact of a sole of Romeo, four points; `side` 0 right, 1 left.
ff_contact_task ffi_romeo_sole(const ff_model *model, int side);

/// A solution; what does not succeed fails the test.
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
