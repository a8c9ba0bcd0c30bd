#include "contact/scene.h"

#include <math.h>

// Two springs, or two dampers, in series. An infinite one leaves the other exactly as it is.
static double in_series(double a, double b)
{
  if (isinf(a))
    return b;
  if (isinf(b))
    return a;
  return 1 / (1 / a + 1 / b); // 0 with anything: 1 / infinity = 0
}

void ffi_material_combine(const ff_material *a, const ff_material *b, ff_material *out)
{
  const ff_material pair = {
      .stiffness = in_series(a->stiffness, b->stiffness),
      .damping = in_series(a->damping, b->damping),
      .friction = fmin(a->friction, b->friction),
      .restitution = fmax(a->restitution, b->restitution),
  };
  *out = pair;
}
