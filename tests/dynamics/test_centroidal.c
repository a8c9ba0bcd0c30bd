// Centre of mass, momentum and energies against sums over the links as they were described.

#include "dynamics/differences.h"

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { FORESTS = 60 };

// Everything that moves, link by link. World axes.
typedef struct sums {
  double mass, com[3];
  double momentum[6]; ///< linear, angular about com
  double kinetic;     ///< without armature
  double potential;
  double reach;                          ///< largest coordinate of a link's centre of mass [m], at least 1
  double momentum_size[2], kinetic_size; ///< what the sums are made of, as magnitudes
} sums;

static void cross(const double a[3], const double b[3], double out[3])
{
  out[0] = a[1] * b[2] - a[2] * b[1];
  out[1] = a[2] * b[0] - a[0] * b[2];
  out[2] = a[0] * b[1] - a[1] * b[0];
}

static double dot(const double a[3], const double b[3])
{
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// A link's centre of mass x, its velocity u, angular velocity w and spin I w; world axes.
static void link_motion(ffi_case *c, const ff_link_info *link, double x[3], double u[3], double w[3],
                        double spin[3])
{
  double p[3], R[9], twist[6], local[6], arm[3], t[3];
  const double *I = link->inertia.matrix, *com = link->inertia.com;
  ff_dynamics_frame_pose(c->dynamics, link->frame, p, R);
  ff_dynamics_frame_velocity(c->dynamics, link->frame, FF_AXES_LOCAL_ALIGNED, twist);
  ff_dynamics_frame_velocity(c->dynamics, link->frame, FF_AXES_LOCAL, local);
  const double *o = local + 3;
  const double own[3] = {I[0] * o[0] + I[1] * o[1] + I[2] * o[2], I[1] * o[0] + I[3] * o[1] + I[4] * o[2],
                         I[2] * o[0] + I[4] * o[1] + I[5] * o[2]};
  for (int r = 0; r < 3; ++r) {
    arm[r] = dot(R + 3 * r, com);
    spin[r] = dot(R + 3 * r, own);
    x[r] = p[r] + arm[r];
    w[r] = twist[3 + r];
  }
  cross(w, arm, t);
  for (int r = 0; r < 3; ++r)
    u[r] = twist[r] + t[r];
}

// After kinematics with v. Two passes: the centre of mass, then momenta about it.
static sums sum_links(ffi_case *c)
{
  sums s = {.reach = 1};
  double gravity[3], x[3], u[3], w[3], spin[3], arm[3], t[3];
  ff_model_gravity(c->model, gravity);
  for (int pass = 0; pass < 2; ++pass)
    for (int k = 0; k < c->links; ++k) {
      ff_link_info link;
      ff_model_link(c->model, k, &link);
      if (link.joint < 0)
        continue;
      const double m = link.inertia.mass;
      link_motion(c, &link, x, u, w, spin);
      if (pass == 0) {
        const double before = s.mass;
        s.mass += m;
        for (int r = 0; r < 3 && s.mass > 0; ++r)
          s.com[r] = (before * s.com[r] + m * x[r]) / s.mass;
        s.potential -= m * dot(gravity, x);
        s.kinetic += 0.5 * (m * dot(u, u) + dot(w, spin));
        s.kinetic_size += 0.5 * (m * dot(u, u) + fabs(dot(w, spin)));
        s.reach = fmax(s.reach, ffi_size(3, x));
        continue;
      }
      for (int r = 0; r < 3; ++r)
        arm[r] = x[r] - s.com[r];
      cross(arm, u, t);
      for (int r = 0; r < 3; ++r) {
        s.momentum[r] += m * u[r];
        s.momentum[3 + r] += m * t[r] + spin[r];
        s.momentum_size[0] += m * fabs(u[r]);
        s.momentum_size[1] += m * s.reach * ffi_size(3, u) + fabs(spin[r]);
      }
    }
  return s;
}

typedef struct margins {
  ffi_margin com, momentum, kinetic, quadratic, potential, mass;
} margins;

static void compare_sums(ffi_case *c, void *data)
{
  margins *m = data;
  double com[3], momentum[6], kinetic, potential, gravity[3];
  ff_model_gravity(c->model, gravity);
  ff_dynamics_kinematics(c->dynamics, c->q, c->v, NULL);
  ff_dynamics_com(c->dynamics, com);
  ff_dynamics_momentum(c->dynamics, momentum);
  ff_dynamics_kinetic_energy(c->dynamics, &kinetic);
  ff_dynamics_potential_energy(c->dynamics, &potential);
  const sums s = sum_links(c);
  const double weight = s.mass * 9.81 * s.reach;
  double quadratic = 0, size = 0, rotors = 0;
  for (int i = 0; i < c->nv; ++i)
    for (int j = 0; j < c->nv; ++j) {
      quadratic += 0.5 * c->v[i] * c->M[i * c->nv + j] * c->v[j];
      size += 0.5 * fabs(c->v[i] * c->M[i * c->nv + j] * c->v[j]);
    }
  for (int k = 0; k < ff_model_get_size(c->model).joints; ++k) {
    ff_joint_info joint;
    ff_model_joint(c->model, k, &joint);
    for (int i = joint.v; i < joint.v + joint.nv; ++i)
      rotors += 0.5 * joint.armature * c->v[i] * c->v[i];
  }
  const double with_rotors = s.kinetic + rotors;
  ffi_margin_add(&m->mass, fabs(ff_model_mass(c->model) - s.mass) / s.mass, c->number);
  ffi_margin_add(&m->com, ffi_gap(3, com, s.com) / s.reach, c->number);
  ffi_margin_add(&m->momentum, ffi_gap(3, momentum, s.momentum) / s.momentum_size[0], c->number);
  ffi_margin_add(&m->momentum, ffi_gap(3, momentum + 3, s.momentum + 3) / s.momentum_size[1], c->number);
  ffi_margin_add(&m->kinetic, ffi_gap(1, &kinetic, &with_rotors) / (s.kinetic_size + rotors), c->number);
  ffi_margin_add(&m->quadratic, ffi_gap(1, &kinetic, &quadratic) / size, c->number);
  ffi_margin_add(&m->potential, ffi_gap(1, &potential, &s.potential) / weight, c->number);
}

static void they_are_sums_over_links(void **state)
{
  // Poses and velocities carry some 5 roundings a level, 40 levels at most; sums of up to 40 terms.
  const double tolerance = 200 * DBL_EPSILON;
  margins m = {
      .com = {.what = "centre of mass", .tolerance = tolerance},
      .momentum = {.what = "momentum", .tolerance = tolerance},
      .kinetic = {.what = "kinetic energy, sum over links", .tolerance = tolerance},
      .quadratic = {.what = "kinetic energy, 1/2 v' M v", .tolerance = tolerance},
      .potential = {.what = "potential energy", .tolerance = tolerance},
      .mass = {.what = "mass", .tolerance = 40 * DBL_EPSILON},
  };
  (void)state;
  ffi_for_each_case(FORESTS, compare_sums, &m);
  ffi_margin_check(&m.mass);
  ffi_margin_check(&m.com);
  ffi_margin_check(&m.momentum);
  ffi_margin_check(&m.kinetic);
  ffi_margin_check(&m.quadratic);
  ffi_margin_check(&m.potential);
}

// ---- Derivatives ------------------------------------------------------------------------------------------

static void com_and_potential(ffi_case *c, const double *q, const double *v, const void *data, double *out)
{
  (void)v;
  (void)data;
  ff_dynamics_kinematics(c->dynamics, q, NULL, NULL);
  ff_dynamics_com(c->dynamics, out);
  ff_dynamics_potential_energy(c->dynamics, out + 3);
}

typedef struct slopes {
  ffi_margin jacobian, gravity, velocity;
} slopes;

static void differentiate(ffi_case *c, void *data)
{
  slopes *m = data;
  const int n = c->nv;
  double *unit = ffi_doubles(n), *zero = ffi_doubles(n), *J = ffi_doubles(3 * n), *g = ffi_doubles(n);
  double reach[4], momentum[6], moved[3] = {0, 0, 0}, size = 0;
  com_and_potential(c, c->q, NULL, NULL, reach);
  const double length = fmax(1, ffi_size(3, reach));
  const double mass = ff_model_mass(c->model);
  ff_dynamics_com_jacobian(c->dynamics, J);
  ff_dynamics_gravity(c->dynamics, c->q, g);
  for (int j = 0; j < n; ++j) {
    double rate[4];
    unit[j] = 1;
    ffi_derivative(c, com_and_potential, NULL, 4, (ffi_differences_path){unit, zero, 2e-3}, rate);
    unit[j] = 0;
    for (int r = 0; r < 3; ++r)
      ffi_margin_add(&m->jacobian, ffi_gap(1, &J[r * n + j], &rate[r]) / length, c->number);
    ffi_margin_add(&m->gravity, ffi_gap(1, &g[j], &rate[3]) / (mass * 9.81 * length), c->number);
  }
  // m J_com v is the linear momentum.
  ff_dynamics_kinematics(c->dynamics, c->q, c->v, NULL);
  ff_dynamics_momentum(c->dynamics, momentum);
  for (int r = 0; r < 3; ++r)
    for (int j = 0; j < n; ++j) {
      moved[r] += mass * J[r * n + j] * c->v[j];
      size += fabs(mass * J[r * n + j] * c->v[j]);
    }
  ffi_margin_add(&m->velocity, ffi_gap(3, momentum, moved) / size, c->number);
  free(unit);
  free(zero);
  free(J);
  free(g);
}

static void jacobian_and_gravity_are_gradients(void **state)
{
  // Five points, h = 2 mrad or mm: truncation h^4/30 = 5e-13, rounding 1.5 eps/h = 2e-13 a level.
  slopes m = {
      .jacobian = {.what = "com Jacobian against differences", .tolerance = 1e-11},
      .gravity = {.what = "gravity against slopes of potential energy", .tolerance = 1e-11},
      .velocity = {.what = "m J_com v against momentum", .tolerance = 200 * DBL_EPSILON},
  };
  (void)state;
  ffi_for_each_case(FORESTS, differentiate, &m);
  ffi_margin_check(&m.jacobian);
  ffi_margin_check(&m.gravity);
  ffi_margin_check(&m.velocity);
}

static void momentum_of(ffi_case *c, const double *q, const double *v, const void *data, double *out)
{
  (void)data;
  ff_dynamics_kinematics(c->dynamics, q, v, NULL);
  ff_dynamics_momentum(c->dynamics, out);
}

static void differentiate_momentum(ffi_case *c, void *data)
{
  double rate[6], bias[6], momentum[6], size = 0, fastest = ffi_size(c->nv, c->v);
  double *zero = ffi_doubles(c->nv);
  ffi_derivative(c, momentum_of, NULL, 6, (ffi_differences_path){c->v, zero, 5e-4}, rate);
  momentum_of(c, c->q, c->v, NULL, momentum);
  ff_dynamics_momentum_bias(c->dynamics, bias);
  for (int i = 0; i < c->nv; ++i)
    size += c->w[i] * c->w[i] * fabs(c->v[i]) * fmax(1, fastest); // what a rate of momentum is made of
  ffi_margin_add(data, ffi_gap(6, bias, rate) / size, c->number);
  free(zero);
}

static void momentum_bias_is_its_rate(void **state)
{
  // Five points, h = 0.5 ms at up to 2 rad/s a joint, so some 40 rad/s at the end of a chain: truncation of at most (40
  // h)^4 / 30 = 5e-9.
  ffi_margin m = {.what = "momentum bias against differences", .tolerance = 5e-9};
  (void)state;
  ffi_for_each_case(FORESTS, differentiate_momentum, &m);
  ffi_margin_check(&m);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(they_are_sums_over_links),
      cmocka_unit_test(jacobian_and_gravity_are_gradients),
      cmocka_unit_test(momentum_bias_is_its_rate),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
