// gravcomp of MJCF: accelerations against MuJoCo with the same forces applied by hand, forces as the gradient of the
// energy, derivatives against differences, and bodies that float or fall slowly with every stepper.
#include "mjcf_text.h"
#include "support/must.h"

#include <footfall/footfall.h>

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
    fail_msg("%s", error.message);
  return model;
}

// ---- Against MuJoCo -------------------------------------------------------------------------------------------------

enum { ARM = 5 };

// Joints in the same order for both programs. A body without a joint is merged here, not there.
static const char arm[] =
    "<mujoco><compiler angle='radian'/><option gravity='1 -2 -9'><flag contact='disable'/></option>"
    "<worldbody><body name='a' pos='0 0 1' gravcomp='0.7'><joint name='j0' axis='0 1 0.2'/>"
    "<geom type='capsule' fromto='0 0 0 0.3 0 0.1' size='0.03'/>"
    "<body name='b' pos='0.3 0 0.1' gravcomp='-0.4'><joint name='j1' axis='1 0 0' pos='0 0.1 0'/>"
    "<joint name='j2' type='slide' axis='0 0.3 1'/><geom type='box' size='0.1 0.05 0.02' pos='0.1 0 0'/>"
    "<body name='c' pos='0.2 0.1 0' euler='0.1 0.2 0.3' gravcomp='1'><geom size='0.06' pos='0 0.02 0.1'/>"
    "<body name='d' pos='0 0 0.2'><joint name='j3' axis='0 1 0'/><geom size='0.05' pos='0.1 0 0'/></body>"
    "</body></body></body><body name='e' gravcomp='1.5'><joint name='j4' axis='0 1 0'/>"
    "<geom size='0.05' pos='0.3 0 0'/></body></worldbody></mujoco>";

// This version of MuJoCo does not know the word: the forces are put in by hand.
static void bodies_accelerate_as_in_mujoco(void **state)
{
  (void)state;
  static const struct {
    const char *name;
    double share;
  } shares[] = {{"a", 0.7}, {"b", -0.4}, {"c", 1}, {"e", 1.5}};
  static const double q[ARM] = {0.3, -0.8, 0.05, 1.1, -0.4}, v[ARM] = {1, -2, 0.5, 3, 2};
  char plain[sizeof arm];
  strcpy(plain, arm); // without the word
  for (char *at; (at = strstr(plain, "gravcomp='"));) {
    char *last = strchr(at + 10, '\'');
    memset(at, ' ', (size_t)(last - at + 1));
  }
  const ffi_mjcf_text t = ffi_mjcf_text_load(plain);
  ff_model *model = load(arm);
  ff_dynamics *d;
  ff_error error;
  ffi_must(ff_dynamics_create(model, NULL, &d, &error), &error);
  assert_int_equal(t.mj->nv, ARM);
  memcpy(t.data->qpos, q, sizeof q);
  memcpy(t.data->qvel, v, sizeof v);
  for (size_t i = 0; i < sizeof shares / sizeof *shares; ++i) {
    const int body = mj_name2id(t.mj, mjOBJ_BODY, shares[i].name);
    for (int k = 0; k < 3; ++k)
      t.data->xfrc_applied[6 * body + k] = -shares[i].share * t.mj->body_mass[body] * t.mj->opt.gravity[k];
  }
  mj_forward(t.mj, t.data);
  double zero[ARM] = {0}, vdot[ARM];
  ff_dynamics_aba(d, q, v, zero, vdot);
  for (int k = 0; k < ARM; ++k)
    if (!(fabs(vdot[k] - t.data->qacc[k]) <= 1e-9 * (1 + fabs(t.data->qacc[k]))))
      fail_msg("acceleration %d is %.12g, MuJoCo's %.12g", k, vdot[k], t.data->qacc[k]);
  ff_dynamics_destroy(d);
  ff_model_destroy(model);
  ffi_mjcf_text_free(&t);
}

// ---- Against differences --------------------------------------------------------------------------------------------

enum { NV = 11, NQ = 13 };

static const char floating[] =
    "<mujoco><option gravity='1 -2 -9'/><worldbody><body name='a' gravcomp='0.3'><freejoint/>"
    "<geom type='box' size='0.2 0.1 0.05' pos='0.05 0 0'/><body name='b' pos='0.2 0 0' gravcomp='1'>"
    "<joint name='b' type='ball'/><geom type='capsule' fromto='0 0 0 0 0 -0.3' size='0.03'/>"
    "<body name='c' pos='0 0 -0.3' gravcomp='-1'><joint name='c' axis='0 1 0'/><geom pos='0.1 0.02 0' size='0.05'/>"
    "</body></body></body><body name='d' gravcomp='0.5'><joint name='d' axis='1 1 0'/><geom size='0.05' pos='0 0 1'/>"
    "</body></worldbody></mujoco>";

