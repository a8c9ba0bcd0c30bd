// The cases, their worlds and their controllers.
#include "batch/batch_case.h"

#include "common/random.h"
#include "common/shipped_file.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define EXPO(dt, skip, steps)                                                                                \
  {                                                                                                          \
    FF_STEPPER_EXPO, dt, skip, steps                                                                         \
  }
#define PAPER(dt, skip, steps)                                                                               \
  {                                                                                                          \
    FF_STEPPER_EXPO_PAPER, dt, skip, steps                                                                   \
  }
#define EULER(dt, skip, steps)                                                                               \
  {                                                                                                          \
    FF_STEPPER_EULER, dt, skip, steps                                                                        \
  }
#define MOREAU(dt, skip, steps)                                                                              \
  {                                                                                                          \
    FF_STEPPER_MOREAU, dt, skip, steps                                                                       \
  }

// Explicit steps take parts of the motions: 0.2 s.
const bench_batch_kind bench_batch_kinds[BENCH_BATCH_CASES] = {
    {.name = "solo12-stand",
     .runs = 1,
     .steppers = {EXPO(2e-3, 100, 500), PAPER(2e-3, 100, 500), EULER(1e-4, 2000, 2000),
                  MOREAU(2e-3, 100, 500)}},
    {.name = "solo12-trot",
     .scene = "solo-trot.yaml",
     .runs = 1,
     .steppers = {EXPO(2e-3, 0, 1500), PAPER(2e-3, 0, 1500), EULER(1e-4, 10000, 2000),
                  MOREAU(2e-3, 0, 1500)}},
    {.name = "solo12-drop",
     .is_falling = 1,
     .runs = 64,
     .steppers = {EXPO(2e-3, 0, 200), PAPER(2e-3, 0, 200), MOREAU(2e-3, 0, 200)}},
    {.name = "romeo-walk",
     .scene = "romeo-walk.yaml",
     .runs = 1,
     .steppers = {EXPO(2e-3, 0, 3000), PAPER(2e-3, 0, 3000)}},
    {.name = "starleth-trot",
     .scene = "starleth-trot.yaml",
     .runs = 1,
     .steppers = {MOREAU(2.5e-3, 400, 1600), EXPO(2.5e-3, 400, 1600)}},
};

int bench_batch_case_steppers(const bench_batch_kind *kind)
{
  int count = 0;
  while (count < BENCH_BATCH_STEPPERS && kind->steppers[count].dt > 0)
    ++count;
  return count;
}

// ---- Opening ----------------------------------------------------------------------------------------------

ff_status bench_batch_case_open(const bench_batch_kind *kind, const bench_step_folders *folders, ff_isa isa,
                                bench_batch_case *out, ff_error *error)
{
  char path[4096];
  *out = (bench_batch_case){.kind = kind, .isa = isa, .runs = kind->runs};
  ff_status status;
  if (!kind->scene) {
    status = bench_step_case_open(0, folders, isa, &out->standing, error); // solo12 on four feet
    out->model = out->standing.model;
    return status;
  }
  if (bench_shipped_file_scene(folders->scenes, kind->scene, path, sizeof path))
    status = ff_scene_load(path, NULL, 0, &out->scene, error);
  else {
    snprintf(error->message, sizeof error->message,
             "%.500s: cannot be read; --scenes DIR says where the scenes are", path);
    status = error->status = FF_ERROR_FILE;
  }
  if (status == FF_OK)
    out->model = ff_scene_model(out->scene);
  return status;
}

void bench_batch_case_close(bench_batch_case *c)
{
  if (c->standing.model)
    bench_step_case_close(&c->standing);
  ff_scene_destroy(c->scene);
  memset(c, 0, sizeof *c);
}

ff_status bench_batch_case_world(const bench_batch_case *c, const bench_batch_stepper *stepper,
                                 ff_world **out, ff_error *error)
{
  ff_sim_def def = c->scene ? ff_scene_sim_def(c->scene) : ff_sim_def_default();
  def.stepper = stepper->stepper;
  def.dt = stepper->dt;
  def.isa = c->isa;
  return ff_world_create(c->model, &def, out, error);
}

// ---- Starts and controllers -------------------------------------------------------------------------------

// What a recording goes by. One run at a time.
typedef struct player {
  const bench_batch_case *c;
  const bench_batch_varied *varied; // NULL: none
  double dt;
  int run;
  double tau[128]; // of the present period of a scene's controller
} player;

