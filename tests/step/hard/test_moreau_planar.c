// slow: under sanitizers. moreau: bodies that move in a plane only. Nothing moves their contacts across it, and "exact" solves every step all the same.
#include "support/hard_scene.h"
#include "support/must.h"

#include <footfall/footfall.h>
#include <footfall/load.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MOST = 10, STEPS = 250 };
static const double side = 0.2, sunk = 5e-4; // [m]

// Boxes on slides along x and z and a hinge about y, every second one of mass `ratio` kg.
static ff_model *make_stack(int count, double ratio)
{
  ff_builder *b = ffi_must_begin("boxes in a plane");
  const double gravity[3] = {0, 0, -9.81};
  ff_error error;
  ffi_must(ff_builder_set_gravity(b, gravity, &error), &error);
  for (int i = 0; i < count; ++i) {
    char name[3][16];
    ff_link_def link = ff_link_def_default();
    for (int k = 0; k < 3; ++k) {
      snprintf(name[k], sizeof name[k], "%c%d", "xzr"[k], i);
      link.name = link.joint.name = name[k];
      link.parent = k == 0 ? FF_WORLD : link.parent;
      link.joint.type = k < 2 ? FF_JOINT_PRISMATIC : FF_JOINT_CONTINUOUS;
      for (int a = 0; a < 3; ++a)
        link.joint.axis[a] = a == (k == 0 ? 0 : k == 1 ? 2 : 1);
      const double mass = k < 2 ? 0 : i % 2 ? ratio : 1;
      link.inertia.mass = mass;
      link.inertia.matrix[0] = link.inertia.matrix[3] = link.inertia.matrix[5] = 0.01 * mass;
      link.parent = ffi_must_add_link(b, &link);
    }
    ff_shape_def shape = ff_shape_def_default();
    shape.type = FF_SHAPE_BOX;
    shape.size[0] = 2 * side;
    shape.size[1] = side * (1 + 0.05 * i); // no corner on a corner
    shape.size[2] = side;
    shape.material = ffi_hard_material(0.8, 0, 0);
    ffi_must_add_shape(b, link.parent, &shape);
  }
  return ffi_must_finish(b);
}

// Every second box starts sideways at 0.3 m/s: it rubs, sticks and rests.
static void check_stack(int count, double ratio)
{
  ff_model *model = make_stack(count, ratio);
  ff_sim_def def = ffi_hard_def(2e-3);
  def.ground_count = -1;
  ff_sim *sim = ffi_must_sim(model, &def);
  double q[3 * MOST] = {0}, v[3 * MOST] = {0};
  for (int i = 0; i < count; ++i) {
    q[3 * i + 1] = side / 2 - sunk + (side - sunk) * i;
    v[3 * i] = i % 2 ? 0.3 : 0;
  }
  ffi_must_reset(sim, q, v);
  int fallbacks = 0;
  for (int k = 0; k < STEPS; ++k) {
    ffi_must_step(sim, NULL);
    fallbacks += ff_sim_info(sim)->fallbacks;
  }
  const ff_sim_totals totals = ff_sim_get_totals(sim);
  print_message("             %2d boxes, mass ratio %5g: %lld steps unconverged, %d fallbacks, %d contacts\n",
                count, ratio, totals.unconverged, fallbacks, ff_sim_info(sim)->contacts);
  // Tall towers of large mass ratio are the hardest that there are: one in some hundreds stays open, as in space (tests/contact/test_hard_random.c).
  assert_true(totals.unconverged <= (ratio > 1e3 && count > 3 ? STEPS / 100 : 0));
  assert_true(ff_sim_info(sim)->contacts >= 2 * count - 2); // nothing has fallen through, or off
  double fastest = 0;
  for (int i = 0; i < 3 * count; ++i)
    fastest = fmax(fastest, fabs(ff_sim_v(sim)[i]));
  if (count <= 3) // taller ones rock for longer
    assert_true(fastest < 1e-6);
  ff_sim_destroy(sim);
  ff_model_destroy(model);
}

static void stacks_are_solved(void **state)
{
  (void)state;
  static const int counts[] = {1, 3, 5, MOST}; // up to 96 rows with G, then by blocks
  for (int n = 0; n < 4; ++n)
    for (int r = 0; r < (counts[n] < MOST ? 3 : 2); ++r) // ten of ratio 10^4 take six seconds
      check_stack(counts[n], pow(100, r));
}

// Painleve's rod, on the same kind of joints: two contacts at most, for which Newton needs no help.
static void rod_needs_no_fallback(void **state)
{
  (void)state;
  ff_error error;
  ff_model *model = NULL;
  ffi_must(ff_model_load(FFI_TEST_SOURCE_DIR "/models/painleve_rod.urdf", NULL, &model, &error), &error);
  ff_sim_def def = ffi_hard_def(1e-3);
  def.ground_count = -1;
  ff_sim *sim = ffi_must_sim(model, &def);
  ffi_must(ff_sim_set_posture(sim, "leaning", &error), &error);
  int fallbacks = 0, most = 0;
  for (int k = 0; k < 3000; ++k) {
    ffi_must_step(sim, NULL);
    fallbacks += ff_sim_info(sim)->fallbacks;
    most = ff_sim_info(sim)->contacts > most ? ff_sim_info(sim)->contacts : most;
  }
  assert_int_equal(most, 2);
  assert_int_equal(ff_sim_get_totals(sim).unconverged, 0);
  assert_int_equal(fallbacks, 0);
  ff_sim_destroy(sim);
  ff_model_destroy(model);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(stacks_are_solved),
      cmocka_unit_test(rod_needs_no_fallback),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
