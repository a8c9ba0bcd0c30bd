// Creating a sim: its start state, and errors that name the wrong field.
#include "sim/toys.h"
#include "support/alloc_counter.h"

#include <footfall/option.h>

#include <math.h>

static void it_starts_neutral_at_rest_at_time_zero(void **state)
{
  (void)state;
  ff_model *model = toy_fair();
  ff_sim *sim = ffi_must_sim(model, NULL);
  const ff_model_size size = ff_model_get_size(model);
  double neutral[64];
  ff_model_neutral(model, neutral);
  assert_memory_equal(ff_sim_q(sim), neutral, (size_t)size.nq * sizeof *neutral);
  for (int i = 0; i < size.nv; ++i)
    assert_true(ff_sim_v(sim)[i] == 0);
  assert_true(ff_sim_time(sim) == 0);
  assert_true(ff_sim_model(sim) == model);
  assert_true(ff_sim_dt(sim) == 0.001);
  assert_int_equal(ff_sim_stepper(sim), FF_STEPPER_EXPO);
  assert_int_equal(ff_sim_get_totals(sim).steps, 0);
  ff_sim_destroy(sim);
  ff_sim_destroy(NULL);
  ff_model_destroy(model);
}

// `def` must be refused with a message that has the fragment, and leave no sim.
static void refuse(const ff_model *model, const ff_sim_def *def, ff_status status, const char *fragment)
{
  ff_sim *sim = (ff_sim *)(uintptr_t)1;
  ff_error error = {.status = FF_OK};
  const ff_status got = ff_sim_create(model, def, &sim, &error);
  if (got != status || !strstr(error.message, fragment))
    fail_msg("%s: '%s', not %s with '%s'", ff_status_name(got), error.message, ff_status_name(status),
             fragment);
  assert_int_equal(error.status, status);
  assert_null(sim);
  assert_int_equal(ff_sim_create(model, def, &sim, NULL), status);
}

