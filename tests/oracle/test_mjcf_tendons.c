// Fixed tendons, joint equalities and friction loss of MJCF against MuJoCo: the same accelerations where MuJoCo
// computes them without constraints, the same gaps of couplings, and where it has soft constraints nearly the same
// motion.
#include "support/must.h"

#include <footfall/controls.h>
#include <footfall/footfall.h>

#include <mujoco/mujoco.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// Two fingers of two joints and a slide; joints in the same order for both programs.
#define FINGERS(head, tail)                                                                                  \
  "<mujoco><compiler angle='radian'/><option><flag contact='disable'/></option>" head                        \
  "<worldbody><body name='p' pos='0 0 1'><joint name='j0' type='slide' axis='0 0 1' damping='0.3'/>"         \
  "<geom type='box' size='0.05 0.05 0.02'/>"                                                                 \
  "<body name='a1' pos='0.05 0 0'><joint name='j1' axis='0 1 0' ref='0.3' springref='0.1' armature='1e-3'/>" \
  "<geom type='capsule' fromto='0 0 0 0.06 0 0' size='0.01'/>"                                               \
  "<body name='a2' pos='0.06 0 0'><joint name='j2' axis='0 1 0' ref='-0.2' armature='1e-3'/>"                \
  "<geom type='capsule' fromto='0 0 0 0.05 0 0' size='0.008'/></body></body>"                                \
  "<body name='b1' pos='-0.05 0 0'><joint name='j3' axis='0 1 0' armature='1e-3'/>"                          \
  "<geom type='capsule' fromto='0 0 0 -0.06 0 0' size='0.01'/>"                                              \
  "<body name='b2' pos='-0.06 0 0'><joint name='j4' axis='0 1 0' armature='1e-3'/>"                          \
  "<geom type='capsule' fromto='0 0 0 -0.05 0 0' size='0.008'/></body></body>"                               \
  "</body></worldbody>" tail "</mujoco>"
enum { NV = 5 };

typedef struct pair {
  mjModel *mj;
  mjData *data;
  ff_model *ff;
} pair;

static pair load(const char *text)
{
  char message[1000] = "";
  pair p;
  ff_error error;
  mjVFS *vfs = malloc(sizeof *vfs);
  assert_non_null(vfs);
  mj_defaultVFS(vfs);
  mj_makeEmptyFileVFS(vfs, "tendon.xml", (int)strlen(text));
  memcpy(vfs->filedata[0], text, strlen(text));
  p.mj = mj_loadXML("tendon.xml", vfs, message, sizeof message);
  if (!p.mj)
    fail_msg("MuJoCo: %s", message);
  mj_deleteVFS(vfs);
  free(vfs);
  p.data = mj_makeData(p.mj);
  if (ff_model_load_memory(text, strlen(text), "tendon.xml", NULL, &p.ff, &error) != FF_OK)
    fail_msg("%s", error.message);
  assert_int_equal(p.mj->nv, NV);
  assert_int_equal(ff_model_get_size(p.ff).nv, NV);
  return p;
}

static void unload(const pair *p)
{
  mj_deleteData(p->data);
  mj_deleteModel(p->mj);
  ff_model_destroy(p->ff);
}

static ff_sim *start(const pair *p, ff_stepper stepper, double dt, const double *q, const double *v)
{
  ff_sim_def def = ff_sim_def_default();
  def.stepper = stepper;
  def.dt = dt;
  def.ground_count = 0;
  ff_sim *sim = ffi_must_sim(p->ff, &def);
  ffi_must_reset(sim, q, v);
  memcpy(p->data->qpos, ff_sim_q(sim), NV * sizeof *q);
  memcpy(p->data->qvel, ff_sim_v(sim), NV * sizeof *v);
  return sim;
}

// The acceleration of explicit Euler, from its velocity after one step of 1 us.
static void check_acceleration(const pair *p, const double *q, const double *v, const double *u)
{
  const double dt = 1e-6;
  ff_error error;
  ff_sim *sim = start(p, FF_STEPPER_EULER, dt, q, v);
  for (int i = 0; i < p->mj->nu; ++i)
    p->data->ctrl[i] = u[i];
  if (p->mj->nu > 0)
    ffi_must(ff_sim_set_controls(sim, u, &error), &error);
  mj_forward(p->mj, p->data);
  ffi_must_step(sim, NULL);
  for (int k = 0; k < NV; ++k) {
    const double got = (ff_sim_v(sim)[k] - v[k]) / dt, want = p->data->qacc[k];
    if (!(fabs(got - want) <=
          1e-7 * (100 + fabs(want)))) // rounding of velocities over dt, and q moves by v dt
      fail_msg("acceleration %d is %.12g, MuJoCo's %.12g", k, got, want);
  }
  ff_sim_destroy(sim);
}

