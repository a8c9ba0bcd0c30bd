// The friction spring of a contact that slides at constant speed relaxes to mu N / K with the rate K / B: Expo paper
// eq. 27.
#include "analytic/scene.h"

// A mass of 1 kg on a cart of 10^9 kg: friction of 5 N slows it by 5e-9 m/s^2.
static const ff_material material = {.stiffness = 1e4, .damping = 50, .friction = 0.5};
static const double cart = 1e9, mass = 1;

// Elongation [m] and speed of the anchor [m/s] at time t. It sticks until K v t + B v = mu N, slips from then on.
static void exact_at(double t, double speed, double *elongation, double *slip)
{
  const double K = material.stiffness, B = material.damping,
               last = -material.friction * mass * scene_gravity / K;
  const double begin = fmax(0, -last / speed - B / K);
  if (t < begin) {
    *elongation = -speed * t;
    *slip = 0;
    return;
  }
  const double far = (-speed * begin - last) * exp(-K / B * (t - begin));
  *elongation = last + far;
  *slip = speed - K / B * far;
}

// Largest differences in twenty steps: of the elongation, of mu N / K; of the anchor's speed, of the cart's.
typedef struct gap {
  double elongation, slip;
} gap;

static gap slide(ff_stepper stepper, double dt, double speed)
{
  ff_model *model = scene_cart(cart, mass, &material);
  ff_sim_def def = ff_sim_def_default();
  def.stepper = stepper;
  def.dt = dt;
  ff_sim *sim = ffi_must_sim(model, &def);
  const double sunk = mass * scene_gravity / material.stiffness, q[2] = {0, -sunk}, v[2] = {speed, 0};
  ffi_must_reset(sim, q, v);
  gap g = {0};
  for (int k = 1; k <= 20; ++k) {
    ffi_must_run(sim, 1, NULL);
    int count;
    const ff_contact *c = ff_sim_contacts(sim, &count);
    assert_int_equal(count, 1);
    double elongation, slip;
    exact_at(k * dt, speed, &elongation, &slip);
    const double got = c->slip[0] * c->tangent[0][0] + c->slip[1] * c->tangent[1][0];
    g.elongation =
        fmax(g.elongation, fabs(c->anchor[0] - c->point[0] - elongation) / (material.friction * sunk));
    g.slip = fmax(g.slip, fabs(got - slip) / speed);
  }
  ff_sim_destroy(sim);
  ff_model_destroy(model);
  printf("%s, dt %g, %g m/s: elongation %.1e, slip %.1e\n", ff_stepper_name(stepper), dt, speed, g.elongation,
         g.slip);
  return g;
}

// The cart slows by 5e-9 m/s^2; that is seen in the slip.
static void check(ff_stepper stepper, double dt, double speed)
{
  const gap g = slide(stepper, dt, speed);
  ffi_check_near("elongation", g.elongation, 0, 1e-9);
  ffi_check_near("slip", g.slip, 0, 1e-9 + 20 * dt * 6e-9 / speed);
}

static const double steps[] = {0.01, 0.005, 0.002, 0.0005}; // B / K is 5 ms

// B v > mu N: slips from the start. The relaxation is solved as it is, and nothing else happens, so only rounding is
// left: a steady force is exact for the explicit ones, too.
static void fast_contact_slips_at_once(void **state)
{
  (void)state;
  for (int i = 0; i < 4; ++i) {
    check(FF_STEPPER_EXPO, steps[i], 1);
    check(FF_STEPPER_EULER, steps[i], 1);
    check(FF_STEPPER_SYMPLECTIC, steps[i], 1);
  }
}

// B v < mu N: it sticks until 1.71 ms, inside a step. The force grows in a line until then, so interpolation finds the
// event as it is.
static void slow_contact_sticks_first(void **state)
{
  (void)state;
  for (int i = 0; i < 4; ++i)
    check(FF_STEPPER_EXPO, steps[i], 0.0731);
}

// Stages of rk4 average the relaxation with order 4, backward Euler with order 1, both from the start of slipping on.
static void others_have_their_orders(void **state)
{
  (void)state;
  const double rk4 = slide(FF_STEPPER_RK4, 0.002, 1).elongation,
               half = slide(FF_STEPPER_RK4, 0.001, 1).elongation;
  ffi_check_near("order of rk4", log2(rk4 / half), 4, 0.5);
  const double implicit = slide(FF_STEPPER_IMPLICIT, 0.0005, 1).elongation,
               finer = slide(FF_STEPPER_IMPLICIT, 0.00025, 1).elongation;
  ffi_check_near("order of implicit", log2(implicit / finer), 1, 0.2);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(fast_contact_slips_at_once),
      cmocka_unit_test(slow_contact_sticks_first),
      cmocka_unit_test(others_have_their_orders),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
