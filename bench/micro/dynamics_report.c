// Tables and rows of the dynamics kernels, MuJoCo's and Pinocchio's figures beside them.
#include "micro/dynamics_report.h"

#include "peers/mujoco_release.h"
#include "peers/pinocchio.h"

#include <stdio.h>
#include <string.h>

// MuJoCo's metric that is closest to ours.
static const struct {
  const char *ours, *theirs;
} nearest[] = {
    {"fk", "mujoco:kinematics"}, {"bias", "mujoco:rne"},    {"crba", "mujoco:crb"},
    {"ltl", "mujoco:factor"},    {"solve", "mujoco:solve"}, {"step_sum", "mujoco:step_sum"},
};

static double mujoco_ns(const bench_dynamics_run *run, const bench_dynamics_run_case *c, const char *metric)
{
  for (unsigned k = 0; c->mujoco && k < sizeof nearest / sizeof *nearest; ++k)
    if (strcmp(nearest[k].ours, metric) == 0)
      for (int m = 0; bench_mujoco_dynamics_metric(m); ++m)
        if (strcmp(bench_mujoco_dynamics_metric(m), nearest[k].theirs) == 0)
          return run->tasks[c->peer_task[m]].least;
  return 0;
}

// A number, or blanks for 0 (not measured).
static void print_cell(int width, const char *format, double value, const char *unit)
{
  char text[32];
  snprintf(text, sizeof text, format, value);
  if (value > 0)
    printf("%*s%s", width, text, unit);
  else
    printf("%*s%*s", width, "", (int)strlen(unit), "");
}

static void print_kernel(const bench_dynamics_run *run, const bench_dynamics_run_case *c, int k)
{
  const char *name = bench_dynamics_kernels[k].name;
  const bench_dynamics_run_figure one = bench_dynamics_run_figure_of(run, c, k, 0),
                                  wide = bench_dynamics_run_figure_of(run, c, k, 1);
  const double mujoco = mujoco_ns(run, c, name), pinocchio = bench_pinocchio_published(c->name, name);
  printf("%-17s", name);
  print_cell(7, "%.0f", one.flops, "");
  print_cell(8, "%.1f", one.ns, "");
  print_cell(5, "%.0f", 100 * one.of_peak, "%");
  print_cell(9, "%.1f", wide.ns, "");
  print_cell(5, "%.0f", 100 * wide.of_peak, "%");
  print_cell(7, "%.2f", wide.ns / one.ns, "");
  print_cell(9, "%.0f", mujoco, "");
  print_cell(7, "%.2f", mujoco > 0 ? one.ns / mujoco : 0, "");
  print_cell(9, "%.0f", pinocchio, "*");
  print_cell(7, "%.2f", pinocchio > 0 ? one.ns / pinocchio : 0, "*");
  if (one.instructions > 0)
    printf("%9.0f%9.0f", one.instructions, wide.instructions);
  printf("  %s\n", bench_dynamics_kernels[k].what);
}

static void print_case(const bench_dynamics_run *run, const bench_dynamics_run_case *c)
{
  const ff_model_size size = ff_model_get_size(c->model);
  const int lanes = c->robot[1].states.lanes, is_counted = run->tasks[0].instructions > 0;
  char wide[16];
  snprintf(wide, sizeof wide, "x%d", lanes);
  printf("\n%s: %d velocities, %d joints, %d contact points. Times in ns per call and robot.\n", c->name,
         size.nv, size.joints, c->robot[0].point_count);
  printf("%-17s%7s%8s%6s%9s%6s%7s%9s%7s%10s%8s%s\n", "", "", "one", "of", wide, "of", wide, "MuJoCo", "one",
         "Pinocchio", "one", is_counted ? "     instructions" : "");
  printf("%-17s%7s%8s%6s%9s%6s%7s%9s%7s%10s%8s", "", "flops", "lane", "peak", "lanes", "peak", "/one",
         bench_mujoco_release_found().version, "/MuJ.", "3.7*", "/Pin.*");
  printf(is_counted ? "%9s%9s\n" : "\n", "one", wide);
  for (int k = 0; k < bench_dynamics_kernels_count; ++k)
    if (!bench_dynamics_kernels[k].is_hidden)
      print_kernel(run, c, k);
  if (c->mujoco)
    printf("%s.\n", bench_mujoco_release_found().name);
  if (!c->mujoco)
    printf("MuJoCo was not measured: %s.\n", c->mujoco_why);
  else if (c->disagreement > 1e-9)
    printf(
        "MuJoCo's robot differs in kinetic energy by up to %.1e: it repaired inertias that are not physical.\n",
        c->disagreement);
}

