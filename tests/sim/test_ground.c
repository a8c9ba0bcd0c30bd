// Moving ground carries what lies on it; parameters give back where it is put.
#include "sim/toys.h"

#include <footfall/parameters.h>

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
  return ffi_must_sim(model, &def);
}

// What a conveyor does to a cube of mass m = 2 kg, by hand. h: half its size, how high its centre is and how far its
// corners are from the middle.
typedef struct ride {
  double slipping;   // speed after `early`, while it slips [m/s]
  double way;        // at the end [m]
  double way_off;    // what may be wrong with that
  double elongation; // of each corner's spring in the end, towards the middle [m]
} ride;

// A rigid cube slips over speed^2 / (2 mu g), then goes with the belt. On springs it is pulled along by elongations
// of mu m g / 4K on the average, and leans back by mu m g / (4 K h): when friction ends both straighten, and its
// centre comes forward by mu m g / 4K twice. While it leans, one side carries (1 + mu) of a quarter of the weight and
// the other (1 - mu); all stick at once, so in the end, where the pulls of both must cancel, they keep the
// difference: mu of mu m g / 4K each. The angle of 1e-3 and the depth of 2.5e-3 h are taken for zero here.
//
// Symplectic and implicit move with the velocity of a step's end, which is dt / 2 of the gained speed more.
// Expo-paper holds the anchor's velocity over a step, while the cube gains mu g dt on it: on the average the four
// dampers take 2 B mu g dt off the friction mu m g, 4 % here. What is left: angle and depth, that slipping ends with
// a step, and 4 % of that step.
static ride ride_on(int stepper, double mu, double speed, double early, double duration, double dt)
{
  const double give = mu * 2 * toy_gravity / (4 * K), rigid = speed * speed / (2 * mu * toy_gravity);
  const double lost = stepper == FF_STEPPER_EXPO_PAPER ? 2 * B * dt / 2 : 0;
  const int is_late = stepper == FF_STEPPER_SYMPLECTIC || stepper == FF_STEPPER_IMPLICIT;
  return (ride){.slipping = mu * toy_gravity * early * (1 - lost),
                .way = speed * (duration + is_late * dt / 2) - rigid / (1 - lost) + 2 * give * (1 - lost),
                .way_off = 2 * give * 2.5e-3 + mu * toy_gravity * dt * dt / 2 + lost * speed * dt,
                .elongation = mu * give * (1 - lost)};
}

