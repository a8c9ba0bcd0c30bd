// Every refusal of the builder, with its status and its message, and that it leaves no trace.
#include "model/forest.h"

#include "base/fail.h"

#define NOT_A_NUMBER ((double)NAN)
#define ENDLESS ((double)INFINITY)

// ---- Links: one change each to a link that is fine --------------------------------------------------------

typedef struct bad_link {
  const char *what;
  void (*spoil)(ff_link_def *def);
  ff_status status;
  const char *words[2]; // both in the message
} bad_link;

static char LONG_NAME[FF_MAX_NAME + 2];

#define SPOIL(name, change)                                                                                  \
  static void name(ff_link_def *def)                                                                         \
  {                                                                                                          \
    change;                                                                                                  \
  }
SPOIL(no_name, def->name = NULL)
SPOIL(empty_name, def->name = "")
SPOIL(newline_name, def->name = "a\nb")
SPOIL(delete_name, def->name = "a\x7f")
SPOIL(long_name, def->name = LONG_NAME)
SPOIL(world_name, def->name = "world")
SPOIL(taken_name, def->name = "base")
SPOIL(frame_name, def->name = "tip")
SPOIL(empty_joint, def->joint.name = "")
SPOIL(tab_joint, def->joint.name = "\t")
SPOIL(taken_joint, def->joint.name = "root")
SPOIL(long_joint, def->joint.name = LONG_NAME)
SPOIL(no_parent, def->parent = 7)
SPOIL(own_parent, def->parent = 1)
SPOIL(negative_parent, def->parent = -2)
SPOIL(no_type, def->joint.type = (ff_joint_type)42)
SPOIL(negative_type, def->joint.type = (ff_joint_type)-1)
SPOIL(nan_position, def->joint.pose.position[1] = NOT_A_NUMBER)
SPOIL(endless_position, def->joint.pose.position[1] = -ENDLESS)
SPOIL(nan_quaternion, def->joint.pose.quaternion[0] = NOT_A_NUMBER)
SPOIL(zero_quaternion, def->joint.pose.quaternion[3] = 0)
SPOIL(zero_axis, def->joint.axis[2] = 0)
SPOIL(nan_axis, def->joint.axis[0] = NOT_A_NUMBER)
SPOIL(endless_axis, def->joint.axis[0] = ENDLESS)
SPOIL(zero_normal, (def->joint.type = FF_JOINT_PLANAR, def->joint.axis[2] = 0))
SPOIL(crossed_limits, (def->joint.has_limits = 1, def->joint.lower = 1, def->joint.upper = -1))
SPOIL(nan_limit, (def->joint.has_limits = 1, def->joint.upper = NOT_A_NUMBER))
SPOIL(negative_effort, def->joint.effort = -1)
SPOIL(nan_effort, def->joint.effort = NOT_A_NUMBER)
SPOIL(negative_velocity, def->joint.velocity = -1)
SPOIL(negative_damping, def->joint.damping = -1)
SPOIL(endless_damping, def->joint.damping = ENDLESS)
SPOIL(negative_friction, def->joint.friction = -1)
SPOIL(negative_armature, def->joint.armature = -1)
SPOIL(nan_armature, def->joint.armature = NOT_A_NUMBER)
SPOIL(negative_stiffness, def->joint.stiffness = -1)
SPOIL(nan_reference, def->joint.spring_reference = NOT_A_NUMBER)
SPOIL(free_child, def->joint.type = FF_JOINT_FREE)
SPOIL(negative_mass, def->inertia.mass = -2.5)
SPOIL(nan_mass, def->inertia.mass = NOT_A_NUMBER)
SPOIL(endless_mass, def->inertia.mass = ENDLESS)
SPOIL(nan_com, def->inertia.com[2] = NOT_A_NUMBER)
SPOIL(endless_inertia, def->inertia.matrix[4] = ENDLESS)

