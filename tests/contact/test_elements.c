// Laws of joint elements, number by number, and the list that a sim gets.
#include "contact/element/elements.h"

#include <footfall/builder.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static ffi_joint_law_row law(const ff_element_def *def, double reference, double velocity, double q, double v)
{
  ffi_joint_law_row row;
  memset(&row, 0x5a, sizeof row);
  ffi_joint_law(def, reference, velocity, q, v, &row);
  return row;
}

typedef struct row_wanted {
  int regime;
  double K, B, x, u, force;
} row_wanted;

static void expect(ffi_joint_law_row row, row_wanted want)
{
  assert_int_equal(row.regime, want.regime);
  assert_true(row.K == want.K && row.B == want.B);
  assert_true(fabs(row.x - want.x) <= 1e-15 && fabs(row.u - want.u) <= 1e-15);
  assert_true(fabs(row.force - want.force) <= 1e-13);
}

static void a_motor_is_linear_until_it_saturates(void **state)
{
  (void)state;
  ff_element_def def = ff_element_def_default();
  def.stiffness = 10;
  def.damping = 2;
  expect(law(&def, 1, 0.5, 1.25, 1), (row_wanted){0, 10, 2, 0.25, 0.5, -3.5});
  expect(law(&def, 1, 0.5, -99, 1), (row_wanted){0, 10, 2, -100, 0.5, 999}); // no limit by default
  def.effort = 3;
  expect(law(&def, 1, 0.5, 1.25, 1), (row_wanted){-1, 0, 0, 0.25, 0.5, -3});
  expect(law(&def, 1, 0.5, 0.75, 0), (row_wanted){1, 0, 0, -0.25, -0.5, 3});
  expect(law(&def, 1, 0, 0.75, 0), (row_wanted){0, 10, 2, -0.25, 0, 2.5});
  def.effort = 2.5;
  // at its effort it is not beyond it
  expect(law(&def, 1, 0, 0.75, 0), (row_wanted){0, 10, 2, -0.25, 0, 2.5});
}

static void a_stop_pushes_and_never_pulls(void **state)
{
  (void)state;
  ff_element_def def = ff_element_def_default();
  def.type = FF_ELEMENT_JOINT_LIMIT;
  def.stiffness = 100;
  def.damping = 5;
  def.lower = -1;
  def.upper = 2;
  expect(law(&def, 0, 0, 0, 3), (row_wanted){0, 0, 0, 1, 3, 0});           // inside, nearer to lower
  expect(law(&def, 0, 0, 1.5, 3), (row_wanted){0, 0, 0, -0.5, 3, 0});      // nearer to upper
  expect(law(&def, 0, 0, 2.25, 0), (row_wanted){1, 100, 5, 0.25, 0, -25}); // beyond
  expect(law(&def, 0, 0, 2.25, 1), (row_wanted){1, 100, 5, 0.25, 1, -30}); // and going on
  expect(law(&def, 0, 0, 2.25, -4), (row_wanted){1, 100, 5, 0.25, -4, -5});
  // leaving so fast that it would be held
  expect(law(&def, 0, 0, 2.25, -6), (row_wanted){0, 0, 0, 0.25, -6, 0});
  expect(law(&def, 0, 0, -1.5, 0), (row_wanted){-1, 100, 5, -0.5, 0, 50});
  expect(law(&def, 0, 0, -1.5, -2), (row_wanted){-1, 100, 5, -0.5, -2, 60});
  expect(law(&def, 0, 0, -1.5, 11), (row_wanted){0, 0, 0, -0.5, 11, 0});
  expect(law(&def, 0, 0, 2, 1), (row_wanted){0, 0, 0, 0, 1, 0}); // on it is not beyond it
  def.lower = -(double)INFINITY;
  expect(law(&def, 0, 0, -1e6, 0), (row_wanted){0, 0, 0, -1e6 - 2, 0, 0}); // only one
  def.lower = def.upper = 0.5;
  expect(law(&def, 0, 0, 0.25, 0), (row_wanted){-1, 100, 5, -0.25, 0, 25}); // both the same: a spring
  expect(law(&def, 0, 0, 0.75, 0), (row_wanted){1, 100, 5, 0.25, 0, -25});
}

