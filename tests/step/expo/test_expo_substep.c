// One piece of a step: what is frozen, again after a change of modes too, gives all that the corrector needs.
#include "dynamics/one_lane.h"
#include "step/expo/expo.h"
#include "step/rig.h"
#include "support/must.h"

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static const double mass = 2, gravity = 9.81;

// A loose body whose only point is its centre of mass: it does not turn.
static ff_model *point_mass(void)
{
  ff_builder *builder = ffi_must_begin("point");
  ff_link_def link = ff_link_def_default();
  ff_shape_def point = ff_shape_def_default();
  ff_error error;
  link.name = "point";
  link.joint.type = FF_JOINT_FREE;
  link.inertia.mass = mass;
  link.inertia.matrix[0] = link.inertia.matrix[3] = link.inertia.matrix[5] = 0.01;
  point.type = FF_SHAPE_POINT;
  ffi_must(ff_builder_add_shape(builder, ffi_must_add_link(builder, &link), &point, &error), &error);
  return ffi_must_finish(builder);
}

// Newton's law, integrated twice: m times the displacement beyond v h is h^2/2 of the weight and of the contact's double mean.
static void expect_newton(const ffi_expo *e, double h, const char *what)
{
  const ffi_frozen *z = &e->frozen;
  const double *force = z->block[e->contact_block[0]].double_mean;
  for (int k = 0; k < 3; ++k) {
    const double weight = k == 2 ? -mass * gravity : 0, want = 2 * mass * z->delta_x[k] / (h * h) - weight;
    // sums over poles have terms 1,600 times as large as what they give (docs/theory/exponential.md), of velocities, dampers and springs here
    const double rounding = 1600 * 64 * DBL_EPSILON * (fabs(want) + mass * gravity);
    if (!(fabs(force[k] - want) <= rounding))
      fail_msg("%s, axis %d: double mean %.12g N, by the displacement %.12g N", what, k, force[k], want);
  }
}

static void whatever_is_frozen_has_double_means(void **state)
{
  (void)state;
  ff_model *model = point_mass();
  ffi_rig *rig =
      ffi_rig_create(model, &(ffi_rig_def){.stepper = FF_STEPPER_EXPO, .K = 1e4, .B = 50, .mu = 0.5});
  ffi_expo *e = rig->system.memory;
  const double q[7] = {0, 0, -1e-3, 0, 0, 0, 1}, v[6] = {0.3, 0.1, -0.2, 0, 0, 0}, h = 2e-3;
  ffi_rig_reset(rig, q, v);
  ffi_rig_step(rig, h); // leaves a start with one contact
  assert_int_equal(e->start->count, 1);
  const ff_contact_mode modes[] = {FF_CONTACT_SLIP, FF_CONTACT_STICK, FF_CONTACT_SLIP};
  for (int i = 0; i < 3; ++i) { // as a change of modes at the start of a piece does it
    ff_error error;
    e->mode[0] = modes[i];
    ffi_expo_substep_freeze(&rig->system, e);
    assert_int_equal(ffi_expo_substep_predict(&rig->system, e, h, 0, &error), FF_OK);
    expect_newton(e, h, modes[i] == FF_CONTACT_SLIP ? "sliding" : "sticking");
  }
  ffi_rig_destroy(rig);
  ff_model_destroy(model);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(whatever_is_frozen_has_double_means),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
