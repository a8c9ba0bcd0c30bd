// What the builder keeps: warnings, copies of what it is given, indices; and that it goes on after finishing.
#include "model/forest.h"

#include "base/fail.h"

#define NOT_A_NUMBER ((double)NAN)
#define ENDLESS ((double)INFINITY)

// ---- Warnings ---------------------------------------------------------------------------------------------

static void limits_that_make_no_sense_are_dropped_with_a_warning(void **state)
{
  (void)state;
  const ff_joint_type types[] = {FF_JOINT_FREE,       FF_JOINT_PLANAR, FF_JOINT_SPHERICAL,
                                 FF_JOINT_CONTINUOUS, FF_JOINT_FIXED,  FF_JOINT_REVOLUTE};
  for (size_t i = 0; i < sizeof types / sizeof *types; ++i) {
    ff_builder *b = new_builder();
    ff_link_def def = solid_link("a", FF_WORLD, "j", types[i]);
    def.joint.has_limits = 1;
    def.joint.lower = -1;
    def.joint.upper = 2;
    ff_builder_set_source(b, "f.xml", 3);
    add_link(b, &def);
    ff_model *model = finish(b);
    const int warns = types[i] != FF_JOINT_FIXED && types[i] != FF_JOINT_REVOLUTE;
    assert_int_equal(ff_model_get_size(model).warnings, warns);
    if (warns) {
      assert_non_null(strstr(ff_model_warning(model, 0), "f.xml:3: joint 'j': "));
      assert_non_null(strstr(ff_model_warning(model, 0), ff_joint_type_name(types[i])));
    }
    ff_joint_info joint;
    if (ff_model_joint(model, 0, &joint) == FF_OK) {
      assert_int_equal(joint.has_limits, types[i] == FF_JOINT_REVOLUTE);
      assert_true(joint.has_limits ? joint.lower == -1 && joint.upper == 2
                                   : joint.lower == -ENDLESS && joint.upper == ENDLESS);
    }
    ff_model_destroy(model);
  }
}

static void warnings_are_kept_in_order(void **state)
{
  (void)state;
  ff_builder *b = started_builder();
  assert_int_equal(ff_builder_add_warning(b, "the first", NULL), FF_OK);
  ff_builder_set_source(b, NULL, 0);
  ff_link_def odd = solid_link("odd", 0, "j", FF_JOINT_REVOLUTE);
  odd.inertia.matrix[5] = 1;
  add_link(b, &odd);
  assert_int_equal(ff_builder_add_warning(b, "the last", NULL), FF_OK);
  ff_model *model = finish(b);
  assert_int_equal(ff_model_get_size(model).warnings, 3);
  assert_string_equal(ff_model_warning(model, 0), "robot.xml:17: the first");
  assert_non_null(
      strstr(ff_model_warning(model, 1), "link 'odd': its inertia breaks the triangle inequality"));
  assert_non_null(strstr(ff_model_warning(model, 1), "0.1 + 0.1 < 1 by 0.8"));
  assert_string_equal(ff_model_warning(model, 2), "the last");
  ff_model_destroy(model);
}

// ---- What is given is kept --------------------------------------------------------------------------------

static void a_builder_goes_on_after_finishing(void **state)
{
  (void)state;
  ff_builder *b = started_builder();
  ff_model *small = NULL, *large = NULL;
  assert_int_equal(ff_builder_finish(b, &small, NULL), FF_OK);
  const ff_link_def arm = solid_link("arm", 0, "elbow", FF_JOINT_REVOLUTE);
  add_link(b, &arm);
  assert_int_equal(ff_builder_finish(b, &large, NULL), FF_OK);
  ff_builder_destroy(b);
  assert_int_equal(ff_model_get_size(small).links, 1);
  assert_int_equal(ff_model_get_size(large).links, 2);
  assert_string_equal(ff_model_name(small), "test");
  ff_model_destroy(small);
  ff_model_destroy(large);
}

