// slow: some ten seconds. The shipped scenes of hard contact do what they say, and StarlETH trots whichever way it is
// computed.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/must.h"

#include <footfall/scene.h>

#include <math.h>
#include <string.h>

#define SCENES FFI_TEST_SOURCE_DIR "/scenes/"

static ff_scene_result run_file(const char *file, const ff_scene_override *changes, int count)
{
  ff_scene *scene = NULL;
  ff_error error = {0};
  ff_scene_result r;
  ffi_must(ff_scene_load(file, changes, count, &scene, &error), &error);
  for (long long k = 0; k < ff_scene_steps(scene); ++k) {
    if (ff_scene_step(scene, &error) != FF_OK)
      fail_msg("%s: %s", file, error.message);
    ff_scene_watch(scene);
  }
  ff_scene_get_result(scene, &r);
  print_message(
      "  %s: %d steps, %.3f m/s, settled %.3f mm, drift %.1f um, %d contacts, %d fallen, moved %.3f m\n",
      ff_scene_get_def(scene)->title, r.steps, r.speed, 1e3 * r.penetration, 1e6 * r.drift, r.contacts,
      r.fallen, r.moved);
  if (r.missed > 0)
    fail_msg("%s: %s", file, r.misses);
  assert_true(r.expected > 0);
  ff_scene_destroy(scene);
  return r;
}

static void they_do_what_they_say(void **state)
{
  (void)state;
  static const char *const files[] = {SCENES "starleth-stand.yaml", SCENES "starleth-trot.yaml",
                                      SCENES "starleth-push.yaml",  SCENES "stack.yaml",
                                      SCENES "dominoes.yaml",       SCENES "painleve-rod.yaml"};
  for (size_t i = 0; i < sizeof files / sizeof files[0]; ++i)
    run_file(files[i], NULL, 0);
}

// Half a second of the pit: balls land on each other; the whole takes longer than a test may.
static void balls_fall_into_the_pit(void **state)
{
  (void)state;
  static const ff_scene_override changes[] = {{"duration", "0.5s", NULL},
                                              {"expect", "{contacts: 150, penetration: 1cm}", NULL}};
  run_file(SCENES "ball-pit.yaml", changes, 2);
}

// Hard and compliant, all solvers, all coordinates, and soft steppers: the controller stays the same.
static void starleth_trots_whichever_way(void **state)
{
  (void)state;
  static const struct {
    const char *path, *value, *path2, *value2;
  } ways[] = {
      {"stepper.moreau.contact", "compliant", "dt", "1.25ms"},
      {"stepper.moreau.solver", "jor", "stepper.moreau.form", "impulse"},
      {"stepper.moreau.solver", "sor", "stepper.moreau.form", "velocity"},
      {"stepper.moreau.stabilise", "on", "duration", "20s"},
      {"coordinates", "extended", "duration", "20s"},
      {"coordinates", "maximal", "duration", "20s"},
      {"coordinates", "maximal", "stepper.model_elements", "off"}, // what holds its pieces is no such element
      {"stepper.type", "expo", "duration", "20s"},
      {"stepper.type", "symplectic", "dt", "1.25ms"},
  };
  for (size_t i = 0; i < sizeof ways / sizeof ways[0]; ++i) {
    const ff_scene_override changes[] = {{ways[i].path, ways[i].value, NULL},
                                         {ways[i].path2, ways[i].value2, NULL}};
    const ff_scene_result r = run_file(SCENES "starleth-trot.yaml", changes, 2);
    assert_true(r.is_upright &&
                fabs(r.advance - 3.83) < 0.05); // as far as it should come, within the gait's wobble
  }
}

// One step for a period of control is enough for hard contact and too long for springs and dampers.
static void springs_need_a_smaller_step(void **state)
{
  (void)state;
  static const ff_scene_override change = {"stepper.moreau.contact", "compliant", NULL};
  ff_scene *scene = NULL;
  ff_error error = {0};
  ff_status status = FF_OK;
  ffi_must(ff_scene_load(SCENES "starleth-trot.yaml", &change, 1, &scene, &error), &error);
  for (long long k = 0; k < ff_scene_steps(scene) && status == FF_OK; ++k)
    status = ff_scene_step(scene, &error);
  assert_int_equal(status, FF_ERROR_NUMERIC);
  ff_scene_destroy(scene);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(they_do_what_they_say),
      cmocka_unit_test(balls_fall_into_the_pit),
      cmocka_unit_test(starleth_trots_whichever_way),
      cmocka_unit_test(springs_need_a_smaller_step),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
