// Controls that a scene holds: a drone whose rotors carry its weight hovers with every stepper, torques and tensions
// act, references reach their motors, and a sim that is reset starts as the first.
#include "support/must.h"

#include <footfall/controls.h>
#include <footfall/load.h>
#include <footfall/save.h>
#include <footfall/scene.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static ff_model *load(const char *text)
{
  ff_model *model;
  ff_error error;
  if (ff_model_load_memory(text, strlen(text), "robot.xml", NULL, &model, &error) != FF_OK)
    fail_msg("%s\n%s", error.message, text);
  return model;
}

static void check_near(double got, double want, double within)
{
  if (!(fabs(got - want) <= within))
    fail_msg("%.17g, not %.17g", got, want);
}

// ---- A drone --------------------------------------------------------------------------------------------------------

#define MASS 1.2

static const char drone[] =
    "<mujoco><worldbody><body name='hull' pos='0 0 1'><freejoint name='root'/>"
    "<geom type='box' size='0.08 0.06 0.02' mass='1.2'/><site name='fl' pos='0.15 0.15 0.02'/>"
    "<site name='fr' pos='0.15 -0.15 0.02'/><site name='rl' pos='-0.15 0.15 0.02'/>"
    "<site name='rr' pos='-0.15 -0.15 0.02'/></body></worldbody><actuator>"
    "<motor name='a' site='fl' gear='0 0 1 0 0 -0.02'/><motor name='b' site='fr' gear='0 0 1 0 0 0.02'/>"
    "<motor name='c' site='rl' gear='0 0 1 0 0 0.02'/><motor site='rr' gear='0 0 1 0 0 -0.02'/>"
    "</actuator></mujoco>";

static const char *const rotors[] = {"a", "b", "c", "rr"};

static ff_scene *fly(const ff_model *model, ff_stepper stepper, const double thrust[4], double seconds)
{
  ff_scene_value held[4];
  ff_scene_def def = ff_scene_def_default();
  ff_scene *scene;
  ff_error error;
  for (int i = 0; i < 4; ++i)
    held[i] = (ff_scene_value){rotors[i], thrust[i]};
  def.controls = held;
  def.controls_count = 4;
  def.sim.stepper = stepper;
  def.sim.dt = 1e-3;
  ffi_must(ff_scene_create(model, &def, &scene, &error), &error);
  for (int step = 0; step < (int)(seconds / def.sim.dt + 0.5); ++step)
    ffi_must(ff_scene_step(scene, &error), &error);
  return scene;
}

static void a_drone_hovers(void **state)
{
  (void)state;
  const double share = MASS * 9.81 / 4, thrust[4] = {share, share, share, share};
  ff_model *model = load(drone);
  for (int s = 0; s < FF_STEPPER_COUNT; ++s) {
    const ff_stepper stepper = (ff_stepper)s;
    ff_scene *scene = fly(model, stepper, thrust, 2);
    const double *q = ff_sim_q(ff_scene_sim(scene)), *q0 = ff_scene_q(scene);
    for (int k = 0; k < 7; ++k) // rounding of the force, 1e-15 g, over 2 s
      if (!(fabs(q[k] - q0[k]) < 1e-12))
        fail_msg("%s: coordinate %d moved by %g", ff_stepper_name(stepper), k, q[k] - q0[k]);
    ff_scene_destroy(scene);
  }
  ff_model_destroy(model);
}

// More thrust of all: z = (T / m - g) t^2 / 2. More of one diagonal pair: it yaws, with the torque of reaction.
static void thrust_and_reaction_are_exact(void **state)
{
  (void)state;
  const double share = MASS * 9.81 / 4, extra = 0.3, t = 1;
  ff_model *model = load(drone);
  const double up[4] = {share + extra, share + extra, share + extra, share + extra};
  ff_scene *scene = fly(model, FF_STEPPER_RK4, up, t);
  check_near(ff_sim_q(ff_scene_sim(scene))[2], 1 + 4 * extra / MASS * t * t / 2, 1e-12);
  // The work that the motors did is what the body has gained.
  const ff_energy energy = ff_sim_energy(ff_scene_sim(scene));
  check_near(energy.control_work, 4 * (share + extra) * 4 * extra / MASS * t * t / 2, 1e-9);
  ff_scene_destroy(scene);
  const double turn[4] = {share - extra, share + extra, share + extra, share - extra};
  scene = fly(model, FF_STEPPER_RK4, turn, t);
  const double *q = ff_sim_q(ff_scene_sim(scene));
  const double Izz = MASS / 3 * (0.08 * 0.08 + 0.06 * 0.06), angle = 4 * 0.02 * extra / Izz * t * t / 2;
  check_near(q[5], sin(angle / 2), 1e-12);
  check_near(q[2], 1, 1e-12);
  ff_scene_destroy(scene);
  ff_model_destroy(model);
}

