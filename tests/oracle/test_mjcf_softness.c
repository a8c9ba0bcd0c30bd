// solref and solimp of MJCF: quadrupeds stand as high as in MuJoCo, single bodies rest as deep, and what is not asked
// for stays as it is.
#include "mjcf_text.h"
#include "support/must.h"

#include <footfall/controls.h>
#include <footfall/footfall.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

typedef ffi_mjcf_text pair;

static pair load(const char *text, ff_contact_parameters whose)
{
  ff_load_def def = ff_load_def_default();
  def.contact_parameters = whose;
  return ffi_mjcf_text_load_with(text, &def);
}

// ---- Robots ---------------------------------------------------------------------------------------------------------

typedef struct quadruped {
  const char *title;
  const char *option; ///< attributes of <option>
  const char *foot;   ///< attributes of the feet's class
  const char *floor;  ///< attributes of the floor
  double size;        ///< length of the upper leg [m]; everything is in proportion
  double density;     ///< [kg/m^3]
  double kp;          ///< [N m/rad]
} quadruped;

static const double bend = 0.8;

// A trunk and four legs of hip, thigh and calf, each with a servo, standing on bent knees.
static char *write_robot(const quadruped *r)
{
  enum { ROOM = 20000 };
  char *text = malloc(ROOM);
  assert_non_null(text);
  const double s = r->size, foot = 0.1 * s, height = 2 * s * cos(bend) + foot;
  int n = snprintf(
      text, ROOM,
      "<mujoco><compiler angle='radian'/><option %s/>"
      "<default><geom density='%g'/><joint damping='%g' armature='0.01'/><position kp='%g'/>"
      "<default class='foot'><geom size='%g %g' %s/></default></default>"
      "<worldbody><geom type='plane' size='5 5 0.1' %s/><body name='trunk' pos='0 0 %.17g'><freejoint/>"
      "<geom type='box' size='%g %g %g' contype='0' conaffinity='0'/>",
      r->option, r->density, 0.05 * r->kp, r->kp, foot, foot, r->foot, r->floor, height, 0.9 * s, 0.5 * s,
      0.3 * s);
  for (int leg = 0; leg < 4; ++leg) {
    const double x = leg < 2 ? 0.8 * s : -0.8 * s, y = leg % 2 ? -0.6 * s : 0.6 * s;
    n += snprintf(text + n, (size_t)(ROOM - n),
                  "<body pos='%g %g 0'><joint name='hip%d' axis='1 0 0'/>"
                  "<geom type='sphere' size='%g' contype='0' conaffinity='0'/>"
                  "<body><joint name='thigh%d' axis='0 1 0'/>"
                  "<geom type='capsule' fromto='0 0 0 0 0 %g' size='%g' contype='0' conaffinity='0'/>"
                  "<body pos='0 0 %g'><joint name='calf%d' axis='0 1 0'/>"
                  "<geom type='capsule' fromto='0 0 0 0 0 %g' size='%g' contype='0' conaffinity='0'/>"
                  "<geom name='foot%d' class='foot' pos='0 0 %g'/></body></body></body>",
                  x, y, leg, 0.15 * s, leg, -s, 0.1 * s, -s, leg, -s, 0.07 * s, leg, -s);
  }
  n += snprintf(text + n, (size_t)(ROOM - n), "</body></worldbody><actuator>");
  for (int leg = 0; leg < 4; ++leg)
    n += snprintf(text + n, (size_t)(ROOM - n),
                  "<position joint='hip%d'/><position joint='thigh%d'/><position joint='calf%d'/>", leg, leg,
                  leg);
  n += snprintf(text + n, (size_t)(ROOM - n), "</actuator><keyframe><key name='home' qpos='0 0 %.17g 1 0 0 0",
                height);
  for (int leg = 0; leg < 4; ++leg)
    n += snprintf(text + n, (size_t)(ROOM - n), " 0 %g %g", bend, -2 * bend);
  n += snprintf(text + n, (size_t)(ROOM - n), "'/></keyframe></mujoco>");
  assert_true(n < ROOM);
  return text;
}

// ---- Standing -------------------------------------------------------------------------------------------------------

static double stand_mujoco(const pair *p, double duration)
{
  mj_resetDataKeyframe(p->mj, p->data, 0);
  for (int i = 0; i < p->mj->nu; ++i)
    p->data->ctrl[i] = p->data->qpos[7 + i]; // servos in the order of the joints
  while (p->data->time < duration)
    mj_step(p->mj, p->data);
  return p->data->qpos[2];
}

