// slow: minutes. The long tasks with the finest reference, steps of 1/64 ms: a minute of trot, twenty steps of Romeo.
// What is seen there is no doing of long steps.
#include "scene_text.h"

#define FINEST "0.015625ms"

// The whole scene; q [3] of the base at the end.
static ff_scene_result run(const char *file, const ff_scene_override *changes, int count, double end[3])
{
  ff_scene *scene = ffi_scene_of_file(file, changes, count);
  const long long steps = ff_scene_steps(scene);
  ff_error error;
  ff_scene_result result;
  for (long long k = 0; k < steps; ++k) {
    ffi_must(ff_scene_step(scene, &error), &error);
    ff_scene_watch(scene);
  }
  ff_scene_get_result(scene, &result);
  memcpy(end, ff_sim_q(ff_scene_sim(scene)), 3 * sizeof *end);
  print_message("  %lld steps: com within %.2f mm, %d steps of feet, %.4f m ahead, %.4f m/s, tilt %.3f rad\n",
                steps, 1e3 * result.com_error, result.steps, result.advance, result.speed, result.tilt_most);
  ff_scene_destroy(scene);
  return result;
}

// The task is met with the scene's step and with the finest, and both end in the same place, to `off` [m].
static void meets(const char *file, ff_scene_override *changes, int count, double off)
{
  double ends[2][3];
  for (int i = 0; i < 2; ++i) { // dt is the last change
    const ff_scene_result result = run(file, changes, count - 1 + i, ends[i]);
    if (result.missed > 0 || result.expected == 0)
      fail_msg("%s", result.misses);
  }
  const double apart =
      hypot(hypot(ends[1][0] - ends[0][0], ends[1][1] - ends[0][1]), ends[1][2] - ends[0][2]);
  print_message("  ends %.2e m apart\n", apart);
  assert_true(apart < off);
}

// Feedback holds it to the trajectory: the two are apart by less than the feet of either sink in, 0.2 mm.
static void solo_trots_for_a_minute(void **state)
{
  (void)state;
  ff_scene_override changes[] = {{"duration", "60s", NULL}, {"dt", FINEST, NULL}};
  meets(SCENES "solo-trot.yaml", changes, 2, 2e-4);
}

// Feet stay where they were set down, twenty times; the two are apart by less than soles sink in, 1 mm.
static void romeo_takes_twenty_steps(void **state)
{
  (void)state;
  ff_scene_override changes[] = {{"duration", "26s", NULL},
                                 {"controller.walk.steps", "20", NULL},
                                 {"expect.steps", "20", NULL},
                                 {"expect.advance", "95cm", NULL},
                                 {"dt", FINEST, NULL}};
  meets(SCENES "romeo-walk.yaml", changes, 5, 1e-3);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(solo_trots_for_a_minute),
      cmocka_unit_test(romeo_takes_twenty_steps),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
