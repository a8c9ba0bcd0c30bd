/// scenes.h: robots with shapes, ground under them, and where it all is, without asking the code under test.
#ifndef FFI_TESTS_CONTACT_SCENES_H
#define FFI_TESTS_CONTACT_SCENES_H

#include "contact/detect/colliders.h"
#include "support/random_state.h"

#include <footfall/builder.h>

enum { SCENE_GROUNDS = 3, SCENE_BODIES = 64, SCENE_SHAPES = 128 };

/// A link of 1 kg. parent: FF_WORLD or the id of another; type: of the joint that carries it, about or along z.
int scene_link(ff_builder *b, const char *name, int parent, ff_joint_type type);

/// A shape of a link at a place in it.
void scene_shape(ff_builder *b, int link, ff_shape_type type, double s0, double s1, double s2, double x,
                 double y, double z);

ff_builder *scene_builder(void);
ff_model *scene_finish(ff_builder *b); ///< and destroy the builder

/// A piece of ground; sizes and place as above.
ff_ground_def scene_ground(ff_shape_type type, double s0, double s1, double s2, double x, double y, double z);

/// Create, or fail the test with the message.
ffi_colliders scene_create(const ff_model *model, const ff_sim_def *def);

/// What detection works in, and where the ground is: as the scene begins with at first.
typedef struct scene_room {
  ffi_detect_memory *detection;
  ffi_pose *ground; ///< [ground_count]
  void *memory;
} scene_room;

scene_room scene_room_create(const ffi_colliders *scene);
void scene_room_free(scene_room *room);

/// Detection with bodies here and ground where the room has it.
int scene_detect(const ffi_colliders *scene, const scene_room *room, const ffi_pose *body, double margin,
                 ffi_detect_candidate *out);

/// Materials of all pairs, as parties were defined, to out [pair_count].
ff_status scene_materials(const ffi_colliders *scene, ff_material *out, ff_error *error);

/// The message of a creation that must fail with this status.
const char *scene_refused(const ff_model *model, const ff_sim_def *def, ff_status status);

/// A def with everything that a scene reads.
ff_sim_def scene_def(const ff_ground_def *ground, int ground_count, int self_collision);

/// A random model: one to a dozen links of every joint type, on each other, on the world or fixed to it; each with up to three shapes
/// of all types and purposes, some in the world too. And random ground.
typedef struct scene_case {
  ff_model *model;
  ff_ground_def grounds[SCENE_GROUNDS];
  ff_sim_def def;
} scene_case;

void scene_random(uint64_t seed, scene_case *out);

/// Where links, shapes and bodies are for some q, by the frames' poses of the dynamics alone.
typedef struct scene_places {
  ffi_pose body[SCENE_BODIES];
  ffi_pose shape[SCENE_SHAPES];
} scene_places;

void scene_place(const ff_model *model, const double *q, scene_places *out);

#endif
