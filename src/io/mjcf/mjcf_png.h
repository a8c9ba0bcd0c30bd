/// mjcf_png.h: heights from the pixels of a PNG image.
#ifndef FFI_IO_MJCF_PNG_H
#define FFI_IO_MJCF_PNG_H

#include <stddef.h>

enum { FFI_MJCF_PNG_MOST = 10000 }; ///< pixels along a side

/// The first channel (grey or red) of every pixel, 0 to 255, by rows from the top. `*out` is malloc'ed, the caller's.
/// 0, or what is wrong with the file.
const char *ffi_mjcf_png_read(const unsigned char *data, size_t size, int *rows, int *columns,
                              unsigned char **out);

#endif
