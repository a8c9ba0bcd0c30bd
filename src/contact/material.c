#include "contact/scene.h"

#include <math.h>

// Two springs, or two dampers, in series, 1 / (1/a + 1/b): exactly the half of two equal ones, exactly the other of an infinite one.
static double in_series(double a, double b)
{
  const double soft = fmin(a, b), hard = fmax(a, b);
  if (soft == 0 || isinf(hard))
    return soft;
  return soft / (1 + soft / hard);
}

void ffi_material_combine(const ff_material *a, const ff_material *b, ff_material *out)
{
  const ff_material pair = {
      .stiffness = in_series(a->stiffness, b->stiffness),
      .damping = in_series(a->damping, b->damping),
      .friction = fmin(a->friction, b->friction),
      .restitution = fmax(a->restitution, b->restitution),
      .tangential_restitution = fmax(a->tangential_restitution, b->tangential_restitution),
  };
  *out = pair;
}
