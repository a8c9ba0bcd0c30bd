// The work of conservative advancement: counted by the distances that it measures, and limited.
#include "contact/flight.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static const double shortest = 1e-9;

// A cylinder falls on a fine field, tilted: hundreds of prisms are measured, and counted. A search whose work is
// limited ends soon, and what it has found is free.
static void a_search_of_limited_work_ends(void **state)
{
  (void)state;
  enum { LINES = 41 };
  static double heights[LINES * LINES];
  for (int i = 0; i < LINES * LINES; ++i)
    heights[i] = 0.02 * sin(0.7 * (i % LINES)) * cos(0.9 * (int)(i / LINES));
  ff_model *model = flight_thing(FF_SHAPE_CYLINDER, 0.4, 0.1, 0);
  ff_ground_def field =
      collider_case_ground(&(collider_case_solid){.type = FF_SHAPE_HEIGHTFIELD, .size = {2, 2}});
  field.shape.heights = heights;
  field.shape.rows = field.shape.columns = LINES;
  flight f;
  flight_begin_over(model, &field, &f);
  const double q[7] = {0.1, 0.05, 0.3, 0.1, 0.05, 0, sqrt(1 - 0.0125)}, v[6] = {0.3, 0.2, -1, 2, 3, 1};
  ffi_advance_path path = flight_path(&f, q, v, NULL, 1);
  ffi_advance_report whole, cut;
  const double t = ffi_advance_free(f.advance, &path, shortest, 0, &whole);
  path.most_work = 0.1 * whole.work;
  const double early = ffi_advance_free(f.advance, &path, shortest, 0, &cut);
  print_message("free for %.6g s, %d evaluations, work of %g; cut: %.6g s, %d, %g\n", t, whole.evaluations,
                whole.work, early, cut.evaluations, cut.work);
  assert_true(whole.work > 100 && !whole.was_cut); // of prisms, far more than evaluations
  assert_true(cut.was_cut && cut.work < 0.5 * whole.work && early <= t);
  assert_true(flight_distance(&f, q, v, early, 0, NULL) > 0);
  flight_end(&f);
  ff_model_destroy(model);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_search_of_limited_work_ends),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