static double stand_footfall(const pair *p, double duration)
{
  ff_error error;
  ff_sim_def def = ff_sim_def_default();
  def.stepper = FF_STEPPER_EXPO;
  def.dt = 2e-3;
  ff_sim *sim = ffi_must_sim(p->ff, &def);
  const double *home = ff_model_posture(p->ff, ff_model_find_posture(p->ff, "home"));
  double u[12];
  ffi_must_reset(sim, home, NULL);
  assert_int_equal(ff_world_control_count(ff_sim_world(sim)), 12);
  for (int i = 0; i < 12; ++i) {
    ff_control_info control;
    ff_joint_info joint;
    assert_int_equal(ff_world_control(ff_sim_world(sim), i, &control), FF_OK);
    assert_int_equal(ff_model_joint(p->ff, control.joint, &joint), FF_OK);
    u[i] = home[joint.q];
  }
  ffi_must(ff_sim_set_controls(sim, u, &error), &error);
  for (int i = 0; i < (int)(duration / def.dt); ++i)
    ffi_must_step(sim, NULL);
  const double z = ff_sim_q(sim)[2];
  ff_sim_destroy(sim);
  return z;
}

// Public quadrupeds give their feet solimp="0.015 1 <radius>" and a priority; others a stiff solref; some nothing.
static const quadruped quadrupeds[] = {
    {"small, very soft feet", "", "solimp='0.015 1 0.022' priority='1' condim='6' friction='0.8 0.02 0.01'",
     "", 0.21, 600, 200},
    {"large, very soft feet, elliptic cone", "cone='elliptic' impratio='100'",
     "solimp='0.015 1 0.03' condim='3' friction='0.6' priority='1'", "", 0.33, 800, 2000},
    {"soft feet mixed with the floor's", "", "solimp='0.015 1 0.036' condim='4' solmix='3' friction='0.9'",
     "solref='0.01 1' friction='0.7'", 0.3, 700, 1500},
    {"feet of cylinders' width", "", "type='capsule' quat='0.70710678 0.70710678 0 0' solref='0.04 1'", "",
     0.25, 700, 800},
    {"direct stiffness and damping", "timestep='0.001'", "solref='-3000 -80' friction='0.7'",
     "solref='-2000 -90'", 0.25, 700, 800},
    {"defaults", "", "", "", 0.25, 700, 800},
};

static void quadrupeds_stand_as_high_as_in_mujoco(void **state)
{
  (void)state;
  for (size_t i = 0; i < sizeof quadrupeds / sizeof *quadrupeds; ++i) {
    char *text = write_robot(&quadrupeds[i]);
    const pair p = load(text, FF_CONTACT_PARAMETERS_MUJOCO),
               ours = load(text, FF_CONTACT_PARAMETERS_FOOTFALL);
    const double want = stand_mujoco(&p, 4), got = stand_footfall(&p, 4), before = stand_footfall(&ours, 4);
    print_message("%s: height %.5f m in MuJoCo, here %+.2f mm, with our own parameters %+.2f mm\n",
                  quadrupeds[i].title, want, (got - want) * 1e3, (before - want) * 1e3);
    if (!(fabs(got - want) < 1e-3))
      fail_msg("%s: stands %.2f mm higher than in MuJoCo", quadrupeds[i].title, (got - want) * 1e3);
    ffi_mjcf_text_free(&ours);
    ffi_mjcf_text_free(&p);
    free(text);
  }
}

// ---- One contact ----------------------------------------------------------------------------------------------------

// A ball that is let go where it just touches: the mean of its way to rest, the integral of z(t) - z(end). For a
// spring and a damper it is depth B/K, whatever the inertia. Trapezoids of 0.1 ms, whose error is of second order.
typedef struct settling {
  double end, integral;
} settling;

static settling collect(const double *z, int count, double dt)
{
  settling s = {.end = z[count - 1]};
  for (int i = 0; i + 1 < count; ++i)
    s.integral += dt * ((z[i] + z[i + 1]) / 2 - s.end);
  return s;
}

