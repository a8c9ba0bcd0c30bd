// Closed loops of a model: a four-bar linkage closed by a pin and by a weld, from MJCF and from URDF. It carries the
// forces of statics, converges to the ideal linkage with the stiffness of the loop, and moves bit for bit as with the
// same element given in C.
#include "sim/toys.h"
#include "support/four_bar.h"

#include <footfall/load.h>

#include <math.h>

static const char *const formats[] = {"mjcf", "urdf"};

static ff_sim *sim_of(const ff_model *model, ff_stepper stepper, double dt, const ff_element_def *listed)
{
  ff_sim_def def = ff_sim_def_default();
  def.stepper = stepper;
  def.dt = dt;
  def.elements = listed;
  def.element_count = listed != NULL;
  def.ground_count = 0;
  return ffi_must_sim(model, &def);
}

// Where (x, z) of a frame at (px, pz), turned by `angle` about y, is.
static void place(double px, double pz, double angle, double x, double z, double out[2])
{
  out[0] = px + cos(angle) * x + sin(angle) * z;
  out[1] = pz - sin(angle) * x + cos(angle) * z;
}

// Gap of the loop, end a minus end b, and the turn between them, from the angles alone.
static void gap_of(const ffi_four_bar *l, const ff_model *model, const double *q, double gap[2], double *turn)
{
  ff_joint_info joint;
  double angle[4] = {0}, c[2], d[2], end[2][2];
  static const char *const names[] = {"left", "rod", "right", "rest"};
  for (int i = 0; i < (l->is_weld ? 4 : 3); ++i) {
    ff_model_joint(model, ff_model_find_joint(model, names[i]), &joint);
    angle[i] = q[joint.q];
  }
  const double piece = (l->frame - 2 * l->reach) / (l->is_weld ? 2 : 1);
  place(-l->frame / 2, 0, angle[0], l->reach, -l->drop, c);
  place(l->frame / 2, 0, angle[2], -l->reach, -l->drop, d);
  place(c[0], c[1], angle[0] + angle[1], piece, 0, end[0]);
  place(d[0], d[1], angle[2] + angle[3], l->is_weld ? -piece : 0, 0, end[1]);
  gap[0] = end[0][0] - end[1][0];
  gap[1] = end[0][1] - end[1][1];
  *turn = angle[0] + angle[1] - angle[2] - angle[3];
}

// ---- Rest -------------------------------------------------------------------------------------------------

// Hang it for 20 s and compare with the ideal linkage at rest. With h = drop and e = reach, moments about the right
// hinge give the tension of the rod; the rest is symmetry:
//
//     H = (e/h) (W_rod + W_bar) / 2;   pin: V = W_rod / 2;   weld in the middle: no V, and a moment W_rod length / 8
//
// Returns the largest difference relative to the weight. What the loop gives by is force / K to rounding.
static double hang(const ffi_four_bar *l, ffi_four_bar_format format)
{
  ff_model *model = ffi_four_bar_load(l, format);
  ff_sim *sim = sim_of(model, FF_STEPPER_EXPO, 2e-3, NULL);
  double force[6] = {0}, gap[2], turn;
  ffi_must_run(sim, 10000, NULL);
  assert_int_equal(ff_sim_element_count(sim), 1);
  assert_int_equal(ff_sim_find_element(sim, "loop"), 0);
  assert_int_equal(ff_sim_element_force(sim, 0, force), FF_OK);
  gap_of(l, model, ff_sim_q(sim), gap, &turn);

  const double W = l->rod * toy_gravity, length = l->frame - 2 * l->reach;
  const double H = l->reach / l->drop * (W + l->bar * toy_gravity) / 2;
  // At rest to 1e-9: the slowest motion decays by exp(-1.5 t). Angles are rounded to eps, so gaps to eps, and forces
  // to K eps.
  const double rounding = 1e-9 * W + 16 * l->stiffness * 2.2e-16;
  ffi_check_near("force along x", force[0], -l->stiffness * gap[0], rounding);
  ffi_check_near("force along z", force[2], -l->stiffness * gap[1], rounding);
  ffi_check_near("force along y", force[1], 0, rounding);
  double error = fmax(fabs(force[0] - H), fabs(force[2] - (l->is_weld ? 0 : W / 2))) / W;
  if (l->is_weld) {
    const double K = l->torque_scale * l->torque_scale * l->stiffness;
    ffi_check_near("moment", force[4], -K * turn, rounding);
    error = fmax(error, fabs(force[4] + W * length / 8) / (W * length));
  }
  ff_sim_destroy(sim);
  ff_model_destroy(model);
  return error;
}

