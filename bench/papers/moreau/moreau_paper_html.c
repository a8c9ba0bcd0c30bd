// The report of bench moreau-paper.
#include "common/html.h"
#include "papers/moreau/moreau_paper.h"
#include "peers/mujoco_release.h"

#include <math.h>
#include <stdio.h>

// ---- Table 1 and Fig. 7 ---------------------------------------------------------------------------------

static void write_table(FILE *f, const bench_moreau_paper *m)
{
  fprintf(
      f,
      "<h2>Table 1: configurations</h2>\n<p>StarlETH trots, %d gait cycles. H hard, C compliant; m minimal, E "
      "extended, M maximal coordinates; J JOR, S SOR; "
      "D direct, P iterated bilateral impulses. The motion is recorded with its controller and replayed without it, "
      "all configurations in turns. Iterations start from the "
      "impulses of the previous step.</p>\n"
      "<table><tr><th></th><th>evaluations per s</th><th>paper</th><th>real-time factor</th><th>paper</th><th>step "
      "[us]</th><th>steps per period</th><th>iterations, "
      "mean and largest</th><th>unconverged</th><th>alpha</th><th>paper</th></tr>\n",
      m->cycles);
  for (int i = 0; i < BENCH_MOREAU_CONFIGS; ++i) {
    const bench_moreau_paper_cost *e = &m->table[i];
    const bench_moreau_paper_config *c = &bench_moreau_paper_configs[i];
    fputs("<tr>", f);
    bench_html_text(f, "td", c->name);
    fprintf(f, "<td>%.0f</td>", e->evals_per_s);
    if (isfinite(c->evals_per_s))
      fprintf(f, "<td>%.0f</td>", c->evals_per_s);
    else
      fputs("<td></td>", f);
    bench_html_number(f, e->rtf);
    bench_html_number(f, c->rtf);
    bench_html_number(f, e->us);
    bench_html_number(f, e->substeps);
    if (i == BENCH_MOREAU_CM)
      fputs("<td></td>", f);
    else
      fprintf(f, "<td>%.3g, %d</td>", e->iterations, e->iterations_most);
    bench_html_number(f, i == 0 ? NAN : e->unconverged);
    bench_html_number(f, e->alpha > 0 ? e->alpha : NAN);
    bench_html_number(f, c->alpha);
    fputs("</tr>\n", f);
  }
  fputs("</table>\n", f);
  if (m->mujoco.is_measured)
    fprintf(
        f,
        "<p>%s on the same robot with the same controller, in the same run: %.3g us per step, %.2g contacts "
        "in the mean (ours %.2g); that is %.2g times HmJ, %.2g times "
        "<code>exact</code>. The paper's HmJ took 185 us on its authors' machine.</p>\n",
        bench_mujoco_release_found().name, m->mujoco.us, m->mujoco.contacts,
        m->table[BENCH_MOREAU_HMJ].contacts, m->mujoco.us / m->table[BENCH_MOREAU_HMJ].us,
        m->mujoco.us / m->table[BENCH_MOREAU_EXACT].us);
  else {
    fputs("<p class=\"soft\">MuJoCo was not measured: ", f);
    bench_plot_escape(f, m->mujoco.why);
    fputs("</p>\n", f);
  }
}

static void write_parts(FILE *f, const bench_moreau_paper *m)
{
  fputs(
      "<h2>Fig. 7: time of the phases</h2>\n<p>Microseconds, mean over the gait; the deviation is that of single "
      "steps. The paper's phases are M and h, the inverse of M, G_B and its inverse, "
      "u_E, and the rest. Here h is computed with the kinematics; M is factored, not inverted, and the rows "
      "M<sup>-1</sup>W are formed with it; G, G_B and the iterations are one phase. The last two columns are timed "
      "alone: of the second phase M with its factors, and the inverse of M, if a step formed it. "
      "The times include clock readings.</p>\n<table><tr><th></th>",
      f);
  for (int p = 0; p < FF_PHASE_COUNT; ++p)
    bench_html_text(f, "th", bench_moreau_paper_table_phases[p]);
  fputs("<th>deviation</th><th>M and its factors</th><th>M<sup>-1</sup>, if formed</th></tr>\n", f);
  for (int i = 0; i < BENCH_MOREAU_CONFIGS; ++i) {
    const bench_moreau_paper_inverse *parts = &m->inverse[bench_moreau_paper_configs[i].set];
    fputs("<tr>", f);
    bench_html_text(f, "td", bench_moreau_paper_configs[i].name);
    for (int p = 0; p < FF_PHASE_COUNT; ++p)
      bench_html_number(f, m->table[i].phase[p]);
    bench_html_number(f, m->table[i].deviation);
    bench_html_number(f, parts->is_measured ? parts->mass + parts->factors : NAN);
    bench_html_number(f, parts->is_measured ? parts->inverse : NAN);
    fputs("</tr>\n", f);
  }
  fputs("</table>\n", f);
}

