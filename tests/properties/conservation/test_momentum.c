// A tree that nothing holds keeps its momentum, whatever its joints do.

#include "properties/conservation/free_motion.h"
#include "support/near.h"
#include "support/random_model.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { FORESTS = 30 };
static const double duration = 0.1; // [s]

typedef struct flight {
  ffi_forest forest;
  int nv;
  double *q, *v, *tau;
} flight;

static void begin(int i, int has_no_gravity, flight *f)
{
  ffi_forest_make(&(ffi_forest_def){.seed = (uint64_t)i,
                                    .links = 2 + i,
                                    .has_massless = 1,
                                    .has_one_root = 1,
                                    .has_no_gravity = has_no_gravity},
                  &f->forest);
  const ff_model_size size = ff_model_get_size(f->forest.model);
  ffi_random random = ffi_random_seed((uint64_t)i);
  f->nv = size.nv;
  f->q = calloc((size_t)size.nq, sizeof *f->q);
  f->v = calloc((size_t)size.nv, sizeof *f->v);
  f->tau = calloc((size_t)size.nv, sizeof *f->tau);
  assert_true(f->q && f->v && f->tau);
  ffi_random_q(&random, f->forest.model, f->q);
  ffi_random_vector(&random, size.nv, 1, f->v);
  for (int k = 6; k < size.nv; ++k)
    f->v[k] /= 1 + 0.1 * size.nv; // speeds add up along a chain; keep the tips within a few turns a second
  ffi_random_vector(&random, size.nv - 6, 0.5, f->tau + 6); // joints push and pull; nothing pushes the root
}

static void end(flight *f)
{
  free(f->q);
  free(f->v);
  free(f->tau);
  ffi_forest_free(&f->forest);
}

// Change of momentum beyond that of gravity over the flight, relative to the momentum that moves about
// inside.
static double loss(const flight *f, int steps)
{
  const ff_model *model = f->forest.model;
  const double mass = ff_model_mass(model);
  double before[6], after[6], com[3], kinetic;
  ffi_free_motion m = ffi_free_motion_begin(model, f->q, f->v, f->tau);
  ff_dynamics_kinematics(m.dynamics, m.q, m.v, NULL);
  ff_dynamics_momentum(m.dynamics, before);
  ff_dynamics_kinetic_energy(m.dynamics, &kinetic);
  ff_dynamics_com(m.dynamics, com);
  ffi_free_motion_run(&m, steps, duration / steps);
  ff_dynamics_kinematics(m.dynamics, m.q, m.v, NULL);
  ff_dynamics_momentum(m.dynamics, after);
  ffi_free_motion_end(&m);
  for (int k = 0; k < 3; ++k)
    before[k] += mass * f->forest.gravity[k] * duration;
  const double scale =
      sqrt(2 * kinetic * mass); // m |v| of a body with that mass and energy; arms are about a metre
  return ffi_gap(6, after, before) / scale;
}

static void fly(int has_no_gravity)
{
  ffi_margin order = {.what = "loss of momentum, h/2 over h", .tolerance = 1.0 / 11};
  ffi_margin rest = {.what = "loss of momentum at the smallest step", .tolerance = 1e-9};
  int measured = 0;
  for (int i = 0; i < FORESTS; ++i) {
    flight f;
    begin(i, has_no_gravity, &f);
    double error = loss(&f, 25);
    for (int steps = 50; steps <= 1600 && error > 1e-11; steps *= 2) {
      const double finer = loss(&f, steps);
      if (error < 1e-8 && finer > 2e-13) { // in the asymptotic range, and not yet rounding
        ffi_margin_add(&order, finer / error, i);
        ++measured;
      }
      error = finer;
    }
    ffi_margin_add(&rest, error, i);
    end(&f);
  }
  assert_true(measured > 10);
  ffi_margin_check(&order);
  ffi_margin_check(&rest);
}

static void momentum_is_kept_with_order_four(void **state)
{
  (void)state;
  fly(1);
}

static void gravity_changes_linear_momentum_alone(void **state)
{
  (void)state;
  fly(0);
}

// At one instant and to rounding: the total force of aba's accelerations is the weight, their moment about
// the centre of mass is none. With vdot from aba, the rows of the root in rnea are what holds it from
// outside: nothing.
static void no_force_from_outside(void **state)
{
  ffi_margin margin = {.what = "force on a root that nothing holds",
                       .tolerance = 1e-12}; // 40 levels of roundings
  (void)state;
  for (int i = 0; i < FORESTS; ++i) {
    flight f;
    ff_dynamics *dynamics;
    begin(i, 0, &f);
    double *vdot = calloc((size_t)f.nv, sizeof *vdot), *tau = calloc((size_t)f.nv, sizeof *tau);
    assert_true(vdot && tau);
    assert_int_equal(ff_dynamics_create(f.forest.model, NULL, &dynamics, NULL), FF_OK);
    ff_dynamics_aba(dynamics, f.q, f.v, f.tau, vdot);
    ff_dynamics_rnea(dynamics, f.q, f.v, vdot, tau);
    double largest = ff_model_mass(f.forest.model) * 9.81;
    for (int k = 0; k < f.nv; ++k)
      largest = fmax(largest, fabs(vdot[k]));
    ffi_margin_add(&margin, ffi_size(6, tau) / largest, i);
    ff_dynamics_destroy(dynamics);
    free(vdot);
    free(tau);
    end(&f);
  }
  ffi_margin_check(&margin);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(momentum_is_kept_with_order_four),
      cmocka_unit_test(gravity_changes_linear_momentum_alone),
      cmocka_unit_test(no_force_from_outside),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
