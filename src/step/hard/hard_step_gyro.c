// A body that spins fast: its gyroscopic moment, taken at the end of a step. Explicit, it grows without bound where
// the body turns by more than about a radian in a step, which is a pencil after a blow. At the end of the step, I (w1
// - w) + h w1 x I w1 = 0, it takes no work: w1' of this is w1' I w1 = w1' I w, so the energy of the spin does not
// grow.
#include "math/mat3.h"
#include "model/model.h"
#include "step/hard/hard_step_problem.h"

#include <math.h>

enum { ROUNDS = 12 };

// About the centre of mass, c.
static void inertia_at_centre(const ffi_body *b, const double c[3], double I[9])
{
  const double square = ffi_v3_dot(c, c);
  ffi_m3_from_sym(b->I, I);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      I[3 * i + j] -= b->mass * ((i == j ? square : 0) - c[i] * c[j]);
}

// w x I w and its derivative by w.
static void gyroscopic(const double I[9], const double w[3], double moment[3], double by_w[9])
{
  double L[3], turn[9], carried[9];
  ffi_m3_mulv(I, w, L);
  ffi_v3_cross(w, L, moment);
  ffi_m3_skew(w, turn);
  ffi_m3_skew(L, carried);
  ffi_m3_mul(turn, I, by_w);
  for (int i = 0; i < 9; ++i)
    by_w[i] -= carried[i];
}

// x of A x = b by Cramer's rule; 0 if there is none.
static int solve3(const double A[9], const double b[3], double x[3])
{
  double across[3][3];
  ffi_v3_cross(A + 3, A + 6, across[0]);
  ffi_v3_cross(A + 6, A, across[1]);
  ffi_v3_cross(A, A + 3, across[2]);
  const double determinant = ffi_v3_dot(A, across[0]);
  for (int k = 0; k < 3; ++k)
    x[k] = (b[0] * across[0][k] + b[1] * across[1][k] + b[2] * across[2][k]) / determinant;
  return isfinite(x[0]) && isfinite(x[1]) && isfinite(x[2]);
}

// w1 by Newton's method from w; w itself, which keeps the energy too, where that does not end.
static void spin_on(const double I[9], double h, const double w[3], double w1[3])
{
  double L[3], moment[3], by_w[9], rest[3], step[3];
  ffi_m3_mulv(I, w, L);
  ffi_v3_copy(w, w1);
  for (int k = 0; k < ROUNDS; ++k) {
    double A[9], L1[3];
    ffi_m3_mulv(I, w1, L1);
    gyroscopic(I, w1, moment, by_w);
    for (int i = 0; i < 3; ++i)
      rest[i] = L[i] - L1[i] - h * moment[i];
    if (ffi_v3_norm(rest) <= 1e-13 * ffi_v3_norm(L))
      return;
    for (int i = 0; i < 9; ++i)
      A[i] = I[i] + h * by_w[i];
    if (!solve3(A, rest, step))
      break;
    ffi_v3_add(w1, step, w1);
  }
  ffi_v3_copy(w, w1);
}

static int is_alone(const ffi_system *s, int body)
{
  const ffi_body *b = &s->model->bodies[body];
  return b->kind == FFI_KIND_FREE && b->subtree_end == body + 1 && b->mass > 0;
}

double ffi_hard_step_gyro_time(const ffi_system *s, const double *v)
{
  double most = 0;
  for (int i = 1; i < s->model->body_count; ++i) {
    const ffi_body *b = &s->model->bodies[i];
    double I[9], c[3], L[3], moment[3];
    if (!is_alone(s, i))
      continue;
    ffi_v3_scale(1 / b->mass, b->mc, c);
    inertia_at_centre(b, c, I);
    ffi_m3_mulv(I, v + b->v + 3, L);
    ffi_v3_cross(v + b->v + 3, L, moment);
    if (ffi_v3_dot(moment, moment) > 0)
      most = fmax(most, ffi_v3_norm(moment) / ffi_v3_norm(L));
  }
  return 1 / most;
}

void ffi_hard_step_gyro(const ffi_system *s, double h, const double *v, double *u_free)
{
  for (int i = 1; i < s->model->body_count; ++i) {
    const ffi_body *b = &s->model->bodies[i];
    if (!is_alone(s, i))
      continue;
    double I[9], c[3], moment[3], by_w[9], taken[3], w1[3], change[3], arm[3];
    const double *w = v + b->v + 3;
    ffi_v3_scale(1 / b->mass, b->mc, c);
    inertia_at_centre(b, c, I);
    gyroscopic(I, w, moment, by_w);
    if (!solve3(I, moment, taken)) // a point
      continue;
    spin_on(I, h, w, w1);
    for (int k = 0; k < 3; ++k)
      change[k] = w1[k] - w[k] + h * taken[k]; // what bias forces gave was - h taken
    ffi_v3_cross(c, change, arm);              // the centre of mass keeps its velocity
    ffi_v3_add(u_free + b->v, arm, u_free + b->v);
    ffi_v3_add(u_free + b->v + 3, change, u_free + b->v + 3);
  }
}
