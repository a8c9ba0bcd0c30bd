// Random starts, falls and their statistics.
#include "properties/falls/falls.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

enum { STAIRS = 8 };

static ff_ground_def ground_of(ff_shape_type type, double stiffness)
{
  ff_ground_def ground = ff_ground_def_default();
  ground.shape.type = type;
  ground.shape.material =
      (ff_material){.stiffness = stiffness, .damping = 300 * sqrt(stiffness / 1e5), .friction = 1};
  ground.gives_pair = 1;
  return ground;
}

// Each step is a block that reaches to the end of the stairs and a metre below the floor.
static ff_ground_def stair(int i, double stiffness)
{
  ff_ground_def ground = ground_of(FF_SHAPE_BOX, stiffness);
  const double begin = 0.28 * i, end = 0.28 * STAIRS + 3, top = 0.17 * (i + 1);
  ground.shape.size[0] = end - begin;
  ground.shape.size[1] = 20;
  ground.shape.size[2] = top + 1;
  ground.shape.pose.position[0] = (begin + end) / 2;
  ground.shape.pose.position[2] = (top - 1) / 2;
  return ground;
}

void ffi_falls_open(ffi_falls_scene *scene, const ff_model *model, const ffi_falls_def *falls)
{
  ff_ground_def ground[1 + STAIRS];
  ground[0] = ground_of(FF_SHAPE_PLANE, falls->stiffness);
  for (int i = 0; i < STAIRS; ++i)
    ground[1 + i] = stair(i, falls->stiffness);
  ff_sim_def def = ff_sim_def_default();
  def.stepper = falls->stepper;
  def.contact_law = falls->law;
  def.dt = falls->dt;
  def.ground = ground;
  def.ground_count = falls->is_stairs ? 1 + STAIRS : 1;
  const ff_model_size size = ff_model_get_size(model);
  ff_error error;
  *scene = (ffi_falls_scene){.model = model, .stiffness = falls->stiffness, .is_stairs = falls->is_stairs};
  if (ff_sim_create(model, &def, &scene->sim, &error) != FF_OK ||
      ff_dynamics_create(model, NULL, &scene->dynamics, &error) != FF_OK)
    fail_msg("%s", error.message);
  scene->q = calloc((size_t)size.nq, sizeof *scene->q);
  scene->v = calloc((size_t)size.nv, sizeof *scene->v);
  assert_true(scene->q && scene->v);
}

void ffi_falls_close(ffi_falls_scene *scene)
{
  ff_sim_destroy(scene->sim);
  ff_dynamics_destroy(scene->dynamics);
  free(scene->q);
  free(scene->v);
}

// Joint angles: within the joint's range where that says something.
static void random_angles(ffi_falls_scene *scene, ffi_random *random)
{
  const int joints = ff_model_get_size(scene->model).joints;
  for (int j = 0; j < joints; ++j) {
    ff_joint_info info;
    ff_model_joint(scene->model, j, &info);
    if (info.nv != 1)
      continue;
    const int is_limited = info.has_limits && info.upper - info.lower < 6.3;
    scene->q[info.q] =
        is_limited ? ffi_random_between(random, info.lower, info.upper) : ffi_random_between(random, -2, 2);
  }
}

static int touches(ffi_falls_scene *scene)
{
  ff_error error;
  int count;
  if (ff_sim_reset(scene->sim, scene->q, scene->v, &error) != FF_OK)
    fail_msg("%s", error.message);
  ff_sim_contacts(scene->sim, &count);
  return count > 0;
}

