/// svg_path.h: paths of an SVG file, in whole tenths of a pixel, one after the other with as few letters as possible.
///
///     ffi_path path;
///     ffi_svg_path_begin(&path, out);            // <path d="
///     ffi_svg_path_move(&path, x, y);            // [px]
///     ffi_svg_path_line(&path, x, y);
///     ffi_svg_path_close(&path);
///     fprintf(out, "\" fill=\"none\"/>\n");  // the quote and everything after it belong to the caller
#ifndef FFI_APPS_SVG_PATH_H
#define FFI_APPS_SVG_PATH_H

#include <stdio.h>

enum { FFI_PATH_UNITS = 10 }; ///< per pixel

typedef struct ffi_path {
  FILE *out;
  int x, y;  ///< where the pen is [units]
  char verb; ///< last one written
} ffi_path;

void ffi_svg_path_begin(ffi_path *path, FILE *out);
void ffi_svg_path_move(ffi_path *path, double x, double y);
void ffi_svg_path_line(ffi_path *path, double x, double y);
void ffi_svg_path_close(ffi_path *path);

/// Pixels as whole units; what is far outside of every picture is brought to its edge.
int ffi_svg_path_units(double pixels);

#endif
