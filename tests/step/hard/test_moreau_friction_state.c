// A state belongs to a model whatever its joints' dry friction: with other friction it can be continued, by every stepper.
#include "support/must.h"

#include <footfall/footfall.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { LINKS = 3, STEPS = 20 };

static ff_model *make_arm(const double friction[LINKS])
{
  static const char *const names[LINKS] = {"upper", "middle", "lower"};
  ff_builder *b = ffi_must_begin("arm");
  ff_link_def link = ff_link_def_default();
  for (int i = 0; i < LINKS; ++i) {
    link.name = link.joint.name = names[i];
    link.joint.type = FF_JOINT_REVOLUTE;
    link.joint.axis[0] = link.joint.axis[2] = 0;
    link.joint.axis[1] = 1;
    link.joint.pose.position[0] = i > 0 ? 0.3 : 0;
    link.joint.friction = friction[i];
    link.inertia = (ff_inertia){.mass = 1, .com = {0.15, 0, 0}, .matrix = {0.01, 0, 0, 0.01, 0, 0.01}};
    link.parent = ffi_must_add_link(b, &link);
  }
  return ffi_must_finish(b);
}

static ff_sim *make_sim(const ff_model *model, ff_stepper stepper)
{
  ff_sim_def def = ff_sim_def_default();
  def.stepper = stepper;
  return ffi_must_sim(model, &def);
}

// From no friction, or some, to other friction: the state is taken as it is, and goes on as a fresh sim that is given it does.
static void check(ff_stepper stepper, const double from[LINKS], const double to[LINKS])
{
  ff_error error;
  ff_model *one = make_arm(from), *other = make_arm(to);
  ff_sim *a = make_sim(one, stepper), *b = make_sim(other, stepper), *fresh = make_sim(other, stepper);
  const size_t size = (size_t)ff_sim_state_size(a);
  assert_int_equal(ff_sim_state_size(b), ff_sim_state_size(a));
  double *state = calloc(3 * size, sizeof *state), *x = state + size, *y = x + size;
  ffi_must_run(a, STEPS, NULL);
  ffi_must_run(b, STEPS, NULL);
  ff_sim_get_state(a, state);
  ffi_must(ff_sim_set_state(b, state, &error), &error);
  ffi_must(ff_sim_set_state(fresh, state, &error), &error);
  ff_sim_get_state(b, x);
  assert_memory_equal(x, state, size * sizeof *x);
  ffi_must_run(b, STEPS, NULL);
  ffi_must_run(fresh, STEPS, NULL);
  ff_sim_get_state(b, x);
  ff_sim_get_state(fresh, y);
  assert_memory_equal(x, y, size * sizeof *x);
  free(state);
  ff_sim_destroy(a);
  ff_sim_destroy(b);
  ff_sim_destroy(fresh);
  ff_model_destroy(one);
  ff_model_destroy(other);
}

static void states_fit_other_friction(void **state)
{
  (void)state;
  static const double none[LINKS] = {0, 0, 0}, last[LINKS] = {0, 0, 0.2}, all[LINKS] = {20, 0.1, 0.3};
  for (int i = 0; i < FF_STEPPER_COUNT; ++i) {
    check((ff_stepper)i, none, all);
    check((ff_stepper)i, all, none);
    check((ff_stepper)i, last, all);
    check((ff_stepper)i, all, last);
  }
}

// The arm hangs out horizontally, held by the friction of its joints: 1 + 2 + 3 halves of links, m g l. What is kept is there at its own velocity, so that the
// next step needs no iteration; of `middle` alone it is not where that of `upper` would be.
static void forces_are_kept_by_velocity(void **state)
{
  (void)state;
  static const double stiff[LINKS] = {100, 100, 100};
  ff_model *model = make_arm(stiff);
  ff_sim *sim = make_sim(model, FF_STEPPER_MOREAU);
  ffi_must_run(sim, STEPS, NULL);
  for (int i = 0; i < LINKS; ++i)
    assert_true(fabs(ff_sim_v(sim)[i]) < 1e-6);
  const double reach[LINKS] = {0.15 + 0.45 + 0.75, 0.15 + 0.45,
                               0.15}; // sum of the arms of what a joint carries
  double *kept = calloc((size_t)ff_sim_state_size(sim), sizeof *kept);
  ff_sim_get_state(sim, kept);
  int found = 0, size = ff_sim_state_size(sim);
  for (int at = 0; at + LINKS <= size; ++at) {
    int is_here = 1;
    for (int i = 0; i < LINKS; ++i)
      is_here &= fabs(fabs(kept[at + i]) - 9.81 * reach[i]) < 1e-3;
    found += is_here;
  }
  assert_int_equal(found, 1);
  assert_int_equal(ff_sim_info(sim)->iterations, 0);
  free(kept);
  ff_sim_destroy(sim);
  ff_model_destroy(model);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(states_fit_other_friction),
      cmocka_unit_test(forces_are_kept_by_velocity),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