static void everything_given_is_copied(void **state)
{
  (void)state;
  char text[] = "name", joint[] = "joint", file[] = "m.stl", motor[] = "motor", shape[] = "shape",
       posture[] = "pose";
  double vertices[15] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 1, 1}, q[1] = {0.5};
  ff_builder *b = new_builder();
  ff_link_def link = solid_link(text, FF_WORLD, joint, FF_JOINT_REVOLUTE);
  link.joint.axis[2] = -3;
  link.joint.has_limits = 1;
  link.joint.upper = ENDLESS;
  link.joint.effort = 5;
  link.joint.friction = 0.25;
  link.joint.stiffness = 2;
  link.joint.spring_reference = 0.1;
  add_link(b, &link);
  ff_shape_def hull = ff_shape_def_default(), mesh = ff_shape_def_default();
  hull.type = FF_SHAPE_HULL;
  hull.vertices = vertices;
  hull.vertex_count = 5;
  hull.name = shape;
  mesh.type = FF_SHAPE_MESH;
  mesh.mesh_file = file;
  mesh.vertices = vertices; // not used by a mesh, so not kept
  mesh.vertex_count = 5;
  assert_int_equal(ff_builder_add_shape(b, 0, &hull, NULL), FF_OK);
  assert_int_equal(ff_builder_add_shape(b, FF_WORLD, &mesh, NULL), FF_OK);
  ff_actuator_def def = ff_actuator_def_default();
  def.name = motor;
  def.type = FF_ACTUATOR_POSITION;
  def.kp = 3;
  def.gear = 2;
  assert_int_equal(ff_builder_add_actuator(b, &def, NULL), FF_OK);
  assert_int_equal(ff_builder_set_posture(b, posture, 0, q, 1, NULL), FF_OK);
  text[0] = joint[0] = file[0] = motor[0] = shape[0] = posture[0] = '#';
  vertices[3] = q[0] = 77;
  ff_model *model = finish(b);

  ff_joint_info j;
  ff_model_joint(model, 0, &j);
  assert_string_equal(j.name, "joint");
  assert_true(j.axis[2] == -1 && j.axis[0] == 0);
  assert_true(j.has_limits && j.upper == ENDLESS && j.effort == 5 && j.velocity == ENDLESS);
  assert_true(j.friction == 0.25 && j.stiffness == 2 && j.spring_reference == 0.1);
  ff_shape_info s;
  ff_model_shape(model, 0, &s);
  assert_string_equal(s.def.name, "shape");
  assert_true(s.link == 0 && s.frame == 1 && s.def.vertices[3] == 1 && s.def.vertex_count == 5);
  ff_model_shape(model, 1, &s);
  assert_string_equal(s.def.mesh_file, "m.stl");
  assert_null(s.def.vertices);
  assert_null(s.def.name);
  assert_true(s.link == -1 && s.frame == 0 && s.def.vertex_count == 0);
  ff_actuator_info a;
  ff_model_actuator(model, 0, &a);
  assert_string_equal(a.name, "motor");
  assert_true(a.type == FF_ACTUATOR_POSITION && a.joint == 0 && a.kp == 3 && a.gear == 2);
  assert_int_equal(ff_model_find_posture(model, "pose"), 0);
  assert_true(ff_model_posture(model, 0)[0] == 0.5);
  ff_frame_info f;
  ff_model_frame(model, 0, &f);
  assert_string_equal(f.name, "world");
  assert_true(f.joint == -1 && f.link == -1);
  ff_model_frame(model, 1, &f);
  assert_true(f.joint == 0 && f.link == 0);
  ff_model_destroy(model);
}

