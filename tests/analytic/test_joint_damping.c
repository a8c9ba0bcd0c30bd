// Joint damping against its closed form: a wheel that nothing drives slows down by exp(-c t / I), however long the step
// is compared with I / c.
#include "support/must.h"
#include "support/near.h"

#include <footfall/builder.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static const double inertia = 1.1e-3; // [kg m^2]

// A wheel about the vertical; `offset`: its centre of mass beside a horizontal axis instead, a pendulum.
static ff_model *make_wheel(double damping, double offset)
{
  ff_builder *b = ffi_must_begin("wheel");
  ff_link_def link = ff_link_def_default();
  link.name = "wheel";
  link.joint.name = "hub";
  link.joint.type = FF_JOINT_REVOLUTE;
  link.joint.axis[offset > 0 ? 1 : 2] = 1;
  link.joint.damping = damping;
  link.inertia = ff_inertia_zero();
  link.inertia.mass = 0.1;
  link.inertia.com[2] = -offset;
  for (int k = 0; k < 6; ++k)
    link.inertia.matrix[k] = k == 0 || k == 3 || k == 5 ? inertia : 0;
  ffi_must_add_link(b, &link);
  return ffi_must_finish(b);
}

static ff_sim *make_sim(const ff_model *model, ff_stepper stepper)
{
  ff_sim_def def = ff_sim_def_default();
  def.stepper = stepper;
  def.dt = 2e-3;
  def.ground_count = 0;
  return ffi_must_sim(model, &def);
}

static const ff_stepper steppers[] = {FF_STEPPER_EXPO, FF_STEPPER_EXPO_PAPER};
enum { STEPPERS = sizeof steppers / sizeof *steppers };

// c dt / I up to ten thousand. The tolerance is that of the exponential, of the change of velocity.
static void damping_is_part_of_the_exponential(void **state)
{
  (void)state;
  const double shares[] = {0.01, 1, 3.9, 4.1, 89, 91, 1e4}, v0 = 5, tolerance = 1e-4;
  for (size_t i = 0; i < sizeof shares / sizeof *shares; ++i)
    for (int k = 0; k < STEPPERS; ++k) {
      const double c = shares[i] * inertia / 2e-3;
      ff_model *model = make_wheel(c, 0);
      ff_sim *sim = make_sim(model, steppers[k]);
      ffi_must_reset(sim, NULL, &v0);
      for (int step = 1; step <= 20; ++step) {
        ffi_must_step(sim, NULL);
        const double decay = exp(-shares[i] * step);
        ffi_check_near(ff_stepper_name(steppers[k]), ff_sim_v(sim)[0], v0 * decay, tolerance * v0);
        ffi_check_near("angle", ff_sim_q(sim)[0], v0 * inertia / c * (1 - decay),
                       tolerance * v0 * 2e-3 * step);
      }
      ff_sim_destroy(sim);
      ff_model_destroy(model);
    }
}

// A pendulum in honey: it creeps at m g l sin(q) / c, and never gains energy.
static void a_pendulum_in_honey_creeps(void **state)
{
  (void)state;
  const double arm = 0.1, c = 1000 * inertia / 2e-3, q0 = 1, weight = 0.1 * 9.81 * arm;
  for (int k = 0; k < STEPPERS; ++k) {
    ff_model *model = make_wheel(c, arm);
    ff_sim *sim = make_sim(model, steppers[k]);
    ffi_must_reset(sim, &q0, NULL);
    double before = ff_sim_energy(sim).total;
    for (int step = 0; step < 200; ++step) {
      ffi_must_step(sim, NULL);
      const double now = ff_sim_energy(sim).total;
      assert_true(now <= before + 1e-12);
      before = now;
    }
    // tan(q/2) = tan(q0/2) exp(-weight t / c), the creep without inertia; inertia delays it by I/c, 2e-6 s
    const double q = 2 * atan(tan(q0 / 2) * exp(-weight * 0.4 / c));
    ffi_check_near("creep", q0 - ff_sim_q(sim)[0], q0 - q, 1e-3 * (q0 - q));
    ff_sim_destroy(sim);
    ff_model_destroy(model);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(damping_is_part_of_the_exponential),
      cmocka_unit_test(a_pendulum_in_honey_creeps),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
