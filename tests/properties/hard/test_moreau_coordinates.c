// Hard contact: one robot in minimal, extended and maximal coordinates. The three are different schemes for one motion:
// joints between pieces are held as velocities at the middle of a step, so pieces drift apart by O(dt), and gyroscopic
// terms are other ones. All have order 1, and so has what they differ by.
#include "support/hard_scene.h"
#include "support/must.h"
#include "support/near.h"

#include <footfall/cut.h>
#include <footfall/load.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { MOST = 128, SETS = 3 };
static const ff_cut_set sets[SETS] = {FF_CUT_MINIMAL, FF_CUT_EXTENDED, FF_CUT_MAXIMAL};

typedef struct motion {
  const ff_model *model;
  int nq, nv, has_ground, stabilise;
  ff_cut_place place;
  double q[MOST], v[MOST], tau[MOST];
  double duration;
} motion;

// Where the robot is at the end of it, as the model's q and v, one after the other; and the drift.
static void run(const motion *m, ff_cut_set set, double dt, double *end, double *drift)
{
  ff_cut_def cut_def = ff_cut_def_default();
  cut_def.set = set;
  cut_def.place = m->place;
  ff_cut *cut = NULL;
  ff_error error;
  ffi_must(ff_cut_create(m->model, &cut_def, &cut, &error), &error);
  ff_sim_def def = ffi_hard_def(dt);
  def.ground_count = m->has_ground ? -1 : 0;
  def.moreau.stabilise = m->stabilise;
  ff_sim *sim = ffi_must_sim(ff_cut_model(cut), &def);
  double q[MOST], v[MOST], tau[MOST];
  assert_true(ff_model_get_size(ff_cut_model(cut)).nq <= MOST);
  ff_cut_spread(cut, m->q, m->v, q, v);
  memcpy(end, m->q, (size_t)m->nq * sizeof *end);
  ffi_must_reset(sim, q, v);
  for (int k = 0; k < (int)lround(m->duration / dt); ++k) {
    ff_cut_tau(cut, ff_sim_q(sim), m->tau, tau);
    ffi_must_step(sim, tau);
    ff_cut_gather(cut, ff_sim_q(sim), ff_sim_v(sim), end, end, end + m->nq); // each step: whole turns count
  }
  *drift = ff_sim_get_totals(sim).worst_drift;
  ff_sim_destroy(sim);
  ff_cut_destroy(cut);
}

// The largest difference of a coordinate (in the tangent space) or of a velocity times a tenth of a second. Of
// stabilised motions positions alone: a contact that its curvature opens is closed again by a velocity of that size,
// now in this step, now in that.
static double distance(const motion *m, const double *a, const double *b)
{
  double dq[MOST], worst;
  ff_model_difference(m->model, a, b, dq);
  worst = ffi_size(m->nv, dq);
  for (int k = 0; k < m->nv && !m->stabilise; ++k)
    worst = fmax(worst, 0.1 * fabs(a[m->nq + k] - b[m->nq + k]));
  return worst;
}

// Differences of the three, with dt halved `count` times: the last halvings must have order 1. `truth`, unless NULL, is
// where the motion ends: errors against it as well.
static void check_order(const char *what, const motion *m, double dt, int count, const double *truth,
                        double slack)
{
  double last[SETS] = {0}, last_drift[SETS] = {0};
  for (int i = 0; i <= count; ++i, dt /= 2) {
    double end[SETS][2 * MOST], drift[SETS], off[SETS];
    for (int s = 0; s < SETS; ++s)
      run(m, sets[s], dt, end[s], &drift[s]);
    for (int s = 0; s < SETS; ++s)
      off[s] = truth ? distance(m, end[s], truth) : s > 0 ? distance(m, end[s], end[0]) : 0;
    printf("%s, dt %.2e: %s %.2e %.2e %.2e, drift %.1e %.1e m\n", what, dt, truth ? "errors" : "from minimal",
           off[0], off[1], off[2], drift[1], drift[2]);
    for (int s = truth ? 0 : 1; s < SETS && i > 1; ++s)
      ffi_check_near(what, log2(last[s] / off[s]), 1, slack);
    for (int s = 1; s < SETS && i > 1; ++s)
      if (drift[s] > 1e-12)
        ffi_check_near("drift", log2(last_drift[s] / drift[s]), m->stabilise ? 2 : 1, slack);
    memcpy(last, off, sizeof last);
    memcpy(last_drift, drift, sizeof last_drift);
  }
}

