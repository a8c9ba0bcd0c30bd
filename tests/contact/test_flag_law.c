// The contact law with a slip flag: each line of the listing by hand, and a block on springs that starts to slide and stops.
#include "contact/law/flag_law.h"
#include "support/near.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

static const double K = 3e4, B = 50, mu = 0.8, up[3] = {0, 0, 1};

static void normal_force_pushes_only(void **state)
{
  (void)state;
  ffi_contact_law_result law;
  int slips = 0;
  const double x[3] = {0, 0, -1e-3}, still[3] = {0, 0, 0}, away[3] = {0, 0, 1}, down[3] = {0, 0, -0.1};
  assert_int_equal(ffi_flag_law(K, B, mu, up, x, still, NULL, &slips, &law), 0);
  ffi_check_near("K depth", law.force[2], 30, 1e-12);
  assert_int_equal(law.mode, FF_CONTACT_STICK);
  ffi_flag_law(K, B, mu, up, x, down, NULL, &slips, &law);
  ffi_check_near("with its damper", law.force[2], 35, 1e-12);
  ffi_flag_law(K, B, mu, up, x, away, NULL, &slips, &law); // 30 - 50 < 0
  assert_true(law.force[0] == 0 && law.force[1] == 0 && law.force[2] == 0);
  assert_int_equal(law.mode, FF_CONTACT_RELEASED);
}

// Within the disc: the spring from P_0, whatever its direction.
static void sticks_within_the_disc(void **state)
{
  (void)state;
  ffi_contact_law_result law;
  int slips = 0;
  const double x[3] = {3e-4, -4e-4, -1e-3}, u[3] = {0.02, 0, 0}; // 15 N and 1 N against a disc of 24 N
  assert_int_equal(ffi_flag_law(K, B, mu, up, x, u, NULL, &slips, &law), 0);
  assert_int_equal(slips, 0);
  ffi_check_near("x", law.force[0], -9 - 1, 1e-12);
  ffi_check_near("y", law.force[1], 12, 1e-12);
}

// Beyond it: friction against the velocity, not against the spring, and it goes on sliding with the friction of the moment.
static void slips_beyond_the_disc(void **state)
{
  (void)state;
  ffi_contact_law_result law;
  int slips = 0;
  const double x[3] = {9e-4, 0, -1e-3}, u[3] = {0.03, 0.04, 0};
  assert_int_equal(ffi_flag_law(K, B, mu, up, x, u, NULL, &slips, &law), 0);
  assert_int_equal(slips, 1);
  assert_int_equal(law.mode, FF_CONTACT_SLIP);
  ffi_check_near("x", law.force[0], -24 * 0.6, 1e-12);
  ffi_check_near("y", law.force[1], -24 * 0.8, 1e-12);
  const double deeper[3] = {0, 0, -2e-3}, slower[3] = {0.01, 0, 0};
  const double last[3] = {law.force[0], law.force[1], law.force[2]};
  assert_int_equal(ffi_flag_law(K, B, mu, up, deeper, slower, last, &slips, &law), 0);
  assert_int_equal(slips, 1); // though its spring is at rest
  ffi_check_near("follows the normal force", law.force[0], -48, 1e-12);
}

static void sticks_again_where_it_stops(void **state)
{
  (void)state;
  ffi_contact_law_result law;
  const double x[3] = {5e-3, 0, -1e-3}, last[3] = {-24, 0, 30};
  const double slow[3] = {5e-4, 0, 0}, back[3] = {-0.02, 0, 0}, on[3] = {0.02, 0, 0};
  for (int i = 0; i < 3; ++i) {
    const double *u = i == 0 ? slow : i == 1 ? back : on;
    int slips = 1;
    const int reset = ffi_flag_law(K, B, mu, up, x, u, last, &slips, &law);
    assert_int_equal(reset, i < 2); // from where it is, not from 5 mm behind
    assert_int_equal(slips, i == 2);
    ffi_check_near("friction", law.force[0], i < 2 ? -B * u[0] : -24, 1e-12);
  }
}

// A block of 1 kg thrown at 1 m/s, steps of 10 us: it slides v^2 / (2 mu g), then stands for good on springs that carry nothing for long.
static void block_comes_to_rest(void **state)
{
  (void)state;
  const double g = 9.81, dt = 1e-5, depth = g / K;
  double p = 0, v = 1, anchor = 0, last[3] = {0, 0, 0};
  int slips = 0, resets = 0;
  for (int k = 0; k < 100000; ++k) {
    const double x[3] = {p - anchor, 0, -depth}, u[3] = {v, 0, 0};
    ffi_contact_law_result law;
    if (ffi_flag_law(K, B, mu, up, x, u, k ? last : NULL, &slips, &law)) {
      anchor = p;
      ++resets;
    }
    for (int i = 0; i < 3; ++i)
      last[i] = law.force[i];
    v += dt * law.force[0];
    p += dt * v;
  }
  assert_int_equal(resets, 1);
  // It begins to slide once the spring has its mu g: at most mu g / K late; steps of first order are off by v dt.
  ffi_check_near("way", p, 1 / (2 * mu * g), 2 * mu * g / K + 2 * dt);
  ffi_check_near("speed", v, 0, 1e-9);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(normal_force_pushes_only), cmocka_unit_test(sticks_within_the_disc),
      cmocka_unit_test(slips_beyond_the_disc),    cmocka_unit_test(sticks_again_where_it_stops),
      cmocka_unit_test(block_comes_to_rest),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
