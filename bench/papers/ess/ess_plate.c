// The plate's equations, its guards and its starts.
#include "papers/ess/ess_plate.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

double bench_ess_plate_place(const bench_ess_plate *p, int spring)
{
  return p->half * (2.0 * spring / (p->springs - 1) - 1);
}

// Common to all springs in a state: the spring at place s is compressed by depth - slope s, which changes at the rate
// rate - slope_rate s.
typedef struct lean {
  double depth, slope, rate, slope_rate;
  double tangent, secant2; // of theta: tan, 1 / cos^2; feet: 0, cos
} lean;

static lean lean_of(const bench_ess_plate *p, const double *x, const double *v)
{
  const double c = cos(x[2]), s = sin(x[2]);
  if (p->has_feet)
    return (lean){p->length - x[1], s, -v[1], c * v[2], 0, c};
  const double t = s / c, sec2 = 1 / (c * c);
  return (lean){p->length + t * x[0] - x[1], t, t * v[0] - v[1] + sec2 * x[0] * v[2], sec2 * v[2], t, sec2};
}

void bench_ess_plate_guards(const bench_ess_plate *p, const double *x, double *h, double *Dh)
{
  const lean l = lean_of(p, x, x + 3);
  for (int i = 0; i < p->springs; ++i) {
    const double s = bench_ess_plate_place(p, i);
    h[i] = l.depth - l.slope * s;
    if (Dh) {
      Dh[3 * i] = l.tangent;
      Dh[3 * i + 1] = -1;
      Dh[3 * i + 2] = l.secant2 * (p->has_feet ? -s : x[0] - s);
    }
  }
}

// Accelerations from the sum of forces and the sum of forces times places.
static void accelerate(const bench_ess_plate *p, const lean *l, const double *x, double force, double moment,
                       double *a)
{
  a[0] = -l->tangent * force / p->mass;
  a[1] = force / p->mass - p->gravity;
  a[2] = l->secant2 * (moment - (p->has_feet ? 0 : x[0] * force)) / p->inertia;
}

// ---- As a system ----------------------------------------------------------------------------------------

static const bench_ess_plate *plate_of(void *user)
{
  return ((const bench_ess_simulator_user *)user)->model;
}

static int field(double t, const double *x, const signed char *side, double *dx, void *user)
{
  const bench_ess_plate *p = plate_of(user);
  const lean l = lean_of(p, x, x + 3);
  const double first = p->stiffness * l.depth + p->damping * l.rate,
               second = p->stiffness * l.slope + p->damping * l.slope_rate;
  const double step = 2 * p->half / (p->springs - 1);
  double force = 0, moment = 0;
  (void)t;
  for (int i = 0; i < p->springs; ++i) {
    const double s = step * i - p->half, f = side[i] > 0 ? first - second * s : 0;
    force += f;
    moment += f * s;
  }
  memcpy(dx, x + 3, 3 * sizeof *dx);
  accelerate(p, &l, x, force, moment, dx + 3);
  return 0;
}

static void guard(const double *x, double *h, void *user)
{
  const bench_ess_plate *p = plate_of(user);
  const lean l = lean_of(p, x, x + 3);
  const double step = 2 * p->half / (p->springs - 1);
  for (int i = 0; i < p->springs; ++i) {
    const double value = l.depth - l.slope * (step * i - p->half);
    h[i] = value;
    h[p->springs + i] = -value;
  }
}

static void guard_rate(const double *x, const double *dx, double *rate, void *user)
{
  const bench_ess_plate *p = plate_of(user);
  const lean l = lean_of(p, x, dx); // gives the rate of h for any velocity
  const double step = 2 * p->half / (p->springs - 1);
  for (int i = 0; i < p->springs; ++i) {
    const double value = l.rate - l.slope_rate * (step * i - p->half);
    rate[i] = value;
    rate[p->springs + i] = -value;
  }
}

