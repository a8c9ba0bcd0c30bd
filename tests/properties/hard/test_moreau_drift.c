// slow: under sanitizers. Hard contact: laws are on velocities, so positions drift: how far, of which order, and what
// stabilisation leaves of it.
//
// At rest nothing drifts but by what the solver leaves: a velocity of zero is zero in every step. In motion a foot that
// stands is held by W(q^M)'u = 0, and moves for a step with that u: the curvature of its way, dt^2/2 u'Hu, is lost each
// step. So the drift of a motion is of order 1 in dt, and goes on for as long as the motion does.
#include "support/hard_scene.h"
#include "support/must.h"
#include "support/near.h"

#include <footfall/cut.h>
#include <footfall/load.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { NQ = 19, NV = 18, MOTORS = 12 };
static const double g = 9.81;

typedef struct stance {
  ff_model *model;
  ff_sim *sim;
  double q[NQ]; // the posture
} stance;

// StarlETH with a motor on each joint, its feet on the ground.
static stance stance_of(const ff_moreau_def *options, double dt)
{
  stance s = {0};
  ff_error error;
  ffi_must(ff_model_load(FFI_TEST_SOURCE_DIR "/models/starleth.urdf", NULL, &s.model, &error), &error);
  const int posture = ff_model_find_posture(s.model, "standing");
  assert_true(posture >= 0 && ff_model_get_size(s.model).nq == NQ);
  memcpy(s.q, ff_model_posture(s.model, posture), sizeof s.q);
  ff_element_def motors[MOTORS];
  for (int k = 0; k < MOTORS; ++k)
    motors[k] = ff_model_motor(s.model, k + 1, s.q[7 + k], 400, 12);
  ff_sim_def def = ff_sim_def_default();
  def.stepper = FF_STEPPER_MOREAU;
  def.dt = dt;
  def.elements = motors;
  def.element_count = MOTORS;
  def.moreau = *options;
  s.sim = ffi_must_sim(s.model, &def);
  s.q[2] -= 1e-5;
  ffi_must_reset(s.sim, s.q, NULL);
  return s;
}

static void stance_end(stance *s)
{
  ff_sim_destroy(s->sim);
  ff_model_destroy(s->model);
}

static double deepest(ff_sim *sim, int *count)
{
  const ff_contact *c = ff_sim_contacts(sim, count);
  double depth = -1;
  for (int i = 0; i < *count; ++i)
    depth = fmax(depth, c[i].penetration);
  return depth;
}

// Growth of the deepest overlap in a minute, after 3 s of settling, from the next 10 s.
static double growth(const ff_moreau_def *options, double dt)
{
  stance s = stance_of(options, dt);
  int count;
  ffi_must_run(s.sim, (int)lround(3 / dt), NULL);
  const double from = deepest(s.sim, &count);
  assert_int_equal(count, 4);
  ffi_must_run(s.sim, (int)lround(10 / dt), NULL);
  const double to = deepest(s.sim, &count);
  assert_int_equal(count, 4);
  stance_end(&s);
  return 6 * (to - from);
}

// Solved to rounding, and by each solver with the paper's tolerances, 1e-6. The paper has 750 um a minute: a solver
// that stops at T_abs = 1e-6 N s leaves a velocity of up to T/(1 - rate) times G, each step again.
static void standing_robot_stays(void **state)
{
  (void)state;
  const ff_moreau_def tight = ffi_hard_def(0.0025).moreau;
  const double rest = growth(&tight, 0.0025);
  printf("solved to rounding: %.1e m a minute\n", rest);
  ffi_check_near("solved to rounding", rest, 0, 1e-9);
  for (int solver = 0; solver < FF_HARD_SOLVER_COUNT; ++solver) {
    ff_moreau_def options = ff_sim_def_default().moreau;
    options.solver = (ff_hard_solver)solver;
    const double at[2] = {growth(&options, 0.0025), growth(&options, 0.001)};
    printf("%s, default tolerances: %.2e m a minute at 2.5 ms, %.2e at 1 ms\n",
           ff_hard_solver_name((ff_hard_solver)solver), at[0], at[1]);
    for (int k = 0; k < 2; ++k)
      ffi_check_near("growth in a minute", at[k], 0, 750e-6);
  }
}

