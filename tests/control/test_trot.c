// slow: some ten seconds. Solo trots: at its speed, for a minute, after a blow, and from a saved state bit for bit.
#include "robots.h"

#include "support/alloc_counter.h"

#include <footfall/control/gait.h>

enum { NV = 18 };

typedef struct runner {
  ff_model *model;
  ff_sim *sim;
  ff_trot *trot;
  int steps; ///< of the sim per control
  double tilt, tau;
} runner;

static void set_up(runner *r, double control_dt, int substeps)
{
  static const char *const names[4] = {"FL_FOOT", "FR_FOOT", "HL_FOOT", "HR_FOOT"};
  ff_error error;
  *r = (runner){.model = ffi_robot("solo12.urdf"), .steps = substeps};
  ff_sim_def sim_def = ff_sim_def_default();
  sim_def.dt = control_dt / substeps;
  r->sim = ffi_must_sim(r->model, &sim_def);
  ffi_must(ff_sim_set_posture(r->sim, "straight_standing", &error), &error);
  ff_trot_def def = ff_trot_def_default();
  def.base = ffi_robot_frame(r->model, "base_link");
  for (int i = 0; i < 4; ++i)
    def.feet[i] = ffi_robot_frame(r->model, names[i]);
  def.hold = control_dt;
  def.torque_limit = 2.5;
  ffi_must(ff_trot_create(r->model, &def, ff_sim_q(r->sim), &r->trot, &error), &error);
}

static void take_down(runner *r)
{
  ff_trot_destroy(r->trot);
  ff_sim_destroy(r->sim);
  ff_model_destroy(r->model);
}

// Angle of the trunk from upright: a rotation's z z is 1 - 2 (x^2 + y^2).
static double tilt_of(const double *q)
{
  return acos(fmax(-1, fmin(1, 1 - 2 * (q[3] * q[3] + q[4] * q[4]))));
}

static void run_until(runner *r, double end)
{
  ff_error error;
  double tau[NV];
  while (ff_sim_time(r->sim) < end - 1e-9) {
    ffi_must(ff_trot_tau(r->trot, ff_sim_time(r->sim), ff_sim_q(r->sim), ff_sim_v(r->sim), tau, &error),
             &error);
    ffi_must_run(r->sim, r->steps, tau);
    r->tilt = fmax(r->tilt, tilt_of(ff_sim_q(r->sim)));
    r->tau = fmax(r->tau, ffi_size(NV, tau));
  }
}

// Mean speed from a time on, when the ramp is over, to another.
static double speed_of(runner *r, double from, double to)
{
  run_until(r, from);
  const double x = ff_sim_q(r->sim)[0];
  run_until(r, to);
  const double speed = (ff_sim_q(r->sim)[0] - x) / (to - from);
  print_message(
      "  control %.0f ms, dt %.3f ms, to %.0f s: %.3f m/s, %.4f m aside, tilt %.2f deg, %.2f N m, %lld touch-downs\n",
      1e3 * r->steps * ff_sim_dt(r->sim), 1e3 * ff_sim_dt(r->sim), to, speed, ff_sim_q(r->sim)[1],
      r->tilt * 180 / acos(-1.0), r->tau, ff_sim_get_totals(r->sim).touchdowns);
  return speed;
}

static void check(runner *r, double speed)
{
  assert_true(fabs(speed - 0.2) < 0.25 * 0.2); // of the task
  assert_true(fabs(ff_sim_q(r->sim)[1]) < 0.05);
  assert_true(r->tilt < 0.05);
  assert_true(r->tau <= 2.5 + 1e-9);
}

static void it_trots(void **state)
{
  (void)state;
  const struct {
    double control;
    int substeps;
    double end;
  } cases[] = {{0.002, 1, 60}, {0.01, 1, 10}, {0.002, 16, 3.8}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
    runner r;
    set_up(&r, cases[i].control, cases[i].substeps);
    check(&r, speed_of(&r, 0.8, cases[i].end));
    assert_true((double)ff_sim_get_totals(r.sim).touchdowns >
                8 * (cases[i].end - 1)); // 10 a second: the feet do lift
    take_down(&r);
  }
}