// The end of a motion without contacts by rk4, which has order 4.
static void flight_end(const motion *m, double dt, double *end)
{
  ff_sim_def def = ff_sim_def_default();
  def.stepper = FF_STEPPER_RK4;
  def.dt = dt;
  def.ground_count = 0;
  ff_sim *sim = ffi_must_sim(m->model, &def);
  ffi_must_reset(sim, m->q, m->v);
  ffi_must_run(sim, (int)lround(m->duration / dt), m->tau);
  memcpy(end, ff_sim_q(sim), (size_t)m->nq * sizeof *end);
  memcpy(end + m->nq, ff_sim_v(sim), (size_t)m->nv * sizeof *end);
  ff_sim_destroy(sim);
}

static motion motion_of(const ff_model *model, double duration)
{
  const ff_model_size size = ff_model_get_size(model);
  motion m = {.model = model, .nq = size.nq, .nv = size.nv, .duration = duration};
  ff_model_neutral(model, m.q);
  return m;
}

static void double_pendulum(void **state)
{
  (void)state;
  ff_model *model = ffi_double_pendulum();
  motion m = motion_of(model, 0.8);
  m.q[0] = 1.2;
  m.q[1] = -0.5;
  m.tau[1] = 0.3;
  double truth[2 * MOST];
  flight_end(&m, 1e-3, truth);
  check_order("double pendulum", &m, 0.004, 4, truth, 0.2);
  ff_model_destroy(model);
}

static ff_model *starleth(void)
{
  ff_model *model = NULL;
  ff_error error;
  ffi_must(ff_model_load(FFI_TEST_SOURCE_DIR "/models/starleth.urdf", NULL, &model, &error), &error);
  return model;
}

static void stand(motion *m)
{
  const int posture = ff_model_find_posture(m->model, "standing");
  assert_true(posture >= 0);
  memcpy(m->q, ff_model_posture(m->model, posture), (size_t)m->nq * sizeof *m->q);
}

// Torques of some N m, all different.
static void push(motion *m, double size)
{
  for (int k = 6; k < m->nv; ++k)
    m->tau[k] = size * sin(1.3 * k);
}

static void falling_starleth(void **state)
{
  (void)state;
  ff_model *model = starleth();
  motion m = motion_of(model, 0.2);
  stand(&m);
  for (int k = 0; k < 6; ++k)
    m.v[k] = 0.5 * cos(2.0 * k);
  push(&m, 0.5);
  double truth[2 * MOST];
  flight_end(&m, 2.5e-4, truth);
  check_order("falling", &m, 0.002, 3, truth, 0.2);
  ff_model_destroy(model);
}

// At rest on its feet, held by motors: where, and what torques they give.
static void rest(motion *m)
{
  ff_element_def motors[MOST];
  stand(m);
  for (int k = 0; k < m->nv - 6; ++k)
    motors[k] = ff_model_motor(m->model, k + 1, m->q[7 + k], 400, 12);
  ff_sim_def def = ffi_hard_def(0.002);
  def.ground_count = -1;
  def.elements = motors;
  def.element_count = m->nv - 6;
  ff_sim *sim = ffi_must_sim(m->model, &def);
  ffi_must_reset(sim, m->q, NULL);
  ffi_must_run(sim, 1500, NULL);
  memcpy(m->q, ff_sim_q(sim), (size_t)m->nq * sizeof *m->q);
  for (int k = 0; k < m->nv - 6; ++k)
    assert_int_equal(ff_sim_element_force(sim, ff_sim_find_motor(sim, k + 1), &m->tau[6 + k]), FF_OK);
  ffi_check_near("rest", ffi_size(m->nv, ff_sim_v(sim)), 0, 1e-6);
  int count;
  const ff_contact *c = ff_sim_contacts(sim, &count);
  assert_int_equal(count, 4);
  for (int i = 1; i < 4; ++i)
    ffi_check_near("all feet are as deep", c[i].penetration, c[0].penetration, 1e-10);
  m->q[2] += c[0].penetration;
  ff_sim_destroy(sim);
}

