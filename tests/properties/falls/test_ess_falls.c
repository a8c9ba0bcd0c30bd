// slow: some twenty seconds. The stepper ess where robots of boxes and capsules fall any way up, on a floor and on
// stairs: no step fails, and on a floor no energy comes from nowhere. On stairs it
// may (docs/theory/ess-robots.md, section 5): how often is told.
// soak: falls
#include "properties/falls/falls.h"
#include "properties/falls/robot_shapes.h"
#include "support/samples.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { FALLS = 6, STEPS = 250 };
static const double dt = 2e-3;

// Counts falls that had two percent more energy than they began with: gains[0] with that in springs, gains[1] without.
static void throw_all(ff_model *model, ff_contact_law law, double stiffness, int is_stairs,
                      ffi_falls_result *all, int gains[2])
{
  ffi_falls_scene scene;
  ffi_random random = ffi_random_seed(11);
  const ffi_falls_def falls = {
      .stepper = FF_STEPPER_ESS, .law = law, .stiffness = stiffness, .dt = dt, .is_stairs = is_stairs};
  ffi_falls_open(&scene, model, &falls);
  for (int k = 0; k < ffi_samples(FALLS); ++k) {
    ffi_falls_result one;
    ffi_falls_start(&scene, &random);
    const char *why = ffi_falls_run(&scene, STEPS, &one);
    if (why)
      fail_msg("K %g, law %d, fall %d: %s", stiffness, (int)law, k, why);
    gains[0] += one.worst_gain > 0.02;
    gains[1] += one.worst_motion > 0.02;
    ffi_falls_add(all, &one);
  }
  ffi_falls_close(&scene);
}

// All robots, both laws, from soft to stiff.
static void throw_robots(int is_stairs, ffi_falls_result *all)
{
  static const double stiffness[] = {1e3, 1e5, 1e7};
  int gains[2] = {0};
  *all = (ffi_falls_result){.lowest = (double)INFINITY};
  for (int robot = 0; robot < FFI_ROBOT_SHAPES_ROBOTS; ++robot) {
    ff_model *model = ffi_robot_shapes_load(robot);
    for (int law = 0; law < FF_LAW_COUNT; ++law)
      for (int k = 0; k < 3; ++k)
        throw_all(model, (ff_contact_law)law, stiffness[k], is_stairs, all, gains);
    ff_model_destroy(model);
  }
  ffi_samples_tried(all->falls, "falls by ess");
  print_message(
      "  %d falls; energy rose above 2 %% in %d, at most by %.1e of the start; without that of springs in %d, by "
      "%.1e\n",
      all->falls, gains[0], all->worst_gain, gains[1], all->worst_motion);
}

// What a straight line of the default's 10 um may add to the stiffest springs is far below this.
static void floors_give_no_energy(void **state)
{
  (void)state;
  ffi_falls_result all;
  throw_robots(0, &all);
  assert_true(all.most_contacts >= 4);
  assert_true(all.worst_gain < 1e-3);
}

static void stairs_stop_no_step(void **state)
{
  (void)state;
  ffi_falls_result all;
  throw_robots(1, &all);
  assert_true(all.most_contacts >= 4);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(floors_give_no_energy),
      cmocka_unit_test(stairs_stop_no_step),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
