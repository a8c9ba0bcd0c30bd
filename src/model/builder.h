/// builder.h: what a builder keeps until it is compiled.
///
/// Plain growing arrays in the order of the calls; strings, vertices and posture entries live in the arena.
/// Everything in here has passed the checks of check.h: numbers are finite, quaternions of unit length,
/// names unique, parents earlier than their children.
#ifndef FFI_MODEL_BUILDER_H
#define FFI_MODEL_BUILDER_H

#include <footfall/builder.h>

#include "base/arena.h"
#include "base/names.h"

/// Where something was described.
typedef struct ffi_source {
  const char *file; ///< NULL: nowhere
  int line;
} ffi_source;

typedef struct ffi_build_link {
  ff_link_def def; ///< names in the arena, joint name never NULL
  ffi_source source;
  int depth;       ///< number of links above it
  int is_anchored; ///< fixed to the world, by fixed joints all the way
  int carrier;     ///< its parent, or the link that it was cut from (cut.h)
  int rigid;       ///< the first link of those it is fixed to, itself if to none; FF_WORLD if it is anchored
} ffi_build_link;

typedef struct ffi_build_frame {
  const char *name;
  int link;
  ff_pose pose;
} ffi_build_frame;

typedef struct ffi_build_shape {
  int link;
  ff_shape_def def;
} ffi_build_shape;

typedef struct ffi_build_tendon {
  const char *name;
  int count;
  const int *links;           ///< [count] in the arena: their joints
  const double *coefficients; ///< [count] in the arena
} ffi_build_tendon;

/// Where an element acts, by the builder's ids; joint and frames of `def` are those of the model, so not yet known.
typedef struct ffi_build_element {
  ff_element_def def;
  int link;    ///< joint elements: the link whose joint it is; FF_WORLD with a tendon
  int leader;  ///< couplings: the link whose joint is followed, or FF_WORLD
  int ends[2]; ///< point, weld: FF_WORLD, a link, or FFI_FIRST_FRAME + a frame
} ffi_build_element;

/// Two links whose shapes do not collide, in order; FF_WORLD: the world.
typedef struct ffi_build_exclusion {
  int a, b;
} ffi_build_exclusion;

/// Links and frames share one table of names; numbers from here on are those of frames.
enum { FFI_FIRST_FRAME = FF_MAX_LINKS };

/// One joint's coordinates in a posture. Later entries override earlier ones.
typedef struct ffi_build_posture_entry {
  int posture;
  int link;
  int count;
  double q[7];
} ffi_build_posture_entry;

struct ff_builder {
  ffi_arena arena;
  const char *name;
  double gravity[3];
  ffi_source source; ///< of what is added next
  int nq;            ///< coordinates of all joints so far

  ffi_build_link *links;
  ffi_build_frame *frames;
  ffi_build_shape *shapes;
  ff_actuator_def *actuators;
  ffi_build_element *elements;
  ffi_build_tendon *tendons;
  ffi_build_exclusion *exclusions;
  ff_shape_pair *pairs; ///< later ones replace earlier ones of the same shapes
  ff_parent_rule parent_rule;
  const char **postures;
  ffi_build_posture_entry *entries;
  const char **warnings;
  int link_count, frame_count, shape_count, actuator_count, element_count, tendon_count, posture_count,
      entry_count, warning_count, exclusion_count, pair_count;
  int link_capacity, frame_capacity, shape_capacity, actuator_capacity, element_capacity, tendon_capacity,
      posture_capacity, entry_capacity, warning_capacity, exclusion_capacity, pair_capacity;

  ffi_names frame_names; ///< links and frames, see FFI_FIRST_FRAME
  ffi_names joint_names; ///< to links
  ffi_names posture_names;
  ffi_names element_names;
  ffi_names tendon_names;
};

/// Would so many postures, each of all coordinates so far, be within the limit?
ff_status ffi_builder_check_postures(const ff_builder *b, int count, ff_error *error);

#endif
