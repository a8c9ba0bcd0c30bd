// Linear feedback along a trajectory, tau = u_k + K_k (x_ref(t) (-) x): docs/theory/control.md, feedback along a
// trajectory.
#include "base/block.h"
#include "base/fail.h"
#include "math/quaternion.h"
#include "math/vec3.h"

#include <footfall/control/feedback.h>

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_STATES = 10000000 };

struct ff_feedback {
  void *memory;
  const ff_model *model;
  int nq, nv, nu, states;
  double interval;
  int repeats, repeat_from;
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
    if (bad >= 0 && arrays[i].per > 0)
      return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, "trajectory",
                      "%s of state %lld is not finite at %lld", arrays[i].name, bad / arrays[i].per,
                      bad % arrays[i].per);
  }
  if (def->repeats && (def->repeat_from < 0 || def->repeat_from > def->states - 2))
    return ffi_fail(error, FF_ERROR_ARGUMENT, NULL, 0, "trajectory", "repeat_from must be 0..%d",
                    def->states - 2);
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
  plan.repeats = def->repeats != 0;
  plan.repeat_from = def->repeat_from;
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

ff_feedback_def ff_feedback_get_def(const ff_feedback *f)
{
  return (ff_feedback_def){.states = f->states,
                           .interval = f->interval,
                           .q = f->q,
                           .v = f->v,
                           .control = f->control,
                           .gain = f->gain,
                           .torque_limits = f->limits,
                           .repeats = f->repeats,
                           .repeat_from = f->repeat_from};
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

// The place of a time in the trajectory.
typedef struct place {
  int k;        ///< the interval
  double share; ///< of it that is gone, 0..1
  double round; ///< how often it was gone through before
} place;

// A time that is a state's up to rounding starts that state's interval.
static place find_place(const ff_feedback *f, double time)
{
  const int last = f->states - 2, length = f->states - 1 - f->repeat_from;
  place at = {0};
  double gone = time / f->interval;
  if (f->repeats && gone + 1e-9 >= f->states - 1) {
    at.round = floor((gone + 1e-9 - f->repeat_from) / length);
    gone -= at.round * length;
  }
  at.k = gone + 1e-9 >= last ? last : gone + 1e-9 > 0 ? (int)(gone + 1e-9) : 0;
  at.share = fmin(1, fmax(0, gone - at.k));
  return at;
}

// The motion of a free joint over a round: from pose a to pose b, a rotation by `angle` about the world's z, then a
// shift along the ground.
typedef struct round_trip {
  double angle, shift[2];
} round_trip;

static round_trip trip_of(const double a[7], const double b[7])
{
  double back[4], turn[4];
  ffi_quat_conjugate(a + 3, back);
  ffi_quat_mul(b + 3, back, turn);
  if (turn[3] < 0)
    turn[2] = -turn[2], turn[3] = -turn[3];
  round_trip trip = {.angle = 2 * atan2(turn[2], turn[3])}; // its part about z
  const double c = cos(trip.angle), s = sin(trip.angle);
  trip.shift[0] = b[0] - (c * a[0] - s * a[1]);
  trip.shift[1] = b[1] - (s * a[0] + c * a[1]);
  return trip;
}

// q of a free joint after `rounds` more of them. Shifts add up along an arc: sum of R(k angle) over k < n is
// R((n - 1) angle / 2) sin(n angle / 2) / sin(angle / 2).
static void go_round(const round_trip *trip, double rounds, double q[7])
{
  const double half = trip->angle / 2, sum = half == 0 ? rounds : sin(rounds * half) / sin(half);
  const double cs = sum * cos((rounds - 1) * half), ss = sum * sin((rounds - 1) * half);
  const double c = cos(rounds * trip->angle), s = sin(rounds * trip->angle);
  const double ch = cos(rounds * half), sh = sin(rounds * half);
  const double from[7] = {q[0], q[1], q[2], q[3], q[4], q[5], q[6]}, *d = trip->shift;
  q[0] = c * from[0] - s * from[1] + cs * d[0] - ss * d[1];
  q[1] = s * from[0] + c * from[1] + ss * d[0] + cs * d[1];
  q[3] = ch * from[3] - sh * from[4];
  q[4] = ch * from[4] + sh * from[3];
  q[5] = ch * from[5] + sh * from[6];
  q[6] = ch * from[6] - sh * from[5];
}

static void move_on(const ff_feedback *f, double rounds, double *q)
{
  const double *first = f->q + (size_t)f->repeat_from * (size_t)f->nq;
  const double *last = f->q + (size_t)(f->states - 1) * (size_t)f->nq;
  ff_joint_info joint;
  for (int j = 0; ff_model_joint(f->model, j, &joint) == FF_OK; ++j)
    if (joint.type == FF_JOINT_FREE) {
      const round_trip trip = trip_of(first + joint.q, last + joint.q);
      go_round(&trip, rounds, q + joint.q);
    }
}

void ff_feedback_reference(ff_feedback *f, double time, double *q, double *v)
{
  const place at = find_place(f, time);
  const size_t k = (size_t)at.k, nq = (size_t)f->nq, nv = (size_t)f->nv;
  const double share = at.share;
  const double *from = f->q + k * nq, *to = from + nq;
  ff_model_difference(f->model, from, to, f->way);
  for (size_t i = 0; i < nv; ++i) {
    f->way[i] *= share;
    v[i] = (1 - share) * f->v[k * nv + i] + share * f->v[(k + 1) * nv + i];
  }
  ff_model_integrate(f->model, from, f->way, q);
  if (at.round > 0)
    move_on(f, at.round, q);
}

void ff_feedback_tau(ff_feedback *f, double time, const double *q, const double *v, double *tau)
{
  const size_t k = (size_t)find_place(f, time).k, nv = (size_t)f->nv, nu = (size_t)f->nu;
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
