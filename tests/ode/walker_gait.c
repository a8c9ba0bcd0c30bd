// States of the passive walker to and from a sim, and its strides.
#include "ode/walker_gait.h"

#include "math/near.h"
#include "support/must.h"

const double ffi_gait_start[BENCH_PASSIVE_WALKER_TOY_SIZE] = {
    0.098667659866352,  -0.009248610677113, -0.160165834955406, 3.435833890383295,
    -0.132209655102885, -0.019909619884479, 0.471242374663337,  -0.392559168661934};
const double ffi_gait_period = 1.00711403622, ffi_gait_before = 0.109327118, ffi_gait_after = 0.073386833;

static const double radius = 0.1236;

// About y by -angle: from the axes of Rz(heading) Rx(lean) to those of the leg, or by angle back.
static void turn_y(double angle, const double x[3], double out[3])
{
  const double c = cos(angle), s = sin(angle), z = c * x[2] - s * x[0];
  out[0] = c * x[0] + s * x[2], out[1] = x[1], out[2] = z;
}

void ffi_gait_put(const double *x, double gap, double q[FFI_GAIT_NQ], double v[FFI_GAIT_NV])
{
  const double cz = cos(x[0] / 2), sz = sin(x[0] / 2), cx = cos(x[1] / 2), sx = sin(x[1] / 2),
               cy = cos(x[2] / 2), sy = sin(x[2] / 2), s = sin(x[1]), c = cos(x[1]);
  const double w = cz * cx, i = cz * sx, j = sz * sx, k = sz * cx; // of Rz Rx
  q[0] = radius * s * sin(x[0]);
  q[1] = -radius * s * cos(x[0]);
  q[2] = radius * c + gap;
  q[3] = i * cy - k * sy;
  q[4] = w * sy + j * cy;
  q[5] = k * cy + i * sy;
  q[6] = w * cy - j * sy;
  q[7] = x[3] - PI;
  const double spin[3] = {x[5], s * x[4] + x[6], c * x[4]};
  const double rolls[3] = {radius * spin[1], -radius * spin[0], 0}; // spin x radius up
  turn_y(-x[2], rolls, v);
  turn_y(-x[2], spin, v + 3);
  v[6] = x[7];
}

void ffi_gait_get(const double q[FFI_GAIT_NQ], const double v[FFI_GAIT_NV], int is_right, double *x)
{
  const double i = q[3], j = q[4], k = q[5], w = q[6], side = is_right ? -1 : 1;
  const double heading = atan2(2 * (w * k - i * j), 1 - 2 * (i * i + k * k)),
               lean = asin(2 * (j * k + w * i)), pitch = atan2(2 * (w * j - i * k), 1 - 2 * (i * i + j * j));
  double spin[3];
  turn_y(pitch, v + 3, spin);
  const double turn = spin[2] / cos(lean);
  x[0] = side * heading;
  x[1] = side * lean;
  x[2] = pitch + (is_right ? q[7] : 0);
  x[3] = PI + side * q[7];
  x[4] = side * turn;
  x[5] = side * spin[0];
  x[6] = spin[1] - sin(lean) * turn + (is_right ? v[6] : 0);
  x[7] = side * v[6];
}

// ---- The closed equations ---------------------------------------------------------------------------------

static void add(double h, const double *rate, const double *x, double *out)
{
  for (int i = 0; i < BENCH_PASSIVE_WALKER_TOY_SIZE; ++i)
    out[i] = x[i] + h * rate[i];
}

static void runge_kutta(double h, double *x)
{
  static const double part[4] = {0, 0.5, 0.5, 1}, weight[4] = {1, 2, 2, 1};
  double at[BENCH_PASSIVE_WALKER_TOY_SIZE], rate[BENCH_PASSIVE_WALKER_TOY_SIZE] = {0},
                                            end[BENCH_PASSIVE_WALKER_TOY_SIZE];
  memcpy(end, x, sizeof end);
  for (int k = 0; k < 4; ++k) {
    add(part[k] * h, rate, x, at);
    assert_int_equal(bench_passive_walker_toy_rate(at, rate), 0);
    add(weight[k] * h / 6, rate, end, end);
  }
  memcpy(x, end, sizeof end);
}

void ffi_gait_flow(double t, double *x)
{
  const int steps = (int)ceil(fabs(t) / 0.002);
  for (int k = 0; k < steps; ++k)
    runge_kutta(t / steps, x);
}

double ffi_gait_to_section(double *x)
{
  double t = 0;
  for (int k = 0; k < 30; ++k) {
    double next[BENCH_PASSIVE_WALKER_TOY_SIZE];
    memcpy(next, x, sizeof next);
    ffi_gait_flow(1e-6, next);
    const double height = bench_passive_walker_toy_height(x),
                 rate = (bench_passive_walker_toy_height(next) - height) / 1e-6,
                 by = fmin(fmax(-height / rate, -0.05), 0.05);
    ffi_gait_flow(by, x);
    t += by;
    if (fabs(by) < 1e-13)
      return t;
  }
  fail_msg("the swing foot is never at the slope");
  return 0;
}

// ---- Strides ----------------------------------------------------------------------------------------------

void ffi_gait_begin(ff_sim *sim, const double *x, double gap, ffi_gait *gait)
{
  double q[FFI_GAIT_NQ], v[FFI_GAIT_NV];
  *gait = (ffi_gait){.sim = sim};
  ffi_gait_put(x, gap, q, v);
  ffi_must_reset(sim, q, v);
}

static void look(const ffi_gait *gait, double *x)
{
  ffi_gait_get(ff_sim_q(gait->sim), ff_sim_v(gait->sim), gait->is_right, x);
}

// Does the leg that swings push on the slope?
static int is_struck(const ffi_gait *gait)
{
  int count, swing = gait->is_right ? 0 : 1;
  const ff_contact *c = ff_sim_contacts(gait->sim, &count);
  for (int i = 0; i < count; ++i)
    if (c[i].link_a == swing && c[i].mean_force[2] > 0)
      return 1;
  return 0;
}

static void step(ffi_gait *gait)
{
  assert_true(ff_sim_time(gait->sim) < gait->struck + 2 * ffi_gait_period);
  ffi_must_step(gait->sim, NULL);
}

double ffi_gait_stride(ffi_gait *gait, double *x)
{
  double last[BENCH_PASSIVE_WALKER_TOY_SIZE];
  for (int is_over_middle = 0;; is_over_middle |= last[3] < PI - 0.05) {
    step(gait);
    if (is_over_middle && is_struck(gait))
      break;
    look(gait, last);
  }
  (void)ffi_gait_to_section(last);
  gait->fell[0] = bench_passive_walker_toy_kinetic_energy(last);
  const double seen = ff_sim_time(gait->sim), before = gait->struck;
  while (ff_sim_time(gait->sim) < seen + 0.1 * ffi_gait_period)
    step(gait);
  gait->is_right = !gait->is_right;
  look(gait, x);
  ffi_gait_flow(seen - ff_sim_time(gait->sim), x);
  gait->struck = seen + ffi_gait_to_section(x);
  gait->fell[1] = bench_passive_walker_toy_kinetic_energy(x);
  return gait->struck - before;
}
