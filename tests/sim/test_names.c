// Every public enum with names: each value has one of its own, its find function leads back to it, and takes no other.
#include <footfall/footfall.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

// The functions of one enum, with its values as ints: C has no other way to list them.
#define NAMED(type)                                                                                          \
  static const char *type##_name_of(int value)                                                               \
  {                                                                                                          \
    return type##_name((type)value);                                                                         \
  }                                                                                                          \
  static int type##_of_name(const char *name)                                                                \
  {                                                                                                          \
    type value = (type)-1;                                                                                   \
    return type##_find(name, &value) ? (int)value : -1;                                                      \
  }

NAMED(ff_stepper)
NAMED(ff_exponential)
NAMED(ff_contact_law)
NAMED(ff_hard_solver)
NAMED(ff_hard_form)
NAMED(ff_hard_bilateral)
NAMED(ff_hard_contact)
NAMED(ff_impact_law)
NAMED(ff_impact_cone)
NAMED(ff_impact_bounce)
NAMED(ff_c2a_scheme)
NAMED(ff_cut_set)

static const char *reason_name(int value)
{
  return ff_c2a_reason_name((ff_c2a_reason)value);
}

static const char *phase_name(int value)
{
  return ff_phase_name((ff_phase)value);
}

static const struct {
  const char *what;
  int count;
  const char *(*name)(int value);
  int (*find)(const char *name); // NULL: names only
} enums[] = {
    {"ff_stepper", FF_STEPPER_COUNT, ff_stepper_name_of, ff_stepper_of_name},
    {"ff_exponential", FF_EXPONENTIAL_COUNT, ff_exponential_name_of, ff_exponential_of_name},
    {"ff_contact_law", FF_LAW_COUNT, ff_contact_law_name_of, ff_contact_law_of_name},
    {"ff_hard_solver", FF_HARD_SOLVER_COUNT, ff_hard_solver_name_of, ff_hard_solver_of_name},
    {"ff_hard_form", FF_HARD_FORM_COUNT, ff_hard_form_name_of, ff_hard_form_of_name},
    {"ff_hard_bilateral", FF_HARD_BILATERAL_COUNT, ff_hard_bilateral_name_of, ff_hard_bilateral_of_name},
    {"ff_hard_contact", FF_HARD_CONTACT_COUNT, ff_hard_contact_name_of, ff_hard_contact_of_name},
    {"ff_impact_law", FF_IMPACT_LAW_COUNT, ff_impact_law_name_of, ff_impact_law_of_name},
    {"ff_impact_cone", FF_IMPACT_CONE_COUNT, ff_impact_cone_name_of, ff_impact_cone_of_name},
    {"ff_impact_bounce", FF_IMPACT_BOUNCE_COUNT, ff_impact_bounce_name_of, ff_impact_bounce_of_name},
    {"ff_c2a_scheme", FF_C2A_SCHEME_COUNT, ff_c2a_scheme_name_of, ff_c2a_scheme_of_name},
    {"ff_cut_set", FF_CUT_LISTED + 1, ff_cut_set_name_of, ff_cut_set_of_name},
    {"ff_c2a_reason", FF_C2A_REASON_COUNT, reason_name, NULL},
    {"ff_phase", FF_PHASE_COUNT, phase_name, NULL},
};
enum { ENUMS = sizeof enums / sizeof *enums };

static void names_lead_back_to_their_values(void **state)
{
  (void)state;
  for (int e = 0; e < ENUMS; ++e)
    for (int i = 0; i < enums[e].count; ++i) {
      assert_non_null(enums[e].name(i));
      if (enums[e].find && enums[e].find(enums[e].name(i)) != i)
        fail_msg("%s: '%s' is found as %d, not %d", enums[e].what, enums[e].name(i),
                 enums[e].find(enums[e].name(i)), i);
      for (int j = 0; j < i; ++j)
        if (strcmp(enums[e].name(i), enums[e].name(j)) == 0)
          fail_msg("%s: %d and %d are both '%s'", enums[e].what, i, j, enums[e].name(i));
    }
}

static void unknown_names_are_refused(void **state)
{
  static const char *const unknown[] = {"", "nonsense", "Expo", "expo ", "unknown"};
  (void)state;
  for (int e = 0; e < ENUMS; ++e)
    for (size_t i = 0; enums[e].find && i < sizeof unknown / sizeof *unknown; ++i)
      assert_int_equal(enums[e].find(unknown[i]), -1);
}

static void values_out_of_range_still_have_a_name(void **state)
{
  (void)state;
  for (int e = 0; e < ENUMS; ++e) {
    assert_non_null(enums[e].name(-1));
    assert_non_null(enums[e].name(enums[e].count));
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(names_lead_back_to_their_values),
      cmocka_unit_test(unknown_names_are_refused),
      cmocka_unit_test(values_out_of_range_still_have_a_name),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
