// Nothing passes through anything: thin and fast things thrown at thin walls and at each other, by ca and c2a.
// soak: throws
#include "support/hard_scene.h"
#include "support/must.h"
#include "support/near.h"
#include "support/samples.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static const ff_stepper both[2] = {FF_STEPPER_CA, FF_STEPPER_C2A};

// ---- Chance ------------------------------------------------------------------------------------------------

typedef struct dice {
  uint64_t state;
} dice;

static dice dice_of(int number)
{
  return (dice){.state = (uint64_t)number + 0xd1342543de82ef95u * ffi_samples_seed()};
}

static double roll(dice *d, double least, double most) // Knuth's MMIX generator, its upper bits
{
  d->state = d->state * 6364136223846793005u + 1442695040888963407u;
  return least + (most - least) * (double)(d->state >> 11) * 0x1p-53;
}

static void turn_at_random(dice *d, double quaternion[4])
{
  double square = 0;
  while (square < 0.01 || square > 1) {
    square = 0;
    for (int i = 0; i < 4; ++i) {
      quaternion[i] = roll(d, -1, 1);
      square += quaternion[i] * quaternion[i];
    }
  }
  for (int i = 0; i < 4; ++i)
    quaternion[i] /= sqrt(square);
}

// ---- Things ------------------------------------------------------------------------------------------------

enum { THINGS = 7 };
static const struct {
  const char *name;
  ff_shape_type shape;
  double size[3];
} things[THINGS] = {
    {"bullet", FF_SHAPE_SPHERE, {0.005}},
    {"coin", FF_SHAPE_DISK, {0.02}},
    {"needle", FF_SHAPE_CAPSULE, {0.001, 0.1}},
    {"sheet", FF_SHAPE_BOX, {0.2, 0.3, 0.0005}},
    {"pencil", FF_SHAPE_CYLINDER, {0.004, 0.18}},
    {"rod", FF_SHAPE_BOX, {0.005, 0.005, 0.6}},
    {"lens", FF_SHAPE_ELLIPSOID, {0.03, 0.02, 0.001}},
};

// How far a thing reaches along a unit vector of the world beyond its centre.
static double reach(int thing, const double quaternion[4], const double n[3])
{
  const double *size = things[thing].size;
  double R[9], local[3];
  ffi_loose_rotation(quaternion, R);
  ffi_loose_into(R, n, local);
  const double across = hypot(local[0], local[1]);
  switch (things[thing].shape) {
  case FF_SHAPE_SPHERE: return size[0];
  case FF_SHAPE_DISK: return size[0] * across;
  case FF_SHAPE_CAPSULE: return size[0] + fabs(local[2]) * size[1] / 2;
  case FF_SHAPE_CYLINDER: return size[0] * across + fabs(local[2]) * size[1] / 2;
  case FF_SHAPE_ELLIPSOID: return hypot(hypot(local[0] * size[0], local[1] * size[1]), local[2] * size[2]);
  default: return (fabs(local[0]) * size[0] + fabs(local[1]) * size[1] + fabs(local[2]) * size[2]) / 2;
  }
}

static ffi_loose thing_of(int thing, double friction, double restitution)
{
  ffi_loose body = {
      .shape = things[thing].shape,
      .mass = 0.02,
      .moment = {3e-5, 3e-5, 3e-5}, // it turns evenly, however fast: this is not about gyroscopic forces
      .material = ffi_hard_material(friction, restitution, 0)};
  memcpy(body.size, things[thing].size, sizeof body.size);
  return body;
}

// ---- At a wall ---------------------------------------------------------------------------------------------

typedef struct tally {
  int throws, strikes, through;
  double deepest;
  long long pieces, most;
} tally;

// A wall of 0.1 to 1 mm across x = 0, as wide as nothing flies around it; a throw at 1 to 300 m/s with up to 500 rad/s,
// one step of the sim, however long.
static void throw_at_wall(ff_sim *sim, int thing, double half, dice *d, tally *t)
{
  ffi_loose_state at = {.position = {roll(d, 0.4, 1), roll(d, -1, 1), roll(d, -1, 1)}};
  const double speed = pow(10, roll(d, 0, 2.47)), spin = pow(10, roll(d, -1, 2.7)), n[3] = {-1, 0, 0};
  turn_at_random(d, at.quaternion);
  for (int i = 0; i < 3; ++i) {
    at.velocity[i] = speed * (i == 0 ? -1 : roll(d, -0.3, 0.3));
    at.spin[i] = spin * roll(d, -1, 1);
  }
  ffi_loose_reset(sim, 1, &at);
  while (ff_sim_time(sim) * speed < 1.5)
    ffi_must_step(sim, NULL);
  ffi_loose_read(sim, 1, &at);
  const double nearest = at.position[0] - half - reach(thing, at.quaternion, n);
  const ff_sim_totals totals = ff_sim_get_totals(sim);
  t->throws += 1;
  t->strikes += at.velocity[0] > -0.999 * speed;
  t->through += at.position[0] < 0 || nearest < -1e-3;
  t->deepest = fmax(t->deepest, -nearest);
  t->pieces += totals.integrator_steps;
  t->most = totals.integrator_steps > t->most ? totals.integrator_steps : t->most;
}

