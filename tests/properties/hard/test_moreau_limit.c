// Hard contact is what soft contact tends to: `moreau` as dt -> 0 and `expo` as K -> infinity meet in one motion, which
// for a mass and a block is known.
#include "support/hard_scene.h"
#include "support/must.h"
#include "support/near.h"

#include <footfall/load.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static const double g = 9.81;
static const double corners[4][3] = {
    {-0.1, -0.1, -0.05}, {0.1, -0.1, -0.05}, {-0.1, 0.1, -0.05}, {0.1, 0.1, -0.05}};

static ff_sim_def def_of(ff_stepper stepper, double dt)
{
  ff_sim_def def = ffi_hard_def(dt);
  def.stepper = stepper;
  def.ground_count = -1;
  return def;
}

// ---- A mass that bounces -------------------------------------------------------------------------------------

// Where a ball of 1 kg is, at `time` after a fall of 0.3 m.
static double ball_height(ff_stepper stepper, double dt, const ff_material *material, double time)
{
  const ffi_loose ball = {.shape = FF_SHAPE_SPHERE, .size = {0.1}, .mass = 1, .material = *material};
  ff_model *model = ffi_loose_model(1, &ball, g);
  const ff_sim_def def = def_of(stepper, dt);
  ff_sim *sim = ffi_must_sim(model, &def);
  ffi_loose_state at = {.position = {0, 0, 0.4}};
  ffi_loose_reset(sim, 1, &at);
  ffi_must_run(sim, (int)lround(time / dt), NULL);
  ffi_loose_read(sim, 1, &at);
  ff_sim_destroy(sim);
  ff_model_destroy(model);
  return at.position[2] - 0.1;
}

// A spring and damper that push and never pull, with w = sqrt(K/m) and without gravity: undamped (B = 0) the ball comes
// back with the speed it had after pi/w. Critically damped (B = 2 m w) its way is -v t exp(-w t), its force m v w (2 -
// w t) exp(-w t), zero at w t = 2: there it leaves with exp(-2) v. So e = 1 and e = exp(-2) are the limits for K ->
// infinity; what is left is the time of the contact and the depth, all of order 1/w = K^-1/2, and gravity in it, less.
static void bounce_has_the_restitution_of_its_damper(void **state)
{
  (void)state;
  const double dt = 0.0005, fall = sqrt(2 * 0.3 / g), v = g * fall;
  for (int damped = 0; damped < 2; ++damped) {
    const double e = damped ? exp(-2) : 1, T = damped ? 0.28 : 0.4, s = T - fall,
                 want = e * v * s - g * s * s / 2;
    double last = 0;
    for (double K = 1e5; K < 1e8; K *= 4) {
      ff_material m = ffi_hard_material(0, e, 0);
      m.stiffness = K;
      m.damping = damped ? 2 * sqrt(K) : 0;
      const double off = fabs(ball_height(FF_STEPPER_EXPO, dt, &m, T) - want);
      printf("e %.3f, K %.1e: expo is %.2e m from the limit\n", e, K, off);
      ffi_check_near("expo", off, 0, 2 * v * 3.2 / sqrt(K)); // the contact's duration, at both speeds
      if (last > 0)
        ffi_check_near("order in K", log(last / off) / log(4), 0.5, 0.1);
      last = off;
    }
    for (double h = 0.002; h > 1e-5; h /= 4) {
      const ff_material m = ffi_hard_material(0, e, 0);
      const double off = fabs(ball_height(FF_STEPPER_MOREAU, h, &m, T) - want);
      printf("e %.3f, dt %.1e: moreau is %.2e m from it\n", e, h, off);
      ffi_check_near("moreau", off, 0,
                     2 * v * h); // half a step early or late at both speeds, and half a step's way at most
    }
  }
}

// ---- A block that lands sliding ------------------------------------------------------------------------------

