/// random_model.h: random forests, made through the builder, with every kind of joint.
///
/// Several roots, fixed and floating; every joint type; axes along +-x, +-y, +-z and in any direction;
/// placements that are the identity, pure shifts, quarter turns and anything else, so that every kind of
/// joint that the kernels know appears; armature and damping on some joints; fixed links with and without
/// mass; more frames. Names are shuffled, so that the model's order is not the order of the calls. The
/// description is kept beside the model.
#ifndef FFI_TESTS_RANDOM_MODEL_H
#define FFI_TESTS_RANDOM_MODEL_H

#include "support/random_state.h"

#include <footfall/builder.h>

enum { FFI_FOREST_LINKS = 40, FFI_FOREST_FRAMES = 6, FFI_FOREST_NAME = 24 };

typedef struct ffi_forest_def {
  uint64_t seed;
  int links;        ///< 1 .. FFI_FOREST_LINKS
  int has_massless; ///< also moving links without mass, with something heavy behind them
  int is_aligned;   ///< axes along x, y, z and quarter turns only, as engineers draw robots
  int is_unloaded;  ///< no armature, no damping
  int has_one_root; ///< a single tree that floats freely
  int has_no_gravity;
} ffi_forest_def;

/// link_defs[i].parent is an index of this array; names point into this struct, so it must stay where it is.
typedef struct ffi_forest {
  ff_model *model;
  int link_count, frame_count;
  ff_link_def links[FFI_FOREST_LINKS];
  char link_names[FFI_FOREST_LINKS][FFI_FOREST_NAME], joint_names[FFI_FOREST_LINKS][FFI_FOREST_NAME];
  int frame_links[FFI_FOREST_FRAMES]; ///< FF_WORLD: in the world
  ff_pose frame_poses[FFI_FOREST_FRAMES];
  char frame_names[FFI_FOREST_FRAMES][FFI_FOREST_NAME];
  double gravity[3];
} ffi_forest;

/// Never fails quietly: a forest that the builder refuses is a failed test, with the builder's words.
void ffi_forest_make(const ffi_forest_def *def, ffi_forest *out);
void ffi_forest_free(ffi_forest *forest);

/// Forest number `index` of a series, sizes from 1 to 40 links; features vary with the index.
void ffi_forest_number(int index, int has_massless, ffi_forest *out);

/// Inertia of a solid box of a random size and mass, somewhere in the link.
ff_inertia ffi_random_inertia(ffi_random *random);

/// Identity, a shift, a quarter turn and a shift, or any pose.
ff_pose ffi_random_pose(ffi_random *random);

#endif