// Errors of a linkage whose loop is closed by 1e4, 1e5 and 1e6 N/m, pinned and welded, in both formats. Each is a
// tenth of the one before, within `slack` of it: order 1 in 1 / K. What the start shakes dies out, with K too.
// Returns the largest at 1e4 N/m.
static double check_order(ffi_four_bar l,
                          double (*measure)(const ffi_four_bar *l, ffi_four_bar_format format), double slack,
                          const char *unit)
{
  double most = 0;
  for (int is_weld = 0; is_weld < 2; ++is_weld)
    for (int f = 0; f < 2; ++f) {
      double error[3];
      l.is_weld = is_weld;
      for (int i = 0; i < 3; ++i) {
        l.stiffness = pow(10, 4 + i);
        l.damping = sqrt(l.stiffness);
        error[i] = measure(&l, (ffi_four_bar_format)f);
      }
      print_message("             %-4s %s: off by %.2e, %.2e, %.2e %s at 1e4, 1e5, 1e6 N/m\n",
                    is_weld ? "weld" : "pin", formats[f], error[0], error[1], error[2], unit);
      for (int i = 0; i < 2; ++i)
        assert_true(fabs(error[i + 1] - 0.1 * error[i]) < slack * 0.1 * error[i]);
      most = fmax(most, error[0]);
    }
  return most;
}

// The linkage gives by force / K, a part of its size, and forces change by that part.
static void a_loop_carries_what_statics_says(void **state)
{
  (void)state;
  assert_true(check_order(ffi_four_bar_leaning, hang, 0.1, "of the weight") < 0.01);
}

// ---- Motion -----------------------------------------------------------------------------------------------

// A parallelogram is a pendulum: the rod stays level. With L the bars' length,
//     (2/3 bar + rod) L^2 theta'' = -(bar + rod) g L sin(theta).
// By Runge-Kutta of order 4, steps of 0.1 ms: an error of 1e-15.
static void ideal_swing(const ffi_four_bar *l, double theta, double duration, double *out, double *rate)
{
  const double w2 = (l->bar + l->rod) / (2 * l->bar / 3 + l->rod) * toy_gravity / l->drop, h = 1e-4;
  double x = theta, v = 0;
  for (int k = 0, n = (int)(duration / h + 0.5); k < n; ++k) {
    const double a1 = -w2 * sin(x), v2 = v + h / 2 * a1, a2 = -w2 * sin(x + h / 2 * v);
    const double v3 = v + h / 2 * a2, a3 = -w2 * sin(x + h / 2 * v2), v4 = v + h * a3,
                 a4 = -w2 * sin(x + h * v3);
    x += h / 6 * (v + 2 * v2 + 2 * v3 + v4);
    v += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
  }
  *out = x;
  *rate = v;
}

// From 0.4 rad at rest, after 1.5 s: the largest difference of an angle [rad].
static double swing(const ffi_four_bar *l, ffi_four_bar_format format)
{
  const double theta = 0.4, duration = 1.5;
  ff_model *model = ffi_four_bar_load(l, format);
  ff_sim *sim = sim_of(model, FF_STEPPER_EXPO, 2.5e-4, NULL);
  double q[4] = {0}, x, v, error = 0;
  static const char *const names[] = {"left", "rod", "right", "rest"};
  ff_joint_info joint[4];
  for (int i = 0; i < (l->is_weld ? 4 : 3); ++i) {
    ff_model_joint(model, ff_model_find_joint(model, names[i]), &joint[i]);
    q[joint[i].q] = i % 2 ? -theta : theta; // the rod stays level
  }
  assert_int_equal(ff_sim_reset(sim, q, NULL, NULL), FF_OK);
  ffi_must_run(sim, (int)(duration / 2.5e-4 + 0.5), NULL);
  ideal_swing(l, theta, duration, &x, &v);
  for (int i = 0; i < (l->is_weld ? 4 : 3); ++i)
    error = fmax(error, fabs(ff_sim_q(sim)[joint[i].q] - (i % 2 ? -x : x)));
  ff_sim_destroy(sim);
  ff_model_destroy(model);
  return error;
}