static void each_wrong_field_is_named(void **state)
{
  (void)state;
  ff_model *model = toy_fair();
  const ff_sim_def good = ff_sim_def_default();
  ff_sim_def d;
#define REFUSE(field, value, fragment)                                                                       \
  do {                                                                                                       \
    d = good;                                                                                                \
    d.field = value;                                                                                         \
    refuse(model, &d, FF_ERROR_ARGUMENT, fragment);                                                          \
  } while (0)
  const double nan = (double)NAN, inf = (double)INFINITY;
  REFUSE(stepper, (ff_stepper)FF_STEPPER_COUNT, "stepper is 10");
  REFUSE(ess.epsilon, 0, "ess.epsilon is 0");
  REFUSE(ess.epsilon, 0.02, "ess.epsilon is 0.02; it must be > 0 and at most 0.01");
  REFUSE(ess.epsilon, nan, "ess.epsilon is ");
  REFUSE(ess.relative_tolerance, -1, "ess.relative_tolerance is -1");
  REFUSE(ess.absolute_tolerance, 0, "ess.absolute_tolerance is 0");
  REFUSE(ess.absolute_tolerance, inf, "ess.absolute_tolerance is inf");
  REFUSE(ess.max_steps, 0, "ess.max_steps is 0");
  REFUSE(dt, 0, "dt is 0");
  REFUSE(dt, -1e-3, "dt is -0.001");
  REFUSE(dt, nan, "dt is ");
  REFUSE(dt, inf, "dt is inf");
  REFUSE(dt, 1e300, "dt is 1e+300; it must be > 0 and at most 1000");
  REFUSE(dt, 1001, "dt is 1001");
  REFUSE(ground_count, -2, "ground_count is -2");
  REFUSE(ground_count, 1, "ground is NULL");
  REFUSE(element_count, -1, "element_count is -1");
  REFUSE(element_count, 1, "elements is NULL");
  REFUSE(limit_stiffness, -1, "limit_stiffness is -1");
  REFUSE(limit_stiffness, inf, "limit_stiffness is inf");
  REFUSE(limit_damping, nan, "limit_damping is ");
  REFUSE(normal_anchor, (ff_normal_anchor)7, "normal_anchor is 7");
  REFUSE(max_contacts, -1, "max_contacts is -1");
  REFUSE(max_contacts, 100000, "max_contacts is 100000");
  REFUSE(max_speed, 0, "max_speed is 0");
  REFUSE(max_speed, nan, "max_speed is ");
  REFUSE(expo.exponential, (ff_exponential)-1, "expo.exponential is -1");
  REFUSE(expo.force_tolerance, 0, "expo.force_tolerance is 0");
  REFUSE(expo.force_tolerance, 0.2, "expo.force_tolerance is 0.2");
  REFUSE(expo.max_substeps, 0, "expo.max_substeps is 0");
  REFUSE(expo.max_substeps, 65, "expo.max_substeps is 65");
  REFUSE(expo.order, 3, "expo.order is 3");
  REFUSE(expo.max_pieces, 0, "expo.max_pieces is 0");
  REFUSE(moreau.contact, (ff_hard_contact)2, "moreau.contact is 2");
  REFUSE(moreau.solver, (ff_hard_solver)-1, "moreau.solver is -1");
  REFUSE(moreau.form, (ff_hard_form)9, "moreau.form is 9");
  REFUSE(moreau.bilateral, (ff_hard_bilateral)2, "moreau.bilateral is 2");
  REFUSE(moreau.alpha, 2.5, "moreau.alpha is 2.5; it must be within 0..2");
  REFUSE(moreau.alpha, nan, "moreau.alpha is ");
  REFUSE(moreau.relative_tolerance, -1, "moreau.relative_tolerance is -1");
  REFUSE(moreau.relative_tolerance, 0.5, "moreau.relative_tolerance is 0.5; it must be within 0..0.1");
  REFUSE(moreau.relative_tolerance, nan, "moreau.relative_tolerance is ");
  REFUSE(moreau.absolute_tolerance, 0, "moreau.absolute_tolerance is 0");
  REFUSE(moreau.absolute_tolerance, 1e10,
         "moreau.absolute_tolerance is 1e+10; it must be > 0 and at most 1, in N s");
  REFUSE(moreau.max_iterations, 0, "moreau.max_iterations is 0");
  REFUSE(moreau.warm_start, 2, "moreau.warm_start is 2");
  REFUSE(moreau.stabilise, -1, "moreau.stabilise is -1");
  REFUSE(implicit.tolerance, 0, "implicit.tolerance is 0");
  REFUSE(implicit.tolerance, 1e10, "implicit.tolerance is 1e+10; it must be > 0 and at most 1");
  REFUSE(contact_law, (ff_contact_law)2, "contact_law is 2; it must be within 0..1");
  REFUSE(implicit.max_iterations, 0, "implicit.max_iterations is 0");
#undef REFUSE
  d = good;
  d.isa = (ff_isa)99;
  refuse(model, &d, FF_ERROR_UNSUPPORTED, "instruction set");
  refuse(NULL, &good, FF_ERROR_ARGUMENT, "model is NULL");
  ff_error error;
  assert_int_equal(ff_sim_create(model, &good, NULL, &error), FF_ERROR_ARGUMENT);
  assert_non_null(strstr(error.message, "`out` is NULL"));
  ff_model_destroy(model);
}

static void wrong_ground_is_refused(void **state)
{
  (void)state;
  ff_model *model = toy_ball(NULL);
  ff_ground_def ground = ff_ground_def_default();
  ff_sim_def def = ff_sim_def_default();
  def.ground = &ground;
  def.ground_count = 1;
  ground.shape.type = FF_SHAPE_SPHERE;
  refuse(model, &def, FF_ERROR_ARGUMENT, "ground 0");
  ground = ff_ground_def_default();
  ground.velocity[3] = (double)NAN;
  refuse(model, &def, FF_ERROR_ARGUMENT, "velocity");
  ff_model_destroy(model);
}

static void ground_that_runs_away_is_refused(void **state)
{
  (void)state;
  ff_model *model = toy_fair();
  ff_ground_def ground[2] = {ff_ground_def_default(), ff_ground_def_default()};
  ff_sim_def def = ff_sim_def_default();
  def.ground = ground;
  def.ground_count = 2;
  ground[1].velocity[4] = def.max_speed * 1.001;
  refuse(model, &def, FF_ERROR_ARGUMENT,
         "the velocity of ground 1 is not finite, or beyond max_speed, 10000");
  ground[1].velocity[4] = def.max_speed;
  ff_sim *sim = ffi_must_sim(model, &def);
  const double fast[6] = {-1e5};
  assert_int_equal(ff_sim_move_ground(sim, 0, NULL, fast), FF_ERROR_ARGUMENT);
  ff_sim_destroy(sim);
  ff_model_destroy(model);
}