static const double q0[NQ] = {0.1, 0.2, 0.3, 0.2, -0.4, 0.1, 0.9, 0.3, 0.1, -0.2, 0.8, 0.7, -0.5},
                    v0[NV] = {0.3, -0.2, 0.5, 1, -2, 0.7, 0.4, 1.3, -0.6, 2, -1},
                    a0[NV] = {1, 2, -1, 0.4, -0.3, 2, 1, -1, 0.5, 3, 0.2};

typedef struct problem {
  ff_model *model;
  ff_dynamics *d;
  double q[NQ];
} problem;

static problem begin(void)
{
  problem p;
  ff_error error;
  p.model = load(floating);
  assert_int_equal(ff_model_get_size(p.model).nv, NV);
  assert_int_equal(ff_model_get_size(p.model).nq, NQ);
  ffi_must(ff_dynamics_create(p.model, NULL, &p.d, &error), &error);
  memcpy(p.q, q0, sizeof q0);
  ff_model_normalize(p.model, p.q);
  return p;
}

static void end(const problem *p)
{
  ff_dynamics_destroy(p->d);
  ff_model_destroy(p->model);
}

static void move(const problem *p, int k, double by, double *q)
{
  double dv[NV] = {0};
  dv[k] = by;
  ff_model_integrate(p->model, p->q, dv, q);
}

static const double h = 1e-5; // central: errors of h^2 times third derivatives, and of 1e-16 times 1e3 over h

static void forces_are_the_gradient_of_the_energy(void **state)
{
  (void)state;
  const problem p = begin();
  double g[NV];
  ff_dynamics_gravity(p.d, p.q, g);
  for (int k = 0; k < NV; ++k) {
    double q[NQ], up, down;
    move(&p, k, h, q);
    ff_dynamics_kinematics(p.d, q, NULL, NULL);
    ff_dynamics_potential_energy(p.d, &up);
    move(&p, k, -h, q);
    ff_dynamics_kinematics(p.d, q, NULL, NULL);
    ff_dynamics_potential_energy(p.d, &down);
    if (!(fabs((up - down) / (2 * h) - g[k]) < 1e-7))
      fail_msg("force %d is %.10g, the energy's gradient %.10g", k, g[k], (up - down) / (2 * h));
  }
  end(&p);
}

static void derivatives_are_those_of_differences(void **state)
{
  (void)state;
  const problem p = begin();
  double by_q[NV * NV], back[NV * NV], up[NV], down[NV], tau[NV];
  const ff_point_force force = {
      .point = {.frame = ff_model_find_frame(p.model, "c"), .offset = {0.1, 0, 0.2}}};
  for (int with_force = 0; with_force < 2; ++with_force) { // a force of zero takes the other path of the code
    ff_dynamics_kinematics(p.d, p.q, v0, NULL);
    ff_dynamics_rnea_derivatives(p.d, p.q, v0, a0, with_force ? &force : NULL, with_force, by_q, NULL);
    for (int k = 0; k < NV; ++k) {
      double q[NQ];
      move(&p, k, h, q);
      ff_dynamics_rnea(p.d, q, v0, a0, up);
      move(&p, k, -h, q);
      ff_dynamics_rnea(p.d, q, v0, a0, down);
      for (int i = 0; i < NV; ++i)
        if (!(fabs((up[i] - down[i]) / (2 * h) - by_q[i * NV + k]) < 1e-6))
          fail_msg("d tau %d by q %d is %.10g, by differences %.10g", i, k, by_q[i * NV + k],
                   (up[i] - down[i]) / (2 * h));
    }
  }
  ff_dynamics_rnea(p.d, p.q, v0, a0, tau);
  ff_dynamics_aba_derivatives(p.d, p.q, v0, tau, NULL, 0, back, NULL, NULL);
  for (int k = 0; k < NV; ++k) {
    double q[NQ];
    move(&p, k, h, q);
    ff_dynamics_aba(p.d, q, v0, tau, up);
    move(&p, k, -h, q);
    ff_dynamics_aba(p.d, q, v0, tau, down);
    for (int i = 0; i < NV; ++i)
      if (!(fabs((up[i] - down[i]) / (2 * h) - back[i * NV + k]) < 1e-6 * (1 + fabs(back[i * NV + k]))))
        fail_msg("d vdot %d by q %d is %.10g, by differences %.10g", i, k, back[i * NV + k],
                 (up[i] - down[i]) / (2 * h));
  }
  end(&p);
}

