// Small mechanisms whose equations of motion stand in textbooks.

#include "dynamics/cases.h"

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

// Each comparison is of numbers of order 1 to 100 that take at most some tens of roundings.
static const double tolerance = 1e-13;

static const double g = 9.81;

typedef struct mechanism {
  ff_builder *builder;
  ff_model *model;
  ff_dynamics *dynamics;
  int count; // links
} mechanism;

static void begin(mechanism *m)
{
  memset(m, 0, sizeof *m);
  assert_int_equal(ff_builder_create("textbook", &m->builder, NULL), FF_OK);
}

// A link on a joint with the given axis, behind the last one if is_behind.
static ff_link_def new_link(const mechanism *m, ff_joint_type type, double x, double y, double z)
{
  static const char *const names[] = {"a", "b", "c", "d"};
  ff_link_def link = ff_link_def_default();
  link.name = names[m->count];
  link.parent = m->count - 1;
  link.joint.type = type;
  link.joint.axis[0] = x;
  link.joint.axis[1] = y;
  link.joint.axis[2] = z;
  return link;
}

static void add(mechanism *m, const ff_link_def *link)
{
  ff_error error;
  int id;
  if (ff_builder_add_link(m->builder, link, &id, &error) != FF_OK)
    fail_msg("%s", error.message);
  m->count = id + 1;
}

static void finish(mechanism *m)
{
  ff_error error;
  if (ff_builder_finish(m->builder, &m->model, &error) != FF_OK)
    fail_msg("%s", error.message);
  if (ff_dynamics_create(m->model, NULL, &m->dynamics, &error) != FF_OK)
    fail_msg("%s", error.message);
}

static void end(mechanism *m)
{
  ff_dynamics_destroy(m->dynamics);
  ff_model_destroy(m->model);
  ff_builder_destroy(m->builder);
}

static void must_be(const char *what, int n, const double *got, const double *want)
{
  const double error = ffi_gap(n, got, want) / fmax(1, ffi_size(n, want));
  if (!(error <= tolerance))
    fail_msg("%s: %.17g instead of %.17g (error %.2e)", what, got[0], want[0], error);
}

static void cross(const double a[3], const double b[3], double out[3])
{
  out[0] = a[1] * b[2] - a[2] * b[1];
  out[1] = a[2] * b[0] - a[0] * b[2];
  out[2] = a[0] * b[1] - a[1] * b[0];
}

// (m l^2 + I + armature) a + damping v + m g l sin q = tau; the rod hangs along -z.
static void pendulum(void **state)
{
  const double mass = 1.3, l = 0.7, I = 0.11, armature = 0.05, damping = 0.3;
  mechanism m;
  (void)state;
  begin(&m);
  ff_link_def rod = new_link(&m, FF_JOINT_REVOLUTE, 0, 1, 0);
  rod.inertia.mass = mass;
  rod.inertia.com[2] = -l;
  rod.inertia.matrix[0] = 0.12;
  rod.inertia.matrix[3] = I;
  rod.inertia.matrix[5] = 0.02;
  rod.joint.armature = armature;
  rod.joint.damping = damping;
  add(&m, &rod);
  finish(&m);
  ffi_random random = ffi_random_seed(1);
  for (int k = 0; k < 100; ++k) {
    double s[4], got, mass_matrix, energy[2];
    ffi_random_vector(&random, 4, 3, s);
    const double q = s[0], v = s[1], a = s[2], tau = s[3], inertia = mass * l * l + I + armature;
    const double bias = damping * v + mass * g * l * sin(q);
    ff_dynamics_rnea(m.dynamics, &q, &v, &a, &got);
    must_be("rnea", 1, &got, &(double){inertia * a + bias});
    ff_dynamics_aba(m.dynamics, &q, &v, &tau, &got);
    must_be("aba", 1, &got, &(double){(tau - bias) / inertia});
    ff_dynamics_crba(m.dynamics, &q);
    ff_dynamics_mass_matrix(m.dynamics, &mass_matrix);
    must_be("M", 1, &mass_matrix, &inertia);
    ff_dynamics_kinematics(m.dynamics, &q, &v, NULL);
    ff_dynamics_kinetic_energy(m.dynamics, &energy[0]);
    ff_dynamics_potential_energy(m.dynamics, &energy[1]);
    must_be("energies", 2, energy, (double[2]){0.5 * inertia * v * v, -mass * g * l * cos(q)});
  }
  end(&m);
}

