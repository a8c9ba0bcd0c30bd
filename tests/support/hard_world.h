/// hard_world.h: many bodies that touch: pits of balls and stacks of boxes, as problems of hard contact.
#ifndef FFI_TESTS_HARD_WORLD_H
#define FFI_TESTS_HARD_WORLD_H

#include "support/hard_case.h"
#include "support/random_state.h"

typedef struct ffi_hard_touch {
  int over, under; ///< under -1: ground or wall
  double arm[3], other[3], n[3];
} ffi_hard_touch;

enum { FFI_HARD_WORLD_MOST = 700 };
typedef struct ffi_hard_world {
  int bodies, count;
  double mass, inertia;
  ffi_hard_touch touch[FFI_HARD_WORLD_MOST];
} ffi_hard_world;

/// Balls of 0.1 kg in layers of `side` x `side`, normals a little off the lattice's; floor and four walls.
void ffi_hard_world_pit(ffi_hard_world *w, int side, int layers, ffi_random *random);

/// Boxes of 1 kg on each other, four contacts a face; bodies first .. first + boxes - 1.
void ffi_hard_world_pile(ffi_hard_world *w, int first, int boxes);

/// The problem of the world, in random motion and falling. u = 0 satisfies every inequality, so there is a solution.
ffi_hard_case *ffi_hard_world_case(const ffi_hard_world *w, double mu, ffi_random *random);

#endif