static void balls_settle_as_deep_and_as_fast(void **state)
{
  (void)state;
  static const char *const texts[] = {
      "solref='0.02 1' solimp='0.9 0.9 0.001'", "solref='0.05 1' solimp='0.6 0.6 0.001'",
      "solref='0.02 1.5' solimp='0.8 0.8 0.001'", "solref='-900 -50' solimp='0.7 0.7 0.01'"};
  enum { STEPS = 10000 };
  const double dt = 1e-4;
  double *z = malloc(STEPS * sizeof *z);
  assert_non_null(z);
  for (size_t i = 0; i < sizeof texts / sizeof *texts; ++i) {
    char text[1000];
    snprintf(
        text, sizeof text,
        "<mujoco><option timestep='0.0001' cone='elliptic'/><worldbody><geom type='plane' size='1 1 1'/>"
        "<body pos='0 0 0.099999999'><freejoint/><geom size='0.1' mass='3' priority='1' %s/></body></worldbody>"
        "</mujoco>",
        texts[i]);
    const pair p = load(text, FF_CONTACT_PARAMETERS_STATED);
    for (int k = 0; k < STEPS; ++k, mj_step(p.mj, p.data))
      z[k] = p.data->qpos[2];
    const settling want = collect(z, STEPS, dt);
    ff_sim_def def = ff_sim_def_default();
    def.dt = dt;
    ff_sim *sim = ffi_must_sim(p.ff, &def);
    for (int k = 0; k < STEPS; ++k, ffi_must_step(sim, NULL))
      z[k] = ff_sim_q(sim)[2];
    const settling got = collect(z, STEPS, dt);
    ff_sim_destroy(sim);
    // MuJoCo's Euler shifts its motion by half a step of some 400: 0.3 %.
    if (!(fabs(got.end - want.end) < 1e-3 * (0.1 - want.end)) ||
        !(fabs(got.integral - want.integral) < 5e-3 * want.integral))
      fail_msg("%s: %.5f mm deep, MuJoCo %.5f; settles by %.5g m s, MuJoCo %.5g", texts[i],
               (0.1 - got.end) * 1e3, (0.1 - want.end) * 1e3, got.integral, want.integral);
    ffi_mjcf_text_free(&p);
  }
  free(z);
}

// At constant impedance a geom's stiffness is k d^2 / ((1 - d) w), with MuJoCo's own w.
static void masses_are_mujocos(void **state)
{
  (void)state;
  static const char text[] =
      "<mujoco><compiler angle='radian'/><option cone='elliptic'/>"
      "<default><geom priority='1' solimp='0.75 0.75 0.001' solref='0.03 1' mass='2'/>"
      "<joint armature='0.02'/></default>"
      "<worldbody><body pos='0 0 1'><freejoint/><geom name='a' type='box' size='0.2 0.1 0.05'/>"
      "<body pos='0.2 0 0' euler='0.3 0.2 0.1'><joint axis='0 1 0' ref='0.4' pos='0 0.05 0'/><joint axis='1 0 0'/>"
      "<geom name='b' type='capsule' fromto='0 0 0 0 0 -0.3' size='0.03'/>"
      "<body pos='0 0 -0.3'><geom name='c' size='0.05' pos='0.1 0 0'/></body></body>"
      "<body pos='-0.2 0 0'><joint type='ball'/><geom name='d' type='cylinder' fromto='0 0 0 0 0 -0.3' size='0.03'/>"
      "<body pos='0 0 -0.3'><joint type='slide' axis='0 0.3 1'/><geom name='e' size='0.02'/></body></body></body>"
      "<body pos='2 0 1'><joint axis='0 1 1'/><geom name='f' type='capsule' size='0.03' fromto='0 0 0 0.2 0 0'/>"
      "</body></worldbody></mujoco>";
  const pair p = load(text, FF_CONTACT_PARAMETERS_STATED);
  int count = 0;
  for (int i = 0; i < ff_model_get_size(p.ff).shapes; ++i) {
    ff_shape_info shape;
    assert_int_equal(ff_model_shape(p.ff, i, &shape), FF_OK);
    const int body = p.mj->geom_bodyid[mj_name2id(p.mj, mjOBJ_GEOM, shape.def.name)];
    const double d = 0.75, k = 1 / (d * d * 0.03 * 0.03), w = p.mj->body_invweight0[2 * body],
                 want = k * d * d / ((1 - d) * w), got = shape.def.material.stiffness;
    if (!(fabs(got - want) < 1e-9 * want))
      fail_msg("geom %s: stiffness %.12g, from MuJoCo's mass %.12g", shape.def.name, got, want);
    ++count;
  }
  assert_int_equal(count, 6);
  ffi_mjcf_text_free(&p);
}

