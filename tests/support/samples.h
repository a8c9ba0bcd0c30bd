/// samples.h: how many random cases a test takes, and which ones. Two environment variables change both, for all tests:
///
///     FOOTFALL_SAMPLES  a factor on the usual number: 0.2 takes a fifth, as under sanitizers; 5 five times as many, as
///     ./dev check does
///     FOOTFALL_SEED     0 (default) for the usual cases; any other number makes all of them new, as ./dev soak does
///
/// A case depends on FOOTFALL_SEED and on its own number, not on how many there are: what failed once fails again with
/// the same seed.
#ifndef FFI_TESTS_SAMPLES_H
#define FFI_TESTS_SAMPLES_H

#include <stdint.h>

/// `usual` times FOOTFALL_SAMPLES, rounded up; at least 1.
int ffi_samples(int usual);

/// FOOTFALL_SEED. ffi_random_seed() takes it in; tests with a generator of their own add it.
uint64_t ffi_samples_seed(void);

/// Are these the usual cases, all of them? Then what was seen of how often something happens may be asserted. Other
/// cases, or fewer, are held to what must be true of each.
int ffi_samples_are_usual(void);

/// Say that so many cases were tried, "throws" or "falls": ./dev soak adds them up.
void ffi_samples_tried(long long count, const char *what);

#endif
