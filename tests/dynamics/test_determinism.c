// The same call gives the same bits, whatever was computed before it.

#include "dynamics/cases.h"
#include "dynamics/kernel_outputs.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { FORESTS = 30 };

static void must_be_equal(const ffi_outputs *a, const ffi_outputs *b, const char *when, int number)
{
  for (int k = 0; k < FFI_OUTPUTS; ++k) {
    const size_t bytes = (size_t)(a->all[k].count * a->lanes) * sizeof(double);
    if (memcmp(a->all[k].data, b->all[k].data, bytes) != 0)
      fail_msg("%s: other bits %s (case %d)", a->all[k].name, when, number);
  }
}

static void repeat(ffi_case *c, void *data)
{
  const ff_dynamics_def def = *(const ff_dynamics_def *)data;
  ff_dynamics *first, *second;
  assert_int_equal(ff_dynamics_create(c->model, &def, &first, NULL), FF_OK);
  assert_int_equal(ff_dynamics_create(c->model, &def, &second, NULL), FF_OK);
  const int lanes = ff_dynamics_lanes(first);
  ffi_lane_state state = ffi_lane_state_make(c->model, lanes, &c->random);
  ffi_lane_state other = ffi_lane_state_make(c->model, lanes, &c->random);
  ffi_outputs reference = ffi_outputs_make(c->model, lanes), again = ffi_outputs_make(c->model, lanes);
  ffi_outputs scrap = ffi_outputs_make(c->model, lanes);
  ffi_outputs_compute(first, c->model, &state, 0, &reference);
  ffi_outputs_compute(first, c->model, &state, 0, &again);
  must_be_equal(&reference, &again, "the second time", c->number);
  ffi_outputs_compute(first, c->model, &other, 0, &scrap);
  ffi_outputs_compute(first, c->model, &state, 0, &again);
  must_be_equal(&reference, &again, "after another state", c->number);
  ffi_outputs_compute(first, c->model, &state, 1, &again);
  must_be_equal(&reference, &again, "with q = NULL", c->number);
  ffi_outputs_compute(second, c->model, &state, 0, &again);
  must_be_equal(&reference, &again, "in a new object", c->number);
  ffi_outputs_free(&reference);
  ffi_outputs_free(&again);
  ffi_outputs_free(&scrap);
  ffi_lane_state_free(&state);
  ffi_lane_state_free(&other);
  ff_dynamics_destroy(first);
  ff_dynamics_destroy(second);
}

static void calls_repeat_bit_for_bit(void **state)
{
  (void)state;
  for (ff_isa isa = FF_ISA_BASE; isa <= ff_isa_best(); ++isa)
    for (int wide = 0; wide < 2; ++wide) {
      ff_dynamics_def def = {.lanes = wide ? FF_LANES_WIDE : 1, .isa = isa, .max_points = FFI_OUTPUT_POINTS};
      ffi_for_each_case(FORESTS, repeat, &def);
    }
}

// Every kernel alone, on a fresh object, with nothing called before it but what its documentation asks for.
static void alone(ffi_case *c, void *data)
{
  const ff_dynamics_def def = {.lanes = 1, .max_points = FFI_OUTPUT_POINTS};
  const size_t bytes = (size_t)c->nv * sizeof(double);
  double *together[4], *separate[4];
  ff_dynamics *one, *each;
  (void)data;
  assert_int_equal(ff_dynamics_create(c->model, &def, &one, NULL), FF_OK);
  for (int k = 0; k < 4; ++k) {
    together[k] = ffi_doubles(c->nv);
    separate[k] = ffi_doubles(c->nv);
  }
  ff_dynamics_rnea(one, c->q, c->v, c->vdot, together[0]);
  ff_dynamics_bias(one, NULL, c->v, together[1]);
  ff_dynamics_gravity(one, NULL, together[2]);
  ff_dynamics_aba(one, NULL, c->v, c->tau, together[3]);
  for (int k = 0; k < 4; ++k) {
    assert_int_equal(ff_dynamics_create(c->model, &def, &each, NULL), FF_OK);
    switch (k) {
    case 0: ff_dynamics_rnea(each, c->q, c->v, c->vdot, separate[0]); break;
    case 1: ff_dynamics_bias(each, c->q, c->v, separate[1]); break;
    case 2: ff_dynamics_gravity(each, c->q, separate[2]); break;
    default: ff_dynamics_aba(each, c->q, c->v, c->tau, separate[3]); break;
    }
    assert_memory_equal(separate[k], together[k], bytes);
    ff_dynamics_destroy(each);
    free(together[k]);
    free(separate[k]);
  }
  ff_dynamics_destroy(one);
}

static void a_kernel_needs_no_other_before_it(void **state)
{
  (void)state;
  ffi_for_each_case(FORESTS, alone, NULL);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(calls_repeat_bit_for_bit),
      cmocka_unit_test(a_kernel_needs_no_other_before_it),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
