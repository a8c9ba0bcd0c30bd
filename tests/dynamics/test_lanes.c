// Lanes compute what one lane computes, on every instruction set, and do not see each other.

#include "dynamics/cases.h"
#include "dynamics/kernel_outputs.h"

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { FORESTS = 30 };

static ff_dynamics *create(const ff_model *model, ff_isa isa, int lanes)
{
  const ff_dynamics_def def = {.lanes = lanes, .isa = isa, .max_points = FFI_OUTPUT_POINTS};
  ff_dynamics *dynamics = NULL;
  ff_error error;
  const ff_status status = ff_dynamics_create(model, &def, &dynamics, &error);
  if (status != FF_OK && status != FF_ERROR_UNSUPPORTED)
    fail_msg("%s", error.message);
  return dynamics; // NULL: this machine has no such instructions
}

// Largest difference between two results for one robot each, over the largest number of what is wanted.
static double output_error(const ffi_outputs *got, int got_lane, const ffi_outputs *want, int want_lane,
                           int k)
{
  double error = 0, size = want->all[k].least;
  for (int i = 0; i < got->all[k].count; ++i) {
    const double *a = &got->all[k].data[i * got->lanes + got_lane],
                 *b = &want->all[k].data[i * want->lanes + want_lane];
    error = fmax(error, ffi_gap(1, a, b));
    size = fmax(size, fabs(*b));
  }
  return error == 0 ? 0 : error / size;
}

// Each result of a sum may differ by the roundings along a path, about one ulp of its largest entry per
// level; a result of a solve by the condition number times that. A few times this where a single number (an
// energy) is a sum that cancels.
static double allowance(const ffi_case *c, ffi_output_kind kind)
{
  const double sum = DBL_EPSILON * (8 + c->nv);
  return kind == FFI_OUTPUT_PLAIN ? sum : sum + c->condition * DBL_EPSILON * (1 + c->nv);
}

typedef struct comparison {
  ff_isa isa, reference; // lanes of `isa` against one lane of `reference`
  ffi_margin plain, solved;
} comparison;

static void compare_lanes(ffi_case *c, void *data)
{
  comparison *m = data;
  ff_dynamics *wide = create(c->model, m->isa, FF_LANES_WIDE), *one = create(c->model, m->reference, 1);
  assert_non_null(wide);
  assert_non_null(one);
  const int lanes = ff_dynamics_lanes(wide);
  assert_int_equal(ff_dynamics_isa(wide), m->isa);
  assert_int_equal(ff_dynamics_lanes(one), 1);
  assert_true(lanes == (m->isa == FF_ISA_AVX512 ? 8 : m->isa == FF_ISA_AVX2 ? 4 : 2));
  ffi_lane_state many = ffi_lane_state_make(c->model, lanes, &c->random);
  ffi_lane_state single = ffi_lane_state_make(c->model, 1, &c->random);
  ffi_outputs got = ffi_outputs_make(c->model, lanes), want = ffi_outputs_make(c->model, 1);
  ffi_lane_state_copy(c->model, &(ffi_lane_state){1, c->q, c->v, c->vdot, c->tau}, 0, &single);
  for (int k = 0; k < c->nq;
       ++k) // the case's own state, whose condition number is known, is in the last lane
    many.q[k * lanes + lanes - 1] = c->q[k];
  ffi_outputs_compute(wide, c->model, &many, 0, &got);
  for (int r = 0; r < lanes; ++r) {
    ffi_lane_state_copy(c->model, &many, r, &single);
    ffi_outputs_compute(one, c->model, &single, 0, &want);
    assert_int_equal(got.factored, FF_OK);
    assert_int_equal(want.factored, FF_OK);
    for (int k = 0; k < FFI_OUTPUTS; ++k) {
      const ffi_output_kind kind = got.all[k].kind;
      if (kind == FFI_OUTPUT_SOLVED && r != lanes - 1)
        continue;
      ffi_margin_add(kind == FFI_OUTPUT_PLAIN ? &m->plain : &m->solved,
                     output_error(&got, r, &want, 0, k) / allowance(c, kind), c->number * 100 + k);
    }
  }
  ffi_outputs_free(&got);
  ffi_outputs_free(&want);
  ffi_lane_state_free(&many);
  ffi_lane_state_free(&single);
  ff_dynamics_destroy(wide);
  ff_dynamics_destroy(one);
}

