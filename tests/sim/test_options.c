// The table of options: it agrees with the headers, values are written and read back, bad ones are refused.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <float.h>
#include <footfall/option.h>

#include "toys.h"

// ---- What the headers promise
// ---------------------------------------------------------------------------------------

typedef struct promise {
  const char *key, *owners; // whose: first letters would do, names are clearer
  const char *standard;
  double least, most;
  int is_open;
} promise;

#define EVERY "all steppers"
#define EXPOS "the steppers expo and expo-paper"
#define CAS "the steppers ca and c2a"
#define ENDLESS ((double)INFINITY)

// From sim.h, hard.h, c2a.h and impact.h; flags are 0..1, words from their first to their last.
static const promise promises[] = {
    {"stepper", EVERY, "expo", 0, 9, 0},
    {"dt", EVERY, "0.001", 0, 1000, 1},
    {"accuracy", "the steppers expo and c2a", "0", 1e-12, 1, 0},
    {"contact_law", "the steppers expo, expo-paper, euler, symplectic, rk4, implicit and ess", "anchor", 0, 1,
     0},
    {"normal_anchor", EVERY, "surface", 0, 1, 0},
    {"hull_contact", "the steppers expo, expo-paper, euler, symplectic, rk4, implicit and ess", "patch", 0, 1,
     0},
    {"self_collision", EVERY, "false", 0, 1, 0},
    {"model_elements", EVERY, "true", 0, 1, 0},
    {"limit_stiffness", EVERY, "1000", 0, DBL_MAX, 0},
    {"limit_damping", EVERY, "1", 0, DBL_MAX, 0},
    {"turning_friction", EVERY, "true", 0, 1, 0},
    {"joint_friction", EVERY, "true", 0, 1, 0},
    {"motor_delay", EVERY, "0", 0, 10, 0},
    {"max_speed", EVERY, "10000", 0, ENDLESS, 1},
    {"max_contacts", EVERY, "0", 0, 10000, 0},
    {"timing", EVERY, "false", 0, 1, 0},
    {"watch_passing", EVERY, "false", 0, 1, 0},
    {"time_limit", EVERY, "0", 0, 1e9, 0},
    {"isa", EVERY, "auto", 0, 3, 0},
    {"expo.exponential", EXPOS, "auto", 0, 6, 0},
    {"expo.force_tolerance", EXPOS, "0.0001", 1e-12, 0.1, 0},
    {"expo.max_substeps", EXPOS, "8", 1, 64, 0},
    {"expo.order", "the stepper expo", "2", 1, 2, 0},
    {"expo.events", "the stepper expo", "true", 0, 1, 0},
    {"expo.max_pieces", "the stepper expo", "32", 1, 1000, 0},
    {"expo.double_mean", "the stepper expo-paper", "true", 0, 1, 0},
    {"implicit.tolerance", "the stepper implicit", "1e-6", 0, 1, 1},
    {"implicit.max_iterations", "the stepper implicit", "50", 1, 1000, 0},
    {"ess.epsilon", "the stepper ess", "1e-5", 0, 0.01, 1},
    {"ess.relative_tolerance", "the stepper ess", "1e-6", 0, 0.1, 0},
    {"ess.absolute_tolerance", "the stepper ess", "1e-9", 0, 1, 1},
    {"ess.max_steps", "the stepper ess", "10000", 1, 100000000, 0},
    {"moreau.contact", "the stepper moreau", "hard", 0, 1, 0},
    {"moreau.solver", "the stepper moreau", "exact", 0, 3, 0},
    {"moreau.form", "the stepper moreau", "auto", 0, 2, 0},
    {"moreau.bilateral", "the stepper moreau", "direct", 0, 1, 0},
    {"moreau.alpha", "the stepper moreau", "0", 0, 2, 0},
    {"moreau.relative_tolerance", "the stepper moreau", "1e-6", 0, 0.1, 0},
    {"moreau.absolute_tolerance", "the stepper moreau", "1e-6", 0, 1, 1},
    {"moreau.max_iterations", "the stepper moreau", "1000", 1, 100000, 0},
    {"moreau.warm_start", "the steppers moreau, ca and c2a", "true", 0, 1, 0},
    {"moreau.stabilise", "the stepper moreau", "false", 0, 1, 0},
    {"c2a.h_min", CAS, "1e-5", 0, 1000, 1},
    {"c2a.skin", CAS, "0.0001", 0, 0.1, 1},
    {"c2a.advancement", CAS, "true", 0, 1, 0},
    {"c2a.error_control", "the stepper c2a", "true", 0, 1, 0},
    {"c2a.absolute_error", "the stepper c2a", "1e-6", 0, DBL_MAX, 0},
    {"c2a.relative_error", "the stepper c2a", "0.0025", 0, 1, 0},
    {"c2a.max_work", CAS, "200000", 100, 1e9, 0},
    {"c2a.scheme", CAS, "semi-implicit", 0, 1, 0},
    {"c2a.dissipation", CAS, "0", 0, 1, 0},
    {"c2a.rayleigh", CAS, "0", 0, DBL_MAX, 0},
    {"c2a.impact", CAS, "coulomb", 0, 2, 0},
    {"c2a.cone", CAS, "cone", 0, 1, 0},
    {"c2a.edges", CAS, "4", 4, 64, 0},
    {"c2a.bounce", CAS, "newton", 0, 1, 0},
    {"c2a.relative_tolerance", CAS, "1e-6", 0, 0.1, 0},
    {"c2a.absolute_tolerance", CAS, "1e-6", 0, 1, 1},
    {"c2a.max_iterations", CAS, "1000", 1, 100000, 0},
};
enum { PROMISES = sizeof promises / sizeof promises[0] };

