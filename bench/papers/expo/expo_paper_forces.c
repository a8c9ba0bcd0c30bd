// Fig. 5: normal forces of Solo's feet over 20 ms, predicted by the frozen system and true. Fig. 6: normal forces while
// trotting and walking.
//
// Fig. 5 starts where solo-squat does, with different velocities. The truth is expo with steps of 1/64 ms and constant
// torques.
#include "papers/expo/expo_paper.h"
#include "papers/expo/expo_paper_published.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double horizon = 0.02; // [s]

static const struct {
  const char *name;
  double forward, down; // velocity of the base [m/s]
  double joints;        // largest joint velocity; joints differ [rad/s]
} starts[BENCH_EXPO_STARTS] = {{"at rest", 0, 0, 0},
                               {"falling at 0.05 m/s", 0, 0.05, 0},
                               {"falling and forward at 0.1 m/s", 0.1, 0.1, 0},
                               {"legs moving at up to 1 rad/s", 0, 0, 1}};

double bench_expo_paper_forces_work(const void *paper)
{
  const bench_expo_paper *p = paper;
  double work = 0;
  work += p->has_test[BENCH_EXPO_SQUAT] ? BENCH_EXPO_STARTS * horizon * 64e3 * 8 : 0;
  work += p->has_test[BENCH_EXPO_TROT] ? p->tests[BENCH_EXPO_TROT].trial.periods * 10.0 : 0;
  work += p->has_test[BENCH_EXPO_WALK] ? p->tests[BENCH_EXPO_WALK].trial.periods * 40 * 25.0 : 0;
  return work;
}

// ---- Fig. 5 ---------------------------------------------------------------------------------------------

// Normal forces in the current state, in the order of the contacts at the start, matched by id. An ended contact has
// none.
static void read_forces(ff_sim *sim, int feet, const int *ids, double *force)
{
  int count;
  const ff_contact *contacts = ff_sim_contacts(sim, &count);
  for (int f = 0; f < feet; ++f) {
    force[f] = 0;
    for (int c = 0; c < count; ++c)
      if (contacts[c].id == ids[f])
        for (int k = 0; k < 3; ++k)
          force[f] += contacts[c].force[k] * contacts[c].normal[k];
  }
}

static ff_status predict(ff_sim *sim, const double *tau, bench_expo_paper_prediction *out, int *ids,
                         ff_error *error)
{
  int count, same;
  const ff_contact *contacts = ff_sim_contacts(sim, &count);
  double normal[BENCH_EXPO_FEET][3],
      *force = calloc((size_t)BENCH_EXPO_FORCE_TIMES * (size_t)count * 3 + 1, sizeof *force);
  if (!force)
    return error->status = FF_ERROR_MEMORY;
  out->feet = count < BENCH_EXPO_FEET ? count : BENCH_EXPO_FEET;
  for (int f = 0; f < out->feet; ++f) {
    ids[f] = contacts[f].id;
    memcpy(normal[f], contacts[f].normal, sizeof normal[f]);
  }
  const ff_status status =
      ff_sim_predict_forces(sim, tau, horizon, BENCH_EXPO_FORCE_TIMES, force, &same, error);
  for (int i = 0; i < BENCH_EXPO_FORCE_TIMES && status == FF_OK; ++i)
    for (int f = 0; f < out->feet; ++f) {
      const double *one = force + 3 * ((size_t)i * (size_t)same + (size_t)f);
      out->predicted[f][i] = one[0] * normal[f][0] + one[1] * normal[f][1] + one[2] * normal[f][2];
    }
  free(force);
  return status;
}

static void sum_up(bench_expo_paper_prediction *out)
{
  double off = 0, all = 0;
  for (int f = 0; f < out->feet; ++f)
    for (int i = 0; i < BENCH_EXPO_FORCE_TIMES; ++i) {
      off += fabs(out->predicted[f][i] - out->truth[f][i]);
      all += fabs(out->truth[f][i]);
    }
  out->error = all > 0 ? off / all : NAN;
}