// Saved in both formats and read again, it flies alike.
static void a_saved_drone_flies_alike(void **state)
{
  (void)state;
  static const char on_link[] =
      "<robot name='drone'><link name='base'><inertial><mass value='1.2'/>"
      "<inertia ixx='0.01' iyy='0.02' izz='0.03'/></inertial></link><footfall>"
      "<frame link='base' name='fl' xyz='0.1 0.2 0' rpy='0.1 0.2 0.3'/>"
      "<actuator name='a' frame='fl' wrench='0.1 0 1 0 0 0.02' control_range='0 9'/>"
      "<actuator name='b' frame='base' wrench='0 0 1 0.01 0 0'/>"
      "<actuator name='c' frame='base' wrench='1 0 0 0 0 0'/>"
      "<actuator name='rr' frame='fl' wrench='0 0.3 0 0 0.1 0'/></footfall></robot>";
  static const double thrust[4] = {3, 4, -0.5, 1};
  ff_model *model = load(on_link);
  ff_scene *first = fly(model, FF_STEPPER_RK4, thrust, 0.3);
  for (int format = 0; format < 2; ++format) {
    ff_saved saved;
    ff_error error;
    ffi_must(ff_model_save_text(model, format ? FF_MODEL_MJCF : FF_MODEL_URDF, "drone", &saved, &error),
             &error);
    ff_model *back = load(saved.text);
    ff_scene *second = fly(back, FF_STEPPER_RK4, thrust, 0.3);
    for (int k = 0; k < 7; ++k)
      check_near(ff_sim_q(ff_scene_sim(second))[k], ff_sim_q(ff_scene_sim(first))[k], 1e-12);
    ff_saved_free(&saved);
    ff_scene_destroy(second);
    ff_model_destroy(back);
  }
  ff_scene_destroy(first);
  ff_model_destroy(model);
}

// ---- Joints, tendons and motors -------------------------------------------------------------------------------------

static const char arms[] =
    "<mujoco><compiler angle='radian'/><option><flag gravity='disable'/></option><worldbody>"
    "<body><joint name='j1' axis='0 1 0'/><inertial pos='0 0 0' mass='1' diaginertia='1 1 1'/></body>"
    "<body><joint name='j2' axis='0 1 0'/><inertial pos='0 0 0' mass='1' diaginertia='1 1 1'/></body>"
    "<body><joint name='j3' axis='0 1 0'/><inertial pos='0 0 0' mass='1' diaginertia='0.5 0.5 0.5'/></body>"
    "<body><joint name='j4' axis='0 1 0'/><inertial pos='0 0 0' mass='1' diaginertia='0.5 0.5 0.5'/></body>"
    "</worldbody><tendon><fixed name='t'><joint joint='j2' coef='-3'/></fixed></tendon><actuator>"
    "<motor joint='j1'/><motor tendon='t'/><position joint='j3' kp='50' kv='10'/><velocity joint='j4' kv='20'/>"
    "</actuator></mujoco>";

static void all_kinds_of_controls_are_held(void **state)
{
  (void)state;
  static const ff_scene_value held[] = {{"j1", 2}, {"t", 0.5}, {"j3", 0.7}, {"j4", -1.5}};
  ff_model *model = load(arms);
  ff_scene_def def = ff_scene_def_default();
  ff_scene *scene;
  ff_error error;
  def.controls = held;
  def.controls_count = 4;
  ffi_must(ff_scene_create(model, &def, &scene, &error), &error);
  ff_sim *sim = ff_scene_sim(scene);
  for (int run = 0; run < 2; ++run) {
    for (int step = 0; step < 3000; ++step)
      ffi_must(ff_scene_step(scene, &error), &error);
    check_near(ff_sim_v(sim)[0], 2 * 3, 1e-9);
    check_near(ff_sim_v(sim)[1], -3 * 0.5 * 3, 1e-9);
    check_near(ff_sim_q(sim)[2], 0.7, 1e-6);
    check_near(ff_sim_v(sim)[3], -1.5, 1e-6);
    ffi_must(ff_scene_reset_sim(scene, sim, &error), &error);
  }
  ff_scene_destroy(scene);
  ff_model_destroy(model);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_drone_hovers),
      cmocka_unit_test(thrust_and_reaction_are_exact),
      cmocka_unit_test(a_saved_drone_flies_alike),
      cmocka_unit_test(all_kinds_of_controls_are_held),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
