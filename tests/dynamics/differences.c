// Five-point differences along a path of states.
#include "dynamics/differences.h"

#include <stdlib.h>

void ffi_derivative(ffi_case *c, ffi_quantity *quantity, const void *data, int n, ffi_differences_path path,
                    double *out)
{
  const double *v = path.v, *vdot = path.vdot, h = path.h;
  static const double where[4] = {-2, -1, 1, 2}, weight[4] = {1, -8, 8, -1};
  double *q = ffi_doubles(c->nq), *step = ffi_doubles(c->nv), *rate = ffi_doubles(c->nv),
         *value = ffi_doubles(n);
  for (int k = 0; k < n; ++k)
    out[k] = 0;
  for (int s = 0; s < 4; ++s) {
    for (int i = 0; i < c->nv; ++i) {
      step[i] = where[s] * h * v[i];
      rate[i] = v[i] + where[s] * h * vdot[i];
    }
    ff_model_integrate(c->model, c->q, step, q);
    quantity(c, q, rate, data, value);
    for (int k = 0; k < n; ++k)
      out[k] += weight[s] * value[k] / (12 * h);
  }
  free(q);
  free(step);
  free(rate);
  free(value);
}

void ffi_angular_velocity(const double R[9], const double Rdot[9], double omega[3])
{
  double W[9];
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      W[3 * i + j] = Rdot[3 * i] * R[3 * j] + Rdot[3 * i + 1] * R[3 * j + 1] + Rdot[3 * i + 2] * R[3 * j + 2];
  omega[0] = 0.5 * (W[7] - W[5]);
  omega[1] = 0.5 * (W[2] - W[6]);
  omega[2] = 0.5 * (W[3] - W[1]);
}
