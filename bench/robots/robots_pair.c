// Proposes a scene, records both motions and times them in turns.
#include "robots/robots_pair.h"

#include "common/timer.h"
#include "motion/motion.h"
#include "peers/mujoco_motion.h"
#include "robots/robots_text.h"

#include <footfall/propose.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS = 2000 };
static const double dt = 1e-3;    // [s]
static const double patience = 3; // of recording ours [s]; of robots that take longer, fewer steps are timed
static const char seconds[] = "2s"; // STEPS times dt

static const struct {
  const char *name;
  bench_mujoco_options options;
} settings[] = {
    {"round cones", {.dt = 1e-3, .integrator = BENCH_MUJOCO_IMPLICITFAST, .is_whole = 1}},
    {"round cones, islands", {.dt = 1e-3, .integrator = BENCH_MUJOCO_IMPLICITFAST}},
    {"pyramids", {.dt = 1e-3, .integrator = BENCH_MUJOCO_IMPLICITFAST, .is_whole = 1, .is_pyramidal = 1}},
};
enum { SETTINGS = sizeof settings / sizeof *settings };

typedef struct pairing {
  bench_robots_pair *out;
  ff_scene *scene;
  ff_sim *sim;
  bench_motion motion;
  bench_mujoco_robot robot[SETTINGS];
  bench_mujoco_motion theirs; // of the first setting
  double *references;
  int failed;
} pairing;

// ---- Ours -------------------------------------------------------------------------------------------------

// The proposed scene, in steps of 1 ms of `expo`.
static ff_status open_scene(const bench_robots_pair_def *def, pairing *p, ff_error *error)
{
  const ff_scene_override changes[] = {{.path = "stepper", .value = "expo"},
                                       {.path = "dt", .value = "1ms"},
                                       {.path = "duration", .value = seconds}};
  char path[1024];
  ff_proposal *proposal = NULL;
  ff_proposal_def wanted = ff_proposal_def_default();
  snprintf(path, sizeof path, "%s/scene.yaml", def->folder);
  wanted.scene = path;
  ff_status status = ff_scene_propose(def->file->path, &wanted, &proposal, error);
  if (status != FF_OK)
    return status;
  FILE *file = fopen(path, "w");
  const int is_written = file && fwrite(proposal->text, 1, proposal->text_size, file) == proposal->text_size;
  if (file)
    fclose(file);
  ff_proposal_destroy(proposal);
  snprintf(error->message, sizeof error->message, "%.500s: cannot be written", path);
  return is_written ? ff_scene_load(path, changes, 3, &p->scene, error) : FF_ERROR_FILE;
}

static ff_status record_ours(const bench_robots_pair_def *def, pairing *p, ff_error *error)
{
  ff_sim_def sim = ff_scene_sim_def(p->scene);
  sim.isa = def->isa;
  ff_status status = ff_scene_create_sim(p->scene, &sim, &p->sim, error);
  if (status != FF_OK)
    return status;
  const bench_motion_def motion = {.steps = STEPS, .patience = patience};
  status = bench_motion_record_scene(p->scene, p->sim, &motion, &p->motion, error);
  p->out->steps = p->motion.steps;
  p->out->contacts = p->motion.contacts;
  return status;
}

static void sweep_ours(void *context)
{
  pairing *p = context;
  ff_sim_set_state(p->sim, p->motion.state, NULL);
  for (int k = 0; k < p->motion.steps; ++k)
    p->failed |= ff_sim_step(p->sim, p->motion.tau + (size_t)k * (size_t)p->motion.nv, NULL) != FF_OK;
}