// Where a block of 2 kg comes to rest that falls 0.1 m flat on its corners, with 2 m/s forwards.
static double landing_way(ff_stepper stepper, double dt, const ff_material *material)
{
  const ffi_loose block = {.shape = FF_SHAPE_POINT,
                           .mass = 2,
                           .moment = {0.02, 0.02, 0.03},
                           .material = *material,
                           .point_count = 4,
                           .points = corners};
  ff_model *model = ffi_loose_model(1, &block, g);
  const ff_sim_def def = def_of(stepper, dt);
  ff_sim *sim = ffi_must_sim(model, &def);
  ffi_loose_state at = {.position = {0, 0, 0.15}, .velocity = {2, 0, 0}};
  ffi_loose_reset(sim, 1, &at);
  ffi_must_run(sim, (int)lround(1.2 / dt), NULL);
  ffi_loose_read(sim, 1, &at);
  ff_sim_destroy(sim);
  ff_model_destroy(model);
  return at.position[0];
}

// Without a bounce the floor gives the impulse m v_z, and friction mu m v_z at once; from there it slides to a stop: x
// = v_x t + (v_x - mu v_z)^2/(2 mu g). The corners are 5 cm below the centre of mass: the impulse of friction is taken
// up by more on the front corners, all four still push (mu 0.05 < 0.1). Soft contact: whatever bounces there are, as
// long as it slides m x' falls by mu times the impulse of the floor, so x = v_x T - mu (z(T) - z(0) + g T^2/2), and in
// the end z is m g/(4 K) below the surface: it comes farther by mu m g/(4 K). When it stops, the springs of friction,
// stretched by as much, pull it back. Both are of order 1/K with opposite signs: the difference is less than either.
static void block_lands_sliding(void **state)
{
  (void)state;
  const double mu = 0.4, fall = sqrt(0.2 / g), vz = g * fall, left = 2 - mu * vz,
               want = 2 * fall + left * left / (2 * mu * g);
  for (double K = 1e5; K < 1e8; K *= 4) {
    ff_material m = ffi_hard_material(mu, 0, 0);
    m.stiffness = K;
    m.damping = 1e-3 * K;
    const double off = fabs(landing_way(FF_STEPPER_EXPO, 0.0005, &m) - want);
    printf("K %.1e: expo is %.2e m from the limit\n", K, off);
    ffi_check_near("expo", off, 0, mu * 2 * g / (4 * K));
  }
  for (double h = 0.004; h > 2e-5; h /= 4) {
    const ff_material m = ffi_hard_material(mu, 0, 0);
    const double off = fabs(landing_way(FF_STEPPER_MOREAU, h, &m) - want);
    printf("dt %.1e: moreau is %.2e m from it\n", h, off);
    // half a step early or late: g dt/2 of v_z, at the speed left / (mu g) of way for it; and v_x dt/2 before
    ffi_check_near("moreau", off, 0, h * (left / 2 + 2 / 2.0));
  }
}

// ---- A robot that lands on its feet --------------------------------------------------------------------------

enum { NQ = 19, NV = 18 };

// The posture 'standing', so high that the feet just do not touch: by bisection.
static void standing(const ff_model *model, double *q)
{
  const int posture = ff_model_find_posture(model, "standing");
  assert_true(posture >= 0 && ff_model_get_size(model).nq == NQ);
  memcpy(q, ff_model_posture(model, posture), NQ * sizeof *q);
  ff_sim *sim = ffi_must_sim(model, NULL);
  double low = q[2] - 0.05, high = q[2] + 0.05;
  for (int i = 0; i < 60; ++i) {
    int count;
    q[2] = (low + high) / 2;
    ffi_must_reset(sim, q, NULL);
    ff_sim_contacts(sim, &count);
    *(count > 0 ? &low : &high) = q[2];
  }
  q[2] = high;
  ff_sim_destroy(sim);
}

