// Ground that moves: it carries what lies on it.
#include "sim/toys.h"

#include <math.h>

static const double K = 2e4, B = 200;

static ff_sim *cube_on(const ff_model *model, int stepper, const double velocity[6])
{
  ff_ground_def ground = ff_ground_def_default();
  memcpy(ground.velocity, velocity, sizeof ground.velocity);
  ff_sim_def def = ff_sim_def_default();
  def.stepper = (ff_stepper)stepper;
  def.dt = 2e-4;
  def.ground = &ground;
  def.ground_count = 1;
  return toy_sim(model, &def);
}

// A conveyor belt: friction mu g until the speeds are the same, then none.
static void a_conveyor_carries_a_cube(void **state)
{
  (void)state;
  const double mu = 0.4, speed = 0.5, velocity[6] = {0.5, 0, 0, 0, 0, 0}, duration = 0.6;
  ff_model *model = toy_cube(&(ff_material){.stiffness = K, .damping = B, .friction = mu});
  for (int i = 0; i < FF_STEPPER_COUNT; ++i) {
    ff_sim *sim = cube_on(model, i, velocity);
    const double q[7] = {0, 0, 0.1 - 2 * toy_gravity / 4 / K, 0, 0, 0, 1};
    assert_int_equal(ff_sim_reset(sim, q, NULL, NULL), FF_OK);
    toy_run(sim, 250, NULL); // 0.05 s: still slipping
    const double t = 0.05;
    toy_near("speed while it slips", ff_sim_v(sim)[0], mu * toy_gravity * t, 0.02 * speed);
    toy_run(sim, (int)(duration / ff_sim_dt(sim) + 0.5) - 250, NULL);
    toy_near("speed", ff_sim_v(sim)[0], speed, 1e-4 * speed);
    const double way = speed * duration - speed * speed / (2 * mu * toy_gravity);
    print_message("             %-10s  %.2g mm off\n", ff_stepper_name((ff_stepper)i),
                  1e3 * (ff_sim_q(sim)[0] - way));
    toy_near("way", ff_sim_q(sim)[0], way, 2e-3); // on springs it rocks while it slips, and friction with it
    int count;
    const ff_contact *c = ff_sim_contacts(sim, &count);
    assert_int_equal(count, 4);
    for (int k = 0; k < count; ++k) {
      assert_int_equal(c[k].mode, FF_CONTACT_STICK);
      assert_true(c[k].slip[0] == 0 && c[k].slip[1] == 0);
      // It went along, and may hold as much as friction can: opposite corners may pull against each other.
      toy_near("anchor", c[k].anchor[0], c[k].point[0], 1.1 * mu * 2 * toy_gravity / 4 / K);
    }
    ff_sim_destroy(sim);
  }
  ff_model_destroy(model);
}

// A turntable: what lies on it, at the speed of the place, goes round with it.
static void a_turntable_turns_a_cube(void **state)
{
  (void)state;
  const double r = 0.3, w = 1, velocity[6] = {0, 0, 0, 0, 0, 1}, duration = 1;
  ff_model *model = toy_cube(&(ff_material){.stiffness = K, .damping = B, .friction = 1});
  for (int i = 0; i < FF_STEPPER_COUNT; ++i) {
    ff_sim *sim = cube_on(model, i, velocity);
    const double q[7] = {r, 0, 0.1 - 2 * toy_gravity / 4 / K, 0, 0, 0, 1}, v[6] = {0, r * w, 0, 0, 0, w};
    assert_int_equal(ff_sim_reset(sim, q, v, NULL), FF_OK);
    toy_run(sim, (int)(duration / ff_sim_dt(sim) + 0.5), NULL);
    const double *now = ff_sim_q(sim);
    // Springs give by m w^2 r / 4K = 7.5e-6; a step of first order is off by w dt.
    toy_near("x", now[0], r * cos(w * duration), 1e-4);
    toy_near("y", now[1], r * sin(w * duration), 1e-4);
    toy_near("turned", 2 * atan2(now[5], now[6]), w * duration, 1e-3);
    ff_sim_destroy(sim);
  }
  ff_model_destroy(model);
}

// A lift, moved by hand: up with a velocity, then held.
static void a_lift_lifts(void **state)
{
  (void)state;
  ff_model *model = toy_cube(&(ff_material){.stiffness = K, .damping = B, .friction = 1});
  const double still[6] = {0}, up[6] = {0, 0, 0.2, 0, 0, 0};
  ff_sim *sim = cube_on(model, FF_STEPPER_EXPO, still);
  const double rest = 0.1 - 2 * toy_gravity / 4 / K, q[7] = {0, 0, rest, 0, 0, 0, 1};
  assert_int_equal(ff_sim_reset(sim, q, NULL, NULL), FF_OK);
  assert_int_equal(ff_sim_move_ground(sim, 0, NULL, up), FF_OK);
  toy_run(sim, 2500, NULL);
  assert_int_equal(ff_sim_move_ground(sim, 0, NULL, still), FF_OK);
  toy_run(sim, 2500, NULL);
  toy_near("height", ff_sim_q(sim)[2], rest + 0.1, 1e-6);
  const ff_pose pose = ff_pose_from_rpy((const double[3]){0, 0, 0.1}, (const double[3]){0, 0, 0.5});
  assert_int_equal(ff_sim_move_ground(sim, 0, &pose, NULL),
                   FF_OK); // the same plane, turned in itself: anchors turn too
  int count;
  const ff_contact *c = ff_sim_contacts(sim, &count);
  assert_int_equal(count, 4);
  for (int i = 0; i < count; ++i) {
    toy_near("anchor x", c[i].anchor[0], cos(0.5) * c[i].point[0] - sin(0.5) * c[i].point[1], 1e-6);
    toy_near("anchor y", c[i].anchor[1], sin(0.5) * c[i].point[0] + cos(0.5) * c[i].point[1], 1e-6);
  }
  assert_int_equal(ff_sim_reset(sim, NULL, NULL, NULL), FF_OK);
  ff_sim_destroy(sim);
  ff_model_destroy(model);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_conveyor_carries_a_cube),
      cmocka_unit_test(a_turntable_turns_a_cube),
      cmocka_unit_test(a_lift_lifts),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