static const double q0[NV] = {0.1, 0.5, -0.4, 0.2, 0.3}, v0[NV] = {0.2, -1, 2, 1.5, -0.7};

static void springs_and_dampers_of_tendons_pull_alike(void **state)
{
  (void)state;
  static const char *const texts[] = {
      FINGERS(
          "<default><tendon stiffness='3'/></default>",
          "<tendon><fixed name='t' damping='0.02'><joint joint='j1' coef='1.5'/><joint joint='j3' coef='-0.7'/>"
          "<joint joint='j0' coef='2'/></fixed></tendon>"), // at rest where the joints are at springref
      FINGERS(
          "",
          "<tendon><fixed stiffness='2' springlength='0.25'><joint joint='j2' coef='1'/><joint joint='j1' "
          "coef='-1'/></fixed><fixed stiffness='1' springlength='0'><joint joint='j4' coef='1'/></fixed></tendon>"),
  };
  for (size_t i = 0; i < sizeof texts / sizeof *texts; ++i) {
    const pair p = load(texts[i]);
    check_acceleration(&p, q0, v0, NULL);
    unload(&p);
  }
}

// Controls are forces of motors and references of servos, the servo's in the units of the tendon.
static void actuators_of_tendons_pull_alike(void **state)
{
  (void)state;
  const pair p = load(FINGERS(
      "",
      "<tendon><fixed name='s'><joint joint='j1' coef='0.5'/><joint joint='j3' coef='0.5'/></fixed>"
      "<fixed name='t'><joint joint='j2' coef='1'/><joint joint='j4' coef='2'/></fixed></tendon>"
      "<actuator><motor tendon='s' gear='3' forcelimited='true' forcerange='-0.01 0.02'/>"
      "<general tendon='t' biastype='affine' gainprm='2' biasprm='0 -2 -0.1' forcelimited='true' forcerange='-9 9'/>"
      "</actuator>"));
  const ff_status ok = FF_OK;
  ff_error error;
  ff_sim *sim = start(&p, FF_STEPPER_EULER, 1e-6, q0, v0);
  const double motor = 3 * 0.015, servo = 0.6;
  assert_int_equal(ff_world_control_count(ff_sim_world(sim)), 2);
  assert_int_equal(ff_sim_set_controls(sim, (const double[]){motor, servo}, &error), ok); // tension, position
  p.data->ctrl[0] = motor / 3;
  p.data->ctrl[1] = servo;
  mj_forward(p.mj, p.data);
  ffi_must_step(sim, NULL);
  for (int k = 0; k < NV; ++k) {
    const double got = (ff_sim_v(sim)[k] - v0[k]) / 1e-6, want = p.data->qacc[k];
    if (!(fabs(got - want) <= 1e-7 * (100 + fabs(want))))
      fail_msg("acceleration %d is %.12g, MuJoCo's %.12g", k, got, want);
  }
  ff_sim_destroy(sim);
  unload(&p);
}

// A servo of MuJoCo whose gain is in other units than its bias: the reference is control times gain over stiffness.
static void servos_with_scaled_controls(void **state)
{
  (void)state;
  const pair p =
      load(FINGERS("", "<actuator><general joint='j1' biastype='affine' gainprm='0.4' biasprm='0 -5 -0.1' "
                       "ctrllimited='true' ctrlrange='0 255'/></actuator>"));
  ff_actuator_info a;
  assert_int_equal(ff_model_actuator(p.ff, 0, &a), FF_OK);
  assert_int_equal(a.type, FF_ACTUATOR_POSITION);
  assert_true(fabs(a.control_range[1] - 255 * 0.4 / 5) < 1e-12);
  ff_error error;
  ff_sim *sim = start(&p, FF_STEPPER_EULER, 1e-6, q0, v0);
  const double u = 100;
  const double ours = u * 0.4 / 5;
  assert_int_equal(ff_sim_set_controls(sim, &ours, &error), FF_OK);
  p.data->ctrl[0] = u;
  mj_forward(p.mj, p.data);
  ffi_must_step(sim, NULL);
  for (int k = 0; k < NV; ++k) {
    const double got = (ff_sim_v(sim)[k] - v0[k]) / 1e-6, want = p.data->qacc[k];
    if (!(fabs(got - want) <= 1e-6 * (1000 + fabs(want))))
      fail_msg("acceleration %d is %.12g, MuJoCo's %.12g", k, got, want);
  }
  ff_sim_destroy(sim);
  unload(&p);
}

