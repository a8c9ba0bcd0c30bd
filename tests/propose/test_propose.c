// Proposals: a robot that is said to stay does so in a sim of the caller's own, the text is a scene that says
// the same, and nothing leaks whatever fails.
#define _GNU_SOURCE // mkdtemp

#include "propose/proposal.h"
#include "support/alloc_counter.h"
#include "support/must.h"

#include <footfall/control/controller.h>
#include <footfall/place.h>
#include <footfall/propose.h>
#include <footfall/scene.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

// ---- Does it stay? --------------------------------------------------------------------------------------------------

// The proposal's numbers put into a sim by hand, without its text and without its stepper: by RK4 with short steps.
static ff_sim *sim_of(const ff_proposal *p)
{
  ff_sim_def def = ff_sim_def_default();
  ff_ground_def ground = ff_ground_def_default();
  ground.gives_pair = p->has_material;
  if (p->has_material)
    ground.shape.material = p->material;
  def.ground = &ground;
  def.ground_count = ff_model_has_ground(p->model) ? 0 : 1;
  def.elements = p->motors;
  def.element_count = p->motor_count;
  def.stepper = FF_STEPPER_RK4;
  def.dt = 5e-5;
  ff_sim *sim = ffi_must_sim(p->model, &def);
  ffi_must_reset(sim, p->q, NULL);
  return sim;
}

// Those that carry the weight at the start, held from then on.
static void torques_of(const ff_proposal *p, double tau[64])
{
  const char *feet[64];
  double v[64] = {0};
  ff_error error;
  ff_controller *controller;
  ff_controller_def def = ff_controller_def_default();
  assert_true(ff_model_get_size(p->model).nv <= 64);
  for (int i = 0; i < p->stands_on_count; ++i) {
    ff_link_info link;
    ff_model_link(p->model, p->stands_on[i], &link);
    feet[i] = link.name;
  }
  def.type = FF_CONTROLLER_POSTURE_PD;
  def.gravity = p->has_gravity;
  def.feet = feet;
  def.feet_count = p->stands_on_count;
  ffi_must(ff_controller_create(p->model, &def, p->q, &controller, &error), &error);
  ffi_must(ff_controller_tau(controller, 0, p->q, v, tau, &error), &error);
  ff_controller_destroy(controller);
}

static void check_stays(const char *model, ff_proposal_state expected)
{
  ff_proposal *p = ffi_proposal_must(model, NULL);
  assert_int_equal(p->state, expected);
  assert_true(p->is_stable);
  ff_sim *sim = sim_of(p);
  ff_joint_info base;
  double tau[64];
  ff_model_joint(p->model, p->base, &base);
  torques_of(p, tau);
  ffi_must_run(sim, (int)(2 / 5e-5), tau);
  const double *q = ff_sim_q(sim) + base.q, *q0 = p->q + base.q, *v = ff_sim_v(sim) + base.v;
  const double moved = sqrt(pow(q[0] - q0[0], 2) + pow(q[1] - q0[1], 2) + pow(q[2] - q0[2], 2));
  if (moved > p->expects_moved || !(fabs(v[2]) < 0.02))
    fail_msg("%s: it moved by %g m, of %g, and falls with %g m/s", model, moved, p->expects_moved, v[2]);
  ff_sim_destroy(sim);
  ff_proposal_destroy(p);
}

static void robots_stay_where_they_are(void **state)
{
  (void)state;
  check_stays(MODELS "solo12.urdf", FF_PROPOSAL_STANDS);
  check_stays(ROBOTS "rod_on_its_tip.urdf", FF_PROPOSAL_LIES);
  check_stays(ROBOTS "quad.urdf", FF_PROPOSAL_STANDS);
}

// ---- Where it is put ------------------------------------------------------------------------------------------------

