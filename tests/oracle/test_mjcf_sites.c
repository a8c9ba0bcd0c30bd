// Motors on sites of MJCF in a sim, against MuJoCo: the acceleration that they add, by steppers that do not
// iterate, and by a scene that holds them.
#include "mjcf_text.h"
#include "support/must.h"

#include <footfall/controls.h>
#include <footfall/footfall.h>
#include <footfall/scene.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

enum { NQ = 13, NV = 11, MOTORS = 4 };

// A body that floats with an arm of a hinge, a ball and a slide; joints in the same order for both programs. Masses
// are such that motors move everything.
static const char text[] =
    "<mujoco><compiler angle='radian'/><option gravity='0 0 0'><flag contact='disable'/></option><worldbody>"
    "<body name='hull' pos='0 0 1'><joint name='j0' type='free'/><geom type='box' size='0.1 0.2 0.05'/>"
    "<site name='rotor' pos='0.3 0.1 0.05' euler='0.2 -0.3 0.4'/><body name='arm' pos='0 0 -0.1' euler='0.5 0 0.2'>"
    "<joint name='j1' axis='1 0.3 0'/><geom type='capsule' fromto='0 0 0 0 0.1 -0.3' size='0.04'/>"
    "<body name='wrist' pos='0 0.1 -0.3'><joint name='j2' type='ball'/><geom size='0.07' pos='0.02 0 0'/>"
    "<site name='wrist' pos='0 0.05 0.1'/><body name='tip' pos='0 0 -0.1'>"
    "<joint name='j3' type='slide' axis='0.2 0 1'/><geom size='0.05'/><site name='end' pos='0.1 0 0' quat='1 2 3 4'/>"
    "</body></body></body></body></worldbody><actuator>"
    "<motor name='a' site='rotor' gear='0.1 0.2 3 0 0.4 -0.5'/><motor site='end' gear='2'/>"
    "<motor joint='j1' name='b' gear='0.5'/><general name='c' site='wrist' gainprm='-2' gear='0 0 0 1 2 3'/>"
    "</actuator></mujoco>";

// Configuration and velocity of both programs. Angular velocities are in body axes in both; the linear one of the
// floating body is zero.
static void set(const ffi_mjcf_text *t, double q[NQ], double v[NV])
{
  static const double w[4] = {0.5, 0.1, -0.7, 0.5}, u[4] = {0.1, 0.3, 0.9, -0.3}; // w x y z of MuJoCo
  double *m = t->data->qpos;
  for (int k = 0; k < 3; ++k)
    q[k] = m[k] = 0.1 * k;
  memcpy(m + 3, w, sizeof w);
  memcpy(m + 8, u, sizeof u);
  mju_normalize4(m + 3);
  mju_normalize4(m + 8);
  for (int k = 0; k < 4; ++k) {
    q[3 + (k + 3) % 4] = m[3 + k];
    q[8 + (k + 3) % 4] = m[8 + k];
  }
  q[7] = m[7] = 0.6;
  q[12] = m[12] = -0.05;
  for (int k = 0; k < NV; ++k)
    v[k] = t->data->qvel[k] = k < 3 ? 0 : 0.2 * k - 1;
}

// MuJoCo's acceleration by the motors alone, with the linear part in axes of the body.
static void mujoco_adds(const ffi_mjcf_text *t, const double u[MOTORS], double added[NV])
{
  double without[NV];
  mju_zero(t->data->ctrl, MOTORS);
  mj_forward(t->mj, t->data);
  memcpy(without, t->data->qacc, sizeof without);
  memcpy(t->data->ctrl, u, MOTORS * sizeof *u);
  mj_forward(t->mj, t->data);
  for (int k = 0; k < NV; ++k)
    added[k] = t->data->qacc[k] - without[k];
  double linear[3];
  mju_rotVecMatT(linear, added, t->data->xmat + 9);
  memcpy(added, linear, sizeof linear);
}

