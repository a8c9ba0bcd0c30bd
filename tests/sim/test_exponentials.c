// Methods of the exponential in motion: robots that land, lift off and slide, where systems are frozen again inside a
// step.
#include <footfall/load.h>
#include <footfall/sim.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { STEPS = 100 };

// Solo12 dropped from 5 cm, limp, turning; q and v after 0.2 s. Forces are brought into their cones at the ends of
// steps, as the reference needs it.
static void drop(const ff_model *model, ff_stepper stepper, ff_exponential exponential, int order, double mu,
                 double *end)
{
  const ff_model_size size = ff_model_get_size(model);
  ff_ground_def ground = ff_ground_def_default();
  ground.gives_pair = 1;
  ground.shape.material = ff_material_default();
  ground.shape.material.friction = mu;
  ff_sim_def def = ff_sim_def_default();
  def.stepper = stepper;
  def.dt = 0.002;
  def.ground = &ground;
  def.ground_count = 1;
  def.expo.exponential = exponential;
  def.expo.force_tolerance = 1e-12;
  def.expo.max_substeps = 64;
  def.expo.events = 0;
  def.expo.order = order;
  ff_sim *sim;
  ff_error error;
  double q[32], v[32] = {0.2, 0.1, 0, 0.5, -0.3, 0.4};
  memcpy(q, ff_model_posture(model, ff_model_find_posture(model, "standing")), (size_t)size.nq * sizeof *q);
  q[2] += 0.05;
  if (ff_sim_create(model, &def, &sim, &error) != FF_OK || ff_sim_reset(sim, q, v, &error) != FF_OK ||
      ff_sim_run(sim, STEPS, NULL, NULL, NULL, &error) != FF_OK)
    fail_msg("%s, %s, order %d, friction %g: %s", ff_stepper_name(stepper), ff_exponential_name(exponential),
             order, mu, error.message);
  memcpy(end, ff_sim_q(sim), (size_t)size.nq * sizeof *end);
  memcpy(end + size.nq, ff_sim_v(sim), (size_t)size.nv * sizeof *end);
  ff_sim_destroy(sim);
}

static double apart(int count, const double *a, const double *b)
{
  double most = 0;
  for (int i = 0; i < count; ++i)
    most = fmax(most, fabs(a[i] - b[i]));
  return most;
}

// Where no contact slides (no friction at all, or more than is ever used up) the fast path and the exact exponential
// solve the same systems, and a drop ends the same but for the tolerance: 1e-12 of forces in each of 100 steps, each
// of which a fall may make a few times larger.
static void fast_and_exact_fall_alike(void **state)
{
  (void)state;
  ff_model *model;
  ff_error error;
  if (ff_model_load(FFI_TEST_SOURCE_DIR "/models/solo12.urdf", NULL, &model, &error) != FF_OK)
    fail_msg("%s", error.message);
  static const double frictions[] = {0, 1e6};
  static const ff_stepper steppers[] = {FF_STEPPER_EXPO, FF_STEPPER_EXPO, FF_STEPPER_EXPO_PAPER};
  for (int i = 0; i < 6; ++i) {
    double fast[64], exact[64];
    const int order = i % 3 == 0 ? 1 : 2;
    drop(model, steppers[i % 3], FF_EXPONENTIAL_AUTO, order, frictions[i / 3], fast);
    drop(model, steppers[i % 3], FF_EXPONENTIAL_EXACT, order, frictions[i / 3], exact);
    const double off = apart(37, fast, exact);
    print_message("%s, order %d, friction %g: apart by %.1e\n", ff_stepper_name(steppers[i % 3]), order,
                  frictions[i / 3], off);
    assert_true(off < 1e-10);
  }
  ff_model_destroy(model);
}

// With friction in between contacts slide, which the published orders know by springs; none may fail.
static void all_of_them_land(void **state)
{
  (void)state;
  ff_model *model;
  ff_error error;
  if (ff_model_load(FFI_TEST_SOURCE_DIR "/models/solo12.urdf", NULL, &model, &error) != FF_OK)
    fail_msg("%s", error.message);
  for (int e = 0; e < FF_EXPONENTIAL_COUNT; ++e)
    for (int order = 1; order <= 2; ++order) {
      double end[64];
      drop(model, FF_STEPPER_EXPO, (ff_exponential)e, order, 0.5, end);
      for (int i = 0; i < 37; ++i)
        assert_true(fabs(end[i]) < 100);
    }
  ff_model_destroy(model);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(fast_and_exact_fall_alike),
      cmocka_unit_test(all_of_them_land),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
