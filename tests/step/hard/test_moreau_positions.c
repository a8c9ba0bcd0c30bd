// moreau: positions are stabilised to a length, whichever solver finds the impulses, and a step says what it reached.
#include "step/hard/moreau_robot.h"
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

static const double g = 9.81;

// A robot pushed over: converged and residual agree in every step, with every solver, few iterations and many.
static void converged_means_residual_within(void **state)
{
  (void)state;
  enum { STEPS = 300 };
  static const int iterations[] = {3, 1000};
  ff_model *model = ffi_moreau_starleth();
  for (int way = 0; way < 2 * FF_HARD_SOLVER_COUNT; ++way) {
    ff_moreau_def moreau = ff_sim_def_default().moreau;
    moreau.stabilise = 1;
    moreau.solver = (ff_hard_solver)(way / 2);
    moreau.max_iterations = iterations[way % 2];
    ff_sim *sim = ffi_moreau_robot(model, &moreau, 2.5e-3, 30);
    double tau[64] = {0, 700, -100, 60};
    int converged = 0;
    for (int n = 0; n < STEPS; ++n) {
      ffi_must_step(sim, n < 80 ? tau : NULL);
      const ff_step_info *info = ff_sim_info(sim);
      const int is_within = info->residual <= 1e-6;
      assert_int_equal(info->converged, is_within);
      converged += info->converged;
    }
    print_message("             %-9s at most %4d iterations: %d of %d steps converged\n",
                  ff_hard_solver_name(moreau.solver), moreau.max_iterations, converged, STEPS);
    if (moreau.solver == FF_HARD_EXACT && moreau.max_iterations == 1000)
      assert_int_equal(converged, STEPS);
    ff_sim_destroy(sim);
  }
  ff_model_destroy(model);
}

// A tower of boxes, 1 kg on 100 kg on 1 kg, that starts 1 mm deep in each contact and is pressed together by a slow blow, without gravity (heights cost nothing): after a step
// nothing is deep, however crude the tolerances of impulses: those are impulses, positions have a tolerance of their own.
static void depth_does_not_depend_on_tolerances(void **state)
{
  (void)state;
  enum { BOXES = 3 };
  ffi_loose box[BOXES];
  ffi_loose_state at[BOXES];
  for (int i = 0; i < BOXES; ++i) {
    box[i] = (ffi_loose){.shape = FF_SHAPE_BOX,
                         .size = {0.2 + 0.01 * i, 0.2 + 0.01 * i, 0.2},
                         .mass = i == 1 ? 100 : 1,
                         .material = ffi_hard_material(0.8, 0, 0)};
    at[i] = (ffi_loose_state){.position = {0, 0, 0.099 + 0.199 * i}, .velocity = {0, 0, -0.01}};
  }
  ff_model *model = ffi_loose_model(BOXES, box, 0);
  for (int solver = 0; solver < FF_HARD_SOLVER_COUNT; ++solver) {
    ff_sim_def def = ffi_hard_def(1e-3);
    def.ground_count = -1;
    def.moreau.stabilise = 1;
    def.moreau.solver = (ff_hard_solver)solver;
    def.moreau.relative_tolerance = def.moreau.absolute_tolerance = 1e-3;
    ff_sim *sim = ffi_must_sim(model, &def);
    ffi_loose_reset(sim, BOXES, at);
    ffi_must_step(sim, NULL);
    assert_true(ff_sim_info(sim)->penetration > 0.9e-3);
    ffi_must_step(sim, NULL);
    print_message("             %-9s: %.3g mm deep after a step\n", ff_hard_solver_name(def.moreau.solver),
                  1e3 * ff_sim_info(sim)->penetration);
    // By the middle of the next step corners sink by dt/2 of the velocity that impulses left: T (1 N s + 1 N s) over the mass that a box of 1 kg has at its corner,
    // 1 / (1 + 2 * 0.1^2 * 6 / 0.2^2) kg.
    assert_true(ff_sim_info(sim)->penetration <= 0.5e-3 * 2e-3 * 4.1 + 2e-7);
    ff_sim_destroy(sim);
  }
  ff_model_destroy(model);
}

// A tower that is set down too deep, with a solver that has time for impulses that it knows from the last step, not for positions, which begin anew.
static void towers_agree_too(void **state)
{
  (void)state;
  enum { BOXES = 6, STEPS = 100 };
  ffi_loose box[BOXES];
  ffi_loose_state at[BOXES];
  for (int i = 0; i < BOXES; ++i) {
    box[i] = (ffi_loose){.shape = FF_SHAPE_BOX,
                         .size = {0.2 + 0.01 * i, 0.2 + 0.01 * i, 0.2},
                         .mass = 1,
                         .material = ffi_hard_material(0.8, 0, 0)};
    at[i] = (ffi_loose_state){.position = {0, 0, 0.099 + 0.199 * i}};
  }
  ff_model *model = ffi_loose_model(BOXES, box, g);
  static const int iterations[] = {10, 30, 100, 300};
  for (int way = 0; way < 4 * FF_HARD_SOLVER_COUNT; ++way) {
    ff_sim_def def = ffi_hard_def(1e-3);
    def.ground_count = -1;
    def.moreau = ff_sim_def_default().moreau;
    def.moreau.stabilise = 1;
    def.moreau.solver = (ff_hard_solver)(way / 4);
    def.moreau.max_iterations = iterations[way % 4];
    ff_sim *sim = ffi_must_sim(model, &def);
    ffi_loose_reset(sim, BOXES, at);
    for (int n = 0; n < STEPS; ++n) {
      ffi_must_step(sim, NULL);
      const int is_within = ff_sim_info(sim)->residual <= 1e-6;
      assert_int_equal(ff_sim_info(sim)->converged, is_within);
    }
    ff_sim_destroy(sim);
  }
  ff_model_destroy(model);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(converged_means_residual_within),
      cmocka_unit_test(towers_agree_too),
      cmocka_unit_test(depth_does_not_depend_on_tolerances),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