static void wrong_elements_are_named_with_their_joint(void **state)
{
  (void)state;
  ff_model *model = toy_fair();
  const int elbow = ff_model_find_joint(model, "elbow"), cube = ff_model_find_joint(model, "cube_free");
  ff_element_def motor = ff_element_def_default();
  motor.name = "grip";
  motor.joint = elbow;
  motor.stiffness = 10;
  ff_element_def e;
  ff_sim_def def = ff_sim_def_default();
  def.elements = &e;
  def.element_count = 1;
#define REFUSE(field, value, fragment)                                                                       \
  do {                                                                                                       \
    e = motor;                                                                                               \
    e.field = value;                                                                                         \
    refuse(model, &def, FF_ERROR_ARGUMENT, fragment);                                                        \
  } while (0)
  const double nan = (double)NAN, inf = (double)INFINITY;
  REFUSE(joint, 99, "element 'grip': its joint is 99");
  REFUSE(joint, -1, "element 'grip': its joint is -1");
  REFUSE(joint, cube, "on joint 'cube_free'");
  REFUSE(type, (ff_element_type)9, "no element type 9");
  REFUSE(stiffness, -1, "its stiffness is -1; it must be finite and >= 0, on joint 'elbow'");
  REFUSE(damping, inf, "its damping is inf");
  REFUSE(reference, nan, "its reference");
  REFUSE(reference_velocity, inf, "reference_velocity");
  REFUSE(effort, 0, "its effort is 0");
  REFUSE(effort, nan, "its effort is ");
  motor.type = FF_ELEMENT_JOINT_LIMIT;
  REFUSE(name, NULL, "element 0: its limits");
  motor.lower = 1;
  REFUSE(upper, 0.5, "its limits 1 to 0.5 are not a range");
  motor.type = FF_ELEMENT_POINT;
  motor.a.frame = ff_model_find_frame(model, "lower");
  REFUSE(a.frame, 1000, "its end a is on frame 1000");
  REFUSE(b.frame, -1, "its end b is on frame -1");
  REFUSE(b.offset[1], nan, "the offset of its end b");
  REFUSE(a.offset[2], 1e300, "element 'grip': the offset of its end a is 1e+300 m along z");
  REFUSE(b.offset[0], -2e7, "the offset of its end b is -2e+07 m along x");
  REFUSE(b.frame, ff_model_find_frame(model, "lower"), "do not move against each other");
  REFUSE(angular_damping, nan, "its angular_damping is ");
#undef REFUSE
  ff_model_destroy(model);
}

static void what_the_caller_passed_may_go_away(void **state)
{
  (void)state;
  ff_model *model = toy_wheel(1, 0);
  char *name = malloc(16);
  strcpy(name, "passing");
  ff_element_def *element = malloc(sizeof *element);
  ff_ground_def *ground = malloc(sizeof *ground);
  *element = ff_element_def_default();
  element->name = name;
  element->joint = 0;
  *ground = ff_ground_def_default();
  ff_sim_def def = ff_sim_def_default();
  def.elements = element;
  def.element_count = 1;
  def.ground = ground;
  def.ground_count = 1;
  ff_sim *sim = ffi_must_sim(model, &def);
  memset(name, 'x', 15);
  free(name);
  free(element);
  free(ground);
  assert_int_equal(ff_sim_find_element(sim, "passing"), 0);
  ffi_must_run(sim, 2, NULL);
  ff_sim_destroy(sim);
  ff_model_destroy(model);
}

static void no_memory_is_an_error_and_leaks_nothing(void **state)
{
  (void)state;
  if (!ffi_test_alloc_works())
    skip();
  ff_model *model = toy_fair();
  const long before = ffi_test_alloc_count() - ffi_test_free_count();
  long failed = 0; // those are counted as allocations too
  for (long n = 1;; ++n) {
    ff_sim *sim = (ff_sim *)(uintptr_t)1;
    ff_error error = {.status = FF_OK};
    ffi_test_alloc_fail_at(n);
    const ff_status status = ff_sim_create(model, NULL, &sim, &error);
    if (!ffi_test_alloc_failed()) {
      assert_int_equal(status, FF_OK);
      ff_sim_destroy(sim);
      break;
    }
    ++failed;
    assert_int_equal(status, FF_ERROR_MEMORY);
    assert_non_null(strstr(error.message, "memory"));
    assert_null(sim);
  }
  assert_true(failed >= 3); // elements, scene, the sim itself
  assert_int_equal(ffi_test_alloc_count() - ffi_test_free_count(), before + failed);
  ff_model_destroy(model);
}

