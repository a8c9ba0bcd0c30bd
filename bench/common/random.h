/// random.h: random numbers that are the same on every machine.
#ifndef BENCH_RANDOM_H
#define BENCH_RANDOM_H

#include <stdint.h>

double bench_random(uint64_t *seed);                     ///< -1..1; any seed is a good one
void bench_random_quaternion(uint64_t *seed, double *x); ///< [4] of unit length, all attitudes alike

#endif
