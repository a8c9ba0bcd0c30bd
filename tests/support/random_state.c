// The random generator of the tests, and random states.
#include "support/random_state.h"
#include "support/samples.h"

#include <math.h>

static uint64_t mix(uint64_t x)
{
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

ffi_random ffi_random_seed(uint64_t seed)
{
  const uint64_t all = 0xd1342543de82ef95u * ffi_samples_seed(); // 0 for the usual cases
  return (ffi_random){
      mix(seed + 0x632be59bd9b4e019u + all)}; // mixed, or neighbours would walk the same sequence
}

uint64_t ffi_random_bits(ffi_random *random)
{
  return mix(random->state += 0x9e3779b97f4a7c15u);
}

double ffi_random_between(ffi_random *random, double low, double high)
{
  const double unit = (double)(ffi_random_bits(random) >> 11) * 0x1p-53;
  return low + unit * (high - low);
}

int ffi_random_below(ffi_random *random, int count)
{
  return (int)(ffi_random_bits(random) % (uint64_t)count);
}

int ffi_random_chance(ffi_random *random, double probability)
{
  return ffi_random_between(random, 0, 1) < probability;
}

// A point of the ball in n dimensions, neither near its centre nor outside, brought to unit length.
static void unit_vector(ffi_random *random, int n, double *out)
{
  double length2;
  do {
    length2 = 0;
    for (int k = 0; k < n; ++k) {
      out[k] = ffi_random_between(random, -1, 1);
      length2 += out[k] * out[k];
    }
  } while (length2 < 0.01 || length2 > 1);
  for (int k = 0; k < n; ++k)
    out[k] /= sqrt(length2);
}

void ffi_random_direction(ffi_random *random, double axis[3])
{
  unit_vector(random, 3, axis);
}

void ffi_random_quaternion(ffi_random *random, double quaternion[4])
{
  unit_vector(random, 4, quaternion);
}

void ffi_random_vector(ffi_random *random, int count, double size, double *out)
{
  for (int k = 0; k < count; ++k)
    out[k] = ffi_random_between(random, -size, size);
}

void ffi_random_q(ffi_random *random, const ff_model *model, double *q)
{
  const int joints = ff_model_get_size(model).joints;
  for (int j = 0; j < joints; ++j) {
    ff_joint_info info;
    ff_model_joint(model, j, &info);
    double *own = q + info.q;
    switch (info.type) {
    case FF_JOINT_FREE:
      ffi_random_vector(random, 3, 1, own);
      ffi_random_quaternion(random, own + 3);
      break;
    case FF_JOINT_PLANAR:
      ffi_random_vector(random, 2, 1, own);
      ffi_random_vector(random, 1, 5, own + 2);
      break;
    case FF_JOINT_SPHERICAL: ffi_random_quaternion(random, own); break;
    case FF_JOINT_PRISMATIC: ffi_random_vector(random, 1, 1, own); break;
    default: ffi_random_vector(random, info.nq, 5, own); break;
    }
  }
}

void ffi_random_to_lane(int count, const double *one, int lanes, int lane, double *all)
{
  for (int k = 0; k < count; ++k)
    all[k * lanes + lane] = one[k];
}

void ffi_random_from_lane(int count, const double *all, int lanes, int lane, double *one)
{
  for (int k = 0; k < count; ++k)
    one[k] = all[k * lanes + lane];
}