// The same motion once more, with timed phases and the report of every step.
static ff_status read_spending(const bench_robots_pair_def *def, pairing *p, ff_error *error)
{
  bench_robots_pair *out = p->out;
  ff_sim_def timed = ff_scene_sim_def(p->scene);
  ff_sim *sim = NULL;
  timed.isa = def->isa;
  timed.timing = 1;
  ff_status status = ff_scene_create_sim(p->scene, &timed, &sim, error);
  if (status == FF_OK)
    status = ff_sim_set_state(sim, p->motion.state, error);
  for (int k = 0; k < out->steps && status == FF_OK; ++k) {
    status = ff_sim_step(sim, p->motion.tau + (size_t)k * (size_t)p->motion.nv, error);
    const ff_step_info *info = ff_sim_info(sim);
    const double share = 1.0 / out->steps;
    out->pieces += share * info->pieces;
    out->factorisations += share * info->factorisations;
    out->substeps += share * info->substeps;
    out->events += share * (info->touchdowns + info->liftoffs + info->slips + info->sticks);
    out->capped += share * info->capped;
    for (int i = 0; i < FF_PHASE_COUNT; ++i)
      out->phase[i] += share * 1e6 * info->seconds[i];
  }
  ff_sim_destroy(sim);
  return status;
}

// ---- MuJoCo's ---------------------------------------------------------------------------------------------

static void start_theirs(void *user, int run, double *q, double *v)
{
  const pairing *p = user;
  const ff_model_size size = ff_model_get_size(ff_scene_model(p->scene));
  (void)run;
  memcpy(q, ff_scene_q(p->scene), (size_t)size.nq * sizeof *q);
  memcpy(v, ff_scene_v(p->scene), (size_t)size.nv * sizeof *v);
}

// Torques of the scene's controller, by the state that MuJoCo has.
static int control_theirs(void *user, int step, const double *q, const double *v, double *tau)
{
  pairing *p = user;
  ff_error ignored;
  bench_mujoco_robot *r = &p->robot[0];
  if (step == 0)
    memcpy(r->d.control, p->references, (size_t)r->m.nu * sizeof(double));
  return ff_scene_control(p->scene, step * dt, q, v, tau, &ignored) == FF_OK;
}

// Returns 0 with the reason in out->why.
static int record_theirs(const bench_robots_pair_def *def, pairing *p)
{
  char path[1024], *why = p->out->why;
  const size_t size = sizeof p->out->why;
  const ff_model_size ours = ff_model_get_size(ff_scene_model(p->scene));
  snprintf(path, sizeof path, "%s/robot.xml", def->folder);
  char *text = bench_robots_text(p->scene, p->sim, path, &p->references, why, size);
  FILE *file = text ? fopen(path, "w") : NULL;
  const int is_written = file && fputs(text, file) >= 0;
  free(text);
  if (file)
    fclose(file);
  if (!is_written)
    return 0;
  for (int k = 0; k < SETTINGS; ++k)
    if (!bench_mujoco_robot_open_file(&p->robot[k], path, why, size))
      return 0;
  snprintf(why, size, "MuJoCo's model has other coordinates");
  if (p->robot[0].m.nq != ours.nq || p->robot[0].m.nv != ours.nv)
    return 0;
  for (int k = 0; k < SETTINGS; ++k) {
    bench_mujoco_options options = settings[k].options;
    if (p->robot[k].peer->set_options(&p->robot[k].m, &options))
      continue;
    options.integrator = BENCH_MUJOCO_IMPLICIT;
    p->robot[k].peer->set_options(&p->robot[k].m, &options);
  }
  const bench_mujoco_motion_def motion = {.model = ff_scene_model(p->scene),
                                          .runs = 1,
                                          .steps = p->out->steps,
                                          .start = start_theirs,
                                          .control = control_theirs,
                                          .user = p};
  if (!bench_mujoco_motion_record(&p->robot[0], &motion, &p->theirs, why, size))
    return 0;
  p->out->mujoco_contacts = p->theirs.contacts;
  snprintf(why, size, "MuJoCo diverges");
  return !p->robot[0].peer->has_warned(&p->robot[0].d);
}

typedef struct play {
  pairing *p;
  int setting;
} play;

