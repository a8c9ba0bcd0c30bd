// Springs and servos of MJCF whose damping comes from the inertia that they move: springdamper against MuJoCo's own
// compiler, dampratio against the mass matrix of MuJoCo in the pose of the file.
#include "mjcf_text.h"

#include <footfall/footfall.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

// A floating body with an arm of hinge, slide and ball, displaced joints and rotors.
#define ARM(joint, tail)                                                                                     \
  "<mujoco><compiler angle='radian'/><default><joint armature='0.02' " joint "/></default>"                  \
  "<worldbody><body pos='0 0 1'><freejoint/><geom type='box' size='0.2 0.1 0.05' mass='3'/>"                 \
  "<body name='a' pos='0.2 0 0' euler='0.3 0.2 0.1'><joint name='a' axis='0 1 0' ref='0.4' pos='0 0.05 0'/>" \
  "<joint name='a2' axis='1 0 0'/><geom type='capsule' fromto='0 0 0 0 0 -0.3' size='0.03'/>"                \
  "<body pos='0 0 -0.3'><joint name='s' type='slide' axis='0 0.3 1' pos='0 0 1'/><geom size='0.05'/>"        \
  "<body pos='0 0 -0.1'><joint name='b' type='ball' pos='0 0.02 0'/><geom pos='0.1 0 0' size='0.05'/>"       \
  "</body></body></body></body></worldbody>" tail "</mujoco>"

static int joint_of(const ffi_mjcf_text *t, const char *name, ff_joint_info *ours)
{
  assert_int_equal(ff_model_joint(t->ff, ff_model_find_joint(t->ff, name), ours), FF_OK);
  return mj_name2id(t->mj, mjOBJ_JOINT, name);
}

static void expect(const char *what, const char *name, double got, double want)
{
  if (!(fabs(got - want) <= 1e-9 * fabs(want)))
    fail_msg("%s of %s is %.15g, MuJoCo's %.15g", what, name, got, want);
}

static void springs_and_dampers_are_mujocos(void **state)
{
  (void)state;
  static const char *const names[] = {"a", "a2", "s", "b"};
  const ffi_mjcf_text t = ffi_mjcf_text_load(ARM("springdamper='0.2 0.7'", ""));
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
    ff_joint_info ours;
    const int id = joint_of(&t, names[i], &ours);
    expect("damping", names[i], ours.damping, t.mj->dof_damping[t.mj->jnt_dofadr[id]]);
    expect("stiffness", names[i], ours.stiffness, t.mj->jnt_stiffness[id]);
    assert_true(ours.damping > 0 && ours.stiffness > 0);
  }
  ffi_mjcf_text_free(&t);
}

// MuJoCo's own words for dampratio came after the version of this oracle: its mass matrix is the same.
static void servos_are_damped_for_the_inertia_they_move(void **state)
{
  (void)state;
  const char *const with = ARM(
                        "",
                        "<tendon><fixed name='t'><joint joint='a' coef='2'/><joint joint='s' coef='-0.5'/>"
                        "</fixed></tendon><actuator>"
                        "<position joint='a' kp='30' dampratio='1' gear='3'/>"
                        "<general joint='s' biastype='affine' gainprm='50' biasprm='0 -50 0.4'/>"
                        "<position tendon='t' kp='20' dampratio='0.8'/></actuator>"),
                    *const without = ARM("", "");
  ff_model *model;
  ff_error error;
  if (ff_model_load_memory(with, strlen(with), "robot.xml", NULL, &model, &error) != FF_OK)
    fail_msg("%s", error.message);
  const ffi_mjcf_text t = ffi_mjcf_text_load(without);
  const int a = t.mj->jnt_dofadr[mj_name2id(t.mj, mjOBJ_JOINT, "a")],
            s = t.mj->jnt_dofadr[mj_name2id(t.mj, mjOBJ_JOINT, "s")];
  enum { NV = 12 };
  double M[NV * NV];
  assert_int_equal(t.mj->nv, NV);
  mj_forward(t.mj, t.data); // in qpos0
  mj_fullM(t.mj, M, t.data->qM);
  const double Ma = M[a * NV + a], Ms = M[s * NV + s];
  const double want[] = {2 * 1 * sqrt(30 * Ma / 9), 2 * 0.4 * sqrt(50 * Ms),
                         2 * 0.8 * sqrt(20 * (Ma / 4 + Ms / 0.25))};
  for (int i = 0; i < 3; ++i) {
    ff_actuator_info info;
    assert_int_equal(ff_model_actuator(model, i, &info), FF_OK);
    assert_int_equal(info.type, FF_ACTUATOR_POSITION);
    expect("kv", i == 0 ? "hinge" : i == 1 ? "slide" : "tendon", info.kv, want[i]);
  }
  ffi_mjcf_text_free(&t);
  ff_model_destroy(model);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(springs_and_dampers_are_mujocos),
      cmocka_unit_test(servos_are_damped_for_the_inertia_they_move),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