// Our motion over 0.2 s beside MuJoCo's; both in steps of 0.1 ms. MuJoCo's Euler is off by half a step's velocity
// change, 1e-4 of the motion, and its constraints give a little.
static void check_near_mujoco(const pair *p, ff_stepper stepper)
{
  const double dt = 1e-4;
  // as written, where couplings hold, with velocities that the tendons' coupling allows
  static const double v[NV] = {0.2, -1, 2, 1.5, 0.5};
  ff_sim *sim = start(p, stepper, dt, ff_model_posture(p->ff, ff_model_find_posture(p->ff, "qpos0")), v);
  double most = 0, travel = 0;
  p->mj->opt.timestep = dt;
  for (int step = 0; step < 2000; ++step) {
    ffi_must_step(sim, NULL);
    mj_step(p->mj, p->data);
    for (int k = 0; k < NV; ++k) {
      most = fmax(most, fabs(ff_sim_q(sim)[k] - p->data->qpos[k]));
      travel = fmax(travel, fabs(ff_sim_q(sim)[k]));
    }
  }
  ff_sim_destroy(sim);
  if (!(most < 2e-4 && travel > 0.1))
    fail_msg("%s: %g from MuJoCo's motion, which goes to %g", ff_stepper_name(stepper), most, travel);
}

#define STIFF " solref='0.001 1' solimp='0.99 0.9999 1e-6'"

static void couplings_move_alike(void **state)
{
  (void)state;
  static const char *const texts[] = {
      FINGERS("", "<equality><joint joint1='j2' joint2='j1' polycoef='0 0.7 0.2 -0.1 0.05'" STIFF "/>"
                  "<joint joint1='j4' joint2='j3'" STIFF "/></equality>"),
      FINGERS("", "<equality><joint joint1='j3' joint2='j1' polycoef='0 -1 0 0 0'" STIFF
                  "/><joint joint1='j0'" STIFF "/></equality>"),
      FINGERS(
          "",
          "<tendon><fixed name='s'><joint joint='j1' coef='1'/><joint joint='j2' coef='2'/></fixed><fixed name='t'>"
          "<joint joint='j3' coef='1'/><joint joint='j4' coef='1'/></fixed></tendon><equality><tendon tendon1='s' "
          "tendon2='t' polycoef='0 1.5 0 0 0'" STIFF "/></equality>"),
  };
  static const ff_stepper steppers[] = {FF_STEPPER_EXPO, FF_STEPPER_RK4, FF_STEPPER_MOREAU,
                                        FF_STEPPER_IMPLICIT};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; ++i)
    for (size_t k = 0; k < sizeof steppers / sizeof *steppers; ++k) {
      const pair p = load(texts[i]);
      check_near_mujoco(&p, steppers[k]);
      unload(&p);
    }
}

static void friction_and_limits_act_alike(void **state)
{
  (void)state;
  static const char *const texts[] = {
      FINGERS(
          "<default><joint frictionloss='0.02' solreffriction='0.001 1' solimpfriction='0.99 0.9999 1e-6'/></default>",
          ""),
      FINGERS(
          "",
          "<tendon><fixed frictionloss='0.01' solreffriction='0.001 1' solimpfriction='0.99 0.9999 1e-6'><joint "
          "joint='j1' coef='1'/><joint joint='j3' coef='-2'/></fixed></tendon>"),
      FINGERS(
          "",
          "<tendon><fixed limited='true' range='-0.3 0.5' solreflimit='0.001 1' solimplimit='0.99 0.9999 1e-6'><joint "
          "joint='j1' coef='1'/><joint joint='j2' coef='1'/></fixed></tendon>"),
  };
  static const ff_stepper steppers[] = {FF_STEPPER_EXPO, FF_STEPPER_RK4, FF_STEPPER_MOREAU,
                                        FF_STEPPER_IMPLICIT};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; ++i)
    for (size_t k = 0; k < sizeof steppers / sizeof *steppers; ++k) {
      const pair p = load(texts[i]);
      check_near_mujoco(&p, steppers[k]);
      unload(&p);
    }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(springs_and_dampers_of_tendons_pull_alike),
      cmocka_unit_test(actuators_of_tendons_pull_alike),
      cmocka_unit_test(servos_with_scaled_controls),
      cmocka_unit_test(couplings_move_alike),
      cmocka_unit_test(friction_and_limits_act_alike),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
