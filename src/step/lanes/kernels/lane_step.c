// A step of several robots from top to bottom, one robot in each lane.
#include "step/lanes/kernels/lane_variant.h"

void FFI_KERNEL(lane_step)(ffi_lane_work *w, ffi_lane_pass *pass)
{
  // State, inputs and parameters of the robots.
  FFI_KERNEL(lane_gather)(w, pass);

  // Where they are, what they touch.
  const ff_stepper stepper = w->plan->world->def.stepper;
  FFI_KERNEL(lane_look)(w, stepper != FF_STEPPER_EXPO);

  // The physics. Lanes in which anything rare happens are not ok.
  if (stepper == FF_STEPPER_EXPO)
    FFI_KERNEL(calm_step)(w, pass->dt, pass->subintervals);
  else if (stepper == FF_STEPPER_EXPO_PAPER)
    FFI_KERNEL(paper_step)(w, pass->dt, pass->subintervals);
  else
    FFI_KERNEL(explicit_step)(w, pass->dt, stepper == FF_STEPPER_SYMPLECTIC);

  // Checks, and back into states.
  FFI_KERNEL(lane_finish)(w, pass->dt);
  FFI_KERNEL(lane_scatter)(w, pass);
}