// Two point masses on rods, in absolute angles a and b from the vertical, with D = a - b:
//   (m1 + m2) l1 a'' + m2 l2 (b'' cos D + b'^2 sin D) + (m1 + m2) g sin a = 0
//                 l2 b'' + l1 (a'' cos D - a'^2 sin D) + g sin b = 0
static void double_pendulum(void **state)
{
  const double m1 = 1.1, m2 = 0.6, l1 = 0.8, l2 = 0.5;
  mechanism m;
  (void)state;
  begin(&m);
  ff_link_def upper = new_link(&m, FF_JOINT_REVOLUTE, 1, 0, 0);
  upper.inertia.mass = m1;
  upper.inertia.com[2] = -l1;
  add(&m, &upper);
  ff_link_def lower = new_link(&m, FF_JOINT_REVOLUTE, 1, 0, 0);
  lower.joint.pose.position[2] = -l1;
  lower.inertia.mass = m2;
  lower.inertia.com[2] = -l2;
  add(&m, &lower);
  finish(&m);
  ffi_random random = ffi_random_seed(2);
  for (int k = 0; k < 100; ++k) {
    double q[2], v[2], got[2];
    ffi_random_vector(&random, 2, 3, q);
    ffi_random_vector(&random, 2, 3, v);
    const double a = q[0], b = q[0] + q[1], da = v[0], db = v[0] + v[1], D = a - b;
    // Solved for a'' and b'' by Cramer's rule.
    const double A = (m1 + m2) * l1, B = m2 * l2 * cos(D), C = l1 * cos(D), E = l2;
    const double r = -m2 * l2 * db * db * sin(D) - (m1 + m2) * g * sin(a),
                 s = l1 * da * da * sin(D) - g * sin(b);
    const double dda = (r * E - B * s) / (A * E - B * C), ddb = (A * s - C * r) / (A * E - B * C);
    ff_dynamics_aba(m.dynamics, q, v, (double[2]){0, 0}, got);
    must_be("aba", 2, got, (double[2]){dda, ddb - dda});
  }
  end(&m);
}

// A pole on a cart, pole angle from the upright:
//   (mc + mp) x'' + mp l (th'' cos th - th'^2 sin th) = f
//   (I + mp l^2) th'' + mp l x'' cos th - mp g l sin th = 0
static void cart_and_pole(void **state)
{
  const double mc = 2, mp = 0.4, l = 0.6, I = 0.03;
  mechanism m;
  (void)state;
  begin(&m);
  ff_link_def cart = new_link(&m, FF_JOINT_PRISMATIC, 1, 0, 0);
  cart.inertia.mass = mc;
  add(&m, &cart);
  ff_link_def pole = new_link(&m, FF_JOINT_REVOLUTE, 0, 1, 0);
  pole.inertia.mass = mp;
  pole.inertia.com[2] = l;
  pole.inertia.matrix[0] = pole.inertia.matrix[3] = I;
  pole.inertia.matrix[5] = 0.001;
  add(&m, &pole);
  finish(&m);
  ffi_random random = ffi_random_seed(3);
  for (int k = 0; k < 100; ++k) {
    double q[2], v[2], a[2], tau[2];
    ffi_random_vector(&random, 2, 3, q);
    ffi_random_vector(&random, 2, 3, v);
    ffi_random_vector(&random, 2, 3, a);
    ff_dynamics_rnea(m.dynamics, q, v, a, tau);
    must_be("rnea", 2, tau,
            (double[2]){(mc + mp) * a[0] + mp * l * (a[1] * cos(q[1]) - v[1] * v[1] * sin(q[1])),
                        (I + mp * l * l) * a[1] + mp * l * a[0] * cos(q[1]) - mp * g * l * sin(q[1])});
  }
  end(&m);
}

