// The passive walker in contact: disks on a slope, impulses and friction, simulated by the hard steppers, against the
// published gait of its closed equations.
#include <footfall/load.h>

#include "math/near.h"
#include "ode/eigenvalues.h"
#include "ode/walker_gait.h"
#include "support/hard_scene.h"
#include "support/must.h"

enum { STRIDES = 10, TOY = BENCH_PASSIVE_WALKER_TOY_SIZE };

static ff_model *load(void)
{
  ff_model *model;
  ff_error error;
  ffi_must(ff_model_load(FFI_TEST_SOURCE_DIR "/models/passive_walker.urdf", NULL, &model, &error), &error);
  return model;
}

/// How it is simulated.
typedef struct way {
  ff_stepper stepper;
  double dt;
  double tolerance; // of a step's energy; 0: steps of dt
  double skin;
} way;

// As scenes/passive-walker.yaml. A foot strikes at 0.23, so h_min of 1e-7 finds it to 2e-8.
static ff_sim *create(const ff_model *model, const way *w)
{
  ff_ground_def slope = ff_ground_def_default();
  slope.shape.material = ffi_hard_material(99.9, 0, 0);
  slope.gives_pair = 1;
  ff_sim_def def = ff_sim_def_default();
  def.stepper = w->stepper;
  def.dt = w->dt;
  def.ground = &slope;
  def.ground_count = 1;
  def.c2a.h_min = 1e-7;
  def.c2a.skin = w->skin > 0 ? w->skin : def.c2a.skin;
  def.c2a.error_control = w->tolerance > 0;
  def.c2a.relative_error = w->tolerance;
  def.c2a.absolute_error = 0;
  return ffi_must_sim(model, &def);
}

// The scene's start was computed apart from this.
static void states_are_those_of_the_scene(void **state)
{
  (void)state;
  static const double scene[FFI_GAIT_NV] = {0.057649259938409664, 0.002460829017721607, -0.009313215986784262,
                                            -0.04073894169027004, 0.4724651128594464,   -0.1273366773856959,
                                            -0.392559168661934};
  ff_model *model = load();
  const double *posture = ff_model_posture(model, ff_model_find_posture(model, "heel_strike"));
  double q[FFI_GAIT_NQ], v[FFI_GAIT_NV], x[TOY];
  ffi_gait_put(ffi_gait_start, 0, q, v);
  for (int i = 0; i < FFI_GAIT_NQ; ++i)
    assert_near(q[i], posture[i], 1e-14);
  for (int i = 0; i < FFI_GAIT_NV; ++i)
    assert_near(v[i], scene[i], 1e-14);
  ffi_gait_get(q, v, 0, x);
  for (int i = 0; i < TOY; ++i)
    assert_near(x[i], ffi_gait_start[i], 1e-14);
  ff_model_destroy(model);
}

// ---- Ten strides ------------------------------------------------------------------------------------------

/// Over ten strides: the largest of any coordinate or rate right after a strike, of a period, and of an energy of
/// motion, and root mean squares of the first two.
typedef struct errors {
  double state, period, energy, mean_state, mean_period;
  double vain; // tries that were rejected, for each that was taken
} errors;

static errors walk(const way *w)
{
  ff_model *model = load();
  ff_sim *sim = create(model, w);
  ffi_gait gait;
  errors e = {0};
  ffi_gait_begin(sim, ffi_gait_start, w->skin, &gait);
  for (int n = 0; n < STRIDES; ++n) {
    double x[TOY], off = 0;
    const double late = fabs(ffi_gait_stride(&gait, x) - ffi_gait_period);
    for (int i = 0; i < TOY; ++i)
      off = fmax(off, fabs(x[i] - ffi_gait_start[i]));
    e.state = fmax(e.state, off);
    e.period = fmax(e.period, late);
    e.energy =
        fmax(e.energy, fmax(fabs(gait.fell[0] - ffi_gait_before), fabs(gait.fell[1] - ffi_gait_after)));
    e.mean_state += off * off / STRIDES;
    e.mean_period += late * late / STRIDES;
  }
  e.mean_state = sqrt(e.mean_state), e.mean_period = sqrt(e.mean_period);
  const ff_sim_totals t = ff_sim_get_totals(sim);
  e.vain = (double)t.rejected / fmax(1, (double)t.integrator_steps);
  print_message("             %s, dt %.4g, tolerance %.0e, skin %.1e: states off by %.1e (mean %.1e), "
                "periods by %.1e (%.1e), energies by %.1e; %lld substeps, %lld rejected\n",
                ff_stepper_name(w->stepper), w->dt, w->tolerance, w->skin, e.state, e.mean_state, e.period,
                e.mean_period, e.energy, t.integrator_steps, t.rejected);
  ff_sim_destroy(sim);
  ff_model_destroy(model);
  return e;
}

