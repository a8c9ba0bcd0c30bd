// Symplectic Euler: the energy of springs, its order, closed forms of contact.

#include "step/loose.h"
#include "step/physics.h"
#include "support/near.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

// For the reasons that test_euler.c gives.
static const ffi_physics_bar bar = {.stepper = FF_STEPPER_SYMPLECTIC,
                                    .order = 1,
                                    .slack = 0.1,
                                    .stance_slack = 0.1,
                                    .floor_error = 1.3e-3,
                                    .dt = 1e-3,
                                    .creep = {{60, 1e-15}},
                                    .sliding = {{60, 1e-6}}};

// A ball on a spring without damping, for 10,000 steps of a tenth of its period: the energy comes back; explicit Euler's would have grown without bounds.
static void keeps_the_energy_of_springs(void **state)
{
  (void)state;
  const ffi_loose mass = {.joint = FF_JOINT_PRISMATIC, .shape = FF_SHAPE_POINT, .mass = 1};
  ff_model *model = ffi_loose_create(1, &mass, 400, 0, 1);
  ffi_rig *r =
      ffi_rig_create(model, &(ffi_rig_def){.stepper = FF_STEPPER_SYMPLECTIC, .K = 400, .B = 0, .mu = 1});
  const double sag = 9.81 / 400, dt = 0.0314, start = 0.5 * 400 * 0.0225 * 0.0225;
  const double q[1] = {-sag - 0.0225};
  double least = 1, most = 0;
  ffi_rig_reset(r, q, NULL);
  for (int k = 0; k < 10000; ++k) {
    ffi_rig_step(r, dt);
    const double x = r->now->q[0] + sag, v = r->now->v[0], energy = 0.5 * v * v + 0.5 * 400 * x * x;
    least = fmin(least, energy / start);
    most = fmax(most, energy / start);
  }
  print_message("  energy between %.3f and %.3f of what it was\n", least, most);
  // It oscillates by dt omega / 2 = 0.31, about a value that is constant: v^2/2 + omega^2 x^2/2 - dt omega^2 x v/2.
  assert_true(least > 1 - 0.4 && most < 1 + 0.5);
  ffi_rig_destroy(r);
  ff_model_destroy(model);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(keeps_the_energy_of_springs),
  };
  return cmocka_run_group_tests(tests, NULL, NULL) + ffi_physics_run(&bar);
}