// A conveyor belt: friction mu g until the speeds are the same, then none.
static void a_conveyor_carries_a_cube(void **state)
{
  (void)state;
  const double mu = 0.4, speed = 0.5, velocity[6] = {0.5, 0, 0, 0, 0, 0}, early = 0.05, duration = 0.6;
  ff_model *model = toy_cube(&(ff_material){.stiffness = K, .damping = B, .friction = mu});
  for (int i = 0; i < FF_STEPPER_SOFT_COUNT; ++i) {
    ff_sim *sim = cube_on(model, i, velocity);
    const ride want = ride_on(i, mu, speed, early, duration, ff_sim_dt(sim));
    const double q[7] = {0, 0, 0.1 - 2 * toy_gravity / 4 / K, 0, 0, 0, 1};
    assert_int_equal(ff_sim_reset(sim, q, NULL, NULL), FF_OK);
    ffi_must_run(sim, (int)lround(early / ff_sim_dt(sim)), NULL);
    ffi_check_near("speed while it slips", ff_sim_v(sim)[0], want.slipping,
                   1e-5 * speed); // the angle squared, some times
    ffi_must_run(sim, (int)lround((duration - early) / ff_sim_dt(sim)), NULL);
    ffi_check_near("speed", ff_sim_v(sim)[0], speed, 1e-6 * speed); // Newton's tolerance, for implicit
    print_message("             %-10s  %.2g um off\n", ff_stepper_name((ff_stepper)i),
                  1e6 * (ff_sim_q(sim)[0] - want.way));
    ffi_check_near("way", ff_sim_q(sim)[0], want.way, want.way_off);
    int count;
    const ff_contact *c = ff_sim_contacts(sim, &count);
    assert_int_equal(count, 4);
    for (int k = 0; k < count; ++k) {
      assert_int_equal(c[k].mode, FF_CONTACT_STICK);
      assert_true(c[k].slip[0] == 0 && c[k].slip[1] == 0);
      const double outwards = c[k].point[0] > ff_sim_q(sim)[0] ? 1 : -1;
      ffi_check_near("anchor", outwards * (c[k].point[0] - c[k].anchor[0]), want.elongation,
                     5e-3 * want.elongation); // angle and depth
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
    ffi_must_run(sim, (int)(duration / ff_sim_dt(sim) + 0.5), NULL);
    const double *now = ff_sim_q(sim);
    // Springs give by m w^2 r / 4K = 7.5e-6; a step of first order is off by w dt.
    ffi_check_near("x", now[0], r * cos(w * duration), 1e-4);
    ffi_check_near("y", now[1], r * sin(w * duration), 1e-4);
    ffi_check_near("turned", 2 * atan2(now[5], now[6]), w * duration, 1e-3);
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
  ffi_must_run(sim, 2500, NULL);
  assert_int_equal(ff_sim_move_ground(sim, 0, NULL, still), FF_OK);
  ffi_must_run(sim, 2500, NULL);
  ffi_check_near("height", ff_sim_q(sim)[2], rest + 0.1, 1e-6);
  const ff_pose pose = ff_pose_from_rpy((const double[3]){0, 0, 0.1}, (const double[3]){0, 0, 0.5});
  assert_int_equal(ff_sim_move_ground(sim, 0, &pose, NULL),
                   FF_OK); // the same plane, turned in itself: anchors turn too
  int count;
  const ff_contact *c = ff_sim_contacts(sim, &count);
  assert_int_equal(count, 4);
  for (int i = 0; i < count; ++i) {
    ffi_check_near("anchor x", c[i].anchor[0], cos(0.5) * c[i].point[0] - sin(0.5) * c[i].point[1], 1e-6);
    ffi_check_near("anchor y", c[i].anchor[1], sin(0.5) * c[i].point[0] + cos(0.5) * c[i].point[1], 1e-6);
  }
  assert_int_equal(ff_sim_reset(sim, NULL, NULL, NULL), FF_OK);
  ff_sim_destroy(sim);
  ff_model_destroy(model);
}

// What was set is what is given back: a ground's pose and velocity, each alone too.
static void a_ground_is_given_back_as_it_was_set(void **state)
{
  const double h = sqrt(0.5), velocity[6] = {1, 2, 3, 0.1, 0.2, 0.3};
  const ff_pose tilted = {.position = {0.1, -0.2, 0.3}, .quaternion = {0, h, 0, h}};
  ff_error error = {0};
  ff_pose pose;
  double got[6];
  (void)state;
  ff_model *model = toy_cube(&(ff_material){.stiffness = K, .damping = B, .friction = 1});
  ff_sim_def def = ff_sim_def_default();
  ff_world *world;
  ff_parameters *p;
  ffi_must(ff_world_create(model, &def, &world, &error), &error);
  ffi_must(ff_parameters_create(world, &p, &error), &error);
  ffi_must(ff_parameters_set_ground(p, 0, &tilted, velocity, &error), &error);
  assert_int_equal(ff_parameters_ground(p, 0, &pose, got), FF_OK);
  for (int k = 0; k < 3; ++k)
    assert_true(pose.position[k] == tilted.position[k]);
  for (int k = 0; k < 4; ++k) // through a rotation matrix and back: a few roundings
    assert_true(fabs(pose.quaternion[k] - tilted.quaternion[k]) < 1e-15);
  assert_memory_equal(got, velocity, sizeof got);
  assert_int_equal(ff_parameters_ground(p, 0, NULL, NULL), FF_OK);
  assert_int_equal(ff_parameters_ground(p, 1, &pose, got), FF_ERROR_ARGUMENT);
  assert_int_equal(ff_parameters_ground(p, -1, &pose, got), FF_ERROR_ARGUMENT);
  ff_parameters_destroy(p);
  ff_world_destroy(world);
  ff_model_destroy(model);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_ground_is_given_back_as_it_was_set),
      cmocka_unit_test(a_conveyor_carries_a_cube),
      cmocka_unit_test(a_turntable_turns_a_cube),
      cmocka_unit_test(a_lift_lifts),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
