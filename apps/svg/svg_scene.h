/// svg_scene.h: what there is to see of a model in one configuration.
///
/// Drawn are shapes made for the eye. A link that has none shows what it collides with; a model that shows nothing at
/// all, because its shapes are mesh files, is drawn as sticks from link to link.
#ifndef FFI_APPS_SVG_SCENE_H
#define FFI_APPS_SVG_SCENE_H

#include "svg/svg_solid.h"

#include <footfall/dynamics.h>

typedef struct ffi_svg_scene {
  int solid_count, point_count;
  ffi_solid *solids;      ///< [solid_count], owned
  double *points;         ///< contact points [point_count x 3], owned
  double low[3], high[3]; ///< box around all of it [m]; a small one about the origin if there is nothing
  int has_ground;         ///< the ground z = 0 is near and nothing lies under it
} ffi_svg_scene;

/// After kinematics on `dynamics`, one lane. See ffi_solid_from_shape() for `pixels_per_metre`.
ffi_svg_scene ffi_svg_scene_create(const ff_model *model, const ff_dynamics *dynamics,
                                   double pixels_per_metre);
void ffi_svg_scene_free(ffi_svg_scene *scene);

#endif
