/// world.h: what many robots share.
///
/// A world is a model, its ground, its elements and all options of a sim, checked and made ready once. It never
/// changes, so any number of threads use one
/// world at the same time. What belongs to one robot is apart from it:
///
///     world       model, what can touch, elements, options           shared, const
///     parameters  masses, materials, gains, gravity, ground poses     one per robot, see parameters.h
///     state       all that the next step depends on                   one per robot, one flat block
///     workspace   scratch of a step, nothing in it outlives a call    one per thread
///
/// An ff_sim (sim.h) holds one of each, and ff_sim_create() makes its world too. Whoever has many robots of a kind
/// makes the world first:
///
///     ff_world *world;
///     ff_world_create(model, &def, &world, &error);
///     for (int i = 0; i < n; ++i)
///       ff_sim_create_in(world, &sim[i], &error);
///     ff_world_destroy(world);               // gives up this hold on it; the sims have their own
#ifndef FOOTFALL_WORLD_H
#define FOOTFALL_WORLD_H

#include <footfall/sim.h>

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/// `def` may be NULL for the default; all of it is copied. The model must outlive the world.
ff_status ff_world_create(const ff_model *model, const ff_sim_def *def, ff_world **out, ff_error *error);

/// Gives up the caller's hold on it: it is freed when no sim and no parameters are left in it. NULL is fine.
void ff_world_destroy(ff_world *world);

const ff_model *ff_world_model(const ff_world *world); ///< that it was created with, and does not own
/// Complete: every field as it is used. Belongs to the world; its ground and elements are NULL, though their counts are
/// there.
const ff_sim_def *ff_world_def(const ff_world *world);

/// Bytes of each part.
typedef struct ff_world_memory {
  size_t world;      ///< once, for all robots
  size_t parameters; ///< a robot's
  size_t state;      ///< a robot's
  size_t evaluation; ///< a sim's: what its present state looks like, contacts and rows
  size_t workspace;  ///< a thread's
} ff_world_memory;
ff_world_memory ff_world_get_memory(const ff_world *world); ///< of this world

/// A sim in a world, at the neutral configuration, at rest, at time 0. FF_ERROR_MEMORY.
ff_status ff_sim_create_in(ff_world *world, ff_sim **out, ff_error *error);

/// Of a sim: that it was created in, or its own.
ff_world *ff_sim_world(const ff_sim *sim);

/// Another sim of the same world with the same parameters, state, counts and last control: both go on alike, bit for
/// bit, and know nothing of each other.
ff_status ff_sim_clone(const ff_sim *sim, ff_sim **out, ff_error *error);

#ifdef __cplusplus
}
#endif
#endif
