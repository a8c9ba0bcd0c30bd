// How the materials of two shapes become that of their pair.
#include "contact/detect/colliders.h"

#include "support/near.h"
#include "support/random_state.h"

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static ff_material material(double k, double b, double mu, double e)
{
  return (ff_material){.stiffness = k, .damping = b, .friction = mu, .restitution = e};
}

static void springs_are_in_series(void **state)
{
  (void)state;
  const ff_material a = material(3e5, 600, 0.7, 0.1), b = material(6e5, 300, 0.9, 0.4);
  ff_material m;
  ffi_pair_materials_combine(&a, &b, &m);
  assert_true(fabs(m.stiffness - 2e5) < 1e-9);
  assert_true(fabs(m.damping - 200) < 1e-12);
  assert_true(m.friction == 0.7 && m.restitution == 0.4);
}

// A force F through both compresses them by F/Ka + F/Kb, whatever their ratio.
static void deflections_add(void **state)
{
  (void)state;
  ffi_random r = ffi_random_seed(1);
  ffi_margin margin = {.what = "deflection", .tolerance = 8 * DBL_EPSILON};
  for (int i = 0; i < 2000; ++i) {
    ff_material a = material(pow(10, ffi_random_between(&r, -300, 300)),
                             pow(10, ffi_random_between(&r, -300, 300)), 1, 0);
    ff_material b = material(pow(10, ffi_random_between(&r, -300, 300)),
                             pow(10, ffi_random_between(&r, -300, 300)), 1, 0),
                m, n;
    ffi_pair_materials_combine(&a, &b, &m);
    ffi_pair_materials_combine(&b, &a, &n);
    assert_memory_equal(&m, &n, sizeof m); // the order does not matter, to the bit
    ffi_margin_add(&margin, fabs(m.stiffness / a.stiffness + m.stiffness / b.stiffness - 1), i);
    ffi_margin_add(&margin, fabs(m.damping / a.damping + m.damping / b.damping - 1), i);
  }
  ffi_margin_check(&margin);
}

static void rigid_leaves_the_other_as_it_is(void **state)
{
  (void)state;
  const ff_material rigid = ff_ground_def_default().shape.material;
  const ff_material foot = material(123456.789, 0.1, 0.3, 0.2); // 1/(1/K) need not be K
  ff_material m;
  ffi_pair_materials_combine(&foot, &rigid, &m);
  assert_memory_equal(&m, &foot, sizeof m);
  ffi_pair_materials_combine(&rigid, &foot, &m);
  assert_memory_equal(&m, &foot, sizeof m);
  ffi_pair_materials_combine(&rigid, &rigid, &m);
  assert_true(isinf(m.stiffness) && isinf(m.damping) && isinf(m.friction));
}

static void a_damper_of_zero_takes_nothing(void **state)
{
  (void)state;
  const ff_material elastic = material(1e5, 0, 1, 0), other = material(1e5, 300, 1, 0),
                    rigid = ff_ground_def_default().shape.material;
  ff_material m;
  ffi_pair_materials_combine(&elastic, &other, &m);
  assert_true(m.damping == 0 && m.stiffness == 5e4);
  ffi_pair_materials_combine(&elastic, &rigid, &m);
  assert_true(m.damping == 0 && m.stiffness == 1e5);
  ffi_pair_materials_combine(&elastic, &elastic, &m);
  assert_true(m.damping == 0);
}

static void in_place(void **state)
{
  (void)state;
  ff_material a = material(1e5, 100, 0.5, 0), b = material(1e5, 100, 0.4, 0.3);
  ffi_pair_materials_combine(&a, &b, &a);
  assert_true(a.stiffness == 5e4 && a.damping == 50 && a.friction == 0.4 && a.restitution == 0.3);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(springs_are_in_series),
      cmocka_unit_test(deflections_add),
      cmocka_unit_test(rigid_leaves_the_other_as_it_is),
      cmocka_unit_test(a_damper_of_zero_takes_nothing),
      cmocka_unit_test(in_place),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
