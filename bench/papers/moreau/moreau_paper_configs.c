// The eleven configurations of Table 1, with the paper's numbers, and ours beside them: `exact` and `sor-split`.
#include "papers/moreau/moreau_paper.h"

#include <math.h>

#define HARD FF_HARD_CONTACT_HARD
#define SPRINGS FF_HARD_CONTACT_COMPLIANT

#define AUTO FF_HARD_FORM_AUTO
#define VELOCITY FF_HARD_FORM_VELOCITY

const bench_moreau_paper_config bench_moreau_paper_configs[BENCH_MOREAU_CONFIGS] = {
    {"Cm", FF_CUT_MINIMAL, SPRINGS, FF_HARD_JOR, FF_HARD_DIRECT, AUTO, NAN, 8900, 11.5},
    {"HmJ", FF_CUT_MINIMAL, HARD, FF_HARD_JOR, FF_HARD_DIRECT, AUTO, 0.6, 5400, 13.5},
    {"HmS", FF_CUT_MINIMAL, HARD, FF_HARD_SOR, FF_HARD_DIRECT, AUTO, 0.6, 4700, 11.8},
    {"HEJD", FF_CUT_EXTENDED, HARD, FF_HARD_JOR, FF_HARD_DIRECT, VELOCITY, 0.6, 2700, 6.8},
    {"HEJP", FF_CUT_EXTENDED, HARD, FF_HARD_JOR, FF_HARD_PROX, AUTO, 0.5, 2900, 7.1},
    {"HESD", FF_CUT_EXTENDED, HARD, FF_HARD_SOR, FF_HARD_DIRECT, VELOCITY, 0.6, 2500, 6.1},
    {"HESP", FF_CUT_EXTENDED, HARD, FF_HARD_SOR, FF_HARD_PROX, AUTO, 0.6, 2400, 6.0},
    {"HMJD", FF_CUT_MAXIMAL, HARD, FF_HARD_JOR, FF_HARD_DIRECT, VELOCITY, 1.0, 1600, 4.1},
    {"HMJP", FF_CUT_MAXIMAL, HARD, FF_HARD_JOR, FF_HARD_PROX, AUTO, 0.4, 600, 1.5},
    {"HMSD", FF_CUT_MAXIMAL, HARD, FF_HARD_SOR, FF_HARD_DIRECT, VELOCITY, 1.0, 1600, 3.9},
    {"HMSP", FF_CUT_MAXIMAL, HARD, FF_HARD_SOR, FF_HARD_PROX, AUTO, 0.6, 800, 2.0},
    {"exact:minimal", FF_CUT_MINIMAL, HARD, FF_HARD_EXACT, FF_HARD_DIRECT, AUTO, NAN, NAN, NAN},
    {"exact:extended", FF_CUT_EXTENDED, HARD, FF_HARD_EXACT, FF_HARD_DIRECT, AUTO, NAN, NAN, NAN},
    {"exact:maximal", FF_CUT_MAXIMAL, HARD, FF_HARD_EXACT, FF_HARD_DIRECT, AUTO, NAN, NAN, NAN},
    {"sor-split:minimal", FF_CUT_MINIMAL, HARD, FF_HARD_SOR_SPLIT, FF_HARD_DIRECT, AUTO, NAN, NAN, NAN},
    {"sor-split:extended", FF_CUT_EXTENDED, HARD, FF_HARD_SOR_SPLIT, FF_HARD_DIRECT, AUTO, NAN, NAN, NAN},
    {"sor-split:maximal", FF_CUT_MAXIMAL, HARD, FF_HARD_SOR_SPLIT, FF_HARD_DIRECT, AUTO, NAN, NAN, NAN},
};

void bench_moreau_paper_configs_apply(const bench_moreau_paper_config *c, double alpha, ff_sim_def *def)
{
  const ff_moreau_def plain = ff_sim_def_default().moreau;
  def->stepper = FF_STEPPER_MOREAU;
  def->moreau = plain;
  def->moreau.contact = c->contact;
  def->moreau.solver = c->solver;
  def->moreau.bilateral = c->bilateral;
  def->moreau.form = c->form;
  def->moreau.alpha = alpha;
  def->moreau.max_iterations = BENCH_MOREAU_ITERATIONS;
  def->moreau.relative_tolerance = def->moreau.absolute_tolerance = 1e-6; // the paper's
}

double bench_moreau_paper_configs_alpha(const bench_moreau_paper *m, int config)
{
  const bench_moreau_paper_config *c = &bench_moreau_paper_configs[config];
  if (c->contact != HARD || config >= BENCH_MOREAU_PUBLISHED_CONFIGS) // ours choose it themselves
    return 0;
  return m->alphas[config].limit > 0 ? 0.5 * m->alphas[config].limit : c->alpha;
}