// Knee bends of 0.25 rad, 1 Hz, hips along.
static void bend(stance *s, double dt, int steps)
{
  for (int i = 0; i < steps; ++i) {
    const double a = 0.25 * (1 - cos(6.283185307179586 * (ff_sim_time(s->sim) + dt))) / 2;
    for (int k = 0; k < MOTORS; ++k) {
      const double knee = s->q[7 + k / 3 * 3 + 2];
      const double by = k % 3 == 0 ? 0 : k % 3 == 1 ? -a : 2 * a;
      const int motor = ff_sim_find_motor(s->sim, k + 1);
      ff_sim_set_reference(s->sim, motor, s->q[7 + k] + (knee < 0 ? -by : by), 0);
    }
    ffi_must_step(s->sim, NULL);
  }
}

// Where the deepest foot is in two stretches of 6 s of knee bends, and how far the feet have gone along the ground
// between them.
static void bend_long(const ff_moreau_def *options, double dt, double depth[2], double *slip)
{
  stance s = stance_of(options, dt);
  double from[4][3] = {{0}};
  int count;
  bend(&s, dt, (int)lround(1 / dt)); // the first second settles
  *slip = 0;
  for (int part = 0; part < 2; ++part) {
    depth[part] = 0;
    for (int k = 0; k < (int)lround(6 / dt); ++k) {
      bend(&s, dt, 1);
      depth[part] = fmax(depth[part], deepest(s.sim, &count));
    }
    const ff_contact *c = ff_sim_contacts(s.sim, &count);
    assert_int_equal(count, 4);
    for (int i = 0; i < 4; ++i) {
      if (part)
        *slip = fmax(*slip, hypot(c[i].point[0] - from[i][0], c[i].point[1] - from[i][1]));
      memcpy(from[i], c[i].point, sizeof from[i]);
    }
  }
  stance_end(&s);
}

// A foot that drifts down stays down, one that drifts up loses the ground for a step, is pressed down by its motors and
// caught again, at most 0.2 m/s: so depths do not grow with time. Stabilised, it is brought back before it loses the
// ground: no depth beyond what is left, g dt^2, and what is lost along the ground is the curvature alone, with order 1.
static void bending_robot_drifts_little(void **state)
{
  (void)state;
  for (int stabilise = 0; stabilise < 2; ++stabilise) {
    double last = 0;
    for (double dt = 0.004; dt > 9e-4; dt /= 2) {
      ff_moreau_def options = ffi_hard_def(dt).moreau;
      options.stabilise = stabilise;
      double depth[2], slip;
      bend_long(&options, dt, depth, &slip);
      printf("stabilise %d, dt %g: knee bends, %.2e m deep at first, %.2e m later, feet went %.2e m in 6 s\n",
             stabilise, dt, depth[0], depth[1], slip);
      assert_true(depth[1] <= 1.5 * depth[0] + 1e-9);
      ffi_check_near("depth", fmax(depth[0], depth[1]), 0, stabilise ? g * dt * dt : 0.2 * dt);
      if (stabilise && last > 0)
        ffi_check_near("order", log2(last / slip), 1, 0.1);
      last = slip;
    }
  }
}

