// The contact report: who touches whom, where, how hard, and which way it slides.
#include "sim/toys.h"

#include "math/vec3.h"

#include <math.h>

// Stiff steppers take long steps, the others short ones.
static double step_of(ff_stepper stepper)
{
  return stepper == FF_STEPPER_EXPO || stepper == FF_STEPPER_EXPO_PAPER || stepper == FF_STEPPER_IMPLICIT ||
                 stepper == FF_STEPPER_ESS
             ? 1e-3
             : 1e-4;
}

static ff_sim_def def_of(int stepper)
{
  ff_sim_def def = ff_sim_def_default();
  def.stepper = (ff_stepper)stepper;
  def.dt = step_of(def.stepper);
  return def;
}

// Unit, right-handed, normal last.
static void check_frame(const ff_contact *c)
{
  double n[3];
  ffi_v3_cross(c->tangent[0], c->tangent[1], n);
  for (int k = 0; k < 3; ++k)
    ffi_check_near("t1 x t2", n[k], c->normal[k], 1e-15);
  ffi_check_near("|t1|", ffi_v3_norm(c->tangent[0]), 1, 1e-15);
  ffi_check_near("t1 n", ffi_v3_dot(c->tangent[0], c->normal), 0, 1e-15);
}

// A cube lies on its four lower corners: each carries a quarter of the weight, mg / 4K deep.
static void a_resting_cube(void **state)
{
  (void)state;
  const ff_material material = {.stiffness = 2e4, .damping = 200, .friction = 0.5};
  ff_model *model = toy_cube(&material);
  const double weight = 2 * toy_gravity;
  for (int i = 0; i < FF_STEPPER_SOFT_COUNT; ++i) {
    const ff_sim_def def = def_of(i);
    ff_sim *sim = ffi_must_sim(model, &def);
    const double q[7] = {0.3, -0.2, 0.1, 0, 0, 0, 1};
    assert_int_equal(ff_sim_reset(sim, q, NULL, NULL), FF_OK);
    int count;
    const ff_contact *c = ff_sim_contacts(sim, &count);
    assert_int_equal(count, 4);
    for (int k = 0; k < count; ++k)
      assert_true(ffi_v3_norm(c[k].mean_force) == 0); // nothing was done yet
    ffi_must_run(sim, (int)(1 / def.dt), NULL);       // 20 time constants 2m / 4B of the damper
    c = ff_sim_contacts(sim, &count);
    assert_int_equal(count, 4);
    double sum[3] = {0}, mean[3] = {0};
    for (int k = 0; k < count; ++k) {
      ffi_v3_add(sum, c[k].force, sum);
      ffi_v3_add(mean, c[k].mean_force, mean);
      assert_true(k == 0 || c[k].id > c[k - 1].id);
      assert_int_equal(c[k].mode, FF_CONTACT_STICK);
      assert_int_equal(c[k].shape_a, 0);
      assert_int_equal(c[k].shape_b, -1);
      assert_int_equal(c[k].ground, 0);
      assert_int_equal(c[k].link_a, ff_model_find_link(model, "cube"));
      assert_int_equal(c[k].link_b, -1);
      assert_true(c[k].normal[2] == 1);
      check_frame(&c[k]);
      ffi_check_near("penetration", c[k].penetration, weight / 4 / 2e4, 1e-9);
      ffi_check_near("|x|", fabs(c[k].point[0] - 0.3), 0.1, 1e-9);
      ffi_check_near("|y|", fabs(c[k].point[1] + 0.2), 0.1, 1e-9);
      ffi_check_near("height", c[k].point[2], -weight / 4 / 2e4, 1e-9);
      ffi_check_near("anchor x", c[k].anchor[0], c[k].point[0], 1e-9);
      assert_true(c[k].slip[0] == 0 && c[k].slip[1] == 0);
    }
    for (int k = 0; k < 3; ++k) { // what is left of the landing after a second, and Newton's tolerance
      ffi_check_near("force", sum[k], k == 2 ? weight : 0, 1e-5 * weight);
      ffi_check_near("mean force", mean[k], k == 2 ? weight : 0, 1e-5 * weight);
    }
    ff_sim_destroy(sim);
  }
  ff_model_destroy(model);
}

// The mean force is the one that changed the momentum, whatever the stepper did inside the step: a landing and a
// bounce, step by step.
static void mean_forces_are_impulses(void **state)
{
  (void)state;
  const double mass = 0.5;
  ff_model *model = toy_mass(mass, &(ff_material){.stiffness = 5e3, .damping = 4, .friction = 0.4});
  for (int i = 0; i < FF_STEPPER_COUNT; ++i) {
    const ff_sim_def def = def_of(i);
    ff_sim *sim = ffi_must_sim(model, &def);
    const double q = 0.001, v = -1;
    assert_int_equal(ff_sim_reset(sim, &q, &v, NULL), FF_OK);
    double worst = 0, largest = 0;
    for (int k = 0; k < (int)(0.05 / def.dt); ++k) {
      const double before = ff_sim_v(sim)[0];
      ffi_must_run(sim, 1, NULL);
      int count;
      const ff_contact *c = ff_sim_contacts(sim, &count);
      if (count == 0) // not yet, or it ended in this step and its force is told to nobody
        continue;
      const double force = mass * ((ff_sim_v(sim)[0] - before) / def.dt + toy_gravity);
      worst = fmax(worst, fabs(force - c[0].mean_force[2]));
      largest = fmax(largest, force);
    }
    print_message("             %s: %.2g of %.0f N\n", ff_stepper_name(def.stepper), worst, largest);
    assert_true(largest > 40); // v sqrt(K m) = 50 N
    // Rounding of v, divided by dt; Newton's tolerance for `implicit`.
    assert_true(worst <= (i == FF_STEPPER_IMPLICIT ? 1e-6 * mass / def.dt : 16 * 2.2e-16 / def.dt));
    ff_sim_destroy(sim);
  }
  ff_model_destroy(model);
}