void ffi_falls_start(ffi_falls_scene *scene, ffi_random *random)
{
  const ff_model_size size = ff_model_get_size(scene->model);
  const int way = ffi_random_below(random, 3); // pushed, on the back, any
  double *q = scene->q, *v = scene->v;
  memcpy(q, ff_model_posture(scene->model, ff_model_find_posture(scene->model, "standing")),
         (size_t)size.nq * sizeof *q);
  q[0] = scene->is_stairs ? ffi_random_between(random, -0.5, 2) : 0;
  if (way == 1) {
    const double angle = ffi_random_between(random, 2.6, 3.6), axis = ffi_random_between(random, -1, 1);
    q[3] = sin(angle / 2) * cos(axis), q[4] = sin(angle / 2) * sin(axis), q[5] = 0, q[6] = cos(angle / 2);
  } else if (way == 2) {
    ffi_random_quaternion(random, q + 3);
    random_angles(scene, random);
  }
  for (int i = 0; i < 6; ++i)
    v[i] = ffi_random_between(random, -3, 3);
  for (int i = 6; i < size.nv; ++i)
    v[i] = way == 2 ? ffi_random_between(random, -5, 5) : 0;
  q[2] = 4;
  while (!touches(scene))
    q[2] -= 0.02;
  while (touches(scene)) // a step higher may be inside a stair
    q[2] += 0.02;
  q[2] += ffi_random_between(random, 0, 0.3);
  if (touches(scene))
    fail_msg("a start touches the ground");
}

static double lowest_link(ffi_falls_scene *scene)
{
  const int links = ff_model_get_size(scene->model).links;
  double lowest = INFINITY;
  ff_dynamics_kinematics(scene->dynamics, ff_sim_q(scene->sim), NULL, NULL);
  for (int i = 0; i < links; ++i) {
    ff_link_info link;
    double p[3], R[9];
    ff_model_link(scene->model, i, &link);
    ff_dynamics_frame_pose(scene->dynamics, link.frame, p, R);
    lowest = fmin(lowest, p[2] + R[6] * link.inertia.com[0] + R[7] * link.inertia.com[1] +
                              R[8] * link.inertia.com[2]);
  }
  return lowest;
}

static void note_step(const ff_step_info *info, ffi_falls_result *r)
{
  ++r->steps;
  r->pieces += info->pieces;
  r->capped_events += info->events_capped;
  r->capped_substeps += info->capped;
  r->most_pieces = info->pieces > r->most_pieces ? info->pieces : r->most_pieces;
  r->most_factorisations =
      info->factorisations > r->most_factorisations ? info->factorisations : r->most_factorisations;
  r->most_contacts = info->contacts > r->most_contacts ? info->contacts : r->most_contacts;
  r->worst_penetration = fmax(r->worst_penetration, info->penetration);
}

void ffi_falls_add(ffi_falls_result *all, const ffi_falls_result *one)
{
  all->steps += one->steps;
  all->pieces += one->pieces;
  all->capped_events += one->capped_events;
  all->capped_substeps += one->capped_substeps;
  all->falls += one->falls;
  all->seconds += one->seconds;
  all->most_pieces = one->most_pieces > all->most_pieces ? one->most_pieces : all->most_pieces;
  if (one->most_factorisations > all->most_factorisations)
    all->most_factorisations = one->most_factorisations;
  all->most_contacts = one->most_contacts > all->most_contacts ? one->most_contacts : all->most_contacts;
  all->worst_penetration = fmax(all->worst_penetration, one->worst_penetration);
  all->worst_share = fmax(all->worst_share, one->worst_share);
  all->worst_gain = fmax(all->worst_gain, one->worst_gain);
  all->worst_motion = fmax(all->worst_motion, one->worst_motion);
  all->lowest = fmin(all->lowest, one->lowest);
}

const char *ffi_falls_run(ffi_falls_scene *scene, int steps, ffi_falls_result *r)
{
  ff_sim *sim = scene->sim;
  *r = (ffi_falls_result){.falls = 1, .lowest = (double)INFINITY, .start = ff_sim_energy(sim).total};
  const double depth = sqrt(2 * r->start / scene->stiffness);
  for (int k = 0; k < steps; ++k) {
    const clock_t before = clock(); // of the processor: others may be at work
    const ff_status status = ff_sim_step(sim, NULL, &scene->error);
    r->seconds += (double)(clock() - before) / CLOCKS_PER_SEC;
    if (status != FF_OK)
      return scene->error.message;
    const ff_step_info *info = ff_sim_info(sim);
    note_step(info, r);
    r->worst_share = fmax(r->worst_share, info->penetration / depth);
    const ff_energy now = ff_sim_energy(sim);
    r->worst_gain = fmax(r->worst_gain, now.total / r->start - 1);
    r->worst_motion = fmax(r->worst_motion, (now.kinetic + now.potential) / r->start - 1);
    r->lowest = fmin(r->lowest, lowest_link(scene));
  }
  return NULL;
}
