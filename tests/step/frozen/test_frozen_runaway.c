// Sliding contacts that the subintervals do not resolve: what a step's info reports, and a leg that jams.
#include "step/frozen/frozen_case.h"

#include <footfall/sim.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

// A point of 1 kg that slides at 1 m/s on springs of stiffness K and falls onto them at 0.1 m/s, one step of 5 ms.
static ff_step_info one_step(ff_stepper stepper, double K, int max_substeps)
{
  ff_builder *b;
  ff_model *model;
  ff_sim *sim;
  ff_error error;
  int link_id;
  assert_int_equal(ff_builder_create("point", &b, &error), FF_OK);
  ff_link_def link = ff_link_def_default();
  link.name = "point";
  link.joint.type = FF_JOINT_FREE;
  link.inertia.mass = 1;
  link.inertia.matrix[0] = link.inertia.matrix[3] = link.inertia.matrix[5] = 0.01;
  assert_int_equal(ff_builder_add_link(b, &link, &link_id, &error), FF_OK);
  ff_shape_def point = ff_shape_def_default();
  point.type = FF_SHAPE_POINT;
  point.material = (ff_material){.stiffness = K, .damping = 1, .friction = 0.5};
  assert_int_equal(ff_builder_add_shape(b, link_id, &point, &error), FF_OK);
  assert_int_equal(ff_builder_finish(b, &model, &error), FF_OK);
  ff_builder_destroy(b);

  ff_sim_def def = ff_sim_def_default();
  def.stepper = stepper;
  def.dt = 0.005;
  def.expo.max_substeps = max_substeps;
  def.expo.events = 0;
  assert_int_equal(ff_sim_create(model, &def, &sim, &error), FF_OK);
  const double q[7] = {0, 0, -100 / K, 0, 0, 0, 1}, v[6] = {1, 0, -0.1, 0, 0, 0};
  if (ff_sim_reset(sim, q, v, &error) != FF_OK || ff_sim_step(sim, NULL, &error) != FF_OK)
    fail_msg("%s", error.message);
  const ff_step_info info = *ff_sim_info(sim);
  ff_sim_destroy(sim);
  ff_model_destroy(model);
  return info;
}

// At K = 1e8 N/m it vibrates 8 times within the step: 50 radians, of which one subinterval resolves six.
static void a_step_reports_that_it_was_capped(void **state)
{
  (void)state;
  static const ff_stepper steppers[2] = {FF_STEPPER_EXPO, FF_STEPPER_EXPO_PAPER};
  const double tolerance = ff_sim_def_default().expo.force_tolerance;
  for (int s = 0; s < 2; ++s) {
    const ff_step_info slow = one_step(steppers[s], 1e4, 8), fast = one_step(steppers[s], 1e8, 1);
    assert_int_equal(slow.capped, 0);
    assert_true(slow.force_error <= tolerance);
    assert_int_equal(fast.capped, 1);
    assert_true(fast.force_error > tolerance && fast.force_error < INFINITY);
  }
}

// A contact that its friction presses into the ground: along d it moves by -2 times its motion along n, so that with
// mu = 0.8 the push feeds itself. x'' = 0.6 a K x, a = J M^-1 J' along n.
static ffi_frozen_block *jam(ffi_frozen_rig *r, ffi_frozen_case *c, double K, double x)
{
  static const double n[3] = {1, 0, 0}, at[3] = {0, 0, 0};
  const double start[3] = {x, 0, 0};
  const ffi_contact_law_result law = {
      .mode = FF_CONTACT_SLIP, .trial = {0, 1, 0}, .trial_norm = 1, .normal_force = 1};
  ffi_frozen *z = &r->frozen;
  ffi_frozen_case_random(r, 1, c);
  c->rows[0] = (ffi_rows3){.columns = 1, .dof = c->dof[0], .J = c->J[0], .is_path = 1};
  c->dof[0][0] = 0;
  for (int k = 0; k < 3 * z->stride; ++k)
    c->J[0][k] = 0;
  c->J[0][0] = 1;
  c->J[0][z->stride] = -2;
  for (int k = 0; k < z->n; ++k)
    c->f[k] = 0;
  c->blocks = c->slides = 1;
  c->joints = 0;
  ffi_frozen_begin(z);
  ffi_frozen_block *b = ffi_frozen_add(z, &(ffi_frozen_spring){&c->rows[0], K, 0, start, at, at});
  ffi_frozen_slide(z, b, n, &law, 0.8);
  z->f = c->f;
  z->wants_double_mean = 1;
  ffi_frozen_prepare(&r->system, z, &r->at);
  return b;
}

static void a_jam_grows_as_it_should_while_it_is_resolved(void **state)
{
  (void)state;
  static ffi_frozen_case c;
  static ffi_frozen_truth truth;
  ffi_frozen_rig *r = ffi_frozen_rig_create(5, FF_EXPONENTIAL_AUTO, 1e-8, 8);
  for (double K = 1e2; K < 1e5; K *= 10) {
    ffi_frozen_block *b = jam(r, &c, K, 0.1 / K);
    assert_true(ffi_frozen_case_solve(r, &c, 0, &truth));
    const double rate = sqrt(0.6 * truth.mobility[0] * K);
    c.h = 3 / rate;
    ffi_frozen_solve(&r->frozen, c.h);
    const double expected = rate * 0.1 / K * sinh(3), known = r->frozen.gravity * c.h;
    assert_int_equal(r->frozen.capped, 0);
    assert_true(fabs(b->u_end[0] - expected) < 1e-8 * (expected + known));
  }
  ffi_frozen_rig_destroy(r);
}

// A thousand times faster than the interval, and hardly begun: 1e-12 m would overflow. It is detected, reported and
// limited.
static void an_unresolved_jam_is_detected(void **state)
{
  (void)state;
  static ffi_frozen_case c;
  static ffi_frozen_truth truth;
  ffi_frozen_rig *r = ffi_frozen_rig_create(5, FF_EXPONENTIAL_AUTO, 1e-4, 8);
  for (double turns = 100; turns < 1e5; turns *= 10) {
    const double K = 1e9, x = 1e-12;
    ffi_frozen_block *b = jam(r, &c, K, x);
    c.h = 1e-9; // for the mobility alone
    assert_true(ffi_frozen_case_solve(r, &c, 0, &truth));
    c.h = turns / sqrt(0.6 * truth.mobility[0] * K);
    ffi_frozen_solve(&r->frozen, c.h);
    assert_int_equal(r->frozen.is_self_excited, 1);
    assert_int_equal(r->frozen.capped, 1);
    assert_true(r->frozen.error >= 1 && r->frozen.error < INFINITY);
    const double reach = 2 * sqrt(truth.mobility[0] * K) * x +
                         r->frozen.gravity * c.h; // the row along d has twice the mobility's root
    assert_true(fabs(b->u_end[0]) <= 30 * reach && fabs(b->u_end[1]) <= 30 * reach);
  }
  ffi_frozen_rig_destroy(r);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_step_reports_that_it_was_capped),
      cmocka_unit_test(a_jam_grows_as_it_should_while_it_is_resolved),
      cmocka_unit_test(an_unresolved_jam_is_detected),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
