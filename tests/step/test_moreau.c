// moreau: what a step keeps, reports and refuses. Closed forms of contact are in tests/analytic/test_moreau_*.c.
#include "support/alloc_counter.h"
#include "support/four_bar.h"
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

static ff_model *load_starleth(void)
{
  ff_model *model;
  ff_error error;
  ffi_must(ff_model_load(FFI_TEST_SOURCE_DIR "/models/starleth.urdf", NULL, &model, &error), &error);
  return model;
}

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

// ---- Loops -------------------------------------------------------------------------------------------------

static const ffi_four_bar linkage = {.frame = 1,
                                     .reach = 0.3,
                                     .drop = 0.4,
                                     .bar = 0.5,
                                     .rod = 0.8,
                                     .joint_damping = 0.5,
                                     .stiffness = 1e5,
                                     .damping = 100,
                                     .torque_scale = 0.5};

static ff_sim *linkage_sim(const ff_model *model, double dt, int stabilise)
{
  ff_sim_def def = ffi_hard_def(dt);
  def.moreau.stabilise = stabilise;
  return ffi_must_sim(model, &def);
}

// At rest the loop carries what statics says of the ideal linkage: moments about the right hinge, symmetry.
static void loop_carries_what_statics_says(void **state)
{
  (void)state;
  for (int is_weld = 0; is_weld < 2; ++is_weld) {
    ffi_four_bar l = linkage;
    l.is_weld = is_weld;
    ff_model *model = ffi_four_bar_load(&l, FFI_FOUR_BAR_MJCF);
    ff_sim *sim = linkage_sim(model, 5e-3, 1);
    double force[6] = {0};
    ffi_must_run(sim, 4000, NULL); // it begins at rest but for the rounding of its sizes
    assert_int_equal(ff_sim_element_force(sim, 0, force), FF_OK);
    const double W = l.rod * g, length = l.frame - 2 * l.reach;
    const double H = l.reach / l.drop * (W + l.bar * g) / 2;
    ffi_check_near("along x", force[0], H, 1e-9 * W);
    ffi_check_near("along y", force[1], 0, 1e-9 * W);
    ffi_check_near("along z", force[2], is_weld ? 0 : W / 2, 1e-9 * W);
    if (is_weld)
      ffi_check_near("moment", force[4], -W * length / 8, 1e-9 * W);
    assert_true(ff_sim_info(sim)->drift < 1e-12);
    ff_sim_destroy(sim);
    ff_model_destroy(model);
  }
}

// A parallelogram is a pendulum, (2/3 bar + rod) L^2 theta'' = -(bar + rod) g L sin(theta); by Runge-Kutta with steps of 0.1 ms.
static double pendulum(const ffi_four_bar *l, double theta, double duration)
{
  const double w2 = (l->bar + l->rod) / (2 * l->bar / 3 + l->rod) * g / l->drop, h = 1e-4;
  double x = theta, v = 0;
  for (int k = 0, n = (int)lround(duration / h); k < n; ++k) {
    const double a1 = -w2 * sin(x), v2 = v + h / 2 * a1, a2 = -w2 * sin(x + h / 2 * v);
    const double v3 = v + h / 2 * a2, a3 = -w2 * sin(x + h / 2 * v2), v4 = v + h * a3,
                 a4 = -w2 * sin(x + h * v3);
    x += h / 6 * (v + 2 * v2 + 2 * v3 + v4);
    v += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
  }
  return x;
}

