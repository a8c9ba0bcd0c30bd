// The bound from one end, docs/theory/advancement.md eq. 8, where nothing but the curvature of a path closes a gap.
#include "contact/flight.h"

#include <footfall/builder.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static ff_model *arm_with_ball(double length, double radius)
{
  ff_builder *b = collider_case_builder();
  ff_link_def def = ff_link_def_default();
  ff_error error;
  int arm;
  def.name = "arm";
  def.joint.type = FF_JOINT_CONTINUOUS;
  def.joint.axis[1] = 1;
  def.joint.axis[2] = 0;
  def.inertia.mass = 1;
  def.inertia.matrix[0] = def.inertia.matrix[3] = def.inertia.matrix[5] = 0.01;
  assert_int_equal(ff_builder_add_link(b, &def, &arm, &error), FF_OK);
  collider_case_shape(
      b, arm, &(collider_case_solid){.type = FF_SHAPE_SPHERE, .size = {radius}, .at = {0, 0, length}});
  return collider_case_finish(b);
}

// A ball on top of an arm that turns with w moves along the floor below it, and falls by the curvature w^2 l of its
// way alone: l (1 - cos wt), a little less than w^2 l t^2/2. So the bound is the root of d = w^2 l t^2/2, before the
// ball is there.
static void a_path_bends_towards_the_floor(void **state)
{
  (void)state;
  const double length = 1, radius = 0.05;
  ff_model *model = arm_with_ball(length, radius);
  for (int i = 0; i < 4; ++i) {
    const double w = 2 + i, gap = 0.01 * (1 + i), q = 0;
    ff_ground_def floor = collider_case_ground(&(collider_case_solid){.type = FF_SHAPE_PLANE});
    floor.shape.pose.position[2] = length - radius - gap;
    flight f;
    flight_begin_over(model, &floor, &f);
    const ffi_advance_path path = flight_path(&f, &q, &w, NULL, 1);
    int pair;
    const double t = ffi_advance_bound(f.advance, &path, &pair), want = sqrt(2 * gap / (w * w * length)),
                 there = acos(1 - gap / length) / w;
    print_message("bound %.9g s, by hand %.9g s, touches at %.9g s\n", t, want, there);
    if (!(fabs(t - want) <= 1e-9 * want && t < there))
      fail_msg("w %g, gap %g: %.12g s, by hand %.12g s, touches at %.12g s", w, gap, t, want, there);
    flight_end(&f);
  }
  ff_model_destroy(model);
}

// With a speed towards the floor, too: the positive root of d = mu t + A t^2/2, mu = w l sin q and A = w^2 l.
static void speed_and_curvature_add(void **state)
{
  (void)state;
  const double length = 0.8, radius = 0.1, gap = 0.05, w = 3;
  ff_model *model = arm_with_ball(length, radius);
  for (double q = 0.1; q < 1.3; q += 0.2) {
    ff_ground_def floor = collider_case_ground(&(collider_case_solid){.type = FF_SHAPE_PLANE});
    floor.shape.pose.position[2] = length * cos(q) - radius - gap;
    flight f;
    flight_begin_over(model, &floor, &f);
    const ffi_advance_path path = flight_path(&f, &q, &w, NULL, 1);
    const double mu = w * length * sin(q), A = w * w * length;
    const double want = (sqrt(mu * mu + 2 * A * gap) - mu) / A, there = (acos(cos(q) - gap / length) - q) / w;
    const double t = ffi_advance_bound(f.advance, &path, NULL);
    if (!(fabs(t - want) <= 1e-9 * want && t < there))
      fail_msg("q %g: %.12g s, by hand %.12g s, touches at %.12g s", q, t, want, there);
    flight_end(&f);
  }
  ff_model_destroy(model);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_path_bends_towards_the_floor),
      cmocka_unit_test(speed_and_curvature_add),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
