/// svg.h: a robot as a picture, an SVG file that needs nothing else.
///
///     svg_solid.c    shapes become convex solids with flat faces
///     svg_scene.c    all solids and contact points of a model in one configuration
///     svg_view.c     the viewpoint: a parallel projection, z up
///     svg_face.c     faces towards the viewer: shaded, cut, compared
///     svg_painter.c  hidden surfaces: cuts faces that intersect, and sorts all by depth
///     svg_ground.c   the grid on z = 0 and the shadow on it
///     svg.c          writes the file
///
/// Lengths of the world are metres. Lengths of the picture are pixels, x to the right, y down, z towards the viewer.
#ifndef FFI_APPS_SVG_H
#define FFI_APPS_SVG_H

#include <footfall/model.h>

#include <stdio.h>

/// Draw a model in a posture, -1: neutral. Returns 0 after an error message. Errors of writing stay with `out`.
int ffi_svg_write(const ff_model *model, int posture, FILE *out);

#endif
