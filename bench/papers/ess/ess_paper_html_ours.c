// The report of bench ess-paper: the bound of section 6, Fig. 3.1, and robots.
#include "common/html.h"
#include "papers/ess/ess_paper.h"

#include <stdlib.h>

static void write_figure(FILE *f, const bench_ess_paper_proof *p)
{
  const bench_ess_trace *t = &p->figure;
  double *x = calloc((size_t)t->count + 1, sizeof *x), *y = calloc((size_t)t->count + 1, sizeof *y), at[2][2],
         up[2][2];
  for (int i = 0; x && y && i < t->count; ++i)
    x[i] = t->x[2 * i], y[i] = t->x[2 * i + 1];
  for (int k = 0; k < 2; ++k)
    bench_ess_paper_proof_guard(k, at[k], up[k]);
  const bench_plot_series series[] = {
      {.name = "ess", .x = x, .y = y, .count = x && y ? t->count : 0, .style = 0},
      {.name = "guard 1", .x = at[0], .y = up[0], .count = 2, .style = 1, .has_no_markers = 1},
      {.name = "guard 2", .x = at[1], .y = up[1], .count = 2, .style = 2, .has_no_markers = 1}};
  const bench_plot plot = {.x = {"x", 0, 0, 0}, .y = {"y", 0, 0, 0}, .series = series, .series_count = 3};
  bench_html_draw(f, &(bench_plot_figure){.plots = &plot, .plot_count = 1, .columns = 1});
  free(x);
  free(y);
}

void bench_ess_paper_html_proof(FILE *f, const bench_ess_paper *b)
{
  const bench_ess_paper_proof *p = &b->proof;
  if (!p->is_measured)
    return;
  fprintf(
      f,
      "<h2>Fig. 3.1: constant fields, straight guards</h2>\n<p>Within epsilon of a guard, here %.2g, the "
      "integrator goes straight to it. For constant fields that is exact: at the end it is off by %.1e.</p>\n",
      p->epsilon[0], p->off);
  write_figure(f, p);
  fprintf(
      f,
      "<h2>Section 6: the bound on a projection's error</h2>\n<p>Largest distance of a projected from the true "
      "point of crossing over %d random fields, and its share of the bound 2 M/L (exp(epsilon L/c) - 1) + 2 M "
      "epsilon/c.</p>\n<table><tr><th>epsilon</th><th>largest error</th><th>share of the bound</th></tr>\n",
      BENCH_ESS_PROOF_FIELDS);
  for (int e = 0; e < BENCH_ESS_PROOF_EPSILONS; ++e) {
    fprintf(f, "<tr><td>%.2g</td>", p->epsilon[e]);
    bench_html_number(f, p->error[e]);
    bench_html_number(f, p->share[e]);
    fputs("</tr>\n", f);
  }
  fputs("</table>\n", f);
}

void bench_ess_paper_html_robots(FILE *f, const bench_ess_paper *b)
{
  static const char *const names[BENCH_ESS_ROBOT_SCHEMES] = {"ess", "expo", "rk4"};
  if (!b->robots[0].is_measured && !b->robots[2].is_measured)
    return;
  fputs(
      "<h2>Robots</h2>\n<p>The paper leaves robots for later. The stepper <i>ess</i> with its default tolerance, "
      "one step for each control period; <i>expo</i> the same; <i>rk4</i> with its longest step "
      "whose error is below 0.1. Mean local error of a control period, and how many times faster than real time.</p>\n"
      "<table><tr><th>robot</th><th></th><th>step [ms]</th><th>error</th><th>times real time</th></tr>\n",
      f);
  for (int k = 0; k < BENCH_ESS_ROBOTS; ++k)
    for (int s = 0; s < BENCH_ESS_ROBOT_SCHEMES && b->robots[k].is_measured; ++s) {
      fputs("<tr>", f);
      bench_html_text(f, "td", bench_ess_paper_robots_names[k]);
      bench_html_text(f, "td", names[s]);
      bench_html_number(f, 1e3 * b->robots[k].dt[s]);
      bench_html_number(f, b->robots[k].error[s]);
      bench_html_number(f, b->robots[k].speed[s]);
      fputs("</tr>\n", f);
    }
  fputs("</table>\n", f);
}
