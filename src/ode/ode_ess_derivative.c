#include "ode/ode_ess_tangent.h"

#include "base/fail.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static ff_status check_vectors(int n, int count, const double *direction, ff_error *error)
{
  if (count < 0)
    return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, "count", "must not be negative");
  for (int i = 0; i < count; ++i)
    for (int j = 0; j < n; ++j)
      if (!isfinite(direction[(size_t)i * (size_t)n + (size_t)j]))
        return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, "direction",
                        "number %d of vector %d must be finite", j, i);
  return FF_OK;
}

ff_status ff_ess_derivative(ff_ess *ess, double t0, const double *x0, const signed char *side0, double t1,
                            double together, int count, const double *direction, double *x1, double *out,
                            ff_error *error)
{
  const int n = ess->system.tangent;
  ff_status status = check_vectors(n, count, direction, error);
  if (status != FF_OK)
    return status;
  if (!(together >= 0 && together < HUGE_VAL))
    return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, "together", "must not be negative");
  if (!(t1 >= t0 && t1 < HUGE_VAL))
    return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, "t1", "must be finite and not before t0");
  ffi_ode_ess_tangent c;
  int is_there;
  status = ffi_ode_ess_tangent_begin(&c, ess, t0, x0, side0, -1, count, direction, error);
  if (status == FF_OK)
    status = ffi_ode_ess_tangent_advance(&c, t1, together, &is_there, error);
  if (status == FF_OK)
    status = ffi_ode_ess_tangent_hand_over(&c, error);
  if (status == FF_OK && x1)
    memcpy(x1, ess->ode.x, (size_t)ess->system.size * sizeof *x1);
  for (int k = 0; k < count && out && status == FF_OK; ++k)
    for (int i = 0; i < n; ++i)
      out[(size_t)k * (size_t)n + (size_t)i] = c.scale[k] * ffi_ode_ess_tangent_vector(&c, k)[i];
  ffi_ode_ess_tangent_end(&c);
  return status;
}

ff_status ff_ess_monodromy(ff_ess *ess, double t0, const double *x0, const signed char *side0, double period,
                           double *D, ff_error *error)
{
  const size_t n = (size_t)ess->system.tangent;
  double *unit = calloc(2 * n * n, sizeof *unit), *columns = unit + n * n;
  if (!unit)
    return ffi_fail(error, FF_ERROR_MEMORY, NULL, 0, "ess", "no memory for a matrix");
  for (size_t i = 0; i < n; ++i)
    unit[i * n + i] = 1;
  const ff_status status = ff_ess_derivative(ess, t0, x0, side0, t0 + period, ess->def.chatter_time, (int)n,
                                             unit, NULL, columns, error);
  for (size_t i = 0; i < n && status == FF_OK; ++i)
    for (size_t j = 0; j < n; ++j)
      D[i * n + j] = columns[j * n + i];
  free(unit);
  return status;
}