// A buoy: only its top can touch, so that it hangs from the ground by it, at rest and with its mass below.
static void hanging_below_the_ground_is_not_lying(void **state)
{
  (void)state;
  static const char model[] =
      "<robot name='buoy'><link name='b'><inertial><origin xyz='0 0 -1'/><mass value='5'/><inertia ixx='.1' iyy='.1' "
      "izz='.1'/></inertial>"
      "<collision><geometry><box size='.4 .4 .02'/></geometry></collision></link></robot>";
  char path[] = "/tmp/footfall-propose-XXXXXX";
  const int file = mkstemp(path);
  assert_true(file >= 0 && write(file, model, sizeof model - 1) == (ssize_t)sizeof model - 1);
  close(file);
  ff_proposal *p = ffi_proposal_must(path, NULL);
  double com[3];
  ff_dynamics *dynamics;
  ff_error error;
  ffi_must(ff_dynamics_create(p->model, NULL, &dynamics, &error), &error);
  ff_dynamics_kinematics(dynamics, p->q, NULL, NULL);
  ff_dynamics_com(dynamics, com);
  if (p->state != FF_PROPOSAL_MOVES && com[2] < 0)
    fail_msg("state %d with the centre of mass at z = %g", (int)p->state, com[2]);
  ff_dynamics_destroy(dynamics);
  ff_proposal_destroy(p);
  unlink(path);
}

// Two keyframes of one robot, in the air and 3 cm deep in the floor: both start where its weight presses soft feet,
// some millimetres deep.
static void keyframes_are_put_on_the_ground(void **state)
{
  (void)state;
  double height[2];
  for (int i = 0; i < 2; ++i) {
    ff_proposal *p = ffi_proposal_must(i ? ROBOTS "sunken_dog.xml" : ROBOTS "torque_dog.xml", NULL);
    const ff_pose floor = ff_pose_identity();
    ff_dynamics *dynamics;
    ff_error error;
    assert_int_equal(p->state, FF_PROPOSAL_STANDS);
    assert_true(p->is_sunk && p->has_joints && p->has_gravity && p->stands_on_count == 4);
    assert_non_null(strstr(p->text, "where its weight presses it to"));
    ffi_must(ff_dynamics_create(p->model, NULL, &dynamics, &error), &error);
    const double gap = ff_place_gap(p->model, dynamics, p->q, &floor);
    assert_true(gap < -1e-3 && gap > -0.02);
    height[i] = p->q[2];
    ff_dynamics_destroy(dynamics);
    ff_proposal_destroy(p);
  }
  assert_true(fabs(height[0] - height[1]) < 1e-4);
}

// A fixed base alone does not mean that the joints stay.
static void what_falls_about_its_fixed_base_is_not_held(void **state)
{
  (void)state;
  ff_proposal *p = ffi_proposal_must(ROBOTS "gym_walker.xml", NULL);
  assert_int_equal(p->state, FF_PROPOSAL_MOVES);
  assert_non_null(strstr(p->text, "title: \"gym_walker: does not keep its posture\""));
  ff_proposal_destroy(p);
  p = ffi_proposal_must(ROBOTS "loop_gripper.xml", NULL); // springs push its fingers to their stops
  assert_int_equal(p->state, FF_PROPOSAL_HELD);
  assert_true(p->is_settled);
  assert_non_null(strstr(p->text, "held where it came to rest"));
  ff_proposal_destroy(p);
}

// ---- Two legs -------------------------------------------------------------------------------------------------------

static ff_scene_result run_text(const ff_proposal *p, const ff_scene_override *changes, int count)
{
  ff_scene *scene;
  ff_scene_result result;
  ff_error error;
  FILE *file = fopen(p->scene, "wb");
  assert_true(fwrite(p->text, 1, p->text_size, file) == p->text_size);
  assert_int_equal(fclose(file), 0);
  ffi_must(ff_scene_load(p->scene, changes, count, &scene, &error), &error);
  for (long long k = 0; k < ff_scene_steps(scene); ++k) {
    ffi_must(ff_scene_step(scene, &error), &error);
    ff_scene_watch(scene);
  }
  ff_scene_get_result(scene, &result);
  ff_scene_destroy(scene);
  return result;
}

