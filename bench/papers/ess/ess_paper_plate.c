// Section 5.2 of the ESS paper: a plate falls on many springs. Time over their number, from many starts, with projected
// and located guards and in MuJoCo; the same up to a thousand springs; and the same for the plate with feet, which our
// steppers can simulate too.
#include "papers/ess/ess_mujoco.h"
#include "papers/ess/ess_paper.h"
#include "papers/ess/ess_robot.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const bench_ess_paper_plate_methods[BENCH_ESS_PLATE_METHODS] = {"ess", "dopri5", "mujoco",
                                                                            "expo"};

static const double fine_step = 1e-5; // of expo's truth [s]

// One of the three studies: which plates, from how many starts, and with which methods.
typedef struct plan {
  const char *which; // case of its rows
  int has_feet;
  int counts[BENCH_ESS_PLATES], count;
  int starts, judged;           // timed; and the number of them that are compared with a truth
  int peer_starts, peer_judged; // of MuJoCo and expo, which are slow
} plan;

static plan bed_plan(const bench_ess_paper *b)
{
  if (b->run.is_quick)
    return (plan){.which = "plate",
                  .counts = {2, 25, 50, 75, 100},
                  .count = 5,
                  .starts = 24,
                  .judged = 4,
                  .peer_starts = 24};
  return (plan){.which = "plate",
                .counts = {2, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100},
                .count = 11,
                .starts = BENCH_ESS_STARTS_MOST,
                .judged = 24,
                .peer_starts = BENCH_ESS_STARTS_MOST};
}

static plan crowd_plan(const bench_ess_paper *b)
{
  if (b->run.is_quick)
    return (plan){.which = "crowd",
                  .counts = {100, 200, 500, 1000},
                  .count = 4,
                  .starts = 6,
                  .judged = 3,
                  .peer_starts = 1};
  return (plan){.which = "crowd",
                .counts = {100, 150, 200, 300, 500, 700, 1000},
                .count = 7,
                .starts = 40,
                .judged = 12,
                .peer_starts = 3};
}

static plan feet_plan(const bench_ess_paper *b)
{
  if (b->run.is_quick)
    return (plan){.which = "feet",
                  .has_feet = 1,
                  .counts = {2, 10, 50},
                  .count = 3,
                  .starts = 6,
                  .judged = 2,
                  .peer_starts = 6,
                  .peer_judged = 1};
  return (plan){.which = "feet",
                .has_feet = 1,
                .counts = {2, 10, 25, 50, 100},
                .count = 5,
                .starts = 40,
                .judged = 8,
                .peer_starts = 40,
                .peer_judged = 3};
}

static double work_at(const plan *p, int i) // estimate for the i-th plate [s]
{
  const double n = p->counts[i], own = (0.4e-3 + 2e-5 * n + 2e-8 * n * n) * (3 * p->starts + 20 * p->judged),
               mujoco = (1e-3 + 1.5e-4 * n + 2e-7 * n * n) * 2 * p->peer_starts,
               expo = p->has_feet ? 5e-4 * n * p->peer_starts + 2e-2 * n * p->peer_judged : 0;
  return own + mujoco + expo;
}

static double work(const plan *p)
{
  double sum = 0;
  for (int i = 0; i < p->count; ++i)
    sum += work_at(p, i);
  return sum;
}

double bench_ess_paper_plate_bed_work(const void *paper)
{
  const bench_ess_paper *b = paper;
  const plan p = bed_plan(b);
  return work(&p);
}
double bench_ess_paper_plate_crowd_work(const void *paper)
{
  const bench_ess_paper *b = paper;
  const plan p = crowd_plan(b);
  return work(&p);
}
double bench_ess_paper_plate_feet_work(const void *paper)
{
  const bench_ess_paper *b = paper;
  const plan p = feet_plan(b);
  return work(&p);
}

// ---- One plate ------------------------------------------------------------------------------------------

typedef struct crew {
  bench_ess_plate plate;
  ff_ess_rearm *rearm;
  bench_ess_simulator simulators[BENCH_ESS_PLATE_METHODS];
  bench_ess_simulator tight; // the truth of ess and dopri5
  bench_ess_simulator fine;  // of MuJoCo: MuJoCo with a twentieth of the step
} crew;

static void dismiss(crew *c)
{
  for (int w = 0; w < BENCH_ESS_PLATE_METHODS; ++w)
    bench_ess_simulator_destroy(&c->simulators[w]);
  bench_ess_simulator_destroy(&c->tight);
  bench_ess_simulator_destroy(&c->fine);
  free(c->rearm);
}

