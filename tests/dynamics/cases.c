// The random forests and shipped models of the kernel tests, with states and units.
#include "dynamics/cases.h"

#include "dynamics/dense.h"
#include "support/shipped_models.h"

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

double *ffi_doubles(int count)
{
  double *out = calloc((size_t)count + (count == 0), sizeof *out);
  assert_non_null(out);
  return out;
}

ff_model *ffi_chain(int count, const ff_link_def *links)
{
  ff_builder *builder;
  ff_model *model;
  int parent = FF_WORLD;
  assert_int_equal(ff_builder_create("chain", &builder, NULL), FF_OK);
  for (int i = 0; i < count; ++i) {
    ff_link_def link = links[i];
    link.parent = parent;
    assert_int_equal(ff_builder_add_link(builder, &link, &parent, NULL), FF_OK);
  }
  assert_int_equal(ff_builder_finish(builder, &model, NULL), FF_OK);
  ff_builder_destroy(builder);
  return model;
}

// |S|_F |S^-1|_F of the mass matrix S in its own units. Also leaves its factor in c->G.
static double condition(ffi_case *c)
{
  const int n = c->nv;
  double *inverse = ffi_doubles(n * n), forward = 0, backward = 0;
  memcpy(c->G, c->M, (size_t)(n * n) * sizeof *c->G);
  if (!ffi_dense_factor(n, c->G))
    fail_msg("case %d: the mass matrix is not positive definite", c->number);
  for (int i = 0; i < n; ++i)
    inverse[i * n + i] = 1;
  ffi_dense_solve(n, c->G, n, inverse);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      const double unit = c->w[i] * c->w[j];
      forward += pow(c->M[i * n + j] / unit, 2);
      backward += pow(inverse[i * n + j] * unit, 2);
    }
  free(inverse);
  return sqrt(forward * backward);
}

double ffi_solve_rounding(const ffi_case *c)
{
  return c->condition * DBL_EPSILON * (1 + c->nv);
}

static void open_case(const ff_model *model, const ffi_forest *forest, int number, ffi_case *c)
{
  const ff_model_size size = ff_model_get_size(model);
  ff_error error;
  *c = (ffi_case){.model = model,
                  .forest = forest,
                  .random = ffi_random_seed((uint64_t)number + 77),
                  .number = number,
                  .nq = size.nq,
                  .nv = size.nv,
                  .links = size.links,
                  .frames = size.frames};
  if (ff_dynamics_create(model, NULL, &c->dynamics, &error) != FF_OK)
    fail_msg("%s", error.message);
  c->q = ffi_doubles(c->nq);
  c->v = ffi_doubles(c->nv);
  c->vdot = ffi_doubles(c->nv);
  c->tau = ffi_doubles(c->nv);
  c->M = ffi_doubles(c->nv * c->nv);
  c->w = ffi_doubles(c->nv);
  c->G = ffi_doubles(c->nv * c->nv);
  ffi_random_q(&c->random, model, c->q);
  ffi_random_vector(&c->random, c->nv, 2, c->v);
  ffi_random_vector(&c->random, c->nv, 5, c->vdot);
  ffi_random_vector(&c->random, c->nv, 10, c->tau);

  ff_dynamics *other; // so that the case's own starts with nothing computed
  assert_int_equal(ff_dynamics_create(model, NULL, &other, NULL), FF_OK);
  ff_dynamics_crba(other, c->q);
  ff_dynamics_mass_matrix(other, c->M);
  ff_dynamics_destroy(other);
  for (int i = 0; i < c->nv; ++i)
    c->w[i] = sqrt(c->M[i * c->nv + i]);
  // Accelerations of 1000 at most: 10 N m would turn a ball of 4 g at 2e8 rad/s^2, and the accuracy of derivatives is
  // relative to that.
  for (int i = 0; i < c->nv; ++i)
    c->tau[i] *= fmin(1, 100 * c->M[i * c->nv + i]);
  c->condition = condition(c);
}

static void close_case(ffi_case *c)
{
  ff_dynamics_destroy(c->dynamics);
  free(c->q);
  free(c->v);
  free(c->vdot);
  free(c->tau);
  free(c->M);
  free(c->w);
  free(c->G);
}

void ffi_for_each_case(int forests, void (*check)(ffi_case *c, void *data), void *data)
{
  ffi_case c;
  for (int i = 0; i < forests; ++i) {
    ffi_forest forest;
    ffi_forest_number(i, 1, &forest);
    open_case(forest.model, &forest, i, &c);
    check(&c, data);
    close_case(&c);
    ffi_forest_free(&forest);
  }
  const int count = ffi_shipped_count();
  for (int i = 0; i < count; ++i) {
    ff_model *model = ffi_shipped_load(i);
    open_case(model, NULL, 1000 + i, &c);
    check(&c, data);
    close_case(&c);
    ff_model_destroy(model);
  }
}

// Largest |got - want| over the largest |want|, each component times (or divided by) its weight.
static double weighted(const ffi_case *c, int is_force, const double *got, const double *want)
{
  double error = 0, size = 0;
  for (int i = 0; i < c->nv; ++i) {
    const double unit = is_force ? 1 / c->w[i] : c->w[i];
    error = fmax(error, ffi_gap(1, got + i, want + i) * unit);
    size = fmax(size, fabs(want[i]) * unit);
  }
  return error == 0 ? 0 : error / size;
}

double ffi_force_error(const ffi_case *c, const double *got, const double *want)
{
  return weighted(c, 1, got, want);
}

double ffi_motion_error(const ffi_case *c, const double *got, const double *want)
{
  return weighted(c, 0, got, want);
}

double ffi_matrix_error(const ffi_case *c, const double *got, const double *want)
{
  double error = 0;
  for (int i = 0; i < c->nv; ++i)
    for (int j = 0; j < c->nv; ++j)
      error = fmax(error, ffi_gap(1, got + i * c->nv + j, want + i * c->nv + j) / (c->w[i] * c->w[j]));
  return error;
}