// A slider along a slanted axis n:  (m + armature) a + damping v + m g n_z = f.
static void slider_with_rotor(void **state)
{
  const double mass = 1.5, armature = 0.7, damping = 2;
  mechanism m;
  (void)state;
  begin(&m);
  ff_link_def link = new_link(&m, FF_JOINT_PRISMATIC, 0.6, 0, -0.8);
  link.inertia.mass = mass;
  link.joint.armature = armature;
  link.joint.damping = damping;
  add(&m, &link);
  finish(&m);
  const double q = 0.3, v = -1.2, a = 2.5;
  double tau, energy;
  ff_dynamics_rnea(m.dynamics, &q, &v, &a, &tau);
  must_be("rnea", 1, &tau, &(double){(mass + armature) * a + damping * v - 0.8 * mass * g});
  ff_dynamics_kinematics(m.dynamics, &q, &v, NULL);
  ff_dynamics_kinetic_energy(m.dynamics, &energy);
  must_be("kinetic energy", 1, &energy, &(double){0.5 * (mass + armature) * v * v});
  end(&m);
}

typedef struct one_body {
  double mass;
  const double *c, *I; // centre of mass; principal moments about it
} one_body;

typedef struct body_motion {
  const double *gravity, *v, *w, *dv, *dw; // in body axes
} body_motion;

// Newton and Euler for one body, everything in body axes, c its centre of mass:
//   f = m (v' + w' x c + w x (v + w x c) - R' g),   n = I w' + w x I w + c x f
static void newton_euler(const one_body *body, const body_motion *m, double f[3], double n[3])
{
  const double *I = body->I, *c = body->c, *w = m->w, *dw = m->dw;
  double a[3], b[3], d[3], Iw[3], spin[3];
  cross(dw, c, a);
  cross(w, c, b);
  for (int k = 0; k < 3; ++k)
    b[k] += m->v[k];
  cross(w, b, d);
  for (int k = 0; k < 3; ++k)
    f[k] = body->mass * (m->dv[k] + a[k] + d[k] - m->gravity[k]);
  for (int k = 0; k < 3; ++k) // principal axes
    Iw[k] = I[k] * w[k];
  cross(w, Iw, spin);
  cross(c, f, n);
  for (int k = 0; k < 3; ++k)
    n[k] += I[k] * dw[k] + spin[k];
}

static void set_body(ff_link_def *link, double mass, const double c[3], const double I[3])
{
  link->inertia.mass = mass;
  memcpy(link->inertia.com, c, sizeof link->inertia.com);
  link->inertia.matrix[0] = I[0];
  link->inertia.matrix[3] = I[1];
  link->inertia.matrix[5] = I[2];
}

static void free_body(void **state)
{
  const double mass = 2.5, c[3] = {0.1, -0.2, 0.3}, I[3] = {0.3, 0.4, 0.5};
  mechanism m;
  (void)state;
  begin(&m);
  ff_link_def link = new_link(&m, FF_JOINT_FREE, 0, 0, 0);
  set_body(&link, mass, c, I);
  add(&m, &link);
  finish(&m);
  ffi_random random = ffi_random_seed(4);
  for (int k = 0; k < 100; ++k) {
    double q[7], v[6], a[6], tau[6], back[6], want[6], R[9];
    ff_pose pose = ff_pose_identity();
    ffi_random_q(&random, m.model, q);
    ffi_random_vector(&random, 6, 3, v);
    ffi_random_vector(&random, 6, 3, a);
    memcpy(pose.quaternion, q + 3, sizeof pose.quaternion);
    ff_pose_rotation(&pose, R);
    const double gravity[3] = {-g * R[6], -g * R[7], -g * R[8]}; // R' g
    newton_euler(&(one_body){mass, c, I}, &(body_motion){gravity, v, v + 3, a, a + 3}, want, want + 3);
    ff_dynamics_rnea(m.dynamics, q, v, a, tau);
    must_be("rnea", 6, tau, want);
    ff_dynamics_aba(m.dynamics, q, v, want, back);
    must_be("aba", 6, back, a);
  }
  end(&m);
}

