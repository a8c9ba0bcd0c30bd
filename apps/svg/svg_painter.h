/// svg_painter.h: who hides whom.
///
/// A painter lays on what is far before what is near. For flat convex faces that do not pass through each other "nearer"
/// is a matter of pairs: where two overlap in the picture, one is in front. Faces that do pass through each other are
/// cut first. The pairs are then brought into one order.
#ifndef FFI_APPS_SVG_PAINTER_H
#define FFI_APPS_SVG_PAINTER_H

#include "svg/svg_face.h"

/// All faces of a scene that may be seen, in the order in which they are to be drawn. Free the result.
ffi_faces ffi_painter_paint(const ffi_svg_scene *scene, const ffi_view *view);

#endif