static ff_status engage_ours(const bench_ess_paper *b, crew *c, ff_error *error)
{
  const ff_ess_def def = bench_ess_plate_def(&c->plate, c->rearm),
                   project = bench_ess_paper_fixed_steps(def, FF_ESS_PROJECT, b->epsilon),
                   locate = bench_ess_paper_fixed_steps(def, FF_ESS_LOCATE, b->epsilon),
                   tight = bench_ess_paper_tight(def);
  ff_status status =
      bench_ess_simulator_create(&project, &c->plate, &c->simulators[BENCH_ESS_PLATE_ESS], error);
  if (status == FF_OK)
    status = bench_ess_simulator_create(&locate, &c->plate, &c->simulators[BENCH_ESS_PLATE_DOPRI5], error);
  if (status == FF_OK)
    status = bench_ess_simulator_create(&tight, &c->plate, &c->tight, error);
  return status;
}

static ff_status engage(bench_ess_paper *b, const plan *p, int springs, crew *c, ff_error *error)
{
  *c = (crew){.plate = bench_ess_paper_make_plate(springs, p->has_feet)};
  c->rearm = calloc(2 * (size_t)springs, sizeof *c->rearm);
  if (!c->rearm)
    return error->status = FF_ERROR_MEMORY;
  ff_status status = engage_ours(b, c, error);
  const int has_mujoco =
      bench_ess_mujoco_plate(&c->plate, BENCH_ESS_MUJOCO_EULER, bench_ess_paper_step,
                             &c->simulators[BENCH_ESS_PLATE_MUJOCO], b->no_mujoco, sizeof b->no_mujoco);
  if (status != FF_OK || !p->has_feet)
    return status;
  c->plate.cannot_pull = 1; // the truth of expo; the system of ess ignores it
  if (has_mujoco)
    bench_ess_mujoco_plate(&c->plate, BENCH_ESS_MUJOCO_RK4, bench_ess_paper_step / 20, &c->fine, b->no_mujoco,
                           sizeof b->no_mujoco);
  return bench_ess_robot_plate(&c->plate, FF_STEPPER_EXPO, bench_ess_paper_step,
                               &c->simulators[BENCH_ESS_PLATE_EXPO], error);
}

// Squared error of one method from one start; NAN if it is not known.
static double square(crew *c, int method, const double *x0, bench_ess_trace *trace, bench_ess_trace *fine)
{
  const bench_ess_simulator *m = &c->simulators[method], *own = &c->fine;
  ff_error ignored;
  if (!m->self || m->go(m->self, x0, bench_ess_paper_duration, trace, &ignored) != FF_OK)
    return NAN;
  if (method == BENCH_ESS_PLATE_ESS || method == BENCH_ESS_PLATE_DOPRI5)
    return bench_ess_simulator_truth_begin(&c->tight, x0, &ignored) == FF_OK
               ? pow(bench_ess_trace_error(trace, bench_ess_simulator_truth_at, c->tight.self), 2)
               : NAN;
  if (method == BENCH_ESS_PLATE_EXPO)
    return pow(bench_ess_plate_fine(&c->plate, x0, fine_step, trace), 2);
  if (!own->self || own->go(own->self, x0, bench_ess_paper_duration, fine, &ignored) != FF_OK)
    return NAN;
  return pow(bench_ess_trace_error(trace, bench_ess_trace_fine_at, &(bench_ess_trace_fine){fine, 0}), 2);
}

static void judge(const plan *p, crew *c, bench_ess_paper_plate_case *out)
{
  bench_ess_trace trace = {0}, fine = {0};
  double x0[BENCH_ESS_PLATE_SIZE];
  for (int w = 0; w < BENCH_ESS_PLATE_METHODS; ++w) {
    const int judged = w < BENCH_ESS_PLATE_MUJOCO ? p->judged : p->peer_judged;
    double sum = 0;
    for (int i = 0; i < judged && isfinite(sum); ++i) {
      bench_ess_plate_start(i, x0);
      sum += square(c, w, x0, &trace, &fine);
      if (w != BENCH_ESS_PLATE_ESS)
        continue;
      const ff_ess_info info = ff_ess_get_info(bench_ess_simulator_ess(&c->simulators[w]));
      out->crossings += (double)info.crossings / p->judged;
      out->turned += (double)info.turned / p->judged;
    }
    out->error[w] = sqrt(sum / judged); // 0 / 0: none
  }
  bench_ess_trace_free(&trace);
  bench_ess_trace_free(&fine);
}

