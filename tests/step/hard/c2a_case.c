// Definitions and a ball for the tests of `ca` and `c2a`.
#include "step/hard/c2a_case.h"

const ff_stepper ffi_c2a_case_steppers[2] = {FF_STEPPER_CA, FF_STEPPER_C2A};

ff_sim_def ffi_c2a_case_def(ff_stepper stepper, double dt)
{
  ff_sim_def def = ff_sim_def_default();
  def.stepper = stepper;
  def.dt = dt;
  def.c2a.impact.relative_tolerance = 0;
  def.c2a.impact.absolute_tolerance = 1e-15;
  return def;
}

ffi_loose ffi_c2a_case_ball(double friction, double restitution)
{
  return (ffi_loose){.shape = FF_SHAPE_SPHERE,
                     .size = {0.1},
                     .mass = 1,
                     .material = ffi_hard_material(friction, restitution, 0)};
}