// A cube that slides over flat ground: friction mu mg against the motion, the slip is its velocity, in all corners.
static void a_sliding_cube(void **state)
{
  (void)state;
  const ff_material material = {.stiffness = 2e4, .damping = 200, .friction = 0.2};
  ff_model *model = toy_cube(&material);
  for (int i = 0; i < FF_STEPPER_COUNT; ++i) {
    ff_sim_def def = def_of(i);
    if (i == FF_STEPPER_EXPO_PAPER)
      def.dt =
          1e-4; // it leaves anchors behind by about the way of one step, and K/B times that reads as slip
    ff_sim *sim = ffi_must_sim(model, &def);
    const double rest = 0.1 - 2 * toy_gravity / 4 / 2e4;
    const double q[7] = {0, 0, rest, 0, 0, 0, 1}, v[6] = {2, 1, 0, 0, 0, 0};
    assert_int_equal(ff_sim_reset(sim, q, v, NULL), FF_OK);
    ffi_must_run(sim, (int)(0.3 / def.dt), NULL);
    int count;
    const ff_contact *c = ff_sim_contacts(sim, &count);
    assert_int_equal(count, 4);
    double sum[3] = {0}, slip[3] = {0};
    for (int k = 0; k < count; ++k) {
      assert_int_equal(c[k].mode, FF_CONTACT_SLIP);
      ffi_v3_add(sum, c[k].force, sum);
      for (int r = 0; r < 3; ++r)
        slip[r] += 0.25 * (c[k].slip[0] * c[k].tangent[0][r] + c[k].slip[1] * c[k].tangent[1][r]);
      const double along = ffi_v3_dot(c[k].force, c[k].tangent[0]),
                   across = ffi_v3_dot(c[k].force, c[k].tangent[1]);
      ffi_check_near("friction on the cone", hypot(along, across), 0.2 * ffi_v3_dot(c[k].force, c[k].normal),
                     1e-12);
    }
    // It tips forward a little, and steppers of first order are off by dt: one percent covers both.
    const double speed = sqrt(5) - 0.2 * toy_gravity * 0.3;
    const double behind = i == FF_STEPPER_EXPO_PAPER ? 2 * 2e4 / 200 * speed * def.dt : 0;
    ffi_check_near("slip x", slip[0], speed * 2 / sqrt(5), 0.01 * speed + behind);
    ffi_check_near("slip y", slip[1], speed * 1 / sqrt(5), 0.01 * speed + behind);
    ffi_check_near("friction x", sum[0], -0.2 * 2 * toy_gravity * 2 / sqrt(5), 0.01 * 4);
    ffi_check_near("friction y", sum[1], -0.2 * 2 * toy_gravity * 1 / sqrt(5), 0.01 * 4);
    assert_int_equal(ff_sim_info(sim)->slipping, 4);
    ff_sim_destroy(sim);
  }
  ff_model_destroy(model);
}

// Two loose bodies: a ball on a cube. Forces on a and normals from b to a, whichever shape carries the point.
static void a_ball_on_a_cube(void **state)
{
  (void)state;
  ff_model *model = toy_fair();
  ff_sim_def def = ff_sim_def_default();
  def.stepper = FF_STEPPER_SYMPLECTIC;
  def.dt = 1e-4;
  ff_sim *sim = ffi_must_sim(model, &def);
  const int ball = ff_model_find_link(model, "ball"), cube = ff_model_find_link(model, "cube");
  double q[16];
  ff_model_neutral(model, q);
  q[2] = 0.2999; // the ball first: joints are in order of their names
  q[9] = 0.0999;
  assert_int_equal(ff_sim_reset(sim, q, NULL, NULL), FF_OK);
  ffi_must_run(sim, 5000, NULL);
  int count, found = 0;
  const ff_contact *c = ff_sim_contacts(sim, &count);
  for (int i = 0; i < count; ++i) {
    if (c[i].ground >= 0)
      continue;
    ++found;
    const double sign = c[i].link_a == ball ? 1 : -1;
    assert_int_equal(c[i].link_a, sign > 0 ? ball : cube);
    assert_int_equal(c[i].link_b, sign > 0 ? cube : ball);
    ffi_check_near("normal", sign * c[i].normal[2], 1, 1e-9);
    ffi_check_near("force", sign * c[i].force[2], 0.5 * toy_gravity, 1e-3);
    ffi_check_near("mean force", sign * c[i].mean_force[2], 0.5 * toy_gravity, 1e-3);
    check_frame(&c[i]);
  }
  assert_int_equal(found, 1);
  ff_sim_destroy(sim);
  ff_model_destroy(model);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_resting_cube),
      cmocka_unit_test(mean_forces_are_impulses),
      cmocka_unit_test(a_sliding_cube),
      cmocka_unit_test(a_ball_on_a_cube),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
