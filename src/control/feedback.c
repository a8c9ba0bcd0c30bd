#include "base/block.h"
#include "base/error.h"
#include "math/vec3.h"

#include <footfall/control_feedback.h>

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_STATES = 10000000 };

struct ff_feedback {
  void *memory;
  const ff_model *model;
  int nq, nv, nu, states;
  double interval;
  int *driven;                    ///< [nu] velocities that have a motor
  double *q, *v, *control, *gain; ///< as in the def
  double *limits;                 ///< [nv]
  double *way, *at_q, *at_v;      ///< [2 nv], [nq], [nv] working space
};

ff_feedback_def ff_feedback_def_default(void)
{
  return (ff_feedback_def){.interval = 0.01};
}

// ---- Creation -----------------------------------------------------------------------------------------------------

static void layout(ff_feedback *f, ffi_block *block)
{
  const size_t d = sizeof(double), states = (size_t)f->states, nv = (size_t)f->nv, nq = (size_t)f->nq,
               nu = (size_t)f->nu;
  f->driven = ffi_block_take(block, nu, sizeof *f->driven);
  f->q = ffi_block_take(block, states * nq, d);
  f->v = ffi_block_take(block, states * nv, d);
  f->control = ffi_block_take(block, (states - 1) * nu, d);
  f->gain = ffi_block_take(block, (states - 1) * nu * 2 * nv, d);
  f->limits = ffi_block_take(block, nv, d);
  f->way = ffi_block_take(block, 2 * nv, d);
  f->at_q = ffi_block_take(block, nq, d);
  f->at_v = ffi_block_take(block, nv, d);
}

static int is_driven(const ff_model *model, int velocity)
{
  ff_joint_info joint;
  for (int j = 0; ff_model_joint(model, j, &joint) == FF_OK; ++j)
    if (velocity >= joint.v && velocity < joint.v + joint.nv)
      return joint.type != FF_JOINT_FREE;
  return 0;
}

// The first number of an array that is not finite, -1: none; NULL is all zeros.
static long long first_bad(const double *x, long long count)
{
  for (long long i = 0; x && i < count; ++i)
    if (!isfinite(x[i]))
      return i;
  return -1;
}

static ff_status check(const ff_feedback *f, const ff_feedback_def *def, ff_error *error)
{
  const long long states = def->states, rows = (states - 1) * f->nu;
  const struct {
    const char *name;
    const double *x;
    long long count;
    long long per; ///< numbers of one state or interval
  } arrays[] = {
      {"q", def->q, states * f->nq, f->nq},
      {"v", def->v, states * f->nv, f->nv},
      {"control", def->control, rows, f->nu},
      {"gain", def->gain, rows * 2 * f->nv, 2LL * f->nu * f->nv},
  };
  if (!def->q || !def->v || def->states < 2 || def->states > MOST_STATES)
    return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, "trajectory",
                    "it needs q and v of two states at least");
  if (!(isfinite(def->interval) && def->interval > 0))
    return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, "trajectory", "the interval must be positive");
  for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; ++i) {
    const long long bad = first_bad(arrays[i].x, arrays[i].count);
    if (bad >= 0)
      return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, "trajectory",
                      "%s of state %lld is not finite at %lld", arrays[i].name, bad / arrays[i].per,
                      bad % arrays[i].per);
  }
  for (int i = 0; i < f->nv && def->torque_limits; ++i)
    if (!(def->torque_limits[i] >= 0))
      return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, "trajectory", "torque limit %d is negative", i);
  return FF_OK;
}

static void copy_or_zero(double *to, const double *from, size_t count)
{
  if (from)
    memcpy(to, from, count * sizeof *to);
  else
    memset(to, 0, count * sizeof *to);
}

static void fill(ff_feedback *f, const ff_feedback_def *def)
{
  const size_t states = (size_t)f->states, nv = (size_t)f->nv, nu = (size_t)f->nu;
  int count = 0;
  for (int i = 0; i < f->nv; ++i) {
    f->limits[i] = def->torque_limits ? def->torque_limits[i] : INFINITY;
    if (is_driven(f->model, i))
      f->driven[count++] = i;
  }
  copy_or_zero(f->q, def->q, states * (size_t)f->nq);
  copy_or_zero(f->v, def->v, states * nv);
  copy_or_zero(f->control, def->control, (states - 1) * nu);
  copy_or_zero(f->gain, def->gain, (states - 1) * nu * 2 * nv);
  for (int k = 0; k < f->states; ++k)
    ff_model_normalize(f->model, f->q + (size_t)k * (size_t)f->nq);
}