// A random fall: height, attitude, velocity and joints.
static void start_falling(const bench_step_case *c, int run, double *q, double *v)
{
  uint64_t seed = 1 + (uint64_t)run;
  const ff_model_size size = ff_model_get_size(c->model);
  const double angle = 0.15 * (1 + bench_random(&seed)), side = 3.14159265358979 * bench_random(&seed);
  q[2] += 0.1 * (1 + bench_random(&seed));
  q[3] = sin(angle / 2) * cos(side);
  q[4] = sin(angle / 2) * sin(side);
  q[5] = 0;
  q[6] = cos(angle / 2);
  for (int i = 7; i < size.nq; ++i)
    q[i] += 0.1 * bench_random(&seed);
  for (int i = 0; i < size.nv; ++i)
    v[i] = 0.3 * bench_random(&seed);
}

// The start of a run in our coordinates.
static void start_state(const bench_batch_case *c, int run, double *q, double *v)
{
  const ff_model_size size = ff_model_get_size(c->model);
  const double *from_q = c->scene ? ff_scene_q(c->scene) : c->standing.q;
  const double *from_v = c->scene ? ff_scene_v(c->scene) : c->standing.v;
  memcpy(q, from_q, (size_t)size.nq * sizeof *q);
  memcpy(v, from_v, (size_t)size.nv * sizeof *v);
  if (c->kind->is_falling)
    start_falling(&c->standing, run, q, v);
}

// Torques in step k of a run: of the scene's controller, or those that hold the joints; standing, with a sway of 2 Hz.
static ff_status torques(player *p, int step, const double *q, const double *v, double *tau)
{
  const bench_batch_case *c = p->c;
  const int nv = ff_model_get_size(c->model).nv;
  if (!c->scene) {
    bench_step_case_control(&c->standing, q, v, tau);
    for (int i = 6; i < nv && !c->kind->is_falling; ++i)
      tau[i] += 0.05 * sin(2 * 3.14159265358979 * 2 * step * p->dt + i + p->run);
    return FF_OK;
  }
  const int hold = (int)lround(ff_scene_period(c->scene) / p->dt);
  const int period = step / hold;
  ff_status status = FF_OK;
  ff_error ignored;
  if (step % hold == 0) {
    memset(p->tau, 0, (size_t)nv * sizeof *p->tau);
    status = ff_scene_control(c->scene, period * ff_scene_period(c->scene), q, v, p->tau, &ignored);
  }
  memcpy(tau, p->tau, (size_t)nv * sizeof *tau);
  return status;
}

// ---- Our motions ------------------------------------------------------------------------------------------

static ff_status start(void *user, int run, ff_sim *sim, ff_error *error)
{
  player *p = user;
  double q[128], v[128];
  p->run = run;
  start_state(p->c, run, q, v);
  const ff_status status = p->varied ? ff_sim_set_parameters(sim, p->varied->parameters[run], error) : FF_OK;
  return status == FF_OK ? ff_sim_reset(sim, q, v, error) : status;
}

static ff_status control(void *user, int step, const ff_sim *sim, double *tau, ff_error *error)
{
  const ff_status status = torques(user, step, ff_sim_q(sim), ff_sim_v(sim), tau);
  if (status != FF_OK)
    snprintf(error->message, sizeof error->message, "the controller fails");
  return status;
}

ff_status bench_batch_case_record(const bench_batch_case *c, const bench_batch_stepper *stepper,
                                  ff_world *world, const bench_batch_varied *varied, bench_motion *out,
                                  ff_error *error)
{
  player p = {.c = c, .varied = varied, .dt = stepper->dt};
  const bench_motion_def def = {.runs = varied ? varied->count : c->runs,
                                .steps = stepper->steps,
                                .skip = stepper->skip,
                                .start = start,
                                .control = control,
                                .user = &p};
  ff_sim *sim = NULL;
  memset(out, 0, sizeof *out);
  ff_status status = ff_sim_create_in(world, &sim, error);
  if (status == FF_OK)
    status = bench_motion_record(sim, &def, out, error);
  ff_sim_destroy(sim);
  return status;
}

// ---- MuJoCo's ---------------------------------------------------------------------------------------------

static void start_mujoco(void *user, int run, double *q, double *v)
{
  player *p = user;
  p->run = run;
  start_state(p->c, run, q, v);
}

static int control_mujoco(void *user, int step, const double *q, const double *v, double *tau)
{
  const double up = 1 - 2 * (q[3] * q[3] + q[4] * q[4]);
  return up > 0 && torques(user, step, q, v, tau) == FF_OK;
}

int bench_batch_case_record_mujoco(const bench_batch_case *c, bench_mujoco_robot *robot,
                                   bench_mujoco_motion *out, char *why, size_t size)
{
  const bench_batch_stepper *main = &c->kind->steppers[0];
  player p = {.c = c, .dt = main->dt};
  const bench_mujoco_motion_def def = {.model = c->model,
                                       .runs = c->runs,
                                       .steps = main->steps,
                                       .skip = main->skip,
                                       .start = start_mujoco,
                                       .control = control_mujoco,
                                       .user = &p};
  memset(out, 0, sizeof *out);
  return bench_mujoco_motion_record(robot, &def, out, why, size);
}