static const bad_link BAD_LINKS[] = {
    {"no name", no_name, FF_ERROR_ARGUMENT, {"link", "no name"}},
    {"empty name", empty_name, FF_ERROR_MODEL, {"link", "empty"}},
    {"newline", newline_name, FF_ERROR_MODEL, {"link 'a b'", "control character"}},
    {"delete", delete_name, FF_ERROR_MODEL, {"link", "control character"}},
    {"long name", long_name, FF_ERROR_LIMIT, {"link 'nnn", "longer than 1024"}},
    {"world", world_name, FF_ERROR_MODEL, {"link 'world'", "world's own frame"}},
    {"taken", taken_name, FF_ERROR_MODEL, {"link 'base'", "already a link or frame"}},
    {"taken by frame", frame_name, FF_ERROR_MODEL, {"link 'tip'", "already a link or frame"}},
    {"empty joint", empty_joint, FF_ERROR_MODEL, {"joint", "empty"}},
    {"tab joint", tab_joint, FF_ERROR_MODEL, {"joint", "control character"}},
    {"taken joint", taken_joint, FF_ERROR_MODEL, {"joint 'root'", "already a joint"}},
    {"long joint", long_joint, FF_ERROR_LIMIT, {"joint 'nnn", "longer than 1024"}},
    {"no parent", no_parent, FF_ERROR_ARGUMENT, {"link 'arm'", "no link 7"}},
    {"own parent", own_parent, FF_ERROR_ARGUMENT, {"link 'arm'", "no link 1"}},
    {"parent -2", negative_parent, FF_ERROR_ARGUMENT, {"link 'arm'", "no link -2"}},
    {"no type", no_type, FF_ERROR_ARGUMENT, {"joint 'elbow'", "no joint type 42"}},
    {"type -1", negative_type, FF_ERROR_ARGUMENT, {"joint 'elbow'", "no joint type -1"}},
    {"nan position", nan_position, FF_ERROR_MODEL, {"joint 'elbow'", "pose"}},
    {"endless position", endless_position, FF_ERROR_MODEL, {"joint 'elbow'", "not finite"}},
    {"nan quaternion", nan_quaternion, FF_ERROR_MODEL, {"joint 'elbow'", "not finite"}},
    {"zero quaternion", zero_quaternion, FF_ERROR_MODEL, {"joint 'elbow'", "quaternion of its pose is zero"}},
    {"zero axis", zero_axis, FF_ERROR_MODEL, {"joint 'elbow'", "axis is zero"}},
    {"nan axis", nan_axis, FF_ERROR_MODEL, {"joint 'elbow'", "axis is not finite"}},
    {"endless axis", endless_axis, FF_ERROR_MODEL, {"joint 'elbow'", "axis is not finite"}},
    {"zero normal", zero_normal, FF_ERROR_MODEL, {"joint 'elbow'", "axis is zero"}},
    {"crossed limits",
     crossed_limits,
     FF_ERROR_MODEL,
     {"joint 'elbow'", "lower limit 1 is above its upper limit -1"}},
    {"nan limit", nan_limit, FF_ERROR_MODEL, {"joint 'elbow'", "limit is not a number"}},
    {"negative effort", negative_effort, FF_ERROR_MODEL, {"joint 'elbow'", "effort must be >= 0 (it is -1)"}},
    {"nan effort", nan_effort, FF_ERROR_MODEL, {"joint 'elbow'", "effort"}},
    {"negative velocity", negative_velocity, FF_ERROR_MODEL, {"joint 'elbow'", "velocity must"}},
    {"negative damping", negative_damping, FF_ERROR_MODEL, {"joint 'elbow'", "damping must"}},
    {"endless damping", endless_damping, FF_ERROR_MODEL, {"joint 'elbow'", "damping must be finite"}},
    {"negative friction", negative_friction, FF_ERROR_MODEL, {"joint 'elbow'", "friction must"}},
    {"negative armature", negative_armature, FF_ERROR_MODEL, {"joint 'elbow'", "armature must"}},
    {"nan armature", nan_armature, FF_ERROR_MODEL, {"joint 'elbow'", "armature must"}},
    {"negative stiffness", negative_stiffness, FF_ERROR_MODEL, {"joint 'elbow'", "stiffness must"}},
    {"nan reference", nan_reference, FF_ERROR_MODEL, {"joint 'elbow'", "spring_reference"}},
    {"free child", free_child, FF_ERROR_UNSUPPORTED, {"joint 'elbow'", "free joints are supported only"}},
    {"negative mass", negative_mass, FF_ERROR_MODEL, {"link 'arm'", "mass is negative: -2.5 kg"}},
    {"nan mass", nan_mass, FF_ERROR_MODEL, {"link 'arm'", "mass is not finite"}},
    {"endless mass", endless_mass, FF_ERROR_MODEL, {"link 'arm'", "mass is not finite"}},
    {"nan com", nan_com, FF_ERROR_MODEL, {"link 'arm'", "centre of mass"}},
    {"endless inertia", endless_inertia, FF_ERROR_MODEL, {"link 'arm'", "inertia matrix"}},
};

