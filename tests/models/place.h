/// place.h: where links and shapes of a model are, computed the long way round.
///
/// Written for the tests of the shipped models: rotation matrices multiplied from the root to the link, joint by joint,
/// straight from what ff_model_link() and ff_model_joint() tell. It shares nothing with the library's kinematics.
#ifndef FFI_TESTS_PLACE_H
#define FFI_TESTS_PLACE_H

#include <footfall/model.h>

typedef struct ffi_pose {
  double R[3][3]; ///< to world axes
  double p[3];    ///< origin in the world
} ffi_pose;

/// Places of all links at q, [size.links].
void ffi_place_links(const ff_model *model, const double *q, ffi_pose *links);

/// Place of a point given in a link's frame; link -1 is the world.
void ffi_place_point(const ffi_pose *links, int link, const double in_link[3], double out[3]);

/// Height (z) of the lowest point of a point, sphere, disk or box.
double ffi_place_lowest(const ffi_pose *links, const ff_shape_info *shape);

/// Centre of mass of all links that are not fixed to the world.
void ffi_place_com(const ff_model *model, const ffi_pose *links, double com[3]);

#endif
