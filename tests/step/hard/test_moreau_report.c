// moreau: what a step refuses, what it counts, and the forces it tells.
#include "step/hard/moreau_robot.h"
#include "support/hard_scene.h"
#include "support/must.h"
#include "support/near.h"

#include <footfall/footfall.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const double g = 9.81;

static void too_many_contacts_are_refused(void **state)
{
  (void)state;
  const ffi_loose body = {
      .shape = FF_SHAPE_BOX, .size = {0.2, 0.2, 0.2}, .mass = 2, .material = ffi_hard_material(0.5, 0, 0)};
  ff_model *model = ffi_loose_model(1, &body, g);
  ff_sim_def def = ffi_hard_def(2e-3);
  def.ground_count = -1;
  def.max_contacts = 3;
  ff_sim *sim = ffi_must_sim(model, &def);
  const ffi_loose_state at = {.position = {0, 0, 0.11}};
  ffi_loose_reset(sim, 1, &at);
  ff_error error;
  ff_status status = FF_OK;
  int steps = 0;
  for (; steps < 100 && status == FF_OK; ++steps)
    status = ff_sim_step(sim, NULL, &error);
  assert_int_equal(status, FF_ERROR_LIMIT);
  assert_non_null(strstr(error.message, "max_contacts"));
  const double z = ff_sim_q(sim)[2], time = ff_sim_time(sim);
  assert_true(z > 0.1 - sqrt(2 * g * 0.01) * def.dt &&
              steps > 10); // the last good state: a contact counts from the middle of a step on
  assert_int_equal(ff_sim_step(sim, NULL, &error), FF_ERROR_LIMIT);
  assert_true(ff_sim_q(sim)[2] == z && ff_sim_time(sim) == time);
  ff_sim_destroy(sim);
  ff_model_destroy(model);
}

// A point mass at the end of a massless arm: stretched, both hinges move it along one line, and M is singular.
static void singular_mass_is_told(void **state)
{
  (void)state;
  ff_builder *b = ffi_must_begin("arm");
  ff_link_def link = ff_link_def_default();
  link.name = link.joint.name = "upper";
  link.joint.type = FF_JOINT_REVOLUTE;
  link.joint.axis[2] = 1;
  link.parent = ffi_must_add_link(b, &link);
  link.name = link.joint.name = "lower";
  link.joint.pose.position[0] = 0.3;
  link.inertia.mass = 0.7;
  link.inertia.com[0] = 0.21;
  ffi_must_add_link(b, &link);
  ff_model *model = ffi_must_finish(b);
  const ff_sim_def def = ffi_hard_def(1e-3);
  ff_sim *sim = ffi_must_sim(model, &def);
  ff_error error;
  assert_int_equal(ff_sim_step(sim, NULL, &error), FF_ERROR_NUMERIC);
  assert_non_null(strstr(error.message, "singular"));
  assert_non_null(strstr(error.message, "'moreau'"));
  assert_true(ff_sim_time(sim) == 0);
  ff_sim_destroy(sim);
  ff_model_destroy(model);
}

// One iteration is not enough for a box that slides on four corners; that is said, and the step is taken all the same.
static void unconverged_steps_are_counted(void **state)
{
  (void)state;
  const ffi_loose body = {
      .shape = FF_SHAPE_BOX, .size = {0.2, 0.2, 0.2}, .mass = 2, .material = ffi_hard_material(0.5, 0, 0)};
  ff_model *model = ffi_loose_model(1, &body, g);
  for (int solver = FF_HARD_JOR; solver <= FF_HARD_SOR_SPLIT; ++solver) {
    ff_sim_def def = ffi_hard_def(2e-3);
    def.ground_count = -1;
    def.moreau.solver = (ff_hard_solver)solver;
    def.moreau.max_iterations = 1;
    def.moreau.warm_start = 0;
    ff_sim *sim = ffi_must_sim(model, &def);
    const ffi_loose_state at = {.position = {0, 0, 0.0999}, .velocity = {1, 0.3, -0.1}, .spin = {0, 0, 2}};
    ffi_loose_reset(sim, 1, &at);
    ffi_must_run(sim, 10, NULL);
    assert_int_equal(ff_sim_info(sim)->converged, 0);
    assert_true(ff_sim_info(sim)->residual > 1e-6);
    assert_true(ff_sim_get_totals(sim).unconverged >= 5);
    ff_sim_destroy(sim);
  }
  ff_model_destroy(model);
}

