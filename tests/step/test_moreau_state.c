// moreau: a step is a function of the state, whatever the options, and allocates nothing.
#include "step/moreau_robot.h"
#include "support/alloc_counter.h"
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

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_option_is_a_function_of_the_state),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