static ff_status compare_forces(const bench_expo_paper *p, int start, bench_expo_paper_prediction *out,
                                ff_error *error)
{
  enum { BETWEEN = 16 }; // steps from one time to the next, of 1/64 ms
  const ff_trial *trial = &p->tests[BENCH_EXPO_SQUAT].trial;
  const ff_model_size size = ff_model_get_size(trial->model);
  const ff_scheme expo = ff_scheme_of(FF_STEPPER_EXPO);
  double *v = calloc((size_t)size.nv + 1, sizeof *v), *tau = calloc((size_t)size.nv + 1, sizeof *tau);
  int ids[BENCH_EXPO_FEET] = {0};
  ff_sim *sim = NULL;
  ff_trial fine = *trial;
  fine.period = horizon / ((BENCH_EXPO_FORCE_TIMES - 1) * BETWEEN);
  ff_status status =
      v && tau ? ff_trial_sim(&fine, &expo, 1, &sim, error) : (error->status = FF_ERROR_MEMORY);
  snprintf(out->name, sizeof out->name, "%s", starts[start].name);
  if (status == FF_OK) {
    v[0] =
        starts[start].forward; // the first velocities of a free joint: those of the base, which is level here
    v[2] = -starts[start].down;
    for (int i = 6; i < size.nv; ++i)
      v[i] = starts[start].joints * sin(3.0 * i);
    status = ff_sim_reset(sim, trial->q, v, error);
  }
  if (status == FF_OK)
    status = trial->control(0, ff_sim_q(sim), ff_sim_v(sim), tau, trial->user, error);
  if (status == FF_OK)
    status = predict(sim, tau, out, ids, error);
  for (int i = 0; i < BENCH_EXPO_FORCE_TIMES && status == FF_OK; ++i) {
    double force[BENCH_EXPO_FEET];
    out->time[i] = 1e3 * horizon * i / (BENCH_EXPO_FORCE_TIMES - 1);
    read_forces(sim, out->feet, ids, force);
    for (int f = 0; f < out->feet; ++f)
      out->truth[f][i] = force[f];
    for (int k = 0; k < BETWEEN && status == FF_OK; ++k)
      status = ff_sim_step(sim, tau, error);
  }
  sum_up(out);
  ff_sim_destroy(sim);
  free(v);
  free(tau);
  return status;
}

// ---- Fig. 6 ---------------------------------------------------------------------------------------------

typedef struct trace_run {
  double *force; // [samples][shapes]
  int samples, shapes;
  double dt;
} trace_run;

static void add_sample(ff_sim *sim, trace_run *r)
{
  int count;
  const ff_contact *contacts = ff_sim_contacts(sim, &count);
  double *now = r->force + (size_t)r->samples++ * (size_t)r->shapes;
  for (int c = 0; c < count; ++c)
    if (contacts[c].shape_a >= 0 && contacts[c].shape_a < r->shapes)
      for (int k = 0; k < 3; ++k)
        now[contacts[c].shape_a] += contacts[c].force[k] * contacts[c].normal[k];
}

// The shape with the most touch-downs, and the force jump at its worst one.
static void choose_shape(const trace_run *r, const ff_model *model, bench_expo_paper_force_trace *out)
{
  int best = 0, most = -1;
  for (int s = 0; s < r->shapes; ++s) {
    int landings = 0;
    for (int i = 1; i < r->samples; ++i)
      landings += r->force[(i - 1) * r->shapes + s] <= 0 && r->force[i * r->shapes + s] > 0;
    if (landings > most) {
      most = landings;
      best = s;
    }
  }
  ff_shape_info shape = {0};
  ff_link_info link = {0};
  if (ff_model_shape(model, best, &shape) == FF_OK && ff_model_link(model, shape.link, &link) == FF_OK)
    snprintf(out->name, sizeof out->name, "%.90s", link.name);
  out->count = 0;
  out->jump = 0;
  for (int i = 0; i < r->samples && out->count < BENCH_EXPO_TRACE_MOST; ++i) {
    const double now = r->force[i * r->shapes + best],
                 before = i > 0 ? r->force[(i - 1) * r->shapes + best] : now;
    if (before <= 0)
      out->jump = fmax(out->jump, now - before);
    out->time[out->count] = i * r->dt;
    out->force[out->count++] = now;
  }
}

