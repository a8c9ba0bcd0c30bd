// <replicate> of MJCF: names, places and what refers to the copies, as MuJoCo 4.0.0 makes them. Debian's MuJoCo does
// not know the element, so its numbers stand here.
#include "support/must.h"

#include <footfall/dynamics.h>
#include <footfall/load.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "mjcf_compare.h"

static ff_model *load(const char *text)
{
  ff_model *model;
  ff_error error;
  if (ff_model_load_memory(text, strlen(text), "robot.xml", NULL, &model, &error) != FF_OK)
    fail_msg("%s", error.message);
  return model;
}

// Degrees; one inside another; what refers to it stands before and behind, a tendon by its parts.
static const char wheel[] =
    "<mujoco><tendon><fixed name='t'><joint joint='j' coef='2'/></fixed></tendon><worldbody>"
    "<body name='hub' pos='0 0 1'><freejoint/><geom name='hub' size='.05'/>"
    "<replicate count='3' euler='0 0 40' offset='0.1 0 0.02' sep='-'>"
    "<body name='arm' pos='0.2 0 0' euler='0 30 0'><joint name='j' axis='0 1 0'/>"
    "<geom name='g' type='capsule' size='.01' fromto='0 0 0 .1 0 0'/>"
    "<replicate count='2' offset='0 0 0.05'><geom name='tip' size='0.01' pos='.1 0 0'/><site name='s'/></replicate>"
    "</body></replicate></body></worldbody>"
    "<actuator><motor name='m' joint='j' gear='3'/><motor name='mt' tendon='t'/>"
    "<motor site='s' gear='0 0 1'/></actuator>"
    "<contact><exclude body1='hub' body2='arm'/></contact></mujoco>";

// xpos of MuJoCo 4.0.0.
static const struct {
  const char *name;
  double at[3];
} places[] = {
    {"arm-0", {0.2, 0, 1}},
    {"arm-1", {0.25320889, 0.12855752, 1.02}},
    {"arm-2", {0.21133408, 0.26124031, 1.04}},
    {"s0-0", {0.2, 0, 1}},
    {"s1-0", {0.225, 0, 1.04330127}},
    {"s0-1", {0.25320889, 0.12855752, 1.02}},
    {"s1-1", {0.27236, 0.14462721, 1.06330127}},
    {"s0-2", {0.21133408, 0.26124031, 1.04}},
    {"s1-2", {0.21567528, 0.28586051, 1.08330127}},
};

static void copies_stand_where_mujoco_puts_them(void **state)
{
  (void)state;
  ff_model *model = load(wheel);
  const ff_model_size size = ff_model_get_size(model);
  double q[16], x[3], R[9];
  ff_dynamics *d;
  ff_error error;
  assert_int_equal(size.frames, 11);
  ffi_must(ff_dynamics_create(model, NULL, &d, &error), &error);
  ff_model_neutral(model, q);
  ff_dynamics_kinematics(d, q, NULL, NULL);
  for (size_t i = 0; i < sizeof places / sizeof *places; ++i) {
    const int frame = ff_model_find_frame(model, places[i].name);
    if (frame < 0)
      fail_msg("no frame %s", places[i].name);
    ff_dynamics_frame_pose(d, frame, x, R);
    for (int k = 0; k < 3; ++k)
      if (!(fabs(x[k] - places[i].at[k]) < 6e-9)) // of eight digits
        fail_msg("%s[%d] is %.10g, MuJoCo's %.10g", places[i].name, k, x[k], places[i].at[k]);
  }
  ff_dynamics_destroy(d);
  ff_model_destroy(model);
}

// In the order of MuJoCo.
static void what_refers_to_them_is_copied(void **state)
{
  (void)state;
  static const struct {
    const char *name, *joint, *tendon, *frame;
  } want[] = {{"m-0", "j-0", NULL, NULL},  {"mt-0", NULL, "t-0", NULL}, {NULL, NULL, NULL, "s0-0"},
              {NULL, NULL, NULL, "s1-0"},  {"m-1", "j-1", NULL, NULL},  {"mt-1", NULL, "t-1", NULL},
              {NULL, NULL, NULL, "s0-1"},  {NULL, NULL, NULL, "s1-1"},  {"m-2", "j-2", NULL, NULL},
              {"mt-2", NULL, "t-2", NULL}, {NULL, NULL, NULL, "s0-2"},  {NULL, NULL, NULL, "s1-2"}};
  ff_model *model = load(wheel);
  const ff_model_size size = ff_model_get_size(model);
  assert_int_equal(size.actuators, 12);
  assert_int_equal(size.exclusions, 3);
  assert_int_equal(size.tendons, 3);
  for (int i = 0; i < 12; ++i) {
    ff_actuator_info a;
    ff_joint_info joint;
    ff_tendon_info tendon;
    ff_model_actuator(model, i, &a);
    if (want[i].name)
      assert_string_equal(a.name, want[i].name);
    if (want[i].joint && ff_model_joint(model, a.joint, &joint) == FF_OK)
      assert_string_equal(joint.name, want[i].joint);
    if (want[i].tendon && ff_model_tendon(model, a.tendon, &tendon) == FF_OK)
      assert_string_equal(tendon.name, want[i].tendon);
    assert_int_equal(a.joint >= 0, want[i].joint != NULL);
    assert_int_equal(a.tendon >= 0, want[i].tendon != NULL);
    assert_int_equal(a.frame, want[i].frame ? ff_model_find_frame(model, want[i].frame) : -1);
  }
  ff_model_destroy(model);
}

