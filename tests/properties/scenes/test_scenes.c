// slow: under sanitizers. The shipped scenes: robots really do it, with expo at the exponential paper's steps and in
// fine ones, and with ess.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/must.h"

#include <footfall/scene.h>

#include <math.h>

#define SCENES FFI_TEST_SOURCE_DIR "/scenes/"

static ff_scene *load_with(const char *file, const ff_scene_override *overrides, int count)
{
  ff_scene *scene = NULL;
  ff_error error = {0};
  ffi_must(ff_scene_load(file, overrides, count, &scene, &error), &error);
  return scene;
}

static ff_scene_result run_all(ff_scene *scene)
{
  ff_error error;
  ff_scene_result result;
  for (long long k = 0; k < ff_scene_steps(scene); ++k) {
    ffi_must(ff_scene_step(scene, &error), &error);
    ff_scene_watch(scene);
  }
  ff_scene_get_result(scene, &result);
  return result;
}

static ff_scene_result run_file(const char *file, const ff_scene_override *overrides, int count)
{
  ff_scene *scene = load_with(file, overrides, count);
  const ff_scene_result r = run_all(scene);
  print_message("  %s: %.2f mm off, %d steps, %.3f s of flight, %.3f m/s\n", ff_scene_get_def(scene)->title,
                1e3 * r.com_error, r.steps, r.flight, r.speed);
  if (r.missed > 0)
    fail_msg("%s: %s", file, r.misses);
  assert_true(r.expected > 0 && r.is_upright);
  ff_scene_destroy(scene);
  return r;
}

// The shipped scenes, at the paper's steps: figures asked for here, not by the files.
static void robots_do_it(void **state)
{
  (void)state;
  static const ff_scene_override twenty[] = {
      {"controller.walk.steps", "20", NULL}, {"expect.steps", "20", NULL}, {"duration", "26", NULL}};
  static const ff_scene_override minute = {"duration", "60", NULL};
  assert_true(run_file(SCENES "solo-squat.yaml", NULL, 0).com_error < 5e-3);
  assert_int_equal(run_file(SCENES "solo-stand.yaml", NULL, 0).contacts, 4);
  assert_int_equal(run_file(SCENES "romeo-walk.yaml", NULL, 0).steps, 4);
  assert_int_equal(run_file(SCENES "romeo-walk.yaml", twenty, 3).steps, 20);
  assert_true(run_file(SCENES "solo-jump.yaml", NULL, 0).flight >= 0.6);
  assert_true(fabs(run_file(SCENES "solo-trot.yaml", NULL, 0).speed - 0.2) < 0.05);
  assert_true(fabs(run_file(SCENES "solo-trot.yaml", &minute, 1).speed - 0.2) < 0.01);
}

// As a fine reference sees it: the same tasks, met too.
static void robots_do_it_in_fine_steps(void **state)
{
  (void)state;
  static const struct {
    const char *file, *dt;
  } cases[] = {{SCENES "romeo-walk.yaml", "0.625ms"},
               {SCENES "solo-squat.yaml", "0.15625ms"},
               {SCENES "solo-jump.yaml", "0.15625ms"},
               {SCENES "solo-trot.yaml", "0.125ms"}};
  for (int i = 0; i < 4; ++i) {
    const ff_scene_override fine = {"dt", cases[i].dt, NULL};
    run_file(cases[i].file, &fine, 1);
  }
}

// StarlETH with the contact law of the Moreau paper's Algorithm 1, by every soft stepper: it comes as far as with rk4
// in short steps.
static void starleth_trots_with_a_slip_flag(void **state)
{
  (void)state;
  static const struct {
    const char *stepper, *dt;
  } cases[] = {{"rk4", "0.1ms"},      {"euler", "0.5ms"},      {"symplectic", "0.5ms"}, {"rk4", "0.5ms"},
               {"implicit", "2.5ms"}, {"expo-paper", "2.5ms"}, {"expo", "2.5ms"},       {"ess", "2.5ms"}};
  double advance = 0;
  for (int i = 0; i < 8; ++i) {
    const ff_scene_override how[] = {{"stepper.type", cases[i].stepper, NULL},
                                     {"stepper.contact_law", "slip-flag", NULL},
                                     {"dt", cases[i].dt, NULL},
                                     {"duration", "3s", NULL},
                                     {"expect", "{upright: true, steps: 10, unconverged: 0}", NULL}};
    const ff_scene_result r = run_file(SCENES "starleth-trot.yaml", how, 5);
    print_message("    by %s in steps of %s: %.4f m\n", cases[i].stepper, cases[i].dt, r.advance);
    if (i == 0)
      advance = r.advance;
    assert_true(advance > 0.4 && fabs(r.advance - advance) < 0.005);
  }
}

// As an event-selected system, to 1e-6 a step of its integrator.
static void robots_do_it_with_ess(void **state)
{
  (void)state;
  static const char *const files[] = {SCENES "solo-squat.yaml", SCENES "romeo-walk.yaml",
                                      SCENES "solo-jump.yaml", SCENES "solo-trot.yaml"};
  static const ff_scene_override ess = {"stepper.type", "ess", NULL};
  for (int i = 0; i < 4; ++i)
    run_file(files[i], &ess, 1);
}

// A hundredth of a millisecond's way after 20 s, from the closed form; the plate sinks in by its weight over ten
// springs of 100 N/m.
static void hopper_hops_and_plate_lands(void **state)
{
  (void)state;
  const double g = 9.81, speed = sqrt(2 * g), fall = speed / g, w = 10, above = g / (w * w);
  const double stance = (2 * acos(-1.0) + 2 * atan2(-speed / w, above)) / w, flight = 2 * fall;
  ff_scene *scene = load_with(SCENES "hopper.yaml", NULL, 0);
  ff_scene_result r = run_all(scene);
  const double since = fmod(20 - fall, stance + flight) - stance; // lift-off
  assert_true(since > 0);
  assert_int_equal(r.missed, 0);
  assert_true(fabs(r.flight - flight) <= 2 * ff_scene_get_def(scene)->sim.dt);
  const double error = ff_sim_q(ff_scene_sim(scene))[0] - (1 + speed * since - 0.5 * g * since * since);
  if (!(fabs(error) < 1e-5 * speed))
    fail_msg("the hopper is %g m off", error);
  ff_scene_destroy(scene);
  scene = load_with(SCENES "plate.yaml", NULL, 0);
  r = run_all(scene);
  assert_int_equal(r.missed, 0);
  assert_true(fabs(ff_sim_q(ff_scene_sim(scene))[1] - (1 - 5 * g / 1000)) < 1e-4);
  ff_scene_destroy(scene);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(robots_do_it),
      cmocka_unit_test(robots_do_it_in_fine_steps),
      cmocka_unit_test(starleth_trots_with_a_slip_flag),
      cmocka_unit_test(hopper_hops_and_plate_lands),
      cmocka_unit_test(robots_do_it_with_ess),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