static double swing(int is_weld, double dt, int stabilise, double *drift)
{
  ffi_four_bar l = linkage;
  l.is_weld = is_weld;
  l.reach = l.joint_damping = 0;
  static const char *const names[] = {"left", "rod", "right", "rest"};
  ff_model *model = ffi_four_bar_load(&l, FFI_FOUR_BAR_URDF);
  ff_sim *sim = linkage_sim(model, dt, stabilise);
  double q[4] = {0}, error = 0;
  ff_joint_info joint[4];
  for (int i = 0; i < (is_weld ? 4 : 3); ++i) {
    ff_model_joint(model, ff_model_find_joint(model, names[i]), &joint[i]);
    q[joint[i].q] = i % 2 ? -0.4 : 0.4; // the rod stays level
  }
  ffi_must_reset(sim, q, NULL);
  ffi_must_run(sim, (int)lround(1.5 / dt), NULL);
  const double want = pendulum(&l, 0.4, 1.5);
  for (int i = 0; i < (is_weld ? 4 : 3); ++i)
    error = fmax(error, fabs(ff_sim_q(sim)[joint[i].q] - (i % 2 ? -want : want)));
  assert_int_equal(ff_sim_get_totals(sim).unconverged, 0);
  *drift = ff_sim_info(sim)->drift;
  ff_sim_destroy(sim);
  ff_model_destroy(model);
  return error;
}

// The closed loop moves as the linkage of one angle, the better the shorter the steps: order 1 at least.
static void loop_moves_as_a_pendulum(void **state)
{
  (void)state;
  for (int is_weld = 0; is_weld < 2; ++is_weld)
    for (int stabilise = 0; stabilise < 2; ++stabilise) {
      double drift[3], error[3];
      for (int i = 0; i < 3; ++i)
        error[i] = swing(is_weld, 4e-3 / (1 << i), stabilise, &drift[i]);
      print_message("             %s%s: off by %.2e, %.2e, %.2e rad; drift %.1e, %.1e, %.1e m\n",
                    is_weld ? "weld" : "pin", stabilise ? ", stabilised" : "", error[0], error[1], error[2],
                    drift[0], drift[1], drift[2]);
      for (int i = 0; i < 2; ++i)
        assert_true(error[i + 1] < 0.6 * error[i]);
      assert_true(error[2] < 2e-2);
      if (stabilise)
        for (int i = 0; i < 3; ++i)
          assert_true(drift[i] < 1e-5); // what half a step of rotation does to a linear correction
    }
}

// ---- Stabilisation -----------------------------------------------------------------------------------------

// A box falls flat at 2 m/s and lies there: without stabilisation as deep as it was caught, with it within what it falls in a step; its velocity is the same.
static void stabilisation_lifts_what_sank(void **state)
{
  (void)state;
  const ffi_loose body = {
      .shape = FF_SHAPE_BOX, .size = {0.2, 0.2, 0.2}, .mass = 2, .material = ffi_hard_material(0.5, 0, 0)};
  ff_model *model = ffi_loose_model(1, &body, g);
  double depth[2], speed[2];
  for (int stabilise = 0; stabilise < 2; ++stabilise) {
    ff_sim_def def = ffi_hard_def(2e-3);
    def.ground_count = -1;
    def.moreau.stabilise = stabilise;
    ff_sim *sim = ffi_must_sim(model, &def);
    const ffi_loose_state at = {.position = {0, 0, 0.1013}, .velocity = {0.3, 0, -2}};
    ffi_loose_reset(sim, 1, &at);
    ffi_must_run(sim, 25, NULL);
    depth[stabilise] = ff_sim_info(sim)->penetration;
    speed[stabilise] = ff_sim_v(sim)[0];
    double before = ff_sim_energy(sim).total;
    for (int k = 0; k < 200; ++k) { // and stays there, without energy from anywhere
      ffi_must_step(sim, NULL);
      assert_int_equal(ff_sim_info(sim)->contacts, 4);
      const double now = ff_sim_energy(sim).total;
      assert_true(now <= before + 1e-12 * 2 * g * 0.1);
      before = now;
    }
    ff_sim_destroy(sim);
  }
  assert_true(depth[0] > 5e-4);
  assert_true(depth[1] <= g * 2e-3 * 2e-3 * (1 + 1e-6));
  ffi_check_near("speed", speed[1], speed[0], 1e-12);
  ff_model_destroy(model);
}