// From rest on all feet, with the torques of rest and 1 N m more or less on each joint, so that it leans and sags for
// 0.1 s. All feet stay where they are.
static void standing_starleth(void **state)
{
  (void)state;
  ff_model *model = starleth();
  motion m = motion_of(model, 0.1);
  rest(&m);
  m.has_ground = 1;
  for (int k = 6; k < m.nv; ++k)
    m.tau[k] += sin(1.3 * k);
  const double
      deep = 5e-5,
      least =
          1e-9; // so that no foot drifts off the ground; and so that there is nothing to be stabilised at first
  m.q[2] -= deep;
  double coarse[2 * MOST], truth[2 * MOST], drift, by[MOST];
  run(&m, FF_CUT_MINIMAL, 1.25e-4, coarse, &drift);
  run(&m, FF_CUT_MINIMAL, 6.25e-5, truth, &drift);
  ff_model_difference(model, coarse, truth, by); // order 1: as much again is left
  ff_model_integrate(model, truth, by, truth);
  for (int k = 0; k < m.nv; ++k)
    truth[m.nq + k] += truth[m.nq + k] - coarse[m.nq + k];
  check_order("standing", &m, 0.0025, 3, truth, 0.2);
  m.stabilise = 1;
  m.q[2] += deep - least;
  truth[2] += deep - least; // all heights alike
  check_order("standing, stabilised", &m, 0.0025, 3, truth, 0.2);
  ff_model_destroy(model);
}

// Feet that push, slide and leave, under torques that do not carry it.
static void sagging_starleth(void **state)
{
  (void)state;
  ff_model *model = starleth();
  motion m = motion_of(model, 0.1);
  stand(&m);
  m.has_ground = 1;
  m.q[2] -= 1e-4;
  push(&m, 2);
  check_order("sagging", &m, 0.0025, 3, NULL, 0.2);
  ff_model_destroy(model);
}

// What maximal coordinates cost: a body on a hinge floats with its centre of mass, c from the hinge, which goes on
// straight ahead in a step while the body turns by w dt. The impulse at the hinge is the projection to the turned
// tangent,
//
//     w' = w (I + m c^2 cos(w dt))/(I + m c^2):  dw/dt = -k w^3 dt/2,  k = m c^2/(I + m c^2),  1/w^2 = 1/w0^2 + k dt t
//
// It brakes, with order 1. In minimal coordinates nothing does.
static void spinning_rod_is_braked(void **state)
{
  (void)state;
  const double I = 0.02, c = 0.2, w0 = 20, k = c * c / (I + c * c), none[3] = {0, 0, 0};
  ff_builder *b = ffi_must_begin("rod");
  ff_error error;
  ffi_must(ff_builder_set_gravity(b, none, &error), &error);
  ff_link_def link = ff_link_def_default();
  link.name = "rod";
  link.joint.type = FF_JOINT_CONTINUOUS;
  link.joint.axis[1] = 1;
  link.inertia.mass = 1;
  link.inertia.com[0] = c;
  link.inertia.matrix[0] = link.inertia.matrix[3] = link.inertia.matrix[5] = I;
  ffi_must_add_link(b, &link);
  ff_model *model = ffi_must_finish(b);
  motion m = motion_of(model, 1);
  m.v[0] = w0;
  m.stabilise = 1; // or the arm would grow
  for (double dt = 0.001; dt > 1e-4; dt /= 2) {
    double end[2 * MOST], drift;
    run(&m, FF_CUT_MINIMAL, dt, end, &drift);
    ffi_check_near("minimal", end[1], w0, 1e-12);
    m.place = FF_CUT_AT_JOINTS;
    run(&m, FF_CUT_MAXIMAL, dt, end, &drift);
    ffi_check_near("floating at the hinge", end[1], w0, 1e-12 * w0 / dt);
    m.place = FF_CUT_AT_CENTRES;
    run(&m, FF_CUT_MAXIMAL, dt, end, &drift);
    const double got = (1 / (end[1] * end[1]) - 1 / (w0 * w0)) / (k * dt);
    printf("rod, dt %.2e: %.4f rad/s after 1 s, 1/w^2 grew by %.4f k dt t, drift %.1e m\n", dt, end[1], got,
           drift);
    ffi_check_near("braking", got, 1, w0 * dt / 10); // the next order
  }
  ff_model_destroy(model);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(double_pendulum),        cmocka_unit_test(falling_starleth),
      cmocka_unit_test(standing_starleth),      cmocka_unit_test(sagging_starleth),
      cmocka_unit_test(spinning_rod_is_braked),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
