#include "step/frozen/frozen_flag_slide.h"

#include "contact/law/flag_law.h"
#include "math/vec3.h"
#include "step/eval/anchor.h"

#include <math.h>

// Any unit tangent.
static void some_tangent(const double n[3], double d[3])
{
  const double axis[3] = {fabs(n[0]) < 0.5, fabs(n[0]) >= 0.5, 0};
  ffi_v3_cross(n, axis, d);
  ffi_v3_scale(1 / ffi_v3_norm(d), d, d);
}

void ffi_frozen_flag_slide_direction(const ffi_contact *c, double d[3])
{
  double ut[3], F[3];
  ffi_anchor_tangential(c->near.normal, c->u, ut);
  ffi_anchor_tangential(c->near.normal, c->law.force, F);
  const double speed = ffi_v3_norm(ut), friction = ffi_v3_norm(F);
  if (speed > FFI_FLAG_LAW_LEAST_SPEED || (speed > 0 && !(friction > 0)))
    ffi_v3_scale(-1 / speed, ut, d);
  else if (friction > 0)
    ffi_v3_scale(1 / friction, F, d);
  else
    some_tangent(c->near.normal, d);
}

ffi_frozen_block *ffi_frozen_flag_slide(ffi_frozen *z, const ffi_contact *c, double stops)
{
  double d[3], ut[3];
  ffi_anchor_tangential(c->near.normal, c->u, ut);
  ffi_frozen_flag_slide_direction(c, d);
  const double stop = c->mu * stops / FFI_FLAG_LAW_LEAST_SPEED;
  const double across = c->mu * c->law.normal_force / fmax(ffi_v3_norm(ut), FFI_FLAG_LAW_LEAST_SPEED);
  const double damper[2] = {stop, stops > 0 ? stop : across};
  ffi_frozen_block *b = ffi_frozen_add(z, &c->rows, c->K, c->B, c->x, c->u, c->c);
  ffi_frozen_slide_plain(z, b, c->near.normal, d, stops > 0 ? 0 : c->mu, damper);
  return b;
}

int ffi_frozen_flag_slide_has_reversed(const ffi_frozen_block *b)
{
  return b->slides && b->mu > 0 && ffi_v3_dot(b->u_end, b->d) > 0;
}

double ffi_frozen_flag_slide_stopping_force(const ffi_contact *c, const ffi_frozen_block *b)
{
  return fmax(c->law.normal_force, ffi_v3_dot(b->mean, c->near.normal));
}