// Without forces and gravity, Euler's equations: I1 w1' = (I2 - I3) w2 w3, and cyclic.
static void spinning_body(void **state)
{
  const double I[3] = {0.3, 0.4, 0.6}, zero[6] = {0}, none[3] = {0};
  mechanism m;
  (void)state;
  begin(&m);
  ff_link_def link = new_link(&m, FF_JOINT_FREE, 0, 0, 0);
  set_body(&link, 1, none, I);
  add(&m, &link);
  assert_int_equal(ff_builder_set_gravity(m.builder, none, NULL), FF_OK);
  finish(&m);
  const double q[7] = {1, 2, 3, 0.5, 0.5, 0.5, 0.5}, v[6] = {0.5, -1, 2, 3, -2, 1}, *w = v + 3;
  double got[6], spin[3];
  ff_dynamics_aba(m.dynamics, q, v, zero, got);
  cross(v, w, spin); // the centre of mass goes straight on: v' = v x w in body axes
  must_be("aba", 6, got,
          (double[6]){spin[0], spin[1], spin[2], (I[1] - I[2]) / I[0] * w[1] * w[2],
                      (I[2] - I[0]) / I[1] * w[2] * w[0], (I[0] - I[1]) / I[2] * w[0] * w[1]});
  end(&m);
}

// A heavy top on a ball joint at distance from its centre of mass.
static void heavy_top(void **state)
{
  const double mass = 1.7, c[3] = {0, 0.05, 0.4}, I[3] = {0.02, 0.02, 0.01}, still[3] = {0};
  mechanism m;
  (void)state;
  begin(&m);
  ff_link_def link = new_link(&m, FF_JOINT_SPHERICAL, 0, 0, 0);
  set_body(&link, mass, c, I);
  add(&m, &link);
  finish(&m);
  ffi_random random = ffi_random_seed(5);
  for (int k = 0; k < 100; ++k) {
    double q[4], w[3], dw[3], tau[3], f[3], n[3], R[9];
    ff_pose pose = ff_pose_identity();
    ffi_random_quaternion(&random, q);
    ffi_random_vector(&random, 3, 5, w);
    ffi_random_vector(&random, 3, 5, dw);
    memcpy(pose.quaternion, q, sizeof pose.quaternion);
    ff_pose_rotation(&pose, R);
    // The pivot stays: v = 0 and v' = 0.
    newton_euler(&(one_body){mass, c, I},
                 &(body_motion){(double[3]){-g * R[6], -g * R[7], -g * R[8]}, still, w, still, dw}, f, n);
    ff_dynamics_rnea(m.dynamics, q, w, dw, tau);
    must_be("rnea", 3, tau, n);
  }
  end(&m);
}

// A body in the xz plane (normal y): in-plane part of Newton and Euler, velocities in body axes.
static void planar_body(void **state)
{
  const double mass = 1.2, c[3] = {0.3, 0, -0.1}, I[3] = {0.1, 0.2, 0.3};
  mechanism m;
  (void)state;
  begin(&m);
  ff_link_def link = new_link(&m, FF_JOINT_PLANAR, 0, 1, 0);
  set_body(&link, mass, c, I);
  add(&m, &link);
  finish(&m);
  ffi_random random = ffi_random_seed(6);
  for (int k = 0; k < 100; ++k) {
    double q[3], s[3], ds[3], tau[3], f[3], n[3];
    ffi_random_vector(&random, 3, 3, q);
    ffi_random_vector(&random, 3, 3, s);
    ffi_random_vector(&random, 3, 3, ds);
    // With normal y the coordinates are along z and x.
    const double v[3] = {s[1], 0, s[0]}, w[3] = {0, s[2], 0}, dv[3] = {ds[1], 0, ds[0]},
                 dw[3] = {0, ds[2], 0};
    const double gravity[3] = {g * sin(q[2]), 0, -g * cos(q[2])}; // Ry(q)' (0, 0, -g)
    newton_euler(&(one_body){mass, c, I}, &(body_motion){gravity, v, w, dv, dw}, f, n);
    ff_dynamics_rnea(m.dynamics, q, s, ds, tau);
    must_be("rnea", 3, tau, (double[3]){f[2], f[0], n[1]});
  }
  end(&m);
}

