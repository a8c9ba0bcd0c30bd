/// svg.h: a robot as a picture, an SVG file that needs nothing else.
///
///     svg_solid.c    shapes become convex solids with flat faces
///     svg_scene.c    all solids and contact points of a model in one configuration
///     svg_view.c     from where to look: a parallel projection, z up
///     svg_face.c     faces that look at the viewer: shaded, cut, compared
///     svg_painter.c  who hides whom: cuts faces that pass through each other and brings all into an order
///     svg_ground.c   the grid on z = 0 and the shadow on it
///     svg.c          writes the file
///
/// Lengths of the world are metres. Lengths of the picture are pixels, x to the right, y down, z towards the viewer.
#ifndef FFI_APPS_SVG_H
#define FFI_APPS_SVG_H

#include <footfall/model.h>

#include <stdio.h>

/// Draw a model in a posture, -1: neutral. Returns 0 after a complaint; whether all could be written is known to `out`.
int ffi_svg_write(const ff_model *model, int posture, FILE *out);

#endif
