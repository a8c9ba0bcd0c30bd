// Unevenness of the predicted motion, and its evaluation half way. See expo_layer.h.
#include "step/expo/expo_layer.h"

#include "dynamics/one_lane.h"
#include "math/larger.h"

#include <math.h>
#include <string.h>

// |2 dx/h - dv|: displacements are h/2 times the change of velocity where that grows linearly, and h times where it
// comes at once.
double ffi_expo_layer_unevenness(const ffi_expo *e, double h)
{
  const ffi_frozen *z = &e->frozen;
  double size = z->gravity * h, uneven = 0;
  for (int k = 0; k < z->n; ++k) {
    size = ffi_larger(size, fabs(z->delta_v[k]));
    uneven = ffi_larger(uneven, fabs(2 * z->delta_x[k] / h - z->delta_v[k]));
  }
  // a joint that swings may have moved far and be back at its velocity
  return uneven < size ? uneven / size : size > 0;
}

ff_status ffi_expo_layer_evaluate_midpoint(ffi_system *s, ffi_expo *e, double h, ff_error *error)
{
  const ffi_frozen *z = &e->frozen;
  ffi_state *x = e->middle_state;
  ffi_state_advance(s, e->start_state, h / 2, x);
  ffi_state_copy_friction(s, e->start_state, x);
  for (int k = 0; k < z->n; ++k) {
    e->scratch[k] = 0.5 * (h * e->start_state->v[k] + z->delta_x[k]);
    x->v[k] = e->start_state->v[k] + z->delta_x[k] / h;
  }
  ff_model_integrate(s->model, e->start_state->q, e->scratch, x->q);
  memcpy(x->touching, e->start_state->touching, (size_t)e->start_state->touching_count * sizeof *x->touching);
  x->touching_count = e->start_state->touching_count;
  return ffi_evaluation_at(s, x, FFI_EVALUATION_FIXED, &e->middle, error);
}
