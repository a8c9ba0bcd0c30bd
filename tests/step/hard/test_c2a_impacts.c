// ca and c2a: times of contact against closed forms, and motions with infinitely many impacts in theory.
#include "step/hard/c2a_case.h"
#include "support/must.h"
#include "support/near.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static const double g = FFI_C2A_CASE_GRAVITY;

// ---- Times of contact --------------------------------------------------------------------------------------

// A ball thrown against a wall 1 m away at speed, without gravity, comes back with e times its speed. Its position
// after 2/speed shows when it struck, to h_min and the skin.
static void the_time_of_an_impact_is_exact(void **state)
{
  (void)state;
  const ffi_loose ball = ffi_c2a_case_ball(0, 0.5);
  ff_model *model = ffi_loose_model(1, &ball, 0);
  for (int k = 0; k < 2; ++k)
    for (int i = 0; i < 6; ++i) {
      const double speed = 0.5 * pow(3, i);
      ff_ground_def wall = ff_ground_def_default();
      wall.shape.type = FF_SHAPE_BOX;
      wall.shape.size[0] = wall.shape.size[1] = 2, wall.shape.size[2] = 0.001;
      ff_sim_def def = ffi_c2a_case_def(ffi_c2a_case_steppers[k], 2 / speed);
      def.ground = &wall, def.ground_count = 1;
      def.c2a.h_min = 1e-6 / speed;
      def.c2a.skin = 1e-6;
      ff_sim *sim = ffi_must_sim(model, &def);
      ffi_loose_state at = {.position = {0, 0, 1.1005}, .velocity = {0, 0, -speed}};
      ffi_loose_reset(sim, 1, &at);
      ffi_must_step(sim, NULL);
      ffi_loose_read(sim, 1, &at);
      ffi_check_near("speed", at.velocity[2], speed / 2, 1e-9 * speed);
      ffi_check_near("way back", at.position[2], 0.1005 + 0.5,
                     1e-5); // ten times 1 um: of the skin and of h_min
      assert_true(ff_sim_info(sim)->integrator_steps < 60);
      ff_sim_destroy(sim);
    }
  ff_model_destroy(model);
}

// Dropped from h it strikes at sqrt(2h/g) with sqrt(2gh), and is as high as e^2 h again.
static void a_bounce_is_as_high_as_it_should_be(void **state)
{
  (void)state;
  const double h = 0.5, fall = sqrt(2 * h / g), e = 0.7, top = fall * (1 + e);
  const ffi_loose ball = ffi_c2a_case_ball(0, e);
  ff_model *model = ffi_loose_model(1, &ball, g);
  double error[3];
  for (int i = 0; i < 3; ++i) {
    const int steps = 50 << i;
    ff_sim_def def = ffi_c2a_case_def(FF_STEPPER_C2A, top / steps);
    def.c2a.h_min = 1e-8;
    def.c2a.skin = 1e-8;
    ff_sim *sim = ffi_must_sim(model, &def);
    ffi_loose_state at = {.position = {0, 0, 0.1 + h}};
    ffi_loose_reset(sim, 1, &at);
    ffi_must_run(sim, steps, NULL);
    ffi_loose_read(sim, 1, &at);
    error[i] = fabs(at.position[2] - 0.1 - e * e * h);
    print_message("             %d steps: %.2e m off\n", steps, error[i]);
    ff_sim_destroy(sim);
  }
  assert_true(error[2] < 1e-4);
  ff_model_destroy(model);
}

// ---- What never ends ---------------------------------------------------------------------------------------

// Bounces with e = 0.5 add up to three times the fall: then the ball rests. Substeps stay far below the bound by
// steps and h_min.
static void bounces_without_end_end(void **state)
{
  (void)state;
  const ffi_loose ball = ffi_c2a_case_ball(0.5, 0.5);
  ff_model *model = ffi_loose_model(1, &ball, g);
  for (int k = 0; k < 2; ++k)
    for (int bounce = 0; bounce < FF_IMPACT_BOUNCE_COUNT; ++bounce) {
      ff_sim_def def = ffi_c2a_case_def(ffi_c2a_case_steppers[k], 0.005);
      def.c2a.impact.bounce = (ff_impact_bounce)bounce;
      ff_sim *sim = ffi_must_sim(model, &def);
      ffi_loose_state at = {.position = {0, 0, 0.6}};
      const double rest = 3 * sqrt(2 * 0.5 / g);
      ffi_loose_reset(sim, 1, &at);
      ffi_must_run(sim, (int)(rest / def.dt) + 1, NULL);
      ffi_loose_read(sim, 1, &at);
      assert_true(at.position[2] < 0.1 + 0.01);
      ffi_must_run(sim, 200, NULL);
      const long long before = ff_sim_get_totals(sim).integrator_steps;
      ffi_must_run(sim, 100, NULL);
      ffi_loose_read(sim, 1, &at);
      const long long substeps = ff_sim_get_totals(sim).integrator_steps;
      print_message("             %s, %s: %lld substeps in all, %lld in the last 100 steps, %.1e m/s left\n",
                    ff_stepper_name(ffi_c2a_case_steppers[k]),
                    ff_impact_bounce_name((ff_impact_bounce)bounce), substeps, substeps - before,
                    fabs(at.velocity[2]));
      ffi_check_near("height", at.position[2], 0.1, 2 * def.c2a.skin);
      ffi_check_near("speed", at.velocity[2], 0, 1e-3);
      assert_true(substeps < 5000);
      ff_sim_destroy(sim);
    }
  ff_model_destroy(model);
}

