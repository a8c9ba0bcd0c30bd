// Draws parameters.
#include "batch/batch_vary.h"

#include "common/random.h"

// 1 - width .. 1 + width.
static double factor(uint64_t *seed, double width)
{
  return 1 + width * bench_random(seed);
}

static void scale_material(ff_material *m, uint64_t *seed)
{
  m->stiffness *= factor(seed, 0.2);
  m->damping *= factor(seed, 0.2);
  m->friction *= factor(seed, 0.2);
}

static ff_status vary_shapes(ff_parameters *p, ff_world *world, uint64_t *seed, ff_error *error)
{
  ff_material m;
  ff_status status = FF_OK;
  for (int i = 0; i < ff_model_get_size(ff_world_model(world)).shapes && status == FF_OK; ++i) {
    ff_shape_info shape;
    ff_model_shape(ff_world_model(world), i, &shape);
    if (!(shape.def.purpose & FF_SHAPE_COLLISION) || ff_parameters_material(p, i, &m) != FF_OK)
      continue;
    scale_material(&m, seed);
    status = ff_parameters_set_material(p, i, &m, error);
  }
  for (int g = 0; status == FF_OK && ff_parameters_ground_material(p, g, &m) == FF_OK; ++g) {
    scale_material(&m, seed);
    status = ff_parameters_set_ground_material(p, g, &m, error);
  }
  return status;
}

static ff_status vary_links(ff_parameters *p, ff_world *world, uint64_t *seed, ff_error *error)
{
  ff_status status = FF_OK;
  for (int l = 0; l < ff_model_get_size(ff_world_model(world)).links && status == FF_OK; ++l) {
    ff_inertia x;
    if (ff_parameters_inertia(p, l, &x) != FF_OK)
      continue;
    const double by = factor(seed, 0.1);
    x.mass *= by;
    for (int k = 0; k < 6; ++k)
      x.matrix[k] *= by;
    status = ff_parameters_set_inertia(p, l, &x, error);
  }
  return status;
}

static ff_status vary(ff_parameters *p, ff_world *world, int number, ff_error *error)
{
  uint64_t seed = 1000 + (uint64_t)number;
  double gravity[3], stiffness, damping, effort;
  ff_parameters_gravity(p, gravity);
  const double size = -gravity[2] * factor(&seed, 0.01);
  gravity[0] = 0.0087 * size * bench_random(&seed);
  gravity[1] = 0.0087 * size * bench_random(&seed);
  gravity[2] = -size;
  ff_status status = ff_parameters_set_gravity(p, gravity, error);
  if (status == FF_OK)
    status = vary_shapes(p, world, &seed, error);
  if (status == FF_OK)
    status = vary_links(p, world, &seed, error);
  for (int e = 0; status == FF_OK && ff_parameters_gains(p, e, &stiffness, &damping, &effort) == FF_OK; ++e)
    status = ff_parameters_set_gains(p, e, stiffness * factor(&seed, 0.2), damping * factor(&seed, 0.2),
                                     effort, error);
  return status;
}

ff_status bench_batch_vary(ff_world *world, int count, ff_parameters **out, ff_error *error)
{
  ff_status status = FF_OK;
  for (int i = 0; i < count; ++i)
    out[i] = NULL;
  for (int i = 0; i < count && status == FF_OK; ++i) {
    status = ff_parameters_create(world, &out[i], error);
    if (status == FF_OK)
      status = vary(out[i], world, i, error);
  }
  if (status != FF_OK)
    bench_batch_vary_free(count, out);
  return status;
}

void bench_batch_vary_free(int count, ff_parameters **parameters)
{
  for (int i = 0; i < count; ++i) {
    ff_parameters_destroy(parameters[i]);
    parameters[i] = NULL;
  }
}
