/// many_bodies.h: bodies with many contact points, and loose bodies, for scenes that are made to be hard.
#ifndef FFI_TESTS_MANY_BODIES_H
#define FFI_TESTS_MANY_BODIES_H

#include <footfall/builder.h>
#include <footfall/sim.h>

typedef struct ffi_many_bodies_body {
  ff_shape_type shape;
  double size[3];
  double mass;
} ffi_many_bodies_body;

/// Loose bodies, solid, in order; all of one material.
ff_model *ffi_many_bodies_loose(const ffi_many_bodies_body *bodies, int count, const ff_material *material);

/// A loose plate of 5 kg, 0.5 m x 0.5 m, with side x side contact points on its lower face.
ff_model *ffi_many_bodies_plate(int side, const ff_material *material);

/// Links on hinges about y, one below the other, 0.2 m long; the last of mass `last`, the others of 1 kg. A point at
/// its end touches.
ff_model *ffi_many_bodies_chain(int links, double last, const ff_material *material);

/// `steps` steps that must succeed, with bounded work: at most max_pieces pieces. Returns the most pieces that one
/// took.
int ffi_many_bodies_run(ff_sim *sim, int steps, const double *tau);

/// Largest |v|.
double ffi_many_bodies_speed(const ff_sim *sim);

#endif
