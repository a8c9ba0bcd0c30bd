// Torques of joints that nothing drives, carried by closed loops and couplings to those that a motor drives.
//
// Standing asks for the torques r of all joints. Where a joint has no motor, constraints with the rows C must give its
// share: r = tau + C' lambda with tau = 0 in those joints. Of all lambda those of least squares are taken; what no
// constraint can carry is left out.
#include "base/fail.h"
#include "control/controller.h"
#include "math/dense.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct ffi_controller_loops {
  ff_element_def *couplings; // [coupling_count] of joints
  ff_point *points;          // [2 pair_count] of a, and of b
  int coupling_count, pair_count;
  char *is_free; // [nv] the row of a joint without motor
  double *J;     // [6 pair_count][nv] of the points
  double *C;     // [rows][nv]
  double *K, *y; // [rows][rows], [rows]
};

static int rows_of(const ffi_controller_loops *l)
{
  return 3 * l->pair_count + l->coupling_count;
}

// ---- Creation -------------------------------------------------------------------------------------------------------

// A weld is three pairs of points: its own, and two beside it, in frames whose axes are aligned.
static void add_pairs(ffi_controller_loops *l, const ff_element_def *e)
{
  const int count = e->type == FF_ELEMENT_WELD ? 3 : 1;
  for (int i = 0; i < count; ++i) {
    ff_point *to = &l->points[2 * l->pair_count++];
    to[0] = e->a;
    to[1] = e->b;
    if (i > 0) {
      to[0].offset[i - 1] += 0.1;
      to[1].offset[i - 1] += 0.1;
    }
  }
}

static void collect(ff_controller *c, ffi_controller_loops *l)
{
  ff_element_def e;
  ff_joint_info joint;
  for (int i = 0; ff_model_element(c->model, i, &e) == FF_OK; ++i) {
    if (e.type == FF_ELEMENT_POINT || e.type == FF_ELEMENT_WELD)
      add_pairs(l, &e);
    else if (e.type == FF_ELEMENT_COUPLING && e.joint >= 0 && e.leader >= 0)
      l->couplings[l->coupling_count++] = e;
  }
  for (int j = 0; ff_model_joint(c->model, j, &joint) == FF_OK; ++j)
    for (int k = joint.v; k < joint.v + joint.nv; ++k)
      l->is_free[k] = joint.type != FF_JOINT_FREE && c->stand->effort[k] == 0;
}

ff_status ffi_controller_loops_create(ff_controller *c, ff_error *error)
{
  const size_t nv = (size_t)c->nv, elements = (size_t)ff_model_get_size(c->model).elements;
  if (elements == 0)
    return FF_OK;
  ffi_controller_loops *l = c->stand->loops = calloc(1, sizeof *l);
  const size_t most = 10 * elements; // rows: nine of a weld
  if (l) {
    l->couplings = calloc(elements, sizeof *l->couplings);
    l->points = calloc(6 * elements, sizeof *l->points);
    l->is_free = calloc(nv + 1, 1);
    l->J = calloc(18 * elements * nv + 1, sizeof *l->J);
    l->C = calloc(most * nv + 1, sizeof *l->C);
    l->K = calloc(most * most, sizeof *l->K);
    l->y = calloc(most, sizeof *l->y);
  }
  if (!l || !l->couplings || !l->points || !l->is_free || !l->J || !l->C || !l->K || !l->y)
    return ffi_fail(error, FF_ERROR_MEMORY, NULL, 0, NULL, "no memory for a controller");
  collect(c, l);
  return FF_OK;
}

void ffi_controller_loops_free(ffi_controller_loops *l)
{
  if (!l)
    return;
  free(l->couplings);
  free(l->points);
  free(l->is_free);
  free(l->J);
  free(l->C);
  free(l->K);
  free(l->y);
  free(l);
}

// ---- Torques --------------------------------------------------------------------------------------------------------

static void find_rows(ff_controller *c, const double *q)
{
  ffi_controller_loops *l = c->stand->loops;
  const size_t nv = (size_t)c->nv;
  ff_joint_info follower, leader;
  memset(l->C, 0, (size_t)rows_of(l) * nv * sizeof *l->C);
  if (l->pair_count > 0)
    ff_dynamics_point_jacobian(c->dynamics, 2 * l->pair_count, l->points, l->J);
  for (size_t i = 0; i < (size_t)l->pair_count; ++i)
    for (size_t k = 0; k < 3 * nv; ++k)
      l->C[3 * i * nv + k] = l->J[6 * i * nv + k] - l->J[(6 * i + 3) * nv + k];
  for (int i = 0; i < l->coupling_count; ++i) {
    const ff_element_def *e = &l->couplings[i];
    double *row = l->C + (size_t)(3 * l->pair_count + i) * nv, slope = 0;
    ff_model_joint(c->model, e->joint, &follower);
    ff_model_joint(c->model, e->leader, &leader);
    for (int k = 4; k > 0; --k)
      slope = slope * q[leader.q] + k * e->polynomial[k];
    row[follower.v] = 1;
    row[leader.v] -= slope;
  }
}

void ffi_controller_loops_carry(ff_controller *c, const double *q, double *tau)
{
  static const double little = 1e-9; // of the mean diagonal: rows may depend on each other
  ffi_controller_loops *l = c->stand->loops;
  const int rows = l ? rows_of(l) : 0;
  double trace = 0;
  if (rows == 0)
    return;
  find_rows(c, q);
  for (int a = 0; a < rows; ++a) {
    const double *A = l->C + (size_t)a * (size_t)c->nv;
    l->y[a] = 0;
    for (int i = 0; i < c->nv; ++i)
      l->y[a] += l->is_free[i] ? A[i] * tau[i] : 0;
    for (int b = 0; b <= a; ++b) {
      const double *B = l->C + (size_t)b * (size_t)c->nv;
      double sum = 0;
      for (int i = 0; i < c->nv; ++i)
        sum += l->is_free[i] ? A[i] * B[i] : 0;
      l->K[a * rows + b] = sum;
    }
    trace += l->K[a * rows + a];
  }
  if (!(trace > 0))
    return;
  for (int a = 0; a < rows; ++a)
    l->K[a * rows + a] += little * trace / rows;
  if (ffi_dense_cholesky(rows, rows, l->K) != FFI_FACTORED)
    return;
  ffi_dense_cholesky_solve(rows, rows, l->K, l->y);
  for (int a = 0; a < rows; ++a)
    for (int i = 0; i < c->nv; ++i)
      tau[i] -= l->C[(size_t)a * (size_t)c->nv + (size_t)i] * l->y[a];
}