ff_ess_def bench_ess_plate_def(const bench_ess_plate *p, ff_ess_rearm *rearm)
{
  ff_ess_def def = ff_ess_def_default();
  def.system = (ff_ess_system){.size = BENCH_ESS_PLATE_SIZE,
                               .guards = 2 * p->springs,
                               .field = field,
                               .guard = guard,
                               .guard_rate = guard_rate};
  for (int i = 0; i < p->springs; ++i) {
    rearm[2 * i] = (ff_ess_rearm){i, p->springs + i};
    rearm[2 * i + 1] = (ff_ess_rearm){p->springs + i, i};
  }
  def.rearm = rearm;
  def.rearm_count = 2 * p->springs;
  return def;
}

// ---- Without guards -------------------------------------------------------------------------------------

static void fine_rate(const bench_ess_plate *p, const double *x, double *dx)
{
  const lean l = lean_of(p, x, x + 3);
  double force = 0, moment = 0;
  for (int i = 0; i < p->springs; ++i) {
    const double s = bench_ess_plate_place(p, i), h = l.depth - l.slope * s;
    double f = p->stiffness * h + p->damping * (l.rate - l.slope_rate * s);
    if (h <= 0 || (p->cannot_pull && f < 0))
      f = 0;
    force += f;
    moment += f * s;
  }
  memcpy(dx, x + 3, 3 * sizeof *dx);
  accelerate(p, &l, x, force, moment, dx + 3);
}

static void fine_step(const bench_ess_plate *p, double dt, double *x)
{
  static const double place[4] = {0, 0.5, 0.5, 1}, weight[4] = {1. / 6, 1. / 3, 1. / 3, 1. / 6};
  double slope[4][BENCH_ESS_PLATE_SIZE], trial[BENCH_ESS_PLATE_SIZE];
  for (int s = 0; s < 4; ++s) {
    for (int k = 0; k < BENCH_ESS_PLATE_SIZE; ++k)
      trial[k] = x[k] + (s > 0 ? dt * place[s] * slope[s - 1][k] : 0);
    fine_rate(p, trial, slope[s]);
  }
  for (int s = 0; s < 4; ++s)
    for (int k = 0; k < BENCH_ESS_PLATE_SIZE; ++k)
      x[k] += dt * weight[s] * slope[s][k];
}

typedef struct fine_truth {
  const bench_ess_plate *plate;
  double t, step, x[BENCH_ESS_PLATE_SIZE];
} fine_truth;

static int fine_at(void *truth, double t, double *x)
{
  fine_truth *f = truth;
  const int steps = (int)ceil((t - f->t) / f->step - 1e-9);
  for (int i = 0; i < steps; ++i)
    fine_step(f->plate, (t - f->t) / steps, f->x);
  f->t = t;
  memcpy(x, f->x, sizeof f->x);
  return 1;
}

double bench_ess_plate_fine(const bench_ess_plate *p, const double *x0, double step,
                            const bench_ess_trace *trace)
{
  fine_truth truth = {.plate = p, .step = step};
  memcpy(truth.x, x0, sizeof truth.x);
  return bench_ess_trace_error(trace, fine_at, &truth);
}

// ---- Starts ---------------------------------------------------------------------------------------------

// In (0, 1): the upper bits of a linear congruential generator (Knuth's MMIX), two numbers per start.
static double draw(int number)
{
  uint64_t r = 88172645463325252u + (uint64_t)number * 2862933555777941757u;
  for (int i = 0; i < 4; ++i)
    r = r * 6364136223846793005u + 1442695040888963407u, r ^= r >> 29;
  return ((double)(r >> 11) + 0.5) / 9007199254740992.0;
}

void bench_ess_plate_start(int number, double x0[BENCH_ESS_PLATE_SIZE])
{
  memset(x0, 0, BENCH_ESS_PLATE_SIZE * sizeof *x0);
  x0[1] = 2 + draw(2 * number);
  x0[2] = 0.2 * draw(2 * number + 1) - 0.1;
}
