/// collider_cases.h: robots with shapes, ground under them, and where it all is, without asking the code under test.
#ifndef FFI_TESTS_CONTACT_SCENES_H
#define FFI_TESTS_CONTACT_SCENES_H

#include "contact/detect/detect.h"
#include "support/random_state.h"

#include <footfall/builder.h>

enum { COLLIDER_CASE_GROUNDS = 3, COLLIDER_CASE_BODIES = 64, COLLIDER_CASE_SHAPES = 128 };

/// A link of 1 kg. parent: FF_WORLD or the id of another; type: of the joint that carries it, about or along z.
int collider_case_link(ff_builder *b, const char *name, int parent, ff_joint_type type);

/// A shape to be made, its axes those of what carries it.
typedef struct collider_case_solid {
  ff_shape_type type;
  double size[3]; ///< as in ff_shape_def
  double at[3];   ///< its place in the link or the world [m]
} collider_case_solid;

/// Adds a shape to a link.
void collider_case_shape(ff_builder *b, int link, const collider_case_solid *solid);

ff_builder *collider_case_builder(void);
ff_model *collider_case_finish(ff_builder *b); ///< and destroy the builder

/// A piece of ground.
ff_ground_def collider_case_ground(const collider_case_solid *solid);

/// Create, or fail the test with the message.
ffi_colliders collider_case_create(const ff_model *model, const ff_sim_def *def);

/// What detection works in, and where the ground is: as the colliders begins with at first.
typedef struct collider_room {
  ffi_detect_memory *detection;
  ffi_pose *ground; ///< [ground_count]
  void *memory;
} collider_room;

collider_room collider_case_room_create(const ffi_colliders *colliders);
void collider_case_room_free(collider_room *room);

/// Detection with bodies here and ground where the room has it.
int collider_case_detect(const ffi_colliders *colliders, const collider_room *room, const ffi_pose *body,
                         double margin, ffi_detect_candidate *out);

/// Materials of all pairs, as items were defined, to out [pair_count].
ff_status collider_case_materials(const ffi_colliders *colliders, ff_material *out, ff_error *error);

/// The message of a creation that must fail with this status.
const char *collider_case_refused(const ff_model *model, const ff_sim_def *def, ff_status status);

/// A def with everything that a colliders reads.
ff_sim_def collider_case_def(const ff_ground_def *ground, int ground_count, int self_collision);

/// A random model: one to a dozen links of every joint type, on each other, on the world or fixed to it; each with up
/// to three shapes of all types and purposes, some in the world too. And random ground.
typedef struct collider_case {
  ff_model *model;
  ff_ground_def grounds[COLLIDER_CASE_GROUNDS];
  ff_sim_def def;
} collider_case;

void collider_case_random(uint64_t seed, collider_case *out);

/// Where links, shapes and bodies are for some q, by the frames' poses of the dynamics alone.
typedef struct collider_case_places {
  ffi_pose body[COLLIDER_CASE_BODIES];
  ffi_pose shape[COLLIDER_CASE_SHAPES];
} collider_case_places;

void collider_case_place(const ff_model *model, const double *q, collider_case_places *out);

#endif
