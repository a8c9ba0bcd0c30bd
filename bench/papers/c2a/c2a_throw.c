// The objects, the wall, the throws and their simulation by our steppers.
#include "papers/c2a/c2a_throw.h"

#include "common/random.h"

#include <footfall/builder.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const bench_c2a_throw_object_names[BENCH_C2A_OBJECTS] = {"ball", "rod", "sheet"};

// Such a spring stops the ball, half a gram at 300 m/s, within v sqrt(m / K) = 2 mm, less than its radius.
const double bench_c2a_throw_stiffness = 1e7;

static const double thickness = 1e-3, width = 4; // of the wall [m]
static const double density = 1000;              // of objects [kg/m^3]

// ---- Things and wall ------------------------------------------------------------------------------------

static ff_shape_def shape_of(int object)
{
  static const struct {
    ff_shape_type type;
    double size[3];
  } shapes[BENCH_C2A_OBJECTS] = {
      {FF_SHAPE_SPHERE, {5e-3}}, {FF_SHAPE_CAPSULE, {2e-3, 0.096}}, {FF_SHAPE_BOX, {0.1, 0.05, 1e-3}}};
  ff_shape_def s = ff_shape_def_default();
  s.type = shapes[object].type;
  memcpy(s.size, shapes[object].size, sizeof s.size);
  s.material.stiffness = bench_c2a_throw_stiffness;
  s.material.damping = 50;
  s.material.friction = 0.5;
  return s;
}

ff_shape_def bench_c2a_throw_wall(void)
{
  ff_shape_def s = ff_ground_def_default().shape; // rigid: a pair has the object's material
  s.type = FF_SHAPE_BOX;
  s.size[0] = thickness;
  s.size[1] = s.size[2] = width;
  return s;
}

// Of the ball that holds it.
static double reach_of(int object)
{
  const ff_shape_def s = shape_of(object);
  switch (s.type) {
  case FF_SHAPE_SPHERE: return s.size[0];
  case FF_SHAPE_CAPSULE: return s.size[0] + s.size[1] / 2;
  default: return 0.5 * sqrt(s.size[0] * s.size[0] + s.size[1] * s.size[1] + s.size[2] * s.size[2]);
  }
}

ff_status bench_c2a_throw_object_model(int object, ff_model **out, ff_error *error)
{
  static const double weightless[3] = {0, 0, 0};
  const ff_shape_def shape = shape_of(object);
  ff_link_def link = ff_link_def_default();
  ff_builder *b = NULL;
  int id;
  link.name = bench_c2a_throw_object_names[object];
  link.joint.type = FF_JOINT_FREE;
  ff_status status = ff_inertia_from_shape(&shape, density, &link.inertia, error);
  if (status == FF_OK)
    status = ff_builder_create(link.name, &b, error);
  if (status == FF_OK)
    status = ff_builder_set_gravity(b, weightless, error);
  if (status == FF_OK)
    status = ff_builder_add_link(b, &link, &id, error);
  if (status == FF_OK)
    status = ff_builder_add_shape(b, id, &shape, error);
  if (status == FF_OK)
    status = ff_builder_finish(b, out, error);
  ff_builder_destroy(b);
  return status;
}

// ---- Throws ---------------------------------------------------------------------------------------------

// out := R(q)^T a, q = (x y z w)
static void into_body(const double *q, const double *a, double *out)
{
  const double u[3] = {-q[0], -q[1], -q[2]}, w = q[3];
  const double t[3] = {2 * (u[1] * a[2] - u[2] * a[1]), 2 * (u[2] * a[0] - u[0] * a[2]),
                       2 * (u[0] * a[1] - u[1] * a[0])};
  out[0] = a[0] + w * t[0] + u[1] * t[2] - u[2] * t[1];
  out[1] = a[1] + w * t[1] + u[2] * t[0] - u[0] * t[2];
  out[2] = a[2] + w * t[2] + u[0] * t[1] - u[1] * t[0];
}

