/// philox.h: random numbers by counter: each is a function of a key and a counter alone, so that any of them can be
/// drawn at any time, by any thread, in any order. Philox4x32-10 (Salmon, Moraes, Dror, Shaw 2011), the same numbers on
/// every machine and in every version.
#ifndef FFI_BASE_PHILOX_H
#define FFI_BASE_PHILOX_H

#include <stdint.h>

/// Four words for a counter of four words and a key of two.
void ffi_philox(const uint32_t counter[4], const uint32_t key[2], uint32_t out[4]);

/// Uniform in [0, 1), a multiple of 2^-53: of a stream's draw `index`, for one of many series, by a seed.
double ffi_philox_uniform(uint64_t seed, uint64_t series, uint32_t stream, uint32_t index);

/// A stream's number by its name: FNV-1a of 32 bits.
uint32_t ffi_philox_stream(const char *name);

#endif
