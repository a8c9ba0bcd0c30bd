// Scenes with hard contact: pushes give what they say, all coordinates are the same robot, restitution arrives, and
// what is expected can be missed.
#define _GNU_SOURCE // mkstemp
#include "scene_text.h"

#include <unistd.h>

#define BOX                                                                                                  \
  "model: " MODELS "box.xml\nstart: {position: [0, 0, 5]}\nground: []\n" // 1 kg, 1/150 kg m^2, in free fall
#define STARLETH "model: " MODELS "starleth.urdf\ndt: 2.5ms\nstepper: moreau\n"

static void run_for(ff_scene *scene, long long steps)
{
  ff_error error;
  for (long long k = 0; k < steps; ++k) {
    ffi_must(ff_scene_step(scene, &error), &error);
    ff_scene_watch(scene);
  }
}

static ff_scene_result run_all(ff_scene *scene)
{
  ff_scene_result result;
  run_for(scene, ff_scene_steps(scene));
  ff_scene_get_result(scene, &result);
  return result;
}

static ff_scene_result run_text(const char *text)
{
  ff_scene *scene = ffi_scene_of_text(text);
  const ff_scene_result result = run_all(scene);
  ff_scene_destroy(scene);
  return result;
}

static void near(double value, double want, double tolerance, const char *what)
{
  if (!(fabs(value - want) <= tolerance))
    fail_msg("%s is %.12g, not %.12g within %.2g", what, value, want, tolerance);
}

// ---- Pushes ---------------------------------------------------------------------------------------------------------

// Momentum is force times time, whether times are whole steps or not, and whoever steps. 40 to 100 steps round a little
// each.
static void a_push_gives_its_impulse(void **state)
{
  (void)state;
  static const char *const steppers[] = {"expo", "moreau", "rk4"};
  static const char *const pushes[] = {"force: [20N, 0, 0], from: 20ms, duration: 0.1s",
                                       "impulse: [2Ns, 0, 0], from: 13.7ms, duration: 31.3ms",
                                       "impulse: [2Ns, 0, 0], duration: 0.1ms"};
  for (int s = 0; s < 3; ++s)
    for (int p = 0; p < 3; ++p) {
      char text[600];
      snprintf(text, sizeof text,
               BOX "stepper: %s\ndt: 2ms\nduration: 0.2s\npushes: {list: [{link: box, %s}]}\n", steppers[s],
               pushes[p]);
      ff_scene *scene = ffi_scene_of_text(text);
      run_for(scene, ff_scene_steps(scene));
      const double *v = ff_scene_now_v(scene);
      near(v[0], 2, 1e-12, "velocity");
      near(v[2], -9.81 * 0.2, 1e-12, "fall");
      near(hypot(hypot(v[3], v[4]), v[5]), 0, 1e-15, "turning");
      ff_scene_destroy(scene);
    }
}

// Beside the centre it turns the box: r x J / I.
static void a_push_turns(void **state)
{
  (void)state;
  ff_scene *scene = ffi_scene_of_text(
      BOX "stepper: moreau\ndt: 1ms\nduration: 1ms\n"
          "pushes: {list: [{link: box, at: [0, 5cm, 0], impulse: [0.2Ns, 0, 0], duration: 1ms}]}\n");
  run_for(scene, 1);
  const double *v = ff_scene_now_v(scene);
  near(v[5], -0.05 * 0.2 * 150, 1e-12, "turning");
  near(hypot(v[0], v[1]), 0.2, 1e-12, "speed");
  ff_scene_destroy(scene);
}

static void push_by(int seed, double v[6])
{
  char text[700];
  snprintf(
      text, sizeof text,
      BOX
      "dt: 1ms\nduration: 0.4s\npushes:\n  seed: %d\n  list:\n    - {link: box, impulse: [2Ns, 0, 0], from: 0.1s, "
      "vary: {magnitude: 0.5, angle: 90deg, tilt: 30deg, time: 0.1s}}\n",
      seed);
  ff_scene *scene = ffi_scene_of_text(text);
  run_for(scene, ff_scene_steps(scene));
  memcpy(v, ff_scene_now_v(scene), 6 * sizeof *v);
  assert_int_equal(ff_scene_push_count(scene), 1);
  const ff_scene_force push = ff_scene_push_force(scene, 0); // what it says is what a kilogram got
  for (int k = 0; k < 3; ++k)
    near(push.force[k] * push.duration, v[k] + (k == 2 ? 9.81 * 0.4 : 0), 1e-11, "impulse");
  assert_true(push.link == ff_model_find_link(ff_scene_model(scene), "box") && push.from >= 0.1);
  assert_true(push.from <= 0.2 && push.at[0] == 0 && push.at[1] == 0 && push.at[2] == 0);
  ff_scene_destroy(scene);
}

