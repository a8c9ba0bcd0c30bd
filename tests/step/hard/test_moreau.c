// moreau: motion without contact, and the same impulses whichever way G is formed. Closed forms of contact are in tests/analytic/test_moreau_*.c.
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

// ---- Motion without contact --------------------------------------------------------------------------------

// Eq. 21: with no force the linear velocity in fixed axes does not change, however the body tumbles: rounding of one rotation there and back a step.
static void tumbling_body_keeps_its_momentum(void **state)
{
  (void)state;
  enum { STEPS = 2000 };
  const ffi_loose body = {.shape = FF_SHAPE_BOX,
                          .size = {0.3, 0.2, 0.1},
                          .mass = 2,
                          .moment = {0.02, 0.05, 0.06},
                          .material = ffi_hard_material(1, 0, 0)};
  ff_model *model = ffi_loose_model(1, &body, 0);
  const ff_sim_def def = ffi_hard_def(0.001);
  ff_sim *sim = ffi_must_sim(model, &def);
  ffi_loose_state at = {.velocity = {1, -2, 0.5}, .spin = {3, -7, 5}};
  ffi_loose_reset(sim, 1, &at);
  ffi_must_run(sim, STEPS, NULL);
  ffi_loose_read(sim, 1, &at);
  const double want[3] = {1, -2, 0.5};
  for (int k = 0; k < 3; ++k) {
    ffi_check_near("velocity", at.velocity[k], want[k], STEPS * 8 * 2.2e-16);
    ffi_check_near("way", at.position[k], want[k] * 0.001 * STEPS, STEPS * 16 * 2.2e-16 * 0.001 * STEPS);
  }
  ff_sim_destroy(sim);
  ff_model_destroy(model);
}

// The same in a plane, for a planar joint.
static void planar_body_keeps_its_momentum(void **state)
{
  (void)state;
  enum { STEPS = 2000 };
  ff_builder *b = ffi_must_begin("puck");
  ff_link_def link = ff_link_def_default();
  link.name = "puck";
  link.joint.type = FF_JOINT_PLANAR;
  link.joint.axis[2] = 1;
  link.inertia = (ff_inertia){.mass = 0.3, .matrix = {0.01, 0, 0, 0.01, 0, 0.02}};
  ffi_must_add_link(b, &link);
  ff_model *model = ffi_must_finish(b);
  const ff_sim_def def = ffi_hard_def(0.01);
  ff_sim *sim = ffi_must_sim(model, &def);
  const double v[3] = {1, -2, 9};
  ffi_must_reset(sim, NULL, v);
  ffi_must_run(sim, STEPS, NULL);
  const double *q = ff_sim_q(sim), *u = ff_sim_v(sim), c = cos(q[2]), s = sin(q[2]);
  // the angle grows to 1800 rad, whose rounding turns the velocity
  const double rounding = STEPS * 8 * 2.2e-16 + 1800 * 2.2e-16 * 16;
  ffi_check_near("angle", q[2], 1800 * 0.1, 1e-9);
  ffi_check_near("x", c * u[0] - s * u[1], 1, 4 * rounding);
  ffi_check_near("y", s * u[0] + c * u[1], -2, 4 * rounding);
  ffi_check_near("way x", q[0], 20, 200 * rounding);
  ffi_check_near("way y", q[1], -40, 200 * rounding);
  ff_sim_destroy(sim);
  ff_model_destroy(model);
}

// Gravity and tau are constant forces: the parabola is exact.
static void falls_along_a_parabola(void **state)
{
  (void)state;
  const ffi_loose body = {
      .shape = FF_SHAPE_SPHERE, .size = {0.1}, .mass = 0.5, .material = ffi_hard_material(1, 0, 0)};
  ff_model *model = ffi_loose_model(1, &body, g);
  const ff_sim_def def = ffi_hard_def(0.02);
  ff_sim *sim = ffi_must_sim(model, &def);
  const double v[6] = {1, 0, 2, 0, 0, 0},
               tau[6] = {0, 0.25, 0, 0, 0, 0}; // it does not turn: body axes are the world's
  ffi_must_reset(sim, NULL, v);
  ffi_must_run(sim, 100, tau);
  const double *q = ff_sim_q(sim);
  ffi_check_near("x", q[0], 2, 1e-13);
  ffi_check_near("y", q[1], 0.5 * 0.5 * 4, 1e-13);
  ffi_check_near("z", q[2], 2 * 2 - 0.5 * g * 4, 1e-12);
  ff_sim_destroy(sim);
  ff_model_destroy(model);
}