// A robot that has fallen 5 cm: 50 ms after it touched the ground no foot is 1 mm deep, and once it stands none is
// deeper than what is left to it, g dt^2, and what rounding says.
static void stabilised_robot_stands_on_the_ground(void **state)
{
  (void)state;
  const double dts[] = {0.0025, 0.001};
  for (int i = 0; i < 2; ++i) {
    const double dt = dts[i];
    ff_moreau_def options = ffi_hard_def(dt).moreau;
    options.stabilise = 1;
    stance s = stance_of(&options, dt);
    double q[NQ], landed = -1, worst = 0, rest = 0;
    int count;
    memcpy(q, s.q, sizeof q);
    q[2] += 0.05;
    ffi_must_reset(s.sim, q, NULL);
    for (int k = 0; k < (int)lround(6 / dt); ++k) {
      ffi_must_step(s.sim, NULL);
      const double depth = deepest(s.sim, &count), time = ff_sim_time(s.sim);
      if (count > 0 && landed < 0)
        landed = time;
      if (landed >= 0 && time > landed + 0.05)
        worst = fmax(worst, depth);
      if (time > 4)
        rest = fmax(rest, depth);
    }
    printf("dt %g: landed after %.3f s, then at most %.2e m deep, at rest %.3e m (g dt^2 %.3e)\n", dt, landed,
           worst, rest, g * dt * dt);
    assert_true(landed > 0.09 && landed < 0.12);
    assert_int_equal(count, 4);
    ffi_check_near("depth after 50 ms", worst, 0, 1e-3);
    ffi_check_near("depth at rest", rest, 0, g * dt * dt * (1 + 1e-6));
    stance_end(&s);
  }
}

// Feet that come down at 1 m/s, 1 mm in the ground, are lifted straight up, in a step: along the ground they go no
// farther than the second order of that, d^2 over the length of a leg's link. At rest they stay: nothing pays for a
// lift of what was put there.
static void feet_are_lifted_straight_up(void **state)
{
  (void)state;
  const double dt = 0.001, deep = 1e-3;
  ff_moreau_def options = ffi_hard_def(dt).moreau;
  stance s = stance_of(&options, dt);
  ffi_must_run(s.sim, 3000, NULL); // at rest
  double q[NQ], from[4][3];
  memcpy(q, ff_sim_q(s.sim), sizeof q);
  stance_end(&s);
  options.stabilise = 1;
  s = stance_of(&options, dt);
  q[2] -= deep;
  ffi_must_reset(s.sim, q, NULL);
  int count;
  const ff_contact *c = ff_sim_contacts(s.sim, &count);
  assert_int_equal(count, 4);
  for (int i = 0; i < 4; ++i)
    memcpy(from[i], c[i].point, sizeof from[i]);
  ffi_must_step(s.sim, NULL);
  c = ff_sim_contacts(s.sim, &count);
  for (int i = 0; i < 4; ++i)
    ffi_check_near("lift at rest", c[i].point[2], from[i][2], 1e-12);
  const double v[NV] = {0, 0, -1};
  ffi_must_reset(s.sim, q, v);
  ffi_must_step(s.sim, NULL);
  c = ff_sim_contacts(s.sim, &count);
  assert_int_equal(count, 4);
  for (int i = 0; i < 4; ++i) {
    const double aside = hypot(c[i].point[0] - from[i][0], c[i].point[1] - from[i][1]);
    printf("foot %d: lifted by %.3e m, aside %.1e m\n", i, c[i].point[2] - from[i][2], aside);
    assert_true(c[i].point[2] - from[i][2] > 0.9 * deep);
    ffi_check_near("aside", aside, 0, deep * deep / 0.2);
  }
  stance_end(&s);
}

