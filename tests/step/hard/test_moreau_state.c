// moreau: a step is a function of the state, whatever the options and coordinates, and allocates nothing; other steppers continue its states,
// and it theirs.
#include "step/hard/moreau_robot.h"
#include "support/alloc_counter.h"
#include "support/must.h"

#include <footfall/footfall.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// Whatever the options: nothing is allocated, and a state continues bit for bit, in a sim that did something else before too.
static void every_option_is_a_function_of_the_state(void **state)
{
  (void)state;
  ff_model *model = ffi_moreau_starleth();
  const ff_moreau_def usual = ff_sim_def_default().moreau;
  int cases = 0;
  for (int contact = 0; contact < FF_HARD_CONTACT_COUNT; ++contact)
    for (int solver = 0; solver < FF_HARD_SOLVER_COUNT; ++solver)
      for (int form = 0; form < FF_HARD_FORM_COUNT; ++form)
        for (int more = 0; more < 4; ++more) {
          ff_moreau_def def = usual;
          def.contact = (ff_hard_contact)contact;
          def.solver = (ff_hard_solver)solver;
          def.form = (ff_hard_form)form;
          def.stabilise = more & 1;
          def.warm_start = more >> 1;
          ff_sim *sim = ffi_moreau_robot(model, &def, contact ? 5e-4 : 2.5e-3, 5),
                 *other = ffi_moreau_robot(model, &def, contact ? 5e-4 : 2.5e-3, 5);
          const size_t size = (size_t)ff_sim_state_size(sim);
          double *middle = malloc(3 * size * sizeof *middle), *end = middle + size, *again = end + size;
          const long before = ffi_test_alloc_count();
          ffi_must_run(sim, 30, NULL);
          ff_sim_get_state(sim, middle);
          ffi_must_run(sim, 30, NULL);
          ff_sim_get_state(sim, end);
          ffi_must_run(other, 7, NULL);
          ff_error error;
          ffi_must(ff_sim_set_state(other, middle, &error), &error);
          ffi_must_run(other, 30, NULL);
          ff_sim_get_state(other, again);
          if (ffi_test_alloc_works())
            assert_int_equal(ffi_test_alloc_count(), before);
          assert_memory_equal(end, again, size * sizeof *end);
          assert_true(ff_sim_get_totals(sim).worst_penetration > 0); // it stood on something
          free(middle);
          ff_sim_destroy(sim);
          ff_sim_destroy(other);
          ++cases;
        }
  print_message("             %d combinations\n", cases);
  ff_model_destroy(model);
}

// ---- Cut models --------------------------------------------------------------------------------------------

enum { NQ = 19, NV = 18 };

// Stands by its own torques, which are a function of the pieces' state alone.
static void hold(const ff_cut *cut, ff_sim *sim, int steps)
{
  const ff_model *model = ff_cut_source(cut);
  const double *rest = ff_model_posture(model, ff_model_find_posture(model, "standing"));
  double q[NQ], v[NV], tau[NV] = {0}, pieces[128];
  assert_true(ff_model_get_size(ff_cut_model(cut)).nv <= 128);
  for (int k = 0; k < steps; ++k) {
    ff_cut_gather(cut, ff_sim_q(sim), ff_sim_v(sim), NULL, q, v);
    for (int j = 6; j < NV; ++j)
      tau[j] = 60 * (rest[j + 1] - q[j + 1]) - 0.5 * v[j];
    ff_cut_tau(cut, ff_sim_q(sim), tau, pieces);
    ffi_must_step(sim, pieces);
  }
}

static void check_pieces(const ff_model *model, ff_cut_set set, ff_cut_place place,
                         const ff_moreau_def *moreau)
{
  ff_cut_def cut_def = ff_cut_def_default();
  cut_def.set = set;
  cut_def.place = place;
  ff_cut *cut;
  ff_error error;
  ffi_must(ff_cut_create(model, &cut_def, &cut, &error), &error);
  ff_sim_def def = ff_sim_def_default();
  def.stepper = FF_STEPPER_MOREAU;
  def.dt = 1e-3; // torques are explicit, on legs that feel like 5e-3 kg m^2
  def.moreau = *moreau;
  ff_sim *sim = ffi_must_sim(ff_cut_model(cut), &def), *other = ffi_must_sim(ff_cut_model(cut), &def);
  const size_t size = (size_t)ff_sim_state_size(sim);
  double *middle = malloc(3 * size * sizeof *middle), *end = middle + size, *again = end + size;
  ffi_must(ff_sim_set_posture(sim, "standing", &error), &error);
  ffi_must(ff_sim_set_posture(other, "standing", &error), &error);
  const long before = ffi_test_alloc_count();
  hold(cut, sim, 25);
  if (ff_sim_info(sim)->contacts < 3)
    fail_msg("%s: %d contacts, too few impulses to begin from", ff_cut_set_name(set),
             ff_sim_info(sim)->contacts);
  ff_sim_get_state(sim, middle);
  hold(cut, sim, 25);
  ff_sim_get_state(sim, end);
  assert_true(memcmp(middle, end, size * sizeof *end) != 0);
  hold(cut, other, 8); // another history: other impulses, other pieces that drifted
  for (int time = 0; time < 2; ++time) {
    ff_sim *next = time ? sim : other;
    ffi_must(ff_sim_set_state(next, middle, &error), &error);
    ff_sim_get_state(next, again);
    assert_memory_equal(again, middle, size * sizeof *again);
    hold(cut, next, 25);
    ff_sim_get_state(next, again);
    if (memcmp(again, end, size * sizeof *end) != 0)
      fail_msg("%s, stabilise %d, warm start %d: %s goes another way", ff_cut_set_name(set),
               moreau->stabilise, moreau->warm_start, time ? "the same sim" : "another sim");
  }
  if (ffi_test_alloc_works())
    assert_int_equal(ffi_test_alloc_count(), before);
  free(middle);
  ff_sim_destroy(sim);
  ff_sim_destroy(other);
  ff_cut_destroy(cut);
}

