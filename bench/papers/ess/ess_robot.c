#include "papers/ess/ess_robot.h"

#include <footfall/builder.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct robot {
  ff_model *model;
  ff_sim *sim;
  int size;        // of q, and of v
  bench_hopper by; // who pushes; preload 0: nobody
} robot;

static void add(bench_trace *trace, const robot *r)
{
  double x[BENCH_PLATE_SIZE];
  memcpy(x, ff_sim_q(r->sim), (size_t)r->size * sizeof *x);
  memcpy(x + r->size, ff_sim_v(r->sim), (size_t)r->size * sizeof *x);
  bench_trace_add(trace, ff_sim_time(r->sim), x);
}

static ff_status step(robot *r, ff_error *error)
{
  const double push = r->by.preload;
  const int pushes = push > 0 && ff_sim_q(r->sim)[0] < r->by.length;
  return ff_sim_step(r->sim, pushes ? &push : NULL, error);
}

static ff_status go(void *self, const double *x0, double duration, bench_trace *trace, ff_error *error)
{
  robot *r = self;
  const int steps = (int)lround(duration / ff_sim_dt(r->sim));
  ff_status status = ff_sim_reset(r->sim, x0, x0 + r->size, error);
  if (trace) {
    bench_trace_begin(trace, 2 * r->size);
    add(trace, r);
  }
  for (int k = 0; k < steps && status == FF_OK; ++k) {
    status = step(r, error);
    if (trace)
      add(trace, r);
  }
  return status;
}

static void destroy(void *self)
{
  robot *r = self;
  ff_sim_destroy(r->sim);
  ff_model_destroy(r->model);
  free(r);
}

// ---- Models ------------------------------------------------------------------------------------------------

static ff_status add_link(ff_builder *b, const char *name, ff_joint_type type, int axis, double sign,
                          const ff_inertia *inertia, int *id, ff_error *error)
{
  ff_link_def link = ff_link_def_default();
  link.name = name;
  link.parent = *id;
  link.joint.type = type;
  link.joint.axis[axis] = sign;
  if (inertia)
    link.inertia = *inertia;
  return ff_builder_add_link(b, &link, id, error);
}

static ff_status add_point(ff_builder *b, int link, double x, double z, double stiffness, double damping,
                           ff_error *error)
{
  ff_shape_def point = ff_shape_def_default();
  point.type = FF_SHAPE_POINT;
  point.purpose = FF_SHAPE_COLLISION;
  point.pose.position[0] = x;
  point.pose.position[2] = z;
  point.material.stiffness = stiffness;
  point.material.damping = damping;
  point.material.friction = 0;
  return ff_builder_add_shape(b, link, &point, error);
}

static ff_inertia inertia_of(double mass, double moment)
{
  ff_inertia inertia = ff_inertia_zero();
  inertia.mass = mass;
  inertia.matrix[0] = inertia.matrix[3] = inertia.matrix[5] = moment;
  return inertia;
}

static ff_status describe_hopper(ff_builder *b, const void *shape, ff_error *error)
{
  const bench_hopper *h = shape;
  const ff_inertia inertia = inertia_of(h->mass, 1);
  int id = FF_WORLD;
  const ff_status status = add_link(b, "body", FF_JOINT_PRISMATIC, 2, 1, &inertia, &id, error);
  return status == FF_OK ? add_point(b, id, 0, -h->length, h->stiffness, 0, error) : status;
}

static ff_status describe_plate(ff_builder *b, const void *shape, ff_error *error)
{
  const bench_plate *p = shape;
  const ff_inertia inertia = inertia_of(p->mass, p->inertia);
  int id = FF_WORLD;
  ff_status status = add_link(b, "along", FF_JOINT_PRISMATIC, 0, 1, NULL, &id, error);
  if (status == FF_OK)
    status = add_link(b, "up", FF_JOINT_PRISMATIC, 2, 1, NULL, &id, error);
  if (status == FF_OK)
    status = add_link(b, "plate", FF_JOINT_CONTINUOUS, 1, -1, &inertia, &id, error);
  for (int i = 0; i < p->springs && status == FF_OK; ++i)
    status = add_point(b, id, bench_plate_place(p, i), 0, p->stiffness, p->damping, error);
  return status;
}

// On a plane at `height`.
static ff_status make(ff_status (*describe)(ff_builder *, const void *, ff_error *), const void *shape,
                      double height, ff_stepper stepper, double dt, robot **out, bench_mover *mover,
                      ff_error *error)
{
  robot *r = calloc(1, sizeof *r);
  ff_builder *b = NULL;
  ff_ground_def ground = ff_ground_def_default();
  ff_sim_def def = ff_sim_def_default();
  *mover = (bench_mover){0};
  *out = r;
  if (!r)
    return error->status = FF_ERROR_MEMORY;
  ff_status status = ff_builder_create("robot", &b, error);
  if (status == FF_OK)
    status = describe(b, shape, error);
  if (status == FF_OK)
    status = ff_builder_finish(b, &r->model, error);
  ff_builder_destroy(b);
  ground.shape.pose.position[2] = height;
  def.ground = &ground;
  def.ground_count = 1;
  def.stepper = stepper;
  def.dt = dt;
  def.max_contacts = 1000;
  if (status == FF_OK)
    status = ff_sim_create(r->model, &def, &r->sim, error);
  if (status != FF_OK) {
    destroy(r);
    return status;
  }
  r->size = ff_model_get_size(r->model).nv;
  *mover = (bench_mover){.go = go, .destroy = destroy, .self = r};
  return FF_OK;
}

ff_status bench_hopper_robot(const bench_hopper *hopper, ff_stepper stepper, double dt, bench_mover *out,
                             ff_error *error)
{
  robot *r;
  const ff_status status = make(describe_hopper, hopper, 0, stepper, dt, &r, out, error);
  if (status == FF_OK)
    r->by = *hopper;
  return status;
}

ff_status bench_plate_robot(const bench_plate *plate, ff_stepper stepper, double dt, bench_mover *out,
                            ff_error *error)
{
  robot *r;
  return make(describe_plate, plate, plate->length, stepper, dt, &r, out, error);
}
