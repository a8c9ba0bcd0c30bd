// Motion that decays for ever ends at 0, and does not become denormal numbers, which processors compute tens of times
// slower. The oracle: a damped wheel's rate falls by a known factor in each step, so when it must be gone is known.
#include "base/clock.h"
#include "sim/toys.h"
#include "support/robots.h"

#include <math.h>

static const double least = 1e-100; // of what is left of a state, src/step/system/state.c

static int compare(const void *a, const void *b)
{
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

// A chain of eight wheels about one point, 0.1 kg m^2 each, with D = 200 N m s/rad in every joint. The largest
// eigenvalue of M is at most its trace, 0.1 (8 + 7 + ... + 1) = 3.6 kg m^2, so rates fall as exp(-200/3.6 t) or faster.
static ff_model *damped_chain(void)
{
  ff_builder *b = ffi_must_begin("chain");
  ff_error error;
  for (int i = 0; i < 8; ++i) {
    char name[16], joint[16];
    ff_link_def link = ff_link_def_default();
    snprintf(name, sizeof name, "link%d", i);
    snprintf(joint, sizeof joint, "joint%d", i);
    link.name = name;
    link.parent = i - 1;
    link.joint.name = joint;
    link.joint.type = FF_JOINT_REVOLUTE;
    link.joint.axis[i % 3] = 1;
    link.joint.damping = 200;
    link.inertia.mass = 1;
    link.inertia.matrix[0] = link.inertia.matrix[3] = link.inertia.matrix[5] = 0.1;
    ffi_must_add_link(b, &link);
  }
  ffi_must(ff_builder_set_gravity(b, (double[3]){0, 0, 0}, &error), &error);
  return ffi_must_finish(b);
}

static double step_seconds(ff_sim *sim)
{
  const double start = ffi_clock_thread_seconds();
  ffi_must_step(sim, NULL);
  return ffi_clock_thread_seconds() - start;
}

// No number of the state is between 0 and `least`.
static void check_sizes(const ff_sim *sim)
{
  const ff_model_size size = ff_model_get_size(ff_sim_model(sim));
  for (int i = 0; i < size.nv; ++i)
    if (ff_sim_v(sim)[i] != 0 && fabs(ff_sim_v(sim)[i]) < least)
      fail_msg("%s: v[%d] = %g", ff_stepper_name(ff_sim_stepper(sim)), i, ff_sim_v(sim)[i]);
  for (int i = 0; i < size.nq; ++i)
    if (ff_sim_q(sim)[i] != 0 && fabs(ff_sim_q(sim)[i]) < least)
      fail_msg("%s: q[%d] = %g", ff_stepper_name(ff_sim_stepper(sim)), i, ff_sim_q(sim)[i]);
}

// Steps at rest must not take ten times as long as the first ones; with denormal rates they took up to 28 times.
static void rates_decay_to_nothing(void **state)
{
  (void)state;
  enum { STEPS = 1500, FIRST = 20 };
  ff_model *model = damped_chain();
  const int nv = ff_model_get_size(model).nv;
  double *v = calloc((size_t)nv, sizeof *v), *seconds = calloc(STEPS, sizeof *seconds);
  assert_non_null(v);
  assert_non_null(seconds);
  for (int i = 0; i < nv; ++i)
    v[i] = 1e-90;
  for (int stepper = 0; stepper < FF_STEPPER_COUNT; ++stepper) {
    ff_sim_def def = ff_sim_def_default();
    def.stepper = (ff_stepper)stepper;
    def.dt = 5e-4;
    ff_sim *sim = ffi_must_sim(model, &def);
    ffi_must_reset(sim, NULL, v);
    int gone = -1;
    for (int k = 0; k < STEPS; ++k) {
      seconds[k] = step_seconds(sim);
      check_sizes(sim);
      int moving = 0;
      for (int i = 0; i < nv; ++i)
        moving += ff_sim_v(sim)[i] != 0;
      if (!moving && gone < 0)
        gone = k;
    }
    // exp(-200/3.6 t) takes 1e-90 to 1e-100 in 0.41 s, 829 steps. Implicit Euler's 1 / (1 + x) is slower than exp(-x)
    // by x / 2, x = 0.028, and all others are nearer.
    if (stepper != FF_STEPPER_IMPLICIT &&
        (gone < 0 || gone > 860)) // it takes residuals below its tolerance as zero
      fail_msg("%s: still moving after %d steps", ff_stepper_name(def.stepper), gone);
    qsort(seconds, FIRST, sizeof *seconds, compare);
    qsort(seconds + FIRST, STEPS - FIRST, sizeof *seconds, compare);
    const double ratio = seconds[FIRST + (STEPS - FIRST) / 2] / seconds[FIRST / 2];
    if (!FFI_TEST_EMULATED && ratio > 10)
      fail_msg("%s: steps at rest take %g times as long", ff_stepper_name(def.stepper), ratio);
    ff_sim_destroy(sim);
  }
  free(v);
  free(seconds);
  ff_model_destroy(model);
}

// A spring pulls a wheel to 0: the angle decays too, with the rate.
static void angles_decay_to_nothing(void **state)
{
  (void)state;
  ff_model *model = toy_wheel(0.01, 0);
  ff_element_def spring = ff_element_def_default();
  spring.joint = 0;
  spring.stiffness = 400; // (s + 200)^2: critically damped
  spring.damping = 4;
  for (int stepper = 0; stepper < FF_STEPPER_COUNT; ++stepper) {
    ff_sim_def def = ff_sim_def_default();
    if (stepper == FF_STEPPER_IMPLICIT) // stays at 1e-90, as its residual is below the tolerance
      continue;
    def.stepper = (ff_stepper)stepper;
    def.elements = &spring;
    def.element_count = 1;
    ff_sim *sim = ffi_must_sim(model, &def);
    const double q = 1e-90, v = 0;
    ffi_must_reset(sim, &q, &v);
    int k = 0;
    for (; k < 1000 && (ff_sim_q(sim)[0] != 0 || ff_sim_v(sim)[0] != 0); ++k) {
      ffi_must_step(sim, NULL);
      check_sizes(sim);
    }
    // (1 + 200 t) exp(-200 t) takes 1e-90 to 1e-100 within 0.15 s
    if (k == 1000)
      fail_msg("%s: q = %g, v = %g after a second", ff_stepper_name(def.stepper), ff_sim_q(sim)[0],
               ff_sim_v(sim)[0]);
    ff_sim_destroy(sim);
  }
  ff_model_destroy(model);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rates_decay_to_nothing),
      cmocka_unit_test(angles_decay_to_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
