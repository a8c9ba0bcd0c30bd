/// throws.h: thin and fast things thrown at a thin wall, and whether advancement sees when they meet.
#ifndef FFI_TESTS_CONTACT_THROWS_H
#define FFI_TESTS_CONTACT_THROWS_H

#include <stdint.h>

typedef struct throws_result {
  int hits, misses; ///< by the oracle
  long evaluations;
  double
      left; ///< greatest distance one shortest time after what was called free, of things that do not spin: in ways that they move in that time
} throws_result;

/// Balls, capsules, boxes, cylinders, disks and hulls down to a millimetre, at 1 to 300 m/s, half of them spinning, at a wall of 1 mm; the wall is ground, or a body that moves
/// itself. Things that do not spin against a wall that does not: distances are convex in time, so a search finds the least one and the first contact exactly. Others are
/// looked at every 2 mm of their way near the wall. Fails the test if a contact is missed or a miss is called a contact.
throws_result throws_run(uint64_t seed, int count);

#endif