static void the_table_is_what_the_headers_promise(void **state)
{
  (void)state;
  const ff_sim_def def = ff_sim_def_default();
  assert_int_equal(ff_option_count(), PROMISES);
  assert_null(ff_option_at(-1));
  assert_null(ff_option_at(PROMISES));
  for (int i = 0; i < PROMISES; ++i) {
    const promise *want = &promises[i];
    const ff_option *got = ff_option_at(i);
    char owners[FF_OPTION_TEXT], text[64];
    ff_error error;
    assert_string_equal(got->key, want->key);
    assert_ptr_equal(ff_option_find(want->key), got);
    ff_option_owners(got, owners);
    assert_string_equal(owners, want->owners);
    assert_int_equal(ff_sim_def_get(&def, want->key, text, sizeof text, &error), FF_OK);
    assert_string_equal(text, want->standard);
    assert_true(strlen(got->about) > 10 && !strchr(got->about, '\n'));
    if (got->value.type != FF_VALUE_NUMBER && got->value.type != FF_VALUE_WHOLE)
      continue;
    assert_true(got->value.least == want->least && got->value.most == want->most);
    assert_int_equal(got->value.is_open, want->is_open);
  }
}

// What is not in the table.
static void the_rest_of_the_def_is_as_before(void **state)
{
  (void)state;
  const ff_sim_def def = ff_sim_def_default();
  assert_int_equal(def.ground_count, -1);
  assert_null(def.ground);
  assert_null(def.elements);
  assert_int_equal(def.element_count, 0);
  assert_true(def.dt == 0.001 && def.c2a.impact.law == FF_IMPACT_COULOMB && def.max_speed == 1e4);
  assert_true(def.moreau.solver == FF_HARD_EXACT && def.expo.order == 2 && def.c2a.relative_error == 0.0025);
}

// ---- Sims made of it
// ------------------------------------------------------------------------------------------------

static int makes_a_sim(const ff_model *model, const ff_sim_def *def, ff_error *error)
{
  ff_sim *sim = NULL;
  const ff_status status = ff_sim_create(model, def, &sim, error);
  ff_sim_destroy(sim);
  return status == FF_OK;
}

