// Records and replays the trot in MuJoCo, and times the ball pit.
#include "papers/moreau/moreau_paper_mujoco.h"

#include "common/timer.h"
#include "peers/mujoco_motion.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- The trot -------------------------------------------------------------------------------------------

struct bench_moreau_paper_mujoco {
  bench_mujoco_robot robot;
  bench_mujoco_motion recorded;
  bench_moreau_paper_replay_motion motion;
};

static void begin(void *context, int block)
{
  bench_moreau_paper_mujoco *t = context;
  bench_mujoco_motion_set(&t->recorded, block * t->motion.steps, &t->robot.m, &t->robot.d);
}

static void play(void *context, int block)
{
  bench_moreau_paper_mujoco *t = context;
  bench_mujoco_motion_play(&t->recorded, block * t->motion.steps, t->motion.steps, &t->robot);
}

// 0 if it falls; `why` says so.
static int record(bench_moreau_paper_mujoco *t, const bench_moreau_paper *m, char *why, size_t size)
{
  const int steps = (int)lround(m->gait / m->period);
  const bench_mujoco_motion_def def =
      bench_mujoco_motion_of_scene(m->trot[0], m->warm_cycles * steps, m->cycles * steps);
  if (!bench_mujoco_robot_open(&t->robot, def.model, 1, why, size))
    return 0;
  t->robot.peer->set_options(&t->robot.m, &(bench_mujoco_options){.dt = m->period, .is_whole = 1});
  t->motion = (bench_moreau_paper_replay_motion){
      begin, play, t, m->cycles, steps, 0, calloc(2 * (size_t)m->cycles, sizeof(double))};
  snprintf(why, size, "no memory");
  return t->motion.least && bench_mujoco_motion_record(&t->robot, &def, &t->recorded, why, size);
}

bench_moreau_paper_mujoco *bench_moreau_paper_mujoco_create(const bench_moreau_paper *m, char *why,
                                                            size_t size)
{
  bench_moreau_paper_mujoco *t = calloc(1, sizeof *t);
  snprintf(why, size, "no memory");
  if (t && record(t, m, why, size))
    return t;
  bench_moreau_paper_mujoco_destroy(t);
  return NULL;
}

void bench_moreau_paper_mujoco_destroy(bench_moreau_paper_mujoco *t)
{
  if (!t)
    return;
  bench_mujoco_motion_free(&t->recorded);
  bench_mujoco_robot_close(&t->robot);
  free(t->motion.least);
  free(t);
}

bench_moreau_paper_replay_motion *bench_moreau_paper_mujoco_motion(bench_moreau_paper_mujoco *t)
{
  return &t->motion;
}

double bench_moreau_paper_mujoco_contacts(const bench_moreau_paper_mujoco *t)
{
  return t->recorded.contacts;
}

// ---- A pit ----------------------------------------------------------------------------------------------

// Microseconds per step at rest; NAN if settling takes longer than `patience`.
static double time_pit(bench_mujoco_robot *robot, int settle, double patience)
{
  enum { ROUNDS = 5, STEPS = 10 };
  const double start = bench_timer_thread_seconds();
  double least = INFINITY;
  robot->peer->reset(&robot->m, &robot->d);
  for (int k = 0; k < settle; ++k) {
    if (bench_timer_thread_seconds() - start > patience)
      return NAN;
    bench_mujoco_robot_step(robot);
  }
  for (int r = 0; r < ROUNDS; ++r) {
    const double from = bench_timer_thread_seconds();
    for (int k = 0; k < STEPS; ++k)
      bench_mujoco_robot_step(robot);
    least = fmin(least, 1e6 * (bench_timer_thread_seconds() - from) / STEPS);
  }
  return bench_mujoco_robot_is_finite(robot) ? least : NAN;
}

int bench_moreau_paper_mujoco_ball_pit(const char *text, double dt, double settle, double patience,
                                       double *us, int *contacts)
{
  static const bench_mujoco_solver solvers[2] = {BENCH_MUJOCO_NEWTON, BENCH_MUJOCO_CG};
  char why[256];
  bench_mujoco_robot robot;
  const int is_open = bench_mujoco_robot_open_text(&robot, text, why, sizeof why);
  *us = INFINITY;
  for (int i = 0; i < 2 && is_open; ++i) {
    robot.peer->set_options(&robot.m, &(bench_mujoco_options){.dt = dt, .solver = solvers[i]});
    const double time = time_pit(&robot, (int)(settle / dt), patience);
    if (time < *us) {
      *us = time;
      *contacts = robot.peer->contacts(&robot.d);
    }
  }
  bench_mujoco_robot_close(&robot);
  return isfinite(*us);
}
