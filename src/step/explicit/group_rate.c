// Runge-Kutta-Munthe-Kaas: each joint in its own group, velocities in body axes.   Hairer, Lubich, Wanner, section IV.8
#include "step/explicit/group_rate.h"

#include "math/vec3.h"
#include "model/model.h"

// out = [x, y] of two body velocities of a free joint, (linear, angular).
static void bracket_free(const double x[6], const double y[6], double out[6])
{
  double a[3], b[3];
  ffi_v3_cross(x + 3, y, a);
  ffi_v3_cross(x, y + 3, b);
  ffi_v3_add(a, b, out);
  ffi_v3_cross(x + 3, y + 3, out + 3);
}

// (vx, vy, rate)
static void bracket_planar(const double x[3], const double y[3], double out[3])
{
  ffi_v3_set(y[2] * x[1] - x[2] * y[1], x[2] * y[0] - y[2] * x[0], 0, out);
}

static void bracket(int kind, const double *x, const double *y, double *out)
{
  if (kind == FFI_KIND_FREE)
    bracket_free(x, y, out);
  else if (kind == FFI_KIND_SPHERICAL)
    ffi_v3_cross(x, y, out);
  else
    bracket_planar(x, y, out);
}

void ffi_group_rate(const ff_model *model, const double *x, const double *v, double *out)
{
  for (int i = 1; i < model->body_count; ++i) {
    const ffi_body *body = &model->bodies[i];
    const int at = body->v;
    if (body->nv == 1) {
      out[at] = v[at];
      continue;
    }
    double once[6] = {0}, twice[6] = {0};
    bracket(body->kind, x + at, v + at, once);
    bracket(body->kind, x + at, once, twice);
    for (int k = 0; k < body->nv; ++k)
      out[at + k] = v[at + k] + once[k] / 2 + twice[k] / 12;
  }
}