static void expect(const char *what, ff_status status, const ff_error *error, ff_status want,
                   const char *const words[2])
{
  int ok = status == want && error->status == want;
  for (int i = 0; i < 2; ++i)
    ok = ok && (!words[i] || strstr(error->message, words[i]));
  if (!ok)
    fail_msg("%s: status %d (wanted %d), message '%s'", what, (int)status, (int)want, error->message);
  assert_true(strncmp(error->message, "robot.xml:17: ", 14) == 0);
  assert_int_equal(error->line, 17);
  assert_string_equal(error->file, "robot.xml");
}

static void bad_links_are_refused(void **state)
{
  (void)state;
  memset(LONG_NAME, 'n', sizeof LONG_NAME - 1);
  ff_builder *b = started_builder();
  for (size_t i = 0; i < sizeof BAD_LINKS / sizeof *BAD_LINKS; ++i) {
    const bad_link *bad = &BAD_LINKS[i];
    ff_link_def def = solid_link("arm", 0, "elbow", FF_JOINT_REVOLUTE);
    ff_error error = {0};
    int id = 99;
    bad->spoil(&def);
    expect(bad->what, ff_builder_add_link(b, &def, &id, &error), &error, bad->status, bad->words);
    assert_int_equal(id, 99);
    assert_int_not_equal(ff_builder_add_link(b, &def, NULL, NULL), FF_OK);
  }
  // None of them left a trace: the good one is still number 1, and the model has two links and no warnings.
  const ff_link_def good = solid_link("arm", 0, "elbow", FF_JOINT_REVOLUTE);
  assert_int_equal(add_link(b, &good), 1);
  ff_model *model = finish(b);
  assert_int_equal(ff_model_get_size(model).links, 2);
  assert_int_equal(ff_model_get_size(model).warnings, 0);
  ff_model_destroy(model);
}

static void names_up_to_the_limit_are_fine(void **state)
{
  (void)state;
  char name[FF_MAX_NAME + 1] = {0};
  memset(name, 'n', FF_MAX_NAME);
  ff_builder *b = new_builder();
  const ff_link_def def = solid_link(name, FF_WORLD, NULL, FF_JOINT_REVOLUTE);
  add_link(b, &def);
  ff_model *model = finish(b);
  assert_int_equal(ff_model_find_joint(model, name), 0); // the link's name serves for the joint
  assert_int_equal(ff_model_find_link(model, name), 0);
  ff_model_destroy(model);
}

// ---- Shapes, actuators, frames, postures ------------------------------------------------------------------

#define SPOIL_SHAPE(name, change)                                                                            \
  static void name(ff_shape_def *def)                                                                        \
  {                                                                                                          \
    change;                                                                                                  \
  }
static const double CORNERS[12] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, NAN};
SPOIL_SHAPE(zero_radius, def->size[0] = 0)
SPOIL_SHAPE(nan_radius, def->size[0] = NOT_A_NUMBER)
SPOIL_SHAPE(endless_radius, def->size[0] = ENDLESS)
SPOIL_SHAPE(flat_box, (def->type = FF_SHAPE_BOX, def->size[1] = 1))
SPOIL_SHAPE(short_capsule, def->type = FF_SHAPE_CAPSULE)
SPOIL_SHAPE(few_vertices, (def->type = FF_SHAPE_HULL, def->vertices = CORNERS, def->vertex_count = 3))
SPOIL_SHAPE(no_vertices, (def->type = FF_SHAPE_HULL, def->vertex_count = 5))
SPOIL_SHAPE(nan_vertex, (def->type = FF_SHAPE_HULL, def->vertices = CORNERS, def->vertex_count = 4))
SPOIL_SHAPE(many_vertices,
            (def->type = FF_SHAPE_HULL, def->vertices = CORNERS, def->vertex_count = 2000000000))
