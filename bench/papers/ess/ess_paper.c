// footfall bench ess-paper: the experiments of the ESS paper on our integrator, our numbers beside the paper's.
#include "papers/ess/ess_paper.h"

#include "bench.h"

#include <math.h>

// ---- What is ours to choose -----------------------------------------------------------------------------

const double bench_ess_paper_step = 2e-3, bench_ess_paper_duration = 2;

// The paper gives the leg's length and the start; mass and stiffness are those of models/hopper.urdf.
const bench_ess_hopper bench_ess_paper_usual_hopper = {
    .mass = 1, .stiffness = 100, .length = 1, .preload = 0, .gravity = 9.81, .start = 2};

// A plate 8 m long over a bed of 1 m, whose springs have 4000 N/m and 40 N s/m in total: 20 rad/s, and it bounces until
// the end.
bench_ess_plate bench_ess_paper_make_plate(int springs, int has_feet)
{
  const double mass = 10, plate = 8;
  return (bench_ess_plate){.springs = springs,
                           .half = 0.5,
                           .mass = mass,
                           .inertia = mass * plate * plate / 12,
                           .stiffness = 4000.0 / springs,
                           .damping = 40.0 / springs,
                           .length = 1,
                           .gravity = 9.81,
                           .has_feet = has_feet};
}

ff_ess_def bench_ess_paper_fixed_steps(ff_ess_def def, ff_ess_method method, double epsilon)
{
  def.method = method;
  def.epsilon = epsilon;
  def.fixed_step = bench_ess_paper_step;
  return def;
}

ff_ess_def bench_ess_paper_tight(ff_ess_def def)
{
  def.method = FF_ESS_LOCATE;
  def.relative_tolerance = 1e-11;
  def.absolute_tolerance = 1e-13;
  return def;
}

// ---- Small things that studies share --------------------------------------------------------------------

double bench_ess_paper_fit(const double *x, const double *y, int first, int last, double *factor)
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

// ---- The paper ------------------------------------------------------------------------------------------

static void release(void *data)
{
  bench_ess_paper *b = data;
  for (int i = 0; i < 2; ++i)
    bench_ess_trace_free(&b->hopper.trace[i]);
  bench_ess_trace_free(&b->proof.figure);
}

static const bench_paper_study studies[] = {
    {.name = "order", .work = bench_ess_paper_order_work, .run = bench_ess_paper_order_run},
    {.name = "hopper", .work = bench_ess_paper_hopper_work, .run = bench_ess_paper_hopper_run},
    {.name = "equal error",
     .work = bench_ess_paper_work_precision_work,
     .run = bench_ess_paper_work_precision_run},
    {.name = "plates", .work = bench_ess_paper_plate_bed_work, .run = bench_ess_paper_plate_bed_run},
    {.name = "many contacts",
     .work = bench_ess_paper_plate_crowd_work,
     .run = bench_ess_paper_plate_crowd_run},
    {.name = "plates with feet",
     .work = bench_ess_paper_plate_feet_work,
     .run = bench_ess_paper_plate_feet_run},
    {.name = "bound", .work = bench_ess_paper_proof_work, .run = bench_ess_paper_proof_run},
    {.name = "robots", .work = bench_ess_paper_robots_work, .run = bench_ess_paper_robots_run},
};

static const bench_paper paper = {
    .size = sizeof(bench_ess_paper),
    .studies = studies,
    .study_count = sizeof studies / sizeof *studies,
    .judge = bench_ess_paper_claims_judge,
    .html = bench_ess_paper_html,
    .has_mujoco = 1,
    .release = release,
};

const bench_command bench_ess_paper_command = {
    .name = "ess-paper", .perform = bench_paper_perform, .context = &paper};