// ---- Fig. 5 ---------------------------------------------------------------------------------------------

static void write_force_table(FILE *f, const bench_moreau_paper *m)
{
  fputs("<table><tr><th></th><th>step [ms]</th><th>mean [N]</th><th>peak [N]</th><th>change during stance "
        "[N/ms]</th><th>penetration, mean [mm]</th><th>largest "
        "[mm]</th></tr>\n",
        f);
  for (int g = 0; g < BENCH_MOREAU_FORCES; ++g) {
    const bench_moreau_paper_foot_force *o = &m->force[g];
    const double figures[] = {1e3 * o->dt, o->mean, o->peak, o->rough, 1e3 * o->sunk, 1e3 * o->deepest};
    fputs("<tr>", f);
    bench_html_text(f, "td", bench_moreau_paper_forces_names[g]);
    for (size_t k = 0; k < sizeof figures / sizeof *figures; ++k)
      bench_html_number(f, figures[k]);
    fputs("</tr>\n", f);
  }
  fputs(
      "</table>\n<p class=\"soft\">The paper: about 4.4 mm penetration on compliant ground, which is half the "
      "robot's weight on a spring of 30,000 N/m. On hard ground a foot keeps the penetration at which its "
      "contact was first detected: the distance that it falls in a step.</p>\n",
      f);
}

static void write_forces(FILE *f, const bench_moreau_paper *m)
{
  static const int shown[2][3] = {{0, 1, -1}, {3, 0, 2}}; // the first is drawn on top
  static const char *const titles[2] = {"Hard and compliant", "Ten times the damping"};
  bench_plot_series series[2][3];
  bench_plot plots[2];
  for (int k = 0; k < 2; ++k) {
    int count = 0;
    for (; count < 3 && shown[k][count] >= 0; ++count) {
      const bench_moreau_paper_foot_force *o = &m->force[shown[k][count]];
      series[k][count] = (bench_plot_series){.name = bench_moreau_paper_forces_names[shown[k][count]],
                                             .x = o->time,
                                             .y = o->force,
                                             .count = o->count,
                                             .style = shown[k][count],
                                             .has_no_markers = 1};
    }
    plots[k] = (bench_plot){.title = titles[k],
                            .x = {"time [s]", 0, 0, m->gait},
                            .y = {"normal force [N]", 0, 0, 0},
                            .series = series[k],
                            .series_count = count};
  }
  fputs(
      "<h2>Fig. 5: normal force, hard and compliant</h2>\n"
      "<p>Of the left-fore foot over one gait cycle, mean of each step. <i>damped</i> is compliant ground with ten "
      "times the damping and a quarter of the step, as in the paper; <i>damped-fine</i> has a quarter of that "
      "step.</p>\n",
      f);
  bench_html_draw(f, &(bench_plot_figure){.plots = plots, .plot_count = 2, .columns = 2});
  write_force_table(f, m);
}

static void write_steps(FILE *f, const bench_moreau_paper *m)
{
  fprintf(
      f,
      "<h2>Steps per control period</h2>\n<p>Largest |v| of a trot over the number of steps per period of %.3g ms; "
      "empty where it is not bounded: a step fails, the robot falls, or |v| "
      "exceeds %.3g, ten times that of hard ground with the shortest step. The paper: hard 1, compliant 2, ten "
      "times the damping 8.</p>\n<table><tr><th></th>",
      1e3 * m->period, m->bounded.limit);
  for (int i = 0; i < BENCH_MOREAU_STABILITY_STEPS; ++i)
    fprintf(f, "<th>%d</th>", bench_moreau_paper_stability_steps[i]);
  fputs("<th>fewest</th></tr>\n", f);
  for (int g = 0; g < BENCH_MOREAU_GROUNDS; ++g) {
    fputs("<tr>", f);
    bench_html_text(f, "td", bench_moreau_paper_stability_grounds[g]);
    for (int i = 0; i < BENCH_MOREAU_STABILITY_STEPS; ++i)
      bench_html_number(f, m->bounded.speed[g][i]);
    bench_html_number(f, m->bounded.fewest[g] > 0 ? (double)m->bounded.fewest[g] : NAN);
    fputs("</tr>\n", f);
  }
  fputs("</table>\n", f);
}

