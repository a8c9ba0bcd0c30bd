/// trials.h: motions to measure local errors on: a mass whose motion has a closed form, and Solo's squat.
#ifndef FFI_TESTS_BENCH_TRIALS_H
#define FFI_TESTS_BENCH_TRIALS_H

#include "support/must.h"

#include <footfall/compare.h>
#include <footfall/control.h>
#include <footfall/control/reference.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/// A mass on a vertical slide above a spring and damper that push only; torques (here a force) of push[k % 2] over the
/// k-th period.
typedef struct mass_trial {
  ff_trial trial;
  ff_sim_def sim;
  ff_model *model;
  double mass, stiffness, damping;
  double push[2]; ///< [N]
  double q[1], v[1];
} mass_trial;

typedef struct mass_trial_def {
  double mass, stiffness, damping; ///< [kg], [N/m], [N s/m]
  double z, v;                     ///< height and velocity at the start
  double period;                   ///< [s]
  int periods;
} mass_trial_def;

/// Not to be moved: the trial points into it.
void mass_trial_make(mass_trial *m, const mass_trial_def *def);
void mass_trial_free(mass_trial *m);

/// The exact state after `time` from (z, v) under a constant push: a parabola down to z = 0, then a damped oscillation.
/// The contact must not part in between.
void mass_exact(const mass_trial *m, double push, double time, double *z, double *v);

/// Solo squats as in the exponential paper: whole-body control every 40 ms.
typedef struct squat_trial {
  ff_trial trial;
  ff_model *model;
  ff_whole_body *body;
  ff_squat reference;
} squat_trial;

void squat_trial_make(squat_trial *s, int periods);
void squat_trial_free(squat_trial *s);

/// A truth that must succeed.
ff_solution *must_truth(const ff_trial *trial, const ff_scheme *scheme, int substeps);
/// Measurements that must succeed; release with ff_local_error_free.
void must_measure(const ff_trial *trial, ff_local_error *list, int count, int rounds);

#endif
