// Elements of a model in a sim: their order, which of them gives a joint its stop, and how to leave them out.
#include "sim/toys.h"

#include <math.h>

// Two hinges in a row, "j0" and "j1", both with limits +-1.
static ff_builder *two_hinges(void)
{
  ff_builder *b = ffi_must_begin("arm");
  for (int i = 0; i < 2; ++i) {
    ff_link_def link = ff_link_def_default();
    link.name = i ? "l1" : "l0";
    link.parent = i - 1;
    link.joint.name = i ? "j1" : "j0";
    link.joint.type = FF_JOINT_REVOLUTE;
    link.joint.axis[2] = 1;
    link.joint.has_limits = 1;
    link.joint.lower = -1;
    link.joint.upper = 1;
    link.inertia.mass = 1;
    link.inertia.matrix[0] = link.inertia.matrix[3] = link.inertia.matrix[5] = 1;
    ffi_must_add_link(b, &link);
  }
  return b;
}

static ff_element_def element(const char *name, ff_element_type type, double stiffness)
{
  ff_element_def def = ff_element_def_default();
  def.name = name;
  def.type = type;
  def.stiffness = stiffness;
  return def;
}

static void add(ff_builder *b, const ff_element_def *def, const char *on, const char *to)
{
  ff_error error;
  ffi_must(ff_builder_add_element(b, def, on, to, &error), &error);
}

static void expect_names(const ff_model *model, const ff_sim_def *def, const char *const *names)
{
  ff_sim *sim = ffi_must_sim(model, def);
  int count = 0;
  for (; names[count]; ++count) {
    ff_element_def e;
    if (ff_sim_element(sim, count, &e) != FF_OK)
      fail_msg("there is no element %d, '%s'", count, names[count]);
    assert_string_equal(e.name, names[count]);
    assert_int_equal(ff_sim_find_element(sim, names[count]), count);
  }
  assert_int_equal(ff_sim_element_count(sim), count);
  ff_sim_destroy(sim);
}

static void the_models_come_first(void **state)
{
  (void)state;
  ff_builder *b = two_hinges();
  const ff_element_def tie = element("tie", FF_ELEMENT_POINT, 10),
                       pull = element("pull", FF_ELEMENT_JOINT_PD, 5);
  add(b, &tie, "l1", "world");
  add(b, &pull, "j1", NULL);
  ff_model *model = ffi_must_finish(b);
  ff_element_def listed = element("listed", FF_ELEMENT_JOINT_PD, 1);
  listed.joint = 0;
  ff_sim_def def = ff_sim_def_default();
  def.elements = &listed;
  def.element_count = 1;
  expect_names(model, &def, (const char *const[]){"j0_limit", "j1_limit", "tie", "pull", "listed", NULL});
  def.model_elements = 0;
  expect_names(model, &def, (const char *const[]){"listed", NULL});

  def.model_elements = 1;
  ff_sim *sim = ffi_must_sim(model, &def); // they are motors like others
  assert_int_equal(ff_sim_find_motor(sim, ff_model_find_joint(model, "j1")),
                   ff_sim_find_element(sim, "pull"));
  assert_int_equal(ff_sim_set_reference(sim, ff_sim_find_element(sim, "pull"), 0.25, 0), FF_OK);
  double force;
  assert_int_equal(ff_sim_element_force(sim, ff_sim_find_element(sim, "pull"), &force), FF_OK);
  ffi_check_near("pull", force, 5 * 0.25, 1e-15);
  ff_sim_destroy(sim);
  ff_model_destroy(model);
}

// Which stop a joint has: its own, or the model's element, or the one listed. Never two.
static void a_joint_has_one_stop(void **state)
{
  (void)state;
  ff_builder *b = two_hinges();
  const ff_element_def stop = element("stop", FF_ELEMENT_JOINT_LIMIT, 700);
  add(b, &stop, "j1", NULL);
  ff_model *model = ffi_must_finish(b);
  ff_sim_def def = ff_sim_def_default();
  expect_names(model, &def, (const char *const[]){"j0_limit", "stop", NULL});

  ff_element_def e,
      listed[2] = {element("first", FF_ELEMENT_JOINT_LIMIT, 1), element("second", FF_ELEMENT_JOINT_LIMIT, 2)};
  assert_int_equal(ff_model_element(model, 0, &e), FF_OK);
  assert_true(e.lower == -1 && e.upper == 1 && e.stiffness == 700); // the joint's own range
  for (int i = 0; i < 2; ++i) {
    listed[i].joint = ff_model_find_joint(model, i ? "j1" : "j0");
    listed[i].upper = 0.5;
  }
  def.elements = listed;
  def.element_count = 1;
  expect_names(model, &def, (const char *const[]){"stop", "first", NULL});
  def.element_count = 2;
  expect_names(model, &def, (const char *const[]){"first", "second", NULL});
  def.elements = listed + 1;
  def.element_count = 1;
  expect_names(model, &def, (const char *const[]){"j0_limit", "second", NULL});
  ff_model_destroy(model);
}