void bench_dynamics_report_print(const bench_dynamics_run *run)
{
  const bench_dynamics_robot *wide = &run->cases[0].robot[1];
  printf("Minimum of %d sweeps over %d random states, all kernels in turn; instruction set %s, %d lanes.\n",
         run->tasks[0].sweeps, BENCH_RANDOM_STATES, ff_isa_name(ff_dynamics_isa(wide->dynamics)),
         wide->states.lanes);
  printf(
      "Peak of this core, measured in the same rounds: %.1f GF/s one lane, %.1f GF/s %d lanes. On average a sweep "
      "took\n"
      "%.2f times the minimum: %s.\n",
      bench_dynamics_run_peak(run, 0), bench_dynamics_run_peak(run, 1), wide->states.lanes,
      bench_dynamics_run_noise(run),
      bench_dynamics_run_noise(run) < 1.15 ? "an idle machine" : "a busy machine");
  for (int i = 0; i < BENCH_DYNAMICS_CASES; ++i)
    print_case(run, &run->cases[i]);
  printf(
      "\nAll start from q and include sines and cosines, except ltl and solve; MuJoCo's rne and crb exclude its\n"
      "kinematics.\n"
      "* published: measured once, elsewhere, on a machine of this kind (Ice Lake Xeon 2.80 GHz), not in this run.\n");
}

// ---- The same as Markdown, for docs/performance.md --------------------------------------------------------

static void write_cell(const char *format, double value)
{
  printf(" ");
  if (value > 0)
    printf(format, value); // NOLINT(clang-diagnostic-format-nonliteral): the formats are below
  printf(" |");
}

static void write_kernel(const bench_dynamics_run *run, const bench_dynamics_run_case *c, int k)
{
  const char *name = bench_dynamics_kernels[k].name;
  const bench_dynamics_run_figure one = bench_dynamics_run_figure_of(run, c, k, 0),
                                  wide = bench_dynamics_run_figure_of(run, c, k, 1);
  const double mujoco = mujoco_ns(run, c, name), pinocchio = bench_pinocchio_published(c->name, name);
  printf("| `%s` |", name);
  write_cell("%.0f", one.flops);
  write_cell("%.0f", one.ns);
  write_cell("%.0f %%", 100 * one.of_peak);
  write_cell("%.1f", wide.ns);
  write_cell("%.0f %%", 100 * wide.of_peak);
  write_cell("%.2f", wide.ns / one.ns);
  write_cell("%.0f", mujoco);
  write_cell("%.2f", mujoco > 0 ? one.ns / mujoco : 0);
  write_cell("%.0f", pinocchio);
  write_cell("%.2f", pinocchio > 0 ? one.ns / pinocchio : 0);
  printf("\n");
}