// How fast the mean errors of n ways fall, against the length of steps.
static double order_of(int n, const way *w, const double *error)
{
  return log(error[0] / error[n - 1]) / log(w[0].dt / w[n - 1].dt);
}

// A skin that is small against dt^2 leaves the error to the steps. With a larger one feet strike anywhere within it,
// and states are off by a dozen of it.
static void ten_strides_of_c2a_are_of_second_order(void **state)
{
  (void)state;
  way w[4];
  double off[4], late[4];
  for (int i = 0; i < 4; ++i) {
    const double dt = 0.02 / (1 << i);
    w[i] = (way){FF_STEPPER_C2A, dt, 0, 0.04 * dt * dt};
    const errors e = walk(&w[i]);
    off[i] = e.mean_state, late[i] = e.mean_period;
    assert_true(e.state < 5 * dt * dt);
    assert_true(e.period < 5 * dt * dt);
    assert_true(e.energy < dt * dt);
  }
  print_message("             order of states %.2f, of periods %.2f\n", order_of(4, w, off),
                order_of(4, w, late));
  assert_near(order_of(4, w, off), 2, 0.3);
  assert_near(order_of(4, w, late), 2, 0.3);
}

// Steps are as long as the tolerance allows, the root of it: the gait is off by a few times what was asked for. A
// blow is a difference of energies, so pieces are cut about it until it is where the skin begins, and the skin, the
// default here, is in no error.
static void ten_strides_of_c2a_are_as_accurate_as_asked(void **state)
{
  (void)state;
  double mean[3];
  for (int i = 0; i < 3; ++i) {
    const double tolerance = pow(10, -4 - i);
    const errors e = walk(&(way){FF_STEPPER_C2A, 0.02, tolerance, 1e-4});
    mean[i] = e.mean_state;
    assert_true(e.state < 20 * tolerance);
    assert_true(e.period < 20 * tolerance);
    assert_true(e.energy < 2 * tolerance);
    assert_true(e.vain < 0.1); // what rolls is held, not dropped and caught
  }
  assert_true(mean[2] < mean[0] / 50);
}

static void ten_strides_of_ca_and_moreau_are_of_first_order(void **state)
{
  (void)state;
  static const ff_stepper steppers[2] = {FF_STEPPER_CA, FF_STEPPER_MOREAU};
  for (int k = 0; k < 2; ++k) {
    way w[4];
    double off[4];
    for (int i = 0; i < 4; ++i) {
      const double dt = 0.004 / (1 << i);
      w[i] = (way){steppers[k], dt, 0, steppers[k] == FF_STEPPER_CA ? dt * dt : 0};
      const errors e = walk(&w[i]);
      off[i] = e.mean_state;
      assert_true(e.state < 15 * dt);
      assert_true(e.period < 15 * dt);
    }
    print_message("             order %.2f\n", order_of(4, w, off));
    assert_near(order_of(4, w, off), 1, 0.3);
  }
}

// ---- Within a stride --------------------------------------------------------------------------------------

static const way fine = {FF_STEPPER_C2A, 0.02, 1e-6, 1e-6};

// Where the right leg's disk is: from the left leg's frame to the hip, and down.
static void right_foot(const double *q, double out[3])
{
  const double hip = 0.8764, arm[3] = {-hip * sin(q[7]), -0.3624, hip * (1 - cos(q[7]))}, *u = q + 3,
               w = q[6];
  const double t[3] = {2 * (u[1] * arm[2] - u[2] * arm[1]), 2 * (u[2] * arm[0] - u[0] * arm[2]),
                       2 * (u[0] * arm[1] - u[1] * arm[0])};
  out[0] = q[0] + arm[0] + w * t[0] + u[1] * t[2] - u[2] * t[1];
  out[1] = q[1] + arm[1] + w * t[1] + u[2] * t[0] - u[0] * t[2];
  out[2] = q[2] + arm[2] + w * t[2] + u[0] * t[1] - u[1] * t[0];
}

