/// forest.h: links quickly, and random forests with everything that was put into them remembered.
#ifndef FFI_TESTS_MODEL_FOREST_H
#define FFI_TESTS_MODEL_FOREST_H

#include <footfall/builder.h>

#include "math/near.h"

enum { FOREST_MAX = 64 };

/// What a builder was told.
typedef struct forest {
  int count;
  ff_link_def links[FOREST_MAX];
  char names[FOREST_MAX][16], joints[FOREST_MAX][16];
  int frame_count;
  int frame_link[FOREST_MAX];
  ff_pose frame_pose[FOREST_MAX];
  char frame_names[FOREST_MAX][16];
} forest;

/// A link with a body of ordinary inertia.
ff_link_def solid_link(const char *name, int parent, const char *joint, ff_joint_type type);

/// Add it or fail the test; returns its id.
int add_link(ff_builder *b, const ff_link_def *def);

ff_builder *new_builder(void);
ff_model *finish(ff_builder *b); ///< and destroy the builder

/// A random unit quaternion, or, often, one of quarter turns given by angles.
ff_pose random_pose(rng *r);

/// Links of all joint types on one another; about a third fixed. Planar joints have the axis +z.
void random_forest(rng *r, int count, forest *out);

ff_model *build_forest(const forest *f);

/// A random q of the model.
void random_q(rng *r, const ff_model *model, double *q);

/// A builder with a free link "base" and a frame "tip" on it, reading line 17 of robot.xml.
ff_builder *started_builder(void);

#endif
