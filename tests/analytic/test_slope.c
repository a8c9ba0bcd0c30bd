// Blocks and a robot on slopes: they hold below the friction angle, and slide above it with Coulomb's acceleration.
#include "analytic/scene.h"

#include <footfall/load.h>

static const ff_stepper steppers[] = {FF_STEPPER_EXPO, FF_STEPPER_EXPO_PAPER};
static const double degree = 3.14159265358979323846 / 180;

// At rest on the slope, sunk in as it will be, with the friction springs relaxed.
static ff_pose on_slope(double angle, double height)
{
  const double origin[3] = {0, 0, 0}, rpy[3] = {0, angle, 0};
  ff_pose up = ff_pose_identity(), slope = ff_pose_from_rpy(origin, rpy);
  up.position[2] = height;
  return ff_pose_compose(&slope, &up);
}

static void pose_to_q(const ff_pose *pose, double q[7])
{
  for (int i = 0; i < 3; ++i)
    q[i] = pose->position[i];
  for (int i = 0; i < 4; ++i)
    q[3 + i] = pose->quaternion[i];
}

static double way(const double *a, const double *b)
{
  return sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) + (a[2] - b[2]) * (a[2] - b[2]));
}

typedef struct slope {
  ff_model *model;
  ff_ground_def ground;
  ff_sim *sim;
} slope;

static slope slope_of(ff_stepper stepper, double dt, double angle, double height, const ff_material *material)
{
  slope s = {.model = scene_block(2, height, material), .ground = scene_slope(angle)};
  ff_sim_def def = ff_sim_def_default();
  def.stepper = stepper;
  def.dt = dt;
  def.ground = &s.ground;
  def.ground_count = 1;
  s.sim = ffi_must_sim(s.model, &def);
  const ff_pose pose = on_slope(angle, height - 2 * scene_gravity * cos(angle) / (4 * material->stiffness));
  double q[7];
  pose_to_q(&pose, q);
  ffi_must_reset(s.sim, q, NULL);
  return s;
}

static void slope_end(slope *s)
{
  ff_sim_destroy(s->sim);
  ff_model_destroy(s->model);
}

// An anchor that sticks keeps its bits, so what is left is rounding of the forces: far below 1e-12 m.
static void block_holds_below_the_friction_angle(void **state)
{
  (void)state;
  const ff_material m = {.stiffness = 2e4, .damping = 100, .friction = 0.5}; // tan 20 = 0.36
  const double steps[] = {0.01, 0.002};
  for (int i = 0; i < 4; ++i) {
    const double dt = steps[i / 2];
    slope s = slope_of(steppers[i % 2], dt, 20 * degree, 0.05, &m);
    ffi_must_run(s.sim, (int)lround(3 / dt), NULL);
    const double before[3] = {ff_sim_q(s.sim)[0], ff_sim_q(s.sim)[1], ff_sim_q(s.sim)[2]};
    ffi_must_run(s.sim, (int)lround(5 / dt), NULL);
    const double creep = way(before, ff_sim_q(s.sim));
    printf("%s, dt %g: creep %.1e m in 5 s\n", ff_stepper_name(steppers[i % 2]), dt, creep);
    ffi_check_near("creep", creep, 0, 1e-12);
    slope_end(&s);
  }
}

// The speed is that of the centre of mass; v is in the block's axes, which lean by what the springs give.
static double speed_of(const ff_sim *sim)
{
  const double zero[3] = {0, 0, 0};
  return way(ff_sim_v(sim), zero);
}

// When the springs have settled all is constant but the speed, and every scheme but the published one is exact for
// that, up to what is left of the settling. expo-paper is not among them: its friction is off by 1e-4 at this step.
static void block_slides_above_it(void **state)
{
  (void)state;
  const ff_material m = {.stiffness = 2e4, .damping = 100, .friction = 0.25};
  const double a = 20 * degree, want = scene_gravity * (sin(a) - m.friction * cos(a)), dt = 0.002;
  for (int i = 0; i < FF_STEPPER_COUNT; ++i) {
    slope s = slope_of((ff_stepper)i, dt, a, 0.05, &m);
    ffi_must_run(s.sim, (int)lround(2 / dt), NULL);
    const double before = speed_of(s.sim);
    ffi_must_run(s.sim, (int)lround(1 / dt), NULL);
    const double got = speed_of(s.sim) - before; // in one second
    printf("%s: acceleration off by %.1e\n", ff_stepper_name((ff_stepper)i), got / want - 1);
    if (i != FF_STEPPER_EXPO_PAPER)
      ffi_check_near(ff_stepper_name((ff_stepper)i), got / want, 1, 1e-6);
    slope_end(&s);
  }
}

// How far a block of 2 kg comes that slides on the level at 1 m/s, its contact points as high as its centre of mass.
// Negative: not to rest.
static double stopping_way(ff_stepper stepper, double dt, const ff_material *material)
{
  slope s = slope_of(stepper, dt, 0, 0, material);
  const double *q = ff_sim_q(s.sim), v[6] = {1};
  double start[7];
  for (int j = 0; j < 7; ++j)
    start[j] = q[j];
  ffi_must_reset(s.sim, start, v);
  ffi_must_run(s.sim, (int)lround(1 / dt), NULL);
  const double stop = speed_of(s.sim) < 1e-9 ? ff_sim_q(s.sim)[0] : -1;
  slope_end(&s);
  return stop;
}

