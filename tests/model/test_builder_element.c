// Elements of a model: what the builder refuses and with which message, and that names become the model's own joints
// and frames.
#include "model/forest.h"
#include "support/must.h"

#include <footfall/builder.h>

static void add_piece(ff_builder *b, const char *name, int parent, ff_joint_type type)
{
  ff_link_def link = ff_link_def_default();
  ff_error error;
  link.name = name;
  link.parent = parent;
  link.joint.name = name;
  link.joint.type = type;
  link.joint.axis[0] = 1;
  link.joint.has_limits = type == FF_JOINT_REVOLUTE;
  link.joint.lower = -2;
  link.joint.upper = 1;
  link.inertia.mass = 1;
  link.inertia.matrix[0] = link.inertia.matrix[3] = link.inertia.matrix[5] = 0.1;
  ffi_must(ff_builder_add_link(b, &link, NULL, &error), &error);
}

// world - "shelf" (fixed); "zeta" (free) - "hand" (fixed, with frame "tip") and "arm" (hinge); "ball" (spherical) in
// the world. In the model "zeta" is the last of the roots, by its name.
static ff_builder *scene(void)
{
  ff_builder *b;
  ff_error error;
  ffi_must(ff_builder_create("scene", &b, &error), &error);
  add_piece(b, "shelf", FF_WORLD, FF_JOINT_FIXED);
  add_piece(b, "zeta", FF_WORLD, FF_JOINT_FREE);
  add_piece(b, "hand", 1, FF_JOINT_FIXED);
  add_piece(b, "arm", 1, FF_JOINT_REVOLUTE);
  add_piece(b, "ball", FF_WORLD, FF_JOINT_SPHERICAL);
  const ff_pose pose = ff_pose_identity();
  ffi_must(ff_builder_add_frame(b, FF_WORLD, "nail", &pose, &error), &error);
  ffi_must(ff_builder_add_frame(b, 2, "tip", &pose, &error), &error);
  return b;
}

static ff_element_def element(ff_element_type type)
{
  ff_element_def def = ff_element_def_default();
  def.name = "it";
  def.type = type;
  def.stiffness = 10;
  return def;
}

// ---- Refusals ---------------------------------------------------------------------------------------------

typedef struct bad {
  ff_element_type type;
  const char *on, *to, *words;
  double stiffness, angular_damping, effort, reference, lower, upper, offset, axis;
} bad;

#define NAN_ ((double)NAN)
#define INF ((double)INFINITY)
#define FINE .stiffness = 1, .effort = 1, .lower = -INF, .upper = INF

