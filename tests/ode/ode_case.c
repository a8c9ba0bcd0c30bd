// Equations and calls of the tests of ff_ode.
#include "ode/ode_case.h"

#include "math/near.h"

static const double g = FFI_ODE_CASE_GRAVITY;

int ffi_ode_case_thrown(double t, const double *x, double *rate, void *user)
{
  (void)t;
  (void)user;
  rate[0] = x[1];
  rate[1] = -g;
  return 0;
}

int ffi_ode_case_swing(double t, const double *x, double *rate, void *user)
{
  (void)t;
  (void)user;
  rate[0] = x[1];
  rate[1] = -x[0];
  return 0;
}

// Guards: user[k] is a height.
static void heights(double t, const double *x, double *value, void *user)
{
  (void)t;
  const double *height = user;
  for (int k = 0; !isnan(height[k]); ++k)
    value[k] = x[0] - height[k];
}

ff_ode *ffi_ode_case_create(const ff_ode_def *def)
{
  ff_ode *ode;
  ff_error error;
  if (ff_ode_create(def, &ode, &error) != FF_OK)
    fail_msg("%s", error.message);
  return ode;
}

ff_ode_def ffi_ode_case_def(ff_ode_rate rate, int guards, double *height)
{
  ff_ode_def def = ff_ode_def_default();
  def.size = 2;
  def.rate = rate;
  def.guards = guards;
  def.guard = heights;
  def.user = height;
  return def;
}

int ffi_ode_case_advance(ff_ode *ode, double t_end)
{
  int guard;
  ff_error error;
  if (ff_ode_advance(ode, t_end, &guard, &error) != FF_OK)
    fail_msg("%s", error.message);
  return guard;
}

void ffi_ode_case_start(ff_ode *ode, double x, double v)
{
  assert_int_equal(ff_ode_start(ode, 0, (double[]){x, v}, NULL), FF_OK);
}