static void stiffer_loops_move_as_the_ideal_linkage(void **state)
{
  (void)state;
  ffi_four_bar l = ffi_four_bar_leaning;
  l.reach = l.joint_damping = 0;
  l.torque_scale = 1;
  check_order(l, swing, 0.5, "rad after 1.5 s");
}

// ---- The same as from C -----------------------------------------------------------------------------------

static void run_both(ff_sim *one, ff_sim *two, const double *q, const double *v, int nq, int nv)
{
  assert_int_equal(ff_sim_reset(one, q, v, NULL), FF_OK);
  assert_int_equal(ff_sim_reset(two, q, v, NULL), FF_OK);
  for (int k = 0; k < 200; ++k) {
    ffi_must_run(one, 1, NULL);
    ffi_must_run(two, 1, NULL);
    assert_memory_equal(ff_sim_q(one), ff_sim_q(two), (size_t)nq * sizeof(double));
    assert_memory_equal(ff_sim_v(one), ff_sim_v(two), (size_t)nv * sizeof(double));
  }
}

// The model's element, which is the one that a user would write down but for the rounding of ends that a reader
// computes.
static ff_element_def read_loop(const ffi_four_bar *l, const ff_model *model)
{
  const ff_element_def want = ffi_four_bar_loop(l, model);
  ff_element_def got;
  assert_int_equal(ff_model_get_size(model).elements, 1);
  assert_int_equal(ff_model_element(model, 0, &got), FF_OK);
  assert_string_equal(got.name, want.name);
  assert_int_equal(got.type, want.type);
  assert_int_equal(got.a.frame, want.a.frame);
  assert_int_equal(got.b.frame, want.b.frame);
  for (int k = 0; k < 3; ++k) {
    ffi_check_near("end a", got.a.offset[k], want.a.offset[k], 4e-16);
    ffi_check_near("end b", got.b.offset[k], want.b.offset[k], 4e-16);
  }
  assert_true(got.stiffness == want.stiffness && got.damping == want.damping);
  assert_true(got.angular_stiffness == want.angular_stiffness && got.angular_damping == want.angular_damping);
  return got;
}

static void a_model_brings_what_a_user_would_list(void **state)
{
  (void)state;
  const double q[4] = {0.1, -0.1, 0.1, -0.1}, v[4] = {1, -2, 0.5, 3};
  for (int is_weld = 0; is_weld < 2; ++is_weld)
    for (int f = 0; f < 2; ++f)
      for (int s = 0; s < FF_STEPPER_COUNT; ++s) {
        ffi_four_bar l = ffi_four_bar_leaning;
        l.is_weld = is_weld;
        l.stiffness = 1e3; // so that explicit steppers manage too
        l.damping = 1;
        ff_model *closed = ffi_four_bar_load(&l, (ffi_four_bar_format)f);
        const ff_element_def loop = read_loop(&l, closed);
        l.stiffness = 0;
        ff_model *open = ffi_four_bar_load(&l, (ffi_four_bar_format)f);
        ff_sim *one = sim_of(closed, (ff_stepper)s, 2e-4, NULL),
               *two = sim_of(open, (ff_stepper)s, 2e-4, &loop);
        const ff_model_size size = ff_model_get_size(closed);
        run_both(one, two, q, v, size.nq, size.nv);
        double difference = 0; // and the loop acts
        ff_sim *loose = sim_of(open, (ff_stepper)s, 2e-4, NULL);
        assert_int_equal(ff_sim_reset(loose, q, v, NULL), FF_OK);
        ffi_must_run(loose, 200, NULL);
        for (int i = 0; i < size.nq; ++i)
          difference = fmax(difference, fabs(ff_sim_q(loose)[i] - ff_sim_q(one)[i]));
        assert_true(difference > 1e-3);
        ff_sim_destroy(loose);
        ff_sim_destroy(one);
        ff_sim_destroy(two);
        ff_model_destroy(open);
        ff_model_destroy(closed);
      }
}