static void every_refusal_says_why(void **state)
{
  static const bad cases[] = {
      {FF_ELEMENT_JOINT_PD, NULL, NULL, "it is on no joint", FINE},
      {FF_ELEMENT_JOINT_PD, "knee", NULL, "there is no joint 'knee'", FINE},
      {FF_ELEMENT_JOINT_PD, "arm", "hand", "has one end; remove the second, 'hand'", FINE},
      {FF_ELEMENT_JOINT_PD, "zeta", NULL, "joint 'zeta' is free; only joints with one coordinate", FINE},
      {FF_ELEMENT_JOINT_LIMIT, "ball", NULL, "can have a joint_limit", FINE},
      {FF_ELEMENT_JOINT_PD, "arm", NULL, "its effort is 0", .stiffness = 1},
      {FF_ELEMENT_JOINT_PD, "arm", NULL, "its effort is nan", .stiffness = 1, .effort = NAN_},
      {FF_ELEMENT_JOINT_PD, "arm", NULL, "is not finite", .stiffness = 1, .effort = 1, .reference = INF},
      {FF_ELEMENT_JOINT_LIMIT, "arm", NULL, "its limits 1 to 0 are not a range", .stiffness = 1, .lower = 1},
      {FF_ELEMENT_JOINT_LIMIT, "arm", NULL, "are not a range", .stiffness = 1, .lower = NAN_, .upper = 1},
      {FF_ELEMENT_JOINT_LIMIT, "arm", NULL, "its stiffness is -1", .stiffness = -1, .lower = -1, .upper = 1},
      {FF_ELEMENT_POINT, "foot", NULL, "there is no link or frame 'foot'", FINE},
      {FF_ELEMENT_POINT, "arm", "", "there is no link or frame ''", FINE},
      {FF_ELEMENT_POINT, NULL, "world", "'world' and 'world', which do not move", FINE},
      {FF_ELEMENT_POINT, "shelf", "nail", "which do not move against each other", FINE},
      {FF_ELEMENT_WELD, "tip", "zeta", "which do not move against each other", FINE},
      {FF_ELEMENT_WELD, "hand", "tip", "which do not move against each other", FINE},
      {FF_ELEMENT_POINT, "arm", NULL, "its stiffness is nan", .stiffness = NAN_},
      {FF_ELEMENT_POINT, "arm", NULL, "its stiffness is inf", .stiffness = INF},
      {FF_ELEMENT_WELD, "arm", NULL, "its angular_damping is -2", .angular_damping = -2},
      {FF_ELEMENT_WELD, "arm", NULL, "the offset of its end b is nan m along y: not finite", .offset = NAN_},
      {FF_ELEMENT_HINGE, "arm", "zeta", "its axis is zero, so it has no direction", FINE},
      {FF_ELEMENT_PLANAR, "arm", "zeta", "its axis is zero, so it has no direction", FINE},
      {FF_ELEMENT_SLIDER, "arm", "zeta", "its axis is zero, so it has no direction", FINE},
      {FF_ELEMENT_SLIDER, "arm", "zeta", "its axis 0 0 nan is not finite", .axis = NAN_},
      {FF_ELEMENT_HINGE, "arm", "zeta", "its axis 0 0 inf is not finite", .axis = INF},
      {FF_ELEMENT_HINGE, "hand", "tip", "which do not move against each other", .axis = 1},
      {FF_ELEMENT_HINGE, "foot", NULL, "there is no link or frame 'foot'", .axis = 1},
      {FF_ELEMENT_HINGE, "arm", NULL, "its stiffness is -1", .axis = 1, .stiffness = -1},
      {FF_ELEMENT_SLIDER, "arm", NULL, "the offset of its end b is inf m along y", .axis = 1, .offset = INF},
      {(ff_element_type)9, "arm", NULL, "there is no element type 9", FINE},
      {(ff_element_type)-1, "arm", NULL, "there is no element type -1", FINE},
  };
  (void)state;
  ff_builder *b = scene();
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
    const bad *c = &cases[i];
    ff_element_def def = element(c->type);
    ff_error error = {0};
    def.stiffness = c->stiffness;
    def.angular_damping = c->angular_damping;
    def.effort = c->effort;
    def.reference = c->reference;
    def.lower = c->lower;
    def.upper = c->upper;
    def.b.offset[1] = c->offset;
    def.axis[2] = c->axis;
    ff_builder_set_source(b, "robot.xml", 7);
    const ff_status status = ff_builder_add_element(b, &def, c->on, c->to, &error);
    const ff_status want = c->type < 0 || c->type > FF_ELEMENT_PLANAR ? FF_ERROR_ARGUMENT : FF_ERROR_MODEL;
    if (status != want || !strstr(error.message, c->words) ||
        !strstr(error.message, "robot.xml:7: element 'it': "))
      fail_msg("%s: status %d, '%s'", c->words, (int)status, error.message);
    assert_int_equal(ff_builder_add_element(b, &def, c->on, c->to, NULL), want);
  }
  ff_model *model; // and nothing of it stays
  ff_error error;
  ffi_must(ff_builder_finish(b, &model, &error), &error);
  assert_int_equal(ff_model_get_size(model).elements, 0);
  ff_model_destroy(model);
  ff_builder_destroy(b);
}