// A ball of 1 kg between two blocks of 100 kg, so near to both that it cannot bounce off one without driving off the
// other: Newton's law alone made 25 J of half a joule. And between walls, a little wider: a ball that bounces in one
// of two tries only has the same energy in both, and its velocity must not be extrapolated.
static void what_is_between_two_gains_nothing(void **state)
{
  (void)state;
  double most = 0;
  for (int i = 0; i < 2 * 2 * FF_IMPACT_LAW_COUNT * FF_IMPACT_BOUNCE_COUNT * 4; ++i) {
    const int has_walls = i % 2, k = i / 2 % 2, law = i / 4 % FF_IMPACT_LAW_COUNT;
    const int bounce = i / (4 * FF_IMPACT_LAW_COUNT) % FF_IMPACT_BOUNCE_COUNT;
    const int wide = i / (4 * FF_IMPACT_LAW_COUNT * FF_IMPACT_BOUNCE_COUNT);
    const double gap = (has_walls ? 1.05e-4 : 0.5e-4) * (1 + 0.25 * wide);
    const ff_material m = ffi_hard_material(0.5, 1, 0);
    const ffi_loose block = {.shape = FF_SHAPE_BOX, .size = {0.2, 0.2, 0.2}, .mass = 100, .material = m};
    const ffi_loose bodies[3] = {ffi_c2a_case_ball(0.5, 1), block, block};
    ff_ground_def wall[2] = {ff_ground_def_default(), ff_ground_def_default()};
    for (int w = 0; w < 2; ++w) {
      wall[w].shape.type = FF_SHAPE_BOX;
      wall[w].shape.size[0] = wall[w].shape.size[1] = wall[w].shape.size[2] = 1;
      wall[w].shape.pose.position[0] = (w ? 1 : -1) * (0.6 + gap);
    }
    ff_model *model = ffi_loose_model(has_walls ? 1 : 3, bodies, 0);
    ff_sim_def def = ffi_c2a_case_def(ffi_c2a_case_steppers[k], 0.001);
    def.c2a.impact = ff_sim_def_default().c2a.impact;
    def.c2a.impact.law = (ff_impact_law)law;
    def.c2a.impact.bounce = (ff_impact_bounce)bounce;
    def.ground = wall, def.ground_count = has_walls ? 2 : 0;
    ff_sim *sim = ffi_must_sim(model, &def);
    const ffi_loose_state start[3] = {
        {.velocity = {1, 0.3, 0}}, {.position = {-0.2 - gap}}, {.position = {0.2 + gap}}};
    ffi_loose_reset(sim, has_walls ? 1 : 3, start);
    const double energy = ff_sim_energy(sim).kinetic;
    for (int j = 0; j < 20; ++j) {
      ffi_must_step(sim, NULL);
      most = fmax(most, ff_sim_energy(sim).kinetic / energy);
    }
    ff_sim_destroy(sim);
    ff_model_destroy(model);
  }
  print_message("             at most %.6f of the energy\n", most);
  assert_true(most < 1.001);
}

// A box at rest, a box that slides and a ball that rolls: whole steps, none forced.
static void what_rests_slides_or_rolls_takes_whole_steps(void **state)
{
  (void)state;
  const ff_material m = ffi_hard_material(0.3, 0, 0);
  const ffi_loose bodies[3] = {{.shape = FF_SHAPE_BOX, .size = {0.2, 0.3, 0.1}, .mass = 2, .material = m},
                               {.shape = FF_SHAPE_BOX, .size = {0.2, 0.2, 0.2}, .mass = 1, .material = m},
                               {.shape = FF_SHAPE_SPHERE, .size = {0.1}, .mass = 1, .material = m}};
  ff_model *model = ffi_loose_model(3, bodies, g);
  for (int k = 0; k < 2; ++k) {
    ff_sim_def def = ffi_c2a_case_def(ffi_c2a_case_steppers[k], 0.005);
    def.c2a.impact.law = FF_IMPACT_COULOMB; // the convex law lifts what slides
    ff_sim *sim = ffi_must_sim(model, &def);
    const double skin = def.c2a.skin;
    const ffi_loose_state start[3] = {
        {.position = {0, 0, 0.05 + skin}},
        {.position = {1, 0, 0.1 + skin}, .velocity = {2, 0, 0}},
        {.position = {0, 2, 0.1 + skin}, .velocity = {1, 0, 0}, .spin = {0, 10, 0}}};
    ffi_loose_reset(sim, 3, start);
    ffi_must_run(sim, 100, NULL);
    const ff_sim_totals t = ff_sim_get_totals(sim);
    ffi_loose_state at[3];
    ffi_loose_read(sim, 3, at);
    print_message("             %s: %lld substeps, %lld forced, %lld rejected; slid %.4f m, rolled %.4f m\n",
                  ff_stepper_name(ffi_c2a_case_steppers[k]), t.integrator_steps, t.tries[FF_C2A_FORCED],
                  t.rejected, at[1].position[0] - 1, at[2].position[0]);
    assert_int_equal(t.tries[FF_C2A_FORCED], 0);
    assert_true(t.integrator_steps < 300);
    ffi_check_near("rest", at[0].position[2], 0.05 + skin, skin);
    ffi_check_near("slide", at[1].position[0] - 1, 2 * 0.5 - 0.3 * g * 0.125, 0.02);
    ffi_check_near("roll", at[2].position[0], 0.5, 1e-3);
    ff_sim_destroy(sim);
  }
  ff_model_destroy(model);
}

