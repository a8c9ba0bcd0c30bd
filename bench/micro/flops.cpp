// Runs the counting copy of the kernels once. C++ only for the operators of counted.h: no library, no exceptions.
#include "dynamics/workspace.h"

#include "dynamics/kernels/variant.h"

#include <stdlib.h>

bench_flops bench_flops_now;

namespace {

struct call {
  ffi_work *w;
  const double *q, *x;
  double *out;
  int count;
  const ff_point *points;
};

void sincos(const call &c)
{
  FFI_KERNEL(transforms)(c.w, c.q);
}
void fk(const call &c)
{
  sincos(c);
  FFI_KERNEL(kinematics)(c.w, NULL, NULL);
}
void fk_v(const call &c)
{
  sincos(c);
  FFI_KERNEL(kinematics)(c.w, c.x, NULL);
}
void fk_va(const call &c)
{
  sincos(c);
  FFI_KERNEL(kinematics)(c.w, c.x, c.x);
}
void rnea(const call &c)
{
  sincos(c);
  FFI_KERNEL(rnea)(c.w, c.x, c.x, c.out);
}
void bias(const call &c)
{
  sincos(c);
  FFI_KERNEL(bias)(c.w, c.x, c.out);
}
void gravity(const call &c)
{
  sincos(c);
  FFI_KERNEL(gravity)(c.w, c.out);
}
void crba(const call &c)
{
  sincos(c);
  FFI_KERNEL(crba)(c.w);
}
void ltl(const call &c)
{
  FFI_KERNEL(factor)(c.w);
}
void solve(const call &c)
{
  FFI_KERNEL(solve)(c.w, c.out);
}
void aba(const call &c)
{
  sincos(c);
  FFI_KERNEL(aba)(c.w, c.x, c.x, c.out);
}
void jacobians(const call &c)
{
  fk(c);
  FFI_KERNEL(point_jacobian)(c.w, c.count, c.points, c.out);
}
void minv_jt(const call &c)
{
  fk(c);
  FFI_KERNEL(crba)(c.w);
  FFI_KERNEL(factor)(c.w);
  FFI_KERNEL(minv_jt)(c.w, c.count, c.points, c.out);
}
void delassus(const call &c)
{
  fk(c);
  FFI_KERNEL(crba)(c.w);
  FFI_KERNEL(factor)(c.w);
  FFI_KERNEL(delassus)(c.w, c.count, c.points, c.out);
}
void step_sum(const call &c)
{
  fk(c);
  FFI_KERNEL(bias)(c.w, c.x, c.out);
  FFI_KERNEL(crba)(c.w);
  FFI_KERNEL(factor)(c.w);
}

void rnea_derivatives(const call &c)
{
  double *second = c.out + c.w->model->size.nv * c.w->model->size.nv;
  sincos(c);
  FFI_KERNEL(rnea_derivatives)(c.w, c.x, c.x, NULL, 0, c.out, second);
}
void aba_derivatives(const call &c)
{
  const int square = c.w->model->size.nv * c.w->model->size.nv;
  sincos(c);
  FFI_KERNEL(aba_derivatives)(c.w, c.x, c.x, NULL, 0, c.out, c.out + square, c.out + 2 * square);
}

const struct {
  const char *metric;
  void (*run)(const call &);
} kernels[] = {
    {"sincos", sincos},
    {"fk", fk},
    {"fk_v", fk_v},
    {"fk_va", fk_va},
    {"rnea", rnea},
    {"bias", bias},
    {"gravity", gravity},
    {"crba", crba},
    {"ltl", ltl},
    {"solve", solve},
    {"aba", aba},
    {"jacobians", jacobians},
    {"minv_jt", minv_jt},
    {"delassus", delassus},
    {"step_sum", step_sum},
    {"rnea_derivatives", rnea_derivatives},
    {"aba_derivatives", aba_derivatives},
};

} // namespace

int bench_flops_count(const char *metric, const ff_model *model, const bench_flops_input *input, bench_flops *out)
{
  const int point_count = input->point_count;
  const size_t bytes = FFI_KERNEL(layout)(model, point_count, NULL, NULL);
  const size_t side = static_cast<size_t>(model->size.nv) + 3 * static_cast<size_t>(point_count);
  void *block = aligned_alloc(64, (bytes + 63) / 64 * 64);
  double *result = static_cast<double *>(calloc(3 * side * side + 1, sizeof(double)));
  int is_known = 0;
  if (block && result)
    for (const auto &kernel : kernels)
      if (strcmp(kernel.metric, metric) == 0) {
        ffi_work work;
        FFI_KERNEL(layout)(model, point_count, block, &work);
        const call c = {&work, input->q, input->x, result, point_count, input->points};
        crba(c); // so that there is a matrix to factor
        bench_flops_now = bench_flops();
        kernel.run(c);
        *out = bench_flops_now;
        is_known = 1;
      }
  free(block);
  free(result);
  return is_known;
}