static void names_are_unique(void **state)
{
  (void)state;
  ff_builder *b = scene();
  ff_element_def def = element(FF_ELEMENT_POINT);
  ff_error error;
  ffi_must(ff_builder_add_element(b, &def, "arm", NULL, &error), &error);
  assert_int_equal(ff_builder_add_element(b, &def, "arm", NULL, &error), FF_ERROR_MODEL);
  assert_non_null(strstr(error.message, "there is already an element of this name"));
  def.name = "";
  assert_int_equal(ff_builder_add_element(b, &def, "arm", NULL, &error), FF_ERROR_MODEL);
  def.name = "a\nb";
  assert_int_equal(ff_builder_add_element(b, &def, "arm", NULL, &error), FF_ERROR_MODEL);
  def.name = NULL;
  for (int i = 0; i < 2; ++i)
    ffi_must(ff_builder_add_element(b, &def, "arm", NULL, &error), &error);
  assert_int_equal(ff_builder_add_element(NULL, &def, "arm", NULL, &error), FF_ERROR_ARGUMENT);
  assert_int_equal(ff_builder_add_element(b, NULL, "arm", NULL, &error), FF_ERROR_ARGUMENT);
  ff_builder_destroy(b);
}

// ---- In the model -----------------------------------------------------------------------------------------

static void names_become_the_models_numbers(void **state)
{
  (void)state;
  ff_builder *b = scene();
  ff_error error;
  char name[] = "grip";
  ff_element_def grip = element(FF_ELEMENT_WELD), pull = element(FF_ELEMENT_JOINT_PD),
                 stop = element(FF_ELEMENT_JOINT_LIMIT), string = element(FF_ELEMENT_POINT);
  grip.name = name;
  grip.a.offset[2] = 3;
  grip.a.frame = grip.b.frame = grip.joint = 77; // not looked at
  grip.angular_stiffness = 4;
  grip.angular_damping = 5;
  pull.name = NULL;
  pull.effort = 6;
  stop.name = "stop";
  stop.lower = -1;
  string.name = "string";
  ffi_must(ff_builder_add_element(b, &grip, "tip", "arm", &error), &error);
  ffi_must(ff_builder_add_element(b, &pull, "arm", NULL, &error), &error);
  ffi_must(ff_builder_add_element(b, &stop, "arm", NULL, &error), &error);
  ffi_must(ff_builder_add_element(b, &string, "ball", "nail", &error), &error);
  name[0] = '?'; // the builder has its own copy
  ff_model *model;
  ffi_must(ff_builder_finish(b, &model, &error), &error);
  ff_builder_destroy(b);

  ff_element_def e;
  assert_int_equal(ff_model_get_size(model).elements, 4);
  assert_int_equal(ff_model_element(model, 0, &e), FF_OK);
  assert_string_equal(e.name, "grip");
  assert_int_equal(e.type, FF_ELEMENT_WELD);
  assert_int_equal(e.joint, -1);
  assert_int_equal(e.a.frame, ff_model_find_frame(model, "tip"));
  assert_int_equal(e.b.frame, ff_model_find_frame(model, "arm"));
  assert_true(e.a.offset[2] == 3 && e.stiffness == 10 && e.angular_stiffness == 4 && e.angular_damping == 5);
  assert_int_equal(ff_model_element(model, 1, &e), FF_OK);
  assert_null(e.name);
  assert_int_equal(e.joint, ff_model_find_joint(model, "arm"));
  assert_true(e.effort == 6 && e.a.frame == 0 && e.b.frame == 0);
  assert_int_equal(ff_model_element(model, 2, &e), FF_OK);
  assert_true(e.lower == -1 && e.upper == INF); // one is given, so the other is none
  assert_int_equal(ff_model_element(model, 3, &e), FF_OK);
  assert_int_equal(e.a.frame, ff_model_find_frame(model, "ball"));
  assert_int_equal(e.b.frame, ff_model_find_frame(model, "nail"));

  assert_int_equal(ff_model_find_element(model, "string"), 3);
  assert_int_equal(ff_model_find_element(model, NULL), -1);
  assert_int_equal(ff_model_element(model, 4, &e), FF_ERROR_ARGUMENT);
  assert_int_equal(ff_model_element(model, -1, &e), FF_ERROR_ARGUMENT);
  assert_int_equal(ff_model_element(model, 0, NULL), FF_ERROR_ARGUMENT);
  assert_int_equal(ff_model_element(NULL, 0, &e), FF_ERROR_ARGUMENT);
  ff_model_destroy(model);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_refusal_says_why),
      cmocka_unit_test(names_are_unique),
      cmocka_unit_test(names_become_the_models_numbers),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