// A rotor's inertia acts on its own joint alone: it has no weight and does not turn with the links before it.
static void rotor_inertia(void **state)
{
  mechanism plain, geared;
  (void)state;
  for (int k = 0; k < 2; ++k) {
    mechanism *m = k ? &geared : &plain;
    begin(m);
    ff_link_def link = new_link(m, FF_JOINT_REVOLUTE, 0, 0, 1);
    set_body(&link, 1, (double[3]){0.2, 0, 0}, (double[3]){0.1, 0.1, 0.1});
    add(m, &link);
    link = new_link(m, FF_JOINT_REVOLUTE, 0, 1, 0);
    set_body(&link, 1, (double[3]){0.2, 0.1, 0}, (double[3]){0.1, 0.1, 0.1});
    link.joint.armature = k ? 0.4 : 0;
    add(m, &link);
    finish(m);
  }
  const double q[2] = {0.4, -0.7}, v[2] = {2, 3}, a[2] = {5, -6};
  double without[2], with[2];
  ff_dynamics_rnea(plain.dynamics, q, v, a, without);
  ff_dynamics_rnea(geared.dynamics, q, v, a, with);
  must_be("rnea", 2, with, (double[2]){without[0], without[1] + 0.4 * a[1]});
  end(&plain);
  end(&geared);
}

// A force on a free body at r from its centre of mass:  U = 1/m + [r]x' I^-1 [r]x.
static void struck_body(void **state)
{
  const double mass = 2, I[3] = {0.3, 0.4, 0.5}, none[3] = {0}, r[3] = {0.1, 0.2, -0.3};
  mechanism m;
  (void)state;
  begin(&m);
  ff_link_def link = new_link(&m, FF_JOINT_FREE, 0, 0, 0);
  set_body(&link, mass, none, I);
  add(&m, &link);
  finish(&m);
  const double q[7] = {1, 2, 3, 0, 0, 0, 1};
  const ff_point point = {1, {r[0], r[1], r[2]}};
  double U[9], want[9];
  ff_dynamics_kinematics(m.dynamics, q, NULL, NULL);
  ff_dynamics_crba(m.dynamics, NULL);
  assert_int_equal(ff_dynamics_factor(m.dynamics, NULL), FF_OK);
  ff_dynamics_delassus(m.dynamics, 1, &point, U);
  for (int k = 0; k < 3; ++k) { // a unit force along axis k: a = e / m + (I^-1 (r x e)) x r
    double e[3] = {0, 0, 0}, torque[3], turned[3];
    e[k] = 1;
    cross(r, e, torque);
    for (int i = 0; i < 3; ++i)
      torque[i] /= I[i];
    cross(torque, r, turned);
    for (int i = 0; i < 3; ++i)
      want[3 * i + k] = e[i] / mass + turned[i];
  }
  must_be("U", 9, U, want);
  end(&m);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(pendulum),          cmocka_unit_test(double_pendulum), cmocka_unit_test(cart_and_pole),
      cmocka_unit_test(slider_with_rotor), cmocka_unit_test(free_body),       cmocka_unit_test(spinning_body),
      cmocka_unit_test(heavy_top),         cmocka_unit_test(planar_body),     cmocka_unit_test(rotor_inertia),
      cmocka_unit_test(struck_body),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
