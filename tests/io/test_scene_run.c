// Scenes as runs: control is a pure function held over its period, motors hold, feedback follows, and what is observed
// and judged is what happened.
#define _GNU_SOURCE // mkstemps

#include "scene/scene.h"
#include "scene_text.h"

#include <unistd.h>

// ---- Control --------------------------------------------------------------------------------------------------------

enum { MOST_NV = 40, SAMPLES = 40 };

// Asked in order, then in another order, with other questions in between: the same bits.
static void check_pure(const char *file)
{
  ff_scene *scene = ffi_scene_of_file(file, NULL, 0);
  const ff_model_size size = ff_model_get_size(ff_scene_model(scene));
  static double q[SAMPLES][MOST_NV + 1], v[SAMPLES][MOST_NV], tau[SAMPLES][MOST_NV];
  const double period = ff_scene_period(scene);
  ff_error error;
  double again[MOST_NV];
  assert_true(size.nv <= MOST_NV);
  for (int k = 0; k < SAMPLES; ++k) {
    memcpy(q[k], ff_sim_q(ff_scene_sim(scene)), (size_t)size.nq * sizeof(double));
    memcpy(v[k], ff_sim_v(ff_scene_sim(scene)), (size_t)size.nv * sizeof(double));
    ffi_must(ff_scene_control(scene, k * period, q[k], v[k], tau[k], &error), &error);
    ffi_must(ff_scene_step(scene, &error), &error);
  }
  for (int i = 0; i < 3 * SAMPLES; ++i) {
    const int k = i * 17 % SAMPLES;
    ffi_must(ff_scene_control(scene, k * period, q[k], v[k], again, &error), &error);
    assert_memory_equal(again, tau[k], (size_t)size.nv * sizeof(double));
  }
  ff_scene_destroy(scene);
}

static void control_is_a_pure_function(void **state)
{
  (void)state;
  check_pure(SCENES "solo-squat.yaml");
  check_pure(SCENES "romeo-walk.yaml");
  check_pure(SCENES "solo-jump.yaml");
  check_pure(SCENES "solo-trot.yaml");
}

