// Energy: kinetic, potential and in springs, computed by hand; constant in free flight, never gained in passive
// contact.
#include "sim/toys.h"

#include <math.h>

// The largest change of energy in 1 s of free flight, [J]. It may change by what rk4 misses: of a turn by w h in a
// step it has all but (w h)^5 / 120, so the velocity, kept in the body's axes, points wrong by w (w h)^4 / 120 more
// each second, and the centre goes wrong by as much of its way. Kinetic energy does not see that, height does:
// |dE/dt| <= m g |velocity| (w h)^4 / 120. And rounding, of 73 J in each of 1/h steps.
static double drift(double dt)
{
  ff_model *model = toy_cube(NULL);
  ff_sim_def def = ff_sim_def_default();
  def.stepper = FF_STEPPER_RK4;
  def.ground_count = 0;
  def.dt = dt;
  ff_sim *sim = ffi_must_sim(model, &def);
  const double q[7] = {0, 0, 3, 0, 0, 0, 1}, v[6] = {1, 2, 3, 4, 5, 6}, I = 2 * 0.04 / 6;
  double most = 0;
  assert_int_equal(ff_sim_reset(sim, q, v, NULL), FF_OK);
  const ff_energy start = ff_sim_energy(sim);
  ffi_check_near("kinetic", start.kinetic, 0.5 * 2 * 14 + 0.5 * I * 77, 1e-13);
  ffi_check_near("potential", start.potential, 2 * toy_gravity * 3, 1e-13);
  assert_true(start.elastic == 0 && start.control_power == 0 && start.control_work == 0);
  for (int k = 1; k <= 10; ++k) {
    ffi_must_run(sim, (int)lround(0.1 / dt), NULL);
    const double t = 0.1 * k, way = (sqrt(14) + toy_gravity * t / 2) * t; // at most
    const double bound = 2 * toy_gravity * way * pow(sqrt(77) * dt, 4) / 120 + 2.2e-16 * 73 * t / dt;
    ffi_check_near("total", ff_sim_energy(sim).total, start.total, bound);
    most = fmax(most, fabs(ff_sim_energy(sim).total - start.total));
  }
  ff_sim_destroy(sim);
  ff_model_destroy(model);
  print_message("             dt %g: %.2e J\n", dt, most);
  return most;
}

// Of order 4; the next order is some w h of it, 0.9 % at 1 ms, times a small number.
static void free_flight_keeps_energy(void **state)
{
  (void)state;
  const double coarse = drift(1e-3), middle = drift(5e-4), fine = drift(2.5e-4);
  ffi_check_near("order", log2(coarse / middle), 4, 0.1);
  ffi_check_near("order", log2(middle / fine), 4, 0.1);
}

// At rest on springs: 1/2 K x^2 = (m g)^2 / 2K for each of them.
static void springs_hold_energy(void **state)
{
  (void)state;
  const double K = 2e4, weight = 2 * toy_gravity;
  ff_model *model = toy_cube(&(ff_material){.stiffness = K, .damping = 200, .friction = 0.5});
  ff_sim *sim = ffi_must_sim(model, NULL);
  const double q[7] = {0, 0, 0.1 - weight / 4 / K, 0, 0, 0, 1};
  assert_int_equal(ff_sim_reset(sim, q, NULL, NULL), FF_OK);
  ff_energy e = ff_sim_energy(sim);
  ffi_check_near("in contacts", e.elastic, 4 * 0.5 * (weight / 4) * (weight / 4) / K, 1e-15);
  ffi_check_near("total", e.total, e.kinetic + e.potential + e.elastic, 0);

  // Leaving fast: the dampers would pull, so nothing pushes. The springs are still pressed, and would push if the cube
  // slowed down.
  const double v[6] = {0, 0, 1, 0, 0, 0};
  assert_int_equal(ff_sim_reset(sim, q, v, NULL), FF_OK);
  assert_true(ff_sim_energy(sim).elastic == e.elastic);
  ff_sim_destroy(sim);
  ff_model_destroy(model);
}

