/// samples.h: how many random cases a test takes. All of them, unless the environment's FOOTFALL_SAMPLES asks for a part: 5 for a fifth.
/// Under sanitizers ./dev check asks so: what they look for is in the code that runs, and a part of the cases runs all of it.
#ifndef FFI_TESTS_SAMPLES_H
#define FFI_TESTS_SAMPLES_H

/// `all`, or the part of it that was asked for; at least 1 of 1 or more.
int ffi_samples(int all);

#endif
