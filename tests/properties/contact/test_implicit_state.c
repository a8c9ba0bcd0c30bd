// A step of `implicit` depends on the state and on nothing else, also where Newton's iterations do not come to an end:
// towers of loose boxes that fall apart.
#include "properties/contact/many_bodies.h"
#include "support/must.h"
#include "support/samples.h"

#include <footfall/sim.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

enum { BOXES = 6, TOWERS = 6, STEPS = 60 };

static ff_sim *open_sim(const ff_model *model, double stiffness)
{
  ff_ground_def ground = ff_ground_def_default();
  ground.shape.material = (ff_material){.stiffness = stiffness, .damping = 20, .friction = 0.75};
  ground.gives_pair = 1;
  ff_sim_def def = ff_sim_def_default();
  def.stepper = FF_STEPPER_IMPLICIT;
  def.dt = 5e-3;
  def.ground = &ground;
  def.ground_count = 1;
  return ffi_must_sim(model, &def);
}

// Boxes above each other, each a little aside and turned.
static void stack(const ff_model *model, int tower, double *q)
{
  double turn[6 * BOXES];
  ff_model_neutral(model, q);
  for (int b = 0; b < BOXES; ++b) {
    q[7 * b + 2] = 0.055 + 0.11 * b;
    for (int k = 0; k < 6; ++k)
      turn[6 * b + k] = (k < 3 ? 0.02 : 0.2) * sin(1.0 + 7 * b + 3 * k + 11 * tower);
    turn[6 * b + 2] = 0;
  }
  ff_model_integrate(model, q, turn, q);
}

static void nothing_of_an_earlier_step_lingers(void **state)
{
  (void)state;
  const ffi_many_bodies_body box = {FF_SHAPE_BOX, {0.1, 0.1, 0.1}, 0.3};
  ffi_many_bodies_body boxes[BOXES];
  long long unconverged = 0;
  for (int b = 0; b < BOXES; ++b)
    boxes[b] = box;
  for (int tower = 0; tower < ffi_samples(TOWERS); ++tower) {
    const double stiffness = 3e4 * (1 + tower);
    const ff_material material = {.stiffness = stiffness, .damping = 20, .friction = 0.75};
    ff_model *model = ffi_many_bodies_loose(boxes, BOXES, &material);
    ff_sim *used = open_sim(model, stiffness);
    const size_t bytes = (size_t)ff_sim_state_size(used) * sizeof(double);
    double *before = malloc(bytes), *after = malloc(bytes), *own = malloc(bytes), q[7 * BOXES];
    assert_true(before && after && own);
    stack(model, tower, q);
    ffi_must_reset(used, q, NULL);
    for (int k = 0; k < STEPS; ++k) {
      ff_error error;
      ff_sim *fresh = open_sim(model, stiffness);
      ff_sim_get_state(used, before);
      ffi_must(ff_sim_set_state(fresh, before, &error), &error);
      ffi_must_step(used, NULL);
      ffi_must_step(fresh, NULL);
      unconverged += !ff_sim_info(used)->converged;
      ff_sim_get_state(used, after);
      ff_sim_get_state(fresh, own);
      assert_memory_equal(after, own, bytes);
      ff_sim_destroy(fresh);
    }
    free(before), free(after), free(own);
    ff_sim_destroy(used);
    ff_model_destroy(model);
  }
  assert_true(unconverged > 0); // else nothing was hard
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(nothing_of_an_earlier_step_lingers)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
