// Elongation of a contact's friction spring, and its rate.
#include "step/eval/contact.h"

#include "math/vec3.h"
#include "step/eval/anchor.h"

void ffi_contact_elongation(const ffi_contact *c, double e[3])
{
  ffi_anchor_tangential(c->near.normal, c->x, e);
  ffi_v3_scale(-1, e, e);
}

// edot = w - u, with the anchor velocity w = (F - trial) / B.                docs/theory/contact.md, eq. 2
void ffi_contact_elongation_rate(const ffi_contact *c, double rate[3])
{
  const double *n = c->near.normal;
  const double along = ffi_v3_dot(c->u, n);
  for (int k = 0; k < 3; ++k)
    rate[k] = along * n[k] - c->u[k];
  if (c->law.mode == FF_CONTACT_STICK || !(c->B > 0))
    return;
  for (int k = 0; k < 3; ++k) { // a released contact has F = 0
    const double tangential = c->law.force[k] - c->law.normal_force * n[k];
    rate[k] += (tangential - c->law.trial[k]) / c->B;
  }
}