// StarlETH with a motor on each joint falls on its four feet for 0.08 s; its q after 0.3 s.
static void robot_end(ff_model *model, ff_stepper stepper, double dt, const ff_material *pair, double *q)
{
  standing(model, q);
  ff_element_def motors[NQ - 7];
  for (int k = 0; k < NQ - 7; ++k)
    motors[k] = ff_model_motor(model, k + 1, q[7 + k], 400, 12);
  ff_ground_def ground = ff_ground_def_default();
  ground.gives_pair = 1;
  ground.shape.material = *pair;
  ff_sim_def def = def_of(stepper, dt);
  def.ground = &ground;
  def.ground_count = 1;
  def.elements = motors;
  def.element_count = NQ - 7;
  ff_sim *sim = ffi_must_sim(model, &def);
  q[2] += g * 0.08 * 0.08 / 2;
  ffi_must_reset(sim, q, NULL);
  ffi_must_run(sim, (int)lround(0.3 / dt), NULL);
  memcpy(q, ff_sim_q(sim), NQ * sizeof *q);
  ff_sim_destroy(sim);
}

static double robot_distance(const ff_model *model, const double *a, const double *b)
{
  double dq[NV];
  ff_model_difference(model, a, b, dq);
  return ffi_size(NV, dq);
}

// The fall ends where a step of every dt begins, so that the impact has the same phase in all. No closed form here, so
// each is looked at by itself first: `expo` at growing K (tau = B/K as above) and `moreau` at shrinking dt, each
// against its own next; then the two limits, extrapolated from the last two (each linear in its small number), against
// each other.
static void robot_lands_alike(void **state)
{
  (void)state;
  ff_model *model = NULL;
  ff_error error;
  ffi_must(ff_model_load(FFI_TEST_SOURCE_DIR "/models/starleth.urdf", NULL, &model, &error), &error);
  double soft[4][NQ], hard[5][NQ], dq[NV], soft_limit[NQ], hard_limit[NQ];
  ff_material m = ffi_hard_material(1, 0, 0);
  for (int i = 0; i < 4; ++i) {
    m.stiffness = 1e6 * pow(4, i);
    m.damping = 1e-3 * m.stiffness;
    robot_end(model, FF_STEPPER_EXPO, 0.00025, &m, soft[i]);
  }
  for (int i = 0; i < 5; ++i)
    robot_end(model, FF_STEPPER_MOREAU, 0.001 * pow(2, -i), &m, hard[i]);
  double last = 0;
  for (int i = 1; i < 4; ++i) {
    const double by = robot_distance(model, soft[i - 1], soft[i]);
    printf("expo, K %.1e to four times that: %.2e\n", 1e6 * pow(4, i - 1), by);
    if (last > 0)
      ffi_check_near("order in 1/K", log(last / by) / log(4), 1, 0.1);
    last = by;
  }
  const double soft_rest = last / 3;
  last = 0;
  for (int i = 1; i < 5; ++i) {
    const double by = robot_distance(model, hard[i - 1], hard[i]);
    printf("moreau, dt %.1e to half: %.2e\n", 0.001 * pow(2, 1 - i), by);
    if (last > 0)
      ffi_check_near("order in dt", log2(last / by), 1, 0.1);
    last = by;
  }
  ff_model_difference(model, soft[2], soft[3], dq);
  for (int k = 0; k < NV; ++k)
    dq[k] /= 3; // 1/K: what is left is a third of the last quartering
  ff_model_integrate(model, soft[3], dq, soft_limit);
  ff_model_difference(model, hard[3], hard[4], dq);
  ff_model_integrate(model, hard[4], dq, hard_limit);
  const double apart = robot_distance(model, hard_limit, soft_limit);
  printf("what is left of either: %.1e, %.1e; the limits are %.1e apart\n", soft_rest, last, apart);
  ffi_check_near("the limits", apart, 0, 0.01 * (soft_rest + last)); // second orders
  ff_model_destroy(model);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(bounce_has_the_restitution_of_its_damper),
      cmocka_unit_test(block_lands_sliding),
      cmocka_unit_test(robot_lands_alike),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