SPOIL_SHAPE(no_file, def->type = FF_SHAPE_MESH)
SPOIL_SHAPE(zero_scale, (def->type = FF_SHAPE_MESH, def->mesh_file = "m.stl", def->scale[1] = 0))
SPOIL_SHAPE(no_shape_type, def->type = (ff_shape_type)77)
SPOIL_SHAPE(no_purpose, def->purpose = 0)
SPOIL_SHAPE(odd_purpose, def->purpose = 8)
SPOIL_SHAPE(dark_colour, def->rgba[2] = 2)
SPOIL_SHAPE(nan_colour, def->rgba[0] = NOT_A_NUMBER)
SPOIL_SHAPE(soft, def->material.stiffness = 0)
SPOIL_SHAPE(undamped, def->material.damping = -1)
SPOIL_SHAPE(slippery, def->material.friction = NOT_A_NUMBER)
SPOIL_SHAPE(bouncy, def->material.restitution = 1.5)
SPOIL_SHAPE(bouncy_along, def->material.tangential_restitution = -0.1)
SPOIL_SHAPE(shape_pose, def->pose.quaternion[3] = 0)
SPOIL_SHAPE(shape_name, def->name = "a\rb")

static const struct {
  void (*spoil)(ff_shape_def *def);
  ff_status status;
  const char *words;
} BAD_SHAPES[] = {
    {zero_radius, FF_ERROR_MODEL, "size 0 of a sphere must be finite and > 0 (it is 0)"},
    {nan_radius, FF_ERROR_MODEL, "size 0"},
    {endless_radius, FF_ERROR_MODEL, "size 0"},
    {flat_box, FF_ERROR_MODEL, "size 2 of a box"},
    {short_capsule, FF_ERROR_MODEL, "size 1 of a capsule"},
    {few_vertices, FF_ERROR_MODEL, "at least 4 vertices (it has 3)"},
    {no_vertices, FF_ERROR_MODEL, "at least 4 vertices (it has 0)"},
    {nan_vertex, FF_ERROR_MODEL, "vertex of the hull is not finite"},
    {many_vertices, FF_ERROR_LIMIT, "hull of 2000000000 vertices"},
    {no_file, FF_ERROR_MODEL, "name of its file"},
    {zero_scale, FF_ERROR_MODEL, "scale of a mesh"},
    {no_shape_type, FF_ERROR_ARGUMENT, "no shape type 77"},
    {no_purpose, FF_ERROR_ARGUMENT, "0 is not a purpose"},
    {odd_purpose, FF_ERROR_ARGUMENT, "8 is not a purpose"},
    {dark_colour, FF_ERROR_MODEL, "colour must lie in 0..1 (part 2 is 2)"},
    {nan_colour, FF_ERROR_MODEL, "colour"},
    {soft, FF_ERROR_MODEL, "stiffness of its material"},
    {undamped, FF_ERROR_MODEL, "damping of its material"},
    {slippery, FF_ERROR_MODEL, "friction of its material"},
    {bouncy, FF_ERROR_MODEL, "restitution of its material"},
    {bouncy_along, FF_ERROR_MODEL, "tangential restitution of its material"},
    {shape_pose, FF_ERROR_MODEL, "quaternion"},
    {shape_name, FF_ERROR_MODEL, "control character"},
};

static void bad_shapes_are_refused(void **state)
{
  (void)state;
  ff_builder *b = started_builder();
  for (size_t i = 0; i < sizeof BAD_SHAPES / sizeof *BAD_SHAPES; ++i) {
    ff_shape_def def = ff_shape_def_default();
    ff_error error = {0};
    const char *words[2] = {"shape", BAD_SHAPES[i].words};
    def.size[0] = 0.1;
    BAD_SHAPES[i].spoil(&def);
    expect(words[1], ff_builder_add_shape(b, 0, &def, &error), &error, BAD_SHAPES[i].status, words);
  }
  ff_shape_def def = ff_shape_def_default();
  ff_error error = {0};
  const char *words[2] = {"shape", "no link 5"};
  def.size[0] = 0.1;
  expect("link", ff_builder_add_shape(b, 5, &def, &error), &error, FF_ERROR_ARGUMENT, words);
  assert_int_equal(ff_builder_add_shape(b, 0, &def, NULL), FF_OK);
  ff_model *model = finish(b);
  assert_int_equal(ff_model_get_size(model).shapes, 1);
  ff_model_destroy(model);
}

// Its force range ends at 1.
static ff_status drive(ff_builder *b, ff_error *error, int link, double gear, double kp, double low)
{
  ff_actuator_def def = ff_actuator_def_default();
  def.name = "motor";
  def.link = link;
  def.gear = gear;
  def.kp = kp;
  def.force_range[0] = low;
  def.force_range[1] = 1;
  return ff_builder_add_actuator(b, &def, error);
}

