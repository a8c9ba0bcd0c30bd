// Defaults of a definition, and checks of it.
#include "base/def.h"
#include "base/fail.h"
#include "sim/sim.h"
#include "sim/sim_options.h"

#include <math.h>

// The defaults of this version of the library.
static ff_sim_def standard(void)
{
  ff_sim_def def = {.size = sizeof def, .ground_count = -1};
  ffi_sim_options_default(&def);
  return def;
}

void ff_sim_def_init(ff_sim_def *def, size_t size)
{
  const ff_sim_def defaults = standard();
  ffi_def_init(def, size, &(ffi_def_kind){"ff_sim_def", sizeof defaults, &defaults});
}

ff_status ffi_sim_def_take(const ff_sim_def *def, ff_sim_def *out, ff_error *error)
{
  const ff_sim_def defaults = standard();
  return ffi_def_take(def, &(ffi_def_kind){"ff_sim_def", sizeof defaults, &defaults}, out, error);
}

static ff_status check_counts(const ff_sim_def *d, ff_error *error)
{
  enum { MOST = 10000 }; // far above any scene, far below the range of an int
  const int is_ground = d->ground_count < -1 || d->ground_count > MOST;
  if (!is_ground && d->element_count >= 0 && d->element_count <= MOST)
    return FF_OK;
  return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, "ff_sim_def", "%s_count is %d; it must be within %d..%d",
                  is_ground ? "ground" : "element", is_ground ? d->ground_count : d->element_count,
                  is_ground ? -1 : 0, MOST);
}

// Only `expo` with its corrector and `c2a` estimate the error of a step.
static ff_status check_accuracy(const ff_sim_def *d, ff_error *error)
{
  if (d->accuracy == 0)
    return FF_OK;
  if (d->stepper != FF_STEPPER_EXPO && d->stepper != FF_STEPPER_C2A)
    return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, "ff_sim_def",
                    "accuracy is %g, but the stepper is '%s'; only 'expo' and 'c2a' control their error",
                    d->accuracy, ff_stepper_name(d->stepper));
  if (d->stepper == FF_STEPPER_EXPO && d->expo.order != 2)
    return ffi_fail(
        error, FF_ERROR_ARGUMENT, NULL, 0, "ff_sim_def",
        "accuracy is %g, but expo.order is %d; an error tolerance needs order 2, whose corrector estimates the error",
        d->accuracy, d->expo.order);
  return FF_OK;
}

static ff_status check_ground_speed(const ff_sim_def *d, ff_error *error)
{
  for (int g = 0; g < d->ground_count; ++g)
    if (!ffi_sim_def_allows_velocity(d, d->ground[g].velocity, 6))
      return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, "ff_sim_def",
                      "the velocity of ground %d is not finite, or beyond max_speed, %g", g, d->max_speed);
  return FF_OK;
}

int ffi_sim_def_allows_velocity(const ff_sim_def *def, const double *velocity, int size)
{
  int is_slow = 1;
  for (int i = 0; i < size; ++i)
    is_slow &= fabs(velocity[i]) <= def->max_speed && isfinite(velocity[i]); // NaN is not <=
  return is_slow;
}

ff_status ffi_sim_def_check(const ff_model *model, const ff_sim_def *def, ff_error *error)
{
  if (!model)
    return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, "ff_sim_create", "the model is NULL");
  const int nv = ff_model_get_size(model).nv;
  if (nv > FF_SIM_MOST_VELOCITIES)
    return ffi_fail(error, FF_ERROR_LIMIT, NULL, 0, "ff_sim_create",
                    "the robot has %d velocities; at most %d can be simulated", nv, FF_SIM_MOST_VELOCITIES);
  ff_isa isa;
  ff_status status = ff_isa_resolve(def->isa, &isa, error);
  if (status == FF_OK)
    status = check_counts(def, error);
  if (status == FF_OK)
    status = ffi_sim_options_check(def, error);
  if (status == FF_OK)
    status = check_accuracy(def, error);
  if (status != FF_OK)
    return status;
  if (def->ground_count > 0 && !def->ground)
    return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, "ff_sim_def",
                    "ground is NULL, but ground_count is %d; -1 asks for the plane z = 0", def->ground_count);
  if ((status = check_ground_speed(def, error)) != FF_OK)
    return status;
  if (def->element_count > 0 && !def->elements)
    return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, "ff_sim_def",
                    "elements is NULL, but element_count is %d", def->element_count);
  return FF_OK;
}
