// moreau: bodies that weigh as good as nothing. T_abs is an impulse, 1e-6 N s by default; of a body of 1e-7 kg that is 10 m/s, so below
// 10 g it stands for the velocity that it gives to 10 g, 1e-4 m/s.
#include "support/hard_scene.h"
#include "support/must.h"

#include <footfall/footfall.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const double g = 9.81, give = 1e-4;

// A ball is dropped from 5 mm, without restitution, and lies: it neither sinks nor rises, by any solver.
static void light_ball_falls_and_lies(double mass, ff_hard_solver solver)
{
  enum { STEPS = 1000 };
  const double dt = 1e-3, radius = 0.01;
  const ffi_loose ball = {
      .shape = FF_SHAPE_SPHERE, .size = {radius}, .mass = mass, .material = ffi_hard_material(0.5, 0, 0)};
  ff_model *model = ffi_loose_model(1, &ball, g);
  ff_sim_def def = ffi_hard_def(dt);
  const ff_moreau_def usual = ff_sim_def_default().moreau;
  def.ground_count = -1;
  def.moreau = usual;
  def.moreau.solver = solver;
  ff_sim *sim = ffi_must_sim(model, &def);
  ffi_loose_state at = {.position = {0, 0, radius + 5e-3}};
  ffi_loose_reset(sim, 1, &at);
  ffi_must_run(sim, 100, NULL); // it lands after 32 ms
  ffi_loose_read(sim, 1, &at);
  const double caught = at.position[2];
  assert_true(fabs(caught - radius) <= dt * sqrt(2 * g * 5e-3)); // within a step's way
  for (int n = 0; n < STEPS; ++n) {
    ffi_must_step(sim, NULL);
    ffi_loose_read(sim, 1, &at);
    assert_true(fabs(at.velocity[2]) <= give * (1 + 1e-6));
  }
  assert_true(fabs(at.position[2] - caught) <= give * dt * STEPS);
  ff_sim_destroy(sim);
  ff_model_destroy(model);
}

static void light_balls_lie(void **state)
{
  (void)state;
  for (int solver = 0; solver < FF_HARD_SOLVER_COUNT; ++solver)
    for (int power = 0; power <= 10; ++power)
      light_ball_falls_and_lies(pow(10, -power), (ff_hard_solver)solver);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(light_balls_lie)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