static void walls_stop_what_is_thrown(void **state)
{
  (void)state;
  const int throws = ffi_samples(1200) / (2 * THINGS);
  int tried = 0;
  for (int k = 0; k < 2; ++k)
    for (int thing = 0; thing < THINGS; ++thing) {
      dice d = dice_of(100 * k + thing + 1);
      tally t = {0};
      for (int lot = 0; lot < 10; ++lot) {
        const double half = roll(&d, 5e-5, 5e-4);
        const ffi_loose body = thing_of(thing, roll(&d, 0, 1), lot % 2 ? 0.5 : 0);
        ff_ground_def wall = ff_ground_def_default();
        wall.shape.type = FF_SHAPE_BOX;
        wall.shape.size[0] = 2 * half, wall.shape.size[1] = wall.shape.size[2] = 80;
        ff_sim_def def = ff_sim_def_default();
        def.stepper = both[k];
        def.dt = 0.01;
        def.ground = &wall, def.ground_count = 1;
        ff_model *model = ffi_loose_model(1, &body, 9.81);
        ff_sim *sim = ffi_must_sim(model, &def);
        for (int i = 0; i < (throws + 9) / 10; ++i)
          throw_at_wall(sim, thing, half, &d, &t);
        ff_sim_destroy(sim);
        ff_model_destroy(model);
      }
      print_message(
          "             %s, %s: %d of %d strike, %d through, %.1e m deep, %.0f pieces a throw, at most %lld\n",
          ff_stepper_name(both[k]), things[thing].name, t.strikes, t.throws, t.through, t.deepest,
          (double)t.pieces / t.throws, t.most);
      assert_int_equal(t.through, 0);
      assert_true(t.deepest <= 1e-4); // the skin
      assert_int_equal(t.strikes, t.throws);
      tried += t.throws;
    }
  ffi_samples_tried(tried, "throws at walls");
}

// ---- At each other -----------------------------------------------------------------------------------------

// A ball at a loose sheet of 1 m that tumbles: as long as it is over the sheet, it is on the side that it came from.
static void sheets_stop_balls(void **state)
{
  (void)state;
  const int throws = ffi_samples(1200) / 20;
  for (int k = 0; k < 2; ++k) {
    dice d = dice_of(7 + k);
    const ff_material m = ffi_hard_material(0.3, 0, 0);
    const ffi_loose bodies[2] = {{.shape = FF_SHAPE_BOX,
                                  .size = {1, 1, 0.0002},
                                  .mass = 0.1,
                                  .moment = {0.01, 0.01, 0.01},
                                  .material = m},
                                 {.shape = FF_SHAPE_SPHERE, .size = {0.01}, .mass = 0.02, .material = m}};
    ff_model *model = ffi_loose_model(2, bodies, 0);
    ff_sim_def def = ff_sim_def_default();
    def.stepper = both[k];
    def.dt = 0.01;
    def.ground_count = 0;
    ff_sim *sim = ffi_must_sim(model, &def);
    double deepest = 0;
    for (int i = 0; i < throws; ++i) {
      const double speed = pow(10, roll(&d, 1, 2.4)); // at least 10 m/s: the sheet turns by 0.1 rad meanwhile
      ffi_loose_state at[2] = {{.spin = {roll(&d, -2, 2), roll(&d, -2, 2), roll(&d, -9, 9)},
                                .velocity = {0, 0, roll(&d, -0.1, 0.1) * speed}},
                               {.position = {roll(&d, -0.3, 0.3), roll(&d, -0.3, 0.3), roll(&d, 0.2, 0.5)},
                                .velocity = {0, 0, -speed}}};
      ffi_loose_reset(sim, 2, at);
      while (ff_sim_time(sim) * speed < 1)
        ffi_must_step(sim, NULL);
      ffi_loose_read(sim, 2, at);
      double R[9], local[3], between[3];
      ffi_loose_rotation(at[0].quaternion, R);
      for (int j = 0; j < 3; ++j)
        between[j] = at[1].position[j] - at[0].position[j];
      ffi_loose_into(R, between, local);
      assert_true(at[0].velocity[2] < -0.01 * speed || fabs(local[0]) > 0.5 || fabs(local[1]) > 0.5);
      if (fabs(local[0]) > 0.5 || fabs(local[1]) > 0.5)
        continue;
      assert_true(local[2] > 0);
      deepest = fmax(deepest, 0.01 + 0.0001 - local[2]);
    }
    print_message("             %s: at most %.1e m deep\n", ff_stepper_name(both[k]), deepest);
    assert_true(deepest <= 1e-4);
    ff_sim_destroy(sim);
    ff_model_destroy(model);
  }
  ffi_samples_tried(2 * throws, "throws at sheets");
}

// What this is worth: the same throws go through when a step only looks at its end.
static void others_let_them_through(void **state)
{
  (void)state;
  const ffi_loose body = thing_of(0, 0, 0);
  ff_ground_def wall = ff_ground_def_default();
  wall.shape.type = FF_SHAPE_BOX;
  wall.shape.size[0] = 0.001, wall.shape.size[1] = wall.shape.size[2] = 80;
  ff_sim_def def = ff_sim_def_default();
  def.stepper = FF_STEPPER_MOREAU;
  def.ground = &wall, def.ground_count = 1;
  ff_model *model = ffi_loose_model(1, &body, 9.81);
  ff_sim *sim = ffi_must_sim(model, &def);
  tally t = {0};
  dice d = dice_of(1);
  for (int i = 0; i < 100; ++i)
    throw_at_wall(sim, 0, 0.0005, &d, &t);
  print_message("             moreau: %d of %d through\n", t.through, t.throws);
  assert_true(t.through > 10);
  ff_sim_destroy(sim);
  ff_model_destroy(model);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(walls_stop_what_is_thrown),
      cmocka_unit_test(sheets_stop_balls),
      cmocka_unit_test(others_let_them_through),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