// Bodies that are written out, in the MuJoCo that does not know the element, are the same robot.
static void it_is_the_robot_written_out(void **state)
{
  (void)state;
  static const char text[] =
      "<mujoco><compiler angle='radian'/><worldbody><replicate count='3' offset='0.3 0.1 0' euler='0.2 0 0.5'>"
      "<body name='b' pos='0 0 1'><joint name='j' axis='0 1 1'/><geom name='g' size='0.1' pos='0.2 0 0.1'/></body>"
      "</replicate></worldbody></mujoco>";
  const double c = cos(0.5), s = sin(0.5), cx = cos(0.2), sx = sin(0.2);
  const double o[3] = {0.3, 0.1, 0}, z[3] = {c * o[0] - s * o[1], s * o[0] + c * o[1], 0};
  // Copy 1 stands at o, turned by R = Rx Rz, copy 2 at o + R o, turned by Rx(0.4) Rz(1): a body inside adds R (0 0 1).
  const double one[3] = {o[0], o[1] - sx, cx};
  const double two[3] = {o[0] + z[0], o[1] + cx * z[1] - sin(0.4), sx * z[1] + cos(0.4)};
  char twin[2000], message[1000] = "";
  snprintf(
      twin, sizeof twin,
      "<mujoco><compiler angle='radian'/><default><geom size='0.1'/></default><worldbody>"
      "<body name='b0' pos='0 0 1'><joint name='j0' axis='0 1 1'/><geom name='g0' pos='0.2 0 0.1'/></body>"
      "<body name='b1' pos='%.17g %.17g %.17g' euler='0.2 0 0.5'><joint name='j1' axis='0 1 1'/>"
      "<geom name='g1' pos='0.2 0 0.1'/></body>"
      "<body name='b2' pos='%.17g %.17g %.17g' euler='0.4 0 1'><joint name='j2' axis='0 1 1'/>"
      "<geom name='g2' pos='0.2 0 0.1'/></body></worldbody></mujoco>",
      one[0], one[1], one[2], two[0], two[1], two[2]);
  mjVFS *vfs = malloc(sizeof *vfs);
  assert_non_null(vfs);
  mj_defaultVFS(vfs);
  mj_makeEmptyFileVFS(vfs, "twin.xml", (int)strlen(twin));
  memcpy(vfs->filedata[0], twin, strlen(twin));
  mjModel *mj = mj_loadXML("twin.xml", vfs, message, sizeof message);
  if (!mj)
    fail_msg("MuJoCo: %s", message);
  mj_deleteVFS(vfs);
  free(vfs);
  ffi_mjcf_compare("three pendulums", mj, load(text));
}

// 10 copies have numbers of two digits; none leaves nothing.
static void numbers_have_the_digits_of_the_count(void **state)
{
  (void)state;
  ff_model *model =
      load("<mujoco><worldbody><replicate count='10' offset='1 0 0'><body name='b'><geom size='.1'/></body>"
           "</replicate><replicate count='0'><body name='c'><geom size='1'/></body></replicate>"
           "</worldbody></mujoco>");
  assert_int_equal(ff_model_get_size(model).links, 10);
  assert_true(ff_model_find_link(model, "b00") >= 0 && ff_model_find_link(model, "b09") >= 0);
  ff_model_destroy(model);
}

// Errors name the line of the original.
static void copies_keep_their_line(void **state)
{
  (void)state;
  static const char text[] =
      "<mujoco><worldbody>\n<replicate count='2'>\n<body name='b'>\n<geom size='0.1 x'/></body>\n"
      "</replicate></worldbody></mujoco>";
  ff_model *model;
  ff_error error;
  assert_int_equal(ff_model_load_memory(text, strlen(text), "robot.xml", NULL, &model, &error),
                   FF_ERROR_PARSE);
  assert_int_equal(error.line, 4);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(copies_stand_where_mujoco_puts_them),
      cmocka_unit_test(what_refers_to_them_is_copied),
      cmocka_unit_test(it_is_the_robot_written_out),
      cmocka_unit_test(numbers_have_the_digits_of_the_count),
      cmocka_unit_test(copies_keep_their_line),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