static void bad_actuators_are_refused(void **state)
{
  static const char *const words[][2] = {
      {"actuator 'motor'", "no link 9"},
      {"actuator 'motor'", "joint 'root' is free"},
      {"actuator 'motor'", "gear"},
      {"actuator 'motor'", "gains must be"},
      {"actuator 'motor'", "force range 2 to 1"},
      {"actuator 'motor'", "force range"},
      {"actuator", "no actuator type 9"},
      {"actuator", "control range"},
      {"actuator", "empty"},
  };
  (void)state;
  ff_builder *b = started_builder();
  const ff_link_def arm = solid_link("arm", 0, "elbow", FF_JOINT_REVOLUTE);
  add_link(b, &arm);
  ff_error e = {0};
  expect("link", drive(b, &e, 9, 1, 0, 0), &e, FF_ERROR_ARGUMENT, words[0]);
  expect("link", drive(b, &e, 0, 1, 0, 0), &e, FF_ERROR_UNSUPPORTED, words[1]);
  expect("gear", drive(b, &e, 1, NOT_A_NUMBER, 0, 0), &e, FF_ERROR_MODEL, words[2]);
  expect("gain", drive(b, &e, 1, 1, -1, 0), &e, FF_ERROR_MODEL, words[3]);
  expect("range", drive(b, &e, 1, 1, 0, 2), &e, FF_ERROR_MODEL, words[4]);
  expect("range", drive(b, &e, 1, 1, 0, NOT_A_NUMBER), &e, FF_ERROR_MODEL, words[5]);
  ff_actuator_def def = ff_actuator_def_default();
  def.link = 1;
  def.type = (ff_actuator_type)9;
  expect("type", ff_builder_add_actuator(b, &def, &e), &e, FF_ERROR_ARGUMENT, words[6]);
  def.type = FF_ACTUATOR_MOTOR;
  def.control_range[0] = 3;
  def.control_range[1] = 2;
  expect("range", ff_builder_add_actuator(b, &def, &e), &e, FF_ERROR_MODEL, words[7]);
  def.control_range[1] = 4;
  def.name = "";
  expect("name", ff_builder_add_actuator(b, &def, &e), &e, FF_ERROR_MODEL, words[8]);
  def.name = NULL;
  assert_int_equal(ff_builder_add_actuator(b, &def, &e), FF_OK);
  ff_builder_destroy(b);
}

static void bad_frames_and_postures_are_refused(void **state)
{
  static const char *const words[][2] = {
      {"frame 'tip'", "already a link or frame"},
      {"frame 'base'", "already a link or frame"},
      {"frame 'f'", "no link 3"},
      {"frame 'f'", "quaternion"},
      {"frame 'f'", "not finite"},
      {"frame 'world'", "world's own"},
      {"posture 'p'", "no link -1"},
      {"posture 'p'", "joint 'root' has 7 coordinates, not 6"},
      {"posture 'p'", "joint 'root' is not finite"},
      {"posture 'p'", "quaternion of joint 'root' is zero"},
      {"posture", "empty"},
      {"gravity", "not finite"},
  };
  (void)state;
  ff_builder *b = started_builder();
  ff_error e = {0};
  ff_pose one = ff_pose_identity(), zero = {0}, none = ff_pose_identity();
  none.position[0] = NOT_A_NUMBER;
  expect("taken", ff_builder_add_frame(b, 0, "tip", &one, &e), &e, FF_ERROR_MODEL, words[0]);
  expect("taken", ff_builder_add_frame(b, 0, "base", &one, &e), &e, FF_ERROR_MODEL, words[1]);
  expect("link", ff_builder_add_frame(b, 3, "f", &one, &e), &e, FF_ERROR_ARGUMENT, words[2]);
  expect("zero", ff_builder_add_frame(b, 0, "f", &zero, &e), &e, FF_ERROR_MODEL, words[3]);
  expect("nan", ff_builder_add_frame(b, 0, "f", &none, &e), &e, FF_ERROR_MODEL, words[4]);
  expect("world", ff_builder_add_frame(b, FF_WORLD, "world", &one, &e), &e, FF_ERROR_MODEL, words[5]);
  double q[7] = {0, 0, 0, 0, 0, 0, 0};
  expect("link", ff_builder_set_posture(b, "p", -1, q, 7, &e), &e, FF_ERROR_ARGUMENT, words[6]);
  expect("count", ff_builder_set_posture(b, "p", 0, q, 6, &e), &e, FF_ERROR_ARGUMENT, words[7]);
  expect("zero", ff_builder_set_posture(b, "p", 0, q, 7, &e), &e, FF_ERROR_MODEL, words[9]);
  q[2] = ENDLESS;
  expect("nan", ff_builder_set_posture(b, "p", 0, q, 7, &e), &e, FF_ERROR_MODEL, words[8]);
  expect("name", ff_builder_set_posture(b, "", 0, q, 7, &e), &e, FF_ERROR_MODEL, words[10]);
  const double g[3] = {0, 0, NOT_A_NUMBER};
  expect("gravity", ff_builder_set_gravity(b, g, &e), &e, FF_ERROR_MODEL, words[11]);
  ff_model *model = finish(b);
  assert_int_equal(ff_model_get_size(model).postures, 0);
  assert_int_equal(ff_model_get_size(model).frames, 3);
  ff_model_destroy(model);
}

