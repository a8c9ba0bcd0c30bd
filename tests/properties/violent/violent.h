/// violent.h: starts that no careful user chooses: bodies inside each other and inside the ground, jammed between
/// walls, links folded through themselves beyond their stops, speeds up to 100 m/s. For what must hold whatever
/// happens: a step ends soon, fails in clear words, and depends on its state alone.
#ifndef FFI_TESTS_VIOLENT_H
#define FFI_TESTS_VIOLENT_H

#include <footfall/sim.h>

#include <stdint.h>

enum { FFI_VIOLENT_MOST = 12, FFI_VIOLENT_GROUNDS = 3 };

typedef enum ffi_violent_kind {
  FFI_VIOLENT_HEAP,  ///< loose bodies of all shapes in one place, and half in the ground
  FFI_VIOLENT_CHAIN, ///< boxes on hinges with stops, folded through each other and the ground
  FFI_VIOLENT_THROW, ///< loose bodies apart, at up to 100 m/s and 500 rad/s
  FFI_VIOLENT_JAM,   ///< loose bodies between two walls that are closer than they are wide
  FFI_VIOLENT_KINDS,
} ffi_violent_kind;

typedef struct ffi_violent {
  ffi_violent_kind kind;
  ff_model *model;
  int ground_count;
  ff_ground_def ground[FFI_VIOLENT_GROUNDS];
  double q[7 * FFI_VIOLENT_MOST], v[6 * FFI_VIOLENT_MOST];
} ffi_violent;

/// The start with this seed; its kind is seed % FFI_VIOLENT_KINDS. Free the result.
void ffi_violent_make(uint64_t seed, ffi_violent *out);
void ffi_violent_free(ffi_violent *start);

/// Its def: shapes of a robot touch each other. It refers to the start's ground.
ff_sim_def ffi_violent_def(const ffi_violent *start, ff_stepper stepper, double dt);
/// A sim at its start. `def` is from ffi_violent_def().
ff_sim *ffi_violent_sim(const ffi_violent *start, const ff_sim_def *def);
/// The same bodies at rest, far from each other and from walls, just above the ground.
void ffi_violent_calm(const ffi_violent *start, ff_sim *sim);

/// "heap", "chain", ...
const char *ffi_violent_name(ffi_violent_kind kind);

#endif
