// The steps of a batch beside those of sims. See same_step.h.
#include "batch/same_step.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

double *same_step_numbers(size_t count)
{
  double *x = calloc(count + 1, sizeof *x);
  assert_non_null(x);
  return x;
}

void same_step_reports(const ff_step_info *a, const ff_step_info *b)
{
  assert_int_equal(a->contacts, b->contacts);
  assert_int_equal(a->pieces, b->pieces);
  assert_int_equal(a->substeps, b->substeps);
  assert_int_equal(a->factorisations, b->factorisations);
  assert_int_equal(a->slipping, b->slipping);
  assert_int_equal(a->capped, b->capped);
  assert_true(fabs(a->penetration - b->penetration) < 1e-12);
  assert_true(fabs(a->force_error - b->force_error) <= 1e-6 * b->force_error + SAME_STEP_ROUNDING);
}