// Bent knees, and for ten seconds within 5 mm and 2 degrees. Pushed by an impulse that gives it 0.1 m/s, it comes back;
// with its motors alone, which its ankles limit, it falls.
static void a_humanoid_balances(void **state)
{
  (void)state;
  char folder[] = "/tmp/footfall-propose-XXXXXX", path[128];
  assert_non_null(mkdtemp(folder));
  snprintf(path, sizeof path, "%s/humanoid.yaml", folder);
  ff_proposal_def def = ff_proposal_def_default();
  def.scene = path;
  ff_proposal *p = ffi_proposal_must(ROBOTS "humanoid.urdf", &def);
  assert_int_equal(p->state, FF_PROPOSAL_STANDS);
  assert_true(p->is_bent && p->has_gravity && p->stands_on_count == 2 && p->duration >= 10);
  const int knee = ff_model_find_joint(p->model, "left_knee");
  ff_joint_info joint;
  ff_model_joint(p->model, knee, &joint);
  assert_true(p->q[joint.q] > 0.3 && p->q[joint.q] < 0.8);
  ff_scene_result r = run_text(p, NULL, 0);
  assert_true(r.moved < 5e-3 && r.tilt_most < 2 * 3.141592653589793 / 180 && r.missed == 0);
  char push[200];
  snprintf(push, sizeof push,
           "{list: [{link: torso, at: [0, 0, 0.3], impulse: [%g, 0, 0], from: 1, duration: 0.1}]}",
           0.1 * ff_model_mass(p->model));
  const ff_scene_override changes[] = {{.path = "pushes", .value = push},
                                       {.path = "controller.gravity", .value = "false"}};
  r = run_text(p, changes, 1);
  assert_true(r.is_upright && r.moved < 5e-3);
  r = run_text(p, changes, 2);
  assert_false(r.is_upright);
  ff_proposal_destroy(p);
  unlink(path);
  rmdir(folder);
}

// Joints of known effort and inertia have gains as a practitioner chooses them: the whole effort no earlier than at 0.2
// rad, and no joint of an arm carries the robot.
static void gains_are_bounded(void **state)
{
  (void)state;
  ff_proposal *p = ffi_proposal_must(ROBOTS "humanoid.urdf", NULL);
  for (int i = 0; i < p->motor_count; ++i) {
    const ff_element_def *m = &p->motors[i];
    assert_true(m->stiffness <= m->effort / 0.2 * (1 + 1e-12));
    if (strstr(m->name, "shoulder") || strstr(m->name, "elbow"))
      assert_true(m->stiffness <= 250);
  }
  ff_proposal_destroy(p);
}

// Knees and hips of 4 N m hold a dog, but not where it starts; those of 8 N m do.
static void weak_motors_give_way(void **state)
{
  (void)state;
  static char text[1 << 16];
  for (int weak = 0; weak < 2; ++weak) {
    char path[] = "/tmp/footfall-propose-XXXXXX.urdf";
    FILE *from = fopen(ROBOTS "quad_spheres.urdf", "rb");
    const int file = mkstemps(path, 5);
    assert_true(from && file >= 0);
    text[fread(text, 1, sizeof text - 1, from)] = 0;
    fclose(from);
    int count = 0;
    for (char *at = text; (at = strstr(at, "effort=\"")) != NULL; ++count) {
      char *end = strchr(at + 8, '"'); // as long as it was
      memset(at + 8, ' ', (size_t)(end - at - 8));
      at[8] = weak ? '4' : '8';
      at = end;
    }
    assert_true(count >= 8 && write(file, text, strlen(text)) == (ssize_t)strlen(text));
    close(file);
    ff_proposal *p = ffi_proposal_must(path, NULL);
    assert_int_equal(p->state, FF_PROPOSAL_STANDS);
    if (weak ? !(p->moved > 5e-3 && p->moved < 0.1) : !(p->moved < 1e-3))
      fail_msg("moved by %g m", p->moved);
    assert_int_equal(strstr(p->text, "stands, gives way by") != NULL, weak);
    ff_proposal_destroy(p);
    unlink(path);
  }
}