static void sims_accelerate_as_mujoco(void **unused)
{
  (void)unused;
  static const double u[MOTORS] = {1.5, -2, 3, 0.7};
  static const ff_stepper steppers[] = {FF_STEPPER_EULER, FF_STEPPER_SYMPLECTIC, FF_STEPPER_RK4,
                                        FF_STEPPER_EXPO,  FF_STEPPER_ESS,        FF_STEPPER_MOREAU};
  const double dt = 1e-6;
  const ffi_mjcf_text t = ffi_mjcf_text_load(text);
  double q[NQ], v[NV], want[NV];
  ff_error error;
  set(&t, q, v);
  mujoco_adds(&t, u, want);
  for (size_t s = 0; s < sizeof steppers / sizeof *steppers; ++s) {
    double plain[NV];
    ff_sim_def def = ff_sim_def_default();
    def.stepper = steppers[s];
    def.dt = dt;
    def.ground_count = 0;
    ff_sim *sim = ffi_must_sim(t.ff, &def);
    const ff_world *world = ff_sim_world(sim);
    static const char *const names[MOTORS] = {"a", "end", "j1", "c"};
    double ours[MOTORS];
    assert_int_equal(ff_world_control_count(world), MOTORS);
    for (int i = 0; i < MOTORS; ++i)
      ours[ff_world_find_control(world, names[i])] =
          i == 2 ? 0.5 * u[i] : u[i]; // of a joint it is the torque
    ffi_must_reset(sim, q, v);
    ffi_must_step(sim, NULL);
    memcpy(plain, ff_sim_v(sim), sizeof plain);
    ffi_must_reset(sim, q, v);
    ffi_must(ff_sim_set_controls(sim, ours, &error), &error);
    ffi_must_step(sim, NULL);
    for (int k = 0; k < NV; ++k) {
      const double got = (ff_sim_v(sim)[k] - plain[k]) / dt;
      if (!(fabs(got - want[k]) <=
            1e-5 * (100 + fabs(want[k])))) // the step's own length, 1e-6 s, and rounding
        fail_msg("%s: acceleration %d is %.12g, MuJoCo's %.12g", ff_stepper_name(steppers[s]), k, got,
                 want[k]);
    }
    ffi_must_step(sim, NULL); // controls were for one step
    ff_sim_destroy(sim);
  }
  ffi_mjcf_text_free(&t);
}

// A scene computes the same forces without a sim, from the same names.
static void scenes_push_as_sims(void **unused)
{
  (void)unused;
  static const double u[MOTORS] = {1.5, -2, 3, 0.7};
  static const ff_scene_value held[] = {{"a", 1.5}, {"end", -2}, {"j1", 1.5}, {"c", 0.7}};
  const ffi_mjcf_text t = ffi_mjcf_text_load(text);
  double q[NQ], v[NV], want[NV], tau[NV];
  ff_scene *scene;
  ff_dynamics *d;
  ff_error error;
  ff_scene_def def = ff_scene_def_default();
  def.ground_count = 0;
  def.controls = held;
  def.controls_count = MOTORS;
  ffi_must(ff_scene_create(t.ff, &def, &scene, &error), &error);
  set(&t, q, v);
  mujoco_adds(&t, u, want);
  ffi_must(ff_scene_control(scene, 0, q, v, tau, &error), &error);
  ffi_must(ff_dynamics_create(t.ff, NULL, &d, &error), &error);
  ff_dynamics_kinematics(d, q, NULL, NULL);
  ff_dynamics_crba(d, NULL);
  ffi_must(ff_dynamics_factor(d, &error), &error);
  ff_dynamics_solve(d, tau);
  for (int k = 0; k < NV; ++k)
    if (!(fabs(tau[k] - want[k]) <= 1e-9 * (1 + fabs(want[k]))))
      fail_msg("acceleration %d is %.12g, MuJoCo's %.12g", k, tau[k], want[k]);
  ff_dynamics_destroy(d);
  ff_scene_destroy(scene);
  ffi_mjcf_text_free(&t);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sims_accelerate_as_mujoco),
      cmocka_unit_test(scenes_push_as_sims),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
