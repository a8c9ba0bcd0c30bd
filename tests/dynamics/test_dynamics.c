// Creating: defaults, what is refused and in which words, models where nothing moves.

#include "dynamics/cases.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// The error is filled, names the status, and says the word that helps.
static void refuse(const ff_model *model, const ff_dynamics_def *def, ff_status status, const char *word)
{
  ff_dynamics *dynamics = (ff_dynamics *)&status; // create must not leave this
  ff_error error = {.status = FF_OK};
  assert_int_equal(ff_dynamics_create(model, def, &dynamics, &error), status);
  assert_null(dynamics);
  assert_int_equal(error.status, status);
  if (!strstr(error.message, word))
    fail_msg("'%s' does not say '%s'", error.message, word);
  assert_int_equal(ff_dynamics_create(model, def, &dynamics, NULL), status); // and without an error
}

static void nonsense_is_refused(void **state)
{
  ffi_forest forest;
  ff_dynamics_def def = ff_dynamics_def_default();
  ff_error error;
  (void)state;
  ffi_forest_number(1, 0, &forest);
  refuse(NULL, NULL, FF_ERROR_ARGUMENT, "model");
  assert_int_equal(ff_dynamics_create(forest.model, NULL, NULL, &error), FF_ERROR_ARGUMENT);
  static const int lanes[] = {-1, 3, 5, 7, 16, 1000};
  for (size_t k = 0; k < sizeof lanes / sizeof lanes[0]; ++k) {
    def.lanes = lanes[k];
    refuse(forest.model, &def, FF_ERROR_ARGUMENT, "lanes");
  }
  def = ff_dynamics_def_default();
  def.max_points = -1;
  refuse(forest.model, &def, FF_ERROR_ARGUMENT, "max_points");
  def.max_points = 2000000000;
  refuse(forest.model, &def, FF_ERROR_ARGUMENT, "max_points");
  def = ff_dynamics_def_default();
  def.isa = (ff_isa)99;
  refuse(forest.model, &def, FF_ERROR_UNSUPPORTED, "instruction set");
  def.isa = (ff_isa)-1;
  refuse(forest.model, &def, FF_ERROR_UNSUPPORTED, "instruction set");
  for (ff_isa isa = ff_isa_best() + 1; isa <= FF_ISA_AVX512; ++isa) {
    def.isa = isa;
    refuse(forest.model, &def, FF_ERROR_UNSUPPORTED, ff_isa_name(isa));
  }
  ff_dynamics_destroy(NULL);
  ffi_forest_free(&forest);
}

static void defaults_are_one_lane_of_the_standard_set(void **state)
{
  const ff_dynamics_def def = ff_dynamics_def_default();
  ffi_forest forest;
  ff_dynamics *dynamics;
  (void)state;
  ffi_forest_number(2, 0, &forest);
  assert_int_equal(def.lanes, 1);
  assert_int_equal(def.isa, FF_ISA_AUTO);
  assert_int_equal(def.max_points, 64);
  assert_int_equal(ff_dynamics_create(forest.model, NULL, &dynamics, NULL), FF_OK);
  assert_int_equal(ff_dynamics_lanes(dynamics), 1);
  ff_isa standard;
  assert_int_equal(ff_isa_resolve(FF_ISA_AUTO, &standard, NULL), FF_OK);
  assert_int_equal(ff_dynamics_isa(dynamics), standard);
  ff_dynamics_destroy(dynamics);
  ffi_forest_free(&forest);
}

// As many lanes as the instruction set has may be asked for by number too.
static void lanes_can_be_asked_for_by_number(void **state)
{
  ffi_forest forest;
  (void)state;
  ffi_forest_number(2, 0, &forest);
  for (ff_isa isa = FF_ISA_BASE; isa <= ff_isa_best(); ++isa) {
    ff_dynamics_def def = {.lanes = FF_LANES_WIDE, .isa = isa, .max_points = 1};
    ff_dynamics *wide, *same;
    assert_int_equal(ff_dynamics_create(forest.model, &def, &wide, NULL), FF_OK);
    def.lanes = ff_dynamics_lanes(wide);
    assert_true(def.lanes > 1);
    assert_int_equal(ff_dynamics_create(forest.model, &def, &same, NULL), FF_OK);
    assert_int_equal(ff_dynamics_lanes(same), def.lanes);
    ff_dynamics_destroy(wide);
    ff_dynamics_destroy(same);
  }
  ffi_forest_free(&forest);
}

static void instruction_sets_have_names(void **state)
{
  (void)state;
  assert_string_equal(ff_isa_name(FF_ISA_BASE), "base");
  assert_string_equal(ff_isa_name(FF_ISA_AVX2), "avx2");
  assert_string_equal(ff_isa_name(FF_ISA_AVX512), "avx512");
  assert_non_null(ff_isa_name(FF_ISA_AUTO));
  assert_non_null(ff_isa_name((ff_isa)99));
  assert_true(ff_isa_best() != FF_ISA_AUTO);
}

