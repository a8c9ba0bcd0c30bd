// Errors and step counts over error tolerances and over fixed steps.
#include "properties/order/error_tolerance.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static double accuracy_of(int row)
{
  return pow(10, -2 - row);
}

void ffi_error_tolerance_add(ffi_error_tolerance *a, const ffi_order_scene *scene, const double *truth)
{
  ffi_order_scene with = *scene;
  double end[2 * FFI_ORDER_MOST];
  ff_sim_totals totals;
  for (int k = 0; k < FFI_ERROR_TOLERANCE_FIXED; ++k) {
    ffi_order_run_counted(scene, &ffi_order_expo, a->longest << k, end, &totals);
    a->fixed_error[k] += log(ffi_order_distance(scene, end, truth));
    a->fixed_pieces[k] += (double)totals.pieces;
  }
  for (int k = 0; k < FFI_ERROR_TOLERANCE_COUNT; ++k) {
    with.def.accuracy = accuracy_of(k);
    ffi_order_run_counted(&with, &ffi_order_expo, a->longest, end, &totals);
    a->error[k] += log(ffi_order_distance(scene, end, truth));
    a->steps[k] += (double)(totals.integrator_steps + totals.rejected);
    a->pieces[k] += (double)totals.pieces;
    a->inaccurate += totals.inaccurate;
  }
  ++a->count;
}

// How many fixed steps have this error, from the first two rows of the table that have it between them; `log_error` is
// a sum.
static double fixed_steps(const ffi_error_tolerance *a, double log_error)
{
  for (int k = 1; k < FFI_ERROR_TOLERANCE_FIXED; ++k)
    if (a->fixed_error[k] <= log_error) {
      const double before = a->fixed_error[k - 1], part = (before - log_error) / (before - a->fixed_error[k]);
      return a->longest * pow(2, k - 1 + fmax(0, part));
    }
  return HUGE_VAL; // the table is too short
}

ffi_error_tolerance_found ffi_error_tolerance_conclude(const ffi_error_tolerance *a)
{
  ffi_error_tolerance_found out = {0};
  double sxy = 0, sxx = 0, sy = 0;
  for (int k = 0; k < FFI_ERROR_TOLERANCE_FIXED; ++k)
    print_message("  %6d steps: error %.1e, %.1f pieces\n", a->longest << k,
                  exp(a->fixed_error[k] / a->count), a->fixed_pieces[k] / a->count);
  for (int k = 0; k < FFI_ERROR_TOLERANCE_COUNT; ++k) {
    const double error = exp(a->error[k] / a->count), steps = a->steps[k] / a->count;
    const double x = k - (FFI_ERROR_TOLERANCE_COUNT - 1) / 2.0, same = fixed_steps(a, a->error[k]);
    sxy -= x * log10(error), sxx += x * x, sy += log10(error);
    out.largest = fmax(out.largest, error / accuracy_of(k));
    out.saved[k] = same / steps;
    print_message("  accuracy %.0e: error %.1e, %.1f steps in %.1f pieces; fixed steps of that error: %.0f\n",
                  accuracy_of(k), error, steps, a->pieces[k] / a->count, same);
  }
  out.slope = sxy / sxx;
  print_message("  slope %.2f, error at most %.2g of the accuracy\n", out.slope, out.largest);
  return out;
}
