// Rates of velocities that are constant in fixed axes, seen in the axes of the body.
#include "math/vec3.h"
#include "model/model.h"
#include "step/hard/hard_step_evaluation.h"

void ffi_hard_step_coast(const ff_model *model, const double *v, double *vdot)
{
  if (model->size.nv > 0)
    memset(vdot, 0, (size_t)model->size.nv * sizeof *vdot);
  for (int i = 1; i < model->body_count; ++i) {
    const ffi_body *b = &model->bodies[i];
    const double *own = v + b->v;
    if (b->kind == FFI_KIND_FREE) {
      ffi_v3_cross(own, own + 3, vdot + b->v); // - omega x v
    } else if (b->kind == FFI_KIND_PLANAR) {
      vdot[b->v] = own[2] * own[1];
      vdot[b->v + 1] = -own[2] * own[0];
    }
  }
}
