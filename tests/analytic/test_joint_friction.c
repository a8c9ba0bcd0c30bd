// Dry friction of a joint against closed forms. The turning points of a pendulum with friction F obey, whatever its
// inertia,
//
//     m g l (cos q_n+1 - cos q_n) = F (q_n - q_n+1)
//
// (the weight's work from one to the next is what friction takes), until m g l sin |q_n| <= F: there it stays.
#include "support/must.h"
#include "support/near.h"

#include <footfall/builder.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static const double mass = 0.5, length = 0.3, weight = 0.5 * 9.81 * 0.3; // m g l [N m]

static ff_model *make_pendulum(double friction)
{
  ff_builder *b = ffi_must_begin("pendulum");
  ff_link_def link = ff_link_def_default();
  link.name = "bob";
  link.joint.name = "hinge";
  link.joint.type = FF_JOINT_REVOLUTE;
  link.joint.axis[1] = 1;
  link.joint.friction = friction;
  link.inertia = ff_inertia_zero();
  link.inertia.mass = mass;
  link.inertia.com[2] = -length;
  for (int k = 0; k < 6; ++k)
    link.inertia.matrix[k] = k == 0 || k == 3 || k == 5 ? 1e-3 : 0;
  ffi_must_add_link(b, &link);
  return ffi_must_finish(b);
}

// The turning point after q, by bisection on the balance above; q itself where it stays. Seen from the side it comes
// from: it passes the place where the moment vanishes, and turns before it is as far on the other side.
static double next_turn(double q, double friction)
{
  const double size = fabs(q);
  if (weight * sin(size) <= friction)
    return q;
  double low = -size, high = asin(friction / weight);
  for (int k = 0; k < 100; ++k) {
    const double middle = 0.5 * (low + high), left = weight * (cos(middle) - cos(size)) - friction * (size - middle);
    *(left > 0 ? &high : &low) = middle;
  }
  return q > 0 ? low : -low;
}

static double last_turn(double q, double friction)
{
  for (;;) {
    const double next = next_turn(q, friction);
    if (next == q)
      return q;
    q = next;
  }
}

// Run until it stands; where.
static double stop_of(ff_stepper stepper, double dt, double friction, double q0, double *creep)
{
  ff_model *model = make_pendulum(friction);
  ff_sim_def def = ff_sim_def_default();
  def.stepper = stepper;
  def.dt = dt;
  def.ground_count = 0;
  ff_sim *sim = ffi_must_sim(model, &def);
  ffi_must_reset(sim, &q0, NULL);
  const int steps = (int)lround(8 / dt);
  for (int k = 0; k < steps; ++k)
    ffi_must_step(sim, NULL);
  const double q = ff_sim_q(sim)[0];
  for (int k = 0; k < steps; ++k)
    ffi_must_step(sim, NULL);
  *creep = fabs(ff_sim_q(sim)[0] - q);
  ff_sim_destroy(sim);
  ff_model_destroy(model);
  return q;
}

static void a_pendulum_stops_where_its_energy_says(void **state)
{
  (void)state;
  for (int stepper = 0; stepper < FF_STEPPER_COUNT; ++stepper) {
    double creep;
    const double friction = 0.1, q0 = 1.2, want = last_turn(q0, friction);
    for (int n = 0; n < 3; ++n) {
    const double dt = 1e-3 * pow(10, -0.5*n);
    const double q = stop_of((ff_stepper)stepper, dt, friction, q0, &creep);
    print_message("%-12s dt %g stop %.8f want %.8f error %.2e (%.2e) creep %.1e\n", ff_stepper_name((ff_stepper)stepper), dt, q, want, q - want, (q-want)/want, creep);
    }
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_pendulum_stops_where_its_energy_says),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
