/// throws.h: thin and fast solids thrown at a thin wall: does advancement find every contact?
#ifndef FFI_TESTS_CONTACT_THROWS_H
#define FFI_TESTS_CONTACT_THROWS_H

#include <stdint.h>

typedef struct throws_result {
  int hits, misses; ///< by the oracle
  long evaluations;
  /// Largest distance `shortest` after the free time, over the distance moved in that time; solids that do not spin.
  double left;
} throws_result;

/// Balls, capsules, boxes, cylinders, disks and hulls down to a millimetre, at 1 to 300 m/s, half of them spinning, at
/// a wall of 1 mm; the wall is ground, or a body that moves itself. Between solids that do not spin distances are
/// convex in time, so a search finds the least one and the first contact exactly. Others are sampled every 2 mm of
/// their path near the wall. Fails the test if a contact is missed, or reported where there is none.
throws_result throws_run(uint64_t seed, int count);

#endif
