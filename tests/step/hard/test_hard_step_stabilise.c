// moreau: what stabilisation does to contacts that sank.
#include "step/hard/moreau_robot.h"
#include "support/hard_scene.h"
#include "support/must.h"
#include "support/near.h"

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

static const double g = 9.81;

// A box falls flat at 2 m/s and lies there: without stabilisation as deep as it was caught, with it within what it falls in a step; its
// velocity is the same.
static void stabilisation_lifts_what_sank(void **state)
{
  (void)state;
  const ffi_loose body = {
      .shape = FF_SHAPE_BOX, .size = {0.2, 0.2, 0.2}, .mass = 2, .material = ffi_hard_material(0.5, 0, 0)};
  ff_model *model = ffi_loose_model(1, &body, g);
  double depth[2], speed[2];
  for (int stabilise = 0; stabilise < 2; ++stabilise) {
    ff_sim_def def = ffi_hard_def(2e-3);
    def.ground_count = -1;
    def.moreau.stabilise = stabilise;
    ff_sim *sim = ffi_must_sim(model, &def);
    const ffi_loose_state at = {.position = {0, 0, 0.1013}, .velocity = {0.3, 0, -2}};
    ffi_loose_reset(sim, 1, &at);
    ffi_must_run(sim, 25, NULL);
    depth[stabilise] = ff_sim_info(sim)->penetration;
    speed[stabilise] = ff_sim_v(sim)[0];
    double before = ff_sim_energy(sim).total;
    for (int k = 0; k < 200; ++k) { // and stays there, without energy from anywhere
      ffi_must_step(sim, NULL);
      assert_int_equal(ff_sim_info(sim)->contacts, 4);
      const double now = ff_sim_energy(sim).total;
      assert_true(now <= before + 1e-12 * 2 * g * 0.1);
      before = now;
    }
    ff_sim_destroy(sim);
  }
  assert_true(depth[0] > 5e-4);
  assert_true(depth[1] <= g * 2e-3 * 2e-3 * (1 + 1e-6));
  ffi_check_near("speed", speed[1], speed[0], 1e-12);
  ff_model_destroy(model);
}

// A robot that its motors press against the ground while it is pushed over: contacts that are 50 ms old are not deep, whether they push or
// not. With positions corrected alone they are let go and driven in again, 5 mm deep.
static void pushed_robot_does_not_sink(void **state)
{
  (void)state;
  enum { PUSHES = 12, STEPS = 600, IDS = 64 };
  ff_model *model = ffi_moreau_starleth();
  ff_moreau_def moreau = ff_sim_def_default().moreau;
  moreau.stabilise = 1;
  ff_sim *sim = ffi_moreau_robot(model, &moreau, 2.5e-3, 30);
  const int nv = ff_model_get_size(model).nv;
  double deepest = 0, *start = malloc((size_t)ff_sim_state_size(sim) * sizeof *start);
  ff_sim_get_state(sim, start);
  unsigned random = 1;
  for (int push = 0; push < PUSHES; ++push) {
    double since[IDS], tau[64] = {0}, wrench[6];
    static const double most[6] = {400, 800, 200, 80, 40, 40};
    ff_error error;
    ffi_must(ff_sim_set_state(sim, start, &error), &error);
    for (int k = 0; k < 6; ++k) {
      random = random * 1664525u + 1013904223u;
      wrench[k] = most[k] * ((random >> 8) / 8388608.0 - 1);
    }
    for (int k = 0; k < IDS; ++k)
      since[k] = INFINITY;
    for (int n = 0; n < STEPS; ++n) {
      for (int k = 0; k < 6 && k < nv; ++k)
        tau[k] = n < 80 ? wrench[k] : 0;
      ffi_must_step(sim, tau);
      assert_true(ff_sim_info(sim)->converged);
      int count, is_there[IDS] = {0};
      const ff_contact *c = ff_sim_contacts(sim, &count);
      for (int i = 0; i < count; ++i) {
        assert_true(c[i].id < IDS);
        is_there[c[i].id] = 1;
        if (ff_sim_time(sim) - since[c[i].id] > 0.05)
          deepest = fmax(deepest, c[i].penetration);
      }
      for (int k = 0; k < IDS; ++k)
        since[k] = !is_there[k] ? INFINITY : isinf(since[k]) ? ff_sim_time(sim) : since[k];
    }
  }
  print_message("             %d pushes: at most %.2g mm deep\n", PUSHES, 1e3 * deepest);
  assert_true(deepest > 0 && deepest < 1e-3);
  free(start);
  ff_sim_destroy(sim);
  ff_model_destroy(model);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(stabilisation_lifts_what_sank),
      cmocka_unit_test(pushed_robot_does_not_sink),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
