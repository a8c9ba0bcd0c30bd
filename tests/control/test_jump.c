// Solo jumps: 0.6 s in the air and more, lands and stands.
#include "robots.h"

#include "support/alloc_counter.h"

#include <footfall/control/gait.h>

enum { NV = 18, NQ = 19 };

typedef struct outcome {
  double flight;    ///< longest time without contact [s]
  double takeoff;   ///< when it began [s]
  double apex;      ///< of the centre of mass [m]
  double tilt;      ///< largest [rad]
  double tau;       ///< largest [N m]
  double off;       ///< centre of mass from where it stood, at the end [m]
  double end_speed; ///< of the centre of mass [m/s]
  double planned;
} outcome;

static ff_jump *make_jump(const ff_model *model, const double *q, double control_dt, double flight)
{
  static const char *const names[4] = {"FL_FOOT", "FR_FOOT", "HL_FOOT", "HR_FOOT"};
  ff_error error;
  ff_jump *jump = NULL;
  double landing[NQ];
  ff_jump_def def = ff_jump_def_default();
  def.base = ffi_robot_frame(model, "base_link");
  memcpy(landing, q, sizeof landing);
  for (int i = 0; i < 4; ++i) { // legs longer than it stands, to have a way to brake
    def.feet[i] = ffi_robot_frame(model, names[i]);
    landing[8 + 3 * i] = i < 2 ? 0.5 : -0.5;
    landing[9 + 3 * i] = i < 2 ? -1 : 1;
  }
  def.landing = landing;
  def.hold = control_dt;
  def.flight = flight;
  def.torque_limit = 8;
  ffi_must(ff_jump_create(model, &def, q, &jump, &error), &error);
  return jump;
}

static double tilt_of(const double *q)
{
  return acos(fmax(-1, fmin(1, 1 - 2 * (q[3] * q[3] + q[4] * q[4]))));
}

static outcome do_jump(double control_dt, int substeps, double flight)
{
  outcome o = {0};
  ff_error error;
  ff_model *model = ffi_robot("solo12.urdf");
  ff_sim_def sim_def = ff_sim_def_default();
  sim_def.dt = control_dt / substeps;
  ff_sim *sim = ffi_must_sim(model, &sim_def);
  ffi_must(ff_sim_set_posture(sim, "straight_standing", &error), &error);
  ff_jump *jump = make_jump(model, ff_sim_q(sim), control_dt, flight);
  ff_dynamics *dynamics;
  assert_int_equal(ff_dynamics_create(model, NULL, &dynamics, NULL), FF_OK);
  double tau[NV], stood[3], com[3], momentum[6], left = 0;
  ff_dynamics_kinematics(dynamics, ff_sim_q(sim), NULL, NULL);
  ff_dynamics_com(dynamics, stood);
  const long before = ffi_test_alloc_count();
  while (ff_sim_time(sim) < 4 - 1e-9) {
    ffi_must(ff_jump_tau(jump, ff_sim_time(sim), ff_sim_q(sim), ff_sim_v(sim), tau, &error), &error);
    ffi_must_run(sim, substeps, tau);
    int contacts;
    ff_sim_contacts(sim, &contacts);
    if (contacts > 0)
      left = ff_sim_time(sim);
    if (ff_sim_time(sim) - left > o.flight) {
      o.flight = ff_sim_time(sim) - left;
      o.takeoff = left;
    }
    ff_dynamics_kinematics(dynamics, ff_sim_q(sim), ff_sim_v(sim), NULL);
    ff_dynamics_com(dynamics, com);
    o.apex = fmax(o.apex, com[2]);
    o.tilt = fmax(o.tilt, tilt_of(ff_sim_q(sim)));
    o.tau = fmax(o.tau, ffi_size(NV, tau));
  }
  assert_int_equal(ffi_test_alloc_count(), before);
  ff_dynamics_momentum(dynamics, momentum);
  o.off = ffi_gap(3, com, stood);
  o.end_speed = ffi_size(3, momentum) / ff_model_mass(model);
  o.planned = ff_jump_takeoff(jump);
  print_message(
      "  control %2.0f ms, dt %.3f ms: %.3f s in the air from %.3f s on (planned %.3f), up to %.3f m, tilt %.1f deg, "
      "%.2f N m; at the end %.1f mm off, %.1e m/s\n",
      1e3 * control_dt, 1e3 * sim_def.dt, o.flight, o.takeoff, o.planned, o.apex, o.tilt * 180 / acos(-1.0),
      o.tau, 1e3 * o.off, o.end_speed);
  ff_dynamics_destroy(dynamics);
  ff_jump_destroy(jump);
  ff_sim_destroy(sim);
  ff_model_destroy(model);
  return o;
}

static void check(const outcome *o)
{
  assert_true(o->flight >= 0.6); // of the task
  assert_true(fabs(o->takeoff - o->planned) < 0.03);
  assert_true(o->tilt < 0.1);
  assert_true(o->tau <= 8 + 1e-9);
  assert_true(o->off < 0.01 && o->end_speed < 0.01);
}

static void it_jumps_lands_and_stands(void **state)
{
  (void)state;
  outcome o = do_jump(0.01, 1, 0.64); // the paper's step for its jump
  check(&o);
  o = do_jump(0.01, 64, 0.64); // as the finest reference sees it
  check(&o);
  o = do_jump(0.002, 1, 0.64);
  check(&o);
  // g t^2 / 8 is the height that a flight of t needs, from foot level to foot level
  assert_true(o.apex > 0.25 + 9.81 * 0.6 * 0.6 / 8);
}

static void nonsense_is_refused(void **state)
{
  (void)state;
  ff_model *model = ffi_robot("solo12.urdf");
  ff_jump *jump;
  ff_error error;
  const double *q = ffi_robot_posture(model, "straight_standing");
  for (int k = 0; k < 6; ++k) {
    double sick[NQ] = {NAN};
    ff_jump_def def = ff_jump_def_default();
    def.base = ffi_robot_frame(model, "base_link");
    for (int i = 0; i < 4; ++i)
      def.feet[i] = ffi_robot_frame(model, "FL_FOOT");
    switch (k) {
    case 0: def.flight = 0; break;
    case 1: def.stroke = NAN; break;
    case 2: def.landing = sick; break;
    case 3: def.base = -1; break;
    case 4: def.torque_limit = -1; break;
    default: def.hold = -1; break;
    }
    assert_int_equal(ff_jump_create(model, &def, q, &jump, &error), FF_ERROR_ARGUMENT);
    assert_null(jump);
  }
  ff_jump_destroy(NULL);
  ff_model_destroy(model);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(it_jumps_lands_and_stands),
      cmocka_unit_test(nonsense_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