// ---- Fig. 6 ---------------------------------------------------------------------------------------------

static void write_alphas(FILE *f, const bench_moreau_paper *m)
{
  static const char *const titles[BENCH_MOREAU_SETS] = {"Minimal", "Extended", "Maximal"};
  bench_plot_series series[BENCH_MOREAU_SETS][4];
  bench_plot plots[BENCH_MOREAU_SETS];
  int count[BENCH_MOREAU_SETS] = {0};
  for (int c = 1; c < BENCH_MOREAU_PUBLISHED_CONFIGS; ++c) {
    const bench_moreau_paper_config *config = &bench_moreau_paper_configs[c];
    const int is_sor = config->solver == FF_HARD_SOR, is_prox = config->bilateral == FF_HARD_PROX;
    static const char *const names[2][2] = {{"JOR, direct", "JOR, iterated"},
                                            {"SOR, direct", "SOR, iterated"}};
    series[config->set][count[config->set]++] = (bench_plot_series){.name = names[is_sor][is_prox],
                                                                    .x = m->alphas[c].alpha,
                                                                    .y = m->alphas[c].iterations,
                                                                    .count = BENCH_MOREAU_ALPHAS,
                                                                    .style = 2 * is_sor + is_prox};
  }
  for (int s = 0; s < BENCH_MOREAU_SETS; ++s)
    plots[s] = (bench_plot){.title = titles[s],
                            .x = {"alpha", 0, 0, 2},
                            .y = {"iterations", 1, 0, 0},
                            .series = series[s],
                            .series_count = count[s]};
  fprintf(
      f,
      "<h2>Fig. 6: iterations over alpha</h2>\n"
      "<p>Mean over %d problems of one gait cycle, the same for all alphas, from zero impulses to the tolerance "
      "1e-6; no point where a "
      "problem does not converge within %d iterations. Minimal coordinates have no bilateral rows.</p>\n",
      m->problems, (int)BENCH_MOREAU_ITERATIONS);
  bench_html_draw(
      f, &(bench_plot_figure){.plots = plots, .plot_count = BENCH_MOREAU_SETS, .columns = BENCH_MOREAU_SETS});
  fputs(
      "<table><tr><th></th><th>limit of alpha</th><th>half of it</th><th>paper's alpha</th><th>iterations at "
      "half</th><th>fewest</th><th>with alpha</th></tr>\n",
      f);
  for (int c = 1; c < BENCH_MOREAU_PUBLISHED_CONFIGS; ++c) {
    const bench_moreau_paper_alpha_curve *a = &m->alphas[c];
    const double figures[] = {a->limit, 0.5 * a->limit, bench_moreau_paper_configs[c].alpha,
                              a->half,  a->best,        a->best_alpha};
    fputs("<tr>", f);
    bench_html_text(f, "td", bench_moreau_paper_configs[c].name);
    for (size_t k = 0; k < sizeof figures / sizeof *figures; ++k)
      bench_html_number(f, figures[k]);
    fputs("</tr>\n", f);
  }
  fputs("</table>\n", f);
}

// ---- Drift and pushes -----------------------------------------------------------------------------------

