// Models of the hopper and the plate, and their sims.
#include "papers/ess/ess_robot.h"

#include <footfall/builder.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct robot {
  ff_model *model;
  ff_sim *sim;
  int size;            // of q, and of v
  bench_ess_hopper by; // whose preload is applied; preload 0: none
} robot;

static void add(bench_ess_trace *trace, const robot *r)
{
  double x[BENCH_ESS_PLATE_SIZE];
  memcpy(x, ff_sim_q(r->sim), (size_t)r->size * sizeof *x);
  memcpy(x + r->size, ff_sim_v(r->sim), (size_t)r->size * sizeof *x);
  bench_ess_trace_add(trace, ff_sim_time(r->sim), x);
}

static ff_status step(robot *r, ff_error *error)
{
  const double push = r->by.preload;
  const int pushes = push > 0 && ff_sim_q(r->sim)[0] < r->by.length;
  return ff_sim_step(r->sim, pushes ? &push : NULL, error);
}

static ff_status go(void *self, const double *x0, double duration, bench_ess_trace *trace, ff_error *error)
{
  robot *r = self;
  const int steps = (int)lround(duration / ff_sim_dt(r->sim));
  ff_status status = ff_sim_reset(r->sim, x0, x0 + r->size, error);
  if (trace) {
    bench_ess_trace_begin(trace, 2 * r->size);
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

// ---- Models ---------------------------------------------------------------------------------------------

typedef struct joint_axis {
  ff_joint_type type;
  int axis;    // x, y or z
  double sign; // 1 or -1
} joint_axis;

// A link below *id, which becomes the new link's.
static ff_status add_link(ff_builder *b, const char *name, joint_axis joint, const ff_inertia *inertia,
                          int *id, ff_error *error)
{
  ff_link_def link = ff_link_def_default();
  link.name = name;
  link.parent = *id;
  link.joint.type = joint.type;
  link.joint.axis[joint.axis] = joint.sign;
  if (inertia)
    link.inertia = *inertia;
  return ff_builder_add_link(b, &link, id, error);
}

static ff_shape_def contact_point(double x, double z, double stiffness, double damping)
{
  ff_shape_def point = ff_shape_def_default();
  point.type = FF_SHAPE_POINT;
  point.purpose = FF_SHAPE_COLLISION;
  point.pose.position[0] = x;
  point.pose.position[2] = z;
  point.material.stiffness = stiffness;
  point.material.damping = damping;
  point.material.friction = 0;
  return point;
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
  const bench_ess_hopper *h = shape;
  const ff_inertia inertia = inertia_of(h->mass, 1);
  int id = FF_WORLD;
  const ff_status status = add_link(b, "body", (joint_axis){FF_JOINT_PRISMATIC, 2, 1}, &inertia, &id, error);
  const ff_shape_def foot = contact_point(0, -h->length, h->stiffness, 0);
  return status == FF_OK ? ff_builder_add_shape(b, id, &foot, error) : status;
}

static ff_status describe_plate(ff_builder *b, const void *shape, ff_error *error)
{
  const bench_ess_plate *p = shape;
  const ff_inertia inertia = inertia_of(p->mass, p->inertia);
  int id = FF_WORLD;
  ff_status status = add_link(b, "along", (joint_axis){FF_JOINT_PRISMATIC, 0, 1}, NULL, &id, error);
  if (status == FF_OK)
    status = add_link(b, "up", (joint_axis){FF_JOINT_PRISMATIC, 2, 1}, NULL, &id, error);
  if (status == FF_OK)
    status = add_link(b, "plate", (joint_axis){FF_JOINT_CONTINUOUS, 1, -1}, &inertia, &id, error);
  for (int i = 0; i < p->springs && status == FF_OK; ++i) {
    const ff_shape_def foot = contact_point(bench_ess_plate_place(p, i), 0, p->stiffness, p->damping);
    status = ff_builder_add_shape(b, id, &foot, error);
  }
  return status;
}

typedef struct robot_def {
  ff_status (*describe)(ff_builder *, const void *shape, ff_error *);
  const void *shape; // a bench_ess_hopper or bench_ess_plate
  double height;     // of the ground [m]
  ff_stepper stepper;
  double dt; // [s]
} robot_def;

static ff_status make(const robot_def *of, robot **out, bench_ess_simulator *simulator, ff_error *error)
{
  robot *r = calloc(1, sizeof *r);
  ff_builder *b = NULL;
  ff_ground_def ground = ff_ground_def_default();
  ff_sim_def def = ff_sim_def_default();
  *simulator = (bench_ess_simulator){0};
  *out = r;
  if (!r)
    return error->status = FF_ERROR_MEMORY;
  ff_status status = ff_builder_create("robot", &b, error);
  if (status == FF_OK)
    status = of->describe(b, of->shape, error);
  if (status == FF_OK)
    status = ff_builder_finish(b, &r->model, error);
  ff_builder_destroy(b);
  ground.shape.pose.position[2] = of->height;
  def.ground = &ground;
  def.ground_count = 1;
  def.stepper = of->stepper;
  def.dt = of->dt;
  def.max_contacts = 1000;
  if (status == FF_OK)
    status = ff_sim_create(r->model, &def, &r->sim, error);
  if (status != FF_OK) {
    destroy(r);
    return status;
  }
  r->size = ff_model_get_size(r->model).nv;
  *simulator = (bench_ess_simulator){.go = go, .destroy = destroy, .self = r};
  return FF_OK;
}

ff_status bench_ess_robot_hopper(const bench_ess_hopper *hopper, ff_stepper stepper, double dt,
                                 bench_ess_simulator *out, ff_error *error)
{
  const robot_def def = {describe_hopper, hopper, 0, stepper, dt};
  robot *r;
  const ff_status status = make(&def, &r, out, error);
  if (status == FF_OK)
    r->by = *hopper;
  return status;
}

ff_status bench_ess_robot_plate(const bench_ess_plate *plate, ff_stepper stepper, double dt,
                                bench_ess_simulator *out, ff_error *error)
{
  const robot_def def = {describe_plate, plate, plate->length, stepper, dt};
  robot *r;
  return make(&def, &r, out, error);
}