static void a_seed_varies_it_within_its_bounds(void **state)
{
  (void)state;
  double least = 10, most = 0, left = 0, right = 0, first[6], again[6], v[6];
  push_by(0, v);
  near(v[0], 2, 1e-12, "seed 0");
  for (int seed = 1; seed <= 40; ++seed) {
    push_by(seed, v);
    v[2] += 9.81 * 0.4;
    const double size = hypot(hypot(v[0], v[1]), v[2]), angle = atan2(v[1], v[0]);
    if (!(size > 1 - 1e-9 && size < 3 + 1e-9)) // half to one and a half times
      fail_msg("seed %d: %g m/s, %g %g %g", seed, size, v[0], v[1], v[2]);
    assert_true(fabs(angle) < acos(-1.0) / 2 + 1e-9);
    assert_true(fabs(v[2]) < size * 0.5 + 1e-9); // sin of 30 degrees
    least = fmin(least, size), most = fmax(most, size), left = fmax(left, angle), right = fmin(right, angle);
  }
  assert_true(least < 1.3 && most > 2.7 && left > 1 && right < -1); // they use their room
  push_by(7, first);
  push_by(7, again);
  assert_memory_equal(first, again, sizeof first);
}

// ---- Coordinates ----------------------------------------------------------------------------------------------------

static const char trot[] =
    "material: {friction: 0.8}\nduration: 1.2s\n"
    "controller: {type: trot, trot: {base: BASE, feet: [LF_FOOT, RF_FOOT, LH_FOOT, RH_FOOT], frequency: 1.25}}\n"
    "pushes: {list: [{link: LF_THIGH, impulse: [0, 2Ns, 0], from: 0.5s}]}\n";

// The same robot, controller, push and result; steps differ by the scheme's own error.
static void all_coordinates_are_the_same_robot(void **state)
{
  (void)state;
  static const char *const sets[] = {"minimal", "extended", "maximal",
                                     "{type: listed, joints: [LF_KFE, RH_HAA]}"};
  static const int cuts[] = {0, 4, 12, 2};
  double q[4][19];
  ff_scene_result r[4];
  for (int i = 0; i < 4; ++i) {
    char text[900];
    snprintf(text, sizeof text, STARLETH "%scoordinates: %s\n", trot, sets[i]);
    ff_scene *scene = ffi_scene_of_text(text);
    assert_int_equal(ff_model_get_size(ff_sim_model(ff_scene_sim(scene))).nv, 18 + 5 * cuts[i]);
    assert_int_equal(ff_scene_cut(scene) ? ff_cut_count(ff_scene_cut(scene)) : 0, cuts[i]);
    assert_int_equal(ff_model_get_size(ff_scene_model(scene)).nv, 18);
    r[i] = run_all(scene);
    memcpy(q[i], ff_scene_now_q(scene), sizeof q[i]);
    int count;
    const ff_contact *contacts = ff_scene_contacts(scene, &count);
    for (int k = 0; k < count; ++k) { // feet by their links' names
      ff_link_info link;
      ff_shape_info shape;
      ff_model_shape(ff_scene_model(scene), contacts[k].shape_a, &shape);
      assert_int_equal(ff_model_link(ff_scene_model(scene), contacts[k].link_a, &link), FF_OK);
      assert_int_equal(strncmp(link.name, shape.def.name, 2), 0);
      assert_string_equal(link.name + 2, "_SHANK");
      assert_int_equal(contacts[k].link_b, -1);
    }
    ff_scene_destroy(scene);
  }
  for (int i = 1; i < 4; ++i) {
    print_message("  %s: base off by %.2g mm, drift %.2g um\n", sets[i],
                  1e3 * hypot(hypot(q[i][0] - q[0][0], q[i][1] - q[0][1]), q[i][2] - q[0][2]),
                  1e6 * r[i].drift);
    for (int k = 0; k < 19; ++k)
      near(q[i][k], q[0][k], 2e-2, "a coordinate");
    for (int k = 0; k < 3; ++k)
      near(q[i][k], q[0][k], 2e-3, "the base");
    assert_int_equal(r[i].steps, r[0].steps);
    assert_true(r[i].drift > 0 && r[i].drift < 1e-3);
  }
  assert_true(r[0].drift == 0);
}

// ---- Materials ------------------------------------------------------------------------------------------------------

// Dropped by 1 m, it comes back to e^2 of it: seen by its speed after the bounce, g t behind it. First order, so 1e-2
// at 0.1 ms is plenty.
static void restitution_arrives(void **state)
{
  (void)state;
  static const double e[] = {0, 0.25, 0.75, 1};
  for (int i = 0; i < 4; ++i) {
    char text[400];
    snprintf(text, sizeof text,
             "model: " MODELS
             "ball.urdf\nstart: {position: [0, 0, 1.1]}\nground: plane\nmaterial: {restitution: %g}\n"
             "stepper: moreau\ndt: 0.1ms\nduration: 0.5s\n",
             e[i]);
    ff_scene *scene = ffi_scene_of_text(text);
    ff_shape_info shape;
    ff_model_shape(ff_scene_model(scene), 0, &shape);
    const double height = 1.1 - shape.def.size[0], touch = sqrt(2 * height / 9.81), speed = 9.81 * touch;
    run_for(scene, ff_scene_steps(scene));
    near(ff_scene_now_v(scene)[2], e[i] > 0 ? e[i] * speed - 9.81 * (0.5 - touch) : 0, 1e-2,
         "speed after the bounce");
    ff_scene_destroy(scene);
  }
}