// v^2 / (2 mu g), less the way that the friction springs, stretched to mu N while it slides, pull it back: mu m g / (4
// K). Stick begins when B u = mu N exp(-K t / B), here exp(-40), so there is no other correction, and expo, for which
// slipping and sticking are both exact and the event is inside the step, has only rounding left. rk4 and euler see the
// stop at a step's end, where the speed is dt mu g at most: (dt mu g)^2 / 2 mu g is 1e-4 of the way. The two
// first-order ones are off by v dt / 2.
static void block_stops_where_coulomb_says(void **state)
{
  (void)state;
  const ff_material m = {.stiffness = 2e4, .damping = 100, .friction = 0.5};
  const double way_to_stop = 1 / (2 * m.friction * scene_gravity),
               want = way_to_stop - m.friction * 2 * scene_gravity / (4 * m.stiffness), dt = 0.002;
  ffi_check_near("expo, 10 ms", stopping_way(FF_STEPPER_EXPO, 0.01, &m) / want, 1, 1e-10);
  ffi_check_near("expo, 5 ms", stopping_way(FF_STEPPER_EXPO, 0.005, &m) / want, 1, 1e-10);
  ffi_check_near("expo, 2 ms", stopping_way(FF_STEPPER_EXPO, dt, &m) / want, 1, 1e-10);
  ffi_check_near("rk4", stopping_way(FF_STEPPER_RK4, dt, &m) / want, 1, 1e-4);
  ffi_check_near("euler", stopping_way(FF_STEPPER_EULER, dt, &m) / want, 1, 1e-4);
  ffi_check_near("symplectic", stopping_way(FF_STEPPER_SYMPLECTIC, dt, &m), want, 1.1 * dt / 2);
  ffi_check_near("implicit", stopping_way(FF_STEPPER_IMPLICIT, dt, &m), want, 1.1 * dt / 2);
}

// The published scheme is far off at such steps (a quarter too far at 2 ms), but converges with order 1: the error is
// halved with the step.
static void published_scheme_stops_there_with_order_1(void **state)
{
  (void)state;
  const ff_material m = {.stiffness = 2e4, .damping = 100, .friction = 0.5};
  const double want =
      1 / (2 * m.friction * scene_gravity) - m.friction * 2 * scene_gravity / (4 * m.stiffness);
  double last = 0;
  for (double dt = 0.001; dt > 1e-4; dt /= 2) {
    const double off = fabs(stopping_way(FF_STEPPER_EXPO_PAPER, dt, &m) / want - 1);
    printf("expo-paper, dt %g: off by %.1e\n", dt, off);
    if (last > 0)
      ffi_check_near("order", log2(last / off), 1, 0.2);
    last = off;
  }
}

// solo12 on a slope of 10 degrees, a motor on each of its twelve hinges. `q` [19]: the posture 'standing', turned with
// the slope.
static ff_sim *standing_robot(const ff_model *model, ff_stepper stepper)
{
  ff_error error;
  ff_sim *flat = ffi_must_sim(model, NULL);
  if (ff_sim_set_posture(flat, "standing", &error) != FF_OK)
    fail_msg("%s", error.message);
  double q[19];
  for (int j = 0; j < 19; ++j)
    q[j] = ff_sim_q(flat)[j];
  ff_sim_destroy(flat);
  ff_element_def motors[12];
  for (int j = 0; j < 12; ++j) {
    ff_joint_info joint;
    assert_int_equal(ff_model_joint(model, j + 1, &joint), FF_OK);
    motors[j] = ff_element_def_default();
    motors[j].joint = j + 1;
    motors[j].stiffness = 20;
    motors[j].damping = 0.3;
    motors[j].reference = q[joint.q];
  }
  ff_ground_def ground = scene_slope(10 * degree);
  ground.gives_pair = 1;
  ground.shape.material = ff_material_default();
  ground.shape.material.friction = 1;
  ff_sim_def def = ff_sim_def_default();
  def.stepper = stepper;
  def.dt = 0.002;
  def.ground = &ground;
  def.ground_count = 1;
  def.elements = motors;
  def.element_count = 12;
  ff_sim *sim = ffi_must_sim(model, &def);
  const ff_pose pose = on_slope(10 * degree, q[2]);
  pose_to_q(&pose, q);
  ffi_must_reset(sim, q, NULL);
  return sim;
}

// Joints of 20 N m/rad carry it: a force's rounding moves it by 1e-16 of its size, 10^6 times less than is allowed.
static void robot_stands_without_creep(void **state)
{
  (void)state;
  ff_model *model;
  ff_error error;
  if (ff_model_load(FFI_TEST_SOURCE_DIR "/models/solo12.urdf", NULL, &model, &error) != FF_OK)
    fail_msg("%s", error.message);
  for (int i = 0; i < 2; ++i) {
    ff_sim *sim = standing_robot(model, steppers[i]);
    ffi_must_run(sim, 2500, NULL);
    const double before[3] = {ff_sim_q(sim)[0], ff_sim_q(sim)[1], ff_sim_q(sim)[2]};
    ffi_must_run(sim, 2500, NULL);
    const double creep = way(before, ff_sim_q(sim));
    int count;
    ff_sim_contacts(sim, &count);
    printf("%s: creep %.1e m in 5 s on %d feet\n", ff_stepper_name(steppers[i]), creep, count);
    assert_int_equal(count, 4);
    ffi_check_near("height", ff_sim_q(sim)[2], 0.21, 0.03); // it does stand
    ffi_check_near("creep", creep, 0, 1e-10);
    ff_sim_destroy(sim);
  }
  ff_model_destroy(model);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(block_holds_below_the_friction_angle),
      cmocka_unit_test(block_slides_above_it),
      cmocka_unit_test(block_stops_where_coulomb_says),
      cmocka_unit_test(published_scheme_stops_there_with_order_1),
      cmocka_unit_test(robot_stands_without_creep),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
