// splitmix64 and uniform quaternions from it.
#include "common/random.h"

#include <math.h>

// splitmix64: 64 bits of state, any seed is valid.
double bench_random(uint64_t *seed)
{
  uint64_t z = *seed += 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  z ^= z >> 31;
  return (double)(z >> 11) * 0x1p-52 - 1.0;
}

void bench_random_quaternion(uint64_t *seed, double *x)
{
  double square;
  do {
    square = 0;
    for (int k = 0; k < 4; ++k) {
      x[k] = bench_random(seed);
      square += x[k] * x[k];
    }
  } while (square > 1.0 || square < 0.01);
  for (int k = 0; k < 4; ++k)
    x[k] /= sqrt(square);
}