// Run the test with expo and sample about every 2 ms.
static ff_status trace(const bench_expo_paper *p, int t, bench_expo_paper_force_trace *out, ff_error *error)
{
  const ff_trial *trial = &p->tests[t].trial;
  const int nv = ff_model_get_size(trial->model).nv, substeps = ff_trial_substeps(trial, 1.25e-3);
  const int most = (BENCH_EXPO_TRACE_MOST - 1) / substeps,
            periods = trial->periods < most ? trial->periods : most;
  const ff_scheme expo = ff_scheme_of(FF_STEPPER_EXPO);
  trace_run r = {.dt = trial->period / substeps, .shapes = ff_model_get_size(trial->model).shapes};
  double *tau = calloc((size_t)nv + 1, sizeof *tau);
  ff_sim *sim = NULL;
  r.force = calloc(((size_t)periods * (size_t)substeps + 1) * ((size_t)r.shapes + 1), sizeof *r.force);
  ff_status status =
      tau && r.force ? ff_trial_sim(trial, &expo, substeps, &sim, error) : (error->status = FF_ERROR_MEMORY);
  if (status == FF_OK)
    status = ff_sim_reset(sim, trial->q, trial->v, error);
  if (trial->begin)
    trial->begin(trial->user);
  for (int k = 0; k < periods && status == FF_OK; ++k) {
    memset(tau, 0, (size_t)nv * sizeof *tau);
    if (trial->control)
      status = trial->control(k * trial->period, ff_sim_q(sim), ff_sim_v(sim), tau, trial->user, error);
    for (int i = 0; i < substeps && status == FF_OK; ++i) {
      add_sample(sim, &r);
      status = ff_sim_step(sim, tau, error);
    }
  }
  if (status == FF_OK)
    choose_shape(&r, trial->model, out);
  ff_sim_destroy(sim);
  free(r.force);
  free(tau);
  return status;
}

// ---- Both -----------------------------------------------------------------------------------------------

static void report(const bench_expo_paper *p)
{
  char titles[1][24] = {"mean error"};
  if (p->has_test[BENCH_EXPO_SQUAT]) {
    bench_table_say(&p->run.table,
                    "Fig. 5: error of normal forces predicted over 20 ms, relative to the mean true force");
    bench_table_titles(&p->run.table, "", 1, titles);
  }
  for (int i = 0; i < BENCH_EXPO_STARTS && p->has_test[BENCH_EXPO_SQUAT]; ++i) {
    char metric[96];
    bench_table_row(&p->run.table, p->predictions[i].name);
    bench_table_error(&p->run.table, p->predictions[i].error);
    bench_table_end(&p->run.table);
    snprintf(metric, sizeof metric, "error:%s", p->predictions[i].name);
    if (p->run.rows)
      bench_json_rows_add(p->run.rows, "forces", metric, p->predictions[i].error, "relative");
  }
  for (int i = 0; i < 2; ++i)
    if (p->traces[i].count > 0) {
      const char *name = bench_expo_paper_published_tests[i == 0 ? BENCH_EXPO_TROT : BENCH_EXPO_WALK].name;
      bench_table_say(&p->run.table, "Fig. 6: %s, %s: force jumps by up to %.0f N at touch-down", name,
                      p->traces[i].name, p->traces[i].jump);
      if (p->run.rows)
        bench_json_rows_add(p->run.rows, name, "force:jump", p->traces[i].jump, "N");
    }
}

ff_status bench_expo_paper_forces_run(void *paper, ff_error *error)
{
  bench_expo_paper *p = paper;
  ff_status status = FF_OK;
  for (int i = 0; i < BENCH_EXPO_STARTS && p->has_test[BENCH_EXPO_SQUAT] && status == FF_OK; ++i)
    status = compare_forces(p, i, &p->predictions[i], error);
  for (int i = 0; i < 2 && status == FF_OK; ++i) {
    const int t = i == 0 ? BENCH_EXPO_TROT : BENCH_EXPO_WALK;
    if (p->has_test[t])
      status = trace(p, t, &p->traces[i], error);
  }
  bench_progress_end(&p->run.progress);
  if (status == FF_OK)
    report(p);
  return status;
}
