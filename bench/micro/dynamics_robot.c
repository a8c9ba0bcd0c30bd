// Allocates what the kernels read and write.
#include "micro/dynamics_robot.h"

#include <stdlib.h>
#include <string.h>

// The contact points of a model: its shapes of type point; for a model without any, the origins of its last links.
static int collect_points(const ff_model *model, bench_dynamics_robot *out)
{
  const ff_model_size size = ff_model_get_size(model);
  out->points = calloc((size_t)(size.shapes > 4 ? size.shapes : 4), sizeof *out->points);
  if (!out->points)
    return 0;
  for (int s = 0; s < size.shapes; ++s) {
    ff_shape_info shape;
    ff_model_shape(model, s, &shape);
    if (shape.def.type != FF_SHAPE_POINT || shape.frame == 0)
      continue;
    ff_point *point = &out->points[out->point_count++];
    point->frame = shape.frame;
    memcpy(point->offset, shape.def.pose.position, sizeof point->offset);
  }
  for (int k = 0; out->point_count < 4 && k < size.links; ++k)
    out->points[out->point_count++].frame = size.frames - 1 - k;
  return 1;
}

static int allocate(const ff_model *model, bench_dynamics_robot *out)
{
  const ff_model_size size = ff_model_get_size(model);
  const size_t nv = (size_t)size.nv, rows = 3 * (size_t)out->point_count;
  const size_t points = (nv + rows) * (nv + rows + 6), derivatives = 3 * nv * nv;
  const size_t largest = points > derivatives ? points : derivatives, lanes = (size_t)out->states.lanes;
  out->result = calloc(largest * lanes, sizeof(double));
  out->x = calloc(BENCH_RANDOM_STATES * nv + 1, sizeof(double));
  out->q_next = calloc(BENCH_RANDOM_STATES * (size_t)size.nq + 1, sizeof(double));
  return out->result && out->x && out->q_next;
}

ff_status bench_dynamics_robot_create(const ff_model *model, const ff_dynamics_def *def,
                                      bench_dynamics_robot *out, ff_error *error)
{
  memset(out, 0, sizeof *out);
  out->model = model;
  const ff_status status = ff_dynamics_create(model, def, &out->dynamics, error);
  if (status != FF_OK)
    return status;
  if (!bench_random_states_create(model, ff_dynamics_lanes(out->dynamics), &out->states) ||
      !collect_points(model, out) || !allocate(model, out)) {
    bench_dynamics_robot_destroy(out);
    return FF_ERROR_MEMORY;
  }
  const size_t group = (size_t)out->states.nq * (size_t)out->states.lanes,
               all = group * (size_t)out->states.groups;
  memcpy(out->q_next, out->states.q + group, (all - group) * sizeof(double));
  memcpy(out->q_next + all - group, out->states.q, group * sizeof(double));
  return FF_OK;
}

void bench_dynamics_robot_destroy(bench_dynamics_robot *robot)
{
  ff_dynamics_destroy(robot->dynamics);
  bench_random_states_destroy(&robot->states);
  free(robot->points);
  free(robot->result);
  free(robot->x);
  free(robot->q_next);
  memset(robot, 0, sizeof *robot);
}
