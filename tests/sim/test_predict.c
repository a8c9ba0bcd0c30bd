// Predicted forces: by the closed form of one mass on springs, and by the motion of a cube on four corners.
#include "sim/toys.h"

#include <math.h>

enum { COUNT = 21 };

// A mass pressed into the floor beside a motor that pulls: (K + P) x + (B + D) x' + m x'' = P r - m g, x < 0. The
// floor's share is -K x - B x'.
static void a_mass_on_springs(void **state)
{
  (void)state;
  const double m = 2, K = 5e3, B = 30, P = 1e3, D = 10, push = 3, duration = 0.05;
  ff_model *model = toy_mass(m, &(ff_material){.stiffness = K, .damping = B, .friction = 1});
  ff_element_def motor = ff_element_def_default();
  motor.joint = 0;
  motor.stiffness = P;
  motor.damping = D;
  motor.reference = -0.002;
  ff_sim_def def = ff_sim_def_default();
  def.elements = &motor;
  def.element_count = 1;
  ff_sim *sim = ffi_must_sim(model, &def);
  const double q = -0.01, v = 0.2;
  double force[COUNT][1][3];
  int contacts;
  ff_error error;
  assert_int_equal(ff_sim_reset(sim, &q, &v, NULL), FF_OK);
  assert_int_equal(ff_sim_predict_forces(sim, &push, duration, COUNT, &force[0][0][0], &contacts, &error),
                   FF_OK);
  assert_int_equal(contacts, 1);
  const double w = sqrt((K + P) / m), z = (B + D) / (2 * sqrt((K + P) * m)), d = w * sqrt(1 - z * z);
  const double rest = (P * motor.reference + push - m * toy_gravity) / (K + P), x0 = q - rest;
  for (int k = 0; k < COUNT; ++k) {
    const double t = duration * k / (COUNT - 1), decay = exp(-z * w * t);
    const double x = decay * (x0 * cos(d * t) + (v + z * w * x0) / d * sin(d * t));
    const double u = decay * (v * cos(d * t) - (w * w * x0 + z * w * v) / d * sin(d * t));
    ffi_check_near("force", force[k][0][2], -K * (rest + x) - B * u, 1e-9);
    ffi_check_near("sideways", force[k][0][0], 0, 1e-9);
  }
  ff_sim_destroy(sim);
  ff_model_destroy(model);
}

// The same mass with a damped slide: its damping is that of the joint, beside the floor's.
static void a_mass_on_a_damped_slide(void **state)
{
  (void)state;
  const double m = 2, K = 5e3, B = 30, D = 25, duration = 0.05, q = -0.01, v = 0.2;
  ff_builder *b = ffi_must_begin("damped");
  ff_link_def link = ff_link_def_default();
  link.name = "mass";
  link.joint.name = "slide";
  link.joint.type = FF_JOINT_PRISMATIC;
  link.joint.axis[2] = 1;
  link.joint.damping = D;
  link.inertia = ff_inertia_zero();
  link.inertia.mass = m;
  ff_shape_def point = ff_shape_def_default();
  point.type = FF_SHAPE_POINT;
  point.material = (ff_material){.stiffness = K, .damping = B, .friction = 1};
  ffi_must_add_shape(b, ffi_must_add_link(b, &link), &point);
  ff_model *model = ffi_must_finish(b);
  ff_sim *sim = ffi_must_sim(model, NULL);
  double force[COUNT][1][3];
  ff_error error;
  ffi_must_reset(sim, &q, &v);
  assert_int_equal(ff_sim_predict_forces(sim, NULL, duration, COUNT, &force[0][0][0], NULL, &error), FF_OK);
  const double w = sqrt(K / m), z = (B + D) / (2 * sqrt(K * m)), d = w * sqrt(1 - z * z);
  const double rest = -m * toy_gravity / K, x0 = q - rest;
  for (int k = 0; k < COUNT; ++k) {
    const double t = duration * k / (COUNT - 1), decay = exp(-z * w * t);
    const double x = decay * (x0 * cos(d * t) + (v + z * w * x0) / d * sin(d * t));
    const double u = decay * (v * cos(d * t) - (w * w * x0 + z * w * v) / d * sin(d * t));
    ffi_check_near("force", force[k][0][2], -K * (rest + x) - B * u, 1e-9);
  }
  ff_sim_destroy(sim);
  ff_model_destroy(model);
}

