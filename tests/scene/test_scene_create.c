// Scenes without files: a model that is built here and a def in memory. They start, hold, push and judge as scenes of
// files do.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <footfall/builder.h>
#include <footfall/scene.h>

#include <math.h>
#include <string.h>

static int add_link(ff_builder *builder, const char *name, const char *joint, int parent, ff_joint_type type)
{
  ff_link_def def = ff_link_def_default();
  ff_error error;
  int id;
  def.name = name;
  def.parent = parent;
  def.joint.name = joint;
  def.joint.type = type;
  def.joint.axis[1] = type == FF_JOINT_REVOLUTE;
  def.inertia = (ff_inertia){.mass = 1, .matrix = {0.01, 0, 0, 0.01, 0, 0.01}};
  if (ff_builder_add_link(builder, &def, &id, &error) != FF_OK)
    fail_msg("%s", error.message);
  return id;
}

// A ball of 10 cm that floats and carries an arm on a hinge.
static ff_model *make_robot(void)
{
  ff_builder *builder;
  ff_model *model = NULL;
  ff_error error;
  ff_shape_def ball = ff_shape_def_default();
  assert_int_equal(ff_builder_create("robot", &builder, &error), FF_OK);
  const int body = add_link(builder, "body", "root", FF_WORLD, FF_JOINT_FREE);
  add_link(builder, "arm", "hinge", body, FF_JOINT_REVOLUTE);
  ball.type = FF_SHAPE_SPHERE;
  ball.size[0] = 0.1;
  assert_int_equal(ff_builder_add_shape(builder, body, &ball, &error), FF_OK);
  if (ff_builder_finish(builder, &model, &error) != FF_OK)
    fail_msg("%s", error.message);
  ff_builder_destroy(builder);
  return model;
}

// The whole configuration is given; the arm is held where it starts, the ball falls and lands.
static void a_robot_lands_and_holds_its_arm(void **state)
{
  (void)state;
  ff_model *model = make_robot();
  double q[8] = {0, 0, 0.15, 0, 0, 0, 1, 0.5};
  char title[] = "a title";
  ff_scene *scene;
  ff_error error;
  ff_scene_def def = ff_scene_def_default();
  def.title = title;
  def.start.q = q;
  def.duration = 0.5;
  def.controller.type = FF_CONTROLLER_POSTURE_PD;
  def.controller.kp = 100;
  def.controller.kd = 5;
  def.expect.contacts = 1;
  if (ff_scene_create(model, &def, &scene, &error) != FF_OK)
    fail_msg("%s", error.message);
  memset(q, 0, sizeof q); // the scene has copies
  memset(title, 'x', sizeof title - 1);
  assert_string_equal(ff_scene_get_def(scene)->title, "a title");
  assert_null(ff_scene_file(scene));
  assert_null(ff_scene_posture(scene));
  assert_int_equal(ff_scene_warning_count(scene), 0);
  assert_true(ff_scene_q(scene)[7] == 0.5);
  assert_int_equal(ff_scene_steps(scene), 500);
  for (long long k = 0; k < ff_scene_steps(scene); ++k) {
    assert_int_equal(ff_scene_step(scene, &error), FF_OK);
    ff_scene_watch(scene);
  }
  ff_scene_result result;
  ff_scene_get_result(scene, &result);
  assert_int_equal(result.expected, 1);
  assert_int_equal(result.missed, 0);
  assert_true(fabs(ff_scene_now_q(scene)[2] - 0.1) < 0.01); // on the plane z = 0
  assert_true(fabs(ff_scene_now_q(scene)[7] - 0.5) < 0.2);
  ff_scene_destroy(scene);
  ff_model_destroy(model);
}

// Without ground and gravity's help a push gives its impulse, whatever the period.
static void a_push_gives_its_impulse(void **state)
{
  (void)state;
  ff_model *model = make_robot();
  const ff_scene_push push = {
      .link = "body", .force = {NAN, NAN, NAN}, .impulse = {2, 0, 0}, .from = 0.01, .duration = 0.05};
  ff_scene *scene;
  ff_error error;
  ff_scene_def def = ff_scene_def_default();
  def.ground_count = 0;
  def.duration = 0.1;
  def.pushes.list = &push;
  def.pushes.list_count = 1;
  if (ff_scene_create(model, &def, &scene, &error) != FF_OK)
    fail_msg("%s", error.message);
  for (int k = 0; k < 100; ++k)
    assert_int_equal(ff_scene_step(scene, &error), FF_OK);
  assert_true(fabs(ff_scene_now_q(scene)[0]) > 0.02);
  assert_int_equal(ff_scene_push_count(scene), 1);
  ff_scene_destroy(scene);
  ff_model_destroy(model);
}

static void refuse(const ff_model *model, const ff_scene_def *def, const char *message)
{
  ff_scene *scene = (ff_scene *)1;
  ff_error error = {0};
  assert_int_not_equal(ff_scene_create(model, def, &scene, &error), FF_OK);
  assert_null(scene);
  if (!strstr(error.message, message))
    fail_msg("'%s' where '%s' should be", error.message, message);
}

// Errors name the field.
static void wrong_defs_are_refused(void **state)
{
  (void)state;
  ff_model *model = make_robot();
  const ff_scene_def good = ff_scene_def_default();
  const ff_scene_joint joint = {.name = "hing", .position = 1, .velocity = NAN};
  const ff_scene_ground box = {
      .type = FF_SHAPE_BOX, .size = {NAN, NAN, NAN}, .material = {NAN, NAN, NAN, NAN, NAN, NAN, NAN}};
  ff_scene_def def = good;
  refuse(NULL, &good, "ff_scene_create: an argument is NULL");
  refuse(model, NULL, "ff_scene_create: an argument is NULL");
  def.controller.type = FF_CONTROLLER_POSTURE_PD;
  refuse(model, &def, "controller.kp: is missing");
  def = good, def.duration = -1;
  refuse(model, &def, "duration: -1 s must be finite and >= 0");
  def = good, def.start.joints = &joint, def.start.joints_count = 1;
  refuse(model, &def, "start.joints[0]: the model has no joint 'hing'; did you mean 'hinge'?");
  def = good, def.ground = &box, def.ground_count = 1;
  refuse(model, &def, "ground[0].size: is missing");
  def = good, def.pushes.list_count = 3;
  refuse(model, &def, "pushes.list: is NULL, but its count is 3");
  def = good, def.contact_points_count = 1;
  refuse(model, &def, "contact_points: can be added only while a model is loaded");
  def = good, def.start.posture = "asleep";
  refuse(model, &def, "start.posture: the model has no posture 'asleep'");
  ff_model_destroy(model);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_robot_lands_and_holds_its_arm),
      cmocka_unit_test(a_push_gives_its_impulse),
      cmocka_unit_test(wrong_defs_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