// joint-friction.md, eqs 1 to 3. A joint sticks with T = K e - B v while that is within its friction; sliding, it
// obeys K e + B e' = F sign T, which Runge and Kutta integrate here in steps of a fiftieth of B/K.
static void a_joint_with_friction_sticks_and_slides(void **state)
{
  (void)state;
  ff_element_def def = ff_element_def_default();
  def.type = FF_ELEMENT_JOINT_FRICTION;
  def.stiffness = 40;
  def.damping = 5;
  def.effort = 3;
  expect(law(&def, 0.1, 0, 7, 0.5), (row_wanted){0, 40, 5, -0.1, 0.5, 1.5});
  expect(law(&def, 0.05, 0, 7, -0.3), (row_wanted){1, 0, 0, -0.05, -0.3, 3});
  expect(law(&def, 0.05, 0, 7, 1.1), (row_wanted){-1, 0, 0, -0.05, 1.1, -3});
  assert_true(fabs(ffi_joint_law_elongation(&def, 0, 0.04, 0.015, 0.3) - 0.025) < 1e-16);
  for (int side = -1; side <= 1; side += 2)
    for (int start = 0; start < 3; ++start) {
      const double force = side * def.effort, h = 0.0025;
      double e = -0.03 + 0.05 * start;
      const double first = e;
      for (int k = 1; k <= 200; ++k) {
        const double a = (force - def.stiffness * e) / def.damping,
                     b = (force - def.stiffness * (e + h / 2 * a)) / def.damping,
                     c = (force - def.stiffness * (e + h / 2 * b)) / def.damping,
                     d = (force - def.stiffness * (e + h * c)) / def.damping;
        e += h / 6 * (a + 2 * b + 2 * c + d);
        const double got = ffi_joint_law_elongation(&def, side, first, 0.2, k * h);
        if (!(fabs(got - e) <= 1e-9)) // the error of these steps is below (h K/B)^5/120 of 0.2
          fail_msg("side %d, from %g, after %g s: %.12g and not %.12g", side, first, k * h, got, e);
      }
    }
}

static void names_of_types(void **state)
{
  (void)state;
  assert_string_equal(ff_element_type_name(FF_ELEMENT_JOINT_PD), "joint_pd");
  assert_string_equal(ff_element_type_name(FF_ELEMENT_JOINT_LIMIT), "joint_limit");
  assert_string_equal(ff_element_type_name(FF_ELEMENT_POINT), "point");
  assert_string_equal(ff_element_type_name(FF_ELEMENT_WELD), "weld");
  assert_string_equal(ff_element_type_name(FF_ELEMENT_HINGE), "hinge");
  assert_string_equal(ff_element_type_name(FF_ELEMENT_SLIDER), "slider");
  assert_string_equal(ff_element_type_name(FF_ELEMENT_PLANAR), "planar");
  assert_string_equal(ff_element_type_name((ff_element_type)9), "unknown");
}

// A hinge behind a loose body: its places in q and v are not the joint's number.
static ff_model *hinge_on_a_boat(double gear, double kp)
{
  ff_builder *b;
  ff_model *model;
  ff_link_def link = ff_link_def_default();
  assert_int_equal(ff_builder_create("boat", &b, NULL), FF_OK);
  link.name = "boat";
  link.joint.type = FF_JOINT_FREE;
  link.inertia = (ff_inertia){.mass = 1, .matrix = {1, 0, 0, 1, 0, 1}};
  assert_int_equal(ff_builder_add_link(b, &link, NULL, NULL), FF_OK);
  link.name = "mast";
  link.parent = 0;
  link.joint.type = FF_JOINT_REVOLUTE;
  link.joint.axis[0] = 1;
  link.joint.stiffness = 2;
  assert_int_equal(ff_builder_add_link(b, &link, NULL, NULL), FF_OK);
  ff_actuator_def servo = ff_actuator_def_default();
  servo.name = "servo";
  servo.type = FF_ACTUATOR_POSITION;
  servo.link = 1;
  servo.gear = gear;
  servo.kp = kp;
  assert_int_equal(ff_builder_add_actuator(b, &servo, NULL), FF_OK);
  assert_int_equal(ff_builder_finish(b, &model, NULL), FF_OK);
  ff_builder_destroy(b);
  return model;
}