static void write_drift(FILE *f, const bench_moreau_paper *m)
{
  const bench_moreau_paper_drift *s = &m->standing;
  fputs(
      "<h2>Drift</h2>\n<p>Sinking of the fastest foot while the robot stands [um/min]. The paper: 750 for all "
      "steps.</p>\n<table><tr><th></th>",
      f);
  for (int i = 0; i < BENCH_MOREAU_DRIFT_STEPS; ++i)
    fprintf(f, "<th>%.4g ms</th>", 1e3 * s->dt[i]);
  fputs("</tr>\n", f);
  for (int w = 0; w < BENCH_MOREAU_DRIFT_METHODS; ++w) {
    fputs("<tr>", f);
    bench_html_text(f, "td", bench_moreau_paper_drift_methods[w]);
    for (int i = 0; i < BENCH_MOREAU_DRIFT_STEPS; ++i)
      bench_html_number(f, 1e6 * s->sinking[w][i]);
    fputs("</tr>\n", f);
  }
  fputs(
      "</table>\n<p>Gaps of cut joints while it trots: fitted slope of the largest gap over time, and the largest "
      "gap. The paper: 0.59 um/min.</p>\n"
      "<table><tr><th></th><th>um/min</th><th>largest [um]</th></tr>\n",
      f);
  for (int c = 0; c < BENCH_MOREAU_CONFIGS; ++c)
    if (isfinite(m->table[c].drift)) {
      fputs("<tr>", f);
      bench_html_text(f, "td", bench_moreau_paper_configs[c].name);
      bench_html_number(f, 1e6 * m->table[c].drift_per_minute);
      bench_html_number(f, 1e6 * m->table[c].drift);
      fputs("</tr>\n", f);
    }
  fputs("</table>\n", f);
}

static void write_cut_steps(FILE *f, const bench_moreau_paper *m)
{
  const bench_moreau_paper_drift *s = &m->standing;
  fputs(
      "<p>The same with shorter steps, maximal coordinates, <code>exact</code>. Between the midpoints of two steps "
      "the links move with a constant velocity that satisfies the joint only at the "
      "first midpoint. A joint at a distance l from the centre of mass that turns with &omega; opens by l "
      "&omega;&sup2; dt&sup2; / 2 per step. The rate is proportional to the step for every solver; "
      "<code>stabilise</code> removes it.</p>\n<table><tr><th>step [ms]</th>",
      f);
  for (int i = 0; i < BENCH_MOREAU_CUT_STEPS; ++i)
    fprintf(f, "<th>%.4g</th>", 1e3 * s->cut_dt[i]);
  fputs("</tr>\n<tr><td>um/min</td>", f);
  for (int i = 0; i < BENCH_MOREAU_CUT_STEPS; ++i)
    bench_html_number(f, 1e6 * s->cut_rate[i]);
  fputs("</tr></table>\n", f);
}

static void write_pushes(FILE *f, const bench_moreau_paper *m)
{
  fputs(
      "<h2>Pushes</h2>\n<p>Random pushes on the standing robot, the same for all, with alpha at half the limit of "
      "its trot, at most 3000 iterations, without stabilisation.</p>\n"
      "<table><tr><th></th><th>pushes</th><th>failed</th><th>with an unconverged step</th><th>share of unconverged "
      "steps</th><th>worst residual</th><th>most "
      "contacts</th></tr>\n",
      f);
  for (int c = 0; c <= BENCH_MOREAU_EXACT; ++c) {
    const bench_moreau_paper_push *p = &m->pushed[c];
    fputs("<tr>", f);
    bench_html_text(f, "td", bench_moreau_paper_configs[c].name);
    fprintf(f, "<td>%d</td><td>%d</td><td>%d</td>", p->pushes, p->failures, p->with_unconverged);
    bench_html_number(f, p->steps > 0 ? (double)p->unconverged / (double)p->steps : NAN);
    bench_html_number(f, p->worst_residual);
    fprintf(f, "<td>%d</td></tr>\n", p->contacts_most);
  }
  fputs("</table>\n", f);
}

// ---- Ours -----------------------------------------------------------------------------------------------

