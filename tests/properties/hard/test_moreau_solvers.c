// Hard contact: the motion does not depend on how its impulses are found. All solvers, on the Delassus matrix and on
// velocities, bilateral rows by elimination and by iteration: one landing of StarlETH in three sets of coordinates, and
// one heap of balls and boxes. Impulses need not be unique (four corners of a box), velocities are.
#include "support/hard_scene.h"
#include "support/must.h"
#include "support/near.h"

#include <footfall/cut.h>
#include <footfall/load.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { MOST = 128, NQ = 19, NV = 18 };
static const double tolerance = 1e-9; // of the impulses' changes, relative and [N s]

static ff_sim_def def_of(int way, double dt)
{
  ff_sim_def def = ffi_hard_def(dt);
  def.ground_count = -1;
  def.moreau.relative_tolerance = def.moreau.absolute_tolerance = tolerance;
  def.moreau.solver = (ff_hard_solver)(way % FF_HARD_SOLVER_COUNT);
  way /= FF_HARD_SOLVER_COUNT;
  def.moreau.form = way & 1 ? FF_HARD_FORM_VELOCITY : FF_HARD_FORM_IMPULSE;
  def.moreau.bilateral = way & 2 ? FF_HARD_PROX : FF_HARD_DIRECT;
  return def;
}

static void name_of(const ff_sim_def *def, char *out, size_t size)
{
  snprintf(out, size, "%s, %s, %s", ff_hard_solver_name(def->moreau.solver),
           ff_hard_form_name(def->moreau.form), ff_hard_bilateral_name(def->moreau.bilateral));
}

// Falls for 0.05 s, lands on its feet with its legs stretching a little, 0.1 s in all: q and v of the robot.
static long long landing(const ff_model *model, ff_cut_set set, const ff_sim_def *def, double *end)
{
  ff_cut_def cut_def = ff_cut_def_default();
  cut_def.set = set;
  ff_cut *cut = NULL;
  ff_error error;
  ffi_must(ff_cut_create(model, &cut_def, &cut, &error), &error);
  ff_sim *sim = ffi_must_sim(ff_cut_model(cut), def);
  double q[MOST], v[MOST], tau[MOST], own[NV] = {0}, none[NV] = {0};
  memcpy(end, ff_model_posture(model, ff_model_find_posture(model, "standing")), NQ * sizeof *end);
  end[2] += 0.0125;
  ff_cut_spread(cut, end, none, q, v);
  ffi_must_reset(sim, q, v);
  for (int k = 0; k < 50; ++k) {
    for (int j = 6; j < NV; ++j)
      own[j] = sin(1.3 * j) - 0.5 * end[NQ + j] * (k > 0);
    ff_cut_tau(cut, ff_sim_q(sim), own, tau);
    ffi_must_step(sim, tau);
    ff_cut_gather(cut, ff_sim_q(sim), ff_sim_v(sim), end, end, end + NQ);
  }
  const long long unconverged = ff_sim_get_totals(sim).unconverged;
  ff_sim_destroy(sim);
  ff_cut_destroy(cut);
  return unconverged;
}

// What a solver leaves of an impulse, tolerance N s over its rate of convergence (0.99 at worst), changes the velocity
// of a foot by that over 0.3 kg; 50 steps, and feet that slide carry it on.
static void landings_agree(void **state)
{
  (void)state;
  ff_model *model = NULL;
  ff_error error;
  ffi_must(ff_model_load(FFI_TEST_SOURCE_DIR "/models/starleth.urdf", NULL, &model, &error), &error);
  const ff_cut_set sets[] = {FF_CUT_MINIMAL, FF_CUT_EXTENDED, FF_CUT_MAXIMAL};
  for (int s = 0; s < 3; ++s) {
    double want[NQ + NV], got[NQ + NV];
    ff_sim_def def = def_of(FF_HARD_EXACT, 0.002);
    assert_int_equal(landing(model, sets[s], &def, want), 0);
    for (int way = 0; way < 4 * FF_HARD_SOLVER_COUNT; ++way) {
      char name[64];
      def = def_of(way, 0.002);
      name_of(&def, name, sizeof name);
      const long long unconverged = landing(model, sets[s], &def, got);
      const double off = ffi_gap(NQ + NV, got, want);
      printf("%s, %s: %.1e, %lld unconverged\n", ff_cut_set_name(sets[s]), name, off, unconverged);
      assert_int_equal(unconverged, 0);
      ffi_check_near(name, off, 0, 50 * tolerance / 0.3 / (1 - 0.99));
    }
  }
  ff_model_destroy(model);
}

enum { HEAP = 10 };

static long long heap(const ff_sim_def *def, double *end)
{
  ffi_loose bodies[HEAP];
  ffi_loose_state at[HEAP];
  for (int i = 0; i < HEAP; ++i) {
    bodies[i] = (ffi_loose){.shape = i % 2 ? FF_SHAPE_SPHERE : FF_SHAPE_BOX,
                            .size = {i % 2 ? 0.05 : 0.1, 0.1, 0.1},
                            .mass = 0.5 + 0.1 * i,
                            .material = ffi_hard_material(0.4, 0, 0)};
    at[i] = (ffi_loose_state){.position = {0.07 * (i % 3) + 0.004 * i, 0.06 * (i % 2), 0.06 + 0.12 * (i / 2)},
                              .quaternion = {0.03 * sin(3 + 5 * i), 0.03 * sin(1 + 7 * i), sin(11 * i), 1}};
  }
  ff_model *model = ffi_loose_model(HEAP, bodies, 9.81);
  ff_sim *sim = ffi_must_sim(model, def);
  ffi_loose_reset(sim, HEAP, at);
  ffi_must_run(sim, 60, NULL);
  memcpy(end, ff_sim_q(sim), 7 * HEAP * sizeof *end);
  const long long unconverged = ff_sim_get_totals(sim).unconverged;
  ff_sim_destroy(sim);
  ff_model_destroy(model);
  return unconverged;
}

// Boxes that lean, each another way: flush ones, whose corners touch all at once, have more than one solution, by
// rounding and by Coulomb's law, and solvers that all converge end 5e-5 m apart.
static void heaps_agree(void **state)
{
  (void)state;
  double want[7 * HEAP], got[7 * HEAP];
  ff_sim_def def = def_of(FF_HARD_EXACT, 0.002);
  assert_int_equal(heap(&def, want), 0);
  for (int way = 0; way < 2 * FF_HARD_SOLVER_COUNT; ++way) {
    char name[64];
    def = def_of(way, 0.002);
    name_of(&def, name, sizeof name);
    const long long unconverged = heap(&def, got);
    const double off = ffi_gap(7 * HEAP, got, want);
    printf("heap, %s: %.1e, %lld unconverged\n", name, off, unconverged);
    assert_int_equal(unconverged, 0);
    ffi_check_near(name, off, 0, 60 * tolerance / 0.5 / (1 - 0.99));
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(landings_agree),
      cmocka_unit_test(heaps_agree),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