ff_status ff_feedback_create(const ff_model *model, const ff_feedback_def *def, ff_feedback **out,
                             ff_error *error)
{
  if (!model || !def || !out)
    return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, "ff_feedback_create",
                    "the model, the def or `out` is NULL");
  *out = NULL;
  const ff_model_size size = ff_model_get_size(model);
  ff_feedback plan = {
      .model = model, .nq = size.nq, .nv = size.nv, .states = def->states, .interval = def->interval};
  for (int i = 0; i < size.nv; ++i)
    plan.nu += is_driven(model, i);
  const ff_status status = check(&plan, def, error);
  if (status != FF_OK)
    return status;
  ffi_block measure = {0};
  ffi_block_take(&measure, 1, sizeof plan);
  layout(&plan, &measure);
  char *memory = malloc(measure.used + FFI_BLOCK_ALIGN);
  if (!memory)
    return ffi_fail(error, FF_ERROR_MEMORY, NULL, 0, "ff_feedback_create", "no memory for %zu bytes",
                    measure.used);
  ffi_block block = {.base = memory + (FFI_BLOCK_ALIGN - (uintptr_t)memory % FFI_BLOCK_ALIGN)};
  ff_feedback *f = ffi_block_take(&block, 1, sizeof *f);
  *f = plan;
  f->memory = memory;
  layout(f, &block);
  fill(f, def);
  *out = f;
  return FF_OK;
}

void ff_feedback_destroy(ff_feedback *feedback)
{
  if (feedback)
    free(feedback->memory); // it is in there itself
}

int ff_feedback_controls(const ff_feedback *feedback)
{
  return feedback->nu;
}

double ff_feedback_duration(const ff_feedback *feedback)
{
  return (feedback->states - 1) * feedback->interval;
}

// ---- At a time ----------------------------------------------------------------------------------------------------

// The interval that a time is in; *share: of it that is gone, 0..1. A time that is a state's but for rounding begins that state's interval.
static int find_interval(const ff_feedback *f, double time, double *share)
{
  const int last = f->states - 2;
  const double in_intervals = time / f->interval + 1e-9;
  const int k = in_intervals >= last ? last : in_intervals > 0 ? (int)in_intervals : 0;
  *share = fmin(1, fmax(0, time / f->interval - k));
  return k;
}

void ff_feedback_reference(ff_feedback *f, double time, double *q, double *v)
{
  double share;
  const size_t k = (size_t)find_interval(f, time, &share), nq = (size_t)f->nq, nv = (size_t)f->nv;
  const double *from = f->q + k * nq, *to = from + nq;
  ff_model_difference(f->model, from, to, f->way);
  for (size_t i = 0; i < nv; ++i) {
    f->way[i] *= share;
    v[i] = (1 - share) * f->v[k * nv + i] + share * f->v[(k + 1) * nv + i];
  }
  ff_model_integrate(f->model, from, f->way, q);
}

void ff_feedback_tau(ff_feedback *f, double time, const double *q, const double *v, double *tau)
{
  double share;
  const size_t k = (size_t)find_interval(f, time, &share), nv = (size_t)f->nv, nu = (size_t)f->nu;
  ff_feedback_reference(f, time, f->at_q, f->at_v);
  ff_model_difference(f->model, q, f->at_q, f->way);
  for (size_t i = 0; i < nv; ++i) {
    f->way[nv + i] = f->at_v[i] - v[i];
    tau[i] = 0;
  }
  for (size_t r = 0; r < nu; ++r) {
    const double *row = f->gain + (k * nu + r) * 2 * nv, most = f->limits[f->driven[r]];
    double sum = f->control[k * nu + r];
    for (size_t i = 0; i < 2 * nv; ++i)
      sum += row[i] * f->way[i];
    tau[f->driven[r]] = fmin(most, fmax(-most, sum));
  }
}