// StarlETH in the standing posture with motors; the weakest saturate at less than 40 N m.
static ff_sim *robot_sim(const ff_model *model, const ff_moreau_def *moreau, double dt, double weakest)
{
  ff_element_def motor[16];
  int count = 0;
  const ff_model_size size = ff_model_get_size(model);
  for (int i = 0; i < size.joints; ++i) {
    ff_joint_info joint;
    ff_model_joint(model, i, &joint);
    if (joint.nv != 1)
      continue;
    motor[count] = ff_element_def_default();
    motor[count].joint = i;
    motor[count].stiffness = 150;
    motor[count].damping = 3;
    motor[count++].effort = i % 3 ? 40 : weakest;
  }
  ff_sim_def def = ff_sim_def_default();
  def.stepper = FF_STEPPER_MOREAU;
  def.dt = dt;
  def.moreau = *moreau;
  def.elements = motor;
  def.element_count = count;
  ff_sim *sim = ffi_must_sim(model, &def);
  ff_error error;
  ffi_must(ff_sim_set_posture(sim, "standing", &error), &error);
  for (int e = 0; e < ff_sim_element_count(sim); ++e) {
    ff_joint_info joint;
    ff_element_def own;
    ff_sim_element(sim, e, &own);
    ff_model_joint(model, own.joint, &joint);
    if (own.type == FF_ELEMENT_JOINT_PD)
      ff_sim_set_reference(sim, e, ff_sim_q(sim)[joint.q] + 0.1, 0.2);
  }
  return sim;
}

// A robot that its motors press against the ground while it is pushed over: contacts that are 50 ms old are not deep, whether they push or not. With positions corrected
// alone they are let go and driven in again, 5 mm deep.
static void pushed_robot_does_not_sink(void **state)
{
  (void)state;
  enum { PUSHES = 12, STEPS = 600, IDS = 64 };
  ff_model *model = load_starleth();
  ff_moreau_def moreau = ff_sim_def_default().moreau;
  moreau.stabilise = 1;
  ff_sim *sim = robot_sim(model, &moreau, 2.5e-3, 30);
  const int nv = ff_model_get_size(model).nv;
  double deepest = 0, *start = malloc((size_t)ff_sim_state_size(sim) * sizeof *start);
  ff_sim_get_state(sim, start);
  unsigned random = 1;
  for (int push = 0; push < PUSHES; ++push) {
    double since[IDS], tau[64] = {0}, wrench[6];
    static const double most[6] = {400, 800, 200, 80, 40, 40};
    ff_error error;
    ffi_must(ff_sim_set_state(sim, start, &error), &error);
    for (int k = 0; k < 6; ++k) {
      random = random * 1664525u + 1013904223u;
      wrench[k] = most[k] * ((random >> 8) / 8388608.0 - 1);
    }
    for (int k = 0; k < IDS; ++k)
      since[k] = INFINITY;
    for (int n = 0; n < STEPS; ++n) {
      for (int k = 0; k < 6 && k < nv; ++k)
        tau[k] = n < 80 ? wrench[k] : 0;
      ffi_must_step(sim, tau);
      assert_true(ff_sim_info(sim)->converged);
      int count, is_there[IDS] = {0};
      const ff_contact *c = ff_sim_contacts(sim, &count);
      for (int i = 0; i < count; ++i) {
        assert_true(c[i].id < IDS);
        is_there[c[i].id] = 1;
        if (ff_sim_time(sim) - since[c[i].id] > 0.05)
          deepest = fmax(deepest, c[i].penetration);
      }
      for (int k = 0; k < IDS; ++k)
        since[k] = !is_there[k] ? INFINITY : isinf(since[k]) ? ff_sim_time(sim) : since[k];
    }
  }
  print_message("             %d pushes: at most %.2g mm deep\n", PUSHES, 1e3 * deepest);
  assert_true(deepest > 0 && deepest < 1e-3);
  free(start);
  ff_sim_destroy(sim);
  ff_model_destroy(model);
}

