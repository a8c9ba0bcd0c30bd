/// svg_painter.h: hidden surfaces by the painter's algorithm.
///
/// Far faces are drawn before near ones. Where two flat convex faces that do not intersect overlap in the picture, one
/// is in front of the other. Faces that intersect are cut first. A depth-first sort brings the pairs into one order.
#ifndef FFI_APPS_SVG_PAINTER_H
#define FFI_APPS_SVG_PAINTER_H

#include "svg/svg_face.h"

/// All faces of a scene towards the viewer, in drawing order. Free the result.
ffi_svg_face_list ffi_svg_painter_paint(const ffi_svg_scene *scene, const ffi_svg_view *view);

#endif
