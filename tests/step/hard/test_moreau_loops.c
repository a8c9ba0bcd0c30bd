// moreau: loops that elements close carry what statics says and move as the linkage does.
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
    ffi_four_bar l = ffi_four_bar_leaning;
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
  ffi_four_bar l = ffi_four_bar_leaning;
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

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(loop_carries_what_statics_says),
      cmocka_unit_test(loop_moves_as_a_pendulum),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