static void the_list_knows_places_and_owns_names(void **state)
{
  (void)state;
  ff_model *model = hinge_on_a_boat(1, 5);
  char name[] = "mine";
  ff_element_def mine = ff_element_def_default();
  mine.name = name;
  mine.type = FF_ELEMENT_POINT;
  mine.a.frame = 1;
  ff_sim_def def = {
      .model_elements = 1, .elements = &mine, .element_count = 1, .limit_stiffness = 1, .limit_damping = 1};
  ffi_elements elements;
  assert_int_equal(ffi_elements_create(model, &def, &elements, NULL), FF_OK);
  memset(name, 'x', 4);
  const ffi_element *e = elements.items;
  assert_int_equal(elements.count, 3);
  assert_int_equal(elements.law_count, 3);
  assert_string_equal(e[0].def.name, "mast_spring");
  assert_string_equal(e[1].def.name, "servo");
  assert_string_equal(e[2].def.name, "mine");
  assert_true(e[0].is_spring && !e[1].is_spring && !e[2].is_spring);
  assert_int_equal(e[1].line.count, 1);
  assert_int_equal(e[1].line.q[0], 7);
  assert_int_equal(e[1].line.v[0], 6);
  assert_int_equal(e[2].line.count, 0);
  ffi_elements_free(&elements);
  ff_model_destroy(model);
}

static void gains_that_overflow_are_refused(void **state)
{
  (void)state;
  ff_model *model = hinge_on_a_boat(1e160, 1);
  const ff_sim_def def = {.model_elements = 1};
  ffi_elements e;
  ff_error error;
  assert_int_equal(ffi_elements_create(model, &def, &e, &error), FF_ERROR_ARGUMENT);
  assert_non_null(strstr(error.message, "element 'servo': its stiffness is inf"));
  assert_non_null(strstr(error.message, "on joint 'mast'"));
  assert_null(e.items);
  assert_int_equal(e.count, 0);
  ffi_elements_free(&e);
  ff_model_destroy(model);
}

// What is rigid is refused by every stepper that has springs only, with the element's name and a way out.
static void springs_hold_nothing_rigid(void **state)
{
  (void)state;
  ff_model *model = hinge_on_a_boat(1, 5);
  static const struct {
    ff_element_type type;
    int is_rigid;
    const char *words; // NULL: taken
  } cases[] = {
      {FF_ELEMENT_HINGE, 0, "element 'knee': it is a rigid hinge"},
      {FF_ELEMENT_SLIDER, 0, "element 'knee': it is a rigid slider"},
      {FF_ELEMENT_PLANAR, 0, "element 'knee': it is a rigid planar"},
      {FF_ELEMENT_POINT, 1, "element 'knee': it is a rigid point"},
      {FF_ELEMENT_WELD, 1, "element 'knee': it is a rigid weld"},
      {FF_ELEMENT_POINT, 0, NULL},
      {FF_ELEMENT_WELD, 0, NULL},
  };
  for (int stepper = FF_STEPPER_EXPO; stepper < FF_STEPPER_SOFT_COUNT; ++stepper)
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
      ff_element_def knee = ff_element_def_default();
      knee.name = "knee";
      knee.type = cases[i].type;
      knee.is_rigid = cases[i].is_rigid;
      knee.axis[1] = 1;
      knee.a.frame = 1;
      ff_sim_def def = ff_sim_def_default();
      def.stepper = (ff_stepper)stepper;
      def.elements = &knee;
      def.element_count = 1;
      ffi_elements e;
      ff_error error = {0};
      const ff_status status = ffi_elements_create(model, &def, &e, &error);
      assert_int_equal(status, cases[i].words ? FF_ERROR_UNSUPPORTED : FF_OK);
      if (cases[i].words &&
          (!strstr(error.message, cases[i].words) || !strstr(error.message, "take 'moreau'")))
        fail_msg("'%s'", error.message);
      assert_int_equal(e.items == NULL, cases[i].words != NULL);
      ffi_elements_free(&e);
    }
  ff_model_destroy(model);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_motor_is_linear_until_it_saturates),
      cmocka_unit_test(a_stop_pushes_and_never_pulls),
      cmocka_unit_test(a_joint_with_friction_sticks_and_slides),
      cmocka_unit_test(names_of_types),
      cmocka_unit_test(the_list_knows_places_and_owns_names),
      cmocka_unit_test(gains_that_overflow_are_refused),
      cmocka_unit_test(springs_hold_nothing_rigid),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