void bench_dynamics_report_markdown(const bench_dynamics_run *run)
{
  const int lanes = run->cases[0].robot[1].states.lanes;
  for (int i = 0; i < BENCH_DYNAMICS_CASES; ++i) {
    const bench_dynamics_run_case *c = &run->cases[i];
    printf("**%s**, %d velocities, %d contact points\n\n", c->name, c->robot[0].states.nv,
           c->robot[0].point_count);
    printf("| | flops | one lane | of peak | %d lanes | of peak | lanes / one | MuJoCo %s | one / MuJoCo | "
           "Pinocchio 3.7 (stated) | one / stated |\n|---|---|---|---|---|---|---|---|---|---|---|\n",
           lanes, bench_mujoco_release_found().version);
    for (int k = 0; k < bench_dynamics_kernels_count; ++k)
      if (!bench_dynamics_kernels[k].is_hidden)
        write_kernel(run, c, k);
    printf("\n");
  }
  printf("%s. ", bench_mujoco_release_found().name);
  printf("Peak %.1f GF/s with one lane, %.1f GF/s with %d; instruction set %s; minimum of %d sweeps.\n",
         bench_dynamics_run_peak(run, 0), bench_dynamics_run_peak(run, 1), lanes,
         ff_isa_name(ff_dynamics_isa(run->cases[0].robot[1].dynamics)), run->tasks[0].sweeps);
}

// ---- Rows -------------------------------------------------------------------------------------------------

static void add_kernel(const bench_dynamics_run *run, const bench_dynamics_run_case *c, int k,
                       bench_json_rows *rows)
{
  static const char *const suffix[2] = {"", "_x8"};
  char metric[64];
  for (int wide = 0; wide < 2; ++wide) {
    const bench_dynamics_run_figure f = bench_dynamics_run_figure_of(run, c, k, wide);
    if (f.ns == 0)
      continue;
    snprintf(metric, sizeof metric, "%s%s", bench_dynamics_kernels[k].name, suffix[wide]);
    bench_json_rows_add(rows, c->name, metric, f.ns, "ns");
    if (f.flops > 0) {
      snprintf(metric, sizeof metric, "%s%s_peak", bench_dynamics_kernels[k].name, suffix[wide]);
      bench_json_rows_add(rows, c->name, metric, f.of_peak, "fraction");
    }
    if (f.instructions > 0) {
      snprintf(metric, sizeof metric, "%s%s_instructions", bench_dynamics_kernels[k].name, suffix[wide]);
      bench_json_rows_add(rows, c->name, metric, f.instructions, "instructions");
    }
    if (f.flops > 0 && !wide) {
      snprintf(metric, sizeof metric, "%s_flops", bench_dynamics_kernels[k].name);
      bench_json_rows_add(rows, c->name, metric, f.flops, "flop");
    }
  }
}

static void add_case(const bench_dynamics_run *run, const bench_dynamics_run_case *c, bench_json_rows *rows)
{
  const bench_dynamics_robot *wide = &c->robot[1];
  char isa[32];
  snprintf(isa, sizeof isa, "isa:%s", ff_isa_name(ff_dynamics_isa(wide->dynamics)));
  bench_json_rows_add(rows, c->name, isa, 64 * wide->states.lanes, "bits");
  bench_json_rows_add(rows, c->name, "lanes_x8", wide->states.lanes, "lanes");
  bench_json_rows_add(rows, c->name, "points", c->robot[0].point_count, "points");
  bench_json_rows_add(rows, c->name, "peak_scalar", bench_dynamics_run_peak(run, 0), "GF/s");
  bench_json_rows_add(rows, c->name, "peak_vector", bench_dynamics_run_peak(run, 1), "GF/s");
  bench_json_rows_add(rows, c->name, "noise", bench_dynamics_run_noise(run), "ratio");
  for (int k = 0; k < bench_dynamics_kernels_count; ++k)
    if (!bench_dynamics_kernels[k].is_hidden)
      add_kernel(run, c, k, rows);
  for (int m = 0; c->mujoco && bench_mujoco_dynamics_metric(m); ++m)
    bench_json_rows_add(rows, c->name, bench_mujoco_dynamics_metric(m), run->tasks[c->peer_task[m]].least,
                        "ns");
  if (c->mujoco)
    bench_json_rows_add(rows, c->name, "mujoco:energy_error", c->disagreement, "ratio");
}

void bench_dynamics_report_rows(const bench_dynamics_run *run, bench_json_rows *rows)
{
  bench_mujoco_release_row(rows);
  for (int i = 0; i < BENCH_DYNAMICS_CASES; ++i)
    add_case(run, &run->cases[i], rows);
}