// ---- Forms of G --------------------------------------------------------------------------------------------

// Where G is formed by the step, by the solver, or not at all, impulses are the same: rows of one tree, of two, of loops. Tolerances are at
// rounding, so what is left is rounding that 60 steps of a standing robot, or of a stack, let grow.
static double gap_of_forms(const ff_model *model, ff_sim_def def, const double *q, const double *v, int steps)
{
  ff_sim *sim[3];
  double worst = 0;
  for (int form = 0; form < FF_HARD_FORM_COUNT; ++form) {
    def.moreau.form = (ff_hard_form)form;
    sim[form] = ffi_must_sim(model, &def);
    ffi_must_reset(sim[form], q, v);
    ffi_must_run(sim[form], steps, NULL);
    assert_int_equal(ff_sim_get_totals(sim[form]).unconverged, 0);
    assert_true(ff_sim_info(sim[form])->contacts >= 2);
  }
  const ff_model_size size = ff_model_get_size(model);
  for (int form = 1; form < FF_HARD_FORM_COUNT; ++form) {
    worst = fmax(worst, ffi_gap(size.nq, ff_sim_q(sim[form]), ff_sim_q(sim[0])));
    worst = fmax(worst, def.dt * ffi_gap(size.nv, ff_sim_v(sim[form]), ff_sim_v(sim[0])));
  }
  for (int form = 0; form < FF_HARD_FORM_COUNT; ++form)
    ff_sim_destroy(sim[form]);
  return worst;
}

static void forms_agree(void **state)
{
  (void)state;
  ff_sim_def def = ffi_hard_def(2e-3);
  def.ground_count = -1;
  def.moreau.relative_tolerance = 1e-12;
  def.moreau.absolute_tolerance = 1e-12;
  const ffi_loose boxes[2] = {
      {.shape = FF_SHAPE_BOX, .size = {0.2, 0.2, 0.2}, .mass = 2, .material = ffi_hard_material(0.5, 0, 0)},
      {.shape = FF_SHAPE_BOX,
       .size = {0.2, 0.2, 0.1},
       .mass = 0.7,
       .material = ffi_hard_material(0.3, 0, 0)}};
  ff_model *stack = ffi_loose_model(2, boxes, g), *robot = ffi_moreau_starleth();
  // Both slide, straight ahead: where they turned, four corners could share their load in several ways, with other torques, and all would be right.
  const double q[14] = {0, 0, 0.0999, 0, 0, 0, 1, 0, 0, 0.2497, 0, 0, 0, 1};
  const double v[12] = {0.4, 0, 0, 0, 0, 0, 0.1, 0, 0, 0, 0, 0};
  for (int solver = 0; solver < FF_HARD_SOLVER_COUNT; ++solver) {
    def.moreau.solver = (ff_hard_solver)solver;
    const double of_stack = gap_of_forms(stack, def, q, v, 20);
    const double of_robot = gap_of_forms(robot, def, ff_model_posture(robot, 0), NULL, 20);
    print_message("             %s: stack %.1e, robot %.1e\n", ff_hard_solver_name(def.moreau.solver),
                  of_stack, of_robot);
    assert_true(of_stack < 1e-8 && of_robot < 1e-8);
  }
  ff_model_destroy(stack);
  ff_model_destroy(robot);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(tumbling_body_keeps_its_momentum),
      cmocka_unit_test(planar_body_keeps_its_momentum),
      cmocka_unit_test(falls_along_a_parabola),
      cmocka_unit_test(forms_agree),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
