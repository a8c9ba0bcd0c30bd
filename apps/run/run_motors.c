// The motors that hold a model, and the range of their gains. ff_place_motors() has the rule.
#include "cli/complain.h"
#include "run/run.h"

#include <footfall/place.h>

#include <math.h>

static void widen(double range[2], double value, int is_first)
{
  range[0] = is_first ? value : fmin(range[0], value);
  range[1] = is_first ? value : fmax(range[1], value);
}

void ffi_run_motors_make(const ff_model *model, ff_dynamics *dynamics, const double *q, double kp, double kd,
                         ffi_run_motors *out)
{
  const int joints = ff_model_get_size(model).joints;
  *out = (ffi_run_motors){.elements = ffi_need_memory(NULL, (size_t)joints * sizeof *out->elements)};
  out->count = ff_place_motors(model, dynamics, q, kp, kd, out->elements);
  for (int i = 0; i < out->count; ++i) {
    widen(out->kp, out->elements[i].stiffness, i == 0);
    widen(out->kd, out->elements[i].damping, i == 0);
  }
  for (int j = 0; j < joints; ++j)
    out->model_count += ff_model_drive(model, j) == FF_DRIVE_SERVO;
}
