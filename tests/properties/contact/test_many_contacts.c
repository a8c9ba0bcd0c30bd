// slow: a hundred contacts at once, in many scenes.
// Many contacts at once: plates of a hundred points, stacks, chains, with every material and step that a user may think
// of. Work per step stays bounded, nothing is gained, everything settles where springs and weight say.
#include "properties/contact/many_bodies.h"
#include "support/must.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void place(ff_sim *sim, const double *q, const double *v)
{
  ff_error error;
  if (ff_sim_reset(sim, q, v, &error) != FF_OK)
    fail_msg("%s", error.message);
}

static void tilted(double height, double roll, double pitch, double q[7])
{
  const double s = sin(roll / 2), c = cos(roll / 2), S = sin(pitch / 2), C = cos(pitch / 2);
  const double pose[7] = {0, 0, height, s * C, c * S, s * S, c * C};
  memcpy(q, pose, sizeof pose);
}

// Passive motion: total energy stays below that of the start, zero on the floor, within 1 %; depth below what that
// energy can press a spring by.
static void run_passive(ff_sim *sim, const char *what, double K, int steps)
{
  ff_error error;
  const double start = ff_sim_energy(sim).total, depth = sqrt(2 * start / K);
  int pieces = 0;
  for (int k = 0; k < steps; ++k) {
    if (ff_sim_step(sim, NULL, &error) != FF_OK)
      fail_msg("%s: %s", what, error.message);
    const double total = ff_sim_energy(sim).total;
    const ff_step_info *info = ff_sim_info(sim);
    pieces = info->pieces > pieces ? info->pieces : pieces;
    if (!(total <= 1.01 * start))
      fail_msg("%s: at %g s total energy is %g, at the start it was %g", what, ff_sim_time(sim), total,
               start);
    if (!(info->penetration <= depth))
      fail_msg("%s: %g m deep, there is energy for %g m", what, info->penetration, depth);
  }
  if (pieces > 32)
    fail_msg("%s: %d pieces in a step", what, pieces);
}

// A plate of a hundred points, flat, nearly flat and tilted, over all stiffnesses, dampings, frictions and steps. The
// stiffest of its motions turns by up to 2800 radians in a step, with nothing that damps it: an impact is then up to a
// thousand times shorter than the step, and may be absorbed, but not returned with more than there was.
static void a_plate_of_a_hundred_points(void **state)
{
  (void)state;
  static const double Ks[] = {1e3, 1e5, 1e9}, Bs[] = {0, 1}, mus[] = {0, 1, 10}, dts[] = {0.02, 0.001, 1e-6};
  static const double tilts[][2] = {{0, 0}, {0.003, 0.001}, {0.4, 0.2}};
  for (int i = 0; i < 3 * 2 * 3 * 3 * 3; ++i) {
    const double K = Ks[i % 3], B = Bs[i / 3 % 2] * 0.95 * sqrt(K), mu = mus[i / 6 % 3], dt = dts[i / 18 % 3];
    const double *tilt = tilts[i / 54];
    const ff_material material = {.stiffness = K, .damping = B, .friction = mu};
    ff_model *model = ffi_many_bodies_plate(10, &material);
    ff_sim_def def = ff_sim_def_default();
    def.dt = dt;
    ff_sim *sim = ffi_must_sim(model, &def);
    char what[120];
    snprintf(what, sizeof what, "K %g, B %g, mu %g, dt %g, tilt %g", K, B, mu, dt, tilt[0]);
    double q[7], v[6] = {0.5, -0.3, -1, 0, 0, 0.2};
    tilted(0.05 + 0.25 * (fabs(tilt[0]) + fabs(tilt[1])) + (dt < 1e-5 ? 1e-5 : 0.01), tilt[0], tilt[1], q);
    place(sim, q, v);
    run_passive(sim, what, K, dt > 0.01 ? 50 : dt > 1e-4 ? 200 : 100);
    ff_sim_destroy(sim);
    ff_model_destroy(model);
  }
}

// It comes to rest, each point pressed in by its share of the weight.
static void a_plate_settles(void **state)
{
  (void)state;
  const ff_material material = {.stiffness = 1e5, .damping = 300, .friction = 1};
  ff_model *model = ffi_many_bodies_plate(10, &material);
  ff_sim_def def = ff_sim_def_default();
  def.dt = 0.005;
  ff_sim *sim = ffi_must_sim(model, &def);
  double q[7];
  tilted(0.2, 0.2, -0.1, q);
  place(sim, q, NULL);
  ffi_many_bodies_run(sim, 2000, NULL);
  // 1e-9: rounding of 100 forces K z, each to 1e5 x 0.05 x eps, over K
  const double rest = 0.05 - 5 * 9.81 / (100 * 1e5);
  if (!(fabs(ff_sim_q(sim)[2] - rest) < 1e-9 && ffi_many_bodies_speed(sim) < 1e-9))
    fail_msg("height %.12g, not %.12g; speed %g", ff_sim_q(sim)[2], rest, ffi_many_bodies_speed(sim));
  ff_sim_destroy(sim);
  ff_model_destroy(model);
}

static ff_ground_def stair(int i)
{
  ff_ground_def ground = ff_ground_def_default();
  ground.shape.type = FF_SHAPE_BOX;
  ground.shape.size[0] = 4 - 0.15 * i;
  ground.shape.size[1] = 4;
  ground.shape.size[2] = 0.2 * (i + 1);
  ground.shape.pose.position[0] = ground.shape.size[0] / 2 + 0.15 * i;
  ground.shape.pose.position[2] = ground.shape.size[2] / 2;
  return ground;
}