// A body is moved out of a wall without a change of its momentum and its kinetic energy, its centre of mass being
// anywhere: a step with stabilisation beside the same step without. Nothing falls: height would be paid for with
// motion.
static void displaced_body_keeps_its_motion(void **state)
{
  (void)state;
  ff_builder *b = ffi_must_begin("lump");
  const double none[3] = {0, 0, 0};
  ff_error flaw;
  ffi_must(ff_builder_set_gravity(b, none, &flaw), &flaw);
  ff_link_def link = ff_link_def_default();
  link.name = "lump";
  link.joint.type = FF_JOINT_FREE;
  link.inertia =
      (ff_inertia){.mass = 2, .com = {0.1, -0.05, 0.15}, .matrix = {0.03, 0.002, 0, 0.04, 0, 0.05}};
  const int id = ffi_must_add_link(b, &link);
  ff_shape_def shape = ff_shape_def_default();
  shape.type = FF_SHAPE_POINT;
  shape.material = ffi_hard_material(0.5, 0, 0);
  ffi_must_add_shape(b, id, &shape);
  ff_model *model = ffi_must_finish(b);
  const double q[7] = {0, 0, -2e-3, 0.2, 0.1, -0.1, 0.9}, v[6] = {0.5, 0.4, 0.2, 2, -1, 3};
  double momentum[2][6], kinetic[2], height[2];
  for (int stabilise = 0; stabilise < 2; ++stabilise) {
    ff_sim_def def = ffi_hard_def(0.001);
    def.ground_count = -1;
    def.moreau.stabilise = stabilise;
    ff_sim *sim = ffi_must_sim(model, &def);
    ff_dynamics *dynamics = NULL;
    ff_error error;
    ffi_must(ff_dynamics_create(model, NULL, &dynamics, &error), &error);
    ffi_must_reset(sim, q, v);
    ffi_must_step(sim, NULL);
    ff_dynamics_kinematics(dynamics, ff_sim_q(sim), ff_sim_v(sim), NULL);
    ff_dynamics_momentum(dynamics, momentum[stabilise]);
    ff_dynamics_kinetic_energy(dynamics, &kinetic[stabilise]);
    height[stabilise] = ff_sim_q(sim)[2];
    ff_dynamics_destroy(dynamics);
    ff_sim_destroy(sim);
  }
  assert_true(height[1] > height[0] + 1e-3); // it was moved, and turned
  ffi_check_near("kinetic energy", kinetic[1], kinetic[0], 1e-14);
  for (int k = 0; k < 3; ++k)
    ffi_check_near("momentum", momentum[1][k], momentum[0][k], 1e-14);
  ff_model_destroy(model);
}

// ---- Cut joints ----------------------------------------------------------------------------------------------

typedef struct swing {
  double drift, excess; // the most: [m], energy beyond that of the start [J]
} swing;

// A double pendulum in maximal coordinates, swinging widely for 10 s.
static swing swing_of(ff_cut_place place, double dt, int stabilise)
{
  ff_model *model = ffi_double_pendulum();
  ff_cut_def cut_def = ff_cut_def_default();
  cut_def.set = FF_CUT_MAXIMAL;
  cut_def.place = place;
  ff_cut *cut = NULL;
  ff_error error;
  ffi_must(ff_cut_create(model, &cut_def, &cut, &error), &error);
  ff_sim_def def = ffi_hard_def(dt);
  def.moreau.stabilise = stabilise;
  ff_sim *sim = ffi_must_sim(ff_cut_model(cut), &def);
  const double q0[2] = {2, 0.5}, v0[2] = {0, 0};
  double q[14], v[12];
  ff_cut_spread(cut, q0, v0, q, v);
  ffi_must_reset(sim, q, v);
  const double start = ff_sim_energy(sim).total;
  swing s = {0, 0};
  for (int k = 0; k < (int)lround(10 / dt); ++k) {
    ffi_must_step(sim, NULL);
    s.excess = fmax(s.excess, ff_sim_energy(sim).total - start);
    s.drift = fmax(s.drift, ff_sim_info(sim)->drift);
  }
  printf(
      "%s, %g ms, stabilise %d: drift %.2e m, energy %.6f J at first, %.2g more at most, in the end %.6f\n",
      place == FF_CUT_AT_CENTRES ? "centres" : "joints", 1e3 * dt, stabilise, s.drift, start, s.excess,
      ff_sim_energy(sim).total);
  ff_sim_destroy(sim);
  ff_cut_destroy(cut);
  ff_model_destroy(model);
  return s;
}

// Bodies turn in a plane, about their centres of mass: no gyroscopic terms, constant masses, so a step changes the
// energy by half of gamma^S.Lambda, and stabilisation changes heights by what it moves. Without it the pieces part;
// with it they do not, and the energy never exceeds what it was at the start.
static void stabilised_pieces_stay_together(void **state)
{
  (void)state;
  const swing loose = swing_of(FF_CUT_AT_CENTRES, 0.002, 0), held = swing_of(FF_CUT_AT_CENTRES, 0.002, 1);
  assert_true(held.drift < 1e-2 * loose.drift);
  assert_true(held.excess <= 1e-9);
}