// The frozen system against the motion itself, in short steps: a cube that comes to rest on its four corners, one
// pressed in deeper.
static void a_cube_does_as_predicted(void **state)
{
  (void)state;
  ff_model *model = toy_cube(&(ff_material){.stiffness = 5e3, .damping = 20, .friction = 1});
  ff_sim_def def = ff_sim_def_default();
  def.stepper = FF_STEPPER_RK4;
  def.dt = 2e-5;
  ff_sim *sim = ffi_must_sim(model, &def);
  const double q[7] = {0, 0, 0.1 - 0.001, 0.001, 0.0006, 0, 1};
  double force[COUNT][4][3];
  int contacts, worst_step = 0;
  double worst = 0;
  ff_error error;
  assert_int_equal(ff_sim_reset(sim, q, NULL, NULL), FF_OK);
  assert_int_equal(ff_sim_predict_forces(sim, NULL, 0, 0, NULL, &contacts, &error), FF_OK);
  assert_int_equal(contacts, 4);
  assert_int_equal(ff_sim_predict_forces(sim, NULL, 0.01, COUNT, &force[0][0][0], &contacts, &error), FF_OK);
  for (int k = 0; k < COUNT; ++k) {
    int count;
    const ff_contact *c = ff_sim_contacts(sim, &count);
    assert_int_equal(count, 4);
    for (int i = 0; i < count; ++i)
      for (int r = 0; r < 3; ++r)
        if (fabs(c[i].force[r] - force[k][i][r]) > worst) {
          worst = fabs(c[i].force[r] - force[k][i][r]);
          worst_step = k;
        }
    ffi_must_run(sim, 25, NULL);
  }
  print_message("             off by at most %.3g N of 5 N, at time %d of 20\n", worst, worst_step);
  assert_true(worst < 0.01); // J turns by a milliradian
  ff_sim_destroy(sim);
  ff_model_destroy(model);
}

// A heap of springs that are rigidly joined: redundant contacts are no obstacle, and at rest nothing changes.
static void at_rest_forces_stay(void **state)
{
  (void)state;
  const double K = 2e4, weight = 2 * toy_gravity;
  ff_model *model = toy_cube(&(ff_material){.stiffness = K, .damping = 0, .friction = 1});
  ff_sim *sim = ffi_must_sim(model, NULL);
  const double q[7] = {0, 0, 0.1 - weight / 4 / K, 0, 0, 0, 1};
  double force[3][4][3];
  assert_int_equal(ff_sim_reset(sim, q, NULL, NULL), FF_OK);
  assert_int_equal(ff_sim_predict_forces(sim, NULL, 0.1, 3, &force[0][0][0], NULL, NULL), FF_OK);
  for (int k = 0; k < 3; ++k)
    for (int i = 0; i < 4; ++i)
      ffi_check_near("force", force[k][i][2], weight / 4, 1e-9);
  ff_sim_destroy(sim);
  ff_model_destroy(model);
}

static void wrong_questions_are_refused(void **state)
{
  (void)state;
  ff_model *model = toy_mass(1, NULL);
  ff_sim *sim = ffi_must_sim(model, NULL);
  const double q = 1, bad = (double)NAN;
  double force[3];
  int contacts = -1;
  ff_error error;
  assert_int_equal(ff_sim_reset(sim, &q, NULL, NULL), FF_OK);
  assert_int_equal(ff_sim_predict_forces(sim, NULL, 1, 1, force, &contacts, &error),
                   FF_OK); // nothing touches
  assert_int_equal(contacts, 0);
  assert_int_equal(ff_sim_predict_forces(sim, NULL, -1, 1, force, NULL, &error), FF_ERROR_ARGUMENT);
  assert_int_equal(ff_sim_predict_forces(sim, NULL, bad, 1, force, NULL, &error), FF_ERROR_ARGUMENT);
  assert_int_equal(ff_sim_predict_forces(sim, NULL, 1, -1, force, NULL, &error), FF_ERROR_ARGUMENT);
  assert_int_equal(ff_sim_predict_forces(sim, &bad, 1, 1, force, NULL, &error), FF_ERROR_ARGUMENT);
  assert_int_equal(ff_sim_predict_forces(NULL, NULL, 1, 1, force, NULL, &error), FF_ERROR_ARGUMENT);
  ff_sim_destroy(sim);
  ff_model_destroy(model);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_mass_on_springs),           cmocka_unit_test(a_mass_on_a_damped_slide),
      cmocka_unit_test(a_cube_does_as_predicted),    cmocka_unit_test(at_rest_forces_stay),
      cmocka_unit_test(wrong_questions_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