static void a_plate_on_stairs(void **state)
{
  (void)state;
  const ff_material material = {.stiffness = 1e5, .damping = 300, .friction = 0.5};
  ff_model *model = ffi_many_bodies_plate(10, &material);
  ff_ground_def ground[5] = {ff_ground_def_default(), stair(0), stair(1), stair(2), stair(3)};
  ff_sim_def def = ff_sim_def_default();
  def.dt = 0.005;
  def.ground = ground;
  def.ground_count = 5;
  ff_sim *sim = ffi_must_sim(model, &def);
  for (int i = 0; i < 8; ++i) {
    double q[7], v[6] = {-0.5 * i, 0.1 * i, -1, 0, 0.5 * i, 0};
    tilted(1.6, 0.05 * i, -0.2 * i, q);
    q[0] = 0.5;
    place(sim, q, v);
    run_passive(sim, "stairs", 1e5, 400);
  }
  ff_sim_destroy(sim);
  ff_model_destroy(model);
}

// Boxes on boxes: contacts join the bodies' trees, and the matrix of the frozen system is full.
static void stacks_settle(void **state)
{
  (void)state;
  static const double masses[][5] = {{1, 1, 1, 1, 1}, {0.1, 0.3, 1, 3, 10}, {10, 3, 1, 0.3, 0.1}};
  for (int i = 0; i < 3; ++i) {
    const ff_material material = {.stiffness = 1e5, .damping = 300, .friction = 0.8};
    ffi_many_bodies_body bodies[5];
    double q[35] = {0}, above = 0;
    for (int k = 0; k < 5; ++k) {
      bodies[k] = (ffi_many_bodies_body){FF_SHAPE_BOX, {0.2, 0.2, 0.2}, masses[i][k]};
      q[7 * k + 2] = 0.1 + 0.205 * k;
      q[7 * k + 6] = 1;
    }
    ff_model *model = ffi_many_bodies_loose(bodies, 5, &material);
    ff_sim_def def = ff_sim_def_default();
    def.dt = 0.002;
    ff_sim *sim = ffi_must_sim(model, &def);
    place(sim, q, NULL);
    run_passive(sim, "stack", 5e4, 2500); // two materials of 1e5 in series
    if (!(ffi_many_bodies_speed(sim) < 1e-6))
      fail_msg("stack %d has not come to rest: %g", i, ffi_many_bodies_speed(sim));
    for (int k = 4; k >= 0; --k) { // upright, in place, none has sunk into the one below
      above += masses[i][k];
      const double gap = ff_sim_q(sim)[7 * k + 2] - (k > 0 ? ff_sim_q(sim)[7 * k - 5] + 0.2 : 0.1);
      if (!(fabs(ff_sim_q(sim)[7 * k]) < 1e-3 && gap < 0 && gap > -above * 9.81 / 5e4))
        fail_msg("stack %d, box %d: x %g, gap %g", i, k, ff_sim_q(sim)[7 * k], gap);
    }
    ff_sim_destroy(sim);
    ff_model_destroy(model);
  }
}

// A chain that lies down link by link, the last heavier or lighter than the others. A tip of a thousand kilograms whips
// the light links around: what is not a spring is not stiff to the stepper, and it has to see it in pieces of its own.
static void chains_lie_down(void **state)
{
  (void)state;
  static const double last[] = {1, 10, 0.001, 1, 1000}, dts[] = {0.001, 0.001, 0.001, 0.005, 0.005};
  for (int i = 0; i < 5; ++i) {
    const ff_material material = {.stiffness = 1e6, .damping = 1000, .friction = 0.7};
    ff_model *model = ffi_many_bodies_chain(8, last[i], &material);
    ff_sim_def def = ff_sim_def_default();
    def.dt = dts[i];
    ff_sim *sim = ffi_must_sim(model, &def);
    char what[60];
    snprintf(what, sizeof what, "chain, tip %g kg, dt %g", last[i], dts[i]);
    const double q[8] = {0.4, -0.3, 0.5, -0.2, 0.3, 0.1, -0.2, 0.1};
    place(sim, q, NULL);
    run_passive(sim, what, 1e6, (int)lround(2 / dts[i]));
    ff_sim_destroy(sim);
    ff_model_destroy(model);
  }
}

// More at once than there is room for: the step says so, inside a step too, and the state is the one before it, bit for
// bit.
static void too_many_contacts(void **state)
{
  (void)state;
  const ff_material material = ff_material_default();
  ff_model *model = ffi_many_bodies_plate(10, &material);
  for (int room = 1; room < 100; room += 14) {
    ff_sim_def def = ff_sim_def_default();
    def.dt = 0.02;
    def.max_contacts = room;
    ff_sim *sim = ffi_must_sim(model, &def);
    double q[7], *before = malloc((size_t)ff_sim_state_size(sim) * sizeof *before),
                 *after = malloc((size_t)ff_sim_state_size(sim) * sizeof *after);
    assert_true(before && after);
    tilted(0.15, 0.02, 0.05, q);
    place(sim, q, NULL);
    ff_error error;
    ff_status status = FF_OK;
    for (int k = 0; k < 200 && status == FF_OK; ++k) {
      ff_sim_get_state(sim, before);
      status = ff_sim_step(sim, NULL, &error);
    }
    assert_int_equal(status, FF_ERROR_LIMIT);
    assert_non_null(strstr(error.message, "max_contacts"));
    ff_sim_get_state(sim, after);
    assert_memory_equal(before, after, (size_t)ff_sim_state_size(sim) * sizeof *before);
    ff_sim_destroy(sim);
    free(before);
    free(after);
  }
  ff_model_destroy(model);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_plate_of_a_hundred_points),
      cmocka_unit_test(a_plate_settles),
      cmocka_unit_test(a_plate_on_stairs),
      cmocka_unit_test(stacks_settle),
      cmocka_unit_test(chains_lie_down),
      cmocka_unit_test(too_many_contacts),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