static void indices_out_of_range_are_refused(void **state)
{
  (void)state;
  ff_model *model = finish(started_builder());
  ff_joint_info j;
  ff_link_info l;
  ff_frame_info f;
  ff_shape_info s;
  ff_actuator_info a;
  const int bad[] = {-1, 100, INT32_MAX, INT32_MIN};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i) {
    assert_int_equal(ff_model_joint(model, bad[i], &j), FF_ERROR_ARGUMENT);
    assert_int_equal(ff_model_link(model, bad[i], &l), FF_ERROR_ARGUMENT);
    assert_int_equal(ff_model_frame(model, bad[i], &f), FF_ERROR_ARGUMENT);
    assert_int_equal(ff_model_shape(model, bad[i], &s), FF_ERROR_ARGUMENT);
    assert_int_equal(ff_model_actuator(model, bad[i], &a), FF_ERROR_ARGUMENT);
    assert_null(ff_model_warning(model, bad[i]));
    assert_null(ff_model_posture(model, bad[i]));
    assert_null(ff_model_posture_name(model, bad[i]));
  }
  assert_int_equal(ff_model_joint(model, 0, NULL), FF_ERROR_ARGUMENT);
  assert_int_equal(ff_model_link(model, 0, NULL), FF_ERROR_ARGUMENT);
  assert_int_equal(ff_model_frame(model, 0, NULL), FF_ERROR_ARGUMENT);
  assert_int_equal(ff_model_shape(model, 0, NULL), FF_ERROR_ARGUMENT);
  assert_int_equal(ff_model_actuator(model, 0, NULL), FF_ERROR_ARGUMENT);
  assert_int_equal(ff_model_joint(NULL, 0, &j), FF_ERROR_ARGUMENT);
  assert_int_equal(ff_model_link(NULL, 0, &l), FF_ERROR_ARGUMENT);
  assert_int_equal(ff_model_frame(NULL, 0, &f), FF_ERROR_ARGUMENT);
  assert_int_equal(ff_model_shape(NULL, 0, &s), FF_ERROR_ARGUMENT);
  assert_int_equal(ff_model_actuator(NULL, 0, &a), FF_ERROR_ARGUMENT);
  const char *absent[] = {"", "nobody", "zzz", "A", NULL};
  for (size_t i = 0; i < sizeof absent / sizeof *absent; ++i) {
    assert_int_equal(ff_model_find_joint(model, absent[i]), -1);
    assert_int_equal(ff_model_find_link(model, absent[i]), -1);
    assert_int_equal(ff_model_find_frame(model, absent[i]), -1);
    assert_int_equal(ff_model_find_posture(model, absent[i]), -1);
  }
  assert_int_equal(ff_model_find_link(model, "world"), -1);
  assert_int_equal(ff_model_find_link(model, "tip"), -1); // a frame, no link
  assert_int_equal(ff_model_find_frame(model, "world"), 0);
  ff_model_destroy(model);
}

static void axes_of_every_length_have_a_direction(void **state)
{
  (void)state;
  const double lengths[] = {1, 5e-324, 1e-300, 1e300, 3};
  for (size_t i = 0; i < sizeof lengths / sizeof *lengths; ++i) {
    ff_builder *b = new_builder();
    ff_link_def def = solid_link("a", FF_WORLD, NULL, FF_JOINT_REVOLUTE);
    ff_joint_info j;
    def.joint.axis[0] = def.joint.axis[1] = def.joint.axis[2] = -lengths[i];
    add_link(b, &def);
    ff_model *model = finish(b);
    ff_model_joint(model, 0, &j);
    for (int k = 0; k < 3; ++k)
      assert_near(j.axis[k], -1 / sqrt(3), 2 * EPS);
    ff_model_destroy(model);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(limits_that_make_no_sense_are_dropped_with_a_warning),
      cmocka_unit_test(warnings_are_kept_in_order),
      cmocka_unit_test(a_builder_goes_on_after_finishing),
      cmocka_unit_test(everything_given_is_copied),
      cmocka_unit_test(indices_out_of_range_are_refused),
      cmocka_unit_test(axes_of_every_length_have_a_direction),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