static void lanes_agree(void **state)
{
  (void)state;
  const problem p = begin();
  const ff_dynamics_def def = {.lanes = FF_LANES_WIDE, .max_points = 1};
  ff_dynamics *wide;
  ff_error error;
  double one[NV], many[8 * NV], q[8 * NQ], v[8 * NV];
  ffi_must(ff_dynamics_create(p.model, &def, &wide, &error), &error);
  const int lanes = ff_dynamics_lanes(wide);
  for (int k = 0; k < lanes * NQ; ++k)
    q[k] = p.q[k / lanes];
  for (int k = 0; k < lanes * NV; ++k)
    v[k] = v0[k / lanes];
  ff_dynamics_bias(p.d, p.q, v0, one);
  ff_dynamics_bias(wide, q, v, many);
  for (int k = 0; k < lanes * NV; ++k)
    assert_true(fabs(many[k] - one[k / lanes]) < 1e-12 * (1 + fabs(one[k / lanes])));
  ff_dynamics_destroy(wide);
  end(&p);
}

// ---- In motion ------------------------------------------------------------------------------------------------------

// A body that floats, one that falls with a quarter of gravity, and an arm that stays where it is.
static const char bodies[] =
    "<mujoco><worldbody><body name='a' pos='0 0 1' gravcomp='1'><freejoint name='a'/><geom size='0.1'/></body>"
    "<body name='b' pos='1 0 1' gravcomp='0.75'><freejoint name='b'/><geom size='0.1'/></body>"
    "<body name='c' pos='2 0 1' gravcomp='1'><joint name='c' axis='0 1 0'/><geom size='0.1' pos='0.5 0 0'/>"
    "<body name='d' pos='0.5 0 0' gravcomp='1'><joint name='d' axis='0 1 0'/><geom size='0.1' pos='0.5 0 0'/></body>"
    "</body></worldbody></mujoco>";

static void check_motion(ff_sim *sim, ff_stepper stepper, double dt)
{
  const double duration = 0.5, fall = 0.25 * 9.81 * duration * duration / 2;
  for (int k = 0; k < (int)lround(duration / dt); ++k)
    ffi_must_step(sim, NULL);
  const double *q = ff_sim_q(sim), got = 1 - q[9], first_order = 0.25 * 9.81 * duration * dt / 2;
  if (!(fabs(q[2] - 1) < 1e-12 && fabs(q[14]) < 1e-12 && fabs(q[15]) < 1e-12))
    fail_msg("%s: what floats has moved: %g, arm %g %g", ff_stepper_name(stepper), q[2] - 1, q[14], q[15]);
  if (!(fabs(got - fall) < 1.01 * first_order + 1e-9))
    fail_msg("%s: fell %.9g m, not %.9g", ff_stepper_name(stepper), got, fall);
}

static void bodies_float_with_every_stepper(void **state)
{
  (void)state;
  ff_model *model = load(bodies);
  for (int stepper = 0; stepper < FF_STEPPER_COUNT; ++stepper) {
    ff_sim_def def = ff_sim_def_default();
    def.stepper = (ff_stepper)stepper;
    def.dt = 1e-3;
    ff_sim *sim = ffi_must_sim(model, &def);
    check_motion(sim, def.stepper, def.dt);
    ff_sim_destroy(sim);
  }
  ff_model_destroy(model);
}

// The share is of the weight, so a robot with other masses floats, too. Its energy is constant, and known to be.
static void heavier_bodies_float_too(void **state)
{
  (void)state;
  ff_model *model = load(bodies);
  ff_sim *sim = ffi_must_sim(model, NULL);
  ff_parameters *p;
  ff_inertia inertia;
  ff_error error;
  ffi_must(ff_parameters_create(ff_sim_world(sim), &p, &error), &error);
  const int link = ff_model_find_link(model, "d");
  assert_int_equal(ff_parameters_inertia(p, link, &inertia), FF_OK);
  inertia.mass *= 3;
  ffi_must(ff_parameters_set_inertia(p, link, &inertia, &error), &error);
  ffi_must(ff_sim_set_parameters(sim, p, &error), &error);
  check_motion(sim, FF_STEPPER_EXPO, ff_sim_def_default().dt);
  assert_int_equal(ff_sim_info(sim)->gained, 0);
  ff_parameters_destroy(p);
  ff_sim_destroy(sim);
  ff_model_destroy(model);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(bodies_accelerate_as_in_mujoco),
      cmocka_unit_test(forces_are_the_gradient_of_the_energy),
      cmocka_unit_test(derivatives_are_those_of_differences),
      cmocka_unit_test(lanes_agree),
      cmocka_unit_test(bodies_float_with_every_stepper),
      cmocka_unit_test(heavier_bodies_float_too),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
