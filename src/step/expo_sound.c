#include "step/expo_sound.h"

#include "dynamics/one_robot.h"
#include "math/vec3.h"

#include <math.h>

int ffi_means_are_sound(const ffi_expo *e)
{
  if (e->frozen.was_held)
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

ff_status ffi_take_as_published(ffi_system *s, ffi_expo *e, double h, ff_error *error)
{
  for (int i = 0; i < e->start->count; ++i)
    if (e->mode[i] == FF_CONTACT_SLIP && e->start->contact[i].mu > 0)
      e->mode[i] = FF_CONTACT_STICK;
  ffi_expo_freeze(s, e);
  const ff_status status = ffi_expo_predict(s, e, h, 0, error);
  if (status != FF_OK)
    return status;
  return ffi_springs_project(s, e->start, &e->frozen, e->contact_block, h, 1, e->scratch, error);
}

ff_status ffi_keep_sound(ffi_system *s, ffi_expo *e, double least, double h, ff_error *error)
{
  if (h > least || e->frozen.was_projected || ffi_means_are_sound(e))
    return FF_OK;
  const ff_status status = ffi_take_as_published(s, e, h, error);
  return status == FF_OK ? ffi_expo_look_there(s, e, h, error) : status;
}