// Where a robot slides, and how fast: a block on a slope, with the friction of either side, or the higher priority's.
static void blocks_slide_as_in_mujoco(void **state)
{
  (void)state;
  static const char *const geoms[][2] = {{"friction='0.3'", "friction='0.5'"},
                                         {"friction='0.5'", "friction='0.2'"},
                                         {"friction='0.25' priority='1'", "friction='0.9'"},
                                         {"friction='0.9'", "friction='0.3' priority='2'"},
                                         {"friction='0.2'", "friction='0.9'"}};
  for (size_t i = 0; i < sizeof geoms / sizeof *geoms; ++i) {
    char text[1000];
    snprintf(
        text, sizeof text,
        "<mujoco><option cone='elliptic' impratio='1000' gravity='-6 0 -9' timestep='0.0005'/><worldbody>"
        "<geom type='plane' size='9 9 1' %s/><body pos='0 0 0.1'><freejoint/>"
        "<geom type='box' size='0.3 0.3 0.1' %s/></body></worldbody></mujoco>",
        geoms[i][1], geoms[i][0]);
    const pair p = load(text, FF_CONTACT_PARAMETERS_MUJOCO);
    while (p.data->time < 1)
      mj_step(p.mj, p.data);
    ff_sim *sim = ffi_must_sim(p.ff, NULL);
    while (ff_sim_time(sim) < 1)
      ffi_must_step(sim, NULL);
    const double got = ff_sim_q(sim)[0], want = p.data->qpos[0];
    if (!(fabs(got - want) < 0.01 + 0.01 * fabs(want))) // MuJoCo's contacts creep by some millimetres
      fail_msg("robot %s on %s: at %.4f m, MuJoCo %.4f", geoms[i][0], geoms[i][1], got, want);
    ff_sim_destroy(sim);
    ffi_mjcf_text_free(&p);
  }
}

// ---- Whose parameters -----------------------------------------------------------------------------------------------

static ff_material material_of(const ff_model *model, const char *name)
{
  ff_shape_info shape;
  for (int i = 0; ff_model_shape(model, i, &shape) == FF_OK; ++i)
    if (shape.def.name && strcmp(shape.def.name, name) == 0)
      return shape.def.material;
  fail_msg("no shape %s", name);
  return ff_material_default();
}

static void only_what_is_asked_for_is_mapped(void **state)
{
  (void)state;
  static const char text[] =
      "<mujoco><default><default class='soft'><geom solref='0.05 1'/></default></default><worldbody>"
      "<geom name='floor' type='plane' size='1 1 1'/>"
      "<body><freejoint/><geom name='stated' size='0.1' class='soft'/></body>"
      "<body pos='1 0 0'><freejoint/><geom name='silent' size='0.1'/>"
      "<geom name='drawn' size='0.1' solref='0.01 1' contype='0' conaffinity='0'/></body></worldbody></mujoco>";
  const ff_material usual = ff_material_default();
  const pair stated = load(text, FF_CONTACT_PARAMETERS_STATED),
             all = load(text, FF_CONTACT_PARAMETERS_MUJOCO),
             none = load(text, FF_CONTACT_PARAMETERS_FOOTFALL);
  assert_true(material_of(stated.ff, "stated").stiffness < 0.9 * usual.stiffness);
  assert_true(material_of(stated.ff, "stated").stiffness == material_of(all.ff, "stated").stiffness);
  assert_true(material_of(none.ff, "stated").stiffness == usual.stiffness);
  assert_true(material_of(none.ff, "stated").damping == usual.damping);
  assert_true(material_of(stated.ff, "silent").stiffness == usual.stiffness);
  assert_true(material_of(all.ff, "silent").stiffness != usual.stiffness);
  assert_true(material_of(all.ff, "drawn").stiffness == usual.stiffness);
  assert_true(material_of(stated.ff, "floor").stiffness == 1e9);
  assert_true(material_of(none.ff, "floor").stiffness == usual.stiffness);
  ffi_mjcf_text_free(&stated);
  ffi_mjcf_text_free(&all);
  ffi_mjcf_text_free(&none);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(quadrupeds_stand_as_high_as_in_mujoco),
      cmocka_unit_test(balls_settle_as_deep_and_as_fast),
      cmocka_unit_test(masses_are_mujocos),
      cmocka_unit_test(blocks_slide_as_in_mujoco),
      cmocka_unit_test(only_what_is_asked_for_is_mapped),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
