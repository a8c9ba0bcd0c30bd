// Fourth-order steps on the configuration space (Celledoni, Marthinsen and Owren 2003).
#include "properties/conservation/free_motion.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static double *copy(int count, const double *from)
{
  double *out = calloc((size_t)count + 1, sizeof *out);
  assert_non_null(out);
  if (from && count > 0)
    memcpy(out, from, (size_t)count * sizeof *out);
  return out;
}

ffi_free_motion ffi_free_motion_begin(const ff_model *model, const double *q, const double *v,
                                      const double *tau)
{
  const ff_model_size size = ff_model_get_size(model);
  ffi_free_motion m = {.model = model, .nq = size.nq, .nv = size.nv, .tau = tau};
  m.q = copy(size.nq, q);
  m.v = copy(size.nv, v);
  assert_int_equal(ff_dynamics_create(model, NULL, &m.dynamics, NULL), FF_OK);
  return m;
}

void ffi_free_motion_end(ffi_free_motion *m)
{
  ff_dynamics_destroy(m->dynamics);
  free(m->q);
  free(m->v);
}

double ffi_free_motion_power(const ffi_free_motion *m, const double *v)
{
  double power = 0;
  for (int k = 0; k < ff_model_get_size(m->model).joints; ++k) {
    ff_joint_info joint;
    ff_model_joint(m->model, k, &joint);
    for (int i = joint.v; i < joint.v + joint.nv; ++i)
      power += (m->tau[i] - joint.damping * v[i]) * v[i];
  }
  return power;
}

double ffi_free_motion_energy(ffi_free_motion *m)
{
  double kinetic, potential;
  ff_dynamics_kinematics(m->dynamics, m->q, m->v, NULL);
  ff_dynamics_kinetic_energy(m->dynamics, &kinetic);
  ff_dynamics_potential_energy(m->dynamics, &potential);
  return kinetic + potential;
}

// One step. K[s] and A[s] are velocity and acceleration at stage s; u is scratch.
static void step(ffi_free_motion *m, double h, double *K[4], double *A[4], double *u, double *q[3])
{
  const int n = m->nv;
  double power[4];
  // Stages 2 and 3 go half a step from the start; stage 4 half a step on from stage 2's place.
  for (int s = 0; s < 4; ++s) {
    const double *at = s == 0 ? m->q : q[s - 1], *before = s == 0 ? NULL : A[s - 1];
    for (int i = 0; i < n; ++i)
      K[s][i] = m->v[i] + (before ? (s == 3 ? h : h / 2) * before[i] : 0);
    ff_dynamics_aba(m->dynamics, at, K[s], m->tau, A[s]);
    power[s] = ffi_free_motion_power(m, K[s]);
    if (s == 3)
      break;
    for (int i = 0; i < n; ++i)
      u[i] = s < 2 ? h / 2 * K[s][i] : h * (K[2][i] - K[0][i] / 2);
    ff_model_integrate(m->model, s < 2 ? m->q : q[0], u, q[s]);
  }
  for (int i = 0; i < n; ++i)
    u[i] = h * (K[0][i] / 4 + K[1][i] / 6 + K[2][i] / 6 - K[3][i] / 12);
  ff_model_integrate(m->model, m->q, u, m->q);
  for (int i = 0; i < n; ++i)
    u[i] = h * (-K[0][i] / 12 + K[1][i] / 6 + K[2][i] / 6 + K[3][i] / 4);
  ff_model_integrate(m->model, m->q, u, m->q);
  for (int i = 0; i < n; ++i)
    m->v[i] += h / 6 * (A[0][i] + 2 * A[1][i] + 2 * A[2][i] + A[3][i]);
  m->work += h / 6 * (power[0] + 2 * power[1] + 2 * power[2] + power[3]);
}

void ffi_free_motion_run(ffi_free_motion *m, int steps, double h)
{
  double *K[4], *A[4], *q[3], *u = copy(m->nv, NULL);
  for (int s = 0; s < 4; ++s) {
    K[s] = copy(m->nv, NULL);
    A[s] = copy(m->nv, NULL);
  }
  for (int s = 0; s < 3; ++s)
    q[s] = copy(m->nq, NULL);
  for (int k = 0; k < steps; ++k)
    step(m, h, K, A, u, q);
  for (int s = 0; s < 4; ++s) {
    free(K[s]);
    free(A[s]);
  }
  for (int s = 0; s < 3; ++s)
    free(q[s]);
  free(u);
}