// A ball that grazes the ground at 20 m/s, and one that flies past the edge of a box by less than the skin.
static void what_grazes_passes(void **state)
{
  (void)state;
  const ffi_loose ball = ffi_c2a_case_ball(0, 0);
  ff_model *model = ffi_loose_model(1, &ball, 0);
  for (int k = 0; k < 2; ++k)
    for (int i = 0; i < 2; ++i) {
      ff_ground_def box = ff_ground_def_default();
      box.shape.type = FF_SHAPE_BOX;
      box.shape.size[0] = box.shape.size[1] = 1, box.shape.size[2] = 0.5;
      ff_sim_def def = ffi_c2a_case_def(ffi_c2a_case_steppers[k], 0.01);
      if (i > 0)
        def.ground = &box, def.ground_count = 1;
      ff_sim *sim = ffi_must_sim(model, &def);
      const double top = i > 0 ? 0.25 : 0;
      ffi_loose_state at = {.position = {-2, 0, top + 0.1 + 0.5 * def.c2a.skin},
                            .velocity = {20, 0, i > 0 ? 0 : -1e-7}};
      ffi_loose_reset(sim, 1, &at);
      ffi_must_run(sim, 20, NULL);
      ffi_loose_read(sim, 1, &at);
      const ff_sim_totals t = ff_sim_get_totals(sim);
      print_message("             %s: %lld substeps, %lld forced\n",
                    ff_stepper_name(ffi_c2a_case_steppers[k]), t.integrator_steps, t.tries[FF_C2A_FORCED]);
      ffi_check_near("way", at.position[0], 2, 1e-6);
      assert_true(t.integrator_steps < 200);
      ff_sim_destroy(sim);
    }
  ff_model_destroy(model);
}

// A blade of 1 mm that turns at up to 270 rad/s strikes a ball 0.8 m out, and a tipping plane strikes a ball 3 m out:
// features are listed as far as turning ground moves. Both carry the ball off.
static void ground_that_turns_strikes(void **state)
{
  (void)state;
  const ffi_loose ball = ffi_c2a_case_ball(0, 0);
  ff_model *model = ffi_loose_model(1, &ball, 0);
  for (int k = 0; k < 2; ++k)
    for (int is_plane = 0; is_plane < 2; ++is_plane) {
      ff_ground_def ground = ff_ground_def_default();
      if (!is_plane) {
        ground.shape.type = FF_SHAPE_BOX;
        ground.shape.size[0] = 2, ground.shape.size[1] = 0.5, ground.shape.size[2] = 0.001;
      }
      const double far = is_plane ? 3 : 0.8;
      double deepest = 0;
      for (int i = 0; i < 20; ++i) {
        const double speed = 216 / far;
        ground.velocity[4] = -speed; // what is at +x goes up
        ff_sim_def def = ffi_c2a_case_def(ffi_c2a_case_steppers[k], 0.001);
        def.ground = &ground, def.ground_count = 1;
        ff_sim *sim = ffi_must_sim(model, &def);
        ffi_loose_state at = {.position = {far, 0, 0.11 + 0.0037 * i}};
        ffi_loose_reset(sim, 1, &at);
        while (ff_sim_time(sim) * speed < 0.5)
          ffi_must_step(sim, NULL);
        ffi_loose_read(sim, 1, &at);
        assert_true(at.velocity[2] > 100);
        deepest = fmax(deepest, ff_sim_get_totals(sim).worst_penetration);
        ff_sim_destroy(sim);
      }
      print_message("             %s, %s: %.1e m deep\n", ff_stepper_name(ffi_c2a_case_steppers[k]),
                    is_plane ? "plane" : "blade", deepest);
      assert_true(deepest <= 1e-4); // the skin
    }
  ff_model_destroy(model);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_time_of_an_impact_is_exact),
      cmocka_unit_test(a_bounce_is_as_high_as_it_should_be),
      cmocka_unit_test(bounces_without_end_end),
      cmocka_unit_test(what_is_between_two_gains_nothing),
      cmocka_unit_test(what_rests_slides_or_rolls_takes_whole_steps),
      cmocka_unit_test(what_grazes_passes),
      cmocka_unit_test(ground_that_turns_strikes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
