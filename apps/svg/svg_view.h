/// svg_view.h: from where a picture is taken: a parallel projection with z up.
#ifndef FFI_APPS_SVG_VIEW_H
#define FFI_APPS_SVG_VIEW_H

#include "svg/svg_scene.h"

typedef struct ffi_view {
  double right[3], up[3], toward[3]; ///< unit vectors in the world: to the right, up, towards the viewer
  double pixels_per_metre;
  double origin[2];     ///< where the world's origin is drawn [px]
  double width, height; ///< of the picture [px]
  double centre[2];     ///< of the piece of ground that is drawn [m]
  double radius;        ///< of it [m]
} ffi_view;

/// Stand before the robot's right fore side, nearer to its longer side, look down a little, and fit the picture to what
/// there is to see.
ffi_view ffi_view_choose(const ffi_svg_scene *scene);

/// Picture coordinates of a point of the world: x right, y down, z towards the viewer [px].
void ffi_view_project(const ffi_view *view, const double world[3], double picture[3]);

/// The same for a direction, without the scale: a unit vector stays one.
void ffi_view_turn(const ffi_view *view, const double world[3], double picture[3]);

#endif