// Fifty steps to the strike. Nothing is lost: the total is the published one and what lifting both legs by the skin
// takes. It goes between height and motion as the closed equations have it. The stance disk pushes all the time, and
// rolls as far as published: its middle from -0.000113 to 0.036111, while that of the other goes 0.476167 ahead and
// -0.004179 aside.
static void energy_is_kept_within_a_stride(void **state)
{
  (void)state;
  enum { POINTS = 50 };
  ff_model *model = load();
  way w = fine;
  w.dt = ffi_gait_period / POINTS;
  ff_sim *sim = create(model, &w);
  const double total = 0.710897553 + 2 * cos(0.0702) * w.skin;
  ffi_gait gait;
  double x[TOY], from[3], to[3], lost = 0, off = 0, high = 0;
  memcpy(x, ffi_gait_start, sizeof x);
  ffi_gait_begin(sim, x, w.skin, &gait);
  right_foot(ff_sim_q(sim), from);
  for (int i = 1; i < POINTS; ++i) {
    int contacts;
    ffi_must_step(sim, NULL);
    ffi_gait_flow(w.dt, x);
    const ff_contact *stance = ff_sim_contacts(sim, &contacts);
    assert_int_equal(contacts, 1);
    assert_true(stance->mean_force[2] > 0.5);
    const ff_energy energy = ff_sim_energy(sim);
    lost = fmax(lost, fabs(energy.total - total));
    off = fmax(off, fabs(energy.kinetic - bench_passive_walker_toy_kinetic_energy(x)));
    double seen[TOY];
    ffi_gait_get(ff_sim_q(sim), ff_sim_v(sim), 0, seen);
    high = fmax(high, bench_passive_walker_toy_height(seen));
    if (i % 10 == 0)
      print_message("             %.3f: of motion %.6f, of height %.6f\n", ff_sim_time(sim), energy.kinetic,
                    energy.potential);
  }
  print_message("             energy off by %.1e, that of motion by %.1e\n", lost, off);
  assert_true(lost < w.tolerance);
  assert_true(off < w.tolerance);
  assert_near(high, 0.0341, 1e-4); // between the points it is higher by 0.01^2/2 or so
  ffi_must_step(sim, NULL);        // to the strike: velocities are those before or after
  const double *q = ff_sim_q(sim);
  right_foot(q, to);
  assert_near(q[0], 0.036111, 2e-6); // the digits that are published, and the period's error
  assert_near(to[0] - from[0], 0.476167, 2e-6);
  assert_near(to[1] - from[1], -0.004179, 2e-6);
  assert_near(to[2], from[2], 2e-6);
  ff_sim_destroy(sim);
  ff_model_destroy(model);
}

// ---- From stride to stride --------------------------------------------------------------------------------

enum { FREE = 7 };
static const int free_at[FREE] = {0, 1, 2, 4,
                                  5, 6, 7}; // the swing leg's angle follows: its foot is at the slope

// One stride from the gait's start moved by `by` in the direction j.
static void stride_from(ff_sim *sim, int j, double by, double out[FREE])
{
  double x[TOY], end[TOY];
  ffi_gait gait;
  memcpy(x, ffi_gait_start, sizeof x);
  x[free_at[j]] += by;
  for (int k = 0; k < 20; ++k) {
    double next[TOY];
    memcpy(next, x, sizeof next);
    next[3] += 1e-6;
    const double height = bench_passive_walker_toy_height(x);
    x[3] -= height * 1e-6 / (bench_passive_walker_toy_height(next) - height);
  }
  ffi_gait_begin(sim, x, fine.skin, &gait);
  (void)ffi_gait_stride(&gait, end);
  for (int i = 0; i < FREE; ++i)
    out[i] = end[free_at[i]];
}

// By central differences with h and 2 h, exact to h^4. The sim's strides are off by some 1e-6 of their own, so h is
// not small: with 0.002 eigenvalues are good to 2e-3 or so.
static void a_stride_shrinks_what_is_off_as_published(void **state)
{
  (void)state;
  static const double real[FREE] = {-0.819757, -0.819757, -0.792705, -0.792705,
                                    0.386599,  0.386599,  -0.218395},
                      imaginary[FREE] = {0.179391, -0.179391, 0.250674, -0.250674, 0.593085, -0.593085, 0};
  const double h = 0.002;
  ff_model *model = load();
  ff_sim *sim = create(model, &fine);
  double D[FREE * FREE], re[FREE], im[FREE];
  for (int j = 0; j < FREE; ++j) {
    double end[4][FREE];
    for (int k = 0; k < 4; ++k)
      stride_from(sim, j, (k < 2 ? k - 2 : k - 1) * h, end[k]);
    for (int i = 0; i < FREE; ++i)
      D[i * FREE + j] = (8 * (end[2][i] - end[1][i]) - (end[3][i] - end[0][i])) / (12 * h);
  }
  ffi_eigenvalues(FREE, D, re, im);
  for (int i = 0; i < FREE; ++i) {
    print_message("             %.6f %+.6f i, |.| %.6f, published %.6f\n", re[i], im[i], hypot(re[i], im[i]),
                  hypot(real[i], imaginary[i]));
    assert_near(re[i], real[i], 6e-3);
    assert_near(im[i], imaginary[i], 6e-3);
    assert_near(hypot(re[i], im[i]), hypot(real[i], imaginary[i]), 4e-3);
  }
  ff_sim_destroy(sim);
  ff_model_destroy(model);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(states_are_those_of_the_scene),
      cmocka_unit_test(ten_strides_of_c2a_are_of_second_order),
      cmocka_unit_test(ten_strides_of_c2a_are_as_accurate_as_asked),
      cmocka_unit_test(ten_strides_of_ca_and_moreau_are_of_first_order),
      cmocka_unit_test(energy_is_kept_within_a_stride),
      cmocka_unit_test(a_stride_shrinks_what_is_off_as_published),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
