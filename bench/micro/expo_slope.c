// A mass that slides along a curved path, with the friction law that is a differential equation and with the published
// one.
//
// 1 kg on a slope of 20 degrees, mu = 0.3, K = 1e5 N/m, B = 300 N s/m, pushed uphill and across with (-0.3, 0.5) m/s.
// The mass is at the contact point, so it does not turn.
#include "micro/expo.h"
#include "micro/expo_motion.h"

#include <footfall/builder.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double angle = 20 * 3.141592653589793 / 180, mass = 1, gravity = 9.81;

static const bench_expo_motion_method methods[] = {{"expo", FF_STEPPER_EXPO, 2, 1},
                                                   {"rk4", FF_STEPPER_RK4, 2, 1},
                                                   {"expo-paper", FF_STEPPER_EXPO_PAPER, 2, 1}};
enum { METHODS = sizeof methods / sizeof *methods, COLUMNS = 6 };

static ff_status build(const ff_material *material, ff_model **model, ff_error *error)
{
  ff_builder *b = NULL;
  ff_link_def body = ff_link_def_default();
  ff_shape_def point = ff_shape_def_default();
  int link;
  body.name = "mass";
  body.joint.type = FF_JOINT_FREE;
  body.inertia.mass = mass;
  body.inertia.matrix[0] = body.inertia.matrix[3] = body.inertia.matrix[5] = 1e-2;
  point.type = FF_SHAPE_POINT;
  point.material = *material;
  ff_status status = ff_builder_create("mass", &b, error);
  if (status == FF_OK)
    status = ff_builder_add_link(b, &body, &link, error);
  if (status == FF_OK)
    status = ff_builder_add_shape(b, link, &point, error);
  if (status == FF_OK)
    status = ff_builder_finish(b, model, error);
  ff_builder_destroy(b);
  return status;
}

// At its depth of equilibrium.
static void place(bench_expo_motion *m, const ff_material *material)
{
  const double origin[3] = {0, 0, 0}, rpy[3] = {0, angle, 0};
  const double depth = mass * gravity * cos(angle) / material->stiffness;
  m->duration = 0.25;
  m->def = ff_sim_def_default();
  m->ground = ff_ground_def_default();
  m->ground.shape.pose = ff_pose_from_rpy(origin, rpy);
  m->q[0] = -depth * sin(angle);
  m->q[2] = -depth * cos(angle);
  m->q[6] = 1;
  m->v[0] = -0.3 * cos(angle); // the plane falls along x
  m->v[1] = 0.5;
  m->v[2] = 0.3 * sin(angle);
}

static void report(const bench_expo *b, const bench_expo_motion *m, const bench_expo_motion_end *truth)
{
  const int columns = b->is_quick ? 4 : COLUMNS;
  char titles[COLUMNS][24], metric[96];
  for (int c = 0; c < columns; ++c)
    bench_expo_motion_dt(m->duration / (32 << 2 * c), titles[c]);
  bench_table_titles(&b->table, "error", columns, titles);
  for (int k = 0; k < METHODS; ++k) {
    bench_table_row(&b->table, methods[k].name);
    for (int c = 0; c < columns; ++c) {
      bench_expo_motion_end end = {0};
      const int is_run = bench_expo_motion_run(m, &methods[k], 32 << 2 * c, 1, &end, NULL) == FF_OK;
      const double error = is_run ? bench_expo_motion_distance(m, &end, truth) : NAN;
      bench_table_error(&b->table, error);
      snprintf(metric, sizeof metric, "error:%s:dt=%gus", methods[k].name, 1e6 * m->duration / (32 << 2 * c));
      bench_expo_row(b, "slope", metric, error, "SI");
    }
    bench_table_end(&b->table);
  }
}

ff_status bench_expo_slope(const bench_expo *b, ff_error *error)
{
  const ff_material material = {.stiffness = 1e5, .damping = 300, .friction = 0.3};
  const int steps = b->is_quick ? 1 << 14 : 1 << 17;
  bench_expo_motion m = {0};
  bench_expo_motion_end truth = {0};
  ff_status status = build(&material, &m.model, error);
  if (status == FF_OK) {
    place(&m, &material);
    status = bench_expo_motion_run(&m, &methods[1], steps, 1, &truth, error);
  }
  if (status == FF_OK) {
    bench_table_say(
        &b->table,
        "slope: a mass that slides along a curved path, after 0.25 s; reference solution: rk4 with %d steps",
        steps);
    report(b, &m, &truth);
  }
  ff_model_destroy(m.model);
  return status;
}