// A slide pressed against its stop: the stop's force is what presses it, by its sign, and its time in the next step is not lost.
static void stop_tells_its_force(void **state)
{
  (void)state;
  ff_builder *b = ffi_must_begin("slide");
  ff_link_def link = ff_link_def_default();
  link.name = "mass";
  link.joint.type = FF_JOINT_PRISMATIC;
  link.joint.axis[0] = 1;
  link.joint.has_limits = 1;
  link.joint.lower = -0.1;
  link.joint.upper = 0.2;
  link.inertia = (ff_inertia){.mass = 3, .matrix = {0.1, 0, 0, 0.1, 0, 0.1}};
  ffi_must_add_link(b, &link);
  ff_model *model = ffi_must_finish(b);
  const ff_sim_def def = ffi_hard_def(1e-3);
  for (int side = -1; side <= 1; side += 2) {
    ff_sim *sim = ffi_must_sim(model, &def);
    const double tau = 6.0 * side;
    double force;
    ffi_must_run(sim, 1000, &tau);
    assert_int_equal(ff_sim_element_force(sim, 0, &force), FF_OK);
    ffi_check_near("force", force, -tau, 1e-9);
    ffi_check_near("rate", ff_sim_v(sim)[0], 0, 1e-12);
    // it was caught where it was at the middle of a step: at most v dt beyond, v = sqrt(2 a x)
    const double end = side > 0 ? 0.2 : -0.1, most = sqrt(2 * 2 * fabs(end)) * def.dt;
    const double beyond = side * (ff_sim_q(sim)[0] - end);
    assert_true(beyond >= 0 && beyond <= most);
    assert_true(ff_sim_energy(sim).elastic == 0);
    ff_sim_destroy(sim);
  }
  ff_model_destroy(model);
}

static void springs_are_not_predicted(void **state)
{
  (void)state;
  const ffi_loose body = {
      .shape = FF_SHAPE_SPHERE, .size = {0.1}, .mass = 1, .material = ffi_hard_material(0.5, 0, 0)};
  ff_model *model = ffi_loose_model(1, &body, g);
  const ff_sim_def def = ffi_hard_def(1e-3);
  ff_sim *sim = ffi_must_sim(model, &def);
  ff_error error;
  assert_int_equal(ff_sim_predict_forces(sim, NULL, 0.01, 0, NULL, NULL, &error), FF_ERROR_UNSUPPORTED);
  assert_non_null(strstr(error.message, "moreau"));
  ff_sim_destroy(sim);
  ff_model_destroy(model);
}

// The compliant law inside the scheme: StarlETH stands on springs, mg / 4K deep, and its motors hold it.
static void compliant_feet_carry_the_robot(void **state)
{
  (void)state;
  ff_model *model = ffi_moreau_starleth();
  ff_moreau_def moreau = ff_sim_def_default().moreau;
  moreau.contact = FF_HARD_CONTACT_COMPLIANT;
  ff_sim *sim =
      ffi_moreau_robot(model, &moreau, 1e-4, 40); // explicit: 300 N s/m on feet that feel like 0.1 kg
  for (int e = 0; e < ff_sim_element_count(sim); ++e) {
    ff_element_def own;
    ff_sim_element(sim, e, &own);
    ff_sim_set_reference(sim, e, own.reference - 0.1, 0);
  }
  ffi_must_run(sim, 30000, NULL);
  int count;
  const ff_contact *c = ff_sim_contacts(sim, &count);
  double sum = 0;
  for (int i = 0; i < count; ++i)
    sum += c[i].mean_force[2];
  const double weight = ff_model_mass(model) * g;
  print_message("             %d contacts, %.3f of the weight, %.2g m deep\n", count, sum / weight,
                ff_sim_info(sim)->penetration);
  assert_true(count >= 3);
  ffi_check_near("weight", sum / weight, 1, 1e-5); // what is left of the landing after 3 s
  assert_true(ff_sim_energy(sim).elastic > 0);
  ff_sim_destroy(sim);
  ff_model_destroy(model);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(too_many_contacts_are_refused), cmocka_unit_test(singular_mass_is_told),
      cmocka_unit_test(unconverged_steps_are_counted), cmocka_unit_test(stop_tells_its_force),
      cmocka_unit_test(springs_are_not_predicted),     cmocka_unit_test(compliant_feet_carry_the_robot),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
