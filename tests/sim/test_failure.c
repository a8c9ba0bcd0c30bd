// Messages of failed steps: units of joints with several coordinates, contacts that overlap and do not push, and the
// bound on the work of a step of ess.
#include "sim/toys.h"

#include <footfall/contact.h>

#include <math.h>

// ---- Units --------------------------------------------------------------------------------------------------

// A puck on a plane that a weld turns back like a spring, half a swing in one step: it is at rest at both ends, and has
// turned by twice where it began.
static void a_planar_joint_turns_by_radians(void **state)
{
  (void)state;
  const double angle = 0.1, dt = 1e-3, inertia = 0.01, pi = acos(-1.0);
  ff_builder *b = ffi_must_begin("puck");
  ff_link_def link = ff_link_def_default();
  ff_error error = {.message = ""};
  link.name = "puck";
  link.joint.name = "table";
  link.joint.type = FF_JOINT_PLANAR;
  link.joint.axis[2] = 1;
  link.inertia = (ff_inertia){.mass = 1, .matrix = {inertia, 0, 0, inertia, 0, inertia}};
  ffi_must_add_link(b, &link);
  ff_model *model = ffi_must_finish(b);
  ff_element_def weld = ff_element_def_default();
  weld.type = FF_ELEMENT_WELD;
  weld.a.frame = ff_model_find_frame(model, "puck");
  weld.angular_stiffness = inertia * pow(pi / dt, 2);
  ff_sim_def def = ff_sim_def_default();
  def.elements = &weld;
  def.element_count = 1;
  def.ground_count = 0;
  def.dt = dt;
  def.max_speed = 0.9 * angle / dt; // on the average of the step it turns by 2 angle/dt
  ff_sim *sim = ffi_must_sim(model, &def);
  const double q[3] = {0, 0, angle};
  ffi_must_reset(sim, q, NULL);
  assert_int_equal(ff_sim_step(sim, NULL, &error), FF_ERROR_NUMERIC);
  print_message("             %s\n", error.message);
  const char *by = strstr(error.message, "would move joint 'table' by ");
  assert_non_null(by);
  char *unit;
  const double moved = strtod(by + strlen("would move joint 'table' by "), &unit);
  ffi_check_near("turned", moved, 2 * angle, 0.01 * angle);
  assert_true(strncmp(unit, " rad, faster than max_speed", 27) == 0);
  ff_sim_destroy(sim);
  ff_model_destroy(model);
}

// ---- Contacts -----------------------------------------------------------------------------------------------

// A cube that begins deep in the ground with springs at rest there, and is pulled faster than it may be.
static void an_overlap_without_a_force_is_told_as_that(void **state)
{
  (void)state;
  ff_model *model = toy_cube(NULL);
  ff_sim_def def = ff_sim_def_default();
  ff_error error = {.message = ""};
  def.max_speed = 5;
  def.stepper = FF_STEPPER_EULER;
  def.normal_anchor = FF_ANCHOR_FIRST_TOUCH;
  ff_sim *sim = ffi_must_sim(model, &def);
  const double q[7] = {0, 0, -0.357, 0, 0, 0, 1}, tau[6] = {0, 0, 1e5};
  ffi_must_reset(sim, q, NULL);
  assert_int_equal(ff_sim_step(sim, tau, &error), FF_ERROR_NUMERIC);
  print_message("             %s\n", error.message);
  if (strstr(error.message, " 0 N") ||
      !strstr(error.message, "No contact pushed before it; deepest: link 'cube'") ||
      !strstr(error.message, "457 mm."))
    fail_msg("%s", error.message);
  ff_sim_destroy(sim);
  ff_model_destroy(model);
}

// ---- Work ---------------------------------------------------------------------------------------------------

enum { POINTS = 200 };

// A plate on many stiff points, without dampers, slides and rattles.
static ff_model *make_plate(void)
{
  ff_builder *b = ffi_must_begin("plate");
  ff_link_def link = ff_link_def_default();
  ff_error error;
  link.name = "plate";
  link.joint.name = "loose";
  link.joint.type = FF_JOINT_FREE;
  link.inertia = (ff_inertia){.mass = 0.01, .matrix = {1e-4, 0, 0, 1e-4, 0, 2e-4}};
  const int id = ffi_must_add_link(b, &link);
  for (int i = 0; i < POINTS; ++i) {
    ff_shape_def point = ff_shape_def_default();
    point.type = FF_SHAPE_POINT;
    point.material = (ff_material){.stiffness = 1e9, .damping = 1e4, .friction = 0.7};
    point.pose.position[0] = 0.1 * cos(i);
    point.pose.position[1] = 0.1 * sin(i);
    point.pose.position[2] = 1e-4 * sin(7.0 * i);
    ffi_must(ff_builder_add_shape(b, id, &point, &error), &error);
  }
  return ffi_must_finish(b);
}