static void nothing_is_a_null_argument(void **state)
{
  (void)state;
  ff_builder *b = new_builder();
  ff_model *model = (ff_model *)(void *)b;
  const ff_pose one = ff_pose_identity();
  const double q[7] = {0};
  assert_int_equal(ff_builder_create("x", NULL, NULL), FF_ERROR_ARGUMENT);
  assert_int_equal(ff_builder_add_link(NULL, NULL, NULL, NULL), FF_ERROR_ARGUMENT);
  assert_int_equal(ff_builder_add_link(b, NULL, NULL, NULL), FF_ERROR_ARGUMENT);
  assert_int_equal(ff_builder_add_frame(NULL, 0, "x", &one, NULL), FF_ERROR_ARGUMENT);
  assert_int_equal(ff_builder_add_frame(b, FF_WORLD, "x", NULL, NULL), FF_ERROR_ARGUMENT);
  assert_int_equal(ff_builder_add_frame(b, FF_WORLD, NULL, &one, NULL), FF_ERROR_ARGUMENT);
  assert_int_equal(ff_builder_add_shape(b, 0, NULL, NULL), FF_ERROR_ARGUMENT);
  assert_int_equal(ff_builder_add_actuator(b, NULL, NULL), FF_ERROR_ARGUMENT);
  assert_int_equal(ff_builder_set_posture(b, NULL, 0, q, 1, NULL), FF_ERROR_ARGUMENT);
  assert_int_equal(ff_builder_set_posture(b, "p", 0, NULL, 1, NULL), FF_ERROR_ARGUMENT);
  assert_int_equal(ff_builder_set_gravity(b, NULL, NULL), FF_ERROR_ARGUMENT);
  assert_int_equal(ff_builder_add_warning(b, NULL, NULL), FF_ERROR_ARGUMENT);
  assert_int_equal(ff_builder_finish(NULL, &model, NULL), FF_ERROR_ARGUMENT);
  assert_null(model);
  assert_int_equal(ff_builder_finish(b, NULL, NULL), FF_ERROR_ARGUMENT);
  ff_builder_set_source(NULL, "x", 1);
  ff_builder_destroy(NULL);
  ff_model_destroy(NULL);
  ff_builder_destroy(b);
}

static void a_model_needs_a_name_and_a_link(void **state)
{
  (void)state;
  ff_error e = {0};
  ff_builder *b = NULL;
  ff_model *model = NULL;
  assert_int_equal(ff_builder_create(NULL, &b, &e), FF_ERROR_ARGUMENT);
  assert_null(b);
  assert_int_equal(ff_builder_create("", &b, &e), FF_ERROR_MODEL);
  assert_non_null(strstr(e.message, "model: its name is empty"));
  assert_int_equal(ff_builder_create("x", &b, &e), FF_OK);
  assert_int_equal(ff_builder_finish(b, &model, &e), FF_ERROR_MODEL);
  assert_non_null(strstr(e.message, "no links"));
  assert_null(model);
  ff_builder_destroy(b);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(bad_links_are_refused),
      cmocka_unit_test(names_up_to_the_limit_are_fine),
      cmocka_unit_test(bad_shapes_are_refused),
      cmocka_unit_test(bad_actuators_are_refused),
      cmocka_unit_test(bad_frames_and_postures_are_refused),
      cmocka_unit_test(nothing_is_a_null_argument),
      cmocka_unit_test(a_model_needs_a_name_and_a_link),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
