// Fig. 5: normal force of the left-fore foot over a gait cycle, on hard and on compliant ground, and the penetration of
// the latter.
#include "papers/controlled_robot.h"
#include "papers/moreau/moreau_paper.h"

#include <math.h>
#include <stdio.h>

// "damped" has ten times the damping and the paper's step for it, a quarter of the compliant one's; "damped-fine" has a
// quarter of that.
const char *const bench_moreau_paper_forces_names[BENCH_MOREAU_FORCES] = {"hard", "compliant", "damped",
                                                                          "damped-fine"};

static const int warm = 4; // gait cycles before measuring

double bench_moreau_paper_forces_work(const void *paper)
{
  const bench_moreau_paper *m = paper;
  return BENCH_MOREAU_FORCES * (warm + 1) * m->gait / m->period * 120e-6;
}

static int foot_link(const ff_scene *scene)
{
  const ff_model *model = ff_scene_model(scene);
  ff_frame_info frame;
  const int f = ff_model_find_frame(model, ff_scene_get_def(scene)->controller.trot.feet[0]);
  return ff_model_frame(model, f, &frame) == FF_OK ? frame.link : -1;
}

// Record a step: the foot's force, and the depths of all points in contact.
static void see(bench_moreau_paper_foot_force *out, ff_sim *sim, int link, double time, double *points,
                double *change)
{
  int count;
  const ff_contact *c = ff_sim_contacts(sim, &count);
  double force = 0;
  for (int i = 0; i < count; ++i) {
    double normal = 0;
    for (int k = 0; k < 3; ++k)
      normal += c[i].mean_force[k] * c[i].normal[k];
    force += c[i].link_a == link ? normal : 0;
    if (normal <= 0)
      continue;
    out->sunk += c[i].penetration;
    *points += 1;
    out->deepest = fmax(out->deepest, c[i].penetration);
  }
  if (out->count > 0 && force > 0 && out->force[out->count - 1] > 0) {
    out->rough += fabs(force - out->force[out->count - 1]) / (1e3 * out->dt);
    *change += 1;
  }
  if (out->count < BENCH_MOREAU_CYCLE_MOST) {
    out->time[out->count] = time;
    out->force[out->count++] = force;
  }
  out->mean += force;
  out->peak = fmax(out->peak, force);
}

static ff_status run(const bench_moreau_paper *m, ff_scene *scene, int config, int substeps,
                     bench_moreau_paper_foot_force *out, ff_error *error)
{
  ff_sim_def def = ff_scene_sim_def(scene);
  bench_controlled_robot d;
  bench_moreau_paper_configs_apply(&bench_moreau_paper_configs[config],
                                   bench_moreau_paper_configs_alpha(m, config), &def);
  ff_status status = bench_controlled_robot_create(scene, &def, substeps, &d, error);
  if (status != FF_OK)
    return status;
  const int link = foot_link(scene), cycle = (int)lround(m->gait / m->period) * substeps;
  double points = 0, changes = 0;
  *out = (bench_moreau_paper_foot_force){.dt = m->period / substeps};
  for (int k = 0; k < (warm + 1) * cycle && status == FF_OK; ++k) {
    status = bench_controlled_robot_step(&d, error);
    if (k >= warm * cycle && status == FF_OK)
      see(out, d.sim, link, (k - warm * cycle + 1) * out->dt, &points, &changes);
  }
  bench_controlled_robot_free(&d);
  out->mean /= cycle;
  out->sunk = points > 0 ? out->sunk / points : NAN;
  out->rough = changes > 0 ? out->rough / changes : NAN;
  return status;
}

static void report(const bench_moreau_paper *m)
{
  char titles[][24] = {"step [ms]", "mean [N]", "peak [N]", "change [N/ms]", "deep [mm]", "deepest [mm]"};
  bench_table_say(&m->run.table,
                  "Fig. 5: normal force of the left-fore foot over a gait cycle (paper: 4.4 mm deep)");
  bench_table_titles(&m->run.table, "", 6, titles);
  for (int g = 0; g < BENCH_MOREAU_FORCES; ++g) {
    const bench_moreau_paper_foot_force *f = &m->force[g];
    const double figures[] = {1e3 * f->dt, f->mean, f->peak, f->rough, 1e3 * f->sunk, 1e3 * f->deepest};
    static const char *const metrics[] = {
        "dt", "mean", "peak", "change", "penetration:mean", "penetration:deepest"};
    static const char *const units[] = {"ms", "N", "N", "N/ms", "mm", "mm"};
    char metric[64];
    bench_table_row(&m->run.table, bench_moreau_paper_forces_names[g]);
    for (int k = 0; k < 6; ++k) {
      bench_table_number(&m->run.table, figures[k]);
      snprintf(metric, sizeof metric, "%s:%s", bench_moreau_paper_forces_names[g], metrics[k]);
      if (m->run.rows)
        bench_json_rows_add(m->run.rows, "force", metric, figures[k], units[k]);
    }
    bench_table_end(&m->run.table);
  }
}

// The damped ground with a quarter of the compliant one's step, as in the paper; if that is not bounded, with the
// longest bounded step.
static int substeps_of(const bench_moreau_paper *m, int ground)
{
  const int *fewest = m->bounded.fewest;
  if (ground == 0)
    return fewest[0] > 0 ? fewest[0] : 1;
  const int soft = fewest[1] > 0 ? fewest[1] : 2;
  const int damped = 4 * soft > fewest[2] ? 4 * soft : fewest[2];
  return ground == 1 ? soft : ground == 2 ? damped : 4 * damped;
}

ff_status bench_moreau_paper_forces_run(void *paper, ff_error *error)
{
  bench_moreau_paper *m = paper;
  static const double damping[BENCH_MOREAU_FORCES] = {50, 50, 500, 500};
  for (int g = 0; g < BENCH_MOREAU_FORCES; ++g) {
    ff_scene *scene;
    ff_status status = bench_moreau_paper_scene(
        m, &(bench_moreau_paper_scene_def){"starleth-trot.yaml", FF_CUT_MINIMAL, damping[g], 0}, &scene,
        error);
    if (status != FF_OK)
      return status;
    status =
        run(m, scene, g == 0 ? BENCH_MOREAU_HMJ : BENCH_MOREAU_CM, substeps_of(m, g), &m->force[g], error);
    ff_scene_destroy(scene);
    if (status != FF_OK)
      return status;
    bench_progress_share(&m->run.progress, (g + 1.0) / BENCH_MOREAU_FORCES);
  }
  bench_progress_end(&m->run.progress);
  report(m);
  return FF_OK;
}
