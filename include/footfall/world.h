/// world.h: the constant data that many robots share.
///
/// A world holds a model, its ground, its elements and all options of a sim, checked and prepared once. It never
/// changes, so any number of threads can use one world at the same time. The data of one robot is separate:
///
///     world       model, colliders, elements, options                 shared, const
///     parameters  masses, materials, gains, gravity, ground poses     one per robot, see parameters.h
///     state       everything that the next step depends on            one per robot, one flat block
///     workspace   scratch memory of a step, empty between calls       one per thread
///
/// An ff_sim (sim.h) holds one of each; ff_sim_create() creates its world too. To simulate many robots of a kind,
/// create the world first:
///
///     ff_world *world;
///     ff_world_create(model, &def, &world, &error);
///     for (int i = 0; i < n; ++i)
///       ff_sim_create_in(world, &sim[i], &error);
///     ff_world_destroy(world);               // releases the caller's reference; each sim has its own
#ifndef FOOTFALL_WORLD_H
#define FOOTFALL_WORLD_H

#include <footfall/sim.h>

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Create a world. `def` may be NULL for the default; the world copies all of it. The model must outlive the world.
ff_status ff_world_create(const ff_model *model, const ff_sim_def *def, ff_world **out, ff_error *error);

/// Release the caller's reference. The world is freed when no sim and no parameters refer to it. NULL is fine.
void ff_world_destroy(ff_world *world);

const ff_model *ff_world_model(const ff_world *world); ///< the model given at creation; not owned
/// All options, with every field as the world uses it. Belongs to the world. Its pointers to ground and elements are
/// NULL, but their counts are set.
const ff_sim_def *ff_world_def(const ff_world *world);

/// Size of each part in bytes.
typedef struct ff_world_memory {
  size_t world;      ///< once for all robots
  size_t parameters; ///< per robot
  size_t state;      ///< per robot
  size_t evaluation; ///< per sim: evaluation of its present state: poses, contacts, Jacobian rows
  size_t workspace;  ///< per thread
} ff_world_memory;
ff_world_memory ff_world_get_memory(const ff_world *world); ///< memory sizes of this world

/// Create a sim in a world, in the neutral configuration, at rest, at time 0. Fails with FF_ERROR_MEMORY.
ff_status ff_sim_create_in(ff_world *world, ff_sim **out, ff_error *error);

/// The world of a sim: the one given at creation, or the sim's own.
ff_world *ff_sim_world(const ff_sim *sim);

/// Create another sim of the same world with the same parameters, state, counts and last control. Both continue bit
/// for bit alike and are independent of each other.
ff_status ff_sim_clone(const ff_sim *sim, ff_sim **out, ff_error *error);

#ifdef __cplusplus
}
#endif
#endif
