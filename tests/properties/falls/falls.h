/// falls.h: robots thrown at a floor or at stairs in random ways, and what is watched while they fall.
#ifndef FFI_TESTS_FALLS_H
#define FFI_TESTS_FALLS_H

#include <footfall/sim.h>

#include "support/random_state.h"

/// A robot over a ground.
typedef struct ffi_falls_scene {
  const ff_model *model;
  ff_sim *sim;
  ff_dynamics *dynamics;
  double stiffness;
  int is_stairs;
  double *q, *v; ///< of the start
  ff_error error;
} ffi_falls_scene;

/// What one fall, or many, came to.
typedef struct ffi_falls_result {
  long long steps, pieces, capped_events, capped_substeps;
  int falls;
  double start; ///< total energy at the start of the fall, zero on the floor [J]
  int most_pieces, most_factorisations, most_contacts;
  double worst_penetration; ///< [m]
  double worst_share;       ///< of a depth in what the energy of the start can press into one spring
  double worst_gain;        ///< of the total energy over that of the start, relative to it
  double worst_motion;      ///< the same without what is in springs
  double lowest;            ///< of a link's centre of mass [m]
  double seconds;           ///< of the processor, in steps
} ffi_falls_result;

/// How a fall is simulated, and on what.
typedef struct ffi_falls_def {
  ff_stepper stepper;
  ff_contact_law law;
  double stiffness; ///< K [N/m]
  double dt;        ///< [s]
  int is_stairs;    ///< 0: a floor
} ffi_falls_def;

/// The pair's material is K, B = 0.95 sqrt(K) (300 at 1e5), mu = 1. Stairs: eight of 0.17 m by 0.28 m, going up along
/// x.
void ffi_falls_open(ffi_falls_scene *scene, const ff_model *model, const ffi_falls_def *falls);
void ffi_falls_close(ffi_falls_scene *scene);

/// A random start: standing and pushed, on its back, or any way up with any joint angles; above the ground without
/// touching it.
void ffi_falls_start(ffi_falls_scene *scene, ffi_random *random);

/// `steps` steps from the start. Returns NULL, or the message of the step that failed.
const char *ffi_falls_run(ffi_falls_scene *scene, int steps, ffi_falls_result *result);

void ffi_falls_add(ffi_falls_result *all, const ffi_falls_result *one);

#endif