// ff_scene_step() is what a loop of one's own is: torques at the beginning of each period, held over its steps.
static void torques_are_held_over_the_period(void **state)
{
  (void)state;
  const ff_scene_override finer = {"dt", "10ms", NULL};
  ff_scene *scene = ffi_scene_of_file(SCENES "solo-squat.yaml", &finer, 1);
  const ff_sim_def def = ff_scene_sim_def(scene);
  const ff_model_size size = ff_model_get_size(ff_scene_model(scene));
  double tau[MOST_NV] = {0};
  ff_sim *own;
  ff_error error;
  ffi_must(ff_scene_create_sim(scene, &def, &own, &error), &error);
  for (int k = 0; k < 80; ++k) {
    if (k % 4 == 0)
      ffi_must(ff_scene_control(scene, k / 4 * 0.04, ff_sim_q(own), ff_sim_v(own), tau, &error), &error);
    ffi_must(ff_sim_step(own, tau, &error), &error);
    ffi_must(ff_scene_step(scene, &error), &error);
  }
  assert_memory_equal(ff_sim_q(own), ff_sim_q(ff_scene_sim(scene)), (size_t)size.nq * sizeof(double));
  assert_memory_equal(ff_sim_v(own), ff_sim_v(ff_scene_sim(scene)), (size_t)size.nv * sizeof(double));
  ff_sim_destroy(own);
  ff_scene_destroy(scene);
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

// Motors are inside the step; the robot stands and comes to rest.
static void motors_hold_the_start(void **state)
{
  (void)state;
  ff_scene *scene =
      ffi_scene_of_text("model: " MODELS "solo12.urdf\ncontroller: {type: posture-pd, kp: 50, kd: 1}\n"
                        "dt: 2ms\nduration: 1\nexpect: {upright: true, final_speed: 1mm/s}\n");
  ff_error error;
  ff_scene_result result;
  assert_int_equal(ff_scene_sim_def(scene).element_count, 12);
  for (long long k = 0; k < ff_scene_steps(scene); ++k) {
    ffi_must(ff_scene_step(scene, &error), &error);
    ff_scene_watch(scene);
  }
  ff_scene_get_result(scene, &result);
  assert_int_equal(result.expected, 2);
  assert_int_equal(result.missed, 0);
  assert_true(isnan(result.com_error));
  ff_scene_destroy(scene);
}

// A model's own servos hold the start too, if a posture is held, and pull to 0 if nothing is: as of 'footfall run
// MODEL', with and without motors.
static void servos_hold_the_start(void **state)
{
  (void)state;
  static const char *const controllers[] = {"none", "{type: posture-pd, kp: 1, kd: 1}",
                                            "{type: posture, kp: 1, kd: 1, period: 2ms}"};
  static const char robot[] =
      "<mujoco model='turntable'><worldbody><body><joint name='turn' axis='0 0 1'/><geom type='sphere' "
      "size='0.1' mass='1'/></body>"
      "</worldbody><actuator><position joint='turn' kp='10'/></actuator></mujoco>";
  char file[] = "/tmp/footfall_turn_XXXXXX.xml", text[400];
  const int id = mkstemps(file, 4);
  assert_true(id >= 0 && write(id, robot, sizeof robot - 1) == (long)sizeof robot - 1);
  close(id);
  for (int i = 0; i < 3; ++i) {
    snprintf(text, sizeof text,
             "model: %s\nstart: {joints: [{name: turn, position: 0.5}]}\ncontroller: %s\nground: []\ndt: "
             "2ms\nduration: 100ms\n",
             file + 5, controllers[i]);
    ff_scene *scene = ffi_scene_of_text(text);
    run_all(scene);
    const double q = ff_sim_q(ff_scene_sim(scene))[0];
    if (i == 0 ? !(fabs(q) < 0.45) : !(fabs(q - 0.5) < 1e-12)) // it is at rest there
      fail_msg("%s: at %g", controllers[i], q);
    ff_scene_destroy(scene);
  }
  remove(file);
}

// Along a trajectory: tau = u + K (reference - state), from where the trajectory begins.
static void feedback_follows_its_file(void **state)
{
  (void)state;
  static const char way[] = "footfall-trajectory 1\nrobot pendulum\ncoordinates 1\nvelocities 1\ncontrols 1\n"
                            "interval 0.5\nstates 3\nx 0.25 1\nu 2\nK 10 3\nx 0.75 1\nu -1\nK 20 4\nx 1 0\n";
  char file[] = "/tmp/footfall_way_XXXXXX.txt", text[400];
  const int id = mkstemps(file, 4);
  assert_true(id >= 0 && write(id, way, sizeof way - 1) == (long)sizeof way - 1);
  close(id);
  snprintf(text, sizeof text,
           "model: " MODELS "pendulum.urdf\ncontroller: {type: feedback, trajectory: %s}\n", file + 5);
  ff_scene *scene = ffi_scene_of_text(text);
  remove(file);
  ff_error error;
  double tau, q = 0.5, v = 0.25;
  assert_string_equal(ff_scene_posture(scene), "trajectory");
  ffi_equal(ff_sim_q(ff_scene_sim(scene))[0], 0.25), ffi_equal(ff_sim_v(ff_scene_sim(scene))[0], 1);
  ffi_must(ff_scene_control(scene, 0, &q, &v, &tau, &error), &error);
  ffi_equal(tau, 2 + 10 * (0.25 - 0.5) + 3 * (1 - 0.25));
  ffi_must(ff_scene_control(scene, 0.75, &q, &v, &tau, &error),
           &error); // half way from the second to the third
  ffi_equal(tau, -1 + 20 * (0.875 - 0.5) + 4 * (0.5 - 0.25));
  ff_scene_destroy(scene);
}

// ---- The verdict ----------------------------------------------------------------------------------------------------

// A ball thrown from the ground: up for v/g, down for v/g, ahead by vx times that.
static void flight_and_speed_are_those_of_a_throw(void **state)
{
  (void)state;
  ff_scene *scene = ffi_scene_of_text(
      "model: " MODELS "ball.urdf\nstart: {position: [0, 0, 0.0999], velocity: [2, 0, 3, 0, 0, 0]}\n"
      "dt: 1ms\nduration: 600ms\n"
      "expect: {flight: 0.59s, speed: [1.9, 2.1], advance: 1.19m, steps: 1, upright: true}\n");
  const ff_scene_result r = run_all(scene);
  print_message("  flight %g s, speed %g m/s\n", r.flight, r.speed);
  assert_true(fabs(r.flight - 0.6) < 0.002); // lands after 0.6116 s
  assert_true(fabs(r.speed - 2) < 0.02 && fabs(r.advance - 1.2) < 0.012);
  assert_true(fabs(r.rise - (3 * 0.6 - 9.81 / 2 * 0.36)) < 0.01);
  assert_int_equal(r.expected, 5);
  assert_int_equal(r.missed, 1); // it never comes down
  assert_string_equal(r.misses, "0 steps, expected at least 1");
  ff_scene_destroy(scene);
  scene = ffi_scene_of_text("model: " MODELS
                            "ball.urdf\nstart: {position: [0, 0, 0.0999], velocity: [2, 0, 3, 0, 0, 0]}\n"
                            "dt: 1ms\nduration: 620ms\nexpect: {steps: 2}\n");
  assert_string_equal(run_all(scene).misses, "1 step, expected at least 2");
  ff_scene_destroy(scene);
}

// Solo on a plane at a height, without torques or held: is it upright after 0.3 s? Its feet begin `gap` above the
// plane.
static ff_scene_result stand(const char *ground, double height, double gap, const char *controller)
{
  char at[64];
  snprintf(at, sizeof at, "[0, 0, %.17g]", 0.222995532 + height + gap); // the base of the posture squat
  const ff_scene_override changes[] = {
      {"ground", ground, NULL},   {"start.position", at, NULL}, {"controller", controller, NULL},
      {"duration", "0.5s", NULL}, {"dt", "1ms", NULL},          {"expect", "{upright: true}", NULL}};
  ff_scene *scene = ffi_scene_of_file(SCENES "solo-squat.yaml", changes, 6);
  const ff_scene_result result = run_all(scene);
  print_message("  %s: height %g\n", ground, result.height);
  ff_scene_destroy(scene);
  return result;
}

// Upright is meant above the ground, wherever that is: high, low, so that the base starts at 0, or half a robot below
// its feet.
static void upright_does_not_depend_on_where_the_ground_is(void **state)
{
  (void)state;
  static const char held[] = "{type: posture-pd, kp: 50, kd: 1}";
  static const double heights[] = {0, 1, -1, -0.222995532};
  double first = 0;
  for (int i = 0; i < 4; ++i) {
    char ground[80];
    snprintf(ground, sizeof ground, "{type: plane, position: [0, 0, %.9g]}", heights[i]);
    const ff_scene_result limp = stand(ground, heights[i], 0, "none");
    assert_true(!limp.is_upright && limp.missed == 1);
    first = i == 0 ? limp.height : first;
    assert_true(fabs(limp.height - first) < 1e-3);
    assert_true(stand(ground, heights[i], 0, held).is_upright);
    assert_true(stand(ground, heights[i], 0.2, held).is_upright);
  }
  assert_false(stand("[]", 0, 0, held).is_upright); // falls by 1.2 m, with nothing below
}

// A body with an arm of two parts whose hand a motor presses against it: a foot on the own body is no landing.
static void own_parts_are_no_ground(void **state)
{
  (void)state;
#define PART(name, x, radius)                                                                                   \
  "<link name='" name                                                                                           \
  "'><inertial><mass value='1'/><inertia ixx='0.01' iyy='0.01' izz='0.01' ixy='0' ixz='0' iyz='0'/></inertial>" \
  "<collision><origin xyz='" x " 0 0'/><geometry><sphere radius='" radius                                       \
  "'/></geometry></collision></link>"
#define HINGE(name, parent, child, x)                                                                        \
  "<joint name='" name "' type='revolute'><parent link='" parent "'/><child link='" child "'/>"              \
  "<origin xyz='" x                                                                                          \
  " 0 0'/><axis xyz='0 0 1'/><limit lower='-4' upper='4' effort='100' velocity='100'/></joint>"
  static const char robot[] =
      "<robot name='hugger'>" PART("body", "0", "0.1") PART("arm", "0.1", "0.01") PART("hand", "0", "0.05")
          HINGE("shoulder", "body", "arm", "0.1") HINGE("elbow", "arm", "hand", "0.045") "</robot>";
  char file[] = "/tmp/footfall_hugger_XXXXXX.urdf", text[600];
  const int id = mkstemps(file, 5);
  assert_true(id >= 0 && write(id, robot, sizeof robot - 1) == (long)sizeof robot - 1);
  close(id);
  snprintf(
      text, sizeof text,
      "model: %s\nstart: {position: [0, 0, 0.0999], velocity: [0, 0, 3, 0, 0, 0]}\n"
      "controller: {type: posture-pd, kp: 50, kd: 1}\nstepper: {self_collision: true}\ndt: 1ms\nduration: 600ms\n",
      file + 5);
  ff_scene *scene = ffi_scene_of_text(text);
  remove(file);
  ff_error error;
  ff_scene_result result;
  int own = 0, count;
  for (long long k = 0; k < ff_scene_steps(scene); ++k) {
    ffi_must(ff_scene_step(scene, &error), &error);
    ff_scene_watch(scene);
    const ff_contact *contacts = ff_sim_contacts(ff_scene_sim(scene), &count);
    for (int i = 0; i < count; ++i)
      own += contacts[i].link_b >= 0;
  }
  ff_scene_get_result(scene, &result);
  print_message("  flight %g s, own parts touch in %d of 600 steps\n", result.flight, own);
  assert_true(own > 500);                         // the hand is pressed against the body all the while
  assert_true(fabs(result.flight - 0.6) < 0.002); // as the ball's
  assert_int_equal(result.steps, 0);
  ff_scene_destroy(scene);
}

// ---- Where a walk is planned ----------------------------------------------------------------------------------------

static ff_status load_walk(const char *ground, const char *start, ff_scene **scene, ff_error *error)
{
  const ff_scene_override changes[] = {{"ground", ground, NULL},
                                       {"start.position", start, NULL},
                                       {"duration", "3s", NULL},
                                       {"expect", "{}", NULL}};
  return ff_scene_load(SCENES "romeo-walk.yaml", changes, 4, scene, error);
}

// A walk knows how high its ground is: 25 cm up, on a plane or on a box that is turned, it is the same walk.
static void walks_are_planned_where_the_ground_is(void **state)
{
  (void)state;
  static const char *const grounds[] = {
      "plane", "{type: plane, position: [0, 0, 0.25]}",
      "[plane, {type: box, position: [0, 0, 0.125], rpy: [0, 0, 0.5], size: [4, 4, 0.25]}]"};
  ff_scene *scene;
  ff_error error;
  double q[3][64], z;
  char at[3][96];
  scene = ffi_scene_of_file(SCENES "romeo-walk.yaml", NULL, 0);
  z = ff_scene_q(scene)[2];
  const int nq = ff_model_get_size(ff_scene_model(scene)).nq;
  for (int i = 0; i < 3; ++i)
    snprintf(at[i], sizeof at[i], "[%.17g, %.17g, %.17g]", ff_scene_q(scene)[0], ff_scene_q(scene)[1],
             z + (i > 0) * 0.25);
  ff_scene_destroy(scene);
  for (int i = 0; i < 3; ++i) {
    ffi_must(load_walk(grounds[i], at[i], &scene, &error), &error);
    const ff_scene_result result = run_all(scene);
    assert_true(result.com_error < 0.01 && result.is_upright && result.steps == 2);
    memcpy(q[i], ff_sim_q(ff_scene_sim(scene)), (size_t)nq * sizeof(double));
    q[i][2] -= (i > 0) * 0.25;
    ff_scene_destroy(scene);
  }
  for (int i = 1; i < 3; ++i)
    for (int k = 0; k < nq; ++k)
      if (!(fabs(q[i][k] - q[0][k]) < 1e-9)) // rounding at another height, through 75 steps on springs
        fail_msg("q[%d] is %.17g, not %.17g", k, q[i][k], q[0][k]);
}

// Roofs, shelves, walls that are not in the way, and what lies below the ground are none; a box on its side has a level
// top.
static void walks_take_the_ground_next_under_a_foot(void **state)
{
  (void)state;
  static const char *const grounds[] = {
      "[plane, {type: box, size: [4, 4, 0.2], position: [0, 0, 3]}]",
      "[plane, {type: box, size: [4, 4, 0.02], position: [0, 0, 0.4]}]",
      "[plane, {type: box, size: [4, 4, 0.02], position: [0, 0, 0.4], rpy: [0.02, 0, 0]}]",
      "[plane, {type: plane, position: [0, 0, 3], rpy: [3.14159265358979, 0, 0]}]",
      "[plane, {type: plane, position: [3, 0, 0], rpy: [0, -1.5707963267949, 0]}]",
      "[plane, {type: plane, position: [0, 0, -5], slope: 10deg}]",
      ("[{type: plane, position: [0, 0, -5], slope: 10deg}, {type: box, size: [0.5, 4, 4], position: [0, 0, -0.25], "
       "rpy: [0, 1.5707963267949, 0]}]"),
      "[plane, {type: plane, position: [0, 0, -1], velocity: [1, 0, 0, 0, 0, 0]}]",
  };
  for (size_t i = 0; i < sizeof grounds / sizeof grounds[0]; ++i) {
    const ff_scene_override change = {"ground", grounds[i], NULL};
    ff_scene *scene;
    ff_error error;
    double height = NAN;
    if (ff_scene_load(SCENES "romeo-walk.yaml", &change, 1, &scene, &error) != FF_OK)
      fail_msg("%s: %s", grounds[i], error.message);
    ffi_must(ffi_scene_walk_ground(scene, &height, &error), &error);
    if (!(fabs(height) < 1e-9)) // the numbers above have 12 digits
      fail_msg("%s: planned on %g m", grounds[i], height);
    ff_scene_destroy(scene);
  }
}

static void walks_are_refused_on_other_ground(void **state)
{
  (void)state;
  static const struct {
    const char *ground, *words;
  } cases[] = {
      {"{type: plane, slope: 1deg}",
       "controller.walk: a walk is planned on level ground at rest; ground[0] under 'r_ankle' is tilted or uneven"},
      {"{type: plane, velocity: [0.1, 0, 0, 0, 0, 0]}", "moves"},
      {"[]", "there is no ground under 'r_ankle' to walk on"},
      {"[plane, {type: box, size: [1, 1, 0.1], position: [0, 0.5, -0.03]}]",
       "under the right foot it is 0 m high, under the left 0.02 m"},
      {"{type: heightfield, size: [2, 2, 1], rows: 2, columns: 2, heights: [0, 0, 0, 0]}",
       "is tilted or uneven"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
    const ff_scene_override change = {"ground", cases[i].ground, NULL};
    ff_scene *scene;
    ff_error error;
    assert_int_not_equal(ff_scene_load(SCENES "romeo-walk.yaml", &change, 1, &scene, &error), FF_OK);
    if (!strstr(error.message, cases[i].words))
      fail_msg("%s: %s", cases[i].ground, error.message);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(control_is_a_pure_function),
      cmocka_unit_test(torques_are_held_over_the_period),
      cmocka_unit_test(motors_hold_the_start),
      cmocka_unit_test(servos_hold_the_start),
      cmocka_unit_test(feedback_follows_its_file),
      cmocka_unit_test(flight_and_speed_are_those_of_a_throw),
      cmocka_unit_test(upright_does_not_depend_on_where_the_ground_is),
      cmocka_unit_test(own_parts_are_no_ground),
      cmocka_unit_test(walks_are_planned_where_the_ground_is),
      cmocka_unit_test(walks_take_the_ground_next_under_a_foot),
      cmocka_unit_test(walks_are_refused_on_other_ground),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