// A blow on the trunk, back and to the side: 0.5 N s each, which is 0.2 m/s for its 2.5 kg, less what the feet that
// stand take at once. It is walked off.
static void a_blow_is_walked_off(void **state)
{
  (void)state;
  runner r;
  ff_error error;
  double tau[NV];
  set_up(&r, 0.002, 1);
  run_until(&r, 2);
  r.tilt = 0;
  ffi_must(ff_trot_tau(r.trot, 2, ff_sim_q(r.sim), ff_sim_v(r.sim), tau, &error), &error);
  tau[0] -= 0.5 / 0.002;
  tau[1] += 0.5 / 0.002;
  const double before[2] = {ff_sim_v(r.sim)[0], ff_sim_v(r.sim)[1]};
  ffi_must_step(r.sim, tau);
  const double after[2] = {ff_sim_v(r.sim)[0], ff_sim_v(r.sim)[1]};
  const double speed = speed_of(&r, 4, 6);
  print_message("  from %.3f m/s ahead and %.3f aside to %.3f and %.3f\n", before[0], before[1], after[0],
                after[1]);
  assert_true(after[0] < before[0] - 0.1 && after[1] > before[1] + 0.1);
  check(&r, speed);
  take_down(&r);
}

static void it_goes_on_from_a_saved_state(void **state)
{
  (void)state;
  runner r;
  double mine[FF_TROT_STATE], q[2][19];
  set_up(&r, 0.002, 1);
  run_until(&r, 1.05); // in the middle of a swing
  double *full = calloc((size_t)ff_sim_state_size(r.sim), sizeof *full);
  assert_non_null(full);
  ff_sim_get_state(r.sim, full);
  ff_trot_get_state(r.trot, mine);
  for (int pass = 0; pass < 2; ++pass) {
    if (pass == 1) {
      ff_sim_set_state(r.sim, full, NULL);
      ff_trot_set_state(r.trot, mine);
    }
    const long before = ffi_test_alloc_count();
    run_until(&r, 1.5);
    assert_int_equal(ffi_test_alloc_count(), before);
    memcpy(q[pass], ff_sim_q(r.sim), sizeof q[pass]);
    if (pass == 0)
      run_until(&r, 1.66); // elsewhere in the gait
  }
  assert_memory_equal(q[0], q[1], sizeof q[0]);
  free(full);
  take_down(&r);
}

static void nonsense_is_refused(void **state)
{
  (void)state;
  runner r;
  ff_trot *trot;
  ff_error error;
  set_up(&r, 0.002, 1);
  for (int k = 0; k < 6; ++k) {
    ff_trot_def def = ff_trot_def_default();
    def.base = ffi_robot_frame(r.model, "base_link");
    for (int i = 0; i < 4; ++i)
      def.feet[i] = ffi_robot_frame(r.model, "FL_FOOT");
    switch (k) {
    case 0: def.speed = NAN; break;
    case 1: def.both_time = 0.3; break;
    case 2: def.feet[2] = 0; break;
    case 3: def.friction = -1; break;
    case 4: def.torque_limit = 0; break;
    default: def.ramp_time = 0; break;
    }
    assert_int_equal(ff_trot_create(r.model, &def, ff_sim_q(r.sim), &trot, &error), FF_ERROR_ARGUMENT);
    assert_null(trot);
  }
  double tau[NV], sick[NV] = {NAN};
  assert_int_equal(ff_trot_tau(r.trot, 0, ff_sim_q(r.sim), sick, tau, &error), FF_ERROR_ARGUMENT);
  ff_trot_destroy(NULL);
  take_down(&r);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(it_trots),
      cmocka_unit_test(a_blow_is_walked_off),
      cmocka_unit_test(it_goes_on_from_a_saved_state),
      cmocka_unit_test(nonsense_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