// Impulses of what holds pieces together are warm starts too, and stabilisation corrects their places: both from the state alone.
static void pieces_continue_from_their_state(void **state)
{
  (void)state;
  ff_model *model = ffi_moreau_starleth();
  int cases = 0;
  for (ff_cut_set set = FF_CUT_MINIMAL; set <= FF_CUT_MAXIMAL; ++set)
    for (int place = FF_CUT_AT_JOINTS; place <= FF_CUT_AT_CENTRES; ++place)
      for (int bilateral = FF_HARD_DIRECT; bilateral <= FF_HARD_PROX; ++bilateral)
        for (int solver = 0; solver < FF_HARD_SOLVER_COUNT; ++solver)
          for (int more = 0; more < 4; ++more, ++cases) {
            ff_moreau_def def = ff_sim_def_default().moreau;
            def.solver = (ff_hard_solver)solver;
            def.bilateral = (ff_hard_bilateral)bilateral;
            def.stabilise = more & 1;
            def.warm_start = more >> 1;
            def.max_iterations = 50; // enough to be the same twice
            check_pieces(model, set, (ff_cut_place)place, &def);
          }
  print_message("             %d combinations\n", cases);
  ff_model_destroy(model);
}

// ---- Other steppers ----------------------------------------------------------------------------------------

static ff_sim *stepped_by(const ff_model *model, ff_stepper stepper)
{
  ff_sim_def def = ff_sim_def_default();
  def.stepper = stepper;
  def.dt = 1e-4; // short enough for the explicit ones
  ff_sim *sim = ffi_must_sim(model, &def);
  ff_error error;
  ffi_must(ff_sim_set_posture(sim, "standing", &error), &error);
  return sim;
}

// Hands a state of `from` to `to`, which has its own past, and to a fresh one: both go the same way.
static void hand_over(const ff_model *model, ff_stepper from, ff_stepper to)
{
  enum { STEPS = 60 };
  ff_sim *sim = stepped_by(model, from), *used = stepped_by(model, to), *fresh = stepped_by(model, to);
  const size_t size = (size_t)ff_sim_state_size(sim);
  assert_int_equal(ff_sim_state_size(used), (int)size);
  double *state = malloc(3 * size * sizeof *state), *one = state + size, *two = one + size;
  ff_error error;
  ffi_must_run(sim, STEPS, NULL);
  assert_true(ff_sim_info(sim)->contacts > 0);
  ff_sim_get_state(sim, state);
  ffi_must_run(used, STEPS / 2, NULL);
  ffi_must(ff_sim_set_state(used, state, &error), &error);
  ffi_must(ff_sim_set_state(fresh, state, &error), &error);
  ff_sim_get_state(used, one);
  assert_memory_equal(one, state, size * sizeof *one);
  ffi_must_run(used, STEPS, NULL);
  ffi_must_run(fresh, STEPS, NULL);
  assert_true(ff_sim_info(used)->contacts > 0);
  ff_sim_get_state(used, one);
  ff_sim_get_state(fresh, two);
  if (memcmp(one, two, size * sizeof *one) != 0)
    fail_msg("%s after %s: the past of the sim shows", ff_stepper_name(to), ff_stepper_name(from));
  free(state);
  ff_sim_destroy(sim);
  ff_sim_destroy(used);
  ff_sim_destroy(fresh);
}

static void states_pass_between_steppers(void **state)
{
  (void)state;
  ff_model *model = ffi_moreau_starleth();
  for (int i = 0; i < FF_STEPPER_COUNT; ++i) {
    hand_over(model, FF_STEPPER_MOREAU, (ff_stepper)i);
    hand_over(model, (ff_stepper)i, FF_STEPPER_MOREAU);
  }
  ff_model_destroy(model);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_option_is_a_function_of_the_state),
      cmocka_unit_test(pieces_continue_from_their_state),
      cmocka_unit_test(states_pass_between_steppers),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
