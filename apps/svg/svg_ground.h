/// svg_ground.h: the ground z = 0 of a picture: a grid that fades out, and the shadow on it.
#ifndef FFI_APPS_SVG_GROUND_H
#define FFI_APPS_SVG_GROUND_H

#include "svg/svg_view.h"

#include <stdio.h>

/// Distance between lines of the grid [m]: 1, 2 or 5 times a power of ten.
double ffi_ground_spacing(const ffi_view *view);

/// Gradients and filters, for <defs>.
void ffi_ground_write_defs(const ffi_view *view, FILE *out);
void ffi_ground_write(const ffi_svg_scene *scene, const ffi_view *view, FILE *out);

#endif
