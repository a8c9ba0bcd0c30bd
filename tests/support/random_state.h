/// random_state.h: random numbers and random states of a model, the same on every machine.
///
/// Everything is drawn from a generator that the test seeds, so a failure names the seed and comes back. FOOTFALL_SEED
/// in the environment
/// makes other numbers of all seeds: see samples.h.
#ifndef FFI_TESTS_RANDOM_STATE_H
#define FFI_TESTS_RANDOM_STATE_H

#include <footfall/model.h>

#include <stdint.h>

/// A generator (splitmix64): any seed is good, neighbouring seeds are unrelated.
typedef struct ffi_random {
  uint64_t state;
} ffi_random;

ffi_random ffi_random_seed(uint64_t seed);
uint64_t ffi_random_bits(ffi_random *random);
double ffi_random_between(ffi_random *random, double low, double high);
int ffi_random_below(ffi_random *random, int count); ///< 0 .. count - 1
int ffi_random_chance(ffi_random *random, double probability);
void ffi_random_direction(ffi_random *random, double axis[3]);        ///< unit, all directions alike
void ffi_random_quaternion(ffi_random *random, double quaternion[4]); ///< x y z w, unit, all rotations alike

/// count numbers within +-size.
void ffi_random_vector(ffi_random *random, int count, double size, double *out);

/// q [nq]: angles within +-5 rad, displacements within +-1 m, any rotation.
void ffi_random_q(ffi_random *random, const ff_model *model, double *q);

/// One robot's array [count] into lane `lane` of an array [count x lanes], and back.
void ffi_random_to_lane(int count, const double *one, int lanes, int lane, double *all);
void ffi_random_from_lane(int count, const double *all, int lanes, int lane, double *one);

#endif