// Where pieces float at their joints their momentum is kept to first order only, and a swing may gain energy: half as
// much with half the step, and pieces part by a quarter.
static void pieces_at_their_joints_gain_by_order_1(void **state)
{
  (void)state;
  swing s[4];
  for (int i = 0; i < 4; ++i)
    s[i] = swing_of(FF_CUT_AT_JOINTS, 0.004 / (1 << i), 1);
  for (int i = 0; i < 3; ++i) {
    assert_true(s[i + 1].excess > 0.4 * s[i].excess && s[i + 1].excess < 0.6 * s[i].excess);
    assert_true(s[i + 1].drift < 0.3 * s[i].drift);
  }
  assert_true(s[1].drift < 1e-2 * swing_of(FF_CUT_AT_JOINTS, 0.002, 0).drift);
}

// ---- A heap --------------------------------------------------------------------------------------------------

enum { HEAP = 12 };

// Balls fall into a pit between four walls, e = 0: at every moment the energy is at most what it was a step ago, but
// for a share of g dt^2 of depth given back: m g (g dt^2) for each body at most, and never above the start.
static void stabilised_heap_gains_nothing(void **state)
{
  (void)state;
  const double dt = 0.002;
  ffi_loose balls[HEAP];
  ffi_loose_state at[HEAP];
  double mass = 0;
  for (int i = 0; i < HEAP; ++i) {
    balls[i] = (ffi_loose){.shape = FF_SHAPE_SPHERE,
                           .size = {0.05},
                           .mass = 0.3 + 0.1 * (i % 4),
                           .material = ffi_hard_material(0.4, 0, 0)};
    at[i] =
        (ffi_loose_state){.position = {0.06 * (i % 2) - 0.03 + 0.003 * (i % 5),
                                       0.06 * (i / 2 % 2) - 0.03 + 0.002 * (i % 7), 0.08 + 0.12 * (i / 2)}};
    mass += balls[i].mass;
  }
  ff_ground_def walls[5];
  const double origins[5][3] = {{0, 0, 0}, {-0.12, 0, 0}, {0.12, 0, 0}, {0, -0.12, 0}, {0, 0.12, 0}};
  const double quarter = 1.5707963267948966,
               rpys[5][3] = {{0, 0, 0}, {0, quarter, 0}, {0, -quarter, 0}, {-quarter, 0, 0}, {quarter, 0, 0}};
  for (int i = 0; i < 5; ++i) {
    walls[i] = ff_ground_def_default();
    walls[i].shape.pose = ff_pose_from_rpy(origins[i], rpys[i]);
  }
  ff_model *model = ffi_loose_model(HEAP, balls, g);
  ff_sim_def def = ffi_hard_def(dt);
  def.ground = walls;
  def.ground_count = 5;
  def.moreau.stabilise = 1;
  ff_sim *sim = ffi_must_sim(model, &def);
  ffi_loose_reset(sim, HEAP, at);
  double before = ff_sim_energy(sim).total, gained = 0, late = 0;
  const double start = before;
  for (int k = 0; k < 1500; ++k) {
    ffi_must_step(sim, NULL);
    const double now = ff_sim_energy(sim).total;
    gained = fmax(gained, now - before);
    assert_true(now <= start + 1e-12);
    before = now;
    if (k > 1000)
      late = fmax(late, ff_sim_info(sim)->penetration);
  }
  printf(
      "heap: energy %.4f to %.4f J, grew by at most %.1e J in a step (m g g dt^2 = %.1e), %.1e m deep in the end, "
      "%lld unconverged\n",
      start, before, gained, mass * g * g * dt * dt, late, ff_sim_get_totals(sim).unconverged);
  ffi_check_near("depth in the end", late, 0, 2 * g * dt * dt);
  ff_sim_destroy(sim);
  ff_model_destroy(model);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(standing_robot_stays),
      cmocka_unit_test(bending_robot_drifts_little),
      cmocka_unit_test(stabilised_robot_stands_on_the_ground),
      cmocka_unit_test(feet_are_lifted_straight_up),
      cmocka_unit_test(displaced_body_keeps_its_motion),
      cmocka_unit_test(stabilised_pieces_stay_together),
      cmocka_unit_test(pieces_at_their_joints_gain_by_order_1),
      cmocka_unit_test(stabilised_heap_gains_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