// Such a step took minutes: 80,000 evaluations, each with 200 contacts. Now the number of evaluations falls with their
// contacts. Of each integrator step there are six and more.
static void a_step_of_ess_is_bounded_by_its_work(void **state)
{
  (void)state;
  static double before[8192], after[8192];
  ff_model *model = make_plate();
  ff_sim_def def = ff_sim_def_default();
  ff_error error = {.message = ""};
  def.stepper = FF_STEPPER_ESS;
  def.dt = 0.1;
  ff_sim *sim = ffi_must_sim(model, &def);
  const double q[7] = {0, 0, 1e-3, 0, 0, 0, 1}, v[6] = {1, 0, -1};
  ffi_must_reset(sim, q, v);
  assert_in_range(ff_sim_state_size(sim), 1, 8192);
  ff_sim_get_state(sim, before);
  assert_int_equal(ff_sim_step(sim, NULL, &error), FF_ERROR_NUMERIC);
  const ff_step_info *info = ff_sim_info(sim);
  print_message("             work %d, %d steps: %s\n", info->work, info->integrator_steps, error.message);
  const double bound = 100 * (def.ess.max_steps + 100.0);
  assert_true(info->work > bound &&
              info->work <= 1.01 * bound); // it is read after each evaluation, and ends some tries
  assert_true(info->integrator_steps + info->rejected > 0);
  assert_true(6.0 * (info->integrator_steps + info->rejected) * (1 + 6.0 / 20) <= info->work);
  const char *const words[] = {"link 'plate'", "joint 'loose'", "ess.max_steps = 10000", "Try ", "contacts"};
  for (size_t k = 0; k < sizeof words / sizeof words[0]; ++k)
    if (!strstr(error.message, words[k]))
      fail_msg("'%s' does not say '%s'", error.message, words[k]);
  ff_sim_get_state(sim, after);
  assert_memory_equal(before, after, (size_t)ff_sim_state_size(sim) * sizeof *before);
  ff_sim_destroy(sim);
  ff_model_destroy(model);
}

// A stiff ellipsoid on a box: its distance is found by iteration, and each evaluation counts as twenty of others.
static void work_of_ess_counts_shapes(void **state)
{
  (void)state;
  static const ff_shape_type types[] = {FF_SHAPE_SPHERE, FF_SHAPE_ELLIPSOID};
  double per_step[2];
  for (int i = 0; i < 2; ++i) {
    ff_builder *b = ffi_must_begin("egg");
    ff_link_def link = ff_link_def_default();
    ff_shape_def shape = ff_shape_def_default();
    ff_ground_def ground = ff_ground_def_default();
    ff_sim_def def = ff_sim_def_default();
    ff_error error;
    link.name = "egg";
    link.joint.type = FF_JOINT_FREE;
    link.inertia = (ff_inertia){.mass = 1, .matrix = {1e-2, 0, 0, 1e-2, 0, 1e-2}};
    shape.type = types[i];
    for (int k = 0; k < 3; ++k)
      shape.size[k] = 0.1;
    ffi_must(ff_builder_add_shape(b, ffi_must_add_link(b, &link), &shape, &error), &error);
    ff_model *model = ffi_must_finish(b);
    ground.shape.type = FF_SHAPE_BOX;
    for (int k = 0; k < 3; ++k)
      ground.shape.size[k] = 1;
    def.ground = &ground;
    def.ground_count = 1;
    def.stepper = FF_STEPPER_ESS;
    def.dt = 0.01;
    ff_sim *sim = ffi_must_sim(model, &def);
    const double q[7] = {0, 0, 0.61, 0, 0, 0, 1}, v[6] = {0, 0, -1.5};
    ffi_must_reset(sim, q, v);
    ffi_must_step(sim, NULL);
    const ff_step_info *info = ff_sim_info(sim);
    assert_true(info->integrator_steps > 0);
    per_step[i] = (double)info->work / (info->integrator_steps + info->rejected);
    ff_sim_destroy(sim);
    ff_model_destroy(model);
  }
  print_message("             work of an integrator step: sphere %g, ellipsoid %g\n", per_step[0],
                per_step[1]);
  assert_true(per_step[0] >= 6 * (1 + 6.0 / 20));     // six evaluations and more
  assert_true(per_step[1] - per_step[0] >= 6 * 19.0); // the same with a pair that costs 20
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_planar_joint_turns_by_radians),
      cmocka_unit_test(an_overlap_without_a_force_is_told_as_that),
      cmocka_unit_test(a_step_of_ess_is_bounded_by_its_work),
      cmocka_unit_test(work_of_ess_counts_shapes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
