// Explicit Euler: its equation, its order, closed forms of contact.

#include "step/physics.h"
#include "step/stance.h"
#include "support/near.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

// On the floor: amplitude 0.025 m and 20 rad/s, an error of the first order is about dt omega / 2 of it. Sticking is exact: the anchors do not move
// at all, and the block has come to rest. Steady sliding is what the method sees exactly; the rest is what is left of the start after a second.
static const ffi_physics_bar bar = {.stepper = FF_STEPPER_EULER,
                                    .order = 1,
                                    .slack = 0.1,
                                    .stance_slack = 0.1,
                                    .floor_error = 1.4e-3,
                                    .dt = 1e-3,
                                    .creep = {{60, 1e-15}},
                                    .sliding = {{60, 1e-6}}};

// By the public dynamics: feet are points that touch the plane z = 0, their anchors under them, so the force is -K z - B u.
static void acceleration(const ffi_stance *s, double K, double B, double *a)
{
  static const char *const feet[] = {"FL_FOOT", "FR_FOOT", "HL_FOOT", "HR_FOOT"};
  ff_dynamics *dynamics = NULL;
  ff_error error;
  double tau[18] = {0}, J[6 * 18];
  assert_int_equal(ff_dynamics_create(s->model, NULL, &dynamics, &error), FF_OK);
  ff_dynamics_kinematics(dynamics, s->q, s->v, NULL);
  for (int f = 0; f < 4; ++f) {
    const int frame = ff_model_find_frame(s->model, feet[f]);
    double x[3], u[6];
    ff_dynamics_frame_pose(dynamics, frame, x, NULL);
    ff_dynamics_frame_velocity(dynamics, frame, FF_AXES_LOCAL_ALIGNED, u);
    ff_dynamics_frame_jacobian(dynamics, frame, FF_AXES_LOCAL_ALIGNED, J);
    for (int k = 0; k < 18; ++k)
      tau[k] += J[k] * -B * u[0] + J[18 + k] * -B * u[1] + J[36 + k] * (-K * x[2] - B * u[2]);
  }
  for (int e = 0; e < s->def.element_count; ++e) {
    const ff_element_def *motor = &s->def.elements[e];
    ff_joint_info joint;
    ff_model_joint(s->model, motor->joint, &joint);
    tau[joint.v] += motor->stiffness * (motor->reference - s->q[joint.q]) - motor->damping * s->v[joint.v];
  }
  ff_dynamics_aba(dynamics, s->q, s->v, tau, a);
  ff_dynamics_destroy(dynamics);
}

// One step of a robot in contact is eq. 34 with the acceleration that forward dynamics gives under forces put together here from the feet's positions and
// velocities.
static void is_equation_34(void **state)
{
  (void)state;
  const double K = 2e3, B = 20, dt = 1e-3;
  ffi_stance s = ffi_stance_create(K, B, 100);
  ffi_stance_push(&s, 0.2, 1);
  double q[19], v[18], a[18], dq[18];
  acceleration(&s, K, B, a);
  for (int k = 0; k < 18; ++k) {
    v[k] = s.v[k] + dt * a[k];
    dq[k] = dt * s.v[k] + dt * dt / 2 * a[k];
  }
  ff_model_integrate(s.model, s.q, dq, q);
  s.def.stepper = FF_STEPPER_EULER;
  ffi_rig *r = ffi_rig_create(s.model, &s.def);
  ffi_rig_reset(r, s.q, s.v);
  ffi_rig_step(r, dt);
  // Accelerations of light feet, up to 1e4, from sums of forces that cancel by a few digits.
  assert_true(ffi_gap(18, r->now->v, v) < 1e-10);
  assert_true(ffi_gap(19, r->now->q, q) < 1e-13);
  assert_int_equal(r->now->touching_count, 4);
  assert_int_equal(r->info.converged, 1);
  ffi_rig_destroy(r);
  ff_model_destroy(s.model);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(is_equation_34),
  };
  return cmocka_run_group_tests(tests, NULL, NULL) + ffi_physics_run(&bar);
}