// ---- What is expected -----------------------------------------------------------------------------------------------

static void check_expect(const char *scene, const char *met, const char *missed, const char *words)
{
  char text[1200];
  snprintf(text, sizeof text, "%sexpect: {%s}\n", scene, met);
  ff_scene_result r = run_text(text);
  if (r.missed != 0)
    fail_msg("'%s' was missed: %s", met, r.misses);
  assert_int_equal(r.expected, 1);
  snprintf(text, sizeof text, "%sexpect: {%s}\n", scene, missed);
  r = run_text(text);
  assert_int_equal(r.missed, 1);
  if (!strstr(r.misses, words))
    fail_msg("'%s' says '%s', not '%s'", missed, r.misses, words);
}

static void what_is_expected_can_be_missed(void **state)
{
  (void)state;
  static const char stands[] = STARLETH "duration: 0.5s\ncontroller: {type: posture, kp: 100, kd: 0.5}\n";
  static const char falls[] = STARLETH "duration: 1.5s\ncontroller: {type: posture, kp: 20, kd: 0.5}\n"
                                       "pushes: {list: [{link: BASE, impulse: [0, -20Ns, 0], from: 0.1s}]}\n";
  static const char apart[] =
      STARLETH "duration: 0.5s\ncontroller: {type: posture, kp: 100, kd: 0.5}\ncoordinates: maximal\n";
  check_expect(stands, "penetration: 1mm", "penetration: 0", "mm deep 50 ms after touching");
  check_expect(stands, "contacts: 4", "contacts: 5", "4 contacts at the end, expected at least 5");
  check_expect(stands, "moved: 5cm", "moved: 1mm", "moved by");
  check_expect(stands, "fallen: [0, 0]", "fallen: [1, 1]", "0 fallen, expected 1 to 1");
  check_expect(falls, "fallen: [1, 1]", "fallen: [0, 0]", "1 fallen, expected 0 to 0");
  check_expect(apart, "drift: 1mm", "drift: 0", "joints");
}

static void what_does_not_converge_is_counted(void **state)
{
  (void)state;
  static const char stands[] =
      "model: " MODELS
      "piles/stack.xml\ndt: 5ms\nduration: 0.1s\nstepper: {type: moreau, moreau: {solver: sor, max_iterations: 1}}\n";
  check_expect(stands, "unconverged: 1", "unconverged: 0.1",
               "of the steps not converged, expected at most 10 %");
}

// ---- Together with other steppers -----------------------------------------------------------------------------------

// The law of the paper's Algorithm 1 for a soft stepper.
static void soft_steppers_take_the_papers_law(void **state)
{
  (void)state;
  ff_scene *scene =
      ffi_scene_of_text("model: " MODELS "starleth.urdf\ndt: 1.25ms\nduration: 0.2s\n"
                        "material: {stiffness: 3e4, damping: 50, friction: 0.8}\n"
                        "stepper: {type: symplectic, contact_law: slip-flag}\n"
                        "controller: {type: posture, kp: 100, kd: 0.5}\nexpect: {upright: true}\n");
  assert_int_equal(ff_scene_sim_def(scene).contact_law, FF_LAW_SLIP_FLAG);
  assert_int_equal(run_all(scene).missed, 0);
  ff_scene_destroy(scene);
}

static void soft_steppers_refuse_pieces(void **state)
{
  (void)state;
  char path[] = "/tmp/footfall_scene_XXXXXX";
  FILE *file = fdopen(mkstemp(path), "w");
  ff_scene *scene;
  ff_error error = {0};
  assert_non_null(file);
  fputs("model: " MODELS "starleth.urdf\nstepper: expo\ncoordinates: maximal\n", file);
  fclose(file);
  assert_int_not_equal(ff_scene_load(path, NULL, 0, &scene, &error), FF_OK);
  assert_null(scene);
  if (!strstr(error.message, ":3: coordinates.type: only the stepper 'moreau'"))
    fail_msg("%s", error.message);
  remove(path);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_push_gives_its_impulse),
      cmocka_unit_test(a_push_turns),
      cmocka_unit_test(a_seed_varies_it_within_its_bounds),
      cmocka_unit_test(all_coordinates_are_the_same_robot),
      cmocka_unit_test(restitution_arrives),
      cmocka_unit_test(what_is_expected_can_be_missed),
      cmocka_unit_test(what_does_not_converge_is_counted),
      cmocka_unit_test(soft_steppers_take_the_papers_law),
      cmocka_unit_test(soft_steppers_refuse_pieces),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
