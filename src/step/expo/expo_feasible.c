// The test of mean forces, and the published scheme as a fallback. See expo_feasible.h.
#include "step/expo/expo_feasible.h"

#include "dynamics/one_lane.h"
#include "math/vec3.h"
#include "step/expo/expo_substep.h"

#include <math.h>

int ffi_expo_feasible_means(const ffi_expo *e)
{
  if (e->frozen.was_limited)
    return 0;
  for (int i = 0; i < e->start->count; ++i) {
    if (e->contact_block[i] < 0 || e->mode[i] == FF_CONTACT_RELEASED)
      continue;
    const ffi_contact *c = &e->start->contact[i];
    const double *mean = e->frozen.block[e->contact_block[i]].mean;
    const double push = ffi_v3_dot(mean, c->near.normal), slack = 0.05 * (fabs(push) + c->law.normal_force);
    const double square = ffi_v3_dot(mean, mean) - push * push, most = c->mu * push + (1 + c->mu) * slack;
    if (!(push >= -slack && square <= most * most))
      return 0;
  }
  return 1;
}

ff_status ffi_expo_feasible_fallback(ffi_system *s, ffi_expo *e, double h, ff_error *error)
{
  for (int i = 0; i < e->start->count; ++i)
    if (e->mode[i] == FF_CONTACT_SLIP && e->start->contact[i].mu > 0)
      e->mode[i] = FF_CONTACT_STICK;
  ffi_expo_substep_freeze(s, e);
  const ff_status status = ffi_expo_substep_predict(s, e, h, 0, error);
  if (status != FF_OK)
    return status;
  return ffi_frozen_forces_project(
      s, &e->frozen, &(ffi_frozen_forces_projection){e->start, e->contact_block, h, 1, e->scratch}, error);
}

ff_status ffi_expo_feasible_restore(ffi_system *s, ffi_expo *e, double min_length, double h, ff_error *error)
{
  if (h > min_length || e->frozen.was_projected || ffi_expo_feasible_means(e))
    return FF_OK;
  const ff_status status = ffi_expo_feasible_fallback(s, e, h, error);
  return status == FF_OK ? ffi_expo_substep_evaluate(s, e, h, error) : status;
}
