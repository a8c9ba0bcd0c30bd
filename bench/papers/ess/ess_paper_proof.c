// Section 6 of the ESS paper: the error of a projection against its bound, over random fields. Fig. 3.1: a system with
// constant fields and flat guards, for which projections are exact.
#include "common/random.h"
#include "papers/ess/ess_paper.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

double bench_ess_paper_proof_work(const void *paper)
{
  const bench_ess_paper *b = paper;
  (void)b;
  return 0.3;
}

// ---- Section 6 ------------------------------------------------------------------------------------------

// A planar field of waves, x' = (across sin(k.x + p), least + rise (1 + sin(k.x + q))/2), and the guard y = 0.
typedef struct waves {
  double k[2], p, q, across, least, rise;
} waves;

static int wave_field(double t, const double *x, const signed char *side, double *dx, void *user)
{
  const waves *w = user;
  const double angle = w->k[0] * x[0] + w->k[1] * x[1];
  (void)t, (void)side;
  dx[0] = w->across * sin(angle + w->p);
  dx[1] = w->least + 0.5 * w->rise * (1 + sin(angle + w->q));
  return 0;
}

static void wave_guard(const double *x, double *h, void *user)
{
  (void)user;
  h[0] = x[1];
}

static void wave_guard_rate(const double *x, const double *dx, double *rate, void *user)
{
  (void)x, (void)user;
  rate[0] = dx[1];
}

// The bound on the distance of the projected from the true point of crossing, in the largest norm: 2 M/L (exp(eps L/c)
// - 1) + 2 M eps/c, where f is at most M with the Lipschitz constant L, and h rises by c at least.
static double bound_of(const waves *w, double epsilon)
{
  const double M = fmax(w->across, w->least + w->rise),
               L = (fabs(w->k[0]) + fabs(w->k[1])) * fmax(w->across, 0.5 * w->rise), c = w->least;
  return 2 * M / L * expm1(epsilon * L / c) + 2 * M * epsilon / c;
}

static ff_status cross(const waves *w, ff_ess_method method, double epsilon, double out[2], ff_error *error)
{
  waves copy = *w;
  ff_ess_def def = ff_ess_def_default();
  ff_ess *ess;
  int guard = -1;
  def.system = (ff_ess_system){.size = 2,
                               .guards = 1,
                               .field = wave_field,
                               .guard = wave_guard,
                               .guard_rate = wave_guard_rate,
                               .user = &copy};
  def.method = method;
  def.epsilon = epsilon;
  def.relative_tolerance = 1e-11;
  def.absolute_tolerance = 1e-13;
  ff_status status = ff_ess_create(&def, &ess, error);
  if (status != FF_OK)
    return status;
  status = ff_ess_start(ess, 0, (double[]){0, -epsilon}, NULL, error);
  if (status == FF_OK)
    status = ff_ess_next(ess, 2 * epsilon / w->least, &guard, error);
  if (status == FF_OK && guard == 0)
    memcpy(out, ff_ess_state(ess), 2 * sizeof *out);
  else
    out[0] = out[1] = NAN;
  ff_ess_destroy(ess);
  return status;
}

static double between(uint64_t *seed, double low, double high)
{
  return low + (high - low) * 0.5 * (1 + bench_random(seed));
}

static waves random_waves(uint64_t *seed)
{
  waves w = {.least = 1};
  for (int i = 0; i < 2; ++i)
    w.k[i] = between(seed, -3, 3);
  w.p = between(seed, 0, 6.3);
  w.q = between(seed, 0, 6.3);
  w.across = pow(10, between(seed, -1, 1));
  w.rise = pow(10, between(seed, -1, 1));
  return w;
}

static ff_status measure_bound(bench_ess_paper_proof *p, ff_error *error)
{
  uint64_t seed = 1;
  for (int e = 0; e < BENCH_ESS_PROOF_EPSILONS; ++e) {
    p->epsilon[e] = pow(10, -0.5 * e - 0.5);
    for (int i = 0; i < BENCH_ESS_PROOF_FIELDS; ++i) {
      const waves w = random_waves(&seed);
      double projected[2], exact[2];
      ff_status status = cross(&w, FF_ESS_PROJECT, p->epsilon[e], projected, error);
      if (status == FF_OK)
        status = cross(&w, FF_ESS_LOCATE, p->epsilon[e], exact, error);
      if (status != FF_OK)
        return status;
      const double off = fmax(fabs(projected[0] - exact[0]), fabs(projected[1] - exact[1])),
                   share = off / bound_of(&w, p->epsilon[e]);
      p->error[e] = fmax(p->error[e], off);
      p->share[e] = isnan(p->share[e]) || share <= p->share[e] ? p->share[e] : share; // NAN stays
    }
  }
  return FF_OK;
}

// ---- Fig. 3.1 -------------------------------------------------------------------------------------------

// Two straight guards, n.x = at, and a constant field for each pair of sides.
static const double guard_normal[2][2] = {{1, -0.4}, {0.3, 1}}, guard_at[2] = {0.5, 0.9};
static const double constant[4][2] = {
    {1, 0.5}, {0.6, 1}, {1.2, 0.2}, {0.7, 0.9}}; // by sides: bit k for guard k
