// footfall bench ess-paper: the experiments of the ESS paper on our integrator, its numbers beside ours.
#include "papers/ess/ess_paper.h"

#include "all.h"
#include "bench.h"
#include "cli/complain.h"
#include "common/request.h"
#include "common/studies.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

// ---- What is ours to choose --------------------------------------------------------------------------------

const double bench_ess_step = 2e-3, bench_ess_duration = 2;

// The paper has the leg's length and the start; mass and stiffness are those of models/hopper.urdf.
const bench_hopper bench_ess_hopper = {
    .mass = 1, .stiffness = 100, .length = 1, .preload = 0, .gravity = 9.81, .start = 2};

// A plate 8 m long over a bed of 1 m, whose springs share 4000 N/m and 40 N s/m: 20 rad/s, and it bounces until the end.
bench_plate bench_ess_plate(int springs, int has_feet)
{
  const double mass = 10, plate = 8;
  return (bench_plate){.springs = springs,
                       .half = 0.5,
                       .mass = mass,
                       .inertia = mass * plate * plate / 12,
                       .stiffness = 4000.0 / springs,
                       .damping = 40.0 / springs,
                       .length = 1,
                       .gravity = 9.81,
                       .has_feet = has_feet};
}

ff_ess_def bench_ess_paced(ff_ess_def def, ff_ess_method method, double epsilon)
{
  def.method = method;
  def.epsilon = epsilon;
  def.fixed_step = bench_ess_step;
  return def;
}

ff_ess_def bench_ess_tight(ff_ess_def def)
{
  def.method = FF_ESS_LOCATE;
  def.relative_tolerance = 1e-11;
  def.absolute_tolerance = 1e-13;
  return def;
}

// ---- Small things that studies share -----------------------------------------------------------------------

void bench_ess_row(const bench_ess *b, const char *which, const char *metric, double value, const char *unit)
{
  if (b->rows)
    bench_rows_add(b->rows, which, metric, value, unit);
}

double bench_ess_fit(const double *x, const double *y, int first, int last, double *factor)
{
  const double n = last - first + 1;
  double sx = 0, sy = 0, sxx = 0, sxy = 0;
  for (int i = first; i <= last; ++i) {
    const double u = log(x[i]), w = log(y[i]);
    sx += u, sy += w, sxx += u * u, sxy += u * w;
  }
  const double slope = (n * sxy - sx * sy) / (n * sxx - sx * sx);
  if (factor)
    *factor = exp((sy - slope * sx) / n);
  return slope;
}

// ---- All of it ---------------------------------------------------------------------------------------------

static const struct {
  const char *name;
  double (*work)(const bench_ess *);
  ff_status (*run)(bench_ess *, ff_error *);
} studies[] = {{"order", bench_ess_order_work, bench_ess_order},
               {"hopper", bench_ess_hopper_work, bench_ess_hopping},
               {"equal error", bench_ess_equal_work, bench_ess_equal},
               {"plates", bench_ess_bed_work, bench_ess_bed},
               {"many contacts", bench_ess_crowd_work, bench_ess_crowd},
               {"plates with feet", bench_ess_feet_work, bench_ess_feet}};

static const char *name_of(int study)
{
  return studies[study].name;
}

static double work_of(const void *paper, int study)
{
  return studies[study].work(paper);
}

static ff_status run_one(void *paper, int study, ff_error *error)
{
  return studies[study].run(paper, error);
}

// Returns 0 after a complaint.
static int measure(bench_ess *b)
{
  const bench_studies all = {sizeof studies / sizeof *studies, name_of, work_of, run_one};
  return bench_studies_run(&all, b, &b->progress);
}

static int write_html(const void *paper, FILE *file)
{
  bench_ess_html(paper, file);
  return 1;
}

static int perform(const bench_request *r, bench_rows *rows)
{
  bench_late_file html = {0};
  int status = FFI_EXIT_FAILED;
  if (!bench_request_check_html(r, &html))
    return status;
  bench_ess *b = calloc(1, sizeof *b);
  if (!b) {
    ffi_complain("there is not enough memory");
    return status;
  }
  b->sheet = bench_request_sheet(r, &html);
  b->rows = rows;
  b->is_quick = r->is_quick;
  if (measure(b)) {
    bench_ess_judge(b);
    bench_claims_report(b->claims, b->claim_count, &b->sheet, rows);
    status = bench_request_save_html(&html, write_html, b) ? FFI_EXIT_OK : FFI_EXIT_FAILED;
  }
  for (int i = 0; i < 2; ++i)
    bench_trace_free(&b->hopper.trace[i]);
  free(b);
  bench_late_file_forget(&html);
  return status;
}

const bench_command bench_ess_paper_command = {.name = "ess-paper", .perform = perform};

int bench_ess_paper(int argc, char **argv)
{
  return bench_request_run(&bench_ess_paper_command, argc, argv);
}
