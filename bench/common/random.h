/// random.h: random numbers that are the same on every machine.
#ifndef BENCH_RANDOM_H
#define BENCH_RANDOM_H

#include <stdint.h>

double bench_random(uint64_t *seed);                     ///< uniform in -1..1; any seed is valid
void bench_random_quaternion(uint64_t *seed, double *x); ///< [4] of unit length, uniform over attitudes

#endif