static void write_pits(FILE *f, const bench_moreau_paper *m)
{
  double x[BENCH_MOREAU_SOLVERS + 1][BENCH_MOREAU_PITS], y[2][BENCH_MOREAU_SOLVERS + 1][BENCH_MOREAU_PITS];
  static const char *const names[BENCH_MOREAU_SOLVERS + 1] = {"JOR", "SOR", "exact", "MuJoCo"};
  bench_plot_series series[2][BENCH_MOREAU_SOLVERS + 1];
  int count = 0;
  for (int i = 0; i < BENCH_MOREAU_PITS && m->pits[i].is_measured; ++i, ++count)
    for (int s = 0; s <= BENCH_MOREAU_SOLVERS; ++s) {
      x[s][i] = m->pits[i].contacts[s];
      y[0][s][i] = m->pits[i].us[s];
      y[1][s][i] = m->pits[i].us[s] / m->pits[i].contacts[s];
    }
  for (int k = 0; k < 2; ++k)
    for (int s = 0; s <= BENCH_MOREAU_SOLVERS; ++s)
      series[k][s] =
          (bench_plot_series){.name = names[s], .x = x[s], .y = y[k][s], .count = count, .style = s};
  const bench_plot plots[2] = {{.title = "A step",
                                .x = {"contacts", 1, 0, 0},
                                .y = {"us", 1, 0, 0},
                                .series = series[0],
                                .series_count = BENCH_MOREAU_SOLVERS + 1},
                               {.title = "Per contact",
                                .x = {"contacts", 1, 0, 0},
                                .y = {"us", 1, 0, 0},
                                .series = series[1],
                                .series_count = BENCH_MOREAU_SOLVERS + 1}};
  fputs(
      "<h2>Many contacts</h2>\n<p>Balls at rest in a pit. MuJoCo uses Newton's method or conjugate gradients, "
      "whichever is faster; it is shown where the balls come to rest within seconds of computing.</p>\n",
      f);
  bench_html_draw(f, &(bench_plot_figure){.plots = plots, .plot_count = 2, .columns = 2});
  fputs("<table><tr><th>balls</th>", f);
  for (int s = 0; s <= BENCH_MOREAU_SOLVERS; ++s)
    fprintf(f, "<th>%s: contacts</th><th>us</th>%s", names[s],
            s < BENCH_MOREAU_SOLVERS ? "<th>iterations</th><th>unconverged</th>" : "");
  fputs("</tr>\n", f);
  for (int i = 0; i < count; ++i) {
    const bench_moreau_paper_ball_pit *p = &m->pits[i];
    fprintf(f, "<tr><td>%d</td>", p->balls);
    for (int s = 0; s <= BENCH_MOREAU_SOLVERS; ++s) {
      bench_html_number(f, isfinite(p->us[s]) ? (double)p->contacts[s] : NAN);
      bench_html_number(f, p->us[s]);
      if (s < BENCH_MOREAU_SOLVERS) {
        bench_html_number(f, p->iterations[s]);
        bench_html_number(f, p->unconverged[s]);
      }
    }
    fputs("</tr>\n", f);
  }
  fputs("</table>\n", f);
}

static void write_stalls(FILE *f, const bench_moreau_paper *m)
{
  fputs(
      "<h2>Where JOR and SOR stall</h2>\n<p>Stacks of boxes at rest, automatic alpha, at most 1000 iterations.</p>\n"
      "<table><tr><th></th>",
      f);
  for (int s = 0; s < BENCH_MOREAU_SOLVERS; ++s)
    fprintf(f, "<th>%s: us</th><th>iterations</th><th>unconverged</th><th>worst residual</th>",
            bench_moreau_paper_ball_pit_solvers[s]);
  fputs("</tr>\n", f);
  for (int i = 0; i < BENCH_MOREAU_STALLS && m->stalls[i].is_measured; ++i) {
    const bench_moreau_paper_stall *p = &m->stalls[i];
    fputs("<tr>", f);
    bench_html_text(f, "td", p->name);
    for (int s = 0; s < BENCH_MOREAU_SOLVERS; ++s) {
      bench_html_number(f, p->us[s]);
      bench_html_number(f, p->iterations[s]);
      bench_html_number(f, p->unconverged[s]);
      bench_html_number(f, p->residual[s]);
    }
    fputs("</tr>\n", f);
  }
  fputs("</table>\n", f);
}

int bench_moreau_paper_html(const void *paper, FILE *f)
{
  const bench_moreau_paper *m = paper;
  bench_html_paper(
      f, "The Moreau paper, reproduced",
      "The evaluation of Gehring, Diethelm, Siegwart, N\xc3\xbctzi and Leine, <i>An evaluation of Moreau's "
      "time-stepping scheme for the simulation of a legged robot</i>, "
      "DETC2014-34374",
      m->run.is_quick ? "two gait cycles, few problems, few pushes, small pits" : NULL);
  bench_html_claims(f, "Each claim of the paper, and two goals of ours, judged by the data below.",
                    m->run.claims, m->run.claim_count);
  write_table(f, m);
  write_steps(f, m);
  write_forces(f, m);
  write_alphas(f, m);
  write_parts(f, m);
  write_drift(f, m);
  write_cut_steps(f, m);
  write_pushes(f, m);
  write_pits(f, m);
  write_stalls(f, m);
  bench_html_end(f);
  return 1;
}
