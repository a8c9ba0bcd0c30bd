// slow: half a minute. StarlETH is pushed a thousand times, from anywhere, harder and softer, on its trunk: whatever it does, every number stays finite, and with stabilisation
// nothing is deeper than 1 mm in the ground later than 50 ms after it touched.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/must.h"

#include <footfall/scene.h>

#include <math.h>
#include <stdio.h>

#define SCENES FFI_TEST_SOURCE_DIR "/scenes/"

enum { PUSHES = 1000, NQ = 19, NV = 18, POINTS = 16 };

typedef struct tally {
  long long steps, unconverged, iterations, fallbacks;
  int fallen, most_contacts, most_iterations;
  double settled, deepest, fastest, hardest;
} tally;

// Ages and depths counted here once more, each contact point by its shape: the scene's own figures must not be better.
typedef struct clocks {
  double since[POINTS]; ///< [s], < 0: it does not touch
  double deepest;       ///< later than the grace [m]
} clocks;

static void look(ff_scene *scene, clocks *c, tally *t)
{
  const double now = ff_sim_time(ff_scene_sim(scene)), *q = ff_scene_now_q(scene), *v = ff_scene_now_v(scene);
  int count, is_here[POINTS] = {0};
  const ff_contact *contacts = ff_scene_contacts(scene, &count);
  for (int i = 0; i < NQ; ++i)
    assert_true(isfinite(q[i]));
  for (int i = 0; i < NV; ++i) {
    assert_true(isfinite(v[i]));
    t->fastest = fmax(t->fastest, fabs(v[i]));
  }
  for (int i = 0; i < count; ++i) {
    ff_shape_info shape;
    ff_model_shape(ff_scene_model(scene), contacts[i].shape_a, &shape);
    assert_int_equal(shape.def.type, FF_SHAPE_POINT);
    int number = 0; // among the points
    for (int s = 0; s < contacts[i].shape_a; ++s) {
      ff_model_shape(ff_scene_model(scene), s, &shape);
      number += shape.def.type == FF_SHAPE_POINT;
    }
    assert_in_range(number, 0, POINTS - 1);
    // What is above the ground and without force has left it, and lands when it touches again.
    is_here[number] = contacts[i].penetration >= 0 || contacts[i].mean_force[2] > 0;
    c->since[number] = c->since[number] < 0 ? now : c->since[number];
    t->deepest = fmax(t->deepest, contacts[i].penetration);
    if (now - c->since[number] > 0.05 + 1e-9)
      c->deepest = fmax(c->deepest, contacts[i].penetration);
    for (int k = 0; k < 3; ++k)
      assert_true(isfinite(contacts[i].mean_force[k]));
  }
  for (int i = 0; i < POINTS; ++i)
    if (!is_here[i])
      c->since[i] = -1;
  t->most_contacts = count > t->most_contacts ? count : t->most_contacts;
}

static void push(int seed, const char *coordinates, const char *kp, tally *t)
{
  char text[16];
  const ff_scene_override changes[] = {
      {"pushes.seed", text, NULL}, {"coordinates", coordinates, NULL}, {"controller.kp", kp, NULL}};
  ff_scene *scene = NULL;
  ff_error error = {0};
  ff_scene_result result;
  clocks c = {.deepest = 0};
  for (int i = 0; i < POINTS; ++i)
    c.since[i] = -1;
  snprintf(text, sizeof text, "%d", seed);
  ffi_must(ff_scene_load(SCENES "starleth-push.yaml", changes, 3, &scene, &error), &error);
  assert_int_equal(ff_scene_get_def(scene)->stepper.stabilise, 1);
  for (long long k = 0; k < ff_scene_steps(scene); ++k) {
    if (ff_scene_step(scene, &error) != FF_OK)
      fail_msg("push %d: %s", seed, error.message);
    ff_scene_watch(scene);
    look(scene, &c, t);
    const ff_step_info *info = ff_sim_info(ff_scene_sim(scene));
    t->iterations += info->iterations;
    t->fallbacks += info->fallbacks;
    t->most_iterations = info->iterations > t->most_iterations ? info->iterations : t->most_iterations;
  }
  ff_scene_get_result(scene, &result);
  if (!(c.deepest <= 1e-3 && result.penetration <= 1e-3))
    fail_msg("push %d: %.3g mm deep 50 ms after touching, %.3g by the scene", seed, 1e3 * c.deepest,
             1e3 * result.penetration);
  t->settled = fmax(t->settled, c.deepest);
  t->steps += ff_scene_steps(scene);
  t->unconverged += ff_sim_get_totals(ff_scene_sim(scene)).unconverged;
  t->fallen += result.fallen;
  ff_scene_destroy(scene);
}

static void report(const char *what, int pushes, const tally *t)
{
  print_message(
      "  %s: %d pushes, %d fell; %.3f mm deep 50 ms after touching, %.2f mm at first; %d contacts at most, "
      "fastest %.0f; %.2f iterations, at most %d; %lld fallbacks, %lld of %lld steps not converged\n",
      what, pushes, t->fallen, 1e3 * t->settled, 1e3 * t->deepest, t->most_contacts, t->fastest,
      (double)t->iterations / (double)t->steps, t->most_iterations, t->fallbacks, t->unconverged, t->steps);
}

static void a_thousand_pushes_leave_it_on_the_ground(void **state)
{
  (void)state;
  tally t = {0};
  for (int seed = 1; seed <= PUSHES; ++seed)
    push(seed, "minimal", "20", &t);
  report("minimal", PUSHES, &t);
  assert_in_range(t.fallen, PUSHES / 2, PUSHES - PUSHES / 100); // most fall, some stand: pushes differ
  assert_true(t.most_contacts >= 8);                            // many at once
  assert_true(t.unconverged * 1000 <= t.steps);
}

// Legs that are five times as stiff keep most of them on their feet.
static void stiff_legs_catch_more(void **state)
{
  (void)state;
  tally t = {0};
  for (int seed = 1; seed <= 200; ++seed)
    push(seed, "minimal", "100", &t);
  report("stiff", 200, &t);
  assert_in_range(t.fallen, 10, 190);
  assert_true(t.unconverged * 1000 <= t.steps);
}

static void nor_do_pushes_in_other_coordinates_throw_it_out(void **state)
{
  (void)state;
  static const char *const sets[] = {"extended", "maximal"};
  for (int i = 0; i < 2; ++i) {
    tally t = {0};
    for (int seed = 1; seed <= 10; ++seed)
      push(seed, sets[i], "20", &t);
    report(sets[i], 10, &t);
    assert_true(t.unconverged * 1000 <= t.steps);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_thousand_pushes_leave_it_on_the_ground),
      cmocka_unit_test(stiff_legs_catch_more),
      cmocka_unit_test(nor_do_pushes_in_other_coordinates_throw_it_out),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
