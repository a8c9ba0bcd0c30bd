// Models of loose bodies, placed and read in world axes.
#include "support/hard_scene.h"

#include "support/must.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void moments(const ffi_loose *b, double I[3])
{
  const double m = b->mass, *s = b->size;
  memcpy(I, b->moment, 3 * sizeof *I);
  if (I[0] + I[1] + I[2] > 0)
    return;
  if (b->shape == FF_SHAPE_SPHERE)
    I[0] = I[1] = I[2] = 0.4 * m * s[0] * s[0];
  else if (b->shape == FF_SHAPE_DISK) {
    I[0] = I[1] = m * s[0] * s[0] / 4;
    I[2] = 2 * I[0];
  } else
    for (int k = 0; k < 3; ++k)
      I[k] = m / 12 * (s[(k + 1) % 3] * s[(k + 1) % 3] + s[(k + 2) % 3] * s[(k + 2) % 3]);
}

static void add_shapes(ff_builder *builder, int link, const ffi_loose *b)
{
  ff_shape_def shape = ff_shape_def_default();
  shape.type = b->shape;
  shape.material = b->material;
  memcpy(shape.size, b->size, sizeof shape.size);
  if (b->shape != FF_SHAPE_POINT)
    ffi_must_add_shape(builder, link, &shape);
  for (int i = 0; i < b->point_count; ++i) {
    memcpy(shape.pose.position, b->points[i], sizeof shape.pose.position);
    ffi_must_add_shape(builder, link, &shape);
  }
}

ff_model *ffi_loose_model(int count, const ffi_loose *bodies, double gravity)
{
  ff_builder *builder = ffi_must_begin("loose");
  const double g[3] = {0, 0, -gravity};
  ff_error error;
  ffi_must(ff_builder_set_gravity(builder, g, &error), &error);
  for (int i = 0; i < count; ++i) {
    char name[16];
    double I[3];
    snprintf(name, sizeof name, "body%03d", i); // the model's order is that of the names
    ff_link_def link = ff_link_def_default();
    link.name = name;
    link.joint.type = FF_JOINT_FREE;
    link.inertia.mass = bodies[i].mass;
    moments(&bodies[i], I);
    link.inertia.matrix[0] = I[0];
    link.inertia.matrix[3] = I[1];
    link.inertia.matrix[5] = I[2];
    add_shapes(builder, ffi_must_add_link(builder, &link), &bodies[i]);
  }
  return ffi_must_finish(builder);
}

void ffi_loose_rotation(const double q[4], double R[9])
{
  const ff_pose pose = {.quaternion = {q[0], q[1], q[2], q[3]}};
  ff_pose_rotation(&pose, R);
}

void ffi_loose_out(const double R[9], const double x[3], double y[3])
{
  for (int i = 0; i < 3; ++i)
    y[i] = R[3 * i] * x[0] + R[3 * i + 1] * x[1] + R[3 * i + 2] * x[2];
}

void ffi_loose_into(const double R[9], const double x[3], double y[3])
{
  for (int i = 0; i < 3; ++i)
    y[i] = R[i] * x[0] + R[3 + i] * x[1] + R[6 + i] * x[2];
}

void ffi_loose_reset(ff_sim *sim, int count, const ffi_loose_state *state)
{
  double q[7 * FFI_LOOSE_MOST], v[6 * FFI_LOOSE_MOST];
  for (int i = 0; i < count; ++i) {
    const ffi_loose_state *s = &state[i];
    double R[9], *to = &q[7 * i];
    memcpy(to, s->position, 3 * sizeof *to);
    memcpy(to + 3, s->quaternion, 4 * sizeof *to);
    if (to[3] == 0 && to[4] == 0 && to[5] == 0 && to[6] == 0)
      to[6] = 1;
    ffi_loose_rotation(to + 3, R);
    ffi_loose_into(R, s->velocity, &v[6 * i]);
    ffi_loose_into(R, s->spin, &v[6 * i + 3]);
  }
  ffi_must_reset(sim, q, v);
}

void ffi_loose_read(const ff_sim *sim, int count, ffi_loose_state *state)
{
  const double *q = ff_sim_q(sim), *v = ff_sim_v(sim);
  for (int i = 0; i < count; ++i) {
    double R[9];
    memcpy(state[i].position, &q[7 * i], sizeof state[i].position);
    memcpy(state[i].quaternion, &q[7 * i + 3], sizeof state[i].quaternion);
    ffi_loose_rotation(state[i].quaternion, R);
    ffi_loose_out(R, &v[6 * i], state[i].velocity);
    ffi_loose_out(R, &v[6 * i + 3], state[i].spin);
  }
}

void ffi_loose_momentum(int count, const ffi_loose *bodies, const ffi_loose_state *state, double momentum[6])
{
  memset(momentum, 0, 6 * sizeof *momentum);
  for (int i = 0; i < count; ++i) {
    const double m = bodies[i].mass, *x = state[i].position, *v = state[i].velocity;
    double I[3], R[9], w[3], L[3];
    moments(&bodies[i], I);
    ffi_loose_rotation(state[i].quaternion, R);
    ffi_loose_into(R, state[i].spin, w);
    for (int k = 0; k < 3; ++k)
      w[k] *= I[k];
    ffi_loose_out(R, w, L);
    for (int k = 0; k < 3; ++k) {
      const int j = (k + 1) % 3, l = (k + 2) % 3;
      momentum[k] += m * v[k];
      momentum[3 + k] += m * (x[j] * v[l] - x[l] * v[j]) + L[k];
    }
  }
}

double ffi_loose_kinetic(int count, const ffi_loose *bodies, const ffi_loose_state *state)
{
  double sum = 0;
  for (int i = 0; i < count; ++i) {
    double I[3], R[9], w[3];
    moments(&bodies[i], I);
    ffi_loose_rotation(state[i].quaternion, R);
    ffi_loose_into(R, state[i].spin, w);
    for (int k = 0; k < 3; ++k)
      sum += (bodies[i].mass * state[i].velocity[k] * state[i].velocity[k] + I[k] * w[k] * w[k]) / 2;
  }
  return sum;
}

ff_sim_def ffi_hard_def(double dt)
{
  ff_sim_def def = ff_sim_def_default();
  def.stepper = FF_STEPPER_MOREAU;
  def.dt = dt;
  def.ground_count = 0;
  def.moreau.relative_tolerance = 1e-13;
  def.moreau.absolute_tolerance = 1e-14;
  def.moreau.max_iterations = 20000;
  return def;
}

ff_material ffi_hard_material(double friction, double restitution, double tangential_restitution)
{
  ff_material m = ff_material_default();
  m.friction = friction;
  m.restitution = restitution;
  m.tangential_restitution = tangential_restitution;
  return m;
}

ff_model *ffi_double_pendulum(void)
{
  ff_builder *b = ffi_must_begin("double pendulum");
  int parent = FF_WORLD;
  for (int i = 0; i < 2; ++i) {
    ff_link_def link = ff_link_def_default();
    link.name = i ? "lower" : "upper";
    link.parent = parent;
    link.joint.type = FF_JOINT_REVOLUTE;
    link.joint.axis[1] = 1;
    link.joint.pose.position[2] = i ? -0.4 : 0;
    link.inertia.mass = i ? 1 : 1.5;
    link.inertia.com[2] = -0.2;
    link.inertia.matrix[0] = link.inertia.matrix[3] = 0.02;
    link.inertia.matrix[5] = 0.003;
    parent = ffi_must_add_link(b, &link);
  }
  return ffi_must_finish(b);
}
