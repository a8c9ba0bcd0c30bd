#include "step/hard/moreau_robot.h"

#include "support/must.h"
#include "support/robots.h"

#include <stddef.h>

ff_model *ffi_moreau_starleth(void)
{
  return ffi_robot("starleth.urdf");
}

ff_sim *ffi_moreau_robot(const ff_model *model, const ff_moreau_def *moreau, double dt, double weakest)
{
  ff_element_def motor[16];
  int count = 0;
  const ff_model_size size = ff_model_get_size(model);
  for (int i = 0; i < size.joints; ++i) {
    ff_joint_info joint;
    ff_model_joint(model, i, &joint);
    if (joint.nv != 1)
      continue;
    motor[count] = ff_element_def_default();
    motor[count].joint = i;
    motor[count].stiffness = 150;
    motor[count].damping = 3;
    motor[count++].effort = i % 3 ? 40 : weakest;
  }
  ff_sim_def def = ff_sim_def_default();
  def.stepper = FF_STEPPER_MOREAU;
  def.dt = dt;
  def.moreau = *moreau;
  def.elements = motor;
  def.element_count = count;
  ff_sim *sim = ffi_must_sim(model, &def);
  ff_error error;
  ffi_must(ff_sim_set_posture(sim, "standing", &error), &error);
  for (int e = 0; e < ff_sim_element_count(sim); ++e) {
    ff_joint_info joint;
    ff_element_def own;
    ff_sim_element(sim, e, &own);
    ff_model_joint(model, own.joint, &joint);
    if (own.type == FF_ELEMENT_JOINT_PD)
      ff_sim_set_reference(sim, e, ff_sim_q(sim)[joint.q] + 0.1, 0.2);
  }
  return sim;
}
