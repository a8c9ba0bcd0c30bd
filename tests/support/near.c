// Collects the largest errors and fails a test that exceeds its tolerance.
#include "support/near.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

void ffi_check_near(const char *what, double got, double want, double tolerance)
{
  if (!(fabs(got - want) <= tolerance))
    fail_msg("%s is %.17g, not %.17g: off by %.3g, allowed is %.3g", what, got, want, got - want, tolerance);
}

double ffi_gap(int n, const double *got, const double *want)
{
  double worst = 0;
  for (int k = 0; k < n; ++k) {
    const double gap = fabs(got[k] - want[k]);
    if (!isfinite(gap))
      return INFINITY;
    worst = fmax(worst, gap);
  }
  return worst;
}

double ffi_size(int n, const double *x)
{
  double largest = 0;
  for (int k = 0; k < n; ++k)
    largest = fmax(largest, fabs(x[k]));
  return largest;
}

void ffi_margin_add(ffi_margin *margin, double error, int where)
{
  if (isnan(error))
    error = INFINITY;
  if (margin->count++ == 0 || error > margin->worst) {
    margin->worst = error;
    margin->where = where;
  }
}

void ffi_margin_check(const ffi_margin *margin)
{
  print_message("  %-42s worst %8.2e of %8.2e, in case %d of %d\n", margin->what, margin->worst,
                margin->tolerance, margin->where, margin->count);
  if (margin->count == 0)
    fail_msg("%s: nothing was compared", margin->what);
  if (!(margin->worst <= margin->tolerance))
    fail_msg("%s: error %.3e above %.3e in case %d", margin->what, margin->worst, margin->tolerance,
             margin->where);
}