// ---- State, memory, failure --------------------------------------------------------------------------------

// Whatever the options: nothing is allocated, and a state continues bit for bit, in a sim that did something else before too.
static void every_option_is_a_function_of_the_state(void **state)
{
  (void)state;
  ff_model *model = load_starleth();
  const ff_moreau_def usual = ff_sim_def_default().moreau;
  int cases = 0;
  for (int contact = 0; contact < FF_HARD_CONTACT_COUNT; ++contact)
    for (int solver = 0; solver < FF_HARD_SOLVER_COUNT; ++solver)
      for (int form = 0; form < FF_HARD_FORM_COUNT; ++form)
        for (int more = 0; more < 4; ++more) {
          ff_moreau_def def = usual;
          def.contact = (ff_hard_contact)contact;
          def.solver = (ff_hard_solver)solver;
          def.form = (ff_hard_form)form;
          def.stabilise = more & 1;
          def.warm_start = more >> 1;
          ff_sim *sim = robot_sim(model, &def, contact ? 5e-4 : 2.5e-3, 5),
                 *other = robot_sim(model, &def, contact ? 5e-4 : 2.5e-3, 5);
          const size_t size = (size_t)ff_sim_state_size(sim);
          double *middle = malloc(3 * size * sizeof *middle), *end = middle + size, *again = end + size;
          const long before = ffi_test_alloc_count();
          ffi_must_run(sim, 30, NULL);
          ff_sim_get_state(sim, middle);
          ffi_must_run(sim, 30, NULL);
          ff_sim_get_state(sim, end);
          ffi_must_run(other, 7, NULL);
          ff_error error;
          ffi_must(ff_sim_set_state(other, middle, &error), &error);
          ffi_must_run(other, 30, NULL);
          ff_sim_get_state(other, again);
          if (ffi_test_alloc_works())
            assert_int_equal(ffi_test_alloc_count(), before);
          assert_memory_equal(end, again, size * sizeof *end);
          assert_true(ff_sim_get_totals(sim).worst_penetration > 0); // it stood on something
          free(middle);
          ff_sim_destroy(sim);
          ff_sim_destroy(other);
          ++cases;
        }
  print_message("             %d combinations\n", cases);
  ff_model_destroy(model);
}

// Where G is formed by the step, by the solver, or not at all, impulses are the same: rows of one tree, of two, of loops. Tolerances are at rounding, so what is left
// is rounding that 60 steps of a standing robot, or of a stack, let grow.
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
  ff_model *stack = ffi_loose_model(2, boxes, g), *robot = load_starleth();
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

// ---- What is reported --------------------------------------------------------------------------------------

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
  ff_model *model = load_starleth();
  ff_moreau_def moreau = ff_sim_def_default().moreau;
  moreau.contact = FF_HARD_CONTACT_COMPLIANT;
  ff_sim *sim = robot_sim(model, &moreau, 1e-4, 40); // explicit: 300 N s/m on feet that feel like 0.1 kg
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
      cmocka_unit_test(tumbling_body_keeps_its_momentum),
      cmocka_unit_test(planar_body_keeps_its_momentum),
      cmocka_unit_test(falls_along_a_parabola),
      cmocka_unit_test(loop_carries_what_statics_says),
      cmocka_unit_test(loop_moves_as_a_pendulum),
      cmocka_unit_test(stabilisation_lifts_what_sank),
      cmocka_unit_test(pushed_robot_does_not_sink),
      cmocka_unit_test(every_option_is_a_function_of_the_state),
      cmocka_unit_test(forms_agree),
      cmocka_unit_test(too_many_contacts_are_refused),
      cmocka_unit_test(singular_mass_is_told),
      cmocka_unit_test(unconverged_steps_are_counted),
      cmocka_unit_test(stop_tells_its_force),
      cmocka_unit_test(springs_are_not_predicted),
      cmocka_unit_test(compliant_feet_carry_the_robot),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