static int ascending(const void *a, const void *b)
{
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static double median(double *values, int count)
{
  qsort(values, (size_t)count, sizeof *values, ascending);
  return 0.5 * (values[count / 2] + values[(count - 1) / 2]);
}

// Of every other value.
static double median_of_half(const double *values, int count, int first)
{
  double list[BENCH_ESS_STARTS_MOST];
  int kept = 0;
  for (int i = first; i < count; i += 2)
    list[kept++] = values[i];
  return kept > 0 ? median(list, kept) : NAN;
}

// All methods in turns from each start, twice; the shorter time counts.
static void time_all(const plan *p, crew *c, bench_ess_paper_plate_case *out)
{
  double seconds[BENCH_ESS_PLATE_METHODS][BENCH_ESS_STARTS_MOST] = {{0}};
  int failed[BENCH_ESS_PLATE_METHODS] = {0};
  for (int i = 0; i < p->starts; ++i) {
    double x0[BENCH_ESS_PLATE_SIZE], now[BENCH_ESS_PLATE_METHODS];
    bench_ess_plate_start(i, x0);
    bench_ess_simulator_time(c->simulators,
                             i < p->peer_starts ? BENCH_ESS_PLATE_METHODS : BENCH_ESS_PLATE_MUJOCO, x0,
                             bench_ess_paper_duration, 2, now);
    for (int w = 0; w < BENCH_ESS_PLATE_METHODS; ++w) {
      if (w >= BENCH_ESS_PLATE_MUJOCO && i >= p->peer_starts)
        continue;
      failed[w] = failed[w] || isnan(now[w]);
      seconds[w][i] = now[w];
    }
  }
  for (int w = 0; w < BENCH_ESS_PLATE_METHODS; ++w) {
    const int count = w >= BENCH_ESS_PLATE_MUJOCO ? p->peer_starts : p->starts;
    for (int half = 0; half < 2; ++half)
      out->half[half][w] = failed[w] ? NAN : median_of_half(seconds[w], count, half);
    out->seconds[w] = failed[w] ? NAN : median(seconds[w], count); // sorts them
  }
}

static const double *of_all(const bench_ess_paper_plate_case *c)
{
  return c->seconds;
}
static const double *of_even(const bench_ess_paper_plate_case *c)
{
  return c->half[0];
}
static const double *of_odd(const bench_ess_paper_plate_case *c)
{
  return c->half[1];
}

// Slope of the line through (springs, seconds).
static double marginal(const bench_ess_paper_plate *s,
                       const double *(*times)(const bench_ess_paper_plate_case *), int method)
{
  double n = 0, sx = 0, sy = 0, sxx = 0, sxy = 0;
  for (int i = 0; i < s->count; ++i) {
    const double x = s->cases[i].springs, y = times(&s->cases[i])[method];
    n += 1, sx += x, sy += y, sxx += x * x, sxy += x * y;
  }
  return (n * sxy - sx * sy) / (n * sxx - sx * sx);
}

// Least-squares fit of a + b n + c n^2 in n / 100, relative to the medians. Returns the largest relative deviation.
static double roughness(const bench_ess_paper_plate *s, int method)
{
  double m[3][4] = {{0}}, worst = 0;
  if (s->count < 4)
    return NAN;
  for (int i = 0; i < s->count; ++i) {
    const double n = s->cases[i].springs / 100.0, y = s->cases[i].seconds[method],
                 row[4] = {1 / y, n / y, n * n / y, 1};
    for (int r = 0; r < 3; ++r)
      for (int k = 0; k < 4; ++k)
        m[r][k] += row[r] * row[k];
  }
  for (int r = 0; r < 3; ++r) // positive definite: no pivoting
    for (int q = 0; q < 3; ++q) {
      const double factor = m[q][r] / m[r][r];
      for (int k = 0; k < 4 && q != r; ++k)
        m[q][k] -= factor * m[r][k];
    }
  for (int i = 0; i < s->count; ++i) {
    const double n = s->cases[i].springs / 100.0;
    double fitted = 0;
    for (int r = 0; r < 3; ++r)
      fitted += m[r][3] / m[r][r] * pow(n, r);
    worst = fmax(worst, fabs(fitted / s->cases[i].seconds[method] - 1));
  }
  return worst;
}

static ff_status measure(bench_ess_paper *b, const plan *p, bench_ess_paper_plate *s, ff_error *error)
{
  double done = 0;
  s->starts = p->starts;
  s->count = p->count;
  for (int i = 0; i < p->count; ++i) {
    bench_ess_paper_plate_case *out = &s->cases[i];
    crew c;
    out->springs = p->counts[i];
    const ff_status status = engage(b, p, out->springs, &c, error);
    if (status == FF_OK) {
      judge(p, &c, out);
      time_all(p, &c, out);
    }
    dismiss(&c);
    if (status != FF_OK)
      return status;
    out->is_measured = 1;
    done += work_at(p, i);
    bench_progress_share(&b->run.progress, done / work(p));
  }
  for (int w = 0; w < BENCH_ESS_PLATE_METHODS; ++w) {
    s->marginal[w] = marginal(s, of_all, w);
    s->marginal_half[0][w] = marginal(s, of_even, w);
    s->marginal_half[1][w] = marginal(s, of_odd, w);
    s->rough[w] = isfinite(s->marginal[w]) ? roughness(s, w) : NAN;
  }
  s->is_measured = 1;
  return FF_OK;
}

// ---- Reports --------------------------------------------------------------------------------------------

static void report_case(const bench_ess_paper *b, const char *which, const bench_ess_paper_plate_case *c)
{
  char name[24], metric[64];
  snprintf(name, sizeof name, "%d contacts", c->springs);
  bench_table_row(&b->run.table, name);
  for (int w = 0; w < BENCH_ESS_PLATE_METHODS; ++w) {
    bench_table_number(&b->run.table, 1e3 * c->seconds[w]);
    bench_table_error(&b->run.table, c->error[w]);
    snprintf(metric, sizeof metric, "n=%d:%s:us", c->springs, bench_ess_paper_plate_methods[w]);
    if (isfinite(c->seconds[w]))
      bench_paper_row(&b->run, which, metric, 1e6 * c->seconds[w], "us");
    snprintf(metric, sizeof metric, "n=%d:%s:rms", c->springs, bench_ess_paper_plate_methods[w]);
    if (isfinite(c->error[w]))
      bench_paper_row(&b->run, which, metric, c->error[w], "1");
  }
  bench_table_number(&b->run.table, c->crossings);
  bench_table_end(&b->run.table);
  snprintf(metric, sizeof metric, "n=%d:ess:us_per_contact", c->springs);
  bench_paper_row(&b->run, which, metric, 1e6 * c->seconds[BENCH_ESS_PLATE_ESS] / c->springs, "us");
  snprintf(metric, sizeof metric, "n=%d:ess:crossings", c->springs);
  bench_paper_row(&b->run, which, metric, c->crossings, "per run");
  snprintf(metric, sizeof metric, "n=%d:ess:turned", c->springs);
  bench_paper_row(&b->run, which, metric, c->turned, "per run");
}

static void report(bench_ess_paper *b, const plan *p, const bench_ess_paper_plate *s, const char *what)
{
  char titles[][24] = {"ess [ms]", "error",     "dopri5 [ms]", "error",    "MuJoCo [ms]",
                       "error",    "expo [ms]", "error",       "crossings"};
  char metric[64];
  bench_progress_end(&b->run.progress);
  bench_table_say(&b->run.table, "%s: median run of %.3g s from %d starts, epsilon %.3g", what,
                  bench_ess_paper_duration, s->starts, b->epsilon);
  bench_table_titles(&b->run.table, "", 9, titles);
  for (int i = 0; i < s->count; ++i)
    report_case(b, p->which, &s->cases[i]);
  for (int w = 0; w < BENCH_ESS_PLATE_METHODS; ++w)
    if (isfinite(s->marginal[w])) {
      bench_table_say(&b->run.table, "%s: %.3g us more per contact", bench_ess_paper_plate_methods[w],
                      1e6 * s->marginal[w]);
      snprintf(metric, sizeof metric, "%s:us_per_more_contact", bench_ess_paper_plate_methods[w]);
      bench_paper_row(&b->run, p->which, metric, 1e6 * s->marginal[w], "us");
      snprintf(metric, sizeof metric, "%s:off_a_parabola", bench_ess_paper_plate_methods[w]);
      if (isfinite(s->rough[w]))
        bench_paper_row(&b->run, p->which, metric, s->rough[w], "1");
    }
}

ff_status bench_ess_paper_plate_bed_run(void *paper, ff_error *error)
{
  bench_ess_paper *b = paper;
  const plan p = bed_plan(b);
  const ff_status status = measure(b, &p, &b->bed, error);
  if (status != FF_OK)
    return status;
  report(b, &p, &b->bed, "Plate on a bed of springs");
  const double ratio = b->bed.marginal[BENCH_ESS_PLATE_ESS] / b->bed.marginal[BENCH_ESS_PLATE_MUJOCO];
  if (isfinite(ratio))
    bench_paper_row(&b->run, "paper", "plate:marginal_ratio_vs_mujoco", ratio, "x");
  return FF_OK;
}

ff_status bench_ess_paper_plate_crowd_run(void *paper, ff_error *error)
{
  bench_ess_paper *b = paper;
  const plan p = crowd_plan(b);
  const ff_status status = measure(b, &p, &b->crowd, error);
  if (status == FF_OK)
    report(b, &p, &b->crowd, "Up to a thousand springs");
  return status;
}

ff_status bench_ess_paper_plate_feet_run(void *paper, ff_error *error)
{
  bench_ess_paper *b = paper;
  const plan p = feet_plan(b);
  const ff_status status = measure(b, &p, &b->feet, error);
  if (status == FF_OK)
    report(b, &p, &b->feet, "Plate with feet");
  return status;
}
