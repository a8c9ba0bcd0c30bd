// The instruction set that FF_ISA_AUTO stands for, and how FOOTFALL_ISA forces it.
#include "dynamics/cases.h"
#include "sim/sim.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static int is_here(ff_isa isa)
{
  ff_isa found;
  return ff_isa_resolve(isa, &found, NULL) == FF_OK && found == isa;
}

static void auto_is_the_best_unless_told_otherwise(void **state)
{
  ff_isa isa = FF_ISA_AUTO;
  (void)state;
  assert_int_equal(unsetenv("FOOTFALL_ISA"), 0);
  assert_int_equal(ff_isa_resolve(FF_ISA_AUTO, &isa, NULL), FF_OK);
  assert_int_equal(isa, ff_isa_best());
  assert_int_equal(setenv("FOOTFALL_ISA", "", 1), 0);
  assert_int_equal(ff_isa_resolve(FF_ISA_AUTO, &isa, NULL), FF_OK);
  assert_int_equal(isa, ff_isa_best());
}

// Creators follow it, for FF_ISA_AUTO only.
static void a_set_that_is_here_can_be_forced(void **state)
{
  ffi_forest forest;
  int forced = 0;
  (void)state;
  ffi_forest_number(2, 0, &forest);
  for (ff_isa isa = FF_ISA_BASE; isa <= FF_ISA_AVX512; ++isa) {
    if (!is_here(isa))
      continue;
    ff_dynamics_def def = ff_dynamics_def_default();
    ff_dynamics *dynamics;
    assert_int_equal(setenv("FOOTFALL_ISA", ff_isa_name(isa), 1), 0);
    assert_int_equal(ff_dynamics_create(forest.model, &def, &dynamics, NULL), FF_OK);
    assert_int_equal(ff_dynamics_isa(dynamics), isa);
    ff_dynamics_destroy(dynamics);
    def.isa = FF_ISA_BASE;
    assert_int_equal(ff_dynamics_create(forest.model, &def, &dynamics, NULL), FF_OK);
    assert_int_equal(ff_dynamics_isa(dynamics), FF_ISA_BASE);
    ff_dynamics_destroy(dynamics);
    ff_sim *sim;
    assert_int_equal(ff_sim_create(forest.model, NULL, &sim, NULL), FF_OK);
    assert_int_equal(sim->def.isa, isa);
    ff_sim_destroy(sim);
    ++forced;
  }
  assert_true(forced >= 1);
  ffi_forest_free(&forest);
}

// Refused by every creator, in words that name the variable, what it said and what there is; never another set instead.
static void refuse_environment(const char *name)
{
  ffi_forest forest;
  ff_dynamics *dynamics;
  ff_sim *sim;
  ff_isa isa = FF_ISA_BASE;
  ff_error error[3];
  ffi_forest_number(2, 0, &forest);
  assert_int_equal(setenv("FOOTFALL_ISA", name, 1), 0);
  assert_int_equal(ff_isa_resolve(FF_ISA_AUTO, &isa, &error[0]), FF_ERROR_UNSUPPORTED);
  assert_int_equal(ff_dynamics_create(forest.model, NULL, &dynamics, &error[1]), FF_ERROR_UNSUPPORTED);
  assert_int_equal(ff_sim_create(forest.model, NULL, &sim, &error[2]), FF_ERROR_UNSUPPORTED);
  assert_null(dynamics);
  assert_null(sim);
  for (int i = 0; i < 3; ++i)
    if (!strstr(error[i].message, "FOOTFALL_ISA") || !strstr(error[i].message, "base") ||
        !strstr(error[i].message, name))
      fail_msg("FOOTFALL_ISA=%s: '%s'", name, error[i].message);
  ffi_forest_free(&forest);
}

static void a_set_that_is_not_here_is_refused(void **state)
{
  static const char *const nonsense[] = {"sse", "AVX2", "avx2 ", "auto", "99"};
  (void)state;
  for (size_t i = 0; i < sizeof nonsense / sizeof nonsense[0]; ++i)
    refuse_environment(nonsense[i]);
  for (ff_isa isa = FF_ISA_BASE; isa <= FF_ISA_AVX512; ++isa)
    if (!is_here(isa))
      refuse_environment(ff_isa_name(isa));
}

static void outputs_are_needed(void **state)
{
  ff_error error;
  (void)state;
  assert_int_equal(ff_isa_resolve(FF_ISA_BASE, NULL, &error), FF_ERROR_ARGUMENT);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(auto_is_the_best_unless_told_otherwise),
      cmocka_unit_test(a_set_that_is_here_can_be_forced),
      cmocka_unit_test(a_set_that_is_not_here_is_refused),
      cmocka_unit_test(outputs_are_needed),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