bench_c2a_throw bench_c2a_throw_draw(int object, double speed, double dt, uint64_t *seed)
{
  const double pi = acos(-1), most_spin = 50, gap = 0.01, behind = 0.05, late = 5e-3;
  const double tilt = pi / 6 * fabs(bench_random(seed)), turn = pi * bench_random(seed);
  const double v[3] = {speed * cos(tilt), speed * sin(tilt) * cos(turn), speed * sin(tilt) * sin(turn)};
  const double phase = 0.5 + 0.5 * bench_random(seed), reach = reach_of(object);
  const double distance = thickness / 2 + reach + gap + phase * v[0] * dt;
  bench_c2a_throw t = {.object = object, .q = {-distance}};
  t.q[1] = 0.1 * bench_random(seed);
  t.q[2] = 0.1 * bench_random(seed);
  bench_random_quaternion(seed, t.q + 3);
  into_body(t.q + 3, v, t.v);
  for (int k = 0; k < 3; ++k)
    t.v[3 + k] = most_spin / sqrt(3) * bench_random(seed);
  t.steps = (int)ceil(((distance + reach + behind) / v[0] + late) / dt);
  return t;
}

static double energy_of(const ff_inertia *x, const double v[6])
{
  const double *I = x->matrix, *w = v + 3;
  const double Iw[3] = {I[0] * w[0] + I[1] * w[1] + I[2] * w[2], I[1] * w[0] + I[3] * w[1] + I[4] * w[2],
                        I[2] * w[0] + I[4] * w[1] + I[5] * w[2]};
  return 0.5 *
         (x->mass * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) + w[0] * Iw[0] + w[1] * Iw[1] + w[2] * Iw[2]);
}

void bench_c2a_throw_judge(const bench_c2a_throw *t, double x, const double now[6], const ff_inertia *inertia,
                           bench_c2a_throw_end *end)
{
  end->is_through = x > thickness / 2;
  end->has_gained = !(energy_of(inertia, now) <= 1.01 * energy_of(inertia, t->v));
}

void bench_c2a_throw_simulator_free(bench_c2a_throw_simulator *t)
{
  if (t->self)
    t->destroy(t->self);
  *t = (bench_c2a_throw_simulator){0};
}

// ---- By our steppers ------------------------------------------------------------------------------------

typedef struct hand {
  ff_model *model[BENCH_C2A_OBJECTS];
  ff_sim *sim[BENCH_C2A_OBJECTS];
  ff_inertia inertia[BENCH_C2A_OBJECTS];
} hand;

static void go(void *self, const bench_c2a_throw *t, bench_c2a_throw_end *end)
{
  hand *h = self;
  ff_sim *sim = h->sim[t->object];
  ff_error ignored;
  *end = (bench_c2a_throw_end){.has_failed = ff_sim_reset(sim, t->q, t->v, &ignored) != FF_OK};
  for (; end->steps < t->steps && !end->has_failed; ++end->steps)
    end->has_failed = ff_sim_step(sim, NULL, &ignored) != FF_OK;
  bench_c2a_throw_judge(t, ff_sim_q(sim)[0], ff_sim_v(sim), &h->inertia[t->object], end);
}

static void destroy(void *self)
{
  hand *h = self;
  for (int k = 0; k < BENCH_C2A_OBJECTS; ++k) {
    ff_sim_destroy(h->sim[k]);
    ff_model_destroy(h->model[k]);
  }
  free(h);
}

ff_status bench_c2a_throw_by_stepper(ff_stepper stepper, double dt, bench_c2a_throw_simulator *out,
                                     ff_error *error)
{
  hand *h = calloc(1, sizeof *h);
  ff_ground_def wall = ff_ground_def_default();
  ff_sim_def def = ff_sim_def_default();
  ff_status status = FF_OK;
  *out = (bench_c2a_throw_simulator){0};
  if (!h)
    return error->status = FF_ERROR_MEMORY;
  wall.shape = bench_c2a_throw_wall();
  def.ground = &wall;
  def.ground_count = 1;
  def.stepper = stepper;
  def.dt = dt;
  def.max_speed = 1e6; // friction at 100 m/s spins a ball of 1 cm up to 1e4 rad/s
  for (int k = 0; k < BENCH_C2A_OBJECTS && status == FF_OK; ++k) {
    ff_link_info link;
    status = bench_c2a_throw_object_model(k, &h->model[k], error);
    if (status == FF_OK)
      status = ff_sim_create(h->model[k], &def, &h->sim[k], error);
    if (status == FF_OK)
      status = ff_model_link(h->model[k], 0, &link);
    if (status == FF_OK)
      h->inertia[k] = link.inertia;
  }
  if (status != FF_OK) {
    destroy(h);
    return status;
  }
  *out = (bench_c2a_throw_simulator){.go = go, .destroy = destroy, .self = h};
  snprintf(out->name, sizeof out->name, "%s", ff_stepper_name(stepper));
  return FF_OK;
}
