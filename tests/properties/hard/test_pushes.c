// slow: some ten seconds. StarlETH is pushed hundreds of times, from anywhere, harder and softer, on its trunk:
// whatever it does, every number stays finite, and with stabilisation no point is deeper than 1 mm in the ground later
// than 50 ms after its touch-down: the moment its height goes from above zero to zero or below. Heights are computed
// here, of all points, from the robot's coordinates: what the stepper calls a contact does not matter.
// soak: pushes
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/must.h"
#include "support/samples.h"

#include <footfall/dynamics.h>
#include <footfall/scene.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#define SCENES FFI_TEST_SOURCE_DIR "/scenes/"

enum { PUSHES = 250, NQ = 19, NV = 18, POINTS = 16 };

typedef struct tally {
  long long steps, unconverged, iterations, fallbacks;
  int fallen, most_contacts, most_iterations;
  double settled, deepest, fastest, hardest;
} tally;

// The robot's contact points, how high they are, and since when they are in the ground.
typedef struct points {
  ff_dynamics *dynamics;
  int count, frame[POINTS];
  double at[POINTS][3];  ///< in the frame
  double since[POINTS];  ///< [s], < 0: it is above the ground
  double deepest, later; ///< after any step, and later than the grace [m]
} points;

static void points_of(const ff_model *model, points *p)
{
  ff_error error;
  ff_shape_info shape;
  *p = (points){.count = 0};
  ffi_must(ff_dynamics_create(model, NULL, &p->dynamics, &error), &error);
  for (int s = 0; ff_model_shape(model, s, &shape) == FF_OK; ++s) {
    if (shape.def.type != FF_SHAPE_POINT)
      continue;
    assert_in_range(p->count, 0, POINTS - 1);
    p->frame[p->count] = shape.frame;
    memcpy(p->at[p->count], shape.def.pose.position, sizeof p->at[0]);
    p->since[p->count++] = -1;
  }
  assert_int_equal(p->count, POINTS);
}

static void look(ff_scene *scene, points *p, tally *t)
{
  const double now = ff_sim_time(ff_scene_sim(scene)), *q = ff_scene_now_q(scene), *v = ff_scene_now_v(scene);
  int count;
  const ff_contact *contacts = ff_scene_contacts(scene, &count);
  for (int i = 0; i < NQ; ++i)
    assert_true(isfinite(q[i]));
  for (int i = 0; i < NV; ++i) {
    assert_true(isfinite(v[i]));
    t->fastest = fmax(t->fastest, fabs(v[i]));
  }
  for (int i = 0; i < count; ++i)
    for (int k = 0; k < 3; ++k)
      assert_true(isfinite(contacts[i].mean_force[k]));
  ff_dynamics_kinematics(p->dynamics, q, NULL, NULL);
  for (int i = 0; i < p->count; ++i) {
    double at[3], R[9];
    ff_dynamics_frame_pose(p->dynamics, p->frame[i], at, R);
    const double z = at[2] + R[6] * p->at[i][0] + R[7] * p->at[i][1] + R[8] * p->at[i][2];
    p->since[i] = z > 0 ? -1 : p->since[i] < 0 ? now : p->since[i];
    p->deepest = fmax(p->deepest, -z);
    if (z <= 0 && now - p->since[i] > 0.05 + 1e-9)
      p->later = fmax(p->later, -z);
  }
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
  points p;
  snprintf(text, sizeof text, "%d", (int)((uint64_t)seed + ffi_samples_seed() * 100000 % 1000000000));
  ffi_must(ff_scene_load(SCENES "starleth-push.yaml", changes, 3, &scene, &error), &error);
  assert_int_equal(ff_scene_get_def(scene)->sim.moreau.stabilise, 1);
  points_of(ff_scene_model(scene), &p);
  for (long long k = 0; k < ff_scene_steps(scene); ++k) {
    if (ff_scene_step(scene, &error) != FF_OK)
      fail_msg("push %d: %s", seed, error.message);
    ff_scene_watch(scene);
    look(scene, &p, t);
    const ff_step_info *info = ff_sim_info(ff_scene_sim(scene));
    t->iterations += info->iterations;
    t->fallbacks += info->fallbacks;
    t->most_iterations = info->iterations > t->most_iterations ? info->iterations : t->most_iterations;
  }
  ff_scene_get_result(scene, &result);
  if (!(p.later <= 1e-3 && result.penetration <= 1e-3))
    fail_msg("push %d: %.3g mm deep 50 ms after touching, %.3g by the scene", seed, 1e3 * p.later,
             1e3 * result.penetration);
  t->settled = fmax(t->settled, p.later);
  t->deepest = fmax(t->deepest, p.deepest);
  t->steps += ff_scene_steps(scene);
  t->unconverged += ff_sim_get_totals(ff_scene_sim(scene)).unconverged;
  t->fallen += result.fallen;
  ff_dynamics_destroy(p.dynamics);
  ff_scene_destroy(scene);
}

static void report(const char *what, int pushes, const tally *t)
{
  print_message(
      "  %s: %d pushes, %d fell; %.3f mm deep 50 ms after touching, %.3f mm after any step; %d contacts at most, "
      "fastest %.0f; %.2f iterations, at most %d; %lld fallbacks, %lld of %lld steps not converged\n",
      what, pushes, t->fallen, 1e3 * t->settled, 1e3 * t->deepest, t->most_contacts, t->fastest,
      (double)t->iterations / (double)t->steps, t->most_iterations, t->fallbacks, t->unconverged, t->steps);
}

static void pushes_leave_it_on_the_ground(void **state)
{
  (void)state;
  tally t = {0};
  const int pushes = ffi_samples(PUSHES);
  for (int seed = 1; seed <= pushes; ++seed)
    push(seed, "minimal", "20", &t);
  report("minimal", pushes, &t);
  ffi_samples_tried(pushes, "pushes");
  assert_in_range(t.fallen, pushes / 2,
                  pushes - (pushes >= PUSHES ? pushes / 100 : 0)); // most fall, some stand: pushes differ
  assert_true(t.most_contacts >= 8);                               // many at once
  assert_true(t.unconverged * 1000 <= t.steps);
}

// Legs that are five times as stiff keep most of them on their feet.
static void stiff_legs_catch_more(void **state)
{
  (void)state;
  tally t = {0};
  const int pushes = ffi_samples(50);
  for (int seed = 1; seed <= pushes; ++seed)
    push(seed, "minimal", "100", &t);
  report("stiff", pushes, &t);
  ffi_samples_tried(pushes, "pushes of stiff legs");
  assert_in_range(t.fallen, pushes / 20, pushes - pushes / 20); // some fall, some stand: pushes differ
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
      cmocka_unit_test(pushes_leave_it_on_the_ground),
      cmocka_unit_test(stiff_legs_catch_more),
      cmocka_unit_test(nor_do_pushes_in_other_coordinates_throw_it_out),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