// A ball rolls away, and it is said so.
static void a_ball_rolls(void **state)
{
  (void)state;
  ff_proposal *p = ffi_proposal_must(MODELS "ball.urdf", NULL);
  assert_int_equal(p->state, FF_PROPOSAL_MOVES);
  assert_true(!p->is_stable && isnan(p->expects_moved));
  assert_null(strstr(p->text, "expect:"));
  ff_proposal_destroy(p);
}

// Ground of the default stiffness, 1e5 N/m, would give way by more than 1 cm below a robot heavier than 1000 N.
static void ground_carries_the_weight(void **state)
{
  (void)state;
  static const char model[] =
      "<robot name='anvil'><link name='anvil'><inertial><mass value='4000'/><inertia ixx='600' "
      "iyy='600' izz='600'/></inertial>"
      "<collision><geometry><box size='1 1 0.5'/></geometry></collision></link></robot>";
  char path[] = "/tmp/footfall-propose-XXXXXX";
  const int file = mkstemp(path);
  assert_true(file >= 0 && write(file, model, sizeof model - 1) == (ssize_t)sizeof model - 1);
  close(file);
  ff_proposal *p = ffi_proposal_must(path, NULL);
  assert_true(p->has_material);
  assert_true(4000 * 9.81 / p->material.stiffness <= 0.01);
  assert_true(4000 * 9.81 / p->material.stiffness > 0.005);
  assert_int_equal(p->state, FF_PROPOSAL_STANDS);
  ff_proposal_destroy(p);
  unlink(path);
}

// ---- The text -------------------------------------------------------------------------------------------------------

static void the_text_says_the_same(void **state)
{
  (void)state;
  char folder[] = "/tmp/footfall-propose-XXXXXX", path[128];
  ff_scene *scene;
  ff_error error;
  assert_non_null(mkdtemp(folder));
  snprintf(path, sizeof path, "%s/solo.yaml", folder);
  ff_proposal_def def = ff_proposal_def_default();
  def.scene = path;
  ff_proposal *p = ffi_proposal_must(MODELS "solo12.urdf", &def);
  assert_string_equal(p->scene, path);
  FILE *file = fopen(path, "wb");
  assert_true(fwrite(p->text, 1, p->text_size, file) == p->text_size);
  assert_int_equal(fclose(file), 0);
  ffi_must(ff_scene_load(path, NULL, 0, &scene, &error), &error);
  const ff_model_size size = ff_model_get_size(p->model);
  for (int i = 0; i < size.nq; ++i)
    assert_true(fabs(ff_scene_q(scene)[i] - p->q[i]) <= 1e-8);
  const ff_sim_def sim = ff_scene_sim_def(scene);
  assert_int_equal(sim.stepper, p->stepper);
  assert_true(sim.dt == p->dt && ff_scene_get_def(scene)->duration == p->duration);
  assert_int_equal(sim.element_count, p->motor_count);
  for (int i = 0; i < p->motor_count; ++i) // four digits are written
    assert_true(fabs(sim.elements[i].stiffness / p->motors[i].stiffness - 1) < 1e-3);
  assert_int_equal(ff_scene_get_def(scene)->expect.upright, p->expects_upright);
  ff_scene_destroy(scene);
  ff_proposal_destroy(p);
  unlink(path);
  rmdir(folder);
}

// ---- What is added --------------------------------------------------------------------------------------------------

static void what_a_model_lacks_is_added(void **state)
{
  (void)state;
  ff_proposal *p = ffi_proposal_must(ROBOTS "mimic.urdf", NULL);
  assert_true(!p->has_mimic && p->mimic == FF_MIMIC_COUPLE); // they follow: nothing is missing
  ff_proposal_destroy(p);
  p = ffi_proposal_must(ROBOTS "only_drawn.urdf", NULL);
  assert_true(p->point_count > 0);
  assert_non_null(strstr(p->text, "contact_points:"));
  for (int i = 0; i < p->point_count; ++i)
    assert_true(ff_model_find_link(p->model, p->points[i].link) >= 0);
  ff_proposal_destroy(p);
}

// ---- What is refused ------------------------------------------------------------------------------------------------

