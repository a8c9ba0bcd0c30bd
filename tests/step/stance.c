// solo12 on its four feet, with springs in its joints.
#include "step/stance.h"

#include "support/random_state.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

enum { SETTLING_STEPS = 2500 };

ffi_stance ffi_stance_create(double K, double B, double mu)
{
  ffi_stance s = {.model = ffi_rig_load("solo12.urdf"),
                  .def = {.stepper = FF_STEPPER_RK4, .K = K, .B = B, .mu = mu}};
  const double *standing = ff_model_posture(s.model, ff_model_find_posture(s.model, "standing"));
  assert_non_null(standing);
  for (int j = 0; j < ff_model_get_size(s.model).joints; ++j) {
    ff_joint_info joint;
    ff_model_joint(s.model, j, &joint);
    if (joint.nq != 1)
      continue;
    ff_element_def *motor = &s.def.elements[s.def.element_count++];
    *motor = ff_element_def_default();
    motor->joint = j;
    motor->stiffness = 20;
    motor->damping = 0.5;
    motor->reference = standing[joint.q];
  }
  ffi_rig *r = ffi_rig_create(s.model, &s.def);
  ffi_rig_reset(r, standing, NULL);
  ffi_rig_run(r, 2e-4, SETTLING_STEPS);
  memcpy(s.q, r->now->q, sizeof s.q);
  ffi_rig_destroy(r);
  return s;
}

void ffi_stance_push(ffi_stance *s, double size, uint64_t seed)
{
  ffi_random random = ffi_random_seed(seed);
  ffi_random_vector(&random, 18, size, s->v);
}