static void names_are_found_again(void **state)
{
  (void)state;
  for (int i = 0; i < FF_STEPPER_COUNT; ++i) {
    ff_stepper found;
    assert_true(ff_stepper_find(ff_stepper_name((ff_stepper)i), &found));
    assert_int_equal(found, i);
    assert_true(strlen(ff_stepper_summary((ff_stepper)i)) > 10);
  }
  for (int i = 0; i < FF_STEPPER_COUNT; ++i)
    assert_int_equal(ff_stepper_is_hard((ff_stepper)i), i >= FF_STEPPER_SOFT_COUNT);
  for (int i = 0; i < FF_EXPONENTIAL_COUNT; ++i) {
    ff_exponential found;
    assert_true(ff_exponential_find(ff_exponential_name((ff_exponential)i), &found));
    assert_int_equal(found, i);
  }
  for (int i = 0; i < FF_HARD_FORM_COUNT; ++i) {
    ff_hard_form found;
    assert_true(ff_hard_form_find(ff_hard_form_name((ff_hard_form)i), &found) && (int)found == i);
  }
  for (int i = 0; i < 2; ++i) {
    ff_hard_bilateral bilateral;
    ff_hard_contact contact;
    assert_true(ff_hard_bilateral_find(ff_hard_bilateral_name((ff_hard_bilateral)i), &bilateral) &&
                (int)bilateral == i);
    assert_true(ff_hard_contact_find(ff_hard_contact_name((ff_hard_contact)i), &contact) &&
                (int)contact == i);
  }
  ff_stepper s = FF_STEPPER_RK4;
  ff_exponential e;
  assert_false(ff_stepper_find("heun", &s));
  assert_false(ff_stepper_find(NULL, &s));
  assert_false(ff_exponential_find("order-4", &e));
  assert_int_equal(s, FF_STEPPER_RK4);
  assert_string_equal(ff_stepper_name((ff_stepper)-1), "unknown");
  assert_string_equal(ff_stepper_summary((ff_stepper)99), "unknown");
  assert_string_equal(ff_exponential_name((ff_exponential)99), "unknown");
  assert_string_equal(ff_phase_name(FF_PHASE_PREPARE), "prepare");
  assert_string_equal(ff_phase_name((ff_phase)4), "unknown");
}

// Programs that were compiled for other versions: a def that ends earlier, one that is longer, one that nobody
// initialised.
static void defs_of_other_ages_are_understood(void **state)
{
  (void)state;
  ff_model *model = toy_ball(NULL);
  ff_sim *sim;
  ff_error error;
  struct {
    ff_sim_def def;
    double later[2]; // fields of a version to come
  } newer;
  ff_sim_def_init(&newer.def, sizeof newer);
  assert_true(newer.later[0] == 0 && newer.later[1] == 0);
  newer.def.dt = 0.002;
  ffi_must(ff_sim_create(model, &newer.def, &sim, &error), &error);
  assert_true(ff_sim_dt(sim) == 0.002);
  ff_sim_destroy(sim);
  newer.later[1] = 1;
  assert_int_equal(ff_sim_create(model, &newer.def, &sim, &error), FF_ERROR_UNSUPPORTED);
  assert_null(sim);
  // An older one ends before the options of c2a. What is behind it is not the library's to read or write.
  ff_sim_def older = ff_sim_def_default();
  older.c2a.h_min = -1;
  older.dt = 0.003;
  older.size = offsetof(ff_sim_def, c2a);
  ffi_must(ff_sim_create(model, &older, &sim, &error), &error);
  assert_true(ff_sim_dt(sim) == 0.003);
  ff_sim_destroy(sim);
  ff_sim_def_init(&older, offsetof(ff_sim_def, c2a));
  assert_true(older.dt == 0.001 && older.c2a.h_min == -1);
  assert_int_equal(ff_sim_def_set(&older, "c2a.h_min", "1e-6", &error), FF_ERROR_UNSUPPORTED);
  assert_true(older.c2a.h_min == -1);
  const ff_sim_def nothing = {0};
  assert_int_equal(ff_sim_create(model, &nothing, &sim, &error), FF_ERROR_ARGUMENT);
  assert_non_null(strstr(error.message, "ff_sim_def_default()"));
  ff_model_destroy(model);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(defs_of_other_ages_are_understood),
      cmocka_unit_test(it_starts_neutral_at_rest_at_time_zero),
      cmocka_unit_test(each_wrong_field_is_named),
      cmocka_unit_test(wrong_ground_is_refused),
      cmocka_unit_test(ground_that_runs_away_is_refused),
      cmocka_unit_test(wrong_elements_are_named_with_their_joint),
      cmocka_unit_test(what_the_caller_passed_may_go_away),
      cmocka_unit_test(no_memory_is_an_error_and_leaks_nothing),
      cmocka_unit_test(names_are_found_again),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