static void put(ff_sim_def *def, const ff_option *option, double value)
{
  const int whole = option->value.type == FF_VALUE_NUMBER ? 0 : (int)value;
  if (option->value.type == FF_VALUE_NUMBER)
    memcpy((char *)def + option->offset, &value, sizeof value);
  else
    memcpy((char *)def + option->offset, &whole, sizeof whole);
}

// A sim takes both ends of every range, and nothing beyond them.
static void a_sim_keeps_to_every_range(void **state)
{
  (void)state;
  ff_model *model = toy_ball(NULL);
  for (int i = 0; i < PROMISES; ++i) {
    const promise *want = &promises[i];
    const ff_option *option = ff_option_at(i);
    const int is_number = option->value.type == FF_VALUE_NUMBER;
    const double below = !is_number ? want->least - 1 : want->is_open ? want->least : -1e-9;
    const double above = !is_number ? want->most + 1 : want->most > 1e300 ? (double)NAN : want->most * 1.001;
    ff_error error = {0};
    if (strcmp(want->key, "isa") == 0) // another status, and not all machines have all
      continue;
    for (int side = 0; side < 2; ++side) {
      ff_sim_def def = ff_sim_def_default();
      put(&def, option, side ? above : below);
      if (makes_a_sim(model, &def, &error))
        fail_msg("%s may be %g", want->key, side ? above : below);
      assert_int_equal(error.status, FF_ERROR_ARGUMENT);
      if (!strstr(error.message, want->key) || !strstr(error.message, "must be"))
        fail_msg("%s: '%s'", want->key, error.message);
    }
    ff_sim_def def = ff_sim_def_default();
    put(&def, option, is_number && want->is_open ? 1e-9 : want->least);
    if (!makes_a_sim(model, &def, &error))
      fail_msg("%s at its least: %s", want->key, error.message);
  }
  ff_model_destroy(model);
}

// ---- By key
// ---------------------------------------------------------------------------------------------------------