// A model without a single moving joint is a model: everything works and has nothing to say.
static void a_model_that_does_not_move(void **state)
{
  ff_link_def link = ff_link_def_default();
  (void)state;
  link.name = "pedestal";
  link.joint.pose.position[2] = 2;
  link.inertia.mass = 3;
  link.inertia.matrix[0] = link.inertia.matrix[3] = link.inertia.matrix[5] = 1;
  ff_model *model = ffi_chain(1, &link);
  for (int wide = 0; wide < 2; ++wide) {
    const ff_dynamics_def def = {.lanes = wide ? FF_LANES_WIDE : 1, .max_points = 2};
    const ff_point points[2] = {{1, {1, 1, 1}}, {0, {0, 0, 0}}};
    double nothing = 7, out = 7, p[3 * 8], J[6 * 8], U[36 * 8], momentum[6 * 8], energy[8];
    ff_dynamics *d;
    assert_int_equal(ff_dynamics_create(model, &def, &d, NULL), FF_OK);
    const int lanes = ff_dynamics_lanes(d);
    ff_dynamics_kinematics(d, &nothing, &nothing, &nothing);
    ff_dynamics_frame_pose(d, 1, p, NULL);
    assert_true(p[2 * lanes] == 2);
    ff_dynamics_frame_jacobian(d, 1, FF_AXES_LOCAL, J);
    ff_dynamics_rnea(d, &nothing, &nothing, &nothing, &out);
    ff_dynamics_aba(d, &nothing, &nothing, &nothing, &out);
    ff_dynamics_crba(d, &nothing);
    assert_int_equal(ff_dynamics_factor(d, NULL), FF_OK);
    ff_dynamics_solve(d, &nothing);
    ff_dynamics_minv_jt(d, 2, points, &out);
    ff_dynamics_delassus(d, 2, points, U);
    assert_true(ffi_size(36 * lanes, U) == 0);
    ff_dynamics_com(d, p);
    ff_dynamics_momentum(d, momentum);
    assert_true(ffi_size(6 * lanes, momentum) == 0);
    ff_dynamics_kinetic_energy(d, energy);
    assert_true(ffi_size(lanes, energy) == 0);
    ff_dynamics_potential_energy(d, energy); // of everything that moves
    assert_true(ffi_size(lanes, energy) == 0);
    assert_true(nothing == 7 && out == 7);
    ff_dynamics_destroy(d);
  }
  ff_model_destroy(model);
}

// Before any q was given, NULL means the neutral configuration.
static void begin_without_q(ffi_case *c, void *data)
{
  const ff_dynamics_def def = {.lanes = FF_LANES_WIDE, .max_points = 1};
  ff_dynamics *fresh, *told;
  double R[2][9 * 8], p[2][3 * 8];
  (void)data;
  assert_int_equal(ff_dynamics_create(c->model, &def, &fresh, NULL), FF_OK);
  assert_int_equal(ff_dynamics_create(c->model, &def, &told, NULL), FF_OK);
  const int lanes = ff_dynamics_lanes(fresh);
  double *one = ffi_doubles(c->nq), *q = ffi_doubles(c->nq * lanes), *zero = ffi_doubles(c->nv * lanes);
  double *h = ffi_doubles(c->nv * lanes), *want = ffi_doubles(c->nv * lanes);
  ff_model_neutral(c->model, one);
  for (int lane = 0; lane < lanes; ++lane)
    ffi_random_to_lane(c->nq, one, lanes, lane, q);
  ff_dynamics_kinematics(told, q, NULL, NULL);
  for (int f = 0; f < c->frames; ++f) {
    ff_dynamics_frame_pose(fresh, f, p[0], R[0]); // not even kinematics was called
    ff_dynamics_frame_pose(told, f, p[1], R[1]);
    assert_memory_equal(p[0], p[1], (size_t)(3 * lanes) * sizeof(double));
    assert_memory_equal(R[0], R[1], (size_t)(9 * lanes) * sizeof(double));
  }
  ff_dynamics_rnea(fresh, NULL, zero, zero, h);
  ff_dynamics_rnea(told, q, zero, zero, want);
  assert_memory_equal(h, want, (size_t)(c->nv * lanes) * sizeof *h);
  ff_dynamics_destroy(fresh);
  ff_dynamics_destroy(told);
  free(one);
  free(q);
  free(h);
  free(want);
  free(zero);
}

static void the_first_configuration_is_neutral(void **state)
{
  (void)state;
  ffi_for_each_case(20, begin_without_q, NULL);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(nonsense_is_refused),
      cmocka_unit_test(defaults_are_one_lane_of_the_standard_set),
      cmocka_unit_test(lanes_can_be_asked_for_by_number),
      cmocka_unit_test(instruction_sets_have_names),
      cmocka_unit_test(a_model_that_does_not_move),
      cmocka_unit_test(the_first_configuration_is_neutral),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