static void lanes_equal_one_lane(void **state)
{
  (void)state;
  int tried = 0;
  for (ff_isa isa = FF_ISA_BASE; isa <= FF_ISA_AVX512; ++isa) {
    if (isa > ff_isa_best())
      continue;
    for (ff_isa reference = FF_ISA_BASE; reference <= isa; ++reference) {
      comparison m = {.isa = isa,
                      .reference = reference,
                      .plain = {.what = "sums, in roundings", .tolerance = 8},
                      .solved = {.what = "solutions, in roundings x condition", .tolerance = 8}};
      print_message("lanes of %s against one lane of %s (case x 100 + kernel)\n", ff_isa_name(isa),
                    ff_isa_name(reference));
      ffi_for_each_case(FORESTS, compare_lanes, &m);
      ffi_margin_check(&m.plain);
      ffi_margin_check(&m.solved);
      ++tried;
    }
  }
  assert_true(tried > 0);
}

// Whatever stands in the other lanes, even NaN, a lane's bits are the same.
static void compare_with_spoiled(ffi_case *c, void *data)
{
  const ff_isa isa = *(const ff_isa *)data;
  ff_dynamics *dynamics = create(c->model, isa, FF_LANES_WIDE);
  assert_non_null(dynamics);
  const int lanes = ff_dynamics_lanes(dynamics);
  ffi_lane_state state = ffi_lane_state_make(c->model, lanes, &c->random);
  ffi_outputs before = ffi_outputs_make(c->model, lanes), after = ffi_outputs_make(c->model, lanes);
  ffi_outputs_compute(dynamics, c->model, &state, 0, &before);
  const int spoiled = ffi_random_below(&c->random, lanes);
  for (int k = 0; k < c->nq; ++k)
    state.q[k * lanes + spoiled] = k % 2 ? NAN : INFINITY;
  for (int k = 0; k < c->nv; ++k)
    state.v[k * lanes + spoiled] = state.vdot[k * lanes + spoiled] = state.tau[k * lanes + spoiled] = NAN;
  ffi_outputs_compute(dynamics, c->model, &state, 0, &after);
  for (int k = 0; k < FFI_OUTPUTS; ++k)
    for (int i = 0; i < before.all[k].count; ++i)
      for (int r = 0; r < lanes; ++r)
        if (r != spoiled &&
            memcmp(&before.all[k].data[i * lanes + r], &after.all[k].data[i * lanes + r], sizeof(double)))
          fail_msg("%s: a NaN in lane %d reached lane %d (case %d)", before.all[k].name, spoiled, r,
                   c->number);
  ffi_outputs_free(&before);
  ffi_outputs_free(&after);
  ffi_lane_state_free(&state);
  ff_dynamics_destroy(dynamics);
}

static void a_lane_does_not_see_the_others(void **state)
{
  (void)state;
  for (ff_isa isa = FF_ISA_BASE; isa <= ff_isa_best(); ++isa)
    ffi_for_each_case(FORESTS, compare_with_spoiled, &isa);
}

// All lanes do the same: with the same state in each, they have the same bits.
static void compare_equal_lanes(ffi_case *c, void *data)
{
  const ff_isa isa = *(const ff_isa *)data;
  ff_dynamics *dynamics = create(c->model, isa, FF_LANES_WIDE);
  const int lanes = ff_dynamics_lanes(dynamics);
  ffi_lane_state state = ffi_lane_state_make(c->model, lanes, &c->random);
  ffi_outputs out = ffi_outputs_make(c->model, lanes);
  ffi_lane_state_copy(c->model, &(ffi_lane_state){1, c->q, c->v, c->vdot, c->tau}, 0, &state);
  ffi_outputs_compute(dynamics, c->model, &state, 0, &out);
  for (int k = 0; k < FFI_OUTPUTS; ++k)
    for (int i = 0; i < out.all[k].count; ++i)
      for (int r = 1; r < lanes; ++r)
        assert_memory_equal(&out.all[k].data[i * lanes], &out.all[k].data[i * lanes + r], sizeof(double));
  ffi_outputs_free(&out);
  ffi_lane_state_free(&state);
  ff_dynamics_destroy(dynamics);
}

static void equal_robots_stay_equal(void **state)
{
  (void)state;
  for (ff_isa isa = FF_ISA_BASE; isa <= ff_isa_best(); ++isa)
    ffi_for_each_case(FORESTS, compare_equal_lanes, &isa);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(lanes_equal_one_lane),
      cmocka_unit_test(a_lane_does_not_see_the_others),
      cmocka_unit_test(equal_robots_stay_equal),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