static void values_go_in_and_come_out(void **state)
{
  (void)state;
  static const char *const cases[][3] = {
      {"dt", "2ms", "0.002"},
      {"expo.force_tolerance", "1e-5", "1e-5"},
      {"c2a.skin", "0.3 mm", "0.0003"},
      {"moreau.absolute_tolerance", "2mNs", "0.002"},
      {"limit_stiffness", "2 kN/m", "2000"},
      {"max_speed", "inf", "inf"},
      {"expo.events", "off", "false"},
      {"moreau.stabilise", "yes", "true"},
      {"moreau.solver", "sor-split", "sor-split"},
      {"c2a.impact", "bounded", "bounded"},
      {"stepper", "expo-paper", "expo-paper"},
      {"expo.max_pieces", "1000", "1000"},
      {"accuracy", "0", "0"},
      {"ess.epsilon", "0.0001234567890123456", "0.0001234567890123456"},
      {"normal_anchor", "first-touch", "first-touch"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
    ff_sim_def def = ff_sim_def_default(), again = ff_sim_def_default();
    char text[64], same[64];
    ff_error error = {0};
    if (ff_sim_def_set(&def, cases[i][0], cases[i][1], &error) != FF_OK)
      fail_msg("%s", error.message);
    assert_int_equal(ff_sim_def_get(&def, cases[i][0], text, sizeof text, &error), FF_OK);
    assert_string_equal(text, cases[i][2]);
    assert_int_equal(ff_sim_def_set(&again, cases[i][0], text, &error), FF_OK);
    assert_int_equal(ff_sim_def_get(&again, cases[i][0], same, sizeof same, &error), FF_OK);
    assert_string_equal(text, same);
  }
  ff_sim_def def = ff_sim_def_default();
  assert_int_equal(ff_sim_def_set(&def, "dt", "2ms", NULL), FF_OK);
  assert_int_equal(ff_sim_def_set(&def, "c2a.impact", "bounded", NULL), FF_OK);
  assert_true(def.dt == 0.002 && def.c2a.impact.law == FF_IMPACT_BOUNDED);
}

static void what_is_wrong_is_said_and_changes_nothing(void **state)
{
  (void)state;
  static const char *const cases[][3] = {
      {"expo.force_tolerance", "1", "expo.force_tolerance: '1' must not be above 0.1"},
      {"expo.force_tolerance", "tight", "expo.force_tolerance: 'tight': not a number"},
      {"dt", "0", "dt: '0' must be above 0"},
      {"dt", "2m", "dt: '2m': the unit 'm' is not known here; expected a time"},
      {"dt", "inf", "dt: 'inf': not a number"},
      {"accuracy", "1e-13", "accuracy: '1e-13' must be 1e-12 at least, or 0"},
      {"accuracy", "-1", "accuracy: '-1' must not be below 0"},
      {"expo.order", "1.5", "expo.order: '1.5' must be a whole number"},
      {"expo.order", "3", "expo.order: '3' must not be above 2"},
      {"expo.events", "maybe", "expo.events: 'maybe' must be true or false"},
      {"moreau.solver", "sorr", "moreau.solver: 'sorr' is not known; did you mean 'sor'?"},
      {"c2a.impact", "soft", "c2a.impact: 'soft' is not known; known are dissipation, bounded, coulomb"},
      {"expo.ordr", "1", "there is no option 'expo.ordr'; did you mean 'expo.order'?"},
      {"stabilise", "on", "there is no option 'stabilise'; did you mean 'moreau.stabilise'?"},
      {"colour", "red", "there is no option 'colour'"},
  };
  const ff_sim_def before = ff_sim_def_default();
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
    ff_sim_def def = before;
    ff_error error = {0};
    assert_int_equal(ff_sim_def_set(&def, cases[i][0], cases[i][1], &error), FF_ERROR_ARGUMENT);
    if (!strstr(error.message, cases[i][2]))
      fail_msg("'%s' is not in '%s'", cases[i][2], error.message);
    assert_memory_equal(&def, &before, sizeof def);
  }
  char text[4];
  ff_error error;
  assert_int_equal(ff_sim_def_get(&before, "c2a.impact", text, sizeof text, &error), FF_ERROR_LIMIT);
  assert_int_equal(ff_sim_def_get(&before, "c2a.impakt", text, sizeof text, &error), FF_ERROR_ARGUMENT);
  assert_int_equal(ff_sim_def_set(NULL, "dt", "1", &error), FF_ERROR_ARGUMENT);
  assert_int_equal(ff_sim_def_set(&(ff_sim_def){0}, NULL, "1", NULL), FF_ERROR_ARGUMENT);
}

// The last part of a key says which option of a stepper is meant: no stepper has two of one name.
static void a_name_is_one_option_of_a_stepper(void **state)
{
  (void)state;
  for (int s = 0; s < FF_STEPPER_COUNT; ++s)
    for (int i = 0; i < ff_option_count(); ++i) {
      const ff_option *option = ff_option_at(i);
      if (ff_option_is_of(option, (ff_stepper)s))
        assert_ptr_equal(ff_option_of_stepper((ff_stepper)s, ff_option_name(option)), option);
    }
  assert_string_equal(ff_option_of_stepper(FF_STEPPER_ESS, "relative_tolerance")->key,
                      "ess.relative_tolerance");
  assert_string_equal(ff_option_of_stepper(FF_STEPPER_CA, "relative_tolerance")->key,
                      "c2a.relative_tolerance");
  assert_null(ff_option_of_stepper(FF_STEPPER_EXPO, "impact"));
  assert_null(ff_option_of_stepper(FF_STEPPER_EXPO, "double_mean"));
  assert_null(ff_option_of_stepper(FF_STEPPER_RK4, NULL));
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_table_is_what_the_headers_promise),
      cmocka_unit_test(the_rest_of_the_def_is_as_before),
      cmocka_unit_test(a_sim_keeps_to_every_range),
      cmocka_unit_test(values_go_in_and_come_out),
      cmocka_unit_test(what_is_wrong_is_said_and_changes_nothing),
      cmocka_unit_test(a_name_is_one_option_of_a_stepper),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