static void both_formats_mean_the_same(void **state)
{
  (void)state;
  const double q[4] = {0.1, -0.1, 0.1, -0.1}, v[4] = {1, -2, 0.5, 3};
  for (int is_weld = 0; is_weld < 2; ++is_weld) {
    ffi_four_bar l = ffi_four_bar_leaning;
    l.is_weld = is_weld;
    ff_model *model[2];
    ff_sim *sim[2];
    for (int f = 0; f < 2; ++f) {
      model[f] = ffi_four_bar_load(&l, (ffi_four_bar_format)f);
      sim[f] = sim_of(model[f], FF_STEPPER_EXPO, 1e-3, NULL);
      assert_int_equal(ff_sim_reset(sim[f], q, v, NULL), FF_OK);
      ffi_must_run(sim[f], 500, NULL);
    }
    // Ends that are computed may differ by an ulp of 1 m, which K turns into 1e5 eps N, for half a second.
    for (int i = 0; i < ff_model_get_size(model[0]).nq; ++i)
      ffi_check_near("angle", ff_sim_q(sim[0])[i], ff_sim_q(sim[1])[i], 1e-10);
    for (int f = 0; f < 2; ++f) {
      ff_sim_destroy(sim[f]);
      ff_model_destroy(model[f]);
    }
  }
}

// ---- The shipped linkage ----------------------------------------------------------------------------------

// The rocker's angle that belongs to the crank's, both from where they stand as written: circles about the crank pin
// and the hinge meet.
static double ideal_rocker(double crank)
{
  const double frame = 0.4, r1 = 0.1, r2 = 0.35, r3 = 0.3;
  const double px = r1 * sin(crank), pz = r1 * cos(crank), dx = frame - px, dz = -pz, d = hypot(dx, dz);
  const double along = (r2 * r2 - r3 * r3 + d * d) / (2 * d), up = sqrt(r2 * r2 - along * along);
  const double x = px + (along * dx - up * dz) / d - frame, z = pz + (along * dz + up * dx) / d;
  return atan2(x, z) - atan2(0.29872189505317293 - frame, 0.28238758021269184);
}

static void the_shipped_crank_drives_its_rocker(void **state)
{
  (void)state;
  ff_model *model;
  ff_error error;
  if (ff_model_load(FFI_TEST_SOURCE_DIR "/models/four_bar.xml", NULL, &model, &error) != FF_OK)
    fail_msg("%s", error.message);
  ff_joint_info crank, rocker;
  ff_model_joint(model, ff_model_find_joint(model, "crank_hinge"), &crank);
  ff_model_joint(model, ff_model_find_joint(model, "rocker_hinge"), &rocker);
  ff_sim *sim = sim_of(model, FF_STEPPER_EXPO, 1e-3, NULL);
  const int pin = ff_sim_find_element(sim, "rod_pin");
  double worst = 0, strongest = 0, force[3];
  for (int k = 0; k < 5000; ++k) {
    ffi_must_run(sim, 1, NULL);
    const double *q = ff_sim_q(sim);
    worst = fmax(worst, fabs(q[rocker.q] - ideal_rocker(q[crank.q])));
    assert_int_equal(ff_sim_element_force(sim, pin, force), FF_OK);
    strongest = fmax(strongest, hypot(force[0], force[2]));
  }
  print_message("             %.3f turns, rocker off by at most %.2e rad, %.1f N in the pin\n",
                ff_sim_q(sim)[crank.q] / (2 * acos(-1)), worst, strongest);
  ffi_check_near("turns", ff_sim_q(sim)[crank.q] / (2 * acos(-1)), 5, 0.2);
  // The pin gives by force / K. At the rocker's end, 0.3 m out, that is a turn through the angle between rod and
  // rocker, whose sine is at least 0.8: pin and hinge are 0.3 m to 0.5 m apart, so its cosine is between 0.584 and
  // -0.179.
  assert_true(worst < strongest / 1e6 / (0.3 * 0.8));
  assert_true(strongest > 1);
  ff_sim_destroy(sim);
  ff_model_destroy(model);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_loop_carries_what_statics_says),
      cmocka_unit_test(stiffer_loops_move_as_the_ideal_linkage),
      cmocka_unit_test(a_model_brings_what_a_user_would_list),
      cmocka_unit_test(both_formats_mean_the_same),
      cmocka_unit_test(the_shipped_crank_drives_its_rocker),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
