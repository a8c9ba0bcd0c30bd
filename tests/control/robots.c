// Robots that controllers are tested with.
#include "robots.h"

ff_contact_task ffi_romeo_sole(const ff_model *model, int side)
{
  static const double corners[4][3] = {
      {-0.05, -0.05, -0.07}, {-0.05, 0.05, -0.07}, {0.1, -0.05, -0.07}, {0.1, 0.05, -0.07}};
  ff_contact_task sole = ff_contact_task_default();
  sole.frame = ffi_robot_frame(model, side == 0 ? "r_ankle" : "l_ankle");
  sole.points = corners[0];
  sole.point_count = 4;
  return sole;
}

void ffi_must_solve(ff_whole_body *body, const double *q, const double *v)
{
  ff_error error;
  ffi_must(ff_whole_body_solve(body, q, v, &error), &error);
}

ffi_bench ffi_bench_make(const char *file)
{
  ffi_bench b = {.model = ffi_robot(file)};
  assert_int_equal(ff_dynamics_create(b.model, NULL, &b.dynamics, NULL), FF_OK);
  b.nq = ff_model_get_size(b.model).nq;
  b.nv = ff_model_get_size(b.model).nv;
  assert_true(b.nv <= FFI_MOST_NV);
  return b;
}

void ffi_bench_free(ffi_bench *b)
{
  ff_dynamics_destroy(b->dynamics);
  ff_model_destroy(b->model);
}

void ffi_bench_shake(ffi_bench *b, ffi_random *random, const char *posture, double away, double speed)
{
  double dv[FFI_MOST_NV];
  ffi_random_vector(random, b->nv, away, dv);
  ff_model_integrate(b->model, ffi_robot_posture(b->model, posture), dv, b->q);
  ffi_random_vector(random, b->nv, speed, b->v);
}