static void sweep_theirs(void *context)
{
  const play *own = context;
  bench_mujoco_robot *r = &own->p->robot[own->setting];
  r->peer->reset(&r->m, &r->d);
  memcpy(r->d.control, own->p->references, (size_t)r->m.nu * sizeof(double));
  bench_mujoco_motion_set(&own->p->theirs, 0, &r->m, &r->d);
  bench_mujoco_motion_play(&own->p->theirs, 0, own->p->theirs.steps, r);
}

// Of the ends of both: the largest difference of a coordinate.
static double how_far_apart(pairing *p)
{
  const ff_model *model = ff_scene_model(p->scene);
  const ff_model_size size = ff_model_get_size(model);
  double *q = calloc((size_t)(size.nq + size.nv) + 1, sizeof *q), worst = 0;
  const bench_mujoco_data *d = &p->robot[0].d;
  if (!q)
    return NAN;
  bench_mujoco_robot_convert_back(model, d->qpos, d->qvel, q, q + size.nq);
  for (int i = 0; i < size.nq; ++i) // q and -q of a quaternion are the same: the smaller difference
    worst = fmax(worst, fmin(fabs(q[i] - ff_sim_q(p->sim)[i]), fabs(q[i] + ff_sim_q(p->sim)[i])));
  free(q);
  return worst;
}

// ---- Both -------------------------------------------------------------------------------------------------

static void time_both(const bench_robots_pair_def *def, pairing *p)
{
  bench_timer_task tasks[1 + SETTINGS];
  play plays[SETTINGS];
  bench_robots_pair *out = p->out;
  tasks[0] = (bench_timer_task){.sweep = sweep_ours, .context = p, .calls = out->steps};
  for (int k = 0; k < SETTINGS; ++k) {
    plays[k] = (play){p, k};
    tasks[1 + k] = (bench_timer_task){.sweep = sweep_theirs, .context = &plays[k], .calls = out->steps};
  }
  bench_timer_run(tasks, 1 + SETTINGS, def->seconds, 1);
  out->us = 1e-3 * tasks[0].least;
  out->mujoco_us = INFINITY;
  for (int k = 0; k < SETTINGS; ++k)
    if (1e-3 * tasks[1 + k].least < out->mujoco_us && !p->robot[k].peer->has_warned(&p->robot[k].d)) {
      out->mujoco_us = 1e-3 * tasks[1 + k].least;
      out->setting = settings[k].name;
    }
  out->apart = how_far_apart(p);
}

double bench_robots_pair_ratio(const bench_robots_pair *pair)
{
  return pair->why[0] || pair->us <= 0 ? 0 : pair->mujoco_us / pair->us;
}

void bench_robots_pair_measure(const bench_robots_pair_def *def, bench_robots_pair *out)
{
  pairing p = {.out = out};
  ff_error error = {0};
  *out = (bench_robots_pair){.setting = ""};
  snprintf(out->name, sizeof out->name, "%s", def->file->name);
  ff_status status = open_scene(def, &p, &error);
  if (status == FF_OK) {
    out->nv = ff_model_get_size(ff_scene_model(p.scene)).nv;
    snprintf(out->scene, sizeof out->scene, "%.90s", ff_scene_get_def(p.scene)->title);
    status = record_ours(def, &p, &error);
  }
  if (status == FF_OK)
    status = read_spending(def, &p, &error);
  if (status != FF_OK)
    snprintf(out->why, sizeof out->why, "%.250s", error.message);
  else if (record_theirs(def, &p)) {
    out->why[0] = '\0';
    time_both(def, &p);
    if (p.failed)
      snprintf(out->why, sizeof out->why, "a step of ours failed when it was repeated");
  }
  bench_mujoco_motion_free(&p.theirs);
  for (int k = 0; k < SETTINGS; ++k)
    bench_mujoco_robot_close(&p.robot[k]);
  free(p.references);
  bench_motion_free(&p.motion);
  ff_sim_destroy(p.sim);
  ff_scene_destroy(p.scene);
}