// Two stops in one list for one joint: the error names both, and the joint.
static void two_stops_for_a_joint_are_refused(void **state)
{
  (void)state;
  ff_builder *b = two_hinges();
  ff_element_def soft = element("soft", FF_ELEMENT_JOINT_LIMIT, 1),
                 hard = element("hard", FF_ELEMENT_JOINT_LIMIT, 2);
  ff_error error = {.message = ""};
  add(b, &soft, "j1", NULL);
  assert_int_equal(ff_builder_add_element(b, &hard, "j1", NULL, &error), FF_ERROR_MODEL);
  assert_non_null(strstr(error.message, "element 'hard': element 'soft' is already the stop of joint 'j1'"));
  add(b, &hard, "j0", NULL);
  ff_model *model = ffi_must_finish(b);
  ff_element_def listed[3] = {soft, element("pd", FF_ELEMENT_JOINT_PD, 1), hard};
  ff_sim_def def = ff_sim_def_default();
  ff_sim *sim = NULL;
  def.elements = listed;
  def.element_count = 3;
  for (int i = 0; i < 3; ++i)
    listed[i].joint = ff_model_find_joint(model, "j0"), listed[i].upper = 1;
  assert_int_equal(ff_sim_create(model, &def, &sim, &error), FF_ERROR_ARGUMENT);
  assert_non_null(strstr(error.message, "element 'hard': element 'soft' is already the stop of joint 'j0'"));
  listed[0].name = listed[2].name = NULL;
  assert_int_equal(ff_sim_create(model, &def, &sim, &error), FF_ERROR_ARGUMENT);
  assert_non_null(strstr(error.message, "element 2: element 0 is already the stop of joint 'j0'"));
  listed[2].joint = ff_model_find_joint(model, "j1");
  sim = ffi_must_sim(model, &def);
  ff_sim_destroy(sim);
  ff_model_destroy(model);
}

// A stop of the model's own throws a wheel back as the closed form says, v sqrt(I / K) deep.
static void a_stop_of_the_model_acts(void **state)
{
  (void)state;
  ff_builder *b;
  ff_error error;
  ffi_must(ff_builder_create("wheel", &b, &error), &error);
  ff_link_def wheel = ff_link_def_default();
  const double I = 0.5, K = 2e3, speed = 2;
  wheel.name = "wheel";
  wheel.joint.type = FF_JOINT_CONTINUOUS;
  wheel.joint.axis[2] = 1;
  wheel.inertia.mass = 1;
  wheel.inertia.matrix[0] = wheel.inertia.matrix[3] = wheel.inertia.matrix[5] = I;
  ffi_must(ff_builder_add_link(b, &wheel, NULL, &error), &error);
  ff_element_def stop = element("stop", FF_ELEMENT_JOINT_LIMIT, K);
  stop.upper = 0.3;
  add(b, &stop, "wheel", NULL);
  ff_model *model = ffi_must_finish(b);
  ff_sim_def def = ff_sim_def_default();
  def.dt = 1e-4;
  ff_sim *sim = ffi_must_sim(model, &def);
  const double q = 0, v = speed;
  double deepest = 0;
  assert_int_equal(ff_sim_reset(sim, &q, &v, NULL), FF_OK);
  for (int k = 0; k < 4000; ++k) {
    ffi_must_run(sim, 1, NULL);
    deepest = fmax(deepest, ff_sim_q(sim)[0] - 0.3);
  }
  ffi_check_near("depth", deepest, speed * sqrt(I / K), 1e-3 * speed * sqrt(I / K));
  ffi_check_near("rate", ff_sim_v(sim)[0], -speed, 1e-6);
  ff_sim_destroy(sim);
  ff_model_destroy(model);
}

static void a_model_without_its_own_has_none(void **state)
{
  (void)state;
  ff_model *model = ffi_must_finish(two_hinges());
  ff_element_def e;
  assert_int_equal(ff_model_get_size(model).elements, 0);
  assert_int_equal(ff_model_element(model, 0, &e), FF_ERROR_ARGUMENT);
  assert_int_equal(ff_model_find_element(model, "tie"), -1);
  ff_model_destroy(model);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_models_come_first),
      cmocka_unit_test(a_joint_has_one_stop),
      cmocka_unit_test(two_stops_for_a_joint_are_refused),
      cmocka_unit_test(a_stop_of_the_model_acts),
      cmocka_unit_test(a_model_without_its_own_has_none),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