static void refuses(const char *model, const ff_proposal_def *def, ff_status status, const char *words)
{
  ff_proposal *p = (ff_proposal *)&status;
  ff_error error;
  assert_int_equal(ff_scene_propose(model, def, &p, &error), status);
  assert_null(p);
  if (!strstr(error.message, words))
    fail_msg("'%s' is not in '%s'", words, error.message);
  assert_int_equal(ff_scene_propose(model, def, &p, NULL), status);
}

static void bad_input_is_refused(void **state)
{
  (void)state;
  ff_proposal_def def = ff_proposal_def_default();
  ff_load_def load = ff_load_def_default();
  ff_load_point point = {.link = "ball"};
  refuses("/nowhere.urdf", NULL, FF_ERROR_FILE, "/nowhere.urdf");
  assert_int_equal(ff_scene_propose(NULL, NULL, NULL, NULL), FF_ERROR_ARGUMENT);
  def.posture = "restng";
  refuses(MODELS "ball.urdf", &def, FF_ERROR_ARGUMENT, "did you mean 'resting'?");
  def.posture = NULL;
  def.scene = "bad\xff.yaml";
  refuses(MODELS "ball.urdf", &def, FF_ERROR_ARGUMENT, "its name holds bytes that a scene cannot name");
  def.scene = NULL;
  load.contact_points = &point;
  load.contact_point_count = 1;
  def.load = &load;
  refuses(MODELS "ball.urdf", &def, FF_ERROR_ARGUMENT, "contact points and files must be as by default");
  def = (ff_proposal_def){.posture = "resting"};
  refuses(MODELS "ball.urdf", &def, FF_ERROR_ARGUMENT, "begin with that");
}

static int stop_at(void *user, int start, double share)
{
  assert_true(start >= 1 && share >= 0 && share <= 1);
  return ++*(int *)user == 100;
}

static void the_caller_can_stop_it(void **state)
{
  (void)state;
  int calls = 0;
  ff_proposal_def def = ff_proposal_def_default();
  ff_proposal *p;
  ff_error error;
  def.progress = stop_at;
  def.user = &calls;
  assert_int_equal(ff_scene_propose(MODELS "solo12.urdf", &def, &p, &error), FF_ERROR_STOPPED);
  assert_int_equal(calls, 100);
  assert_null(p);
}

// ---- Memory ---------------------------------------------------------------------------------------------------------

// Leaks are for the sanitizers to see.
static void check_memory(const char *model)
{
  long tried = 0;
  for (long n = 1;; n += 1 + n / 50) { // all of the first ones, then fewer: there are thousands
    ff_proposal *p = NULL;
    ff_error error = {0};
    ffi_test_alloc_fail_at(n);
    const ff_status status = ff_scene_propose(model, NULL, &p, &error);
    const int has_failed = ffi_test_alloc_failed();
    if (has_failed && (status != FF_ERROR_MEMORY || p))
      fail_msg("allocation %ld failed: %s, %s", n, ff_status_name(status), error.message);
    ff_proposal_destroy(p);
    if (!has_failed)
      break;
    ++tried;
  }
  assert_true(tried > 100);
}

static void every_allocation_may_fail(void **state)
{
  (void)state;
  if (!ffi_test_alloc_works())
    skip();
  check_memory(MODELS "ball.urdf");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(hanging_below_the_ground_is_not_lying),
      cmocka_unit_test(keyframes_are_put_on_the_ground),
      cmocka_unit_test(what_falls_about_its_fixed_base_is_not_held),
      cmocka_unit_test(a_humanoid_balances),
      cmocka_unit_test(gains_are_bounded),
      cmocka_unit_test(robots_stay_where_they_are),
      cmocka_unit_test(weak_motors_give_way),
      cmocka_unit_test(a_ball_rolls),
      cmocka_unit_test(ground_carries_the_weight),
      cmocka_unit_test(the_text_says_the_same),
      cmocka_unit_test(what_a_model_lacks_is_added),
      cmocka_unit_test(bad_input_is_refused),
      cmocka_unit_test(the_caller_can_stop_it),
      cmocka_unit_test(every_allocation_may_fail),
  };
  return cmocka_run_group_tests_name("propose/propose", tests, NULL, NULL);
}