static const double figure_start[2] = {-0.3, 0}, figure_duration = 2;

static int constant_field(double t, const double *x, const signed char *side, double *dx, void *user)
{
  const double *f = constant[(side[0] > 0) + 2 * (side[1] > 0)];
  (void)t, (void)x, (void)user;
  dx[0] = f[0], dx[1] = f[1];
  return 0;
}

static void straight_guards(const double *x, double *h, void *user)
{
  (void)user;
  for (int k = 0; k < 2; ++k)
    h[k] = guard_normal[k][0] * x[0] + guard_normal[k][1] * x[1] - guard_at[k];
}

static void straight_guards_rate(const double *x, const double *dx, double *rate, void *user)
{
  (void)x, (void)user;
  for (int k = 0; k < 2; ++k)
    rate[k] = guard_normal[k][0] * dx[0] + guard_normal[k][1] * dx[1];
}

// The polygon of the exact motion: where it crosses guards, and its end.
static void follow_exactly(double end[2])
{
  double x[2] = {figure_start[0], figure_start[1]}, left = figure_duration;
  for (int sides = 0;;) {
    const double *f = constant[sides];
    double h[2], first = left;
    int next = -1;
    straight_guards(x, h, NULL);
    for (int k = 0; k < 2; ++k) {
      const double rate = guard_normal[k][0] * f[0] + guard_normal[k][1] * f[1];
      if (!(sides & 1 << k) && -h[k] / rate < first)
        first = -h[k] / rate, next = k;
    }
    x[0] += first * f[0], x[1] += first * f[1];
    left -= first;
    if (next < 0)
      break;
    sides |= 1 << next;
  }
  memcpy(end, x, sizeof x);
}

static ff_status measure_figure(bench_ess_paper_proof *p, ff_error *error)
{
  double exact[2];
  follow_exactly(exact);
  for (int e = BENCH_ESS_PROOF_EPSILONS - 1; e >= 0; --e) { // the widest bands last: they are drawn
    ff_ess_def def = ff_ess_def_default();
    bench_ess_simulator simulator;
    bench_ess_trace *trace = &p->figure;
    def.system = (ff_ess_system){.size = 2,
                                 .guards = 2,
                                 .field = constant_field,
                                 .guard = straight_guards,
                                 .guard_rate = straight_guards_rate};
    def.epsilon = p->epsilon[e];
    def.max_step = 0.05; // to be seen
    ff_status status = bench_ess_simulator_create(&def, NULL, &simulator, error);
    if (status == FF_OK)
      status = simulator.go(simulator.self, figure_start, figure_duration, trace, error);
    bench_ess_simulator_destroy(&simulator);
    if (status != FF_OK)
      return status;
    const double *end = trace->x + 2 * (trace->count - 1);
    for (int i = 0; i < 2; ++i)
      p->off =
          isnan(p->off) || fabs(end[i] - exact[i]) <= p->off ? p->off : fabs(end[i] - exact[i]); // NAN stays
  }
  return FF_OK;
}

void bench_ess_paper_proof_guard(int guard, double x[2], double y[2])
{
  for (int i = 0; i < 2; ++i) { // where y is 0 and 1.6
    y[i] = 1.6 * i;
    x[i] = (guard_at[guard] - guard_normal[guard][1] * y[i]) / guard_normal[guard][0];
  }
}

// ---- Both -----------------------------------------------------------------------------------------------

static void report(const bench_ess_paper *b)
{
  const bench_ess_paper_proof *p = &b->proof;
  char titles[][24] = {"largest error", "share of the bound"}, metric[48];
  bench_table_say(&b->run.table, "Section 6: error of a projection against its bound, %d random fields each",
                  BENCH_ESS_PROOF_FIELDS);
  bench_table_titles(&b->run.table, "epsilon", 2, titles);
  for (int e = 0; e < BENCH_ESS_PROOF_EPSILONS; ++e) {
    char name[16];
    snprintf(name, sizeof name, "%.2g", p->epsilon[e]);
    bench_table_row(&b->run.table, name);
    bench_table_error(&b->run.table, p->error[e]);
    bench_table_error(&b->run.table, p->share[e]);
    bench_table_end(&b->run.table);
    snprintf(metric, sizeof metric, "error:epsilon=%.2g", p->epsilon[e]);
    bench_paper_row(&b->run, "proof", metric, p->error[e], "1");
    snprintf(metric, sizeof metric, "share:epsilon=%.2g", p->epsilon[e]);
    bench_paper_row(&b->run, "proof", metric, p->share[e], "of the bound");
  }
  bench_table_say(&b->run.table, "Fig. 3.1: constant fields, straight guards: off by %.1e at the end",
                  p->off);
  bench_paper_row(&b->run, "proof", "constant:off", p->off, "1");
}

ff_status bench_ess_paper_proof_run(void *paper, ff_error *error)
{
  bench_ess_paper *b = paper;
  ff_status status = measure_bound(&b->proof, error);
  if (status == FF_OK)
    status = measure_figure(&b->proof, error);
  if (status != FF_OK)
    return status;
  b->proof.is_measured = 1;
  report(b);
  return FF_OK;
}