// Tangential springs: the ground is shifted under a cube at rest by less than friction holds.
static void tangential_springs_hold_energy(void **state)
{
  (void)state;
  const double K = 2e4, weight = 2 * toy_gravity, shift = 1e-4;
  ff_model *model = toy_cube(&(ff_material){.stiffness = K, .damping = 200, .friction = 0.5});
  ff_sim *sim = ffi_must_sim(model, NULL);
  const double q[7] = {0, 0, 0.1 - weight / 4 / K, 0, 0, 0, 1};
  assert_int_equal(ff_sim_reset(sim, q, NULL, NULL), FF_OK);
  ffi_must_run(sim, 1, NULL); // from now on the contacts have anchors
  ff_pose pose = ff_pose_identity();
  pose.position[0] = shift;
  const double before = ff_sim_energy(sim).elastic;
  assert_int_equal(ff_sim_move_ground(sim, 0, &pose, NULL), FF_OK);
  ffi_check_near("gained", ff_sim_energy(sim).elastic - before, 4 * 0.5 * K * shift * shift, 1e-9 * 4e-4);
  int count;
  const ff_contact *c = ff_sim_contacts(sim, &count);
  assert_int_equal(count, 4);
  for (int i = 0; i < count; ++i) { // the anchors went along and pull
    ffi_check_near("anchor", c[i].anchor[0] - c[i].point[0], shift, 1e-12);
    ffi_check_near("pull", c[i].force[0], K * shift, 1e-6);
  }
  ff_sim_destroy(sim);
  ff_model_destroy(model);
}

static void elements_hold_energy(void **state)
{
  (void)state;
  ff_model *model = toy_wheel(1, 1);
  ff_element_def motor = ff_element_def_default();
  motor.joint = 0;
  motor.stiffness = 50;
  motor.damping = 1;
  motor.reference = 0.2;
  motor.effort = 30;
  ff_sim_def def = ff_sim_def_default();
  def.elements = &motor;
  def.element_count = 1;
  def.limit_stiffness = 400;
  def.limit_damping = 0;
  ff_sim *sim = ffi_must_sim(model, &def);
  double q = 0.5;
  assert_int_equal(ff_sim_reset(sim, &q, NULL, NULL), FF_OK);
  ffi_check_near("motor", ff_sim_energy(sim).elastic, 0.5 * 50 * 0.09, 1e-14);
  q = 0.9; // 35 N m would be asked: spring up to 0.6 rad, then 30 N m over 0.1 rad
  assert_int_equal(ff_sim_reset(sim, &q, NULL, NULL), FF_OK);
  ffi_check_near("saturated motor", ff_sim_energy(sim).elastic, 0.5 * 50 * 0.36 + 30 * 0.1, 1e-13);
  q = -1.1;
  assert_int_equal(ff_sim_reset(sim, &q, NULL, NULL), FF_OK);
  ffi_check_near("limit and motor", ff_sim_energy(sim).elastic, 0.5 * 400 * 0.01 + 0.5 * 50 * 0.36 + 30 * 0.7,
                 1e-12);
  ff_sim_destroy(sim);
  ff_model_destroy(model);
}

// A cube thrown on the floor: contact damps and rubs, and gives nothing.
static void passive_contact_gains_nothing(void **state)
{
  (void)state;
  ff_model *model = toy_cube(&(ff_material){.stiffness = 2e4, .damping = 20, .friction = 0.4});
  ff_sim_def def = ff_sim_def_default();
  def.stepper = FF_STEPPER_RK4;
  def.dt = 1e-5;
  ff_sim *sim = ffi_must_sim(model, &def);
  const double q[7] = {0, 0, 0.2, 0.3, 0.1, 0.2, 0.9}, v[6] = {1, -0.5, -1, 3, 2, 1};
  assert_int_equal(ff_sim_reset(sim, q, v, NULL), FF_OK);
  const double start = ff_sim_energy(sim).total;
  double least = start, risen = 0;
  for (int k = 0; k < 5000; ++k) {
    ffi_must_run(sim, 10, NULL);
    const double total = ff_sim_energy(sim).total;
    risen = fmax(risen, total - least);
    least = fmin(least, total);
  }
  print_message("             from %.3f to %.3f J, rises at most %.2g J\n", start, least, risen);
  assert_true(least < 0.7 * start); // it did hit the floor
  assert_true(risen < 1e-6 * start);
  ff_sim_destroy(sim);
  ff_model_destroy(model);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(free_flight_keeps_energy),       cmocka_unit_test(springs_hold_energy),
      cmocka_unit_test(tangential_springs_hold_energy), cmocka_unit_test(elements_hold_energy),
      cmocka_unit_test(passive_contact_gains_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
